"""Splits the score of a layout into parts: matched lines, bonuses, single cards, the penalty (5)."""

from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np

from mulligan.engine.rules import slot_in_line
from mulligan.engine.scoring import cards_cost, cost, count_lines, is_first_match, line_face, lines_cost
from mulligan.engine.state import HIDDEN, NO_MATCH

from .notation import write_slot
from .variants import Variant


class Part(NamedTuple):
    """One part of a score: lines of one face, a bonus, the single cards, or the penalty."""

    lines: tuple[int, ...]  # the matched lines of the layout; empty for single cards
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
    single: list[int] = []
    for line in range(rules.lines):
        face = int(line_face(rules, layout, line))
        if face == NO_MATCH:
            single.append(line)
        elif is_first_match(rules, layout, line, face):
            matched += explain_face(variant, layout, face, int(count_lines(rules, layout, face)))
    rest = [explain_cards(variant, layout, single)] if single else []
    return HoleScore((*matched, *rest), int(cost(rules, layout, 0)))


def explain_hole(variant: Variant, state: Any, seat: int) -> HoleScore:
    """Splits a seat's score of a finished hole into parts: the layout, and the closer's penalty (5.6)."""
    player = state.players[seat]
    score = explain(variant, player.layout)
    points = int(player.points)
    if points == score.points:
        return score
    return HoleScore((*score.parts, Part((), HIDDEN, points - score.points, "5.6")), points)


def explain_face(variant: Variant, layout: Any, face: int, count: int) -> list[Part]:
    """Returns the parts for the matched lines of one face and for their bonus."""
    rules = variant.rules
    lines = tuple(line for line in range(rules.lines) if line_face(rules, layout, line) == face)
    together = int(lines_cost(rules, face, count))
    alone = int(lines_cost(rules, face, 1))
    line_rule = "5.3" if alone else "5.2"
    if together == count * alone:  # no bonus
        return [Part(lines, face, together, line_rule)]
    if rules.bonus_replaces:
        return [Part(lines, face, together, "5.4")]
    return [
        Part(lines, face, count * alone, line_rule),
        Part(lines, face, together - count * alone, "5.5" if alone else "5.4"),
    ]


def explain_cards(variant: Variant, layout: Any, lines: list[int]) -> Part:
    """Returns the part for the cards of the unmatched lines (5.1)."""
    return Part((), HIDDEN, sum(int(cards_cost(variant.rules, layout, line, 0)) for line in lines), "5.1")


def matched_slots(variant: Variant, layout: Any) -> set[int]:
    """Returns the slots of the matched lines (5.2)."""
    layout = np.asarray(layout, np.int8)
    lines = range(variant.rules.lines)
    matched = [line for line in lines if line_face(variant.rules, layout, line) != NO_MATCH]
    return {slot for line in matched for slot in slots_of(variant, line)}


def slots_of(variant: Variant, line: int) -> list[int]:
    return [int(slot_in_line(variant.rules, line, place)) for place in range(variant.rules.line_length)]


def line_name(variant: Variant, line: int) -> str:
    """Returns the letter of a column or the number of a row (1.3)."""
    slot = write_slot(variant, slots_of(variant, line)[0])
    return slot[0] if variant.rules.lines_are_columns else slot[1:]
