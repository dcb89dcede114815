"""Lists the variants of the package in display order, without loading the engine or checking the files."""

import tomllib
from functools import cache
from pathlib import Path
from typing import Any

FOLDER = Path(__file__).parent / "variants"
LAST = 1000  # the order of a variant whose file gives none


@cache
def tables() -> dict[str, dict[str, Any]]:
    """Returns the content of each file, by the name of the variant."""
    found = {file.stem: tomllib.loads(file.read_text(encoding="utf-8")) for file in FOLDER.glob("*.toml")}
    return dict(sorted(found.items(), key=lambda one: (one[1].get("order", LAST), one[0])))


def games() -> list[str]:
    """Returns the names of the games of the package, in display order."""
    return list(tables())


@cache
def titles() -> dict[str, str]:
    """Returns the names of the variants by their titles in every language."""
    return {
        title: name for name, table in tables().items() for title in (table["title"], *table.get("titles", {}).values())
    }
