"""Which letters our own fonts have."""

from functools import cache
from pathlib import Path

FONTS = Path(__file__).parent / "fonts"


@cache
def letters() -> frozenset[str]:
    """All that the regular font has, and a space."""
    return frozenset((FONTS / "letters.txt").read_text(encoding="utf-8"))


def is_rare(text: str) -> bool:
    """Whether it is written with letters that need another font."""
    return not letters().issuperset(text)
