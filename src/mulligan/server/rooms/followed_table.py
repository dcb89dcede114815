"""A table that another process owns, for spectators here: its log is read from the store as it grows."""

import asyncio
from contextlib import suppress

from mulligan.server.log import log_rarely, reason
from mulligan.server.store.shared_sql import Lease, Store
from mulligan.server.table.log_entries import decode
from mulligan.server.table.table import Table
from mulligan.server.wire.commands import Command
from mulligan.server.wire.replies import Refused

from .leases import Leases
from .listeners import Listener, Listeners
from .table_log import MOVED

READ_SECONDS = 0.5  # between two looks at the log
LOOKS_PER_LEASE = 4  # the lease is looked at less often


class FollowedTable:
    """Shows a table to spectators without asking its owner. Who is connected there is not known here.

    `lease` is the owner's, from before the table was read.
    """

    def __init__(self, table: Table, store: Store, leases: Leases, lease: Lease) -> None:
        self.table = table
        self.store = store
        self.leases = leases
        self.lease = lease
        self.listeners = Listeners(table)
        self.lock = asyncio.Lock()  # one read at a time: each begins after the last entry applied
        self.is_broken = False  # nothing more is read

    async def join(self, listener: Listener, last_event: int) -> None:
        """Adds a spectator."""
        if self.is_broken:  # since the connection was opened
            listener.close(MOVED)
            return
        if last_event > self.table.event:  # it has already seen more, at another process
            with suppress(OSError):
                await self.read()
        self.show_all_present()
        self.listeners.add(listener, last_event)

    async def join_again(self, listener: Listener, last_event: int) -> None:
        """Sends the current state again to a connection that repeats its Hello."""
        self.listeners.welcome(listener, last_event)

    def part(self, listener: Listener, is_silent: bool = False) -> None:
        self.listeners.remove(listener)
        self.listeners.tell_presence()

    async def command(self, listener: Listener, command: Command) -> None:
        self.listeners.tell(listener, Refused(id=command.id, error="watching"))

    async def command_at_once(self, listener: Listener, command: Command, is_warm: bool = True) -> bool:
        await self.command(listener, command)
        return True

    async def look(self, listener: Listener) -> None:
        """Does nothing: nobody asks where a spectator is."""

    def hurry(self, listener: Listener) -> None:
        """Does nothing: a spectator cannot skip a pause."""

    async def follow(self) -> None:
        """Passes on what happens at the table, until nobody is left, or the owner has died or has another lease.

        With each new lease the log may be another one: it is replaced when someone is deleted.
        """
        self.store.touch(self.table.code)
        looks = 0
        try:
            while self.listeners or not looks:
                await asyncio.sleep(READ_SECONDS)
                await self.read()
                looks += 1
                if looks % LOOKS_PER_LEASE == 0:
                    lease = await asyncio.to_thread(self.store.lease_of, self.table.code)
                    if lease != self.lease or not self.leases.is_other(lease.owner):
                        break
        except OSError as error:
            log_rarely("store_failed", reason(error), "error")

    def end(self) -> None:
        """Sends the spectators away; they connect again."""
        self.is_broken = True
        self.listeners.close_all(MOVED)

    async def read(self) -> None:
        """Reads the new entries of the log. Raises StoreError."""
        async with self.lock:
            found = await asyncio.to_thread(self.store.entries, self.table.code, self.table.event)
            entries = [decode(entry) for entry in found]
            for entry in entries:
                self.table.apply(entry)
            if entries:
                self.show_all_present()
                self.listeners.tell_entries(entries)

    def show_all_present(self) -> None:
        self.listeners.present = {seat.guest for seat in self.table.seats}
