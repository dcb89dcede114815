"""Loads the card's words in four languages, one file each."""

import json
from functools import cache
from pathlib import Path

FOLDER = Path(__file__).parent / "words"
LANGUAGES = tuple(sorted(file.stem for file in FOLDER.glob("*.json")))
MINUS = "\N{MINUS SIGN}"


@cache
def words(language: str) -> dict[str, str]:
    """Returns the card's words in one of LANGUAGES, by key."""
    read: dict[str, str] = json.loads((FOLDER / f"{language}.json").read_text(encoding="utf-8"))
    return read


def signed(points: int) -> str:
    """Returns points as text with a real minus sign."""
    return str(points).replace("-", MINUS)
