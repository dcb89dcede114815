"""Advice at the table: what a good player would say, and tables that cannot be."""

import json
import subprocess
import sys
from pathlib import Path
from random import Random

import minis
import pytest
from test_properties import any_card, any_move

from mulligan import mistakes, reasons, shelf, variants
from mulligan.advice import Advice, TableError, advise, sentence, set_table
from mulligan.engine.state import DISCARD, NOBODY, PASS, STOCK, THROW_AWAY, Phase
from mulligan.game import Hole
from mulligan.mistakes import Mistake

PLAY_NINE, NINE_CARD = variants.load("play_nine"), variants.load("nine_card")
NAMES = ["Ann", "Ben", "Cyd", "Dan"]
GAMES = Path(__file__).parent / "games" / "play_nine.jsonl"


def asked(variant, *layouts: str, **told) -> list[Advice]:
    state = set_table(variant, layouts, **told)
    return advise(variant, state, shelf.books(variant.rules, len(layouts)))


def by_move(variant, ranked: list[Advice]) -> dict[str, Advice]:
    return {reasons.name_of(variant, advice.move): advice for advice in ranked}


def test_a_column_is_matched() -> None:
    ranked = asked(PLAY_NINE, "7 ? 1 ? / ? ? ? 5", "? ? 3 ? / ? ? ? 9", discard="12", held="7")
    assert ranked[0].text == "put the 7 on a2"
    assert ranked[0].loss == 0
    assert sentence(PLAY_NINE, ranked[0], NAMES) == "matches the column of 7s"
    thrown = by_move(PLAY_NINE, ranked)["throw_away"]
    assert thrown.loss > 2
    assert sentence(PLAY_NINE, thrown, NAMES) == "throws away the 7 that would complete a column"


def test_the_discard_that_makes_a_column_is_taken() -> None:
    ranked = asked(PLAY_NINE, "10 ? 1 ? / ? ? ? 5", "? ? 3 ? / ? ? ? 9", discard="10")
    assert ranked[0].move == DISCARD
    assert ranked[0].place == PLAY_NINE.slots.index("a2")
    assert ranked[0].why.key == "matches"
    assert ranked[1].why == reasons.Why("misses_match", {"face": "10"})


@pytest.mark.parametrize(
    ("variant", "layouts", "card"),
    [
        (PLAY_NINE, ("7 ? 1 ? / ? ? ? 12", "? ? 3 ? / ? ? ? 9"), "H"),
        (NINE_CARD, ("7 ? Q / ? ? 5 / ? ? ?", "? ? 3 / ? 9 ? / 4 ? ?"), "*"),
    ],
)
def test_the_best_card_is_always_taken_and_never_given_away(variant, layouts, card: str) -> None:
    assert asked(variant, *layouts, discard=card)[0].move == DISCARD
    placed = asked(variant, *layouts, discard=card, taken=True)
    assert placed[0].loss == 0
    held = asked(variant, *layouts, discard="9", held=card)
    assert held[0].move != THROW_AWAY
    if variant.rules.may_throw_away:
        assert by_move(variant, held)["throw_away"].loss > 3


def test_a_card_that_helps_nowhere_is_thrown_away() -> None:
    ranked = asked(PLAY_NINE, "0 1 2 ? / 1 0 1 ?", "? ? 3 ? / ? ? ? 9", discard="4", held="12")
    assert ranked[0].move == THROW_AWAY
    assert sentence(PLAY_NINE, ranked[0], NAMES) == "is right for a 12 that helps nowhere"


def test_a_matched_column_is_not_broken() -> None:
    ranked = asked(PLAY_NINE, "7 ? 1 ? / 7 ? ? 5", "? ? 3 ? / ? ? ? 9", discard="4", held="2")
    breaking = by_move(PLAY_NINE, ranked)
    assert breaking["a1"].why == reasons.Why("breaks", {"face": "7", "slot": "a1"})
    assert min(breaking["a1"].loss, breaking["a2"].loss) > 5


def test_the_hole_is_closed_when_far_ahead() -> None:
    ranked = asked(PLAY_NINE, "7 3 1 ? / 7 2 1 0", "9 ? 12 ? / ? ? ? 11", discard="4", held="0")
    assert ranked[0].text == "put the 0 on d1"
    assert ranked[0].why.key == "closes_ahead"
    assert ranked[0].why.params["points"] == 5
    assert sentence(PLAY_NINE, ranked[0], NAMES).startswith("closes the hole at 5 while the others stand at about ")


def test_what_the_next_player_wants_is_not_left_for_him() -> None:
    ranked = asked(PLAY_NINE, "11 ? 1 ? / ? 9 ? 4", "4 ? 3 5 / ? 3 ? 9", discard="12", held="2")
    left = by_move(PLAY_NINE, ranked)["d2"]
    assert left.loss > 0.05
    assert left.why == reasons.Why("feeds_match", {"face": "4", "player": 1})
    assert sentence(PLAY_NINE, left, NAMES) == "leaves the 4 that Ben needs for a column"


def test_a_mistake_is_told_with_what_it_left_and_what_was_better() -> None:
    tables = "11 ? 1 ? / ? 9 ? 4", "4 ? 3 5 / ? 3 ? 9"
    state = set_table(PLAY_NINE, tables, discard="12", held="2")
    ranked = by_move(PLAY_NINE, advise(PLAY_NINE, state, shelf.books(PLAY_NINE.rules, 2)))
    left, better = ranked["d2"], ranked["throw_away"]
    mistake = Mistake(4, 6, left.move, THROW_AWAY, 2.11, left.why, better.why)
    assert mistakes.sentence(reasons.look(PLAY_NINE, state), mistake, NAMES) == (
        "hole 4, turn 6: the 2 on d2 gave away 2.1 strokes: it leaves the 4 that Ben needs for a column; "
        "it was better thrown away"
    )


def test_a_card_put_where_it_changes_nothing_keeps_the_hole_open() -> None:
    ranked = asked(NINE_CARD, "Q 5 6 / K 2 4 / 10 Q ?", "5 2 A / * ? ? / ? ? ?", discard="8", held="Q")
    open_still = by_move(NINE_CARD, ranked)["a1"]
    assert open_still.why.key in ("waits", "waits_behind")


def test_three_of_a_row_are_gathered() -> None:
    ranked = asked(NINE_CARD, "8 8 ? / Q J 5 / 2 3 ?", "? ? 3 / ? 9 ? / 4 ? ?", discard="8", taken=True)
    assert ranked[0].text == "put the 8 on c1"
    assert sentence(NINE_CARD, ranked[0], NAMES) == "matches the row of 8s"


def test_every_reason_has_its_words() -> None:
    """From random positions of every game, every reason that comes up can be said, and most of them do come up."""
    rng = Random(1)
    said = set()
    for game in ("play_nine", "nine_card", "mini_columns", "mini_rows"):
        variant = minis.load(game)
        for _ in range(4):
            hole = Hole(variant, 2, 0)
            while not hole.is_over:
                if hole.awaits_card:
                    hole.turn_up(any_card(hole, rng))
                    continue
                if rng.random() < 0.4:
                    ranked = advise(variant, hole.state, shelf.books(variant.rules, 2))
                    assert [advice.move for advice in sorted(ranked)] == hole.legal_moves()
                    assert ranked[0].loss == 0
                    assert [advice.loss for advice in ranked] == sorted(advice.loss for advice in ranked)
                    for advice in ranked:
                        words = sentence(variant, advice, NAMES)
                        assert "{" not in words
                        said.add(advice.why.key)
                hole.play(any_move(hole, rng))
    assert said <= set(reasons.KEYS)
    assert len(said) > 0.7 * len(reasons.KEYS), f"never said: {set(reasons.KEYS) - said}"


def test_there_is_no_advice_while_a_card_is_awaited() -> None:
    hole = Hole(PLAY_NINE, 2, 0)
    assert advise(PLAY_NINE, hole.state, shelf.books(PLAY_NINE.rules, 2)) == []


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
    flipping = set_table(PLAY_NINE, layouts, "4", turn=1, thrown_away=True)
    assert flipping.phase == Phase.FLIP
    assert [advice.move for advice in sorted(advise(PLAY_NINE, flipping, shelf.books(PLAY_NINE.rules, 2)))] == [3, PASS]
    assert set_table(PLAY_NINE, layouts, "4", taken=True).held == 4
    assert not set_table(PLAY_NINE, layouts, "4", taken=True).held_from_stock
    assert set_table(PLAY_NINE, ["? ? ? ? / ? ? ? ?"] * 2, "4").phase == Phase.TEE_OFF
    last = set_table(PLAY_NINE, ("7 ? 1 ? / ? ? ? 5", "9 9 3 1 / 9 9 2 2"), "4")
    assert last.closer == 1
    assert STOCK in [advice.move for advice in advise(PLAY_NINE, last, shelf.books(PLAY_NINE.rules, 2))]


OPEN, HALF = "7 3 1 2 / 7 6 8 5", "7 ? 1 ? / ? ? ? 5"


@pytest.mark.parametrize(
    ("layouts", "told", "said"),
    [
        (["8 8 8 8 / 8 ? ? ?", "8 8 8 ? / ? ? ? ?"], {"discard": "8"}, "There are 9 cards 8 on this table, and the"),
        (["7 ? 1", HALF], {"discard": "4"}, "The layout of player 1 (7 ? 1): A layout of Play Nine has 2 rows of 4"),
        (["13 ? 1 ? / ? ? ? ?", HALF], {"discard": "4"}, "There is no card 13"),
        ([HALF, HALF], {"discard": "J"}, "The discard: There is no card J"),
        ([HALF, HALF], {"discard": "4", "held": "Q"}, "The card in hand: There is no card Q"),
        ([HALF], {"discard": "4"}, "Play Nine is for 2 to 6 players (1.1), not 1"),
        ([HALF, HALF], {"discard": "4", "turn": 2}, "There is no player 3; 2 layouts were given."),
        ([HALF, OPEN, OPEN], {"discard": "4"}, "say who closed first (4.1)"),
        ([HALF, HALF, OPEN], {"discard": "4", "closer": 1}, "Player 2 cannot have closed with a card face down (4.1)."),
        ([OPEN, HALF], {"discard": "4"}, "Player 1 has closed, and has no turn any more (4.1, 4.2)."),
        ([OPEN, HALF, OPEN], {"discard": "4", "closer": 2}, "Player 1 has every card open, and so has had the last"),
        ([HALF, HALF], {"discard": "4", "held": "4", "taken": True}, "say one"),
        (["? ? ? ? / ? ? ? ?", HALF], {"discard": "4", "held": "4"}, "Player 1 has not teed off, and so has no card"),
        ([HALF, "? ? ? ? / ? ? ? ?"], {"discard": "4"}, "Player 2 has fewer than 2 cards open; everybody tees off"),
        ([HALF, OPEN], {"discard": "4", "thrown_away": True}, "on a last turn nothing is turned up"),
    ],
)
def test_a_table_that_cannot_be_is_refused(layouts: list[str], told: dict, said: str) -> None:
    with pytest.raises(TableError) as caught:
        set_table(PLAY_NINE, layouts, **told)
    assert said in str(caught.value)


def test_nothing_is_thrown_away_in_nine_card_golf() -> None:
    with pytest.raises(TableError, match=r"may not be thrown away: a taken one must be placed \(3\.3\)"):
        set_table(NINE_CARD, ["7 ? A / ? ? ? / 2 ? ?"] * 2, "4", thrown_away=True)


def mulligan(*words: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run([sys.executable, "-m", "mulligan", *words], capture_output=True, text=True, timeout=300)


def test_advice_on_the_command_line() -> None:
    words = ["--layout", "7 ? 1 ? / ? ? ? 5", "--layout", "? ? 3 ? / ? ? ? 9", "--discard", "12", "--held", "7"]
    run = mulligan("advise", *words)
    assert run.returncode == 0, run.stderr
    assert " ".join(run.stdout.splitlines()[0].split()) == "best put the 7 on a2 matches the column of 7s"
    told = json.loads(mulligan("advise", *words, "--json").stdout)
    assert (told["phase"], told["turn"], told["moves"][0]["move"]) == ("place", 0, "a2")
    assert told["moves"][0]["why"] == {"key": "matches", "params": {"face": "7", "slot": "a2"}}


def test_a_wrong_table_on_the_command_line_is_one_sentence() -> None:
    run = mulligan("advise", "--layout", "8 8 8 8 / 8 8 8 8", "--layout", HALF, "--discard", "8")
    assert run.returncode == 2
    assert run.stderr.strip() == "There are 9 cards 8 on this table, and the pack has only 8 (1.2)."


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
    run = mulligan("advise", "--record", file, *words, "--json")
    assert run.returncode == 0, run.stderr
    return json.loads(run.stdout)


def test_a_game_written_down_is_advised_on_where_it_ends(tmp_path) -> None:
    table = "4 ? ? ? / ? 7 0 ?", "? 12 ? ? / ? 12 ? ?"
    told = advised(written(tmp_path, begun("S11")))
    state = set_table(PLAY_NINE, table, "9", turn=1, held="11", gone=["7"])
    right = advise(PLAY_NINE, state, shelf.books(PLAY_NINE.rules, 2))
    assert (told["phase"], told["turn"]) == ("place", 1)
    assert [one["code"] for one in told["moves"]] == [advice.move for advice in right]
    assert [one["loss"] for one in told["moves"]] == pytest.approx([advice.loss for advice in right], abs=0.02)


def test_any_move_of_a_written_game_can_be_asked_about(tmp_path) -> None:
    file = written(tmp_path, begun("S11"))
    assert advised(file, "--move", "1")["phase"] == "tee_off"
    assert (advised(file, "--move", "5")["phase"], advised(file, "--move", "5")["turn"]) == ("take", 0)
    before, after = advised(file, "--move", "6"), advised(written(tmp_path, begun()))
    assert before == after


def test_a_file_of_many_games_is_not_one() -> None:
    run = mulligan("advise", "--record", str(GAMES))
    assert run.returncode == 1
    assert "games; advice is about one of them, alone in its file." in run.stderr


def test_after_a_card_is_thrown_away_the_last_may_be_left_or_turned_up(tmp_path) -> None:
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
        ([begun("S11", ">a9x9")], [], 'hole 1, move 7 (">a9x9"): There is no slot a9'),
        ([begun("D8")], [], 'hole 1, move 6 ("D8"): The top card of the discard pile is 9, not 8 (3.1).'),
        ([begun("S11-")], ["--move", "9"], "hole 1 has 6 moves; there is no move 9."),
        ([begun()], ["--hole", "2"], "the record has 1 hole; there is no hole 2."),
        ([], [], "the record has no hole yet."),
        ([begun(), begun()], [], "hole 1, move 5: Another hole follows, but this one is not over"),
        ([begun() | {"dealer": 0} | {"seats": [1, 0]}], [], "hole 1, seats should be [0, 1] (6.1, 6.3)"),
        ([{"dealer": 1, "moves": []}], [], "hole 1, first_discard is missing."),
        ([{"dealer": 1, "first_discard": "J", "moves": []}], [], "hole 1, first_discard: There is no card J"),
        (["nonsense"], [], "hole 1, is not a JSON object."),
    ],
)
def test_what_is_wrong_in_a_written_game_is_one_sentence(tmp_path, holes, words, said) -> None:
    run = mulligan("advise", "--record", written(tmp_path, *holes), *words)
    assert run.returncode == 1
    assert said in run.stderr
    assert run.stderr.strip().count("\n") == 0


@pytest.mark.parametrize(
    ("words", "said"),
    [
        ([], "Say how the table lies, with a --layout for each player and --discard; or name a --record."),
        (["--layout", HALF], "Say how the table lies, with a --layout for each player and --discard; or name a"),
        (["--move", "3", "--layout", HALF], "--hole and --move go with --record."),
        (["--record", "x", "--discard", "4"], "--record tells how the table lies; leave the options out"),
    ],
)
def test_advice_about_nothing_or_about_two_things_is_refused(words: list[str], said: str) -> None:
    run = mulligan("advise", *words)
    assert run.returncode == 2
    assert run.stderr.startswith(said)


def test_a_record_that_is_over_has_nothing_to_decide(tmp_path) -> None:
    record = json.loads(GAMES.read_text(encoding="utf-8").splitlines()[0])
    file = written(tmp_path, **record)
    run = mulligan("advise", "--record", file)
    assert run.returncode == 1
    assert "is over, and nobody has anything to decide; say before which --move." in run.stderr
    told = advised(file, "--hole", "2", "--move", "7")
    assert told["phase"] in ("take", "tee_off")
