"""The reckoning of a layout in words: which lines matched, what they earn, what the rest costs (5)."""

from dataclasses import dataclass
from typing import Any, NamedTuple

from .engine.rules import slot_in_line
from .engine.scoring import NO_MATCH, cards_cost, cost, count_lines, is_first_match, lines_cost, matched_face
from .engine.state import HIDDEN
from .notation import write_face, write_slot
from .variants import Variant

NUMBERS = ("no", "one", "two", "three", "four", "five", "six", "seven")


class Part(NamedTuple):
    """One entry of a reckoning: lines of one face, a bonus, the cards that count singly, or the penalty."""

    lines: tuple[int, ...]  # the lines of the layout that matched; none where single cards are counted
    face: int  # the face they matched in, or HIDDEN
    points: int
    words: str
    rules: str  # the numbers in the rule book

    def __str__(self) -> str:
        return f"{self.words}{' =' if self.rules == '5.1' else ':'} {self.points} ({self.rules})"


@dataclass(frozen=True)
class Reckoning:
    """The parts add up to `points`, which is what the engine says the layout costs."""

    parts: tuple[Part, ...]
    points: int

    @property
    def lines(self) -> list[str]:
        """One line of text for each part, and the sum."""
        return [*map(str, self.parts), f"Together: {self.points}"]


def explain(variant: Variant, layout: Any) -> Reckoning:
    """Why a layout costs what it does. A card still face down counts nothing."""
    rules = variant.rules
    matched: list[Part] = []
    single: list[int] = []
    for line in range(rules.lines):
        face = int(matched_face(rules, layout, line))
        if face == NO_MATCH:
            single.append(line)
        elif is_first_match(rules, layout, line, face):
            matched += explain_face(variant, layout, face, int(count_lines(rules, layout, face)))
    rest = [explain_cards(variant, layout, single)] if single else []
    return Reckoning((*matched, *rest), int(cost(rules, layout, 0)))


def explain_hole(variant: Variant, state: Any, seat: int) -> Reckoning:
    """Why a finished hole cost a seat what it did: its layout, and for the closer the penalty (5.6)."""
    player = state.players[seat]
    reckoning = explain(variant, player.layout)
    points = int(player.points)
    if points == reckoning.points:
        return reckoning
    charge = points - reckoning.points
    lower = charge // int(variant.rules.closer_penalty)
    words = f"closed, and {NUMBERS[lower] if lower < len(NUMBERS) else lower} had fewer points"
    return Reckoning((*reckoning.parts, Part((), HIDDEN, charge, words, "5.6")), points)


def explain_face(variant: Variant, layout: Any, face: int, count: int) -> list[Part]:
    """The matched lines of one face, and what several of them earn."""
    rules = variant.rules
    lines = tuple(line for line in range(rules.lines) if matched_face(rules, layout, line) == face)
    name = write_face(variant, face)
    kind = "column" if rules.lines_are_columns else "row"
    where = in_words([line_name(variant, line) for line in lines])
    together = int(lines_cost(rules, face, count))
    alone = int(lines_cost(rules, face, 1))
    line_rule = "5.3" if alone else "5.2"
    if count == 1:
        return [Part(lines, face, alone, f"{kind} {where}, all {name}", line_rule)]
    many = NUMBERS[count] if count < len(NUMBERS) else str(count)
    if rules.bonus_replaces:
        return [Part(lines, face, together, f"{kind}s {where}, {many} full {kind}s of {name} together", "5.4")]
    bonus_rule = "5.5" if alone else "5.4"
    return [
        Part(lines, face, count * alone, f"{kind}s {where}, all {name}", line_rule),
        Part(lines, face, together - count * alone, f"bonus for {many} {kind}s of {name}", bonus_rule),
    ]


def explain_cards(variant: Variant, layout: Any, lines: list[int]) -> Part:
    """The cards of the lines that did not match, one by one (5.1)."""
    rules = variant.rules
    slots = sorted(slot for line in lines for slot in slots_of(variant, line))
    faces = [int(layout[slot]) for slot in slots if layout[slot] != HIDDEN]
    points = sum(int(cards_cost(rules, layout, line, 0)) for line in lines)
    total = " + ".join(str(int(rules.points[face])) for face in faces).replace("+ -", "- ")
    which = "all cards" if len(lines) == rules.lines else "other cards"
    if hidden := len(slots) - len(faces):
        total += f"{', ' if total else ''}{hidden} face down"
    return Part((), HIDDEN, points, f"{which}: {total}", "5.1")


def matched_slots(variant: Variant, layout: Any) -> set[int]:
    """The slots whose line has matched (5.2)."""
    lines = range(variant.rules.lines)
    matched = [line for line in lines if matched_face(variant.rules, layout, line) != NO_MATCH]
    return {slot for line in matched for slot in slots_of(variant, line)}


def slots_of(variant: Variant, line: int) -> list[int]:
    return [int(slot_in_line(variant.rules, line, place)) for place in range(variant.rules.line_length)]


def line_name(variant: Variant, line: int) -> str:
    """A column by its letter, a row by its number (1.3)."""
    slot = write_slot(variant, slots_of(variant, line)[0])
    return slot[0] if variant.rules.lines_are_columns else slot[1:]


def in_words(names: list[str]) -> str:
    """`a`, `a and c`, `a, b and c`."""
    return " and ".join([", ".join(names[:-1]), names[-1]] if len(names) > 1 else names)
