"""The one file that names Numba: how the engine is compiled, or left plain.

With ``MULLIGAN_PLAIN=1`` in the environment nothing is compiled; the results are the same, some
two hundred times slower, and every line can be stepped through.
"""

import hashlib
import os
from functools import cache
from pathlib import Path

import numpy as np

PLAIN = os.environ.get("MULLIGAN_PLAIN", "") not in ("", "0")
PACKAGE = Path(__file__).parents[1]
COMPILED_ROOMS = ("engine", "players", "simulate.py", "rollouts.py", "analysis.py", "solve", "learn")


def record(fields):
    """A structure whose fields read `state.field`, compiled and plain alike (a NumPy dtype).

    Compiled sums are of 64 bits whatever the fields are; NumPy's overflow, so plain fields are wide.
    """
    if PLAIN:
        fields = [(field[0], "i8" if isinstance(field[1], str) else field[1], *field[2:]) for field in fields]
    return np.dtype((np.record, np.dtype(fields, align=True)))


def fresh(structure):
    """One record of that structure, every field 0."""
    return np.zeros(1, structure)[0]


def sources_digest():
    """Changes with every edit of a compiled file: Numba itself looks only at the file it compiles."""
    digest = hashlib.sha256()
    for room in COMPILED_ROOMS:
        for source in sorted((PACKAGE / room).rglob("*.py")) or [PACKAGE / room]:
            digest.update(source.read_bytes())
    return digest.hexdigest()[:16]


@cache
def cache_folder():
    """Where compiled code is kept between runs, or None where nothing can be written.

    An older version's folder is simply not looked at.
    """
    try:
        home = os.environ.get("MULLIGAN_CACHE") or os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache"
        folder = Path(home) / "mulligan" / sources_digest()
        folder.mkdir(parents=True, exist_ok=True)
    except (OSError, RuntimeError):  # RuntimeError where the user has no home at all
        return None
    return folder if os.access(folder, os.W_OK) else None


def compiled(function):
    """Compiles a function on its first call, and keeps the result for later runs."""
    return function if PLAIN else by_numba(function, fastmath=False)


def compiled_in_any_order(function):
    """The same, free to add up in whatever order is fastest: sums may differ in the last digits."""
    return function if PLAIN else by_numba(function, fastmath={"reassoc", "contract", "nsz"})


def by_numba(function, fastmath):
    import numba

    others = numba.config.CACHE_DIR
    numba.config.CACHE_DIR = str(cache_folder())
    try:
        return numba.njit(cache=bool(cache_folder()), nogil=True, error_model="numpy", fastmath=fastmath)(function)
    finally:
        numba.config.CACHE_DIR = others
