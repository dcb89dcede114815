"""Checks every checksum of a store, also while servers use it."""

from collections.abc import Iterator

from .checksums import checksum
from .errors import Disconnected, StoreError
from .moving import Advance, Damage, Side

STRAYS = """SELECT count(DISTINCT code) FROM (SELECT code FROM entries UNION ALL SELECT code FROM chunks) AS logs
    WHERE code <> '' AND code NOT IN (SELECT code FROM tables)"""
LAST = """SELECT max(last) FROM (SELECT max(number) AS last FROM entries WHERE code = ?
    UNION ALL SELECT max(last) FROM chunks WHERE code = ?) AS lasts"""


def damaged_logs(store: Side, advance: Advance) -> Iterator[Damage]:
    """Yields the logs with a damaged or missing entry. Raises Disconnected."""
    with store.reading() as connection:
        tables = connection.execute("SELECT code, watch FROM tables ORDER BY watch").fetchall()
        (strays,) = connection.execute(STRAYS).fetchone()
    advance(0, len(tables))
    for code, watch in tables:
        try:
            entries = store.entries(code)
            with store.reading() as connection:
                (last,) = connection.execute(LAST, (code, code)).fetchone()
        except Disconnected:
            raise
        except StoreError as error:
            yield Damage(watch, str(error).removesuffix("."))
        else:
            if not entries or len(entries) != last:
                yield Damage(watch, "Entries are missing")
        advance(1)
    if strays:
        yield Damage("", f"{strays:,} {'log belongs' if strays == 1 else 'logs belong'} to no table")


def damaged_starts(store: Side) -> Iterator[Damage]:
    """Yields the tables with a damaged start of a match or hole, which is only a cache. Raises StoreError."""
    with store.reading() as connection:
        question = (
            "SELECT tables.code, watch, number, state, checksum FROM starts JOIN tables USING (code) ORDER BY watch"
        )
        for code, watch, number, state, expected in connection.execute(question):
            if checksum(code, number, state) != expected:
                yield Damage(watch, f"The start after entry {number} is damaged")
