"""A bounded cache of each guest's latest commands; one guest's commands do not evict another's."""

from collections.abc import Callable
from typing import Generic, TypeVar

T = TypeVar("T")


class Memory(Generic[T]):
    """Keeps the latest values of each guest by command id, for the guests seen most recently."""

    def __init__(self, each: int, guests: int) -> None:
        self.each, self.guests = each, guests
        self.things: dict[str, dict[str, T]] = {}  # the guest seen last comes last

    def keep(self, guest: str, number: str, thing: T) -> None:
        own = self.things[guest] = self.things.pop(guest, {})
        own.pop(number, None)
        own[number] = thing
        forget_first(own, self.each)
        forget_first(self.things, self.guests)

    def forget(self, is_old: Callable[[T], bool]) -> None:
        for guest, own in [*self.things.items()]:
            self.things[guest] = {number: thing for number, thing in own.items() if not is_old(thing)}
            if not self.things[guest]:
                del self.things[guest]

    def find(self, guest: str, number: str) -> T | None:
        return self.things.get(guest, {}).get(number)


def forget_first(things: dict[str, T], most: int) -> None:
    if len(things) > most:
        del things[next(iter(things))]
