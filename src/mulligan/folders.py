"""Where a user's games are kept, and books made here."""

import errno
import os
from pathlib import Path

import platformdirs


def data_folder() -> Path:
    """The user's folder for Mulligan; MULLIGAN_DATA names another one. Raises OSError where there is no home."""
    try:
        return Path(os.environ.get("MULLIGAN_DATA") or platformdirs.user_data_dir("mulligan", appauthor=False))
    except RuntimeError:
        raise OSError(errno.ENOENT, "there is no home to keep games in; name a folder in MULLIGAN_DATA", "~") from None


def book_folder() -> Path | None:
    """Where `mulligan solve` puts its books; None where there is no home to keep them in."""
    try:
        home = os.environ.get("MULLIGAN_CACHE") or platformdirs.user_cache_dir("mulligan", appauthor=False)
        return Path(home) / "books"
    except RuntimeError:
        return None
