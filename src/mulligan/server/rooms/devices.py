"""The devices of people who keep their place: which guest each stands for."""

import asyncio

from mulligan.server.store.people import Device, People
from mulligan.server.store.shared_sql import Store


class Devices:
    """The devices in the store, kept in memory. All others stand for themselves."""

    def __init__(self, store: Store) -> None:
        self.people = People(store)
        self.is_shared = store.is_shared
        self.known: dict[str, Device] = {}

    def read(self) -> None:
        """Reads all devices again. Raises StoreError if the database cannot be read."""
        self.known = {device.device: device for device in self.people.devices()}

    def guest_of(self, device: str) -> str:
        """Returns the guest for whom a device stands, as far as this process knows."""
        known = self.known.get(device)
        return known.guest if known else device

    async def find(self, device: str) -> str:
        """Returns the guest for whom a device stands. Raises StoreError."""
        if not self.is_shared:  # no other process can have changed it
            return self.guest_of(device)
        return await asyncio.to_thread(self.people.guest_of, device) or device

    async def add(self, device: Device) -> None:
        """Keeps a device, or whom it stands for now. Raises StoreError."""
        await asyncio.wrap_future(self.people.add_device(device))
        self.known[device.device] = device

    async def remove(self, device: str) -> None:
        """Lets a device stand for itself again. Raises StoreError."""
        await asyncio.wrap_future(self.people.remove_device(device))
        self.known.pop(device, None)

    def of(self, guest: str) -> list[Device]:
        """Returns the devices of a guest, the earliest first."""
        return sorted((device for device in self.known.values() if device.guest == guest), key=lambda one: one.since)
