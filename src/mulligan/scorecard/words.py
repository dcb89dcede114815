"""The card's words in four languages, one file each."""

import json
from functools import cache
from pathlib import Path

from ..variants import Variant

FOLDER = Path(__file__).parent / "words"
LANGUAGES = tuple(sorted(file.stem for file in FOLDER.glob("*.json")))
MINUS = "\N{MINUS SIGN}"


@cache
def words(language: str) -> dict[str, str]:
    """Every word of the card in one of LANGUAGES, by what it is for."""
    read: dict[str, str] = json.loads((FOLDER / f"{language}.json").read_text(encoding="utf-8"))
    return read


def title(variant: Variant, language: str) -> str:
    """What the game is called there; a variant of one's own by what its file says."""
    return words(language).get(f"game_{variant.name}", variant.title)


def signed(points: int) -> str:
    """Points as they are printed, with a real minus."""
    return str(points).replace("-", MINUS)
