"""Games kept as files: records written today must be read for ever.

Among them a play-off of two, one of three, a shared win, and holes in which the stock runs out.
"""

import json
from copy import deepcopy
from pathlib import Path

import independent
import pytest

from mulligan.game import referee

FILES = sorted((Path(__file__).parent / "games").glob("*.jsonl"))
GAMES = [(file.stem, number, record) for file in FILES for number, record in referee.read_records(file.open("rb"))]
SLOTS = {
    "play_nine": [column + row for row in "12" for column in "abcd"],
    "nine_card": [column + row for row in "123" for column in "abc"],
}


@pytest.mark.parametrize(("file", "number", "record"), GAMES, ids=lambda value: str(value)[:20])
def test_a_recorded_game_stands(file, number, record):
    game = referee.replay(record)
    independent.judge(record)
    assert record["game"] == file
    assert game.record() == record, "and is written again as it was read"
    assert list(game.record()) == ["format", "game", "players", "holes", "totals", "winners"]
    assert list(game.record()["holes"][0]) == ["dealer", "seats", "first_discard", "moves", "reveal", "points"]
    assert json.loads(json.dumps(game.record())) == record


def test_the_games_show_what_is_rare():
    holes = [hole for _, _, record in GAMES for hole in record["holes"][9:]]
    assert {len(hole["seats"]) for hole in holes} == {2, 3}
    assert any(len(record["winners"]) == 2 for _, _, record in GAMES)
    stocks = [
        (sum(move.startswith("S") for move in hole["moves"]), 107 - len(hole["seats"]) * {"p": 8, "n": 9}[name[0]])
        for name, _, record in GAMES
        for hole in record["holes"]
    ]
    assert sum(taken >= stock for taken, stock in stocks) >= 10


def test_watching_tells_every_move_and_every_end():
    record = GAMES[0][2]
    seen = []
    referee.replay(record, watch=lambda game, move: seen.append(move))
    assert seen == [move for hole in record["holes"] for move in [*hole["moves"], ""]]


def with_another_card_revealed(record):
    """The record with a card added to the last hole's reveal, on a slot of that player which is open by then."""
    forged = deepcopy(record)
    reveal = forged["holes"][-1]["reveal"]
    player, cards = next((player, cards) for player, cards in reveal.items() if cards)
    slot = next(slot for slot in SLOTS[forged["game"]] if slot not in {card[:2] for card in cards})
    reveal[player] = [*cards, slot + cards[0][2:]]
    return forged, f"reveal turns up {slot} of player {player}, which isn’t face down (4.3)."


def with_its_last_hole_twice(record):
    """The record of a finished match, and one hole more with the dealer and seats that would be next."""
    forged = deepcopy(record)
    last = forged["holes"][-1]
    seats = last["seats"]
    again = last | {"dealer": seats[(seats.index(last["dealer"]) + 1) % len(seats)]}
    forged["holes"].append(again)
    return forged, "The match is already over (6.1, 6.2)."


@pytest.mark.parametrize("forge", [with_another_card_revealed, with_its_last_hole_twice])
@pytest.mark.parametrize("file", SLOTS)
def test_a_record_cannot_have_more_than_was_played(file, forge):
    record = next(record for name, _, record in GAMES if name == file and any(record["holes"][-1]["reveal"].values()))
    forged, why = forge(record)
    with pytest.raises(referee.Fault) as fault:
        referee.replay(forged)
    assert str(fault.value).endswith(why)
