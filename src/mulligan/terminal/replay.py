"""Steps through a recorded game, forwards and back."""

import contextlib
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from rich.text import Text

from .. import referee
from ..engine.state import NOBODY
from ..game import Game, Hole
from ..inert import inert
from ..notation import Step
from ..referee import Fault
from ..variants import Variant
from .keys import Keys
from .scores import heading, result, score_card, show_reckoning
from .screen import Screen
from .story import hole_after, tell
from .table import Table, draw_table

KEYS = {
    "\r": "n", "\n": "n", " ": "n", "": "n", "\x1b[C": "n", "\x1bOC": "n", "\xe0M": "n",
    "\x1b[D": "b", "\x1bOD": "b", "\xe0K": "b", "p": "b",
    "\x1b": "q", "\x04": "q",
}  # fmt: skip
HELP = "n or → next · b or ← back · h next hole · H hole before · g go to · q end"


@dataclass(frozen=True)
class Frame:
    """The table after one written move: so many steps of that hole. The last one of a hole is the counting."""

    number: int  # of the hole, from 0
    hole: Hole
    steps: int
    move: str  # as it is written in the record; "" after the reveal
    names: list[str]  # by seat
    totals: list[int]  # before the hole, by seat


def step_through(records: list[tuple[int, dict[str, Any]]], number: int, variant: Variant | None) -> None:
    """Shows recorded game `number`, the first being 1, move by move.

    Raises referee.Fault where the record breaks a rule, after showing what comes before; ValueError
    where there is no such game.
    """
    if not 1 <= number <= len(records):
        games = "1 game" if len(records) == 1 else f"{len(records)} games"
        raise ValueError(f"There is no game {number}: the file holds {games}.")
    line, record = records[number - 1]
    frames: list[Frame] = []
    game: Game | None = None
    fault: Fault | None = None
    try:
        game = referee.replay(record, variant, lambda game, move: frames.append(frame_of(game, move)))
    except Fault as found:
        fault = Fault(f"game {number} (line {line}), {found}")
    if frames:
        Reel(Screen(), frames, game, str(fault) if fault else "").show()
    if fault:
        raise fault


def frame_of(game: Game, move: str) -> Frame:
    hole = game.hole
    assert hole is not None
    names = [inert(game.players[player]) for player in game.at_table]
    totals = [game.totals[player] for player in game.at_table]
    return Frame(len(game.holes), hole, len(hole.steps), move, names, totals)


class Reel:
    """The frames of a game, and the one that is shown."""

    def __init__(self, screen: Screen, frames: list[Frame], game: Game | None, fault: str) -> None:
        self.screen = screen
        self.frames = frames
        self.game = game
        self.fault = fault
        self.place = 0
        self.keys = Keys()

    def show(self) -> None:
        """Shows frames until the reader has enough. Where no keys can be typed, all of them."""
        if sys.stdin.isatty() and not self.screen.live:
            for place in range(len(self.frames)):
                self.place = place
                self.draw()
            return
        with contextlib.suppress(EOFError, KeyboardInterrupt), contextlib.ExitStack() as until_the_end:
            if self.screen.live:
                until_the_end.enter_context(self.keys.pressed())
            self.turn_pages()

    def turn_pages(self) -> None:
        note = ""
        while True:
            self.draw()
            self.screen.show(Text(note, "bold yellow"), Text(HELP, "dim"))
            key = self.read_key()
            if key == "q":
                return
            note = self.turn_to(key)

    def read_key(self) -> str:
        """One key on a terminal; through a pipe, one line."""
        key = self.keys.read() if self.screen.live else self.screen.ask().strip()
        return KEYS.get(key, key)

    def turn_to(self, key: str) -> str:
        """Moves to another frame; says so where there is none."""
        number = self.frames[self.place].number
        if key == "n":
            return self.go(self.place + 1, "This is the end." if not self.fault else self.fault)
        if key == "b":
            return self.go(self.place - 1, "This is the beginning.")
        if key == "h":
            return self.go(self.first_of(number + 1), "This is the last hole.")
        if key == "H":
            start = self.first_of(number) or 0
            return self.go(start if start < self.place else self.first_of(number - 1), "This is the first hole.")
        if key == "g" or key[:1] == "g":
            return self.jump(key[1:].strip() or self.ask_where())
        return "" if key == "?" else "That key does nothing here."

    def ask_where(self) -> str:
        """Reads a line, key by key as the keyboard is set."""
        self.screen.show("Which hole, or which move of it (3, or 3.12)? Then Enter.")
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
        """Goes to hole `3`, or to move 12 of it, `3.12`."""
        hole, _, move = asked.partition(".")
        if not (hole.isdecimal() and (move.isdecimal() or not move)):
            return "Type the number of a hole, such as 3, or a move of it, such as 3.12."
        start = self.first_of(int(hole) - 1)
        if start is None:
            return f"There is no hole {int(hole)}; the record has {self.frames[-1].number + 1}."
        place = start + int(move or 1) - 1
        if not 0 <= place < len(self.frames) or self.frames[place].number != int(hole) - 1:
            return f"Hole {int(hole)} has no move {int(move)}."
        return self.go(place, "")

    def first_of(self, number: int) -> int | None:
        """The first frame of a hole, or None where the record has no such hole."""
        return next((place for place, frame in enumerate(self.frames) if frame.number == number), None)

    def draw(self) -> None:
        frame = self.frames[self.place]
        hole = hole_after(frame.hole, frame.hole.steps[: frame.steps])
        if not frame.move:
            self.draw_end(frame, hole)
            return
        first = self.first_of(frame.number) or 0
        length = sum(other.number == frame.number and bool(other.move) for other in self.frames)
        where = f"{heading(hole.variant, frame.number)}, move {self.place - first + 1} of {length}"
        table = Table(
            variant=hole.variant,
            state=hole.state,
            names=frame.names,
            totals=frame.totals,
            heading=f"{where}: {inert(frame.move)}",
            events=tell(hole.variant, list(self.last_steps(frame)), frame.names),
        )
        self.screen.redraw(draw_table(table, self.screen, 3))

    def last_steps(self, frame: Frame) -> Iterator[Step]:
        """What was played since the frame before."""
        before = self.frames[self.place - 1] if self.place else None
        start = before.steps if before and before.number == frame.number else 0
        yield from frame.hole.steps[start : frame.steps]

    def draw_end(self, frame: Frame, hole: Hole) -> None:
        """The counting; after the last hole the card and the winner too."""
        totals = frame.totals
        if frame.number < hole.variant.rules.holes:
            totals = [total + points for total, points in zip(totals, hole.points, strict=True)]
        title = f"{hole.variant.title} · {heading(hole.variant, frame.number)}: the counting"
        closer = hole.state.closer
        if closer != NOBODY:
            title += f" ({frame.names[closer]} closed)"
        show_reckoning(self.screen, title, hole, frame.names, totals)
        if self.game and self.place == len(self.frames) - 1:
            self.screen.wait("for the score card")
            self.screen.show(*score_card(self.game, self.screen), Text(result(self.game), "bold green"))
