"""Playing on from another device: a key made up on the old one is shown on the new one, once."""

import hashlib
import re
from collections.abc import Iterator

from .entries import Entry, Moved, Offered
from .messages import MoveHere, Offer
from .rights import Asker, Refusal, must_be_seated
from .table import Table

KEY = re.compile(r"[0-9a-f]{32}")
GOOD_FOR = 3600.0  # seconds


def offer(table: Table, asker: Asker, command: Offer) -> Iterator[Entry]:
    """Only the hash of the key is kept; a later offer of the same guest voids the earlier one."""
    must_be_seated(table, asker)
    if not KEY.fullmatch(command.key):
        raise Refusal("no_such_offer")
    key = hashed(command.key)
    if any(offered.key == key for guest, offered in table.offers.items() if guest != asker.guest):
        raise Refusal("no_such_offer")  # it would open another's seat
    yield Offered(guest=asker.guest, key=key, until=asker.now + GOOD_FOR)


def move_here(table: Table, asker: Asker, command: MoveHere) -> Iterator[Entry]:
    key = hashed(command.key) if KEY.fullmatch(command.key) else ""
    for offered in table.offers.values():
        if offered.key == key and asker.now < offered.until:
            break
    else:
        raise Refusal("no_such_offer")
    yield Moved(guest=offered.guest, to=asker.guest)


def hashed(key: str) -> str:
    return hashlib.sha256(key.encode()).hexdigest()
