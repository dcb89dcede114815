"""Opens the store that a server is told to use."""

from pathlib import Path

from .base import Store
from .errors import StoreError
from .sqlite import SqliteStore


def open_store(folder: Path, address: str = "", must_exist: bool = False) -> Store:
    """Returns the store in a folder, or in the PostgreSQL database at an address. Raises StoreError."""
    if not address:
        return SqliteStore(folder, must_exist)
    try:
        from .postgres import PostgresStore
    except ImportError:
        raise StoreError("PostgreSQL needs more packages; pip install 'mulligan[postgres]' installs them.") from None
    return PostgresStore(address, must_exist)
