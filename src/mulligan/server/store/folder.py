"""The folder of a SQLite store: its lock, and a check that its file belongs to its log."""

import os
from pathlib import Path

from mulligan import file_locks

from .errors import StoreError

FILE = "games.sqlite"


def must_be_whole(path: Path) -> None:
    """Raises StoreError if the file is empty but has a write-ahead log, which SQLite would delete."""
    waiting = path.with_name(f"{path.name}-wal")
    if not size_of(path) and size_of(waiting):
        raise StoreError(
            f"{path} is missing or empty, but {waiting.name} beside it contains games; restore the file or a "
            f"backup, or move {waiting.name} away to start without games."
        )


def size_of(path: Path) -> int:
    try:
        return path.stat().st_size
    except OSError:
        return 0


def claim(folder: Path) -> int:
    """Locks the folder for this process, so that no second server writes to it. Raises StoreError."""
    try:
        folder.mkdir(parents=True, exist_ok=True)
        lock = os.open(folder / "lock", os.O_RDWR | os.O_CREAT, 0o600)
        os.close(os.open(folder / FILE, os.O_RDWR | os.O_CREAT, 0o600))  # it contains the seeds of running holes
    except FileExistsError:
        raise StoreError(f"{folder} is not a folder; give one for the games.") from None
    except OSError as error:
        raise StoreError(f"The folder {folder} cannot be written to ({error.strerror}).") from None
    if not file_locks.lock(lock):
        os.close(lock)
        raise StoreError(f"Another Mulligan server already uses {folder}; stop it, or use another folder.")
    return lock
