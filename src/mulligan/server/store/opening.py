"""Opens the store that a server uses, or that is moved or checked."""

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from .errors import StoreError
from .moving import Side
from .moving_sqlite import MovingSqlite
from .shared_sql import Store
from .sqlite import SqliteStore


def open_store(folder: Path, address: str = "", must_exist: bool = False) -> Store:
    """Returns the store in a folder, or in the PostgreSQL database at an address. Raises StoreError."""
    if not address:
        return SqliteStore(folder, must_exist)
    with needing_psycopg():
        from .postgres import PostgresStore
    return PostgresStore(address, must_exist)


def open_to_move(place: str, is_new: bool = False) -> Side:
    """Returns the store in a folder or at an address, to move games from it, or to it (`is_new`). Raises StoreError."""
    return side(place, is_new, is_alone=True)


def open_to_check(place: str) -> Side:
    """Returns the store in a folder, in a copy or at an address, which servers may use meanwhile. Raises StoreError."""
    return side(place, is_new=False, is_alone=False)


def side(place: str, is_new: bool, is_alone: bool) -> Side:
    if "://" not in place:
        return MovingSqlite(Path(place), is_new, is_alone)
    with needing_psycopg():
        from .moving_postgres import MovingPostgres
    return MovingPostgres(place, is_new, is_alone)


@contextmanager
def needing_psycopg() -> Iterator[None]:
    """Raises StoreError if the packages for PostgreSQL are not installed."""
    try:
        yield
    except ImportError:
        raise StoreError(
            "PostgreSQL needs more packages; pip install '.[postgres]' in a clone of Mulligan installs them."
        ) from None
