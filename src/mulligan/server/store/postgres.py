"""The store in PostgreSQL, which several server processes on several machines may use at once.

A table belongs to the process that took its lease last. Each commit checks the leases of its tables and keeps them
until it ends, so a process that lost a table cannot write to it any more.
"""

import logging
import socket
import threading
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from typing import Any

import psycopg
from psycopg.conninfo import conninfo_to_dict
from psycopg_pool import ConnectionPool

from .errors import Disconnected, StoreError
from .schema import must_be_known, scripts_after
from .shared_sql import Connection, Store, can_write, commit
from .writer import Work, Writer

OLDEST = 15  # the oldest version of PostgreSQL that is tested
READERS = 4  # connections for reading
CONNECT_TIMEOUT = 5  # seconds
READ_TIMEOUT = 5.0  # seconds to wait for a connection, for a lock, and for an answer
COMMIT_TIMEOUT = 10.0  # seconds until a commit without an answer counts as lost
LOOK = 10.0  # seconds between two looks at whether the database answers, also while nobody plays
LOCK_PATIENCE = 1.0  # seconds; the database keeps the lock of a program that has just ended for a moment
LOCK_PAUSE = 0.05  # seconds between two tries
MIGRATING, LEADING, USING = 7_201, 7_202, 7_203  # numbers of the advisory locks
TYPES = (  # what SQLite calls otherwise
    (" WITHOUT ROWID", ""),
    (" BLOB", " BYTEA"),
    (" REAL", " DOUBLE PRECISION"),
    (" INTEGER", " BIGINT"),
)

logging.getLogger("psycopg.pool").setLevel(logging.ERROR)  # failures are reported by those who wait for the answer


class Queries:
    """A connection that takes `?` for a value, like SQLite's."""

    def __init__(self, connection: "psycopg.Connection[Any]") -> None:
        self.connection = connection

    def execute(self, statement: str, values: Sequence[Any] = ()) -> "psycopg.Cursor[Any]":
        return self.connection.execute(statement.replace("?", "%s").encode(), values or None)


class PostgresStore(Store):
    """The logs in a PostgreSQL database."""

    is_shared = True

    def __init__(self, address: str, must_exist: bool = False) -> None:
        """Opens the database at an address such as `postgresql://user@host/database`. Raises StoreError."""
        self.address = address
        self.place = place_of(address)
        self.committing_since = 0.0
        self.is_copied = True  # the latest commit has reached the standby, if the database requires one
        self.closing = threading.Event()
        try:
            self.writing: psycopg.Connection[Any] | None = self.connect()
            must_be_usable(self.writing, self.place)
            with self.connect() as other:
                must_be_apart(self.writing, other, self.place)
            migrate(self.writing, self.place)
            if must_exist and not Queries(self.writing).execute("SELECT 1 FROM tables LIMIT 1").fetchone():
                raise StoreError(f"There are no games in {self.place}, but --must-exist requires some.")
        except psycopg.Error as error:
            raise StoreError(f"{self.place} cannot be opened ({one_line(error)}).") from None
        self.leading: psycopg.Connection[Any] | None = None  # holds the lock of the process that does the housekeeping
        self.pool = ConnectionPool(
            address,
            min_size=1,
            max_size=READERS,
            open=True,
            timeout=READ_TIMEOUT,
            reconnect_timeout=READ_TIMEOUT,  # its pauses grow until then, also while the database answers again
            kwargs={"autocommit": True, "connect_timeout": CONNECT_TIMEOUT},
            configure=limit_time,
            check=ConnectionPool.check_connection,
        )
        self.writer = Writer(self.commit, lambda: can_write(self.commit), self.disconnect)
        threading.Thread(target=self.watch, name="store-watch", daemon=True).start()

    @contextmanager
    def reading(self) -> Iterator[Connection]:
        """Takes a connection from the pool. Raises Disconnected if the database does not answer, or StoreError."""
        try:
            with self.pool.connection() as connection:
                yield Queries(connection)
        except psycopg.OperationalError as error:
            self.doubt()
            raise Disconnected(f"{self.place} does not answer ({one_line(error)}).") from None
        except psycopg.Error as error:
            raise StoreError(f"{self.place} cannot be read ({one_line(error)}).") from None

    def leads(self) -> bool:
        """True if this process holds the lock for housekeeping, which ends with the process. Raises StoreError."""
        try:
            if self.leading is None or self.leading.closed:
                self.leading = self.connect()
            held = "SELECT 1 FROM pg_locks WHERE locktype = 'advisory' AND objid = ? AND pid = pg_backend_pid()"
            ask = Queries(self.leading).execute
            if ask(held, (LEADING,)).fetchone():
                return True
            return ask("SELECT pg_try_advisory_lock(?)", (LEADING,)).fetchone() == (True,)
        except psycopg.Error as error:
            self.leading = None
            raise StoreError(f"{self.place} cannot be read ({one_line(error)}).") from None

    def close(self) -> None:
        self.writer.close()
        self.closing.set()
        self.pool.close()
        if self.leading:
            self.leading.close()

    # The writer's connection

    def commit(self, work: Work) -> None:
        """Writes work in one transaction. Raises Disconnected if nobody knows whether it was written."""
        if self.writing is None or self.writing.closed:
            self.writing = self.reconnect()
        self.is_copied = True
        self.committing_since = time.monotonic()
        try:
            commit(Queries(self.writing), work, lock=" FOR SHARE")
        except psycopg.Error as error:
            if self.writing.closed:
                raise Disconnected(f"The connection to {self.place} was lost ({one_line(error)}).") from None
            raise
        finally:
            self.committing_since = 0.0
        if not self.is_copied:
            raise Disconnected(f"{self.place} ended a commit before its standby had it.")

    def watch(self) -> None:
        """Cuts the writer's connection if a commit gets no answer: its outcome is unknown then, but nobody waits.

        Notices a database that is down before someone needs it.
        """
        looked = time.monotonic()
        while not self.closing.wait(1.0):
            since, connection = self.committing_since, self.writing
            if since and time.monotonic() - since > COMMIT_TIMEOUT and connection:
                cut(connection)
            if time.monotonic() - looked > LOOK:
                looked = time.monotonic()
                self.doubt()

    def reconnect(self) -> "psycopg.Connection[Any]":
        """Connects again. Raises Disconnected."""
        try:
            connection = self.connect()
            must_be_usable(connection, self.place)
        except (psycopg.Error, StoreError) as error:
            raise Disconnected(f"{self.place} cannot be reached ({one_line(error)}).") from None
        return connection

    def connect(self) -> "psycopg.Connection[Any]":
        connection = psycopg.connect(self.address, autocommit=True, connect_timeout=CONNECT_TIMEOUT)
        connection.execute(f"SET lock_timeout = '{READ_TIMEOUT:.0f}s'".encode())
        connection.add_notice_handler(self.hear)
        return connection

    def hear(self, notice: psycopg.errors.Diagnostic) -> None:
        """Notices a commit that was ended before the standby had it: PostgreSQL reports this as a warning alone."""
        if notice.sqlstate in ("57014", "57P01"):
            self.is_copied = False

    def disconnect(self) -> None:
        if self.writing:
            self.writing.close()


def limit_time(connection: "psycopg.Connection[Any]") -> None:
    """Limits how long a reader waits. A commit has no such limit: ended early, it would count as done."""
    milliseconds = round(READ_TIMEOUT * 1000)
    connection.execute(f"SET lock_timeout = {milliseconds}; SET statement_timeout = {milliseconds}".encode())


def cut(connection: "psycopg.Connection[Any]") -> None:
    """Ends a connection from another thread, even while it waits for an answer."""
    with suppress(OSError, psycopg.Error):
        line = socket.socket(fileno=connection.fileno())
        try:
            line.shutdown(socket.SHUT_RDWR)
        finally:
            line.detach()


def must_be_usable(connection: "psycopg.Connection[Any]", place: str, is_alone: bool = False) -> None:
    """Raises StoreError if the database is too old or read-only, or if its games are being moved.

    Keeps moves away as long as the connection lasts; with `is_alone`, the servers, for a move.
    """
    if connection.info.server_version < OLDEST * 10_000:
        raise StoreError(f"{place} runs PostgreSQL {connection.info.server_version // 10_000}; use {OLDEST} or newer.")
    row = connection.execute("SELECT pg_is_in_recovery()").fetchone()
    if row and row[0]:
        raise StoreError(f"{place} is a standby and cannot be written to; give the address of the primary.")
    lock = "pg_try_advisory_lock" if is_alone else "pg_try_advisory_lock_shared"
    until = time.monotonic() + LOCK_PATIENCE
    while Queries(connection).execute(f"SELECT {lock}(?)", (USING,)).fetchone() != (True,):
        if time.monotonic() >= until:
            who = "is used by a Mulligan server; stop it first" if is_alone else "is locked while its games are moved"
            raise StoreError(f"{place} {who}.")
        time.sleep(LOCK_PAUSE)


def must_be_apart(one: "psycopg.Connection[Any]", other: "psycopg.Connection[Any]", place: str) -> None:
    """Raises StoreError if a pooler gives both connections the same one of the database: locks would belong to both."""
    first, second = (connection.execute("SELECT pg_backend_pid()").fetchone() for connection in (one, other))
    if first == second:
        raise StoreError(
            f"{place} is reached through a pooler that shares connections, such as PgBouncer with pool_mode = "
            "transaction; use pool_mode = session, or the database's own address."
        )


def migrate(connection: "psycopg.Connection[Any]", place: str) -> None:
    """Creates or upgrades the tables, each step in its own transaction. Raises StoreError."""
    connection.execute("SELECT pg_advisory_lock(%s)", (MIGRATING,))  # other processes wait
    try:
        exists = connection.execute("SELECT to_regclass('schema_version')").fetchone()
        if exists == (None,):
            others = connection.execute("SELECT 1 FROM pg_tables WHERE schemaname = current_schema() LIMIT 1")
            if others.fetchone():
                raise StoreError(f"{place} does not contain games; use another database.")
            connection.execute("CREATE TABLE schema_version AS SELECT 0 AS version")
        row = connection.execute("SELECT version FROM schema_version").fetchone()
        version = row[0] if row else 0
        if version:
            must_be_known(version, place)
        for number, script in scripts_after(version).items():
            for ours, theirs in TYPES:
                script = script.replace(ours, theirs)
            connection.execute(f"BEGIN; {script} UPDATE schema_version SET version = {number}; COMMIT".encode())
    finally:
        with suppress(psycopg.Error):
            connection.execute("ROLLBACK")
            connection.execute("SELECT pg_advisory_unlock(%s)", (MIGRATING,))


def place_of(address: str) -> str:
    """Returns how messages name a database, without its password. Raises StoreError if the address is invalid."""
    try:
        parts = conninfo_to_dict(address)
    except psycopg.Error as error:
        raise StoreError(
            f"Give the address of a database such as postgresql://user@host/database ({one_line(error)})."
        ) from None
    return f"The database {parts.get('dbname', '')} at {parts.get('host', 'this machine')}".replace("  ", " ")


def one_line(error: BaseException) -> str:
    return " ".join(str(error).split())[:200]
