"""Time that jumps from one thing to the next, and processes that live in it and can be killed between any two.

Everything that happens in a world is one callback after another, ordered by time and then by who asked
first. A `Process` is an asyncio event loop over that time: the server runs in it as it is, its threads
replaced by callbacks. A process that is killed never runs another line.
"""

import asyncio
import contextvars
import heapq
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from itertools import count
from random import Random
from typing import Any

MOST_CALLBACKS = 3_000_000  # a world that needs more goes round in circles


class Stuck(AssertionError):
    """Something went on for ever, or would have."""


class Timeline:
    """The one clock of a world, in seconds, and all that is still to happen."""

    def __init__(self, start: float) -> None:
        self.now = start
        self.ahead: list[tuple[float, int, Callable[..., Any], tuple[Any, ...]]] = []
        self.number = count()
        self.callbacks = 0

    def at(self, when: float, callback: Callable[..., Any], *arguments: Any) -> None:
        heapq.heappush(self.ahead, (max(when, self.now), next(self.number), callback, arguments))

    def after(self, seconds: float, callback: Callable[..., Any], *arguments: Any) -> None:
        self.at(self.now + seconds, callback, *arguments)

    def run_until(self, when: float, is_done: Callable[[], bool] = lambda: False) -> bool:
        """Lets everything happen up to that time; stops early, and says so, once that is done."""
        while self.ahead and self.ahead[0][0] <= when:
            if is_done():
                return True
            self.now, _, callback, arguments = heapq.heappop(self.ahead)
            self.callbacks += 1
            if self.callbacks > MOST_CALLBACKS:
                raise Stuck(f"{MOST_CALLBACKS:,} callbacks, and no end")
            callback(*arguments)
        self.now = max(self.now, when)
        return is_done()

    @contextmanager
    def on_the_wall(self) -> Iterator[None]:
        """Meanwhile it is this clock that `time.monotonic` shows."""
        real, time.monotonic = time.monotonic, lambda: self.now
        try:
            yield
        finally:
            time.monotonic = real


class Process(asyncio.AbstractEventLoop):
    """One process of the server: an event loop of asyncio, until it is killed."""

    def __init__(self, timeline: Timeline, dice: Random) -> None:
        self.timeline = timeline
        self.dice = dice
        self.is_alive = True
        self.faults: list[str] = []
        self.tasks: list[asyncio.Task[Any]] = []
        self.doom: Callable[[], None] | None = None
        self.callbacks_left = 0
        self.slept = 0.0  # by the thread that runs now, in seconds

    # Death

    def die_after(self, callbacks: int, doom: Callable[[], None]) -> None:
        """So many callbacks more, and it is killed; with none, at once, whatever was said before."""
        if self.doom is None:
            self.doom, self.callbacks_left = doom, callbacks
        if callbacks == 0:
            self.timeline.at(self.timeline.now, self.die)

    def die(self) -> None:
        if self.is_alive and self.doom is not None:
            self.is_alive = False
            self.doom()

    def bury(self) -> None:
        """Ends what was left running, once nobody can be harmed by it any more."""
        self.is_alive = False
        for task in self.tasks:
            if not task.done():
                task._log_destroy_pending = False  # type: ignore[attr-defined]
                with suppress(RuntimeError, ValueError):  # it would rather have gone on
                    task.get_coro().close()  # type: ignore[union-attr]
        self.tasks.clear()

    # What asyncio asks of a loop

    def time(self) -> float:
        return self.timeline.now

    def call_soon(self, callback: Any, *args: Any, context: contextvars.Context | None = None) -> asyncio.Handle:
        handle = asyncio.Handle(callback, args, self, context)
        if self.is_alive:
            self.timeline.at(self.timeline.now, self.turn, handle)
        return handle

    call_soon_threadsafe = call_soon  # there are no threads

    def call_at(
        self, when: float, callback: Any, *args: Any, context: contextvars.Context | None = None
    ) -> asyncio.TimerHandle:
        handle = asyncio.TimerHandle(when, callback, args, self, context)
        if self.is_alive:
            self.timeline.at(when, self.turn, handle)
        return handle

    def call_later(
        self, delay: float, callback: Any, *args: Any, context: contextvars.Context | None = None
    ) -> asyncio.TimerHandle:
        return self.call_at(self.time() + delay, callback, *args, context=context)

    def turn(self, handle: asyncio.Handle) -> None:
        """One callback, if the process lives that long."""
        if not self.is_alive or handle.cancelled():
            return
        asyncio._set_running_loop(self)
        try:
            handle._run()  # type: ignore[attr-defined]
        finally:
            asyncio._set_running_loop(None)
        if self.doom is not None:
            self.callbacks_left -= 1
            if self.callbacks_left <= 0:
                self.die()

    def create_future(self) -> asyncio.Future[Any]:
        return asyncio.Future(loop=self)

    def create_task(self, coro: Any, **options: Any) -> asyncio.Task[Any]:
        task: asyncio.Task[Any] = asyncio.Task(coro, loop=self, **options)
        self.tasks.append(task)
        if len(self.tasks) > 200:
            self.tasks = [other for other in self.tasks if not other.done()]
        return task

    def run_in_executor(self, executor: Any, func: Callable[..., Any], *args: Any) -> asyncio.Future[Any]:
        """A thread: it takes its time, does its work in one go, and its answer takes its time again."""
        if executor is not None and executor._shutdown:
            raise RuntimeError("cannot schedule new futures after shutdown")
        future = self.create_future()

        def work() -> None:
            if not self.is_alive:
                return
            self.slept = 0.0
            try:
                result, error = func(*args), None
            except Exception as caught:
                result, error = None, caught
            self.call_later(self.slept + self.dice.random() * 0.002, answer, result, error)

        def answer(result: Any, error: Exception | None) -> None:
            if future.cancelled():
                return
            if error is None:
                future.set_result(result)
            else:
                future.set_exception(error)

        self.timeline.after(self.dice.random() * 0.003, work)
        return future

    def call_exception_handler(self, context: dict[str, Any]) -> None:
        """What asyncio would only log is a fault of the server."""
        error = context.get("exception")
        self.faults.append(f"{context.get('message')}: {error!r}")

    def default_exception_handler(self, context: dict[str, Any]) -> None:
        self.call_exception_handler(context)

    def _timer_handle_cancelled(self, handle: asyncio.TimerHandle) -> None:
        pass

    def get_task_factory(self) -> None:
        return None

    def get_debug(self) -> bool:
        return False

    def is_running(self) -> bool:
        return self.is_alive

    def is_closed(self) -> bool:
        return not self.is_alive

    async def shutdown_default_executor(self, timeout: float | None = None) -> None:
        pass

    async def shutdown_asyncgens(self) -> None:
        pass
