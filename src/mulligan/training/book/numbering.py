"""Numbers every layout of a variant: a layout is a multiset of lines, a line a multiset of cards.

Lines are told apart by their kind (`players.lines`). A layout's kinds, highest first, are one
combination with repetition, and the combinations are numbered in the order they are counted up.
"""

from typing import Any, NamedTuple

import numpy as np

from mulligan.engine.compiled import compiled
from mulligan.players.values.line_kinds import choices, kinds

MOST_LAYOUTS = 100_000_000


class Numbering(NamedTuple):
    """The sums of numbering, done once. A "rest" is a line with one card missing, by its number.

    ways[n, k]: how many ways to choose k of n things.
    line_with[rest, face]: the kind of the rest with that face added; `faces` stands for a face-down card.
    rests[kind, nth]: what is left of a line when a card goes: each different card once, then NONE.
    rest_of_hidden[kind]: what is left when a face-down card goes, or NONE.
    cards[kind, face]: how many of the line's cards show that face; those under `faces` lie face down.
    """

    lines: int
    faces: int
    kinds: int
    layouts: int
    uppers: int  # how many different ways the lines but the lowest can lie
    ways: np.ndarray
    line_with: np.ndarray
    rests: np.ndarray
    rest_of_hidden: np.ndarray
    cards: np.ndarray


NONE = -1


def count_layouts(rules: Any) -> int:
    """How many different layouts there are."""
    return int(choices(int(kinds(rules)) + int(rules.lines) - 1, int(rules.lines)))


def numbering(rules: Any) -> Numbering:
    """Raises ValueError, in words, where there are more layouts than can be tabulated."""
    layouts = count_layouts(rules)
    if layouts > MOST_LAYOUTS:
        raise ValueError(f"This game has {layouts:,} different layouts; a book can be made for up to {MOST_LAYOUTS:,}.")
    faces, length, lines, all_kinds = int(rules.faces), int(rules.line_length), int(rules.lines), int(kinds(rules))
    numbers = {cards: kind for kind, cards in enumerate(combinations(faces + 1, length))}
    rest_numbers = {cards: rest for rest, cards in enumerate(combinations(faces + 1, length - 1))}
    line_with = np.zeros((len(rest_numbers), faces + 1), np.int32)
    for cards, rest in rest_numbers.items():
        for face in range(faces + 1):
            line_with[rest, face] = numbers[tuple(sorted((*cards, face)))]
    rests = np.full((all_kinds, length), NONE, np.int32)
    rest_of_hidden = np.full(all_kinds, NONE, np.int32)
    for cards, kind in numbers.items():
        for nth, face in enumerate(sorted(set(cards))):
            left = list(cards)
            left.remove(face)
            rests[kind, nth] = rest_numbers[tuple(left)]
            if face == faces:
                rest_of_hidden[kind] = rests[kind, nth]
    return Numbering(
        lines=lines,
        faces=faces,
        kinds=all_kinds,
        layouts=layouts,
        uppers=int(choices(all_kinds + lines - 2, lines - 1)),
        ways=np.array(
            [[choices(n, k) if n >= k else 0 for k in range(lines + 1)] for n in range(all_kinds + lines)], np.int64
        ),
        line_with=line_with,
        rests=rests,
        rest_of_hidden=rest_of_hidden,
        cards=np.array([[cards.count(face) for face in range(faces + 1)] for cards in numbers], np.int8),
    )


def combinations(symbols: int, length: int) -> list[tuple[int, ...]]:
    """The combinations with repetition, each in rising order, in the order of their numbers."""
    if length == 0:
        return [()]
    return [(*cards, last) for last in range(symbols) for cards in combinations(last + 1, length - 1)]


@compiled
def number_of(ways, line_kinds):
    """The number of the layout whose lines are of these kinds, highest first."""
    lines = len(line_kinds)
    number = 0
    for nth in range(lines):
        number += ways[line_kinds[nth] + lines - 1 - nth, lines - nth]
    return number


@compiled
def lines_of(ways, number, line_kinds):
    """Fills `line_kinds`, highest first, with the kinds of the lines of that layout."""
    lines = len(line_kinds)
    highest = len(ways) - ways.shape[1]
    for nth in range(lines):
        left = lines - nth
        low, high = 0, highest  # the highest kind that leaves nothing below 0
        while low < high:
            middle = (low + high + 1) // 2
            if ways[middle + left - 1, left] <= number:
                low = middle
            else:
                high = middle - 1
        line_kinds[nth] = low
        number -= ways[low + left - 1, left]


@compiled
def count_up(line_kinds, start):
    """The lines, from the one numbered `start` on, of the next layout; the first ones must have room."""
    nth = start
    while nth > 0 and line_kinds[nth] == line_kinds[nth - 1]:
        nth -= 1
    line_kinds[nth] += 1
    for later in range(nth + 1, len(line_kinds)):
        line_kinds[later] = 0


@compiled
def numbers_with(ways, lines, others, numbers):
    """Fills `numbers` with the layouts of so many lines that the others make with a line of each kind.

    Lines that neither makes up are of kind 0, the lowest.
    """
    nth = len(others)  # how many of the others stand before the line
    above, below = 0, 0
    for place in range(len(others)):
        above += ways[others[place] + lines - 1 - place, lines - place]
    for kind in range(len(numbers)):
        while nth > 0 and others[nth - 1] < kind:  # the line moves up past it
            nth -= 1
            above -= ways[others[nth] + lines - 1 - nth, lines - nth]
            below += ways[others[nth] + lines - 2 - nth, lines - 1 - nth]
        numbers[kind] = above + ways[kind + lines - 1 - nth, lines - nth] + below
