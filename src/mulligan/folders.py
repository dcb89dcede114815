"""Where a user's games are kept."""

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
