"""Fits a small net to the table of a book: a hundred kilobytes in the place of half a gigabyte.

The net sees each line by its kind and the sign; it learns the layouts that self-play comes to, and
those that are one card away from them, as they are what a player has to compare.
"""

from collections.abc import Callable

import numpy as np

from ..players.pages import SIGNS, Pages
from .field import Turns
from .making import Ground
from .numbering import NONE

WIDTH, DEPTH = 128, 32
BATCH = 4096
STEPS = 6_000
RATE, LAST_RATE = 4e-3, 2e-5  # how far one step of learning goes, first and last
BETA, BETA_SQUARED, TINY = 0.9, 0.999, 1e-8  # as Adam has them (Kingma and Ba, 2015)
CHANGED = 0.8  # so many of the layouts have one card changed
ANY_SIGN = 0.1  # so many are seen under any sign

Weights = dict[str, np.ndarray]


def condense(
    ground: Ground,
    pages: Pages,
    turns: Turns,
    seed: int,
    steps: int = STEPS,
    tell: Callable[[float], None] = lambda part: None,
) -> tuple[Pages, float]:
    """The book with the net in the place of the table, and by how many strokes it is off (root mean square)."""
    dice = np.random.Generator(np.random.PCG64(seed))
    weights = first_weights(ground, pages, turns, dice)
    slopes = {name: np.zeros_like(array) for name, array in weights.items()}
    squares = {name: np.zeros_like(array) for name, array in weights.items()}
    misses = []
    for step in range(1, steps + 1):
        lines, signs, strokes = sample(ground, pages, turns, dice)
        miss, slope = learn(weights, lines, signs, strokes)
        rate = RATE * (LAST_RATE / RATE) ** (step / steps)
        for name, array in weights.items():
            slopes[name] += (1 - BETA) * (slope[name] - slopes[name])
            squares[name] += (1 - BETA_SQUARED) * (slope[name] ** 2 - squares[name])
            fair = np.sqrt(squares[name] / (1 - BETA_SQUARED**step)) + TINY
            array -= rate * slopes[name] / (1 - BETA**step) / fair
        misses.append(miss)
        tell(step / steps)
    off = float(np.sqrt(np.mean(misses[-max(1, steps // 20) :])))
    return pages._replace(counts=np.zeros(0, np.int16), **weights), off


def first_weights(ground: Ground, pages: Pages, turns: Turns, dice: np.random.Generator) -> Weights:
    kinds, lines = ground.numbers.kinds, ground.numbers.lines
    _, _, strokes = sample(ground, pages, turns, dice)

    def some(rows: int, columns: int, spread: float) -> np.ndarray:
        return dice.normal(0, spread, (rows, columns)).astype(np.float32)

    return {
        "first": some(kinds + SIGNS, WIDTH, 1 / np.sqrt(lines + 1)),
        "second": np.concatenate([some(WIDTH, DEPTH, np.sqrt(2 / WIDTH)), np.zeros((1, DEPTH), np.float32)]),
        "third": np.append(some(DEPTH, 1, np.sqrt(2 / DEPTH) * strokes.std()), np.float32(strokes.mean())),
    }


def sample(
    ground: Ground, pages: Pages, turns: Turns, dice: np.random.Generator
) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Some layouts by the kinds of their lines, their signs, and what the table says of them in strokes."""
    numbers = ground.numbers
    rows = dice.integers(0, len(turns.sign), BATCH)
    line_kinds, signs = turns.line_kinds[rows], turns.sign[rows]
    any_sign = dice.random(BATCH) < ANY_SIGN
    signs = np.where(any_sign, dice.integers(0, SIGNS, BATCH), signs)
    nth = dice.integers(0, numbers.lines, BATCH)
    place = dice.integers(0, numbers.rests.shape[1], BATCH)
    rest = numbers.rests[line_kinds[np.arange(BATCH), nth], place]
    face = dice.integers(0, numbers.faces, BATCH)
    change = (dice.random(BATCH) < CHANGED) & (rest != NONE)
    line_kinds[change, nth[change]] = numbers.line_with[rest[change], face[change]]
    is_open = numbers.cards[line_kinds, -1].sum(axis=1) > 0  # what has closed is reckoned, not looked up
    line_kinds, signs = line_kinds[is_open], signs[is_open]
    layouts = numbers_of(numbers.ways, line_kinds)
    return line_kinds, signs, pages.counts[layouts * SIGNS + signs] * pages.facts[0].fraction


def numbers_of(ways: np.ndarray, line_kinds: np.ndarray) -> np.ndarray:
    """The numbers of many layouts at once, their lines in any order."""
    lines = line_kinds.shape[1]
    highest_first = -np.sort(-line_kinds, axis=1)
    numbers = np.zeros(len(line_kinds), np.int64)
    for nth in range(lines):
        numbers += ways[highest_first[:, nth] + lines - 1 - nth, lines - nth]
    return numbers


def learn(weights: Weights, line_kinds: np.ndarray, signs: np.ndarray, strokes: np.ndarray) -> tuple[float, Weights]:
    """The mean square by which the net is off, and how that changes with each weight."""
    first, second, third = weights["first"], weights["second"], weights["third"]
    rows = np.arange(len(signs))
    seen = np.zeros((len(signs), len(first)), np.float32)
    for line in range(line_kinds.shape[1]):
        seen[rows, line_kinds[:, line]] += 1
    seen[rows, len(first) - SIGNS + signs] = 1
    wide = np.maximum(seen @ first, 0)
    deep = np.maximum(wide @ second[:-1] + second[-1], 0)
    off = deep @ third[:-1] + third[-1] - strokes.astype(np.float32)
    back = off * np.float32(2 / len(off))
    to_deep = np.outer(back, third[:-1]) * (deep > 0)
    to_wide = (to_deep @ second[:-1].T) * (wide > 0)
    slope = {
        "first": seen.T @ to_wide,
        "second": np.concatenate([wide.T @ to_deep, to_deep.sum(axis=0, keepdims=True)]),
        "third": np.append(deep.T @ back, back.sum()),
    }
    return float(np.mean(off**2)), slope
