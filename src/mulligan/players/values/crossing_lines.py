"""The expected cost of layouts in which a card may be in several lines or squares (5.2, 5.4)."""

import numpy as np

from mulligan.engine.compiled import compiled, compiled_with_arrays
from mulligan.engine.scoring import blocks, has_block, matched_slots, slots_of_block, slots_of_line
from mulligan.engine.state import HIDDEN

from .equal_cards import chance_of_all


@compiled_with_arrays
def expected_matches_crossing(rules, layout, counts, size):
    """How the expected cost of a layout changes because hidden cards, drawn from a bag of that size, may match.

    Exact, by inclusion and exclusion: a card costs nothing with the chance that any shape through its slot matches,
    and squares earn their points with the chance that there is one.
    """
    shapes, lines = shapes_of(rules)
    through = np.zeros(len(shapes), np.int64)
    matched = matched_slots(rules, layout)
    change = 0.0
    for face in range(rules.faces):
        if not counts[face]:
            continue
        for slot in range(rules.slots):
            if not matched >> slot & 1:
                found = 0
                for shape in shapes:
                    if shape >> slot & 1 and may_match(rules, layout, shape, face):
                        through[found] = shape
                        found += 1
                if found:
                    chance = chance_of_any(rules, layout, through[:found], counts[face], size)
                    change -= rules.points[face] * chance
        if rules.block_points and not has_block(rules, layout):
            found = 0
            for shape in shapes[lines:]:
                if may_match(rules, layout, shape, face):
                    through[found] = shape
                    found += 1
            change += rules.block_points * chance_of_any(rules, layout, through[:found], counts[face], size)
    return change


@compiled_with_arrays
def shapes_of(rules):
    """Every line and then every square that counts, as sets of bits; and how many of them are lines."""
    squares = blocks(rules) if rules.block_points else 0
    shapes = np.zeros(rules.lines + squares, np.int64)
    for line in range(rules.lines):
        shapes[line] = slots_of_line(rules, line)
    for square in range(squares):
        shapes[rules.lines + square] = slots_of_block(rules, square)
    return shapes, rules.lines


@compiled
def may_match(rules, layout, shape, face):
    """Whether no open card of the shape has another face."""
    for slot in range(rules.slots):
        if shape >> slot & 1 and layout[slot] != HIDDEN and layout[slot] != face:
            return False
    return True


@compiled
def chance_of_any(rules, layout, shapes, count, size):
    """The probability that one of the shapes, which may all match, does so in a face of so many cards in the bag."""
    chance = 0.0
    for chosen in range(1, 1 << len(shapes)):
        slots, sign = 0, -1.0
        for nth in range(len(shapes)):
            if chosen >> nth & 1:
                slots |= shapes[nth]
                sign = -sign
        chance += sign * chance_of_all(hidden_in(rules, layout, slots), count, size)
    return chance


@compiled
def hidden_in(rules, layout, slots):
    hidden = 0
    for slot in range(rules.slots):
        hidden += slots >> slot & 1 and layout[slot] == HIDDEN
    return hidden
