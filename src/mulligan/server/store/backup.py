"""Copies a SQLite store into one file, even while a server uses it."""

import os
import sqlite3
from contextlib import closing, suppress
from pathlib import Path
from typing import NamedTuple

from .errors import StoreError
from .folder import FILE, must_be_whole
from .schema import MIGRATIONS


class Backup(NamedTuple):
    """The number of tables in a backup and its size."""

    tables: int
    size: int  # bytes


def back_up(folder: Path, file: Path, overwrite: bool = False) -> Backup:
    """Copies the games of a folder into one file; a server may be running meanwhile. Raises StoreError."""
    path = folder / FILE
    must_be_whole(path)
    if not path.is_file():
        raise StoreError(f"There are no games in {folder}; give the folder with --data.")
    if file.is_dir():
        raise StoreError(f"{file} is a folder; give a file for the copy.")
    if file.exists() and not file.is_file():
        raise StoreError(f"{file} is a device; give a file for the copy.")
    if file.exists() and not overwrite:
        raise StoreError(f"{file} already exists; give another file, or use --overwrite.")
    if file.exists() and file.samefile(path):
        raise StoreError(f"{file} is the database itself; give another file for the copy.")
    try:
        with closing(sqlite3.connect(path, timeout=10, isolation_level=None)) as connection:
            (version,) = connection.execute("PRAGMA user_version").fetchone()
            if not 0 < version <= len(MIGRATIONS):
                raise StoreError(f"{path} is not a database of this version of Mulligan.")
            return copy(connection, file, is_checked=version == len(MIGRATIONS))
    except sqlite3.Error as error:
        raise StoreError(f"The games in {folder} cannot be copied to {file} ({error}).") from None


def copy(connection: sqlite3.Connection, file: Path, is_checked: bool = False) -> Backup:
    """Writes a verified copy of all committed data; renames it once it is complete on disk. Raises StoreError.

    With `is_checked`, the checksums of all entries must match. A copy in which one does not gets another name.
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
                raise StoreError(f"The copy would be damaged ({verdict}); {file} was not written.")
            (tables,) = target.execute("SELECT count(*) FROM tables").fetchone()
        if is_checked:
            must_be_intact(part, file)
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


def must_be_intact(part: Path, file: Path) -> None:
    """Raises StoreError if a log in a copy is damaged, which then keeps its games under another name."""
    from .checking import damaged_logs
    from .moving_sqlite import MovingSqlite

    with closing(MovingSqlite(part, is_alone=False)) as copied:
        damaged = [*damaged_logs(copied, lambda *_: None)]
    if damaged:
        aside = file.with_name(f"{file.name}.damaged")
        os.replace(part, aside)
        more = f" and {len(damaged) - 1:,} more" if len(damaged) > 1 else ""
        raise StoreError(f"{damaged[0]}{more}; {file} was not written, and the copy with the damage is {aside}.")


def settle(folder: Path) -> None:
    """Writes a folder's new file names to disk, if the system supports it."""
    with suppress(OSError):
        opened = os.open(folder, os.O_RDONLY)
        try:
            os.fsync(opened)
        finally:
            os.close(opened)
