"""Reads a part of a table's log: one match, or from the latest hole on. After many of them it costs no more."""

from collections.abc import Sequence
from contextlib import suppress
from functools import cache
from hashlib import sha256
from pathlib import Path
from typing import NamedTuple

import mulligan
from mulligan.server.store.shared_sql import END, Start, Store
from mulligan.server.table import starts
from mulligan.server.table.log_entries import Opened, decode
from mulligan.server.table.starts import RECENT, State
from mulligan.server.table.table import Table

FOLDERS = ("engine", "game", "server/table", "server/wire")  # whose code decides what a start means


class Slice(NamedTuple):
    """A part of a log. Without entries there is no such table."""

    entries: list[bytes]
    opened: Opened | None = None  # the first entry of the log, if the part begins later
    state: State | None = None  # of the table before the part
    former: Sequence[bytes] = ()  # the last entries before the part

    def table(self) -> Table:
        """Returns the table before the entries; only once, because the table takes the state over."""
        if self.opened is None or self.state is None:
            return Table()
        return Table.at_start(self.opened, self.state, list(map(decode, self.former)))


def latest(store: Store, code: str) -> Slice:
    """Returns the log from the latest start of a match or hole. Raises StoreError."""
    if known := known_start(store, code):
        opened, state = known
        after = max(0, state.event - RECENT)
        entries = store.entries(code, after)
        former = state.event - after
        return Slice(entries[former:], opened, state, entries[:former])
    return Slice(store.entries(code))


def of_match(store: Store, code: str, match: int) -> Slice:
    """Returns the log of a match, or more of it if it is not known where the match starts. Raises StoreError."""
    following = store.start(code, version(), match + 1)
    until = following.after if following and following.match == match + 1 else END
    if known := known_start(store, code, match):
        opened, state = known
        return Slice(store.entries(code, state.event, until), opened, state)
    return Slice(store.entries(code, 0, until))


def known_start(store: Store, code: str, match: int | None = None) -> tuple[Opened, State] | None:
    """Returns the first entry of a log, and the table at a start, if it is known and can be read."""
    start = store.start(code, version(), match)
    with suppress(ValueError):  # what cannot be read is as good as none
        return start and (opening(store, code), starts.read(start.state))
    return None


def opening(store: Store, code: str) -> Opened:
    """Returns the first entry of a log. Raises ValueError if there is none."""
    for entry in store.entries(code, 0, 1):
        opened = decode(entry)
        assert isinstance(opened, Opened)
        return opened
    raise ValueError("there is no such table")


@cache
def version() -> str:
    """Returns a digest of the code that decides what the start of a match or hole means."""
    package = Path(next(iter(mulligan.__path__)))
    sources = [path.read_bytes() for folder in FOLDERS for path in sorted((package / folder).glob("*.py"))]
    return sha256(b"".join(sources)).hexdigest()[:16]


def start_since(table: Table, event: int) -> Start | None:
    """Returns the table's latest start as the store keeps it, or None if it lies before an event."""
    start = table.start
    return start._replace(version=version()) if start and start.after >= event else None
