"""Makes a checked copy of the games in a folder, even while a server uses them."""

import os
import sqlite3
from contextlib import closing
from pathlib import Path

from .checking import damaged_logs
from .copying import SQLITE_ERRORS, Backup, copy
from .errors import StoreError
from .folder import FILE, must_be_whole
from .moving_sqlite import MovingSqlite
from .schema import must_be_known


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
            must_be_known(version, str(path))
            return copy(connection, file, must_be_intact)
    except SQLITE_ERRORS as error:
        raise StoreError(f"The games in {folder} cannot be copied to {file} ({error}).") from None


def must_be_intact(part: Path, file: Path) -> None:
    """Raises StoreError if a log in a copy is damaged, which then keeps its games under another name."""
    with closing(MovingSqlite(part, is_alone=False)) as copied:
        damaged = [*damaged_logs(copied, lambda *_: None)]
    if damaged:
        aside = file.with_name(f"{file.name}.damaged")
        os.replace(part, aside)
        more = f" and {len(damaged) - 1:,} more" if len(damaged) > 1 else ""
        raise StoreError(f"{damaged[0]}{more}; {file} was not written, and the copy with the damage is {aside}.")
