"""Explains the score of a layout in words."""

from collections.abc import Iterator, Sequence
from typing import Any

from mulligan.engine.rules import lines_cross
from mulligan.engine.state import HIDDEN

from .score_parts import HoleScore, Part, line_name
from .variants import Variant
from .words import Words, minus


def tell_parts(
    words: Words, variant: Variant, layout: Any, score: HoleScore, lower: Sequence[str] = ()
) -> Iterator[tuple[Part, str]]:
    """Yields each part with its sentence and rule; `lower` names those with fewer points than the closer (5.6)."""
    for part in score.parts:
        yield (
            part,
            words("terminal_brackets", text=tell_part(words, variant, layout, score, part, lower), more=part.rule),
        )


def tell_part(words: Words, variant: Variant, layout: Any, score: HoleScore, part: Part, lower: Sequence[str]) -> str:
    kind = "column" if variant.rules.lines_are_columns else "row"
    if lines_cross(variant.rules):
        kind = "line"
    if part.rule == "5.1":
        return words("table_rk_cards", sum=sum_of(variant, layout, part))
    if part.rule == "5.6":
        return words("table_rk_penalty", names=words.listed(lower))
    faces, count = words.faces(variant.faces[part.face]), len(part.lines)
    if not part.lines:
        return words("table_rk_square", faces=faces)
    if part.rule in ("5.4", "5.5"):
        return words(f"table_rk_bonus_{kind}s", count=count, faces=faces)
    where = words.listed([line_name(variant, line) for line in part.lines])
    return words(f"table_rk_{kind}", count=count, where=where, faces=faces)


def sum_of(variant: Variant, layout: Any, part: Part) -> str:
    """Writes the points of single cards as a sum in slot order: `7 + 3 − 5`."""
    faces = [int(layout[slot]) for slot in part.slots]
    points = [int(variant.rules.points[face]) for face in faces if face != HIDDEN]
    return minus(" + ".join(map(str, points)).replace("+ -", "- "))


def bill_line(points: int, text: str) -> str:
    """Returns a line of the score: the points, right-aligned, and the text."""
    return f"{minus(points):>4}  {text}"
