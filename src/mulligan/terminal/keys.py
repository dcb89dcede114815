"""Reads single keys as they are pressed."""

import contextlib
import os
import re
import sys
from collections.abc import Iterator

ONE_KEY = re.compile(r"\x1b[\[O][0-9;]*[A-Za-z~]|.", re.DOTALL)

try:
    import termios
    import tty
except ImportError:  # Windows
    termios = tty = None  # type: ignore[assignment]


class Keys:
    """The keyboard of a terminal. Within `pressed`, keys are not echoed and do not need Enter."""

    def __init__(self) -> None:
        self.waiting = ""

    @contextlib.contextmanager
    def pressed(self) -> Iterator[None]:
        if not termios:
            yield
            return
        before = termios.tcgetattr(sys.stdin)
        tty.setcbreak(sys.stdin, termios.TCSADRAIN)  # TCSADRAIN keeps the keys pressed in the meantime
        try:
            yield
        finally:
            termios.tcsetattr(sys.stdin, termios.TCSADRAIN, before)

    def read(self) -> str:
        """Reads the next key; an arrow is one key. Raises EOFError when the terminal is closed."""
        if not termios:
            return read_windows()
        if not self.waiting:
            self.waiting = os.read(sys.stdin.fileno(), 1024).decode("utf-8", "replace")
        if not self.waiting:
            raise EOFError
        key = ONE_KEY.match(self.waiting)
        assert key
        self.waiting = self.waiting[key.end() :]
        return key[0]


def read_windows() -> str:
    import msvcrt

    key = msvcrt.getwch()  # type: ignore[attr-defined]
    return key + msvcrt.getwch() if key in "\0\xe0" else key  # type: ignore[attr-defined]
