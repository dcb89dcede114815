"""Reads a part of a table's log: one match, or from the latest one on. After many matches it costs no more."""

from functools import cache
from hashlib import sha256
from pathlib import Path
from typing import NamedTuple

import mulligan.server
from mulligan.server.store.base import END, Start, Store
from mulligan.server.table.log_entries import Opened, decode
from mulligan.server.table.match_start import RECENT
from mulligan.server.table.table import Table

FOLDERS = ("table", "wire")  # of the server, whose code decides what the start of a match means


class Slice(NamedTuple):
    """A part of a log, and the table before it. Without entries there is no such table."""

    table: Table
    entries: list[bytes]


def latest(store: Store, code: str) -> Slice:
    """Returns the log from the start of the latest match. Raises StoreError."""
    start = store.start(code, version())
    after = max(0, start.after - RECENT) if start else 0
    entries = store.entries(code, after)
    if start:
        former = start.after - after
        try:
            table = Table.at_start(opening(store, code), start, list(map(decode, entries[:former])))
            return Slice(table, entries[former:])
        except ValueError:  # what cannot be read is as good as none
            entries = store.entries(code)
    return Slice(Table(), entries)


def of_match(store: Store, code: str, match: int) -> Slice:
    """Returns the log of a match, or more of it if it is not known where the match starts. Raises StoreError."""
    following = store.start(code, version(), match + 1)
    until = following.after if following and following.match == match + 1 else END
    if start := store.start(code, version(), match):
        try:
            return Slice(Table.at_start(opening(store, code), start), store.entries(code, start.after, until))
        except ValueError:
            pass
    return Slice(Table(), store.entries(code, 0, until))


def opening(store: Store, code: str) -> Opened:
    """Returns the first entry of a log. Raises ValueError if there is none."""
    for entry in store.entries(code, 0, 1):
        opened = decode(entry)
        assert isinstance(opened, Opened)
        return opened
    raise ValueError("there is no such table")


@cache
def version() -> str:
    """Returns a digest of the code that decides what the start of a match means."""
    server = Path(next(iter(mulligan.server.__path__)))
    sources = [path.read_bytes() for folder in FOLDERS for path in sorted((server / folder).glob("*.py"))]
    return sha256(b"".join(sources)).hexdigest()[:16]


def signed(start: Start) -> Start:
    """Returns a start with the version of the code that made it, as the store keeps it."""
    return start._replace(version=version())
