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

import pytest
from hypothesis import given
from hypothesis import strategies as st
from rich.console import Console

from mulligan import referee, variants
from mulligan.engine.scoring import cost
from mulligan.explain import explain
from mulligan.game import Hole
from mulligan.notation import read_face, read_slot
from mulligan.terminal import saving, sitting
from mulligan.terminal.cards import width_of
from mulligan.terminal.entries import Misread, question, read_entry
from mulligan.terminal.saving import DamagedSave, NoSavedGame
from mulligan.terminal.screen import Screen, inert
from mulligan.terminal.seats import SeatError, read_seats
from mulligan.terminal.story import Event, tell
from mulligan.terminal.table import Table, draw_table

PLAY_NINE, NINE_CARD = variants.load("play_nine"), variants.load("nine_card")
MINI = str(Path(__file__).parent / "variants" / "mini_columns.toml")
ANN_AND_BEN = ("play", "--players", "you:Ann,you:Ben", "--seed", "5")
# Each entry that is no move is answered and costs nothing, so these are enough for any turn.
ANYTHING = [entry for row in "12" for column in "abcd" for entry in ("s", "-", f"{column}{row}")]


def environment(data: Path, **more: str) -> dict[str, str]:
    return {**os.environ, "MULLIGAN_DATA": str(data), "MULLIGAN_PLAIN": "1", "PYTHONUTF8": "1", **more}


def mulligan(data: Path, *words: str, typed: list[str] = [], code: int = 0, **more: str) -> str:  # noqa: B006
    """What is printed on a run to the end of what is typed; or, where it goes wrong, the sentence."""
    done = subprocess.run(
        [sys.executable, "-m", "mulligan", *words],
        input="".join(f"{line}\n" for line in typed),
        capture_output=True, encoding="utf-8", timeout=120, env=environment(data, **more),
    )  # fmt: skip
    assert done.returncode == code, done.stdout + done.stderr
    assert "Traceback" not in done.stderr
    return done.stderr if code else done.stdout


def saved(data: Path) -> dict:
    """The one unfinished game, without its check."""
    (file,) = (data / "unfinished").glob("*.json")
    facts = json.loads(file.read_text())
    facts.pop("check")
    return facts


@pytest.fixture
def data(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("MULLIGAN_DATA", str(tmp_path))
    return tmp_path


# A game from the draw to the record


def test_a_whole_game_is_played_and_its_record_referees(data: Path) -> None:
    told = mulligan(data, "play", "--players", "you:Ann,greedy", "--seed", "7", typed=ANYTHING * 150)
    assert "Who deals first?" in told
    assert all(f"hole {hole} of 9: the counting" in told for hole in range(1, 10))
    assert "Score card" in told
    assert re.search(r"won the match|play-off", told)
    (file,) = (data / "games").glob("*.jsonl")
    assert f"mulligan replay {file}" in told
    with file.open("rb") as opened:
        ((_, record),) = referee.read_records(opened)
    game = referee.replay(record)
    assert game.players == ["Ann", "Greedy Fox"]
    assert record["kinds"] == ["you", "greedy"]
    assert not list((data / "unfinished").iterdir())


def test_nine_card_golf_is_played_to_the_penalty_and_the_end(data: Path) -> None:
    slots = [f"{column}{row}" for row in "123" for column in "abc"]
    typed = [entry for slot in slots for entry in ("a1b2c3", "s", slot)] * 60
    told = mulligan(data, "play", "--game", "nine_card", "--players", "random,you:Ann,random", typed=typed)
    assert "fewer points" in told
    assert "(5.6)" in told
    assert re.search("won the match|share the win", told)


def test_your_own_variant_is_played_and_gone_on_with(data: Path) -> None:
    mulligan(data, "play", "--game", MINI, "--players", "you,greedy", "--seed", "3", typed=["a1"])
    assert saved(data)["game"] == str(Path(MINI).resolve())
    told = mulligan(data, "play", "--resume", typed=ANYTHING * 30)
    assert "won the" in told


def test_computer_players_can_be_watched(data: Path) -> None:
    told = mulligan(data, "play", "--game", MINI, "--players", "greedy,random", "--seed", "1")
    assert "Greedy Fox turned up: " in told
    assert "won the" in told


# What is typed


def test_wrong_entries_are_answered_and_cost_nothing(data: Path, tmp_path: Path) -> None:
    right = ["a1", "b1", "c1", "d2", "s", "d1", "d c2"]
    wrong = ["", "x", "z9", "S", "-", "d b2", "a1 a1", "a1b2c1", "undo", "é\x1b[2J", "9" * 5000, "? 3.9"]
    mulligan(data, *ANN_AND_BEN, typed=right)
    among = [entry for move in right for entry in (*wrong[:3], move)]
    told = mulligan(tmp_path / "b", *ANN_AND_BEN, typed=[*wrong, *among])
    assert saved(tmp_path / "b") == saved(data)
    assert "“x” is not a move" in told
    assert "There is no slot z9" in told
    assert "First you tee off" in told
    assert "Nothing was typed" in told
    assert "There is no rule 3.9" in told
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
    assert read_entry(hole, typed) == [numbers.get(name) or read_slot(PLAY_NINE, name) for name in meant]


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
        (("a1=4",), "a1", "You cannot tee off with a1: it lies face up already (2.4)."),
        ((), "a1 b1 c1", "You turn up 2 more different cards (2.4)."),
        (TEED_OFF, "b2", "First you take a card (3.1)."),
        (TEED_OFF, "s>b2", "First look at the card"),
        (TEED_OFF, "d-", "You may not throw away a card taken from the discard pile (3.5)."),
        ((*TEED_OFF, "D7"), "-", "You may not throw away a card taken from the discard pile (3.5)."),
        ((*TEED_OFF, "S7"), "s", "You have a card in your hand already, the 7 (3.2)."),
        ((*TEED_OFF, "S7"), "-a1", "You cannot turn up a1: it lies face up already (3.3)."),
        ((*TEED_OFF, "S7"), "--", "only the very last one may stay face down (3.3, 3.4)."),
        ((*TEED_OFF, "S7-"), "a1", "You cannot turn up a1: it lies face up already (3.3)."),
        ((*TEED_OFF, "S7-"), "-", "only the very last one may stay face down (3.3, 3.4)."),
    ],
)
def test_what_is_not_allowed_is_refused_with_its_rule(moves: tuple[str, ...], typed: str, said: str) -> None:
    with pytest.raises(Misread, match=re.escape(said)):
        read_entry(half(moves), typed)


def test_nothing_is_thrown_away_in_nine_card_golf() -> None:
    hole = half(("a1=4", "a2=9", "a3=K", "S7"), NINE_CARD)
    with pytest.raises(Misread, match=r"in Nine-card golf a taken card must be placed \(3.3\)"):
        read_entry(hole, "-")
    assert "throw" not in question(hole, "Ann", True)


def test_questions_name_all_that_may_be_typed() -> None:
    assert question(half(TEED_OFF), "Ann", True) == (
        "Your turn, Ann. Take from the stock (s) or the 7 from the discard pile (d)?"
    )
    assert question(half(TEED_OFF), "Ben", False).startswith("Ben, it is your turn. ")
    assert question(half((*TEED_OFF, "S3")), "Ann", True) == (
        "Where do you put the 3? Type a slot, a1 to d2, or - to throw it away."
    )
    assert "undo" in question(half((*TEED_OFF, "D7")), "Ann", True)
    assert question(half((*TEED_OFF, "S3-")), "Ann", True).endswith("turn up one of your cards: b1 c1 d1 b2 c2 d2.")
    assert "your last card (d2), or leave it hidden (-)?" in question(half((*ONE_LEFT, "S11-")), "Ann", True)
    assert "first" in question(half(()), "Ann", True)


def test_moves_are_told_in_words() -> None:
    hole = hole_with(*TEED_OFF, "S7>b2x9", "D9>a1x3", "S11-c1=5")
    assert [event.words for event in tell(PLAY_NINE, hole.steps, ["Ann", "Ben"])] == [
        "Ann turned up: a1 is 4, a2 is 9.",
        "Ben turned up: b1 is 12, b2 is 12.",
        "Ann put 7 from the stock on b2; 9 went away.",
        "Ben put 9 from the discard pile on a1; 3 went away.",
        "Ann threw away 11 from the stock, turned up c1: 5.",
    ]


def test_rules_help_and_card_are_shown_on_the_way(data: Path) -> None:
    told = mulligan(data, *ANN_AND_BEN, typed=["?", "help", "card", "? 5.5", "quit", "a1"])
    assert "2.4 Tee off" in told
    assert "take the top card of the stock" in told
    assert "Score card" in told
    assert "5.5 Hole-in-One bonus" in told
    assert "mulligan play --resume" in told
    assert saved(data)["holes"][0][1:] == []  # nothing after the first discard


def test_undo_takes_back_what_has_shown_nothing(data: Path) -> None:
    tee_off = ["a1", "b1", "a1", "b1"]
    mulligan(data, *ANN_AND_BEN, typed=tee_off)
    before = saved(data)
    mulligan(data, "play", "--resume", typed=["d", "undo", "d", "UNDO", "d a1", "undo", "undo"])
    assert saved(data) == before
    told = mulligan(data, "play", "--resume", typed=["s", "undo"])
    assert "There is nothing to take back" in told
    after = saved(data)
    assert len(after["holes"][0]) == len(before["holes"][0]) + 1
    mulligan(data, "play", "--resume", typed=["-", "undo"])
    assert saved(data) == after


# Leaving and coming back


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


def test_a_new_game_leaves_the_unfinished_one_alone(data: Path) -> None:
    mulligan(data, *ANN_AND_BEN, typed=["a1"])
    told = mulligan(data, "play", "--players", "you:Cyd,you:Dan", typed=["a1"])
    assert "1 unfinished game is still kept" in told
    assert len(list((data / "unfinished").iterdir())) == 2
    assert "Cyd" in mulligan(data, "play", "--resume")


def test_without_a_home_there_is_a_sentence(monkeypatch: pytest.MonkeyPatch) -> None:
    def no_home(*_: object, **__: object) -> str:
        raise RuntimeError("no home")

    monkeypatch.delenv("MULLIGAN_DATA", raising=False)
    monkeypatch.setattr("platformdirs.user_data_dir", no_home)
    with pytest.raises(OSError, match="MULLIGAN_DATA"):
        saving.unfinished()


def test_without_a_saved_game_there_is_a_sentence(data: Path) -> None:
    assert mulligan(data, "play", "--resume", code=1).startswith("There is no saved game to go on with")


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
    begun = sitting.begin(PLAY_NINE, ["you:Ann", "you:Ben"], 5)[0]
    assert begun.file
    spoilt = damage(begun.file.read_bytes())
    begun.file.write_bytes(spoilt)
    sentence = mulligan(data, "play", "--resume", code=1)
    assert sentence.startswith("The saved game cannot be continued: ")
    assert len(sentence.splitlines()) == 1
    (kept,) = (data / "unfinished").iterdir()
    assert str(kept) in sentence
    assert kept.read_bytes() == spoilt
    with pytest.raises(NoSavedGame):
        sitting.go_on()


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
    ],
)
def test_a_save_that_cannot_be_is_refused_and_kept(data: Path, change: dict) -> None:
    begun = sitting.begin(PLAY_NINE, ["you:Ann", "you:Ben"], 5)[0]
    assert begun.file
    saving.write(begun.file, {**begun.facts(), **change})
    with pytest.raises(DamagedSave, match="The saved game cannot be continued: "):
        sitting.go_on()
    assert [file.suffix for file in (data / "unfinished").iterdir()] == [".damaged"]


def test_a_game_that_cannot_be_saved_says_so_and_goes_on(data: Path) -> None:
    (data / "unfinished").write_text("in the way")
    told = mulligan(data, *ANN_AND_BEN, typed=["a1", "b1"])
    assert "The game cannot be saved" in told
    assert "Ben, tee off" in told or "Ann, tee off" in told


# Who sits down


@pytest.mark.parametrize(
    ("typed", "said"),
    [
        (["you"], "Play Nine is for 2 to 6 players (1.1), and 1 are named."),
        (["you"] + ["greedy"] * 6, "2 to 6 players"),
        (["you", "wizard"], "There is no player “wizard”; there are you, you:NAME, beginner, weekend, regular,"),
        (["you:Ann", "you:Ann"], "Two people are called Ann"),
        (["you", "you"], "Two people are called You"),
        (["you:", "greedy"], "A name is missing"),
        (["you:   ", "greedy"], "A name is missing"),
        (["you:A\x1b[2Jnn", "greedy"], "cannot be shown"),
        (["you:" + "A" * 99, "greedy"], "too long"),
        (["", "greedy"], "There is no player “”"),
    ],
)
def test_wrong_seats_are_refused_in_words(typed: list[str], said: str) -> None:
    with pytest.raises(SeatError, match=re.escape(said)):
        read_seats(PLAY_NINE, typed)


def test_computer_players_have_names_of_their_own() -> None:
    names = [seat.name for seat in read_seats(NINE_CARD, ["you:Red Fox", *["greedy"] * 4, *["random"] * 3])]
    assert len(set(names)) == 8
    assert names[0] == "Red Fox"
    assert names[1].startswith("Greedy ")
    assert not any(name.endswith(" Fox") for name in names[1:])


def test_names_are_shown_and_not_obeyed(data: Path) -> None:
    told = mulligan(data, "play", "--players", "you:[red]Ann[/],you:Ben :smile:", typed=["a1"])
    assert "[red]Ann[/]" in told
    assert ":smile:" in told
    assert inert("A\x1b[31m\u202e\n") == "A�[31m��"


# On the screen


def screen(width: int, height: int) -> Screen:
    """A terminal of that size, seen by nobody."""
    screen = Screen()
    screen.live = True
    screen.console = Console(width=width, height=height, force_terminal=True, file=io.StringIO())
    return screen


@pytest.mark.parametrize(("width", "height"), [(80, 24), (120, 40), (60, 24)])
@pytest.mark.parametrize("variant", [PLAY_NINE, NINE_CARD], ids=lambda variant: variant.name)
def test_the_table_fits_the_screen(variant: variants.Variant, width: int, height: int) -> None:
    for seats in variant.seats:
        if (width, seats) == (60, 8):
            continue  # eight layouts and what everybody did are more than 60 columns hold
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
    assert "total -100, dealer, closed" in shown


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


def test_control_c_leaves_the_game_saved(terminal, data: Path) -> None:
    game = terminal(*ANN_AND_BEN)
    game.expect("Press Enter to begin")
    game.type("\n")
    game.expect("tee off")
    game.type("b2\n")
    game.expect("Which card last?")
    game.expect("> ")
    game.expect("The game is saved. Go on with it: mulligan play --resume", pressing="\x03")
    assert game.program.wait(20) == 0
    assert len(saved(data)["holes"][0]) == 2
    again = terminal("play", "--resume", NO_COLOR="1")
    again.expect("goes on with hole 1 of 9")
    again.type("\n")
    colours = r"\x1b\[[0-9;]*3[0-9]"
    assert not re.search(colours, again.expect("Which card last?"))


def test_a_replay_goes_forwards_and_back_by_single_keys(terminal, data: Path) -> None:
    file = recorded(data)
    game = terminal("replay", str(file))
    for keys, shown in [
        ("", "hole 1 of 9, move 1 of"),
        ("n", "hole 1 of 9, move 2 of"),
        ("\x1b[C", "hole 1 of 9, move 3 of"),
        ("\r", "hole 1 of 9, move 4 of"),
        ("\x1b[D", "hole 1 of 9, move 3 of"),
        ("h", "hole 2 of 9, move 1 of"),
        ("b", "hole 1 of 9: the counting"),
        ("H", "hole 1 of 9, move 1 of"),
        ("b", "This is the beginning."),
        ("g2.3\n", "hole 2 of 9, move 3 of"),
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
    assert "hole 9 of 9, move 1 of" in told
    assert "There is no hole 77" in told
    assert "That key does nothing here" in told
    assert "Random Fox turned up" in told


def test_a_faulty_record_is_shown_up_to_the_fault(data: Path) -> None:
    file = recorded(data)
    record = json.loads(file.read_text())
    record["players"][0] = "[red]A\x1b[2J"
    record["holes"][1]["moves"][7] = "S7>z9x1"
    file.write_text(json.dumps(record) + "\n")
    done = subprocess.run(
        [sys.executable, "-m", "mulligan", "replay", str(file)],
        input="g 2.7\nn\nq\n", capture_output=True, encoding="utf-8", env=environment(data),
    )  # fmt: skip
    assert done.returncode == 1
    assert "hole 2 of 9, move 7 of 7" in done.stdout
    assert "[red]A�[2J" in done.stdout
    assert "\x1b" not in done.stdout + done.stderr
    assert "hole 2, move 8" in done.stderr.splitlines()[-1]
    assert len(done.stderr.splitlines()) == 1


# The reckoning in words


@st.composite
def layouts(draw) -> tuple[variants.Variant, list[int]]:
    """Layouts rich in matches: few faces, and some cards face down."""
    variant = draw(st.sampled_from([PLAY_NINE, NINE_CARD]))
    faces = draw(st.lists(st.integers(-1, int(variant.rules.faces) - 1), min_size=2, max_size=3))
    slots = int(variant.rules.slots)
    return variant, draw(st.lists(st.sampled_from(faces), min_size=slots, max_size=slots)) + [-1] * (12 - slots)


@given(layouts())
def test_the_parts_of_a_reckoning_add_up(case: tuple[variants.Variant, list[int]]) -> None:
    import numpy as np

    variant, faces = case
    layout = np.array(faces, np.int8)
    reckoning = explain(variant, layout)
    assert sum(part.points for part in reckoning.parts) == reckoning.points == cost(variant.rules, layout, 0)
    assert all(re.fullmatch(r"5\.[1-5]", part.rules) for part in reckoning.parts)
