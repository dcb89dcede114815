"""What a training run has learned so far, and the file from which an interrupted run continues."""

import json
import zipfile
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

import numpy as np

from mulligan.compute.journal import JournalError, compare
from mulligan.whole_files import replacing


@dataclass
class Learned:
    """All that changes while a net learns."""

    numbers: np.ndarray  # float32: the net
    player: np.ndarray  # float32: the net that plays the coming round
    smooth: np.ndarray  # float64: the running mean of the nets
    means: np.ndarray  # float32: Adam's memory of the gradient
    squares: np.ndarray  # float32: and of its square
    positions: np.ndarray  # int16 [row, column]: of the latest rounds
    targets: np.ndarray  # float32 [row]
    rounds: int = 0

    @classmethod
    def nothing(cls, numbers: np.ndarray, rows: int, columns: int) -> "Learned":
        """A net before it learns, with room for so many positions."""
        means, squares = np.zeros_like(numbers), np.zeros_like(numbers)
        positions, targets = np.zeros((rows, columns), np.int16), np.zeros(rows, np.float32)
        return cls(numbers.copy(), numbers.copy(), numbers.astype(np.float64), means, squares, positions, targets)


def write(file: Path, facts: dict[str, Any], learned: Learned) -> None:
    """Replaces the file as a whole, so that a half-written one cannot be read."""
    with replacing(file) as new, new.open("wb") as opened:
        np.savez(opened, facts=np.array(json.dumps(facts, sort_keys=True)), **asdict(learned))


def read(file: Path, facts: dict[str, Any], learned: Learned) -> None:
    """Changes `learned` to what the file holds, if there is one. Raises JournalError if it is of another run."""
    if not file.exists():
        return
    try:
        with np.load(file) as kept:
            found = {name: kept[name] for name in kept.files}
            told = dict(json.loads(str(found.pop("facts"))))
    except (ValueError, KeyError, zipfile.BadZipFile):
        raise JournalError(f"{file} is not a checkpoint; delete it, or name another file.") from None
    compare(file, "course", told, facts)
    learned.rounds = int(found.pop("rounds"))
    for name, array in found.items():
        setattr(learned, name, array)
