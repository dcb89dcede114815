"""Finds the folders for a user's games and for the nets trained on this machine."""

import errno
import os
from pathlib import Path

import platformdirs


def data_folder() -> Path:
    """Returns the user's data folder, or the one in MULLIGAN_DATA. Raises OSError if there is no home folder."""
    try:
        return Path(os.environ.get("MULLIGAN_DATA") or platformdirs.user_data_dir("mulligan", appauthor=False))
    except RuntimeError:
        raise OSError(errno.ENOENT, "there is no home folder; give a folder in MULLIGAN_DATA", "~") from None


def trained_folder() -> Path | None:
    """Returns the folder where `mulligan train` writes its nets; None if there is no home folder."""
    try:
        home = os.environ.get("MULLIGAN_CACHE") or platformdirs.user_cache_dir("mulligan", appauthor=False)
        return Path(home) / "books"  # the name it has had since there were other trained files, too
    except RuntimeError:
        return None
