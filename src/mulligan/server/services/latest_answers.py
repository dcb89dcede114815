"""Answers that take long to compute: each is computed once for all who ask, and the latest are kept."""

import asyncio
from collections.abc import Callable, Coroutine
from typing import Any

from mulligan.server.log import log_rarely, reason
from mulligan.server.table.rights import Refusal


class LatestAnswers:
    """At most `kept` answers, of which at most `waiting` are being computed.

    A computation that fails is logged as `event`; then, and where too many wait, the refusal is `busy`.
    """

    def __init__(self, kept: int, waiting: int, event: str, busy: str) -> None:
        self.kept, self.most_waiting, self.event, self.busy = kept, waiting, event, busy
        self.tasks: dict[str, asyncio.Task[bytes]] = {}

    @property
    def waiting(self) -> int:
        """The number of questions without an answer yet."""
        return sum(not task.done() for task in list(self.tasks.values()))

    async def find(
        self, about: str, work: Callable[[], Coroutine[Any, Any, bytes]], admit: Callable[[], None]
    ) -> bytes:
        """Returns the answer to a question; if it is new, once `admit` lets it in. Raises Refusal."""
        task = self.tasks.pop(about, None)
        if task is None or (task.done() and task.exception()):
            admit()
            if self.waiting >= self.most_waiting:
                raise Refusal(self.busy)
            task = asyncio.create_task(work())
        self.tasks[about] = task
        while len(self.tasks) > self.kept:
            del self.tasks[next(iter(self.tasks))]
        try:
            return await asyncio.shield(task)
        except (OSError, TimeoutError, ValueError) as error:
            log_rarely(self.event, f"{about}: {reason(error)}", "error")
            raise Refusal(self.busy) from None

    def cancel(self) -> None:
        for task in self.tasks.values():
            task.cancel()
