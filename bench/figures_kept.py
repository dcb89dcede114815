"""Where measured results are kept, and how a page says them and where they come from."""

import json
from collections.abc import Iterable
from pathlib import Path
from typing import Any

from strength_report import heading

ROOT = Path(__file__).parents[1]
KEPT = ROOT / "docs/figures.json"
Result = dict[str, Any]  # `figures`, and the `machine`, `commit` and `command` that gave them
Results = dict[str, Result]


def kept() -> Results:
    found: Results = json.loads(KEPT.read_text(encoding="utf-8"))
    return found


def of(*several: Result) -> str:
    """Where results come from, the machine once if it is the same."""
    told: dict[str, list[str]] = {}
    for result in several:
        told.setdefault(result["machine"], []).append(f"commit {result['commit']}, `{result['command']}`")
    return "; ".join(f"{machine}, {', '.join(commands)}" for machine, commands in told.items())


def table(columns: Iterable[str], rows: Iterable[Iterable[object]], *origins: Result) -> str:
    """A table, and under it where it comes from."""
    lines = [*heading(*columns), *(f"| {' | '.join(map(str, row))} |" for row in rows)]
    return "\n".join([*lines, "", f"On {of(*origins)}."] if origins else lines)
