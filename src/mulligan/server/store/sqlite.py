"""The store in one SQLite file, for one server process."""

import os
import sqlite3
from collections.abc import Iterator, Mapping
from contextlib import closing, contextmanager
from pathlib import Path

from .checksums import intact
from .chunks import Chunk, unpacked
from .copying import SQLITE_ERRORS, copy
from .errors import StoreError
from .folder import FILE, claim, must_be_whole, size_of
from .schema import must_be_known, scripts_after
from .shared_sql import END, READ_CHUNKS, Store, can_write, commit
from .writer import Work, Writer, Written

READ_LOG = f"""{READ_CHUNKS}
    SELECT NULL, NULL, group_concat(CAST(entry AS TEXT), char(10)), group_concat(coalesce(checksum, -1)) FROM
    (SELECT entry, checksum FROM entries WHERE code = ? AND number > ? AND number <= ? ORDER BY number)
    ORDER BY 2 NULLS LAST"""  # one row for all entries: see add_entries
CHECKPOINTS = "PRAGMA wal_autocheckpoint = 4000"  # pages: a page that changes often is rarely copied into the file
RARE_CHECKPOINTS = "PRAGMA wal_autocheckpoint = 100000"  # only if Litestream makes none
FREE_PAGE = "PRAGMA incremental_vacuum(1)"
INCREMENTAL = 2  # the mode in which SQLite frees pages when asked
STEP = 100  # pages freed in a commit, in a millisecond or two
SPARE = 10  # at most one page in ten stays free
CHECKED = 64_000_000  # bytes; larger files are not checked at every start


class SqliteStore(Store):
    """The logs in one folder. Only one server may use it at a time."""

    def __init__(self, folder: Path, must_exist: bool = False) -> None:
        """Opens the store in a folder. Raises StoreError."""
        self.path = folder / FILE
        if must_exist and not size_of(self.path):
            raise StoreError(f"There are no games in {folder}, but --must-exist requires some; is the disk mounted?")
        must_be_whole(self.path)
        self.lock = claim(folder)
        try:
            with closing(connect_to_write(self.path)) as connection:
                migrate(connection, self.path)
                check(connection, self.path)
            self.connection = connect_to_write(self.path)
            self.identity = identity(self.path)
            self.is_copied = has_litestream(self.connection)
        except SQLITE_ERRORS as error:
            os.close(self.lock)
            if isinstance(error, sqlite3.OperationalError):  # for example, the disk is full
                raise StoreError(f"The games in {self.path} cannot be opened ({error}).") from None
            raise StoreError(f"{self.path} is not a database of Mulligan ({error}).") from None
        except OSError:
            os.close(self.lock)
            raise
        self.writer = Writer(self.commit, lambda: can_write(self.commit), self.connection.close)

    @contextmanager
    def reading(self) -> Iterator[sqlite3.Connection]:
        """Opens a connection. Raises StoreError if the file is damaged or cannot be read."""
        try:
            with closing(connect(self.path)) as connection:
                yield connection
        except SQLITE_ERRORS as error:
            self.doubt()
            raise StoreError(f"The games in {self.path} cannot be read ({error}).") from None

    def entries(self, code: str, after: int = 0, until: int = END) -> list[bytes]:
        with self.reading() as connection:
            connection.text_factory = bytes  # damaged text may not be valid UTF-8
            *chunks, (_, _, lines, checksums) = connection.execute(READ_LOG, (code, after, until) * 2).fetchall()
        found = unpacked(code, after, [Chunk(*row) for row in chunks])[: until - after]
        if lines is None:
            return found
        return found + intact(code, after + len(found) + 1, lines.split(b"\n"), map(int, checksums.split(b",")))

    def tend(self) -> Written | None:
        """Leaves checkpoints to Litestream if it copies the file now, or gives some unused space back to the disk."""
        with self.reading() as connection:
            pages, free, mode = sizes(connection)
            was_copied, self.is_copied = self.is_copied, has_litestream(connection)
        if self.is_copied and not was_copied:
            return self.put([(RARE_CHECKPOINTS, ())])
        return self.put([(FREE_PAGE, ())] * STEP) if mode == INCREMENTAL and free > pages // SPARE else None

    def purge(self) -> None:
        """Empties the write-ahead log, unless Litestream copies it. Raises StoreError."""
        if not self.is_copied:
            with self.reading() as connection:
                connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")

    def close(self) -> None:
        self.writer.close()
        os.close(self.lock)

    def commit(self, work: Work) -> None:
        """Writes work in one transaction. Raises StoreError if the file has left its place: nobody would find it."""
        if identity(self.path) != self.identity:
            raise StoreError(f"{self.path} was moved or replaced while the server uses it; put it back, or restart.")
        commit(self.connection, work, "BEGIN IMMEDIATE")


def connect(path: Path) -> sqlite3.Connection:
    connection = sqlite3.connect(
        f"{path.absolute().as_uri()}?mode=rw", timeout=10, isolation_level=None, check_same_thread=False, uri=True
    )
    if not size_of(path):
        connection.execute(f"PRAGMA auto_vacuum = {INCREMENTAL}")  # before all else, or it counts for nothing
    connection.execute("PRAGMA journal_mode = WAL")
    connection.execute("PRAGMA synchronous = FULL")
    connection.execute("PRAGMA secure_delete = ON")  # deleted data must not remain in the file
    return connection


def connect_to_write(path: Path) -> sqlite3.Connection:
    connection = connect(path)
    connection.execute(RARE_CHECKPOINTS if has_litestream(connection) else CHECKPOINTS)
    return connection


def identity(path: Path) -> tuple[int, int] | None:
    """Returns what tells a file from another one of the same name, or None if there is none."""
    try:
        found = path.stat()
    except OSError:
        return None
    return found.st_dev, found.st_ino


def migrate(connection: sqlite3.Connection, path: Path) -> None:
    """Makes the tables of a new file, or upgrades an older one step by step after copying it. Raises StoreError."""
    (version,) = connection.execute("PRAGMA user_version").fetchone()
    scripts = scripts_after(version)
    if version:
        must_be_known(version, str(path))
    elif connection.execute("SELECT 1 FROM sqlite_master").fetchone():
        raise StoreError(f"{path} does not contain games; use another folder.")
    if version and scripts:
        copy(connection, path.with_name(f"{FILE}.v{version}"))
    run(connection, scripts)


def run(connection: sqlite3.Connection, scripts: Mapping[int, str]) -> None:
    """Runs scripts, each with the version that it leads to in a transaction."""
    for version, script in scripts.items():
        connection.executescript(f"BEGIN IMMEDIATE; {script} PRAGMA user_version = {version}; COMMIT;")


def has_litestream(connection: sqlite3.Connection) -> bool:
    """True if Litestream copies the file, or once did. A checkpoint of the server's own can then spoil its copy."""
    return bool(connection.execute("SELECT 1 FROM sqlite_master WHERE name = '_litestream_lock'").fetchone())


def sizes(connection: sqlite3.Connection) -> tuple[int, int, int]:
    """Returns the number of pages of the file, how many of them are free, and its mode of freeing them."""
    ask = ("PRAGMA page_count", "PRAGMA freelist_count", "PRAGMA auto_vacuum")
    pages, free, mode = (connection.execute(question).fetchone()[0] for question in ask)
    return pages, free, mode


def check(connection: sqlite3.Connection, path: Path) -> None:
    """Checks for damage if the file is small enough. Raises StoreError."""
    if path.stat().st_size <= CHECKED:
        (verdict,) = connection.execute("PRAGMA quick_check(1)").fetchone()
        if verdict != "ok":
            raise StoreError(f"{path} is damaged; restore a backup ({' '.join(verdict.split())[:120]}).")
