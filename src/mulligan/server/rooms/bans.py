"""The guests who may not take part."""

import asyncio

from mulligan.server.store.shared_sql import Store


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
