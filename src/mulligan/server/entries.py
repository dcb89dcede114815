"""What the log of a table holds: the events everybody is told of, and what the server alone must know."""

from typing import TypeGuard

import msgspec

from .messages import Event, Message, Practice, SeatWish, Step, TableOptions, Thing


class Position(Thing):
    """A position of a finished hole, to be played on from; seats and dealer as at the new table."""

    practice: Practice
    dealer: int
    first_discard: str
    steps: list[Step]


class Opened(Message):
    """The table is set up; always the first entry."""

    table: str
    watch: str
    game: str
    owner: str  # a guest, by the hash of the token
    seats: list[SeatWish]
    options: TableOptions
    rules: str = ""  # the variant file, so that the table keeps its rules; logs of wire version 1 lack it
    position: Position | None = None  # at a table for practice
    real_cards: bool = False  # it was played at a real table, and then told
    holes: int = 0  # with real cards, where a match was left after so many holes


class Held(Message):
    """The guest holds the seat from now on, until somebody leaves it."""

    seat: int
    guest: str


class Secret(Message):
    """The seed of the pack that is sealed next, in hexadecimal digits."""

    seed: str


class Shuffled(Message):
    """In logs of wire version 1: the pack of the next hole is shuffled from this seed."""

    seed: str


class Offered(Message):
    """The guest may move to whichever device shows the key of that hash, until then (seconds since 1970)."""

    guest: str
    key: str
    until: float


class Moved(Message):
    """Everything the guest held at this table is the other guest's."""

    guest: str
    to: str


class Done(Message):
    """The guest's command of that id has happened, and is not to happen again."""

    guest: str
    id: str


PRIVATE = Opened | Held | Secret | Shuffled | Offered | Moved | Done
Entry = Event | PRIVATE

encode = msgspec.json.Encoder().encode
decode = msgspec.json.Decoder(Entry).decode


def is_public(entry: Entry) -> TypeGuard[Event]:
    return type(entry) not in PRIVATE.__args__
