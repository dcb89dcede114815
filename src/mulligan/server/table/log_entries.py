"""The entries of a table's log: the public events, and the private entries that only the server reads."""

from collections.abc import Iterable
from typing import TypeGuard, TypeVar

import msgspec

from mulligan.server.wire.base import Message, Thing
from mulligan.server.wire.events import Chatted, Event
from mulligan.server.wire.tables import SeatRequest, TableOptions
from mulligan.server.wire.view import Practice, Step

T = TypeVar("T")


class Position(Thing):
    """A position of a finished hole to play on from; seats and dealer are numbered as at the new table."""

    practice: Practice
    dealer: int
    first_discard: str
    steps: list[Step]


class Opened(Message):
    """The table was opened; always the first entry."""

    table: str
    watch: str
    game: str
    owner: str  # a guest, identified by the hash of their token
    seats: list[SeatRequest]
    options: TableOptions
    rules: str  # the text of the variant file, so that later changes do not affect this table
    position: Position | None = None  # only at a practice table
    real_cards: bool = False  # the cards came from elsewhere, and the game was entered afterwards
    on_device: bool = False  # they came from a device that played without the server
    holes: int = 0  # with real cards: the number of holes if the match was ended early, otherwise 0
    language: str = ""  # of the person who opened the table, if it is supported; otherwise ""
    house_rules: dict[str, int | str] = {}
    who_key: str = ""  # once someone was taken out of this log: the key of before, in hexadecimal digits (`Table.who`)


class Ruled(Message):
    """The rules of the game that is chosen next: the text of the variant file, as in Opened."""

    rules: str


class Held(Message):
    """The guest holds the seat until the player leaves it."""

    seat: int
    guest: str


class Secret(Message):
    """The seed of the next sealed pack, in hexadecimal digits."""

    seed: str


class Removed(Message):
    """The owner or the operator removed the guest, who may not sit down again until the match is over."""

    guest: str


class Readmitted(Message):
    """Removed players may sit down again."""


class Linked(Message):
    """Players find the table by this code from now on; older codes only work for guests with a seat and the owner."""

    code: str


class WatchLinked(Message):
    """Spectators find the table by this code from now on; older codes no longer work."""

    code: str


class Offered(Message):
    """The guest may move to the device that presents the key with this hash, until a time in seconds since 1970."""

    guest: str
    key: str
    until: float


class Moved(Message):
    """All seats and rights of the guest at this table were transferred to another guest."""

    guest: str
    to: str


class Done(Message):
    """The guest's command with this id was executed and must not be executed again."""

    guest: str
    id: str


PRIVATE = Opened | Ruled | Held | Secret | Removed | Readmitted | Linked | WatchLinked | Offered | Moved | Done
Entry = Event | PRIVATE
UNTOLD = frozenset(PRIVATE.__args__)

encode = msgspec.json.Encoder().encode
decode = msgspec.json.Decoder(Entry).decode


def is_public(entry: Entry) -> TypeGuard[Event]:
    return type(entry) not in UNTOLD


def without_chat(events: Iterable[T]) -> list[T]:
    return [event for event in events if not isinstance(event, Chatted)]
