"""Compresses a layout table to a small part of its size.

Most of a layout's value is the sum of its lines, so they are fitted first. What is left over
goes up and down with the signs in a few ways only; these are found as principal components, and each layout
keeps a small whole number for each of them.
"""

from collections.abc import Iterator

import numpy as np

from mulligan.engine.compiled import compiled_with_arrays
from mulligan.players.values.layout_table import SIGNS, Pages

from .build import Ground
from .layout_values import in_pieces
from .numbering import count_up, lines_of

FACTORS = 3
STEP = 0.5  # strokes, root mean square over the signs, that a whole number stands for
SAMPLE = 1 << 19  # layouts that lines and factors are fitted to
PIECE = 1 << 14


def condense(ground: Ground, pages: Pages, seed: int) -> tuple[Pages, float]:
    """The book without its table, and by how many strokes it is off (root mean square over all open layouts)."""
    dice = np.random.Generator(np.random.PCG64(seed))
    closed, layouts = ground.closed, ground.numbers.layouts
    some = np.sort(dice.integers(closed, layouts, SAMPLE)) if layouts - closed > SAMPLE else np.arange(closed, layouts)
    lines = fit_lines(ground, pages, some)
    factors = fit_factors(ground, pages, lines, some)
    step = STEP * np.sqrt(SIGNS)
    parts = np.zeros((layouts - closed, len(factors)), np.int8)
    misses = np.zeros(layouts - closed, np.float32)

    def write(first: int, stop: int) -> None:
        left = left_over(ground, pages, lines, np.arange(first, stop))
        here = slice(first - closed, stop - closed)
        parts[here] = np.rint(np.clip(left @ factors.T / step, -127, 127))
        misses[here] = np.square(parts[here] * step @ factors - left).mean(axis=1)

    in_pieces(layouts, write, ground.threads, closed)
    condensed = pages._replace(
        counts=np.zeros(0, np.int16), lines=lines, factors=(step * factors).astype(np.float32), parts=parts.reshape(-1)
    )
    return condensed, float(np.sqrt(misses.mean()))


def fit_lines(ground: Ground, pages: Pages, some: np.ndarray) -> np.ndarray:
    """The value of each kind of line by itself under each sign: [kind, sign], float32, by least squares."""
    kinds = ground.numbers.kinds
    products, sums = np.zeros((kinds, kinds)), np.zeros((kinds, SIGNS))
    for layouts in pieces(some):
        has = np.zeros((len(layouts), kinds), np.float32)
        for line_kinds in kinds_of(ground, layouts).T:
            has[np.arange(len(layouts)), line_kinds] += 1
        products += has.T @ has
        sums += has.T @ strokes(pages, layouts)
    return np.ascontiguousarray(np.linalg.lstsq(products, sums, rcond=None)[0], np.float32)


def fit_factors(ground: Ground, pages: Pages, lines: np.ndarray, some: np.ndarray) -> np.ndarray:
    """The ways in which what is left over goes with the signs, the weightiest first: [factor, sign]."""
    products = np.zeros((SIGNS, SIGNS))
    for layouts in pieces(some):
        left = left_over(ground, pages, lines, layouts)
        products += left.T @ left
    return np.ascontiguousarray(np.linalg.eigh(products)[1][:, : -FACTORS - 1 : -1].T, np.float32)


def left_over(ground: Ground, pages: Pages, lines: np.ndarray, layouts: np.ndarray) -> np.ndarray:
    """The values of the layouts minus those of their lines: [layout, sign]."""
    return strokes(pages, layouts) - lines[kinds_of(ground, layouts)].sum(axis=1)


def strokes(pages: Pages, layouts: np.ndarray) -> np.ndarray:
    return pages.counts.reshape(-1, SIGNS)[layouts] * np.float32(pages.facts[0].fraction)


def kinds_of(ground: Ground, layouts: np.ndarray) -> np.ndarray:
    """The kinds of their lines; the numbers rise."""
    line_kinds = np.zeros((len(layouts), ground.numbers.lines), np.int64)
    read_numbers(ground.numbers, layouts, line_kinds)
    return line_kinds


@compiled_with_arrays
def read_numbers(numbers, layouts, line_kinds):
    for row in range(len(layouts)):
        if row and layouts[row] == layouts[row - 1] + 1:
            line_kinds[row] = line_kinds[row - 1]
            count_up(line_kinds[row], numbers.lines - 1)
        else:
            lines_of(numbers.ways, layouts[row], line_kinds[row])


def pieces(layouts: np.ndarray) -> Iterator[np.ndarray]:
    for start in range(0, len(layouts), PIECE):
        yield layouts[start : start + PIECE]
