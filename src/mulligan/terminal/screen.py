"""The terminal itself: what is printed, asked and waited for, on a screen or through a pipe."""

import contextlib
import io
import os
import sys
import time
from collections.abc import Iterable

from rich.console import Console, RenderableType
from rich.text import Text

from ..inert import inert

PACE = 0.9  # seconds between the moves of computer players

with contextlib.suppress(ImportError):
    import readline  # noqa: F401  makes the arrow keys edit the line in input()


class Screen:
    """`live` where a person sits before it: then it is redrawn in place, and waits for the reader."""

    def __init__(self) -> None:
        for stream in (sys.stdin, sys.stdout):
            if isinstance(stream, io.TextIOWrapper):
                stream.reconfigure(errors="replace")
        self.console = Console(highlight=False, markup=False, emoji=False)
        self.live = sys.stdin.isatty() and self.console.is_terminal
        self.pace = pace() if self.live else 0.0

    @property
    def width(self) -> int:
        return self.console.width

    @property
    def height(self) -> int:
        """How many lines are seen at once; a pipe has room for all."""
        return self.console.height if self.live else 1_000_000

    @property
    def has_boxes(self) -> bool:
        """Whether the terminal can show more letters than ASCII."""
        return not self.console.options.ascii_only

    def show(self, *things: RenderableType) -> None:
        for thing in things:
            self.console.print(thing)

    def show_path(self, text: str) -> None:
        """A line with a file's name or a command: never broken, so that it can be copied."""
        self.console.print(Text(text), soft_wrap=True)

    def draw(self, lines: Iterable[Text]) -> None:
        """Prints lines as they are, cut off where the terminal ends."""
        for line in lines:
            self.console.print(line, no_wrap=True, overflow="crop", crop=True)

    def redraw(self, lines: Iterable[Text]) -> None:
        """A fresh screen with these lines; through a pipe, the next ones."""
        if self.live:
            self.console.clear()
        else:
            self.console.print()
        self.draw(lines)

    def ask(self, question: RenderableType = "") -> str:
        """What is typed. Raises EOFError when there is no more."""
        if question:
            self.console.print(question)
        if self.live:
            return input("> ")
        line = sys.stdin.readline()
        if not line:
            raise EOFError
        self.console.print(f"> {inert(line.rstrip())}")
        return line

    def retype(self, typed: str) -> None:
        """Shows on the last line what has been typed so far, where the keyboard does not."""
        self.console.file.write(f"\r> {inert(typed)} \b")
        self.console.file.flush()

    def wait(self, what_for: str) -> None:
        """Waits for Enter, if there is somebody to press it."""
        if self.live:
            self.console.print(Text(f"Press Enter {what_for}.", "dim"))
            input()

    def rest(self) -> None:
        """Lets a person read."""
        time.sleep(self.pace)


def pace() -> float:
    try:
        return min(max(0.0, float(os.environ.get("MULLIGAN_PACE", PACE))), 60.0)
    except ValueError:
        return PACE
