"""A disk that outlives the server: what was committed is there after a kill, and what was not is gone.

The server's own Store runs on it, SQL and all; only its file is in memory, and its writer thread is a
row of callbacks with a disk's delays.
"""

import asyncio
import sqlite3
from collections.abc import Callable, Iterator
from concurrent.futures import Future
from contextlib import contextmanager
from pathlib import Path
from random import Random
from traceback import extract_stack
from typing import Any

from timeline import Process

from mulligan.server.store.errors import Disconnected
from mulligan.server.store.shared_sql import REMOVE_LOG, Store, commit
from mulligan.server.store.sqlite import migrate
from mulligan.server.store.writer import Work, write_together

COMMIT_TIMEOUT = 10.0  # seconds, as in store/postgres.py


class Disk:
    """What lies on the plate, how slow it is, and when it fails."""

    def __init__(self, dice: Random) -> None:
        self.dice = dice
        self.connection = sqlite3.connect(":memory:", isolation_level=None)
        self.delay = 0.002
        self.failing = ""  # "before" or "after": the next commit fails, and nothing or all of it is there
        self.failures = 0
        self.is_shared = False  # several processes use it, and each knows it only as a database far away
        self.commits = 0
        self.leader: Process | None = None  # does the housekeeping
        self.replaced: dict[str, list[bytes]] = {}  # logs that were written anew, and nobody has looked at yet
        self.when_put: Callable[[], None] = lambda: None
        self.when_committed: Callable[[], None] = lambda: None

    def rows(self, question: str, *values: Any) -> list[tuple[Any, ...]]:
        return self.connection.execute(question, values).fetchall()


class Plate:
    """The connection as the writer sees it: COMMIT can fail, before anything is written or after."""

    def __init__(self, disk: Disk) -> None:
        self.disk = disk

    def execute(self, statement: str, values: Any = ()) -> sqlite3.Cursor:
        disk = self.disk
        if statement == "COMMIT" and disk.failing:
            failing, disk.failing = disk.failing, ""
            disk.failures += 1
            if failing == "after":
                disk.connection.execute("COMMIT")
            raise sqlite3.OperationalError("disk I/O error")
        return disk.connection.execute(statement, values)

    def __getattr__(self, name: str) -> Any:
        return getattr(self.disk.connection, name)


class SimulatedStore(Store):
    """The Store of one process. Its jobs die with the process unless they were committed."""

    def __init__(self, disk: Disk, process: Process) -> None:
        self.disk = disk
        self.process = process
        self.path = Path(":memory:")
        self.jobs: list[tuple[Work, Future[Any]]] = []
        self.taken: list[tuple[Work, Future[Any]]] = []  # what the writer is busy with
        self.is_writing = False
        self.wrote_well = True
        self.is_shared = disk.is_shared
        migrate(disk.connection, self.path)

    @property
    def is_well(self) -> bool:
        return self.wrote_well

    def write(self, work: Work) -> None:
        failures = self.disk.failures
        try:
            commit(Plate(self.disk), work)
        except sqlite3.Error as error:
            if self.is_shared and self.disk.failures > failures:
                raise Disconnected(f"No answer ({error}).") from None
            raise

    def leads(self) -> bool:
        """As with an advisory lock, which ends with the process."""
        self.must_not_block()
        if self.disk.leader is None or not self.disk.leader.is_alive:
            self.disk.leader = self.process
        return self.disk.leader is self.process

    def must_not_block(self) -> None:
        """A database far away may take seconds, so only threads ask it."""
        if self.is_shared and asyncio._get_running_loop():
            self.process.faults.append(f"the event loop waits for the database: {places()}")

    def put(self, work: Work) -> Future[None]:
        future: Future[None] = Future()
        future.set_running_or_notify_cancel()
        self.jobs.append((work, future))
        if not self.is_writing:
            self.is_writing = True
            self.later(self.disk.dice.random() * 0.001, self.begin)
        self.disk.when_put()
        return future

    def later(self, seconds: float, callback: Callable[..., None], *arguments: Any) -> None:
        def if_alive() -> None:
            if self.process.is_alive:
                callback(*arguments)

        self.process.timeline.after(seconds, if_alive)

    def begin(self) -> None:
        """The writer takes all that has gathered."""
        self.taken, self.jobs = self.jobs, []
        self.later(self.disk.delay * (0.2 + self.disk.dice.random() * 2), self.commit)

    def commit(self) -> None:
        """The moment it is on disk. Those who wait are told a little later."""
        jobs, self.taken = self.taken, []
        if not jobs:
            return  # the store was closed meanwhile
        outcomes = [(work, Future[Any]()) for work, _ in jobs]
        self.wrote_well = write_together(self.write, outcomes)  # type: ignore[arg-type]
        self.note_replaced(jobs)
        self.disk.commits += 1
        silent = COMMIT_TIMEOUT if self.is_shared and not self.wrote_well else 0.0  # a lost connection is noticed late
        self.later(silent + self.disk.dice.random() * 0.001, self.promise, jobs, outcomes)
        self.disk.when_committed()

    def promise(self, jobs: list[tuple[Work, Future[Any]]], outcomes: list[tuple[Work, Future[Any]]]) -> None:
        settle(jobs, outcomes)
        self.is_writing = bool(self.jobs)
        if self.jobs:
            self.begin()

    @contextmanager
    def reading(self) -> Iterator[sqlite3.Connection]:
        self.must_not_block()
        yield self.disk.connection

    def close(self) -> None:
        """Everything put is written before this returns."""
        jobs, self.taken, self.jobs = self.taken + self.jobs, [], []
        if not jobs:
            return
        outcomes = [(work, Future[Any]()) for work, _ in jobs]
        write_together(self.write, outcomes)  # type: ignore[arg-type]
        self.note_replaced(jobs)
        settle(jobs, outcomes)
        self.disk.when_committed()

    def note_replaced(self, jobs: list[tuple[Work, Future[Any]]]) -> None:
        """Reads the logs that were to be written anew, whether they were or not."""
        codes = {values[0] for work, _ in jobs for statement, values in work if statement == REMOVE_LOG[0]}
        there = {code for (code,) in self.disk.rows("SELECT code FROM tables")}
        self.disk.replaced |= {code: self.entries(code) for code in sorted(codes & there)}


def places() -> str:
    """Where in the server the running line was called."""
    frames = [frame for frame in extract_stack() if "/mulligan/" in frame.filename]
    return " < ".join(f"{Path(frame.filename).name}:{frame.lineno}" for frame in frames[:-6:-1])


def settle(jobs: list[tuple[Work, Future[Any]]], outcomes: list[tuple[Work, Future[Any]]]) -> None:
    for (_, future), (_, outcome) in zip(jobs, outcomes, strict=True):
        if error := outcome.exception():
            future.set_exception(error)
        else:
            future.set_result(outcome.result())
