"""Copies a SQLite database into one file, even while a server uses it."""

import os
import sqlite3
from collections.abc import Callable
from contextlib import closing, suppress
from pathlib import Path
from typing import NamedTuple, TypeAlias

from .errors import StoreError

Check: TypeAlias = Callable[[Path, Path], None]

# What sqlite3 raises; the second where its message about a damaged file holds bytes of it.
SQLITE_ERRORS = (sqlite3.Error, UnicodeDecodeError)


class Backup(NamedTuple):
    """The number of tables in a backup and its size."""

    tables: int
    size: int  # bytes


def copy(connection: sqlite3.Connection, file: Path, check: Check = lambda *_: None) -> Backup:
    """Writes a verified copy of all committed data; renames it once it is complete on disk. Raises StoreError.

    `check` raises StoreError if the copy, whose name it gets with that of the file, must not become the file.
    """
    part = file.with_name(f".{file.name}.part")
    try:
        part.unlink(missing_ok=True)
        os.close(os.open(part, os.O_CREAT | os.O_EXCL | os.O_WRONLY, 0o600))  # it contains players' names
        with closing(sqlite3.connect(part, isolation_level=None)) as target:
            connection.backup(target)
            target.execute("PRAGMA journal_mode = DELETE")  # a single file, without a separate log
            (verdict,) = target.execute("PRAGMA integrity_check(1)").fetchone()
            if verdict != "ok":
                raise StoreError(f"The copy would be damaged ({' '.join(verdict.split())}); {file} was not written.")
            (tables,) = target.execute("SELECT count(*) FROM tables").fetchone()
        check(part, file)
        os.replace(part, file)
        settle(file.parent)
    except OSError as error:
        if isinstance(error, StoreError):
            raise
        raise StoreError(f"{file} cannot be written ({error.strerror}).") from None
    finally:
        with suppress(OSError):
            part.unlink(missing_ok=True)
    return Backup(tables, file.stat().st_size)


def settle(folder: Path) -> None:
    """Writes a folder's new file names to disk, if the system supports it."""
    with suppress(OSError):
        opened = os.open(folder, os.O_RDONLY)
        try:
            os.fsync(opened)
        finally:
            os.close(opened)
