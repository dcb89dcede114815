"""Compresses the logs of tables that nobody uses, ends abandoned matches, and later deletes their tables.

Age is counted in hours of running time and never taken from the wall clock, which may be wrong.
"""

import asyncio
from contextlib import suppress

from mulligan.server.log import log, log_rarely, reason
from mulligan.server.store.errors import DamagedEntry
from mulligan.server.table.rights import Refusal

from .days import see_to_knocks, see_to_turns
from .persons import note_older_tables
from .registry import Registry

DAY = 24  # hours
COMPRESSED_AFTER = DAY
GIVEN_UP_AFTER = 30 * DAY
KEEP_DAYS = 90  # unless the host chooses otherwise
DELETED_AFTER = 7 * DAY  # after it was marked; any visit clears the mark
SHARE = 100  # at most one table in this many is deleted per hour, so that a bug deletes at most a fifth in a day
JUMP = 300.0  # seconds of difference between the expected and actual wall clock before a warning
LONG_OFF = 3 * 86_400.0  # seconds without a server before a warning about the wall clock
HOUR = 3600.0  # seconds
SOON, LATER = 5.0, 600.0  # seconds until another try after a failure: at first, and after many


class Housekeeping:
    """Checks the tables of a registry once an hour. Deletes those without a visit for `keep_days` days."""

    def __init__(self, registry: Registry, keep_days: int = KEEP_DAYS) -> None:
        self.registry = registry
        self.marked_after = keep_days * DAY - DELETED_AFTER
        self.given_up: set[str] = set()  # codes of abandoned tables whose matches were ended
        self.unreadable: set[str] = set()  # codes of older tables whose damaged logs nobody can add to
        self.clock = 0.0  # the wall clock's time …
        self.since = 0.0  # … at this time of the loop; 0 before the first check

    async def keep_on(self) -> None:
        """Runs housekeeping every hour. Unfinished hours do not count, so repeated restarts age no table."""
        await self.registry.is_warm.wait()
        while True:
            ends, pause = now() + HOUR, SOON
            while not await self.keep_house() and now() + pause < ends:
                await asyncio.sleep(pause)
                pause = min(pause * 2, LATER)
            await asyncio.sleep(ends - now())
            with suppress(OSError):
                if await asyncio.to_thread(self.registry.store.leads):
                    self.registry.store.count_hour(self.registry.clock())

    async def keep_house(self) -> bool:
        """Checks all tables once. Returns False if the store failed meanwhile."""
        try:
            await self.look_at_clock()
            await see_to_turns(self.registry)
            await see_to_knocks(self.registry)
            if await asyncio.to_thread(self.registry.store.leads):
                await self.tidy()
                self.unreadable = await note_older_tables(self.registry, self.unreadable)
                await self.compress()
                await self.tend_store()
        except OSError as error:
            log_rarely("housekeeping_failed", reason(error), "error")
            return False
        return True

    async def look_at_clock(self) -> None:
        """Logs a warning if the wall clock jumped. Nothing else depends on it. Raises StoreError."""
        noted = 0.0 if self.since else await asyncio.to_thread(self.registry.store.clock_noted)
        shown, passed = self.registry.clock(), now()
        if self.since:
            off = shown - self.clock - (passed - self.since)
            has_jumped = abs(off) > JUMP
        else:
            off = shown - noted if noted else 0.0
            has_jumped = off < -JUMP or off > LONG_OFF  # or the server was off for that long
        if has_jumped:
            log.warning("clock_jumped", seconds=round(off))
        self.clock, self.since = shown, passed

    async def tidy(self) -> None:
        registry, store = self.registry, self.registry.store
        ended = deleted = 0
        forgotten = await asyncio.to_thread(store.unseen, GIVEN_UP_AFTER)
        self.given_up.intersection_update(forgotten)  # the other tables are in use again
        for code in forgotten:
            try:
                live = None if code in self.given_up else await registry.live_table(code)
            except Refusal:  # its log is damaged
                continue
            if live and not live.listeners:
                await live.give_up()
                if not live.is_broken:  # if the disk failed, try again in an hour
                    self.given_up.add(code)
                ended += 1
        await asyncio.wrap_future(store.mark(self.marked_after))
        due = await asyncio.to_thread(store.marked, DELETED_AFTER)
        most = max(1, await asyncio.to_thread(store.count_tables) // SHARE)
        for code in due[:most]:
            used = registry.tables.get(code)
            if used is not None and used.listeners:
                store.touch(code)
                continue
            registry.tables.pop(code, None)
            self.given_up.discard(code)
            await asyncio.wrap_future(store.remove(code))
            registry.metrics.failing.discard(code)
            deleted += 1
        if ended or deleted:
            log.info("housekeeping", looked_after=ended, removed=deleted, left=len(due[most:]))

    async def compress(self) -> None:
        """Compresses the logs of unused tables. A table that is used again goes on as usual."""
        store, compressed = self.registry.store, 0
        for code in await asyncio.to_thread(store.uncompressed, COMPRESSED_AFTER):
            try:
                while written := await asyncio.to_thread(store.compress, code):
                    await asyncio.wrap_future(written)
                compressed += 1
            except DamagedEntry as error:
                watch = await asyncio.to_thread(store.watch_of, code)
                log_rarely("table_unreadable", reason(error), "error", table=watch or "")
        if compressed:
            log.info("logs_compressed", tables=compressed)

    async def tend_store(self) -> None:
        """Lets the store do its upkeep, in steps that moves need not wait for."""
        while written := await asyncio.to_thread(self.registry.store.tend):
            await asyncio.wrap_future(written)


def now() -> float:
    return asyncio.get_running_loop().time()
