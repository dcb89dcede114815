"""A book: the value of every layout after a turn, in strokes relative to the others.

The table is stored whole, or compressed (`training/book/compress.py`); the lookup is the same.
"""

from typing import NamedTuple

import numpy as np

from mulligan.engine.compiled import compiled, record
from mulligan.engine.rules import MAX_FACES

from .line_kinds import kind_of

SIGNS = 32  # in every book
STEPS = 5  # of how many cards lie face down before the fastest of the others; the last: so many or more
MOST_EDGES = 16
LEAST = -128  # points are counted from here
SPAN = 384

# Everything of a fixed size. The types are given as such: they are the same where nothing is compiled.
FACTS = record(
    [
        ("is_written", np.int8),
        ("fraction", np.float64),  # strokes a count
        ("closed", np.int64),  # how many layouts have closed: they are numbered first
        ("edges", np.float32, (STEPS, MOST_EDGES)),  # how the standing of the best of the others is cut
        ("first_sign", np.int64, STEPS),  # into signs, of which each step has its own
        ("closing", np.float32, SIGNS),  # what the others score on average when one closes
        ("beaten", np.float32, (SIGNS, SPAN)),  # how many of them have less than so many points then
        ("discards", np.float32, (SIGNS, MAX_FACES)),  # how often each face lies on the discard pile
    ]
)


class Pages(NamedTuple):
    """A value for every layout. The columns ("signs") are the number of the turn, or a bucket of the others' state.

    facts: one record of FACTS.
    counts[layout * SIGNS + sign]: strokes against the field when the turn is over, in fractions of a
    stroke (int16); empty in a condensed book.
    lines[kind, sign]: strokes of a line by itself, float32; what the whole layout adds to its lines is the
    sum of parts[(layout - closed) * n + nth] * factors[nth, sign], int8 and float32, over all n of them.
    ways[n, k]: how many ways to choose k of n things, which numbers the layouts.
    tee_layouts, tee_worth: the value of a layout while teeing off, by its number.
    """

    facts: np.ndarray
    counts: np.ndarray
    lines: np.ndarray
    factors: np.ndarray
    parts: np.ndarray
    ways: np.ndarray
    tee_layouts: np.ndarray
    tee_worth: np.ndarray


def blank_pages() -> Pages:
    """A book in which nothing is written."""
    return Pages(
        facts=np.zeros(1, FACTS),
        counts=np.zeros(0, np.int16),
        lines=np.zeros((0, 0), np.float32),
        factors=np.zeros((0, 0), np.float32),
        parts=np.zeros(0, np.int8),
        ways=np.zeros((0, 0), np.int64),
        tee_layouts=np.zeros(0, np.int64),
        tee_worth=np.zeros(0, np.float32),
    )


@compiled
def is_written(pages):
    return pages.facts[0].is_written


@compiled
def fill_kinds(rules, layout, line_kinds):
    """The kinds of the layout's lines, line by line."""
    for line in range(rules.lines):
        line_kinds[line] = kind_of(rules, layout, line)


@compiled
def value_of_lines(pages, sign, line_kinds):
    """The value of a layout with lines of these kinds, in any order, after a turn."""
    move_value = value_together(pages, sign, number_of(pages.ways, line_kinds))
    for line in range(len(line_kinds)):
        move_value += pages.lines[line_kinds[line], sign]
    return move_value


@compiled
def value_together(pages, sign, layout):
    """What the layout of that number adds to its lines; in a whole book, where no line counts by itself, all."""
    if len(pages.counts):
        return pages.facts[0].fraction * pages.counts[layout * SIGNS + sign]
    move_value, factors = 0.0, len(pages.factors)
    first = (layout - pages.facts[0].closed) * factors
    for nth in range(factors):
        move_value += pages.parts[first + nth] * pages.factors[nth, sign]
    return move_value


@compiled
def number_of(ways, line_kinds):
    """The number of the layout with lines of these kinds, in any order."""
    lines = len(line_kinds)
    number = 0
    for line in range(lines):
        higher = 0  # how many lines stand before this one, when the highest comes first
        for other in range(lines):
            higher += line_kinds[other] > line_kinds[line] or (line_kinds[other] == line_kinds[line] and other < line)
        number += ways[line_kinds[line] + lines - 1 - higher, lines - higher]
    return number


@compiled
def expected_beaten(facts, sign, points):
    """How many of the others will have fewer points than one who closes with so many."""
    return facts.beaten[sign, min(max(0, int(points) - LEAST), SPAN - 1)]


@compiled
def value_while_teeing(pages, number):
    """The value of a layout while teeing off."""
    return pages.tee_worth[np.searchsorted(pages.tee_layouts, number)]
