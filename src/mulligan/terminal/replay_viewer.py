"""Steps through a recorded match, forwards and backwards."""

import contextlib
import sys
from dataclasses import dataclass
from typing import Any

from rich.text import Text

from mulligan.game import referee
from mulligan.game.hole import Game, Hole
from mulligan.game.referee import Fault
from mulligan.game.safe_text import printable
from mulligan.game.typed_text import joined, plain
from mulligan.game.variants import Variant
from mulligan.game.words import Words

from .history import hole_after, tell
from .keys import Keys
from .score_tables import heading, result, score_card, show_hole_result, title
from .screen import Screen
from .table_view import Table, draw_table

KEYS = {
    "\r": "n", "\n": "n", " ": "n", "": "n", "\x1b[C": "n", "\x1bOC": "n", "\xe0M": "n",
    "\x1b[D": "b", "\x1bOD": "b", "\xe0K": "b", "p": "b",
    "\x1b": "q", "\x04": "q",
}  # fmt: skip
SHOWN = {"forward": "n →", "back": "b ←", "hole": "h", "before": "H", "go": "g", "quit": "q"}


@dataclass(frozen=True)
class Frame:
    """The table after a written move: a hole and its number of steps. The last frame of a hole is its score."""

    number: int  # of the hole, from 0
    hole: Hole
    steps: int
    move: str  # as in the record; "" after the reveal
    names: list[str]  # by seat
    totals: list[int]  # before the hole, by seat


def step_through(words: Words, records: list[tuple[int, dict[str, Any]]], number: int, variant: Variant | None) -> None:
    """Shows recorded match `number`, the first being 1, move by move.

    Raises referee.Fault if the record breaks a rule, after showing the moves before it; ValueError if
    there is no such game.
    """
    if not 1 <= number <= len(records):
        raise ValueError(words("terminal_no_game", number=number, count=len(records)))
    line, record = records[number - 1]
    frames: list[Frame] = []
    game: Game | None = None
    fault: Fault | None = None
    try:
        game = referee.replay(record, variant, lambda game, move: frames.append(frame_of(game, move)))
    except Fault as found:
        fault = found.at("terminal_at_game", number=number, line=line)
    if frames:
        Reel(Screen(words), frames, game, fault.in_words(words) if fault else "").show()
    if fault:
        raise fault


def frame_of(game: Game, move: str) -> Frame:
    hole = game.hole
    assert hole is not None
    names = [printable(game.players[player]) for player in game.at_table]
    totals = [game.totals[player] for player in game.at_table]
    return Frame(len(game.holes), hole, len(hole.steps), move, names, totals)


class Reel:
    """The frames of a game and the current one."""

    def __init__(self, screen: Screen, frames: list[Frame], game: Game | None, fault: str) -> None:
        self.screen = screen
        self.words = screen.words
        self.frames = frames
        self.game = game
        self.fault = fault
        self.place = 0
        self.keys = Keys()

    def show(self) -> None:
        """Shows frames until the reader quits; without a keyboard, shows all of them."""
        if sys.stdin.isatty() and not self.screen.live:
            for place in range(len(self.frames)):
                self.place = place
                self.draw()
            return
        with contextlib.suppress(EOFError), contextlib.ExitStack() as until_the_end:
            if self.screen.live:
                until_the_end.enter_context(self.keys.pressed())
            self.turn_pages()

    def turn_pages(self) -> None:
        note = ""
        while True:
            self.draw()
            self.screen.show(Text(note, "bold yellow"), Text(self.words("terminal_replay_keys", **SHOWN), "dim"))
            key = self.read_key()
            if key == "q":
                return
            note = self.turn_to(key)

    def read_key(self) -> str:
        """Reads one key from a terminal, or one line from a pipe."""
        key = plain(self.keys.read() if self.screen.live else self.screen.ask().strip())
        return KEYS.get(key) or (key if key == "H" else key.lower())

    def turn_to(self, key: str) -> str:
        """Moves to another frame; returns a message if there is none."""
        number, words = self.frames[self.place].number, self.words
        if key == "n":
            return self.go(self.place + 1, self.fault or words("terminal_replay_end"))
        if key == "b":
            return self.go(self.place - 1, words("terminal_replay_start"))
        if key == "h":
            return self.go(self.first_of(number + 1), words("terminal_replay_last"))
        if key == "H":
            start = self.first_of(number) or 0
            return self.go(start if start < self.place else self.first_of(number - 1), words("terminal_replay_first"))
        if key == "g" or key[:1] == "g":
            return self.jump(key[1:].strip() or self.ask_where())
        return "" if key == "?" else words("terminal_replay_no_key")

    def ask_where(self) -> str:
        """Reads a line, key by key."""
        self.screen.show(self.words("terminal_replay_where", hole="3", move="3.12"))
        if not self.screen.live:
            return self.screen.ask().strip()
        typed = ""
        while (key := self.keys.read()) not in "\r\n":
            typed = typed[:-1] if key in "\b\x7f" else typed + key
            self.screen.retype(typed)
        return typed.strip()

    def go(self, place: int | None, otherwise: str) -> str:
        if place is None or not 0 <= place < len(self.frames):
            return otherwise
        self.place = place
        return ""

    def jump(self, asked: str) -> str:
        """Goes to hole `3`, or to its move 12: `3.12`."""
        hole, _, move = joined(asked).partition(".")
        if not (hole.isdecimal() and (move.isdecimal() or not move)):
            return self.words("terminal_replay_how", hole="3", move="3.12")
        start = self.first_of(int(hole) - 1)
        if start is None:
            return self.words("terminal_no_hole", hole=int(hole), last=self.frames[-1].number + 1)
        place = start + int(move or 1) - 1
        if not 0 <= place < len(self.frames) or self.frames[place].number != int(hole) - 1:
            return self.words("terminal_no_move", hole=int(hole), move=int(move))
        return self.go(place, "")

    def first_of(self, number: int) -> int | None:
        """Returns the first frame of a hole, or None if the record has no such hole."""
        return next((place for place, frame in enumerate(self.frames) if frame.number == number), None)

    def draw(self) -> None:
        frame = self.frames[self.place]
        hole = hole_after(frame.hole, frame.hole.steps[: frame.steps])
        if not frame.move:
            self.draw_end(frame, hole)
            return
        first = self.first_of(frame.number) or 0
        length = sum(other.number == frame.number and bool(other.move) for other in self.frames)
        where = heading(self.words, hole.variant, frame.number)
        number, move = self.place - first + 1, printable(frame.move)
        table = Table(
            variant=hole.variant,
            state=hole.state,
            names=frame.names,
            totals=frame.totals,
            heading=self.words("terminal_replay_move", hole=where, number=number, count=length, move=move),
            events=tell(self.words, hole, frame.names, self.steps_before(frame)),
        )
        self.screen.redraw(draw_table(table, self.screen, 3))

    def steps_before(self, frame: Frame) -> int:
        """Returns how many steps of the hole the previous frame has."""
        before = self.frames[self.place - 1] if self.place else None
        return before.steps if before and before.number == frame.number else 0

    def draw_end(self, frame: Frame, hole: Hole) -> None:
        """Shows the score of the hole; after the last hole also the card and the winner."""
        totals = frame.totals
        if frame.number < hole.variant.rules.holes:
            totals = [total + points for total, points in zip(totals, hole.points, strict=True)]
        show_hole_result(self.screen, title(self.words, hole.variant, frame.number), hole, frame.names, totals)
        if self.game and self.place == len(self.frames) - 1:
            self.screen.wait("terminal_enter_card")
            self.screen.show(*score_card(self.game, self.screen), Text(result(self.words, self.game), "bold green"))
