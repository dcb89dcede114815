"""A PostgreSQL store that is moved, or moved to."""

import time
from collections.abc import Iterator, Sequence
from contextlib import ExitStack, closing, contextmanager
from typing import Any

import psycopg

from .errors import Disconnected, StoreError
from .moving import must_be_current
from .postgres import PostgresStore, Queries, migrate, must_be_usable, one_line, place_of

BEATS = 10.0  # seconds without a heartbeat after which a process counts as dead
FETCHED = 1000  # rows fetched at once


class MovingPostgres(PostgresStore):
    """The store in a database. What is moved or checked is opened for reading only."""

    def __init__(self, address: str, is_new: bool = False, is_alone: bool = True) -> None:
        """Opens a database; where games move to (`is_new`), it may be empty. Raises StoreError.

        Locks it against servers, unless it is not `is_alone`: then it reads what was there at the beginning.
        """
        self.address = address
        self.place = place_of(address)
        with ExitStack() as doors:
            try:
                self.connection = doors.enter_context(closing(self.connect()))
                must_be_usable(self.connection, self.place, is_alone)
                version = self.version()
                if is_new and not version:
                    migrate(self.connection, self.place)
                else:
                    must_be_current(version, self.place)
                if is_alone:
                    self.must_be_still()
                if not is_new:
                    self.connection.execute("BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY")
            except psycopg.Error as error:
                raise StoreError(f"{self.place} cannot be opened ({one_line(error)}).") from None
            self.doors = doors.pop_all()

    def version(self) -> int:
        """Returns the format of the database, or 0 if it has none."""
        if "schema_version" not in self.names():
            return 0
        with self.reading() as connection:
            return sum(version for (version,) in connection.execute("SELECT version FROM schema_version"))

    def must_be_still(self) -> None:
        """Raises StoreError if a server is running. Its lock may have ended with a connection, but it still beats."""
        ask = "SELECT * FROM processes ORDER BY name"
        before = self.connection.execute(ask).fetchall()
        until = time.monotonic() + BEATS
        while before and time.monotonic() < until:
            time.sleep(0.2)
            if self.connection.execute(ask).fetchall() != before:
                raise StoreError(f"{self.place} is used by a Mulligan server; stop it first.")

    @contextmanager
    def reading(self) -> Iterator[Queries]:
        """Lends the connection. Raises Disconnected: after an error, PostgreSQL takes nothing more in a transaction."""
        try:
            yield Queries(self.connection)
        except psycopg.Error as error:
            raise Disconnected(f"{self.place} cannot be read or written ({one_line(error)}).") from None

    def names(self) -> set[str]:
        with self.reading() as connection:
            found = connection.execute("SELECT tablename FROM pg_tables WHERE schemaname = current_schema()")
            return {name for (name,) in found}

    def scan(self, name: str, columns: Sequence[str]) -> Iterator[Sequence[Any]]:
        """Yields all rows of a database table. Raises StoreError."""
        with self.reading(), self.connection.cursor("scan") as cursor:
            cursor.itersize = FETCHED
            yield from cursor.execute(f"SELECT {', '.join(columns)} FROM {name}".encode())

    def close(self) -> None:
        self.doors.close()
