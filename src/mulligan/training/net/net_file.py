"""Writes a net to a file that the players read, and tells how a file was made."""

import json
from pathlib import Path
from typing import Any

import numpy as np

from mulligan.players import book_files
from mulligan.players.values.net import Net


def save(file: Path, net: Net, edition: str, facts: dict[str, Any]) -> None:
    """Writes the net in half precision, with the facts on how it was made (JSON values). Raises OSError."""
    file.parent.mkdir(parents=True, exist_ok=True)
    halves = {
        name: table.astype(np.float16) if table.dtype == np.float32 else table for name, table in net._asdict().items()
    }
    book_files.save(file, edition, {"made": np.array(json.dumps(facts, sort_keys=True)), **halves})


def how_made(file: Path) -> dict[str, Any]:
    """The facts of a file; empty for a net of an older version."""
    with np.load(file) as net:
        return dict(json.loads(str(net["made"]))) if "made" in net.files else {}
