"""The guests who may not take part."""

import asyncio
from collections.abc import Awaitable, Callable
from contextlib import suppress

from mulligan.server.store.base import Store
from mulligan.server.store.errors import StoreError

READ_AGAIN = 10.0  # seconds, if other processes may add bans to the same store


class Bans:
    """The bans in the store, kept in memory."""

    def __init__(self, store: Store) -> None:
        self.store = store
        self.guests: frozenset[str] = frozenset()

    def __contains__(self, guest: str) -> bool:
        return guest in self.guests

    def __len__(self) -> int:
        return len(self.guests)

    def read(self) -> list[tuple[str, float, str]]:
        """Returns the banned guests, since when, and why. Raises StoreError if the database cannot be read."""
        bans = self.store.bans()
        self.guests = frozenset(guest for guest, _, _ in bans)
        return bans

    async def add(self, guest: str, since: float, reason: str) -> None:
        """Bans a guest once that is on disk. Raises StoreError if the disk fails."""
        await asyncio.wrap_future(self.store.ban(guest, since, reason))
        self.guests |= {guest}

    async def remove(self, guest: str) -> None:
        """Lifts a ban. Raises StoreError if the disk fails."""
        await asyncio.wrap_future(self.store.unban(guest))
        self.guests -= {guest}

    async def keep_current(self, shut_out: Callable[[str], Awaitable[None]], is_needed: asyncio.Event) -> None:
        """Learns of the bans of other processes while there are tables here, and shuts these guests out here too."""
        while True:
            await is_needed.wait()
            await asyncio.sleep(READ_AGAIN)
            known = self.guests
            with suppress(StoreError):  # next time
                await asyncio.to_thread(self.read)
            for guest in self.guests - known:
                await shut_out(guest)
