"""Draws cards on a table as SVG, for pictures in the documentation; readable on light and on dark pages."""

from collections.abc import Sequence
from xml.sax.saxutils import escape

WIDE, TALL, GAP = 42, 58, 8  # of a card, and between two; in the units of all pictures
EDGE = 14  # of the table around the cards
ANY, EMPTY = "any", "empty"

STYLE = """
.table { fill: #2c7a4e }
.card { fill: #ffffff; stroke: #17241b; stroke-opacity: .35 }
.back { fill: #14432d; stroke: #cfe6d6; stroke-width: 1.5 }
.empty { fill: none; stroke: #cfe6d6; stroke-dasharray: 4 4 }
.any { fill: #ffffff; fill-opacity: .3 }
.points { fill: #ffffff }
text { font: 600 22px system-ui, sans-serif; text-anchor: middle; fill: #17241b }
"""


def picture(width: float, height: float, title: str, parts: Sequence[str]) -> str:
    """Returns the SVG file of a picture whose parts lie on a table; `title` is for those who cannot see it."""
    head = f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width:g} {height:g}" width="{width:g}" role="img">'
    felt = f'<rect class="table" width="{width:g}" height="{height:g}" rx="12"/>'
    lines = [head, f"<title>{escape(title)}</title>", f"<style>{STYLE}</style>", felt, *parts, "</svg>"]
    return "\n".join(lines) + "\n"


def card(x: float, y: float, face: str | None) -> str:
    """Draws a card, face down if it has no face; ANY is a card that may be any, EMPTY a slot without one."""
    if face in (ANY, EMPTY):
        return rectangle(face, x, y)
    if face is None:
        inner = f'<rect class="back" x="{x + 5:g}" y="{y + 5:g}" width="{WIDE - 10}" height="{TALL - 10}" rx="3"/>'
        return rectangle("card", x, y) + inner
    return f'{rectangle("card", x, y)}<text x="{x + WIDE / 2:g}" y="{y + TALL / 2 + 8:g}">{escape(face)}</text>'


def rectangle(name: str, x: float, y: float, wide: float = WIDE, tall: float = TALL) -> str:
    return f'<rect class="{name}" x="{x:g}" y="{y:g}" width="{wide:g}" height="{tall:g}" rx="6"/>'


def layout(x: float, y: float, faces: Sequence[str | None], columns: int) -> list[str]:
    """Draws a layout; `faces` are those of its slots, row by row."""
    return [card(*place(x, y, slot, columns), face) for slot, face in enumerate(faces)]


def place(x: float, y: float, slot: int, columns: int) -> tuple[float, float]:
    """Returns the top left corner of a slot of the layout at x, y."""
    return x + slot % columns * (WIDE + GAP), y + slot // columns * (TALL + GAP)


def label(x: float, y: float, text: str) -> str:
    return f'<text class="points" x="{x:g}" y="{y:g}">{escape(text)}</text>'


def width_of(columns: int) -> int:
    return columns * (WIDE + GAP) - GAP


def height_of(rows: int) -> int:
    return rows * (TALL + GAP) - GAP
