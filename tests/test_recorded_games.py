"""Games kept as files: records written today must be read for ever.

Among them a play-off of two, one of three, a shared win, and holes in which the stock runs out.
"""

import json
from pathlib import Path

import independent
import pytest

from mulligan import referee

FILES = sorted((Path(__file__).parent / "games").glob("*.jsonl"))
GAMES = [(file.stem, number, record) for file in FILES for number, record in referee.read_records(file.open("rb"))]


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
