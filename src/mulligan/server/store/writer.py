"""The thread that writes to the database: it combines waiting work into one transaction."""

import asyncio
import queue
import threading
from collections import deque
from collections.abc import Callable, Sequence
from concurrent.futures import Future
from contextlib import suppress
from itertools import groupby
from operator import attrgetter
from typing import Any

from .errors import Disconnected, StoreError

TRY_AGAIN = 1.0  # seconds between write attempts after a failure

Work = list[tuple[str, Sequence[Any]]]  # SQL statements and their values
Written = Future[None] | asyncio.Future[None]  # done once the data is on disk
Job = tuple[Work, "Future[None] | Promise"]


class Promise:
    """A result for an event loop; the writer thread sets it."""

    def __init__(self, loop: asyncio.AbstractEventLoop) -> None:
        self.loop = loop
        self.future: asyncio.Future[None] = loop.create_future()
        self.error: BaseException | None = None

    def set_result(self, result: None) -> None:
        """Records success, which is the default."""

    def set_exception(self, error: BaseException) -> None:
        self.error = error

    def keep(self) -> None:
        if self.future.done():  # the caller no longer waits
            return
        if self.error is None:
            self.future.set_result(None)
        else:
            self.future.set_exception(self.error)
            self.future.exception()  # marks the error as seen: not every caller checks it


class Writer:
    """Writes through `commit`, a function that writes all given work in one transaction.

    `can_write` is asked at the start. After a failure it is asked every second until it returns True, and after every
    other write: that one may have been smaller. `close` is called at the end.
    """

    def __init__(
        self, commit: Callable[[Work], None], can_write: Callable[[], bool], close: Callable[[], None]
    ) -> None:
        self.commit = commit
        self.can_write = can_write
        self.close_connection = close
        self.is_well = True  # nothing has failed since `can_write` last returned True
        self.waiting: queue.SimpleQueue[Job | None] = queue.SimpleQueue()
        self.gathered: deque[Job] = deque()  # in this turn of the event loop
        self.thread = threading.Thread(target=self.run, name="store", daemon=True)
        self.thread.start()

    def put(self, work: Work) -> Written:
        """Queues work and returns its future; the work is written even if no caller waits.

        In an event loop, the future belongs to that loop, and all work of a turn is queued at its end: a thread that
        wakes earlier contends with the turn for Python's lock.
        """
        try:
            promise = Promise(asyncio.get_running_loop())
        except RuntimeError:
            future: Future[None] = Future()
            future.set_running_or_notify_cancel()
            self.waiting.put((work, future))
            return future
        self.gathered.append((work, promise))
        promise.loop.call_soon(self.hand_over)
        return promise.future

    def hand_over(self) -> None:
        """Queues what an event loop has gathered."""
        while self.gathered:
            self.waiting.put(self.gathered.popleft())

    def close(self) -> None:
        """Writes all pending work, then ends the thread."""
        self.hand_over()
        self.waiting.put(None)
        self.thread.join()

    def run(self) -> None:
        is_open = True
        self.is_well = self.can_write()
        while is_open:
            try:
                jobs = [self.waiting.get(timeout=None if self.is_well else TRY_AGAIN)]
            except queue.Empty:
                self.is_well = self.can_write()
                continue
            with suppress(queue.Empty):
                while True:
                    jobs.append(self.waiting.get_nowait())
            is_open = None not in jobs
            work = [job for job in jobs if job is not None]
            if work:
                self.is_well = (write_together(self.commit, work) and self.is_well) or self.can_write()
                keep_promises([promise for _, promise in work if isinstance(promise, Promise)])
        self.close_connection()


def write_together(commit: Callable[[Work], None], jobs: list[Job]) -> bool:
    """Writes all jobs in one transaction; if that fails, each in its own, so that one failure affects one job.

    Without a connection nothing is tried again: nobody knows what was written. Returns True if everything was written.
    """
    try:
        commit([statement for work, _ in jobs for statement in work])
    except Exception as error:
        if len(jobs) > 1 and not isinstance(error, Disconnected):
            return all([write_together(commit, [job]) for job in jobs])
        failure = error if isinstance(error, StoreError) else StoreError(f"The games cannot be written ({error}).")
        for _, future in jobs:
            future.set_exception(failure)
        return False
    for _, future in jobs:
        future.set_result(None)
    return True


def keep_promises(promises: Sequence[Promise]) -> None:
    """Resolves all promises of a commit with one call per event loop: each call into a busy loop is slow."""
    with suppress(RuntimeError):  # the loop has ended
        for loop, group in groupby(promises, attrgetter("loop")):
            loop.call_soon_threadsafe(lambda kept: [promise.keep() for promise in kept], [*group])
