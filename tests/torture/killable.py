"""The real server as a program of its own, that can be killed and started again at the same address."""

import json
import os
import random
import shutil
import signal
import socket
import sqlite3
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path


class Killable:
    """A server over a folder. It keeps its port, and what it complained of, through all its lives."""

    program: tuple[str, ...] = ("-m", "mulligan")

    def __init__(self, folder: Path, port: int = 0, *words: str, compiled: bool = False) -> None:
        self.folder = folder / "games"
        self.complaints = folder / "complaints.txt"
        self.port = port or quiet_port()
        self.words = words  # more options
        self.environment = os.environ | {"MULLIGAN_PLAIN": "0" if compiled else "1"}  # uncompiled, it starts sooner
        self.process: subprocess.Popen[str] | None = None
        self.groups: list[int] = []
        self.started_at = self.listened_at = 0.0

    def start(self) -> None:
        """Returns once it says where it listens."""
        command = [sys.executable, *self.program, "serve", "--port", str(self.port), "--data", str(self.folder)]
        command += self.words
        self.started_at = time.monotonic()
        with open(self.complaints, "a", encoding="utf-8") as complaints:
            self.process = subprocess.Popen(
                command,
                stdout=subprocess.PIPE,
                stderr=complaints,
                text=True,
                start_new_session=True,
                env=self.environment,
            )
        self.groups.append(self.process.pid)
        assert self.process.stdout is not None
        said = self.process.stdout.readline()
        assert f":{self.port}" in said, f"the server said {said!r}; {self.complaints_so_far()}"
        self.listened_at = time.monotonic()

    def kill(self) -> None:
        """No warning, no goodbye; what it started itself goes on, as when someone types kill -9."""
        assert self.process is not None
        self.process.send_signal(signal.SIGKILL)

    def terminate(self) -> None:
        """It is asked to close, as the system does before it shuts down."""
        assert self.process is not None
        self.process.terminate()

    def bury(self) -> None:
        """Waits until it is gone."""
        assert self.process is not None
        assert self.process.stdout is not None
        self.process.wait(20)
        self.process.stdout.close()

    def end(self) -> None:
        """Ends it politely, and then whatever its killed lives have left."""
        if self.process is not None and self.process.returncode is None:
            self.process.terminate()
            try:
                self.process.wait(20)
            except subprocess.TimeoutExpired:
                self.process.kill()
            self.bury()
        for group in self.groups:
            try:
                os.killpg(group, signal.SIGKILL)
            except ProcessLookupError:
                continue

    def scene(self, copy: Path) -> Path:
        """The folder as the killed server left it, copied so that looking at it mends nothing."""
        shutil.rmtree(copy, ignore_errors=True)
        shutil.copytree(self.folder, copy, ignore=shutil.ignore_patterns("admin.sock"))
        return copy

    def complaints_so_far(self) -> list[str]:
        """What it logged of errors, and whatever else it wrote to the standard error."""
        lines = self.complaints.read_text(encoding="utf-8").splitlines()
        return [line for line in lines if '"level": "info"' not in line]

    @contextmanager
    def busy_disk(self) -> Iterator[None]:
        """Meanwhile nothing can be written: another program holds the file."""
        connection = sqlite3.connect(self.folder / "games.sqlite", timeout=10, isolation_level=None)
        connection.execute("BEGIN IMMEDIATE")
        try:
            yield
        finally:
            connection.close()


def quiet_port() -> int:
    """A free port that the system gives to nobody of its own accord, so that it is free again after each kill."""
    while True:
        port = random.randrange(20_000, 32_000)
        with socket.socket() as probe:
            probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
            try:
                probe.bind(("127.0.0.1", port))
            except OSError:
                continue
            return port


def event(line: str) -> dict[str, object]:
    """Returns an entry of a server's log; empty for another line, such as one of a traceback."""
    try:
        return json.loads(line)
    except ValueError:
        return {}


def is_busy(line: str) -> bool:
    """On a slow machine, or while its database answers late, a server puts off what can wait. That is no fault."""
    entry = event(line)
    return entry.get("event") == "refused" and entry.get("why") == "overloaded"
