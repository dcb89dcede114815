"""A player in a process of its own, which reads positions and writes moves as text: docs/protocol.md."""

import os
import queue
import shlex
import signal
import subprocess
import threading
import time
from collections.abc import Iterable
from contextlib import suppress

from mulligan import program
from mulligan.game.hole import Hole
from mulligan.game.position_text import game_lines, position_lines, read_move
from mulligan.game.safe_text import printable
from mulligan.game.variants import Variant

LONGEST_LINE = 1000
FAREWELL = 1.0  # seconds that a program has to end by itself
ENDED = None  # in place of a line: the program has closed its output


class PlayerError(Exception):
    """What a player did wrong, as a phrase that follows its name."""


class Program:
    """A program that runs from `start` to `end`, and is started again after it has failed."""

    def __init__(self, command: str, variant: Variant, seats: int, timeout: float) -> None:
        """Raises ValueError for a command with an open quotation mark."""
        self.command, self.variant, self.seats, self.timeout = shlex.split(command), variant, seats, timeout
        self.process: subprocess.Popen[bytes] | None = None
        self.lines: queue.Queue[str | None] = queue.Queue(1000)

    def choose(self, hole: Hole) -> int:
        """The program's move. Raises PlayerError where it gives none, and ends it."""
        try:
            self.start()
            self.tell(position_lines(hole))
            return read_move(hole, self.answer("move"))
        except ValueError as error:
            self.end(farewell=0.0)
            raise PlayerError(str(error)) from None
        except PlayerError:
            self.end(farewell=0.0)
            raise

    def finish(self, points: list[int]) -> None:
        """Tells a running program what the hole cost everyone, itself first."""
        if self.process:
            with suppress(PlayerError):
                self.tell([f"over {' '.join(map(str, points))}"])

    def start(self) -> None:
        """Starts the program unless it runs. Raises PlayerError if it cannot be started or is not ready in time."""
        if self.process:
            return
        try:
            with program.starting():
                self.process = subprocess.Popen(
                    self.command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, start_new_session=os.name == "posix"
                )
                if os.name == "posix":
                    program.groups.add(self.process.pid)
        except (OSError, ValueError) as error:
            reason = error.strerror if isinstance(error, OSError) else str(error)
            raise PlayerError(f"cannot be started: {reason}") from None
        self.lines = queue.Queue(1000)
        threading.Thread(target=listen, args=(self.process, self.lines), daemon=True).start()
        self.tell(game_lines(self.variant, self.seats))
        self.answer("ready")

    def tell(self, lines: Iterable[str]) -> None:
        """Raises PlayerError if the program has ended."""
        assert self.process
        assert self.process.stdin
        try:
            self.process.stdin.write("".join(f"{line}\n" for line in lines).encode())
            self.process.stdin.flush()
        except OSError:
            raise PlayerError(self.how_it_ended()) from None

    def answer(self, word: str) -> str:
        """The rest of the next line that begins with the word; others are ignored. Raises PlayerError."""
        deadline = time.monotonic() + self.timeout
        while True:
            try:
                line = self.lines.get(timeout=max(0.0, deadline - time.monotonic()))
            except queue.Empty:
                raise PlayerError(f"gave no “{word}” within {self.timeout:g} s") from None
            if line is ENDED:
                raise PlayerError(self.how_it_ended())
            first, _, rest = line.strip().partition(" ")
            if first == word:
                return printable(rest.strip(), 40)

    def how_it_ended(self) -> str:
        assert self.process
        with suppress(subprocess.TimeoutExpired):
            status = self.process.wait(FAREWELL)
            return f"ended by itself (exit status {status})"
        return "closed its input or output"

    def end(self, farewell: float = FAREWELL) -> None:
        """Ends the program and all it started: with `quit`, and after so many seconds by force."""
        process, self.process = self.process, None
        if not process:
            return
        with suppress(OSError):
            assert process.stdin
            process.stdin.write(b"quit\n")
            process.stdin.close()
        with suppress(subprocess.TimeoutExpired):
            process.wait(farewell)
        with suppress(OSError):
            if os.name == "posix":
                os.killpg(process.pid, signal.SIGKILL)
            else:
                process.kill()
        program.groups.discard(process.pid)  # before its number may be another's
        process.wait()
        with suppress(queue.Empty):  # lets the listener end, which waits while the queue is full
            while self.lines.get(timeout=FAREWELL) is not ENDED:
                pass


def listen(process: subprocess.Popen[bytes], lines: "queue.Queue[str | None]") -> None:
    """Passes on what a program writes until it ends."""
    assert process.stdout
    with process.stdout:
        while line := process.stdout.readline(LONGEST_LINE):
            lines.put(line.decode(errors="replace"))
    lines.put(ENDED)
