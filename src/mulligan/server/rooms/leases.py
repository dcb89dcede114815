"""Keeps the leases of this process's tables, in a store that several server processes share."""

import asyncio
from collections.abc import Mapping

from mulligan.server.log import log, log_rarely, reason
from mulligan.server.store.shared_sql import Store

from .live_table import LiveTable
from .table_log import MOVED

BEAT_SECONDS = 2.0  # between two heartbeats
EXPIRED = 10.0  # seconds without a heartbeat after which a process counts as dead, to itself and to others
FORGOTTEN = 3600.0  # seconds after which the leases of a dead process are removed


class Leases:
    """The heartbeat of this process, while it has tables or follows some.

    `tables` are the tables that it owns, by code; `followed` are those that it follows.
    """

    def __init__(
        self, store: Store, name: str, tables: Mapping[str, LiveTable], followed: Mapping[str, object]
    ) -> None:
        self.store = store
        self.name = name
        self.tables = tables
        self.followed = followed
        self.is_needed = asyncio.Event()
        self.asked = 0.0  # when the heartbeat was last needed
        self.renewed = 0.0  # when the latest successful heartbeat began
        self.beats: dict[str, tuple[int, float]] = {}  # of each process, 0 if not read yet, and when they last changed
        self.heard: set[str] = set()  # processes that have beaten since the heartbeat began

    def wake(self) -> None:
        """Starts the heartbeat, if it rests. Every process known from before gets the time to show that it lives."""
        self.asked = now()
        if not self.is_needed.is_set():
            self.is_needed.set()
            self.renewed = now()
            self.beats = {name: (0, now()) for name in self.beats}
            self.heard.clear()

    async def keep_on(self) -> None:
        """Beats until it is cancelled."""
        while True:
            await self.is_needed.wait()
            try:
                await self.beat()
            except OSError as error:
                log_rarely("no_heartbeat", reason(error), "error")
                if now() - self.renewed > EXPIRED:
                    self.drop([*self.tables.values()], "expired")
            await asyncio.sleep(BEAT_SECONDS)
            if not self.tables and not self.followed and now() - self.asked > 2 * BEAT_SECONDS:
                self.is_needed.clear()

    async def beat(self) -> None:
        """Tells the other processes that this one lives, and drops the tables that another one has taken over."""
        began, held = now(), dict(self.tables)
        beats, owned = await asyncio.to_thread(self.store.beat, self.name)
        self.renewed = began
        for name, count in beats.items():
            if (known := self.beats.get(name, (0, 0.0))[0]) != count:
                self.beats[name] = count, began
                if known:
                    self.heard.add(name)
            elif name != self.name and began - self.beats[name][1] > FORGOTTEN:
                await asyncio.to_thread(self.store.end_leases, name)
        self.beats = {name: seen for name, seen in self.beats.items() if name in beats}
        self.drop([live for code, live in held.items() if code not in owned], "taken_over")

    def drop(self, lost: list[LiveTable], why: str) -> None:
        """Closes tables that this process no longer owns; their clients connect again."""
        for live in lost:
            if not live.is_broken:
                log.info("lease_lost", table=live.table.watch, why=why)
                live.log.fail(MOVED)

    def is_other(self, owner: str) -> bool:
        """True if the owner of a table is another process, and alive."""
        return owner != self.name and self.is_alive(owner)

    def is_alive(self, name: str) -> bool:
        """True if a process has sent a heartbeat lately; one that is new here gets the time to show it."""
        return bool(name) and now() - self.beats.setdefault(name, (0, now()))[1] <= EXPIRED

    async def is_heard(self, name: str) -> bool:
        """Waits for a heartbeat of another process. Returns False once it counts as dead."""
        self.wake()
        while self.is_alive(name) and name not in self.heard:
            await asyncio.sleep(BEAT_SECONDS / 2)
            self.wake()
        return self.is_alive(name)


def now() -> float:
    return asyncio.get_running_loop().time()
