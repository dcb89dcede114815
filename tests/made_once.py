"""What takes long to make is made once for all processes of a run: the first that needs it makes it, others wait."""

import os
import pickle
import time
from collections.abc import Callable
from pathlib import Path
from typing import TypeVar

import pytest

from mulligan.file_locks import lock
from mulligan.whole_files import replacing

PAUSE = 0.1  # seconds between two looks whether another process has made it
T = TypeVar("T")


def made_once(folders: pytest.TempPathFactory, name: str, make: Callable[[Path], T]) -> T:
    """What `make` returns, kept by `pickle`. The folder that it is given stays until the end, for files."""
    own = folders.getbasetemp()
    place = (own.parent if "PYTEST_XDIST_WORKER" in os.environ else own) / f"made-{name}"
    place.mkdir(exist_ok=True)
    kept = place / "kept.pickle"
    with (place / "lock").open("wb") as turn:
        while not lock(turn.fileno()):
            time.sleep(PAUSE)
        if not kept.exists():
            made = make(place)
            with replacing(kept) as new:
                new.write_bytes(pickle.dumps(made))
    found: T = pickle.loads(kept.read_bytes())
    return found
