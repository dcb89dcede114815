"""The game at the terminal: played through a pipe and on a screen, interrupted, gone on with, replayed."""

import io
import json
import os
import re
import select
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import commands
import pytest
from hypothesis import given
from hypothesis import strategies as st
from rich.console import Console

from mulligan.engine.scoring import cost
from mulligan.game import referee, variants
from mulligan.game.hole import Hole
from mulligan.game.notation import read_face, read_slot
from mulligan.game.score_parts import explain
from mulligan.game.words import Words
from mulligan.terminal import saved_games, session
from mulligan.terminal.cards import width_of
from mulligan.terminal.history import Event, tell
from mulligan.terminal.own_rules import nearest
from mulligan.terminal.saved_games import DamagedSave, NoSavedGame
from mulligan.terminal.screen import Screen, printable
from mulligan.terminal.seats import SeatError, read_seats
from mulligan.terminal.table_view import Table, draw_table
from mulligan.terminal.typed_moves import Misread, question, read_entry, rule_in_question

EN = Words("en")
PLAY_NINE, NINE_CARD = variants.load("play_nine"), variants.load("nine_card")
MINI = str(Path(__file__).parent / "variants" / "mini_columns.toml")
ANN_AND_BEN = ("play", "--players", "you:Ann,you:Ben", "--seed", "5")
# Each entry that is no move is answered and costs nothing, so these are enough for any turn.
ANYTHING = [entry for row in "12" for column in "abcd" for entry in ("s", "-", f"{column}{row}")]


def environment(data: Path, **more: str) -> dict[str, str]:
    return {**os.environ, "MULLIGAN_DATA": str(data), "MULLIGAN_PLAIN": "1", "PYTHONUTF8": "1", **more}


def mulligan(data: Path, *words: str, typed: list[str] = [], code: int = 0, **more: str) -> str:  # noqa: B006
    """What is printed on a run to the end of what is typed; or, where it goes wrong, the sentence."""
    entered = "".join(f"{line}\n" for line in typed)
    done = commands.mulligan(*words, code=code, typed=entered, MULLIGAN_DATA=str(data), **more)
    return done.stderr if code else done.stdout


def saved(data: Path) -> dict:
    """The one unfinished match, without its check."""
    (file,) = (data / "unfinished").glob("*.json")
    facts = json.loads(file.read_text())
    facts.pop("check")
    return facts


@pytest.fixture
def data(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("MULLIGAN_DATA", str(tmp_path))
    return tmp_path


# A game from the draw to the record


@pytest.mark.long
def test_a_whole_game_is_played_and_its_record_referees(data: Path) -> None:
    told = mulligan(data, "play", "--players", "you:Ann,greedy", "--seed", "7", typed=ANYTHING * 150)
    assert "Who deals first?" in told
    assert all(f"Hole {hole} is over" in told for hole in range(1, 10))
    assert "Score card" in told
    assert re.search("wins the match", told)
    (file,) = (data / "games").glob("*.jsonl")
    assert f"mulligan replay {file}" in told
    with file.open("rb") as opened:
        ((_, record),) = referee.read_records(opened)
    game = referee.replay(record)
    assert game.players == ["Ann", "Birdie"]
    assert record["kinds"] == ["you", "greedy"]
    assert not list((data / "unfinished").iterdir())


@pytest.mark.long
def test_a_match_is_as_long_as_you_say_and_stays_so_when_it_goes_on(data: Path) -> None:
    told = mulligan(data, "play", "--holes", "1", "--players", "you:Ann,greedy", "--seed", "7", typed=["a1"])
    assert "Play Nine: 1 hole. " in told
    told = mulligan(data, "play", "--resume", typed=ANYTHING * 150)
    assert "Hole 1 is over" in told
    (file,) = (data / "games").glob("*.jsonl")
    with file.open("rb") as opened:
        ((_, record),) = referee.read_records(opened)
    assert record["match"] == {"holes": 1}
    assert referee.replay(record).winners == record["winners"]


@pytest.mark.long
def test_nine_card_golf_is_played_to_the_penalty_and_the_end(data: Path) -> None:
    slots = [f"{column}{row}" for row in "123" for column in "abc"]
    typed = [entry for slot in slots for entry in ("a1b2c3", "s", slot)] * 60
    seats = ("--players", "random,you:Ann,random", "--seed", "4")
    told = mulligan(data, "play", "--game", "nine_card", *seats, typed=typed)
    assert re.search(r"Closed, but not with fewer points than .* \(5\.6\)", told)
    assert re.search("wins the match|share the win", told)


def test_your_own_variant_is_played_and_gone_on_with(data: Path) -> None:
    mulligan(data, "play", "--game", MINI, "--players", "you,greedy", "--seed", "3", typed=["a1"])
    assert saved(data)["game"] == str(Path(MINI).resolve())
    told = mulligan(data, "play", "--resume", typed=ANYTHING * 30)
    assert re.search("wins the match|share the win", told)


def test_computer_players_can_be_watched(data: Path) -> None:
    told = mulligan(data, "play", "--game", MINI, "--players", "greedy,random", "--seed", "1")
    assert "Birdie turned up " in told
    assert re.search("wins the match|share the win", told)


# What is typed


def test_wrong_entries_are_answered_and_cost_nothing(data: Path, tmp_path: Path) -> None:
    right = ["a1", "b1", "c1", "d2", "s", "d1", "d c2"]
    wrong = ["", "x", "z9", "S", "-", "d b2", "a1 a1", "a1b2c1", "undo", "é\x1b[2J", "9" * 5000, "? 3.9"]
    mulligan(data, *ANN_AND_BEN, typed=right)
    among = [entry for move in right for entry in (*wrong[:3], move)]
    told = mulligan(tmp_path / "b", *ANN_AND_BEN, typed=[*wrong, *among])
    assert saved(tmp_path / "b") == saved(data)
    assert "“x” isn’t a move" in told
    assert "There’s no slot z9" in told
    assert "tees off first" in told
    assert "Type a move; help lists" in told
    assert "There is no rule “3.9”" in told
    assert "\x1b" not in told


def hole_with(*moves: str, variant: variants.Variant = PLAY_NINE, discard: str = "7") -> Hole:
    """A hole of two players, teed off and played as written; Ann, on the dealer's left, has seat 0."""
    hole = Hole(variant, 2, 1)
    hole.turn_up(read_face(variant, discard))
    for move in moves:
        for step in referee.read_move(variant, move):
            hole.play(step.move)
            if hole.awaits_card:
                hole.turn_up(step.face)
    return hole


TEED_OFF = ("a1=4", "a2=9", "b1=12", "b2=12")
ONE_LEFT = (
    *TEED_OFF,
    *(f"S{n}>{slot}x{n}" for n, slot in enumerate(("b1", "a1", "b2", "a2", "c1", "c1", "c2", "c2", "d1", "d1"))),
)


@pytest.mark.parametrize(
    ("moves", "typed", "meant"),
    [
        ((), "c1", ["c1"]),
        ((), " C 1 ", ["c1"]),
        ((), "c1 d2", ["c1", "d2"]),
        (TEED_OFF, "S", ["S"]),
        (TEED_OFF, "stock", ["S"]),
        (TEED_OFF, "D>c1", ["D", "c1"]),
        (TEED_OFF, "d c1", ["D", "c1"]),
        ((*TEED_OFF, "S3"), ">b2", ["b2"]),
        ((*TEED_OFF, "S3"), "B2", ["b2"]),
        ((*TEED_OFF, "S3"), "-", ["-"]),
        ((*TEED_OFF, "S3"), "–c1", ["-", "c1"]),
        ((*ONE_LEFT, "S11"), "--", ["-", "pass"]),
        ((*ONE_LEFT, "S11-"), "-", ["pass"]),
        ((*ONE_LEFT, "S11-"), "d2", ["d2"]),
    ],
)
def test_entries_are_read_in_the_notation_or_by_a_key(moves: tuple[str, ...], typed: str, meant: list[str]) -> None:
    numbers = {"S": 12, "D": 13, "-": 14, "pass": 15}
    hole = half(moves)
    assert read_entry(EN, hole, "Ann", typed) == [numbers.get(name) or read_slot(PLAY_NINE, name) for name in meant]


NINE_CARD = variants.load("nine_card")
CLOSED = ("a1=4", "b1=4", "c1=4", "S4>a2xA", "a1=Q", "b1=Q", "c1=Q", "S2>a1xQ",
          *(move for slot in ("b2", "c2", "a3", "b3", "c3") for move in (f"S5>{slot}x6", "S2>a1x2")))[:-1]  # fmt: skip


@pytest.mark.parametrize("typed", ["-", "skip", "Decline", "–"])
def test_a_last_turn_is_declined_by_a_dash_or_a_word(typed: str) -> None:
    hole = hole_with(*CLOSED, variant=NINE_CARD)
    assert "[-] Skip last turn" in question(EN, hole, "Ann")
    assert read_entry(EN, hole, "Ann", typed) == [15]


def test_no_other_turn_is_declined() -> None:
    hole = hole_with(*CLOSED[:-2], variant=NINE_CARD)
    assert "[-]" not in question(EN, hole, "Ann")
    with pytest.raises(Misread, match=r"Ann can skip a turn only after someone has closed \(4\.2\)"):
        read_entry(EN, hole, "Ann", "-")


def test_a_declined_turn_is_told() -> None:
    hole = hole_with(*CLOSED, variant=NINE_CARD)
    hole.play(15)
    assert tell(EN, hole, ["Ann", "Ben"])[-1].words == "Ben skipped the last turn."


@pytest.mark.parametrize("typed", ["-", "knock", "Knock"])
def test_knocking_is_offered_and_told_as_knocking(typed: str) -> None:
    """And not as skipping a last turn, which the same move is in nine-card golf."""
    variant = variants.for_match(variants.load("six_card"), {"knock": "any"})
    hole = hole_with("a1=4", "b1=4", "a1=Q", "b1=Q", variant=variant)
    asked = question(EN, hole, "Ann")
    assert "or knock to close" in asked
    assert asked.endswith("[-] Knock")
    assert rule_in_question(hole) == ["3.1", "3.8"]
    assert read_entry(EN, hole, "Ann", typed) == [15]
    hole.play(15)
    assert tell(EN, hole, ["Ann", "Ben"])[-1].words == "Ann knocked."
    assert "[-]" not in question(EN, hole, "Ann")


def test_a_player_who_may_turn_up_nothing_is_told_so() -> None:
    variant = variants.for_match(PLAY_NINE, {"discarding": "may_flip"})
    hole = half((*TEED_OFF, "S3-"), variant)
    assert question(EN, hole, "Ann").startswith("Turn up one of your face-down cards, or none.\n")
    hole.play(15)
    told = tell(EN, hole, ["Ann", "Ben"])[-1].words
    assert told == "Ann drew the 3, discarded it and turned nothing up."


def half(moves: tuple[str, ...], variant: variants.Variant = PLAY_NINE) -> Hole:
    """A hole in mid-turn where the last move is half a move, such as S3, D7 or S3-."""
    *whole, last = moves or ("",)
    if not re.fullmatch(r"[SD][^>x]*[^-=]?-?", last) or "=" in last:
        return hole_with(*moves, variant=variant)
    hole = hole_with(*whole, variant=variant)
    hole.play(12 if last[0] == "S" else 13)
    if hole.awaits_card:
        hole.turn_up(read_face(variant, last[1:].removesuffix("-")))
    if last.endswith("-"):
        hole.play(14)
    return hole


@pytest.mark.parametrize(
    ("moves", "typed", "said"),
    [
        (("a1=4",), "a1", "a1 is already face up (2.4)."),
        ((), "a1 b1 c1", "You turn up 2 different cards (2.4)."),
        ((), "s", "Ann tees off first; cards to turn up:\u00a02 (2.4)."),
        (TEED_OFF, "b2", "Ann first takes a card: from the stock or the top of the discard pile (3.1)."),
        (TEED_OFF, "s>b2", "Look at the card first"),
        (TEED_OFF, "d-", "A card from the discard pile must be placed (3.5)."),
        ((*TEED_OFF, "D7"), "-", "A card from the discard pile must be placed (3.5)."),
        ((*TEED_OFF, "S7"), "s", "Ann is holding a card that has to be played first (3.2, 3.3)."),
        ((*TEED_OFF, "S7"), "-a1", "a1 is already face up (3.3)."),
        ((*TEED_OFF, "S7"), "--", "only the very last may stay face down (3.3, 3.4)."),
        ((*TEED_OFF, "S7-"), "a1", "a1 is already face up (3.3)."),
        ((*TEED_OFF, "S7-"), "-", "only the very last may stay face down (3.3, 3.4)."),
        ((*TEED_OFF, "S7-"), "s", "Ann has discarded a card and now turns one up (3.3)."),
    ],
)
def test_what_is_not_allowed_is_refused_with_its_rule(moves: tuple[str, ...], typed: str, said: str) -> None:
    with pytest.raises(Misread, match=re.escape(said)):
        read_entry(EN, half(moves), "Ann", typed)


def test_no_drawn_card_is_discarded_in_nine_card_golf() -> None:
    hole = half(("a1=4", "a2=9", "a3=K", "S7"), NINE_CARD)
    with pytest.raises(Misread, match=r"In this game a taken card must be placed \(3.3\)"):
        read_entry(EN, hole, "Ann", "-")
    assert "iscard" not in question(EN, hole, "Ann")


def test_questions_name_all_that_may_be_typed() -> None:
    assert question(EN, half(TEED_OFF), "") == (
        "Your turn. Take the 7, or draw from the stock.\n[d] Discard pile  [s] Stock"
    )
    assert question(EN, half(TEED_OFF), "Ben").startswith("Ben, your turn. ")
    assert question(EN, half((*TEED_OFF, "S3")), "Ann") == (
        "Swap the 3 for one of your cards, or discard it.\n[a1–d2]  [-] Discard"
    )
    assert question(EN, half((*TEED_OFF, "D7")), "Ann").endswith("[a1–d2]  [undo] Undo")
    assert question(EN, half((*TEED_OFF, "S3-")), "Ann").endswith("\n[b1 c1 d1 b2 c2 d2]")
    assert question(EN, half((*ONE_LEFT, "S11-")), "Ann").endswith("\n[d2]  [-] Leave face down")
    assert question(EN, half(()), "Ann").startswith("Ann, your turn. Turn up 2 of your cards.")
    assert question(EN, hole_with("a1=4"), "Ann").startswith("Turn up one more of your cards.")


def test_moves_are_told_in_words() -> None:
    hole = hole_with(*TEED_OFF, "S7>b2x9", "D9>a1x3", "S11-c1=5")
    assert [event.words for event in tell(EN, hole, ["Ann", "Ben"])] == [
        "Ann turned up 4 on a1 and 9 on a2.",
        "Ben turned up 12 on b1 and 12 on b2.",
        "Ann drew the 7 for b2, replacing the 9.",
        "Ben took the 9 for a1, replacing the 3.",
        "Ann drew the 11, discarded it and turned up 5 on c1.",
    ]


def test_rules_of_your_own_say_in_what_they_differ_from_the_book(tmp_path: Path, data: Path) -> None:
    text = PLAY_NINE.text.replace('"Play Nine"', '"My Nine"').replace("holes = 9 ", "holes = 5 ")
    file = tmp_path / "mine.toml"
    file.write_text(text.replace("points = -5", "points = -6"), encoding="utf-8")
    told = mulligan(data, "play", "--game", str(file), "--players", "you,greedy", typed=["?", "quit"], COLUMNS="200")
    assert "These are the rules of Play Nine. My Nine (mine.toml) differs in: " in told
    assert "holes 5 (not 9)" in told
    assert "faces.H.points -6 (not -5)" in told
    assert "To tee off is to turn up" in told
    ours = mulligan(data, "play", "--players", "you,greedy", typed=["?", "quit"])
    assert "differs" not in ours


def test_many_differences_are_counted() -> None:
    line = nearest(EN, variants.load(str(Path(__file__).parent / "variants" / "largest.toml"))).line
    assert line.startswith("These are the rules of ")
    assert re.search(r" and \d+ more\.$", line)


def test_rules_help_and_card_are_shown_on_the_way(data: Path) -> None:
    told = mulligan(data, *ANN_AND_BEN, typed=["?", "help", "card", "? 5.5", "quit", "a1"])
    assert "2.4 Tee off" in told
    assert "draw from the stock" in told
    assert "Score card" in told
    assert "5.5 Hole-in-One and joker bonus" in told
    assert "mulligan play --resume" in told
    assert saved(data)["holes"][0][1:] == []  # nothing after the first discard


def test_undo_takes_back_what_has_shown_nothing(data: Path) -> None:
    tee_off = ["a1", "b1", "a1", "b1"]
    mulligan(data, *ANN_AND_BEN, typed=tee_off)
    before = saved(data)
    mulligan(data, "play", "--resume", typed=["d", "undo", "d", "UNDO", "d a1", "undo", "undo"])
    assert saved(data) == before
    told = mulligan(data, "play", "--resume", typed=["s", "undo"])
    assert "There is nothing to undo" in told
    after = saved(data)
    assert len(after["holes"][0]) == len(before["holes"][0]) + 1
    mulligan(data, "play", "--resume", typed=["-", "undo"])
    assert saved(data) == after


# Leaving and coming back


@pytest.mark.long
def test_a_killed_game_goes_on_with_the_very_cards_that_were_to_come(data: Path, tmp_path: Path) -> None:
    words = ("play", "--players", "you:Ann,greedy,random", "--seed", "11")
    typed = ["a1", "b1", "s", "-", "c1", "s", "d1", "s", "-", "c2", "s", "a2"]
    mulligan(data, *words, typed=typed)
    other = tmp_path / "other"
    game = subprocess.Popen(
        [sys.executable, "-m", "mulligan", *words],
        stdin=subprocess.PIPE, stdout=subprocess.DEVNULL, text=True, env=environment(other),
    )  # fmt: skip
    assert game.stdin
    game.stdin.write("".join(f"{line}\n" for line in typed[:6]))
    game.stdin.flush()
    wait_until(lambda: steps_saved(other) >= steps_after(tmp_path / "third", words, typed[:6]))
    game.send_signal(signal.SIGKILL)
    game.wait()
    game.stdin.close()
    mulligan(other, "play", "--resume", typed=typed[6:])
    assert saved(other) == saved(data)


def wait_until(is_so) -> None:
    until = time.monotonic() + 60
    while not is_so():
        assert time.monotonic() < until
        time.sleep(0.05)


def steps_saved(data: Path) -> int:
    files = list((data / "unfinished").glob("*.json"))
    text = files[0].read_text() if files else ""
    return sum(map(len, json.loads(text)["holes"])) if text else 0


def steps_after(data: Path, words: tuple[str, ...], typed: list[str]) -> int:
    if not steps_saved(data):
        mulligan(data, *words, typed=typed)
    return steps_saved(data)


def test_search_is_compiled_before_the_match_also_when_it_goes_on(data: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    did: list[str] = []
    monkeypatch.setattr("mulligan.cli.play.compile_search", lambda: did.append("compiled"))
    monkeypatch.setattr("mulligan.cli.play.play_plain", lambda: did.append("plain"))
    monkeypatch.setenv("MULLIGAN_THINK", "0")
    for players in ("you,pro", "you, Search"):
        mulligan(data, "play", "--players", players)
        mulligan(data, "play", "--resume")
    assert did == ["plain", "plain", "compiled", "compiled"]


def test_a_new_game_leaves_the_unfinished_one_alone(data: Path) -> None:
    mulligan(data, *ANN_AND_BEN, typed=["a1"])
    told = mulligan(data, "play", "--players", "you:Cyd,you:Dan", typed=["a1"])
    assert "1 other match is unfinished. You can continue it after this one." in told
    assert len(list((data / "unfinished").iterdir())) == 2
    assert "Cyd" in mulligan(data, "play", "--resume")


def test_without_a_home_there_is_a_sentence(monkeypatch: pytest.MonkeyPatch) -> None:
    def no_home(*_: object, **__: object) -> str:
        raise RuntimeError("no home")

    monkeypatch.delenv("MULLIGAN_DATA", raising=False)
    monkeypatch.setattr("platformdirs.user_data_dir", no_home)
    with pytest.raises(OSError, match="MULLIGAN_DATA"):
        saved_games.unfinished()


def test_without_a_saved_game_there_is_a_sentence(data: Path) -> None:
    assert mulligan(data, "play", "--resume", code=1).startswith("There is no saved match to continue")


@pytest.mark.parametrize(
    "damage",
    [
        lambda text: b"",
        lambda text: text[: len(text) // 2],
        lambda text: text.replace(b'"dice": ', b'"dice": 1'),
        lambda text: text.replace(b'"format": 1', b'"format": 2'),
        lambda text: text.replace(b'"format": 1', b'"format": "1"'),
        lambda text: text.replace(b'"you:Ann"', b'"you:Eve"'),
        lambda text: b"[1, 2]",
        lambda text: b"[" * 100_000,
        lambda text: b"\xff\xfe\x00",
        lambda text: b"{}",
    ],
)
def test_a_damaged_save_is_named_and_kept(data: Path, damage) -> None:
    begun = session.begin(EN, PLAY_NINE, ["you:Ann", "you:Ben"], 5)[0]
    assert begun.file
    spoilt = damage(begun.file.read_bytes())
    begun.file.write_bytes(spoilt)
    sentence = mulligan(data, "play", "--resume", code=1)
    assert sentence.startswith("The saved match can’t be continued: ")
    assert len(sentence.splitlines()) == 1
    (kept,) = (data / "unfinished").iterdir()
    assert str(kept) in sentence
    assert kept.read_bytes() == spoilt
    with pytest.raises(NoSavedGame):
        session.go_on(EN)


@pytest.mark.parametrize(
    "change",
    [
        {"dice": 0},
        {"dice": 2**70},
        {"dice": "7"},
        {"dealer": 2},
        {"dealer": True},
        {"seed": [1]},
        {"seats": "you"},
        {"seats": ["you"]},
        {"seats": ["you", {}]},
        {"game": ["play_nine"]},
        {"holes": 3},
        {"holes": [3]},
        {"holes": [[[0, 12, 3], [1, 0, 4], [1, 0, 4]]]},
        {"holes": [[[0, 12, 3], [1, 0, 99]]]},
        {"holes": [[[0, 12, 10**30]]]},
        {"holes": [[[0, 12]]]},
        {"holes": [[], []]},
        {"holes": [["abc"]]},
        {"match": 3},
        {"match": {"holes": 0}},
    ],
)
def test_a_save_that_cannot_be_is_refused_and_kept(data: Path, change: dict) -> None:
    begun = session.begin(EN, PLAY_NINE, ["you:Ann", "you:Ben"], 5)[0]
    assert begun.file
    saved_games.write(begun.file, {**begun.facts(), **change})
    with pytest.raises(DamagedSave, match="The saved match can’t be continued: "):
        session.go_on(EN)
    assert [file.suffix for file in (data / "unfinished").iterdir()] == [".damaged"]


def test_a_game_that_cannot_be_saved_says_so_and_goes_on(data: Path) -> None:
    (data / "unfinished").write_text("in the way")
    told = mulligan(data, *ANN_AND_BEN, typed=["a1", "b1"])
    assert "The match can’t be saved" in told
    assert "Ben, your turn" in told or "Ann, your turn" in told


# Who sits down


@pytest.mark.parametrize(
    ("typed", "said"),
    [
        (["you"], "Play Nine is for 2 to 6 players (1.1), not 1."),
        (["you"] + ["greedy"] * 6, "2 to 6 players"),
        (["you", "wizard"], "There is no player “wizard”. Choose from: you, you:NAME, beginner, weekend, regular,"),
        (["you:Ann", "you:Ann"], "Two players are called Ann"),
        (["you:Player 2", "you"], "Two players are called Player 2"),
        (["you:", "greedy"], "A name is missing"),
        (["you:   ", "greedy"], "A name is missing"),
        (["you:A\x1b[2Jnn", "greedy"], "can’t be shown"),
        (["you:" + "A" * 99, "greedy"], "24 characters at most"),
        (["", "greedy"], "There is no player “”"),
    ],
)
def test_wrong_seats_are_refused_in_words(typed: list[str], said: str) -> None:
    with pytest.raises(SeatError, match=re.escape(said)):
        read_seats(EN, PLAY_NINE, typed)


def test_computer_players_have_names_of_their_own() -> None:
    names = [seat.name for seat in read_seats(EN, NINE_CARD, ["you:Birdie", *["greedy"] * 4, *["random"] * 3])]
    assert len(set(names)) == 8
    assert names[:3] == ["Birdie", "Caddie", "Eagle"]


def test_people_without_a_name_go_by_their_seat() -> None:
    assert [seat.name for seat in read_seats(EN, PLAY_NINE, ["you", "greedy", "you"])] == [
        "Player 1",
        "Birdie",
        "Player 3",
    ]


def test_names_are_shown_and_not_obeyed(data: Path) -> None:
    told = mulligan(data, "play", "--players", "you:[red]Ann[/],you:Ben :smile:", typed=["a1"])
    assert "[red]Ann[/]" in told
    assert ":smile:" in told
    assert printable("A\x1b[31m\u202e\n") == "A�[31m��"


# On the screen


def screen(width: int, height: int) -> Screen:
    """A terminal of that size, seen by nobody."""
    screen = Screen(EN)
    screen.live = True
    screen.console = Console(width=width, height=height, force_terminal=True, file=io.StringIO())
    return screen


@pytest.mark.parametrize(("width", "height"), [(80, 24), (120, 40), (60, 24)])
@pytest.mark.parametrize("variant", [PLAY_NINE, NINE_CARD], ids=lambda variant: variant.name)
def test_the_table_fits_the_screen(variant: variants.Variant, width: int, height: int) -> None:
    for seats in variant.seats:
        if (width, seats) == (60, 8):
            continue  # eight layouts and what everyone did are more than 60 columns hold
        hole = Hole(variant, seats, 0)
        hole.turn_up(0)
        names = [f"Player number {seat} 名前" for seat in range(seats)]
        words = "Player number put 10 from the discard pile on b1; 12 went away."
        events = [Event(seat, words, {seat}) for seat in range(seats) for _ in range(2)]
        drawn = draw_table(
            Table(variant, hole.state, names, [-100] * seats, "hole 9 of 9", 1, events), screen(width, height), 2
        )
        assert len(drawn) <= height - 2
        assert width_of(drawn) <= width
        shown = "\n".join(line.plain for line in drawn)
        assert all(name[:6] in shown for name in names)
        assert "hole 9 of 9" in shown


def test_where_there_is_room_every_sign_is_a_word() -> None:
    hole = Hole(NINE_CARD, 2, 0)
    hole.turn_up(0)
    hole.state.closer = 0
    table = Table(NINE_CARD, hole.state, ["Ben", "Ann"], [-100, 30], "hole 2 of 9", 1)
    shown = [line.plain for line in draw_table(table, screen(80, 24), 2)]
    assert "Total −100 · Dealer · Closed" in shown


@pytest.mark.long
def test_a_terminal_without_boxes_gets_letters(data: Path) -> None:
    done = subprocess.run(
        [sys.executable, "-m", "mulligan", *ANN_AND_BEN],
        input=b"a1\n", capture_output=True, env=environment(data, PYTHONUTF8="0", PYTHONIOENCODING="ascii"),
    )  # fmt: skip
    assert done.returncode == 0
    assert b"+a1+" in done.stdout
    assert done.stdout.isascii()


@pytest.fixture
def terminal(data: Path) -> Iterator["Terminal"]:
    pytest.importorskip("pty")
    opened: list[Terminal] = []

    def start(*words: str, **more: str) -> Terminal:
        opened.append(Terminal(words, environment(data, MULLIGAN_PACE="0", TERM="xterm", **more)))
        return opened[-1]

    yield start  # type: ignore[misc]
    for one in opened:
        one.close()


class Terminal:
    """A real terminal of 80 by 24, with the program on it."""

    def __init__(self, words: tuple[str, ...], env: dict[str, str]) -> None:
        import fcntl
        import pty
        import struct
        import termios

        self.side, inner = pty.openpty()
        fcntl.ioctl(inner, termios.TIOCSWINSZ, struct.pack("HHHH", 24, 80, 0, 0))
        env = {name: value for name, value in env.items() if name not in ("COLUMNS", "LINES")}

        def before() -> None:
            fcntl.ioctl(0, termios.TIOCSCTTY, 0)
            signal.signal(signal.SIGINT, signal.SIG_DFL)  # a suite run in the background hands on a deaf one

        self.program = subprocess.Popen(
            [sys.executable, "-m", "mulligan", *words],
            stdin=inner, stdout=inner, stderr=inner, env=env, start_new_session=True,
            preexec_fn=before,
        )  # fmt: skip
        os.close(inner)
        self.seen = ""

    def expect(self, text: str, pressing: str = "") -> str:
        """Reads until the text comes, pressing a key again in every silent second; returns all up to it."""
        until = time.monotonic() + 60
        while text not in self.seen:
            assert time.monotonic() < until, self.seen[-2000:]
            if select.select([self.side], [], [], 1)[0]:
                self.seen += os.read(self.side, 100_000).decode("utf-8", "replace")
            elif pressing:
                self.type(pressing)
        before, _, self.seen = self.seen.partition(text)
        return before

    def type(self, keys: str) -> None:
        os.write(self.side, keys.encode())

    def close(self) -> None:
        if self.program.poll() is None:
            self.program.kill()
        self.program.wait()
        os.close(self.side)


@pytest.mark.long
def test_control_c_leaves_the_game_saved(terminal, data: Path) -> None:
    game = terminal(*ANN_AND_BEN)
    game.expect("Press Enter to begin")
    game.type("\n")
    game.expect("your turn")
    game.type("b2\n")
    game.expect("Turn up one more")
    game.expect("> ")
    game.expect("The match is saved. To continue it: mulligan play --resume", pressing="\x03")
    assert game.program.wait(20) == 130
    assert len(saved(data)["holes"][0]) == 2
    again = terminal("play", "--resume", NO_COLOR="1")
    again.expect("continues: Hole 1 of 9")
    again.type("\n")
    colours = r"\x1b\[[0-9;]*3[0-9]"
    assert not re.search(colours, again.expect("Turn up one more"))


@pytest.mark.long
def test_a_replay_goes_forwards_and_back_by_single_keys(terminal, data: Path) -> None:
    file = recorded(data)
    game = terminal("replay", str(file))
    for keys, shown in [
        ("", "Hole 1 of 9, move 1 of"),
        ("n", "Hole 1 of 9, move 2 of"),
        ("\x1b[C", "Hole 1 of 9, move 3 of"),
        ("\r", "Hole 1 of 9, move 4 of"),
        ("\x1b[D", "Hole 1 of 9, move 3 of"),
        ("h", "Hole 2 of 9, move 1 of"),
        ("b", "Hole 1 is over"),
        ("H", "Hole 1 of 9, move 1 of"),
        ("b", "This is the beginning."),
        ("g2.3\n", "Hole 2 of 9, move 3 of"),
    ]:
        if keys.startswith("g"):
            game.type("g")
            game.expect("Which hole")
            game.type(keys[1:])
        else:
            game.type(keys)
        game.expect(shown)
    game.type("q")
    assert game.program.wait(20) == 0


# Records seen again


def recorded(data: Path) -> Path:
    mulligan(data, "play", "--players", "random,random", "--seed", "2")
    (file,) = (data / "games").glob("*.jsonl")
    return file


def test_a_replay_through_a_pipe_takes_lines(data: Path) -> None:
    file = recorded(data)
    told = mulligan(data, "replay", str(file), typed=["n", "", "b", "h", "g 9", "g 1.2", "g 77", "g x", "zz", "q"])
    assert "Hole 9 of 9, move 1 of" in told
    assert "There is no hole 77" in told
    assert "This key does nothing here" in told
    assert "Birdie turned up" in told


def test_a_faulty_record_is_shown_up_to_the_fault(data: Path) -> None:
    file = recorded(data)
    record = json.loads(file.read_text())
    record["players"][0] = "[red]Ann"
    record["holes"][1]["moves"][7] = "S7>z9x1"
    file.write_text(json.dumps(record) + "\n")
    done = commands.mulligan("replay", file, code=1, typed="g 2.7\nn\nq\n")
    assert "Hole 2 of 9, move 7 of 7" in done.stdout
    assert "[red]Ann" in done.stdout
    assert "hole 2, move 8" in done.stderr.splitlines()[-1]
    assert len(done.stderr.splitlines()) == 1


# The parts of a score in words


@st.composite
def layouts(draw) -> tuple[variants.Variant, list[int]]:
    """Layouts rich in matches: few faces, and some cards face down."""
    variant = draw(st.sampled_from([PLAY_NINE, NINE_CARD]))
    faces = draw(st.lists(st.integers(-1, int(variant.rules.faces) - 1), min_size=2, max_size=3))
    slots = int(variant.rules.slots)
    return variant, draw(st.lists(st.sampled_from(faces), min_size=slots, max_size=slots)) + [-1] * (12 - slots)


@given(layouts())
def test_the_parts_of_a_score_add_up(case: tuple[variants.Variant, list[int]]) -> None:
    import numpy as np

    variant, faces = case
    layout = np.array(faces, np.int8)
    score = explain(variant, layout)
    assert sum(part.points for part in score.parts) == score.points == cost(variant.rules, layout, 0)
    assert all(re.fullmatch(r"5\.[1-5]", part.rule) for part in score.parts)
