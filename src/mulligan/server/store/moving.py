"""Moves all games from one store to another: from SQLite to PostgreSQL, back, or to another place of the same kind.

The names of the database tables come from the database itself, so a new one needs no change here. Everything is written
and checked in one transaction, so an interrupted move leaves an empty target.
"""

from collections.abc import Callable, Iterator, Sequence
from contextlib import AbstractContextManager, contextmanager, suppress
from hashlib import sha256
from itertools import chain, islice
from typing import Any, NamedTuple, Protocol

from .errors import Disconnected, StoreError
from .schema import must_be_known, scripts_after
from .shared_sql import ROWS, Connection

STAY = {"processes", "schema_version", "_litestream_lock", "_litestream_seq"}  # these belong to one database
LEASES = {"tables": {"owner", "epoch"}}  # columns that stay; a server takes new leases
NEVER_EMPTY = {"life"}  # has a row even in a new database

Advance = Callable[..., None]  # takes the steps just done, and the number of all steps once it is known


class Side(Protocol):
    """A store that no server uses meanwhile. It has one connection, so it reads what it wrote before the commit."""

    place: str  # for messages, with a capital

    def names(self) -> set[str]:
        """Returns the names of all database tables."""

    def scan(self, name: str, columns: Sequence[str]) -> Iterator[Sequence[Any]]:
        """Yields all rows of a database table without holding them in memory. Raises StoreError."""

    def reading(self) -> AbstractContextManager[Connection]:
        """Lends the connection. Raises StoreError."""

    def entries(self, code: str) -> list[bytes]:
        """Returns a table's log. Raises StoreError if it is damaged."""

    def close(self) -> None:
        """Closes the database."""


class Damage(NamedTuple):
    """A log that does not replay or match its checksums: the table's spectators' code, and why."""

    watch: str
    why: str

    def __str__(self) -> str:
        return f"The log of table {self.watch} is damaged ({self.why})" if self.watch else self.why


class Moved(NamedTuple):
    """What a move has copied."""

    tables: int
    entries: int
    damaged: list[Damage]  # logs that were damaged before; they are copied as they are


class Tally:
    """The number of rows and the sum of their hashes, which does not depend on their order."""

    def __init__(self) -> None:
        self.count = 0
        self.total = 0

    def add(self, rows: Sequence[Sequence[Any]]) -> None:
        self.count += len(rows)
        self.total += sum(int.from_bytes(sha256(repr(tuple(row)).encode()).digest()) for row in rows)


def move(source: Side, target: Side, replay: Callable[[list[bytes]], object], advance: Advance) -> Moved:
    """Copies everything, then compares the rows of each database table and replays each log with `replay`.

    The target stays empty unless all that succeeds. Raises StoreError.
    """
    names = sorted(source.names() - STAY)
    must_be_empty(target, names)
    sizes = {name: count(source, name) for name in names}
    entries = sizes["entries"] + count_compressed(source)
    advance(0, 2 * sum(sizes.values()) + entries)
    with transaction(target) as connection:
        for name in names:
            columns = [column for column in columns_of(source, name) if column not in LEASES.get(name, ())]
            connection.execute(f"DELETE FROM {name}")
            before, after = Tally(), Tally()
            for rows in pieces(source.scan(name, columns)):
                add(connection, name, columns, rows)
                before.add(rows)
                advance(len(rows))
            for rows in pieces(target.scan(name, columns)):
                after.add(rows)
                advance(len(rows))
            if (before.count, before.total) != (after.count, after.total):
                raise StoreError(f"The copy in {target.place} would differ in {name}, so nothing was moved.")
        damaged = [*check_logs(source, target, replay, advance)]
    return Moved(sizes["tables"], entries, damaged)


def check_logs(
    source: Side, target: Side, replay: Callable[[list[bytes]], object], advance: Advance
) -> Iterator[Damage]:
    """Yields the damaged logs. Equal logs replay alike, so each is replayed once. Raises StoreError if two differ."""
    for code, watch in target.scan("tables", ["code", "watch"]):
        entries = []
        try:
            entries = source.entries(code)
            replay(entries)
        except Disconnected:
            raise
        except Exception as error:  # a damaged log can cause any error
            yield Damage(watch, " ".join(f"{type(error).__name__}: {error}".split())[:200])
        else:
            if target.entries(code) != entries:
                raise StoreError(f"The log of table {watch} would differ in {target.place}, so nothing was moved.")
        advance(len(entries))


def must_be_current(version: int, place: str) -> None:
    """Raises StoreError unless a database was written by this version of Mulligan."""
    must_be_known(version, place)
    if scripts_after(version):
        raise StoreError(f"{place} was written by an older version of Mulligan; start the server with it once.")


def must_be_empty(target: Side, names: Sequence[str]) -> None:
    """Raises StoreError if the target contains anything, or has other database tables."""
    if missing := {*names} ^ (target.names() - STAY):
        raise StoreError(f"{target.place} has other database tables than the source ({', '.join(sorted(missing))}).")
    if any(count(target, name) for name in names if name not in NEVER_EMPTY):
        raise StoreError(f"{target.place} already contains games; move to an empty place.")


@contextmanager
def transaction(side: Side) -> Iterator[Connection]:
    with side.reading() as connection:
        connection.execute("BEGIN")
        try:
            yield connection
            connection.execute("COMMIT")
        except BaseException:
            with suppress(Exception):
                connection.execute("ROLLBACK")
            raise


def count(side: Side, name: str) -> int:
    with side.reading() as connection:
        return int(connection.execute(f"SELECT count(*) FROM {name}").fetchone()[0])


def count_compressed(side: Side) -> int:
    """Returns the number of log entries in chunks."""
    with side.reading() as connection:
        return int(connection.execute("SELECT coalesce(sum(last - first + 1), 0) FROM chunks").fetchone()[0])


def columns_of(side: Side, name: str) -> list[str]:
    with side.reading() as connection:
        return [column[0] for column in connection.execute(f"SELECT * FROM {name} LIMIT 0").description]


def add(connection: Connection, name: str, columns: Sequence[str], rows: Sequence[Sequence[Any]]) -> None:
    row = f"({', '.join('?' * len(columns))})"
    statement = f"INSERT INTO {name} ({', '.join(columns)}) VALUES {', '.join([row] * len(rows))}"
    connection.execute(statement, [*chain.from_iterable(rows)])


def pieces(rows: Iterator[Sequence[Any]]) -> Iterator[list[Sequence[Any]]]:
    while some := [*islice(rows, ROWS)]:
        yield some
