"""A net that evaluates the whole visible table between two turns.

Its first layer is a sum of rows, one for each active feature: a line of mine, a line of the next player combined
with the discard, an unseen card. A table that differs in one line differs in two rows, and costs one pass over
the hidden units. All values are in strokes.
"""

from typing import NamedTuple

import numpy as np

from mulligan.engine.compiled import compiled, compiled_in_any_order

from .features import FEATURES, JUST_MOVED, VIEWS, WEIGHT


class Net(NamedTuple):
    """Rows of numbers: the first of each is added directly, the others go through hidden units.

    With two players the values are each other's negative, so there is only the view of the player who just moved.
    """

    members: np.ndarray  # int64 [kind, place]: the faces of a kind of line, HIDDEN last
    swapped: np.ndarray  # int64 [kind, place, face]: the kind it becomes with that face there instead
    facts: np.ndarray  # int64 [kind, fact]
    begins: np.ndarray  # int64 [feature]: where in a view its rows begin; the last number says where all end
    rows: np.ndarray  # float32 [view, row, width]


NO_NET = Net(
    members=np.zeros((0, 0), np.int64),
    swapped=np.zeros((0, 0, 0), np.int64),
    facts=np.zeros((0, 0), np.int64),
    begins=np.zeros(len(FEATURES) + 1, np.int64),
    rows=np.zeros((0, 0, 0), np.float32),
)


@compiled
def is_trained(net, seats):
    """Whether there is a net for so many players: one for two players does not fit more."""
    return len(net.rows) == VIEWS or (len(net.rows) > 0 and seats == 2)


@compiled
def knows(net, feature):
    """Whether the net has rows of a feature: one of an older version lacks some."""
    return net.begins[feature] < net.begins[feature + 1]


@compiled
def copy_numbers(numbers, copy):
    for place in range(len(numbers)):
        copy[place] = numbers[place]


@compiled_in_any_order
def add_row(net, view, row, share, total):
    for unit in range(len(total)):
        total[unit] += share * net.rows[view, row, unit]


@compiled_in_any_order
def add_rows(net, view, rows, shares, count, total):
    """Adds so many of the rows, each by its share."""
    for nth in range(count):
        add_row(net, view, rows[nth], shares[nth], total)


@compiled_in_any_order
def judge(net, view, one, others, which):
    """The net's output for the sum of two halves."""
    value = one[0] + others[which, 0]
    zero = np.float32(0)
    for unit in range(1, len(one)):
        reached = one[unit] + others[which, unit]
        value += net.rows[view, WEIGHT, unit] * (reached if reached > zero else zero)
    return value


@compiled_in_any_order
def judge_each(net, one, others, counts, values):
    """Fills in the output for one half with each of the others that counts."""
    for which in range(len(others)):
        if counts[which]:
            values[which] = judge(net, JUST_MOVED, one, others, which)


@compiled_in_any_order
def judge_mean(net, one, others, counts):
    """The mean output for one half with each of the others; `counts` says how often each of them counts."""
    total, size = 0.0, 0
    for which in range(len(others)):
        if counts[which]:
            total += counts[which] * judge(net, JUST_MOVED, one, others, which)
            size += counts[which]
    return total / size
