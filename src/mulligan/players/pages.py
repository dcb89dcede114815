"""What a book says: strokes against the field for a layout whose turn is over, and how to look it up.

The layouts of a book are kept whole, or as the small net that was fitted to them; both answer alike.
"""

from typing import NamedTuple

import numpy as np

from ..engine.compiled import compiled, record
from ..engine.rules import MAX_FACES
from .lines import kind_of

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
        ("edges", np.float32, (STEPS, MOST_EDGES)),  # how the standing of the best of the others is cut
        ("first_sign", np.int64, STEPS),  # into signs, of which each step has its own
        ("closing", np.float32, SIGNS),  # what the others score on average when one closes
        ("beaten", np.float32, (SIGNS, SPAN)),  # how many of them have less than so many points then
        ("discards", np.float32, (SIGNS, MAX_FACES)),  # how often each face lies on the discard pile
    ]
)


class Pages(NamedTuple):
    """One book. A "sign" is what a page goes by: the number of the turn, or what the others show.

    facts: one record of FACTS.
    counts[layout * SIGNS + sign]: strokes against the field when the turn is over, in fractions of a
    stroke (int16); empty where only the net is there.
    first, second, third: the net, float32. The rows of the lines and the sign are added up, and go
    through two layers; the last row of each of these is what is always added.
    ways[n, k]: how many ways to choose k of n things, which numbers the layouts.
    tee_layouts, tee_worth: while teeing off, what a layout is worth, by its number.
    """

    facts: np.ndarray
    counts: np.ndarray
    first: np.ndarray
    second: np.ndarray
    third: np.ndarray
    ways: np.ndarray
    tee_layouts: np.ndarray
    tee_worth: np.ndarray


def blank_pages() -> Pages:
    """A book in which nothing is written."""
    return Pages(
        facts=np.zeros(1, FACTS),
        counts=np.zeros(0, np.int16),
        first=np.zeros((0, 0), np.float32),
        second=np.zeros((0, 0), np.float32),
        third=np.zeros(0, np.float32),
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
def worth_of_lines(pages, sign, line_kinds):
    """Strokes against the field, with lines of these kinds, in any order, when the turn is over."""
    if len(pages.counts):
        return worth_of_layout(pages, sign, number_of(pages.ways, line_kinds))
    others = np.zeros(len(pages.second) - 1, np.float32)
    add_up(pages.first, sign, line_kinds, line_kinds[0], others)
    return worth_by_net(others, pages.first[line_kinds[0]], pages.second, pages.third)


@compiled
def worth_of_layout(pages, sign, layout):
    """The same from the table, by the number of the layout."""
    return pages.facts[0].fraction * pages.counts[layout * SIGNS + sign]


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
def add_up(first, sign, line_kinds, left_out, total):
    """The net's first rows of the sign and of all lines, but for one of the kind that is left out."""
    add_row(total, first[len(first) - SIGNS + sign], 1)
    for line in range(len(line_kinds)):
        add_row(total, first[line_kinds[line]], 1)
    add_row(total, first[left_out], -1)


@compiled
def worth_by_net(others, line, second, third):
    """What the net makes of the sum of the others' rows, and the row of the line beside them."""
    width, depth = len(others), len(third) - 1
    deep = second[width].copy()
    for nth in range(width):
        value = others[nth] + line[nth]
        if value > 0:
            add_row(deep, second[nth], value)
    worth = np.float64(third[depth])
    for out in range(depth):
        if deep[out] > 0:
            worth += deep[out] * third[out]
    return worth


@compiled
def add_row(total, row, times):
    for nth in range(len(total)):
        total[nth] += np.float32(times) * row[nth]


@compiled
def expected_beaten(facts, sign, points):
    """How many of the others will have fewer points than one who closes with so many."""
    return facts.beaten[sign, min(max(0, int(points) - LEAST), SPAN - 1)]


@compiled
def worth_while_teeing(pages, number):
    """What a layout with so few cards turned up is worth, until the first turn begins."""
    return pages.tee_worth[np.searchsorted(pages.tee_layouts, number)]
