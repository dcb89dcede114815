"""Prints to the terminal, asks and waits, on a live screen or through a pipe."""

import contextlib
import io
import os
import sys
import time
from collections.abc import Iterable

from rich.console import Console, RenderableType
from rich.text import Text

from mulligan.game.safe_text import NEAREST_ASCII, printable
from mulligan.game.words import Words

from .output import Output
from .wrapping import wrap_text

LONGEST = 100_000  # characters in a line that is read at once
PACE = 0.9  # seconds between moves of computer players

with contextlib.suppress(ImportError):
    import readline  # noqa: F401  enables line editing in input()


class Page:
    """What the table is drawn on: the language, the width, and which characters there are."""

    def __init__(self, words: Words, console: Console) -> None:
        self.words = words
        self.console = console

    @property
    def width(self) -> int:
        return self.console.width

    @property
    def has_boxes(self) -> bool:
        """Whether the terminal can show characters outside ASCII."""
        return not self.console.options.ascii_only


class Screen(Page):
    """The output. `live`: a person is at the terminal, so it is redrawn in place and waits for them."""

    def __init__(self, words: Words) -> None:
        for stream, errors in ((sys.stdin, "replace"), (sys.stdout, NEAREST_ASCII)):
            if isinstance(stream, io.TextIOWrapper):
                stream.reconfigure(errors=errors)
        super().__init__(words, Output(highlight=False, markup=False, emoji=False))
        self.live = sys.stdin.isatty() and self.console.is_terminal
        self.pace = pace() if self.live else 0.0

    @property
    def height(self) -> int:
        """The number of visible lines; unlimited for a pipe."""
        return self.console.height if self.live else 1_000_000

    def show(self, *things: RenderableType) -> None:
        """Prints texts, wrapped at the width of the terminal, and other things as they are."""
        for thing in things:
            if isinstance(thing, str | Text):
                self.draw([thing if isinstance(thing, Text) else Text(thing)])
            else:
                self.console.print(thing)

    def show_path(self, text: str) -> None:
        """Prints a line with a path or a command without wrapping it, so that it can be copied."""
        self.console.print(Text(text), soft_wrap=True)

    def draw(self, lines: Iterable[Text]) -> None:
        """Prints lines; one that is wider than the terminal goes on in the next."""
        for line in lines:
            for part in wrap_text(line, self.width) if line.cell_len > self.width or "\n" in line else [line]:
                self.console.print(part, no_wrap=True, overflow="ignore", crop=False)

    def redraw(self, lines: Iterable[Text]) -> None:
        """Clears the screen and prints these lines; through a pipe, only prints them."""
        if self.live:
            self.console.clear()
        else:
            self.console.print()
        self.draw(lines)

    def ask(self, question: RenderableType = "") -> str:
        """Returns the typed line. Raises EOFError at the end of the input."""
        if question:
            self.show(question)
        if self.live:
            return input("> ")
        line = sys.stdin.readline(LONGEST)
        if not line:
            raise EOFError
        self.show(f"> {printable(line.rstrip())}")
        return line

    def retype(self, typed: str) -> None:
        """Shows the text typed so far on the last line, while the keyboard does not echo it."""
        self.console.file.write(f"\r> {printable(typed)} \b")
        self.console.file.flush()

    def wait(self, message: str) -> None:
        """Waits for Enter on a live screen; the message says what follows."""
        if self.live:
            self.show(Text(self.words(message), "dim"))
            input()

    def rest(self) -> None:
        """Pauses so that a person can read."""
        time.sleep(self.pace)


def pace() -> float:
    try:
        return min(max(0.0, float(os.environ.get("MULLIGAN_PACE", PACE))), 60.0)
    except ValueError:
        return PACE
