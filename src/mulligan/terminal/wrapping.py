"""Wraps text by columns, where Japanese characters take two and lines may break between them."""

import re

from rich.cells import cell_len, chop_cells
from rich.text import Text

OPENING, CLOSING = "（「『", "）」』、。！？：；…"
WIDE = "\u3000-\u9fff\uff00-\uffef"
PIECE = re.compile(rf" *[{OPENING}]*(?:[\u30a0-\u30ff]+|[^ {WIDE}]+|[{WIDE}]|$)[{CLOSING}]*")  # never broken


def wrap(text: str, width: int) -> list[str]:
    """Returns the text as lines of at most that many columns; no-break spaces stay together with their neighbours."""
    lines: list[str] = []
    line = ""
    for piece in PIECE.findall(text):
        if cell_len(line + piece) > width:
            lines += [line.rstrip(" ")] if line else []
            *full, piece = chop_cells(piece.lstrip(" "), width) or [""]
            lines += full
            line = ""
        line += piece
    return [*lines, line.rstrip(" ")]


def wrap_text(text: Text, width: int) -> list[Text]:
    """Returns a styled text as lines of at most that many columns."""
    lines: list[Text] = []
    at = 0
    for row in text.plain.split("\n"):
        for line in wrap(row, width):
            at = text.plain.index(line, at)
            lines.append(text[at : at + len(line)])
            at += len(line)
    return lines
