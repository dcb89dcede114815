"""A SQLite store that is moved, or moved to."""

import os
import sqlite3
from collections.abc import Iterator, Mapping, Sequence
from contextlib import ExitStack, closing, contextmanager
from pathlib import Path
from typing import Any

from .copying import SQLITE_ERRORS
from .errors import StoreError
from .folder import FILE, claim, must_be_whole, size_of
from .moving import must_be_current
from .schema import must_be_known, scripts_after
from .sqlite import SqliteStore, check, connect, migrate, run


class MovingSqlite(SqliteStore):
    """The store in a folder, or a copy in a file. What is moved or checked is opened for reading only."""

    def __init__(self, folder: Path, is_new: bool = False, is_alone: bool = True) -> None:
        """Opens a folder; where games move to (`is_new`), it may be missing. Raises StoreError.

        Locks it against servers, unless it is not `is_alone`: then it reads what was there at the beginning, and of an
        older file a temporary copy that is up to date.
        """
        is_file = folder.is_file()
        self.path = folder if is_file else folder / FILE
        self.place = f"The {'file' if is_file else 'folder'} {folder}"
        must_be_whole(self.path)
        if not is_new and not size_of(self.path):
            raise StoreError(f"There are no games in {folder}; give the folder that contains {FILE}.")
        with ExitStack() as doors:
            if is_alone:
                doors.callback(os.close, claim(folder))
            try:
                opened = connect(self.path) if is_new else read_only(self.path)
                self.connection = doors.enter_context(closing(opened))
                (version,) = opened.execute("PRAGMA user_version").fetchone()
                if is_new and not version:
                    migrate(opened, self.path)
                elif is_alone:
                    must_be_current(version, self.place)
                else:
                    must_be_known(version, self.place)
                check(opened, self.path)
                if not is_alone:
                    if scripts := scripts_after(version):
                        self.connection = doors.enter_context(closing(newer_copy(opened, scripts)))
                    self.connection.execute("BEGIN")
            except SQLITE_ERRORS as error:
                raise StoreError(f"{self.path} is not a database of Mulligan ({error}).") from None
            self.doors = doors.pop_all()

    @contextmanager
    def reading(self) -> Iterator[sqlite3.Connection]:
        """Lends the connection. Raises StoreError if the file is damaged or cannot be read or written."""
        try:
            yield self.connection
        except SQLITE_ERRORS as error:
            raise StoreError(f"The games in {self.path} cannot be read or written ({error}).") from None
        finally:
            self.connection.text_factory = str  # reading a log sets it to bytes

    def names(self) -> set[str]:
        with self.reading() as connection:
            return {name for (name,) in connection.execute("SELECT name FROM sqlite_master WHERE type = 'table'")}

    def scan(self, name: str, columns: Sequence[str]) -> Iterator[Sequence[Any]]:
        """Yields all rows of a database table. Entries that were repaired by hand may be text. Raises StoreError."""
        with self.reading() as connection:
            types = {column: kind for _, column, kind, *_ in connection.execute(f"PRAGMA table_info({name})")}
            chosen = [f"CAST({column} AS BLOB)" if types[column] == "BLOB" else column for column in columns]
            yield from connection.execute(f"SELECT {', '.join(chosen)} FROM {name}")

    def close(self) -> None:
        self.doors.close()


def newer_copy(older: sqlite3.Connection, scripts: Mapping[int, str]) -> sqlite3.Connection:
    """Returns a copy of an older file that is up to date, and vanishes when it is closed."""
    connection = sqlite3.connect("", isolation_level=None)
    older.backup(connection)
    run(connection, scripts)
    return connection


def read_only(path: Path) -> sqlite3.Connection:
    return sqlite3.connect(f"{path.absolute().as_uri()}?mode=ro", uri=True, timeout=10, isolation_level=None)
