"""Gradient steps on positions and their targets, with Adam (Kingma & Ba 2014)."""

import numpy as np

from mulligan.engine.compiled import compiled_in_any_order, compiled_with_arrays
from mulligan.players.values.features import WEIGHT

from .samples import blank_for, note_position, view_in

MEAN_KEPT, SQUARE_KEPT, TINY = np.float32(0.9), np.float32(0.999), np.float32(1e-8)


@compiled_with_arrays
def study(rules, net, lay, numbers, means, squares, positions, targets, order, batch, rate, steps):
    """Goes through the positions in that order and changes the numbers. Returns the mean squared error.

    Targets are in tens of strokes. Of `net` only the tables of lines and of features are used. `steps` is how many
    steps were taken before; `means` and `squares` are Adam's memory.
    """
    table = blank_for(rules, lay)
    total, back = np.zeros(lay.width, np.float32), np.zeros(lay.width, np.float32)
    gradient = np.zeros_like(numbers)
    squared = 0.0
    for begin in range(0, len(order) - batch + 1, batch):
        for nth in range(begin, begin + batch):
            position = positions[order[nth]]
            view, count = view_in(position), note_position(rules, net, lay, position, table)
            error = forward(numbers, view, table, count, total) - targets[order[nth]]
            squared += error * error
            backward(numbers, gradient, view, table, count, total, back, error / np.float32(batch))
        steps += 1
        step(numbers.reshape(-1), gradient.reshape(-1), means.reshape(-1), squares.reshape(-1), rate, steps)
    return squared / max(1, len(order) // batch * batch)


@compiled_in_any_order
def forward(numbers, view, table, count, total):
    """What the net makes of the first rows noted on the table; `total` is their sum."""
    total[:] = 0
    for nth in range(count):
        row, share = numbers[view, table.rows[nth]], table.shares[nth]
        for unit in range(len(total)):
            total[unit] += share * row[unit]
    weights = numbers[view, WEIGHT]
    value = total[0]
    zero = np.float32(0)
    for unit in range(1, len(total)):
        value += weights[unit] * (total[unit] if total[unit] > zero else zero)
    return value


@compiled_in_any_order
def backward(numbers, gradient, view, table, count, total, back, error):
    """Adds what the error says about every number to the gradient."""
    weights, slopes = numbers[view, WEIGHT], gradient[view, WEIGHT]
    back[0] = error
    zero = np.float32(0)
    for unit in range(1, len(total)):
        reached = total[unit] > zero
        slopes[unit] += error * total[unit] if reached else zero
        back[unit] = error * weights[unit] if reached else zero
    for nth in range(count):
        row, share = gradient[view, table.rows[nth]], table.shares[nth]
        for unit in range(len(back)):
            row[unit] += share * back[unit]


@compiled_in_any_order
def step(numbers, gradient, means, squares, rate, steps):
    """One step down the gradient, which is then empty again."""
    one = np.float32(1)
    scale = np.float32(rate * np.sqrt(1.0 - 0.999**steps) / (1.0 - 0.9**steps))
    for nth in range(len(numbers)):
        slope = gradient[nth]
        means[nth] = MEAN_KEPT * means[nth] + (one - MEAN_KEPT) * slope
        squares[nth] = SQUARE_KEPT * squares[nth] + (one - SQUARE_KEPT) * slope * slope
        numbers[nth] -= scale * means[nth] / (np.sqrt(squares[nth]) + TINY)
        gradient[nth] = 0
