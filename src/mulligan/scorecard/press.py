"""Prints a score card: typst sets it, with fonts that come along, from a template that takes all it shows as data."""

import json
from functools import cache
from pathlib import Path
from typing import Any, Literal, TypeAlias

from .card import Card, contents
from .letters import FONTS, is_rare

Form: TypeAlias = Literal["pdf", "svg", "png"]
HERE = Path(__file__).parent
TEMPLATE = HERE / "card.typ"
PIXELS_PER_INCH = 110.0


class NoPressError(ImportError):
    """There is nothing here to print with."""


def press(card: Card, form: Form = "pdf") -> bytes:
    """The card on one sheet. Raises NoPressError where typst is not installed."""
    try:
        import typst
    except ModuleNotFoundError:
        raise NoPressError(
            "Printing needs the package typst; pip install 'mulligan[card]' installs all it needs."
        ) from None

    data = json.dumps(contents(card), ensure_ascii=False)
    printed: Any = typst.compile(
        TEMPLATE.read_bytes(),
        font_paths=fonts(any(map(is_rare, [card.variant.title, *card.names]))),
        sys_inputs={"card": data},
        format=form,
        ppi=PIXELS_PER_INCH,
        ignore_system_fonts=True,
    )
    assert isinstance(printed, bytes)  # one sheet, always
    return printed


@cache
def fonts(rare: bool) -> Any:
    """Our own fonts; for letters they lack, typst's and whatever this machine has."""
    import typst

    return typst.Fonts(include_system_fonts=rare, include_embedded_fonts=rare, font_paths=[FONTS])
