"""A table before the pack for a match's draw is sealed, so that a read can begin there and not at the start of the log.

It is only a cache: the log stays the only truth.
"""

import msgspec

from mulligan.server.wire.base import Thing
from mulligan.server.wire.events import Chatted, Said
from mulligan.server.wire.tables import TableOptions

from .log_entries import Offered
from .seat import Seat

RECENT = 1000  # entries before a match whose events and commands are remembered during the match


class State(Thing, forbid_unknown_fields=True):
    """What is left of former matches. The fields are named as in Table."""

    event: int
    settled: int
    length: int
    talked: int
    match: int
    owner: str
    options: TableOptions
    seats: list[Seat]
    finished: list[str]
    removed: set[str]
    ready: set[int]
    links: list[str]
    together: bool
    secret: bytes
    offers: dict[str, Offered]
    talk: list[Said | Chatted]


write = msgspec.json.Encoder(order="deterministic").encode
read = msgspec.json.Decoder(State).decode
