"""The timer of a table: runs one timeout at a time and reports it to the clients."""

import asyncio
from collections.abc import Awaitable, Callable, Coroutine
from contextvars import Context
from typing import Any

from mulligan.server.log import log
from mulligan.server.table.table import Table
from mulligan.server.table.time_limits import Wait
from mulligan.server.wire.replies import Clock

from .table_log import Moment, moment_of


class TurnClock:
    """Runs one timeout. Awaits `run_out` when it expires; calls `tell` with each change."""

    def __init__(
        self,
        table: Table,
        sleep: Callable[[float], Awaitable[Any]],
        run_out: Callable[[Wait], Awaitable[None]],
        tell: Callable[[Clock], None],
    ) -> None:
        self.table = table
        self.loop = asyncio.get_running_loop()
        self.sleep = sleep
        self.run_out = run_out
        self.tell = tell
        self.wait: Wait | None = None
        self.turn: tuple[Any, ...] = ()  # the turn being timed …
        self.began = 0.0  # … and when it began
        self.moment: Moment = ()  # of the game, and since when nobody has moved or come
        self.still_since = now(self.loop)
        self.ends_at = 0.0
        self.timer: asyncio.Task[None] | None = None
        self.announced = Clock()

    def set(self, wait: Wait | None, turn_seconds: float | None) -> None:
        """Restarts the timer if the table waits for something else.

        One time limit covers all steps of a turn, including steps taken back and reconnections; a player who returns
        to a lent seat gets the full time again.
        """
        if (moment := moment_of(self.table)) != self.moment:
            self.moment = moment
            self.be_patient()
        before = (self.wait, self.turn)
        if (turn := self.present_turn()) != self.turn:
            self.turn, self.began = turn, now(self.loop)
        if is_same((wait, turn), before):
            return
        self.wait = wait
        self.stop()
        if wait and wait.why == "days":  # housekeeping counts them, and they go on while nobody is here
            self.ends_at = self.began + wait.seconds
        elif wait:
            self.ends_at = now(self.loop) + wait.seconds
            if wait.seat is not None and turn_seconds:
                self.ends_at = min(self.ends_at, self.began + turn_seconds)
            self.timer = begin(self.run(wait))
        clock = self.showing()
        if clock.why or self.announced.why:
            self.announced = clock
            self.tell(clock)

    def present_turn(self) -> tuple[Any, ...]:
        table = self.table
        return table.match, len(table.card), table.turn, bool(table.computer_on_turn)

    def resume(self, seconds: float) -> None:
        """The present turn began so many seconds ago."""
        self.turn, self.began = self.present_turn(), now(self.loop) - seconds

    @property
    def still(self) -> float:
        """Seconds since a move, or since a player came back."""
        return now(self.loop) - self.still_since

    def be_patient(self) -> None:
        self.still_since = now(self.loop)

    def stop(self) -> None:
        if self.timer:
            self.timer.cancel()
        self.timer = None

    async def run(self, wait: Wait) -> None:
        await self.sleep(max(0.0, self.ends_at - now(self.loop)))
        self.timer = None  # from here on it must not be cancelled
        await self.run_out(wait)

    def showing(self) -> Clock:
        """Returns the remaining time as a message."""
        if self.wait is None:
            return Clock()
        return Clock(seat=self.wait.seat, seconds=round(max(0.0, self.ends_at - now(self.loop)), 1), why=self.wait.why)


def is_same(new: tuple[Wait | None, Any], old: tuple[Wait | None, Any]) -> bool:
    """True if the timer continues: same wait, same turn. The timeout of a seat that was left ignores turns."""
    wait = new[0]
    return wait == old[0] and (wait is None or wait.why == "left" or new[1] == old[1])


def now(loop: asyncio.AbstractEventLoop) -> float:
    return loop.time()


def begin(work: Coroutine[Any, Any, None]) -> asyncio.Task[None]:
    """Starts work of the table itself, whose log lines do not name the request that woke the table."""

    def start() -> asyncio.Task[None]:
        task = asyncio.create_task(work)
        task.add_done_callback(report)
        return task

    return Context().run(start)


def report(task: asyncio.Task[None]) -> None:
    """Logs an error that stopped a table's background task."""
    if not task.cancelled() and (error := task.exception()):
        log.error("table_stopped", exc_info=error)
