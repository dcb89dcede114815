"""Makes the picture of the terminal game from the running program.

.venv/bin/python tools/pictures.py
"""

import io
import os
import pty
import select
import struct
import subprocess
import sys
import tempfile
import time
from fcntl import ioctl
from pathlib import Path
from termios import TIOCSWINSZ

from rich.console import Console
from rich.text import Text

PICTURES = Path(__file__).parents[1] / "docs" / "pictures"
COLUMNS, ROWS = 80, 26
CLEAR = "\x1b[2J"

# Rich's own frame, without the font that it would load from another site.
FRAME = """<svg xmlns="http://www.w3.org/2000/svg" class="rich-terminal" viewBox="0 0 {width} {height}">
<style>
.{unique_id}-matrix {{ font-family: ui-monospace, Menlo, Consolas, "DejaVu Sans Mono", monospace;
  font-size: {char_height}px; line-height: {line_height}px; }}
.{unique_id}-title {{ font-size: 18px; font-weight: bold; font-family: sans-serif; }}
{styles}
</style>
<defs><clipPath id="{unique_id}-clip-terminal">
<rect x="0" y="0" width="{terminal_width}" height="{terminal_height}" /></clipPath>{lines}</defs>
{chrome}
<g transform="translate({terminal_x}, {terminal_y})" clip-path="url(#{unique_id}-clip-terminal)">
{backgrounds}<g class="{unique_id}-matrix">{matrix}</g></g></svg>
"""


def main() -> None:
    PICTURES.mkdir(parents=True, exist_ok=True)
    screen = play_in_terminal(["", "a1", "b2", "s", "c1"])
    console = Console(record=True, width=COLUMNS, file=io.StringIO(), force_terminal=True)
    console.print(Text.from_ansi(screen))
    console.save_svg(str(PICTURES / "terminal.svg"), title="mulligan play", code_format=FRAME)


def play_in_terminal(entries: list[str]) -> str:
    """The screen of the terminal game after these entries, since it was last cleared."""
    controller, terminal = pty.openpty()
    ioctl(terminal, TIOCSWINSZ, struct.pack("HHHH", ROWS, COLUMNS, 0, 0))
    with tempfile.TemporaryDirectory() as data:
        environment = {**os.environ, "TERM": "xterm-256color", "MULLIGAN_DATA": data, "MULLIGAN_PACE": "0"}
        environment.pop("NO_COLOR", None)
        game = subprocess.Popen(
            [sys.executable, "-m", "mulligan", "play", "--players", "you:Ann,greedy,greedy,greedy", "--seed", "11",
             "--language", "en"],
            stdin=terminal, stdout=terminal, stderr=terminal, env=environment, close_fds=True,
        )  # fmt: skip
        shown = read_all(controller)
        for entry in entries:
            os.write(controller, entry.encode() + b"\r")
            shown += read_all(controller)
        game.terminate()
        game.wait()
    return shown[shown.rindex(CLEAR) + len(CLEAR) :].replace("\r", "").strip("\n")


def read_all(controller: int) -> str:
    """Reads until the game pauses."""
    shown = b""
    until = time.monotonic() + 3
    while time.monotonic() < until:
        if select.select([controller], [], [], 0.1)[0]:
            shown += os.read(controller, 65536)
            until = time.monotonic() + 1
    return shown.decode()


if __name__ == "__main__":
    main()
