"""Single keys, read as they are pressed."""

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
    """The keyboard of a terminal. Within `pressed` no key is echoed, and none waits for Enter."""

    def __init__(self) -> None:
        self.waiting = ""

    @contextlib.contextmanager
    def pressed(self) -> Iterator[None]:
        if not termios:
            yield
            return
        before = termios.tcgetattr(sys.stdin)
        tty.setcbreak(sys.stdin, termios.TCSADRAIN)  # keys pressed meanwhile are not lost
        try:
            yield
        finally:
            termios.tcsetattr(sys.stdin, termios.TCSADRAIN, before)

    def read(self) -> str:
        """The next key, an arrow being one. Raises EOFError when the terminal is gone."""
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
