"""Moves a guest's seats to another device: the old device creates a key, the new one presents it once."""

import hashlib
import re
from collections.abc import Iterator

from mulligan.server.wire.commands import MoveHere, Offer

from .log_entries import Entry, Moved, Offered
from .rights import Asker, Refusal, must_be_seated
from .table import Table

KEY = re.compile(r"[0-9a-f]{32}")
GOOD_FOR = 3600.0  # seconds


def offer(table: Table, asker: Asker, command: Offer) -> Iterator[Entry]:
    """Stores the hash of a key for another device, replacing the guest's earlier offer. Raises Refusal."""
    must_be_seated(table, asker)
    if not KEY.fullmatch(command.key):
        raise Refusal("no_such_offer")
    key = hashed(command.key)
    if any(offered.key == key for guest, offered in table.offers.items() if guest != asker.guest):
        raise Refusal("no_such_offer")  # the key would open another guest's seat
    yield Offered(guest=asker.guest, key=key, until=asker.now + GOOD_FOR)


def move_here(table: Table, asker: Asker, command: MoveHere) -> Iterator[Entry]:
    """Transfers the seats of the guest who created the key to the asker. Raises Refusal."""
    key = hashed(command.key) if KEY.fullmatch(command.key) else ""
    for offered in table.offers.values():
        if offered.key == key and 0 < offered.until - asker.now <= GOOD_FOR:  # more is left if the clock was set back
            break
    else:
        raise Refusal("no_such_offer")
    yield Moved(guest=offered.guest, to=asker.guest)


def hashed(key: str) -> str:
    return hashlib.sha256(key.encode()).hexdigest()
