"""A number for every layout: its cost, and its value one turn earlier."""

import os
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import Any, NamedTuple

import numpy as np

from mulligan.engine.compiled import compiled, compiled_with_arrays
from mulligan.engine.scoring import lines_cost

from .numbering import Numbering, count_up, lines_of, numbers_with

PIECE = 1 << 10  # layouts but for their lowest line that a thread takes at a time


def in_pieces(total: int, work: Callable[[int, int], Any], threads: int = 0, first: int = 0) -> None:
    """Lets the threads do `work(start, stop)` piece by piece."""
    with ThreadPoolExecutor(threads or os.cpu_count()) as pool:
        for _ in pool.map(lambda start: work(start, min(start + PIECE, total)), range(first, total, PIECE)):
            pass


def chances(rules: Any) -> np.ndarray:
    """How likely each face is to come, as long as nobody counts cards: float32."""
    copies = np.asarray(rules.copies[: rules.faces], np.float32)
    return copies / copies.sum()


class Costs(NamedTuple):
    """By layout: what it costs as it lies, face-down cards at the mean of those not on show, and how many there are."""

    points: np.ndarray  # float32
    hidden: np.ndarray  # int8


@compiled
def open_lines(numbers, upper, layouts):
    """The kinds of line that the lowest can be, from 0 on, and their layouts' numbers. Returns how many."""
    numbers_with(numbers.ways, numbers.lines, upper, layouts)
    return upper[-1] + 1 if numbers.lines > 1 else numbers.kinds


@compiled
def count_cards(numbers, upper, lowest, shown):
    """How many cards of each face the layout shows, and face down, under `faces`."""
    for face in range(len(shown)):
        shown[face] = numbers.cards[lowest, face]
    for nth in range(len(upper)):
        for face in range(len(shown)):
            shown[face] += numbers.cards[upper[nth], face]


@compiled
def fill_chances(rules, shown, likely):
    """How likely each face is to come, of the cards that this layout does not show."""
    left = 0
    for face in range(rules.faces):
        likely[face] = max(0, rules.copies[face] - shown[face])
        left += likely[face]
    for face in range(rules.faces):
        likely[face] = likely[face] / left if left > 0 else np.float32(0)


@compiled
def cost_of(rules, numbers, upper, lowest, shown, likely):
    """What the layout costs, each card face down at the mean of the cards it does not show."""
    total = np.float32(0)
    for face in range(rules.faces):
        total += (shown[face] + shown[rules.faces] * likely[face]) * rules.points[face]
        matched = 0
        for nth in range(len(upper)):
            matched += numbers.cards[upper[nth], face] == rules.line_length
        matched += numbers.cards[lowest, face] == rules.line_length
        if matched:
            total += lines_cost(rules, face, matched) - matched * rules.line_length * rules.points[face]
    return total


@compiled_with_arrays
def cost_piece(rules, numbers, start, stop, costs):
    upper = np.zeros(numbers.lines - 1, np.int64)
    layouts = np.zeros(numbers.kinds, np.int64)
    shown = np.zeros(numbers.faces + 1, np.int64)
    likely = np.zeros(numbers.faces, np.float32)
    lines_of(numbers.ways, start, upper)
    for number in range(start, stop):
        for lowest in range(open_lines(numbers, upper, layouts)):
            count_cards(numbers, upper, lowest, shown)
            fill_chances(rules, shown, likely)
            costs.points[layouts[lowest]] = cost_of(rules, numbers, upper, lowest, shown, likely)
            costs.hidden[layouts[lowest]] = shown[numbers.faces]
        if number + 1 < stop:
            count_up(upper, numbers.lines - 2)


def costs_as_they_lie(rules: Any, numbers: Numbering, threads: int = 0) -> Costs:
    """F: the points of every layout if no more turns come."""
    costs = Costs(np.zeros(numbers.layouts, np.float32), np.zeros(numbers.layouts, np.int8))
    in_pieces(numbers.uppers, lambda start, stop: cost_piece(rules, numbers, start, stop, costs), threads)
    return costs
