"""Opens the store that a server is told to use."""

from pathlib import Path

from .base import Store
from .sqlite import SqliteStore


def open_store(folder: Path, must_exist: bool = False) -> Store:
    """Returns the store in a folder. Raises StoreError."""
    return SqliteStore(folder, must_exist)
