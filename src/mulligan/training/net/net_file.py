"""Writes a net to a file that the players read, and tells how a file was made."""

import json
from pathlib import Path
from typing import Any

import numpy as np

from mulligan.players import net_files
from mulligan.players.values.net import Net
from mulligan.players.values.net_storage import packed


def save(file: Path, net: Net, edition: str, facts: dict[str, Any]) -> None:
    """Writes the net, rounded, with the facts on how it was made (JSON values). Raises OSError."""
    file.parent.mkdir(parents=True, exist_ok=True)
    net_files.save(file, edition, {"made": np.array(json.dumps(facts, sort_keys=True)), **packed(net)})


def how_made(file: Path) -> dict[str, Any]:
    """The facts of a file; empty for a net of an older version."""
    with np.load(file) as net:
        return dict(json.loads(str(net["made"]))) if "made" in net.files else {}
