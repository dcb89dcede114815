"""Splits the score of a layout into parts: matched lines, bonuses, single cards, the penalty (5)."""

from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np

from mulligan.engine.rules import lines_cross, slot_in_line
from mulligan.engine.scoring import (
    blocks,
    cost,
    count_lines,
    is_block,
    is_first_match,
    is_matched,
    line_face,
    lines_cost,
    slots_of_block,
)
from mulligan.engine.state import HIDDEN, NO_MATCH

from .notation import write_slot
from .variants import Variant

OWN_BONUS = ("H", "*")  # faces whose bonus has a rule of its own, where their lines go below zero (5.5)


class Part(NamedTuple):
    """One part of a score: lines of one face, a bonus, the single cards, or the penalty."""

    lines: tuple[int, ...]  # the matched lines of the layout; empty for a square and for single cards
    slots: tuple[int, ...]  # where the cards of this part lie, in order
    face: int  # the face of the matched lines, or HIDDEN
    points: int
    rule: str  # its number in the rule book


@dataclass(frozen=True)
class HoleScore:
    """The parts of a score; they add up to `points`, the engine's score of the layout."""

    parts: tuple[Part, ...]
    points: int


def explain(variant: Variant, layout: Any) -> HoleScore:
    """Splits the score of a layout into parts. A face-down card scores nothing."""
    rules = variant.rules
    layout = np.asarray(layout, np.int8)  # of a list, the engine would be compiled once more
    matched: list[Part] = []
    for line in range(rules.lines):
        face = int(line_face(rules, layout, line))
        if face != NO_MATCH and is_first_match(rules, layout, line, face):
            matched += explain_face(variant, layout, face, int(count_lines(rules, layout, face)))
    matched += explain_block(variant, layout)
    single = [slot for slot in range(rules.slots) if not is_matched(rules, layout, slot)]
    rest = [explain_cards(variant, layout, single)] if single else []
    return HoleScore((*matched, *rest), int(cost(rules, layout, 0)))


def explain_hole(variant: Variant, state: Any, seat: int) -> HoleScore:
    """Splits a seat's score of a finished hole into parts: the layout, and the closer's penalty (5.6)."""
    player = state.players[seat]
    score = explain(variant, player.layout)
    points = int(player.points)
    if points == score.points:
        return score
    return HoleScore((*score.parts, Part((), (), HIDDEN, points - score.points, "5.6")), points)


def explain_face(variant: Variant, layout: Any, face: int, count: int) -> list[Part]:
    """Returns the parts for the matched lines of one face and for their bonus."""
    rules = variant.rules
    lines = tuple(line for line in range(rules.lines) if line_face(rules, layout, line) == face)
    slots = tuple(sorted({slot for line in lines for slot in slots_of(variant, line)}))
    together = int(lines_cost(rules, face, count))
    alone = int(lines_cost(rules, face, 1))
    line_rule = "5.3" if alone else "5.2"
    if together == count * alone:  # no bonus
        return [Part(lines, slots, face, together, line_rule)]
    if rules.bonus_replaces:
        return [Part(lines, slots, face, together, "5.4")]
    bonus_rule = "5.5" if alone and variant.faces[face] in OWN_BONUS else "5.4"
    return [
        Part(lines, slots, face, count * alone, line_rule),
        Part(lines, slots, face, together - count * alone, bonus_rule),
    ]


def explain_block(variant: Variant, layout: Any) -> list[Part]:
    """Returns the part for squares of four equal cards, if there is one and it counts (5.4)."""
    rules = variant.rules
    squares = [block for block in range(blocks(rules)) if rules.block_points and is_block(rules, layout, block)]
    if not squares:
        return []
    slots = sorted({slot for block in squares for slot in slots_in(int(slots_of_block(rules, block)))})
    return [Part((), tuple(slots), int(layout[slots[0]]), int(rules.block_points), "5.4")]


def slots_in(bits: int) -> tuple[int, ...]:
    """Returns the slots of a set of bits, in order."""
    return tuple(slot for slot in range(bits.bit_length()) if bits >> slot & 1)


def explain_cards(variant: Variant, layout: Any, slots: list[int]) -> Part:
    """Returns the part for the cards outside the matched lines (5.1)."""
    faces = [int(layout[slot]) for slot in slots]
    points = sum(int(variant.rules.points[face]) for face in faces if face != HIDDEN)
    return Part((), tuple(slots), HIDDEN, points, "5.1")


def matched_slots(variant: Variant, layout: Any) -> set[int]:
    """Returns the slots of the matched lines and squares (5.2, 5.4)."""
    layout = np.asarray(layout, np.int8)
    return {slot for slot in range(variant.rules.slots) if is_matched(variant.rules, layout, slot)}


def slots_of(variant: Variant, line: int) -> list[int]:
    return [int(slot_in_line(variant.rules, line, place)) for place in range(variant.rules.line_length)]


def line_name(variant: Variant, line: int) -> str:
    """Returns the letter of a column or the number of a row (1.3); where lines cross, the slots at both ends."""
    slots = [write_slot(variant, slot) for slot in slots_of(variant, line)]
    if lines_cross(variant.rules):
        return f"{slots[0]}–{slots[-1]}"
    return slots[0][0] if variant.rules.lines_are_columns else slots[0][1:]
