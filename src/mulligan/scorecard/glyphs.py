"""Knows which characters the bundled fonts contain."""

from functools import cache
from pathlib import Path

FONTS = Path(__file__).parent / "fonts"


@cache
def letters() -> frozenset[str]:
    """Returns the characters of the regular font, and a space."""
    return frozenset((FONTS / "letters.txt").read_text(encoding="utf-8"))


def is_rare(text: str) -> bool:
    """Returns whether the text contains characters that need another font."""
    return not letters().issuperset(text)
