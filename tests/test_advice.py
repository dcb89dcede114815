"""Rated at the table: what a good player would say, and tables that cannot be."""

import json
from pathlib import Path
from random import Random

import minis
import numpy as np
import pytest
from commands import mulligan
from holes import choices
from table import table

from mulligan.cli.coach_views import advice_as_data
from mulligan.coach import calibration, coach_words
from mulligan.coach.advice import RATING, advise, rate
from mulligan.coach.coach_words import number, rated_in_words, reason_in_words, strokes
from mulligan.coach.findings import CLOSE_CALL, Better, Loss, Mistake, Rated, Reason, only
from mulligan.coach.reasons import in_notation
from mulligan.engine.state import DISCARD, DISCARD_DRAWN, MOVES, NOBODY, PASS, STOCK, Phase
from mulligan.game import variants
from mulligan.game.hole import Hole
from mulligan.game.position import TableError, set_table
from mulligan.game.words import Words
from mulligan.players import net_files
from mulligan.players.exact_turn import weigh

PLAY_NINE, NINE_CARD = variants.load("play_nine"), variants.load("nine_card")
NAMES = ["Ann", "Ben", "Cyd", "Dan"]


@pytest.fixture(autouse=True)
def _as_the_net_says(monkeypatch):
    """Losses as the net says them; test_calibration.py is about their corrections."""
    monkeypatch.setattr(calibration, "measured", dict)


WORDS = Words("en")
GAMES = Path(__file__).parent / "games" / "play_nine.jsonl"


def asked(variant, *layouts: str, **told) -> list[Rated]:
    state = set_table(variant, layouts, **told)
    return advise(Hole.at(variant, state))


def by_move(ranked: list[Rated]) -> dict[str, Rated]:
    return {advice.move: advice for advice in ranked}


def sentence(variant, advice: Rated) -> str:
    return reason_in_words(WORDS, variant, advice.why, NAMES)


def why(key: str, **filled: str | int) -> str:
    return WORDS(f"coach_why_{key}", **filled)


def praise(variant, state, played: Rated) -> Reason:
    """The reason for the best move, as `analyse` gives it where another one was played."""
    net, ratings = net_files.coach_brain(variant.rules, int(state.seats)).net, np.zeros(MOVES, RATING)
    move_values, unknown = np.zeros(MOVES), np.full(3, np.nan)
    weigh(variant.rules, net, state, move_values)
    rate(variant.rules, net, state, played.code, CLOSE_CALL, move_values, calibration.table_of({}), unknown, ratings)
    return in_notation(variant, ratings[0]["why"], int(state.phase), int(state.closer))


def blunder(variant, state, played: Rated, best: Rated) -> coach_words.Sentences:
    """Tells a mistake as `analyse` lists it: in hole 4, the sixth turn of a player."""
    placing, card = state.phase == Phase.PLACE, variant.faces[state.held if state.held >= 0 else state.discard]
    mistake = Mistake(
        **vars(only(Loss, played)), hole=4, player=0, step=9, move=5, turn=6, phase="place" if placing else "take",
        played=played.move, face=card, why=played.why, layout=[],
        better=Better(best.move, best.code, best.place, praise(variant, state, played)),
    )  # fmt: skip
    return coach_words.mistake_in_words(WORDS, variant, mistake, NAMES)


def test_a_column_is_matched() -> None:
    ranked = asked(PLAY_NINE, "7 ? 1 ? / ? ? ? 5", "? ? 3 ? / ? ? ? 9", discard="12", held="7")
    assert ranked[0].move == "a2"
    assert ranked[0].loss == 0
    assert sentence(PLAY_NINE, ranked[0]) == why("matches", line="column", face="7")
    thrown = by_move(ranked)["discard_drawn"]
    assert thrown.loss > 2
    assert sentence(PLAY_NINE, thrown) == why("discards_match", card="the 7", line="column")


def test_the_discard_that_makes_a_column_is_taken() -> None:
    ranked = asked(PLAY_NINE, "10 ? 1 ? / ? ? ? 5", "? ? 3 ? / ? ? ? 9", discard="10")
    assert ranked[0].code == DISCARD
    assert ranked[0].place == "a2"
    assert ranked[0].why.key == "matches"
    assert ranked[1].why == Reason("misses_match", {"face": "10"})


@pytest.mark.parametrize(
    ("variant", "layouts", "card"),
    [
        (PLAY_NINE, ("7 ? 1 ? / ? ? ? 12", "? ? 3 ? / ? ? ? 9"), "H"),
        (NINE_CARD, ("7 ? Q / ? ? 5 / ? ? ?", "? ? 3 / ? 9 ? / 4 ? ?"), "*"),
    ],
)
def test_the_best_card_is_always_taken_and_never_given_away(variant, layouts, card: str) -> None:
    assert asked(variant, *layouts, discard=card)[0].code == DISCARD
    placed = asked(variant, *layouts, discard=card, taken=True)
    assert placed[0].loss == 0
    held = asked(variant, *layouts, discard="9", held=card)
    assert held[0].code != DISCARD_DRAWN
    if variant.rules.may_discard_drawn:
        assert by_move(held)["discard_drawn"].loss > 3


def test_a_card_that_helps_nowhere_is_discarded() -> None:
    ranked = asked(PLAY_NINE, "0 1 2 ? / 1 0 1 ?", "? ? 3 ? / ? ? ? 9", discard="4", held="12")
    assert ranked[0].code == DISCARD_DRAWN
    assert sentence(PLAY_NINE, ranked[0]) == why("useless", face="12")


def test_a_matched_column_is_not_broken() -> None:
    ranked = asked(PLAY_NINE, "7 ? 1 ? / 7 ? ? 5", "? ? 3 ? / ? ? ? 9", discard="4", held="2")
    breaking = by_move(ranked)
    assert breaking["a1"].why == Reason("breaks", {"face": "7", "slot": "a1"})
    assert min(breaking["a1"].loss, breaking["a2"].loss) > 5


def test_the_hole_is_closed_when_far_ahead() -> None:
    ranked = asked(PLAY_NINE, "7 3 1 ? / 7 2 1 0", "9 ? 12 ? / ? ? ? 11", discard="4", held="0")
    assert ranked[0].move == "d1"
    assert ranked[0].why.key == "closes_ahead"
    assert ranked[0].why.params["points"] == 5
    others = number(WORDS, ranked[0].why.params["others"])
    assert sentence(PLAY_NINE, ranked[0]) == why("closes_ahead", points=5, others=others)


def test_what_the_next_player_wants_is_not_left_for_him() -> None:
    ranked = asked(PLAY_NINE, "11 ? 1 ? / ? 9 ? 4", "4 ? 3 5 / ? 3 ? 9", discard="12", held="2")
    left = by_move(ranked)["d2"]
    assert left.loss > 0.05
    assert left.why == Reason("feeds_match", {"face": "4", "player": 1})
    assert sentence(PLAY_NINE, left) == why("feeds_match", card="the 4", name="Ben", line="column")


def test_a_mistake_is_told_with_what_it_left_and_what_was_better() -> None:
    tables = "11 ? 1 ? / ? 9 ? 4", "4 ? 3 5 / ? 3 ? 9"
    state = set_table(PLAY_NINE, tables, discard="12", held="2")
    ranked = by_move(advise(Hole.at(PLAY_NINE, state)))
    left, better = ranked["d2"], ranked["discard_drawn"]
    told = blunder(PLAY_NINE, state, left, better)
    lost = WORDS("coach_lost", name="Ann", amount=strokes(WORDS, left.loss))
    assert told.lost == f"{WORDS('coach_when', hole='Hole 4', turn=6)}: {lost}."
    against = why("feeds_match", card="the 4", name="Ben", line="column")
    assert told.played == f"{WORDS('coach_played', move='place the 2 on d2')}. {against}"
    assert told.better.startswith(f"{WORDS('coach_better', move='discard the 2')}. ")


def test_a_mistake_is_told_with_the_card_that_it_threw_away() -> None:
    """That the 8 helps nowhere is true, but not why it cost so much: a Hole-in-One lay there."""
    state = set_table(PLAY_NINE, ("0 1 2 ? / 1 H 1 ?", "? ? 3 ? / ? ? ? 9"), discard="12", held="8")
    ranked = by_move(advise(Hole.at(PLAY_NINE, state)))
    thrown, better = ranked["b2"], ranked["discard_drawn"]
    assert thrown.loss > 8
    told = blunder(PLAY_NINE, state, thrown, better)
    raised = why("raises", face="8", old=WORDS.face("H"), amount=strokes(WORDS, 13))
    assert told.played == f"{WORDS('coach_played', move='place the 8 on b2')}. {raised}"


def test_a_mistake_in_teeing_off_belongs_to_no_turn() -> None:
    told = coach_words.when(WORDS, PLAY_NINE, 4, 0)
    assert told == WORDS("coach_when_tee_off", hole="Hole 4")
    assert "0" not in told


def test_a_card_put_where_it_changes_nothing_keeps_the_hole_open() -> None:
    ranked = asked(NINE_CARD, "Q 5 6 / K 2 4 / 10 Q ?", "5 2 A / * ? ? / ? ? ?", discard="8", held="Q")
    open_still = by_move(ranked)["a1"]
    assert open_still.why.key in ("waits", "waits_behind")


def test_three_of_a_row_are_gathered() -> None:
    ranked = asked(NINE_CARD, "8 8 ? / Q J 5 / 2 3 ?", "? ? 3 / ? 9 ? / 4 ? ?", discard="8", taken=True)
    assert ranked[0].move == "c1"
    assert sentence(NINE_CARD, ranked[0]) == why("matches", line="row", face="8")


def test_a_discard_says_what_it_gains_where_other_places_would_save_something() -> None:
    ranked = asked(PLAY_NINE, "3 9 ? ? / ? ? ? ?", "12 ? ? ? / 7 ? ? ?", discard="8", held="4")
    assert ranked[0].code == DISCARD_DRAWN
    assert sentence(PLAY_NINE, ranked[0]) == why("discards_to_match", count=7, unseen=102, line="column", face="9")
    on_the_nine = by_move(ranked)["b1"]
    saved = why("replaces", face="4", old="9", amount=strokes(WORDS, 5))
    assert sentence(PLAY_NINE, on_the_nine) == f"{saved} {why('but', move=WORDS('table_act_discard'))}"


def test_closing_comes_before_a_small_saving() -> None:
    """The review's case: 5 in place of a queen saved 7 of the 28.8 strokes; the rest was closing with too much."""
    tables = "K 9 Q / 10 Q 9 / Q J ?", "5 2 A / * ? ? / ? ? ?"
    state = set_table(NINE_CARD, tables, discard="8", held="5")
    ranked = advise(Hole.at(NINE_CARD, state))
    closed, kept_open = by_move(ranked)["c3"], min(ranked, key=lambda move: move.loss)
    assert closed.loss > 10
    assert closed.why.key == "closes_behind"
    assert closed.why.params["points"] > 60
    assert kept_open.why.key == "replaces"
    told = blunder(NINE_CARD, state, closed, kept_open)
    assert told.played.endswith(sentence(NINE_CARD, closed))
    saved = why("replaces", face="5", old="queen", amount=strokes(WORDS, 7))
    place = f"place the 5 on {kept_open.why.params['slot']}"
    assert told.better == f"{WORDS('coach_better', move=place)}. {saved} {why('part')}"


def test_leaving_the_hole_open_is_told_where_closing_was_better() -> None:
    ranked = by_move(asked(PLAY_NINE, "7 3 1 ? / 7 2 1 0", "9 ? 12 ? / ? ? ? 11", discard="4", held="0"))
    assert ranked["b1"].why == Reason("waits_ahead", ranked["d1"].why.params)


def test_every_reason_has_its_words() -> None:
    """From random positions of every game, every reason that comes up can be said, and most of them do come up."""
    rng = Random(1)
    said = set()
    for game in ("play_nine", "nine_card", "mini_columns", "mini_rows"):
        variant = minis.load(game)
        for _ in range(4):
            hole = Hole(variant, 2, 0)
            for _ in choices(hole, rng):
                if rng.random() < 0.4:
                    ranked = advise(hole)
                    assert sorted(advice.code for advice in ranked) == hole.legal_moves()
                    assert ranked[0].loss == 0
                    assert [advice.loss for advice in ranked] == sorted(advice.loss for advice in ranked)
                    for advice in ranked:
                        words = sentence(variant, advice)
                        assert "{" not in words
                        said.add(advice.why.key)
                    keys = {advice.why.key for advice in ranked}
                    assert "useless" not in keys or not keys & {"replaces", "cheap"}
    known = {key.removeprefix("coach_why_") for key in WORDS.messages if key.startswith("coach_why_")}
    assert len(said) > 0.7 * len(known), f"never said: {known - said}"


def test_there_is_no_advice_while_a_card_is_awaited() -> None:
    hole = Hole(PLAY_NINE, 2, 0)
    assert advise(hole) == []


def test_the_table_is_set_as_told() -> None:
    layouts = "7 ? 1 ? / ? ? ? 5", "9 9 3 ? / 9 9 2 2", "0 ? ? ? / ? ? ? 1"
    state = set_table(PLAY_NINE, layouts, "4", turn=2, gone=["4", "12"])
    assert (state.turn, state.discard, state.closer, state.phase) == (2, 4, NOBODY, Phase.TAKE)
    assert [int(state.players[seat].hidden) for seat in range(3)] == [5, 1, 6]
    assert state.unseen[PLAY_NINE.faces.index("9")] == 4
    assert state.unseen[PLAY_NINE.faces.index("4")] == 6
    assert state.stock_left == 108 - 24 - 3


def test_a_turn_half_way() -> None:
    layouts = "7 ? 1 ? / ? ? ? 5", "9 9 3 ? / 9 9 2 2"
    flipping = set_table(PLAY_NINE, layouts, "4", turn=1, discarded=True)
    assert flipping.phase == Phase.FLIP
    ranked = advise(Hole.at(PLAY_NINE, flipping))
    assert sorted(advice.code for advice in ranked) == [3, PASS]
    assert set_table(PLAY_NINE, layouts, "4", taken=True).held == 4
    assert not set_table(PLAY_NINE, layouts, "4", taken=True).held_from_stock
    assert set_table(PLAY_NINE, ["? ? ? ? / ? ? ? ?"] * 2, "4").phase == Phase.TEE_OFF
    last = set_table(PLAY_NINE, ("7 ? 1 ? / ? ? ? 5", "9 9 3 1 / 9 9 2 2"), "4")
    assert last.closer == 1
    assert STOCK in [advice.code for advice in advise(Hole.at(PLAY_NINE, last))]


def table_fault(key: str, **filled: str | int) -> str:
    room = "cardboard" if f"cardboard_table_{key}" in WORDS.messages else "terminal"
    return WORDS(f"{room}_table_{key}", **filled)


OPEN, HALF = "7 3 1 2 / 7 6 8 5", "7 ? 1 ? / ? ? ? 5"


@pytest.mark.parametrize(
    ("layouts", "told", "said"),
    [
        (
            ["8 8 8 8 / 8 ? ? ?", "8 8 8 ? / ? ? ? ?"],
            {"discard": "8"},
            table_fault("too_many", count=9, face="8", copies=8),
        ),
        (["7 ? 1", HALF], {"discard": "4"}, "Player 1: A layout has 2 rows of 4 cards in this game"),
        (["13 ? 1 ? / ? ? ? ?", HALF], {"discard": "4"}, "Player 1: There’s no such card in this game:\u00a013"),
        ([HALF, HALF], {"discard": "J"}, "Discard pile: There’s no such card in this game:\u00a0J"),
        ([HALF, HALF], {"discard": "4", "held": "Q"}, "In hand: There’s no such card in this game:\u00a0Q"),
        ([HALF], {"discard": "4"}, "2 to 6 players (1.1), not 1"),
        ([HALF, HALF], {"discard": "4", "turn": 2}, table_fault("no_player", name="Player 3", count=2)),
        ([HALF, OPEN, OPEN], {"discard": "4"}, table_fault("who_closed")),
        ([HALF, HALF, OPEN], {"discard": "4", "closer": 1}, table_fault("closer_hidden", name="Player 2")),
        ([OPEN, HALF], {"discard": "4"}, table_fault("closer_on_turn", name="Player 1")),
        ([OPEN, HALF, OPEN], {"discard": "4", "closer": 2}, table_fault("had_last_turn", name="Player 1")),
        ([HALF, HALF], {"discard": "4", "held": "4", "taken": True}, table_fault("one_in_hand")),
        (["? ? ? ? / ? ? ? ?", HALF], {"discard": "4", "held": "4"}, table_fault("tee_off_no_card", name="Player 1")),
        ([HALF, "? ? ? ? / ? ? ? ?"], {"discard": "4"}, table_fault("all_tee_off", name="Player 2", count=2)),
        ([HALF, OPEN], {"discard": "4", "discarded": True}, table_fault("last_turn_over")),
    ],
)
def test_a_table_that_cannot_be_is_refused(layouts: list[str], told: dict, said: str) -> None:
    with pytest.raises(TableError) as caught:
        set_table(PLAY_NINE, layouts, **told)
    assert said in str(caught.value)


def test_no_drawn_card_is_discarded_in_nine_card_golf() -> None:
    with pytest.raises(TableError, match=r"there is no discarding: a taken card must be placed \(3\.3\)"):
        set_table(NINE_CARD, ["7 ? A / ? ? ? / 2 ? ?"] * 2, "4", discarded=True)


def test_advice_on_the_command_line() -> None:
    words = ["--layout", "7 ? 1 ? / ? ? ? 5", "--layout", "? ? 3 ? / ? ? ? 9", "--discard", "12", "--held", "7"]
    run = mulligan("advise", *words)
    best, reason, *_ = run.stdout.splitlines()
    assert best == WORDS("coach_best_move", move="place the 7 on a2 (face down)")
    assert reason.strip() == why("matches", line="column", face="7")
    told = json.loads(mulligan("advise", *words, "--json").stdout)
    assert (told["phase"], told["turn"], told["moves"][0]["move"]) == ("place", 0, "a2")
    assert told["moves"][0]["why"] == {"key": "matches", "params": {"face": "7", "slot": "a2"}}


# Inside a game that is written down

BEGUN = ["a1=4", "c2=0", "b1=12", "b2=12", "S7>b2x9"]


def written(tmp_path, *holes: dict, **changed) -> str:
    """A file with one game of Ben and Ann, who begins."""
    record = {"format": 1, "game": "play_nine", "players": ["Ann", "Ben"], "holes": list(holes)} | changed
    file = tmp_path / "game.jsonl"
    file.write_text(json.dumps(record) + "\n", encoding="utf-8")
    return str(file)


def begun(*moves: str) -> dict:
    return {"dealer": 1, "first_discard": "7", "moves": [*BEGUN, *moves]}


def advised(file: str, *words: str) -> dict:
    return json.loads(mulligan("advise", "--record", file, *words, "--json").stdout)


def test_a_game_written_down_is_advised_on_where_it_ends(tmp_path) -> None:
    table = "4 ? ? ? / ? 7 0 ?", "? 12 ? ? / ? 12 ? ?"
    told = advised(written(tmp_path, begun("S11")))
    state = set_table(PLAY_NINE, table, "9", turn=1, held="11", gone=["7"])
    right = advise(Hole.at(PLAY_NINE, state))
    assert (told["phase"], told["turn"]) == ("place", 1)
    assert [one["code"] for one in told["moves"]] == [advice.code for advice in right]
    assert [one["loss"] for one in told["moves"]] == pytest.approx([advice.loss for advice in right], abs=0.02)


def test_any_move_of_a_written_game_can_be_asked_about(tmp_path) -> None:
    file = written(tmp_path, begun("S11"))
    assert advised(file, "--move", "1")["phase"] == "tee_off"
    assert (advised(file, "--move", "5")["phase"], advised(file, "--move", "5")["turn"]) == ("take", 0)
    before, after = advised(file, "--move", "6"), advised(written(tmp_path, begun()))
    assert before == after


def test_a_file_of_many_games_is_not_one() -> None:
    run = mulligan("advise", "--record", GAMES, code=1)
    assert WORDS("terminal_fault_many_games", count=len(GAMES.read_text().splitlines())) in run.stderr


def test_after_a_card_is_discarded_the_last_may_be_left_or_turned_up(tmp_path) -> None:
    moves = ["a1=4", "a2=5", "a1=1", "a2=2"]
    for lay in ("b1x3", "b2x6", "c1x8", "c2x10", "d1x11"):
        moves += [f"S0>{lay}", "S1>a1x1"]
    hole = {"dealer": 1, "first_discard": "7", "moves": [*moves, "S12-"]}
    told = advised(written(tmp_path, hole))
    assert told["phase"] == "flip"
    assert sorted(one["move"] for one in told["moves"]) == ["d2", "pass"]
    hole["moves"].append("S9")  # so it was left
    assert advised(written(tmp_path, hole))["turn"] == 1
    assert advised(written(tmp_path, hole), "--move", str(len(hole["moves"])))["phase"] == "take"


@pytest.mark.parametrize(
    ("holes", "words", "said"),
    [
        ([begun("S11", ">a9x9")], [], 'hole 1, move 7 (">a9x9"): There’s no slot a9'),
        ([begun("D8")], [], 'hole 1, move 6 ("D8"): On top of the discard pile:\u00a09, not 8 (3.1).'),
        ([begun("S11-")], ["--move", "9"], WORDS("terminal_no_move", hole=1, move=9)),
        ([begun()], ["--hole", "2"], WORDS("terminal_no_hole", hole=2, last=1)),
        ([], [], WORDS("terminal_fault_no_hole")),
        ([begun(), begun()], [], f"hole 1, move 5: {WORDS('cardboard_wrong_hole_unfinished')}"),
        ([begun() | {"dealer": 0} | {"seats": [1, 0]}], [], "hole 1: seats should be [0, 1] (6.1, 6.3)"),
        ([{"dealer": 1, "moves": []}], [], "hole 1: first_discard is missing."),
        (
            [{"dealer": 1, "first_discard": "J", "moves": []}],
            [],
            "hole 1, first_discard: There’s no such card in this game:\u00a0J",
        ),
        (["nonsense"], [], "hole 1: This is not a JSON object."),
    ],
)
def test_what_is_wrong_in_a_written_game_is_one_sentence(tmp_path, holes, words, said) -> None:
    run = mulligan("advise", "--record", written(tmp_path, *holes), *words, code=1)
    assert said in run.stderr
    assert run.stderr.strip().count("\n") == 0


def test_a_record_that_is_over_has_nothing_to_decide(tmp_path) -> None:
    record = json.loads(GAMES.read_text(encoding="utf-8").splitlines()[0])
    file = written(tmp_path, **record)
    run = mulligan("advise", "--record", file, code=1)
    assert WORDS("terminal_fault_hole_over", hole=len(record["holes"])) in run.stderr
    told = advised(file, "--hole", "2", "--move", "7")
    assert told["phase"] in ("take", "tee_off")


# A last turn that may be declined (4.2)

CLOSED = "K K K / A 2 3 / 4 5 6"


def only_high_cards():
    """The new stock has high cards, and so nothing that comes can help."""
    layouts = "9 9 9 / 8 8 8 / * * ?", CLOSED
    return table("nine_card", *layouts, discards="Q", closer=1, unseen="*", stock="Q Q J J 10").hole.state


def test_a_last_turn_that_can_only_cost_is_declined() -> None:
    state = only_high_cards()
    ranked = advise(Hole.at(NINE_CARD, state))
    assert (ranked[0].code, ranked[0].loss) == (PASS, 0)
    assert rated_in_words(WORDS, NINE_CARD, state, ranked[0]) == WORDS("coach_move_decline")
    points = ranked[0].why.params["points"]
    amount = WORDS("table_points", count=points, points=number(WORDS, points))
    assert sentence(NINE_CARD, ranked[0]) == why("stays", amount=amount)
    drawing = next(one for one in ranked if one.code == STOCK)
    assert sentence(NINE_CARD, drawing) == why("risks")


def test_a_last_turn_that_saves_points_is_played() -> None:
    state = set_table(NINE_CARD, ["Q Q 9 / 9 J Q / 10 9 ?", CLOSED], discard="Q", closer=1)
    ranked = advise(Hole.at(NINE_CARD, state))
    declining = ranked[-1]
    assert (declining.code, ranked[0].code) == (PASS, DISCARD)
    assert declining.why == Reason("misses_match", {"face": "Q"})
    told = blunder(NINE_CARD, state, declining, ranked[0])
    missed = why("misses_match", card="the queen", line="row")
    assert told.played == f"{WORDS('coach_played', move=WORDS('coach_move_decline'))}. {missed}"
    assert told.better.startswith(WORDS("coach_better", move="take the queen (for "))


def test_a_last_turn_is_named_in_what_programs_read() -> None:
    state = only_high_cards()
    ranked = advise(Hole.at(NINE_CARD, state))
    assert advice_as_data(WORDS, NINE_CARD, state, ranked, NAMES)["moves"][0]["move"] == "decline"
