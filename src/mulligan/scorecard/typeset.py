"""Typesets a score card with typst, from a template and the bundled fonts."""

import json
from functools import cache
from pathlib import Path
from typing import Any, Literal, TypeAlias

from .card import Card, contents
from .glyphs import FONTS, is_rare

Form: TypeAlias = Literal["pdf", "svg", "png"]
HERE = Path(__file__).parent
TEMPLATE = HERE / "card.typ"
PIXELS_PER_INCH = 110.0


class TypstMissing(ImportError):
    """typst is not installed."""


def typeset(card: Card, form: Form = "pdf") -> bytes:
    """Returns the card on one sheet. Raises TypstMissing if typst is not installed."""
    try:
        import typst
    except ModuleNotFoundError:
        raise TypstMissing(
            "Printing needs the package typst; pip install '.[card]' in a clone of Mulligan installs all it needs."
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
    """Returns the bundled fonts; with `rare`, also typst's fonts and those of this machine."""
    import typst

    return typst.Fonts(include_system_fonts=rare, include_embedded_fonts=rare, font_paths=[FONTS])
