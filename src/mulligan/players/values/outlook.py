"""What the seats may expect once a hole is closed, and how likely each of them is to beat the closer (5.6)."""

from math import ceil
from typing import NamedTuple

import numpy as np

from mulligan.engine.chance import bag_size
from mulligan.engine.compiled import compiled, compiled_with_arrays
from mulligan.engine.rules import line_of, lines_cross
from mulligan.engine.scoring import cost, has_penalty, wanted_face
from mulligan.engine.state import HIDDEN

from .expected_reveal import NEAR, may_be, mean_unseen, penalty_expected, span_of_points, sums_of_hidden

LOWEST, PLACES = -64, 192  # points are counted from there, and so many of them; a closer has hardly ever more or fewer


class Outlook(NamedTuple):
    """By seat, and by the discard that the next player finds.

    An ending is a row of `below`: one for each seat, and one for each discard that the next player may take. Without a
    penalty only `points` is filled in.
    """

    points: np.ndarray  # [seat, discard]: expected
    ending: np.ndarray  # [seat, discard]: the row of `below`
    below: np.ndarray  # [ending, points - LOWEST]: the chance to end with fewer
    sums: np.ndarray  # [cards, sum]: the chance of each sum of hidden cards, each counted from the least face
    least: int  # the points of the cheapest face
    mean: float  # the points of an unseen card


@compiled_with_arrays
def blank_outlook(rules, state, is_needed):
    """An outlook to be filled in, with room for endings if one is needed."""
    most, span = 0, 1
    if is_needed and has_penalty(rules):
        span = PLACES
        for seat in range(state.seats):
            most = max(most, state.players[seat].hidden)
    return Outlook(
        np.zeros((state.seats, rules.faces)),
        np.zeros((state.seats, rules.faces), np.int64),
        np.zeros((state.seats + rules.faces, span)),
        sums_of_hidden(rules, state.unseen, bag_size(rules, state.unseen), most),
        span_of_points(rules)[0],
        mean_unseen(rules, state),
    )


@compiled
def after_taking(state, discard):
    """The ending of the next player with that discard."""
    return state.seats + discard


@compiled
def add_ending(rules, state, outlook, ending, layout, chance):
    """One of the ways a hole may end: exact with one hidden card; of several no line is expected to match."""
    hidden, last = 0, 0
    for slot in range(rules.slots):
        if layout[slot] == HIDDEN:
            hidden, last = hidden + 1, slot
    row, least = outlook.below[ending], cost(rules, layout, outlook.least)
    if hidden == 1:
        size = bag_size(rules, state.unseen)
        wanted = wanted_face(rules, layout, line_of(rules, last))[0]
        for face in range(rules.faces):
            if state.unseen[face]:
                points = least - outlook.least + rules.points[face]
                if lines_cross(rules) or may_be(wanted, face):  # it may match
                    layout[last] = face
                    points = cost(rules, layout, 0)
                    layout[last] = HIDDEN
                row[place_of(points)] += chance * state.unseen[face] / size
    else:
        for more in range(outlook.sums.shape[1]):
            if outlook.sums[hidden, more]:
                row[place_of(least + more)] += chance * outlook.sums[hidden, more]


@compiled
def add_up(outlook, ending):
    """From the chance of each number of points to that of fewer."""
    row, before = outlook.below[ending], 0.0
    for place in range(PLACES):
        chance = row[place]
        row[place] = before
        before += chance


@compiled
def end_with(rules, state, outlook, ending, layout):
    """Fills in the ending in which that layout stays as it is until the reveal."""
    outlook.below[ending] = 0.0
    add_ending(rules, state, outlook, ending, layout, 1.0)
    add_up(outlook, ending)


@compiled
def penalty_of_closer(rules, state, outlook, closer, points, discard):
    """The penalty that a closer with so many points expects to pay (5.6)."""
    place = place_of(ceil(points - NEAR) + rules.ties_beat_closer)
    beaten, unbeaten = 0.0, 1.0
    for seat in range(state.seats):
        if seat != closer:
            chance = outlook.below[outlook.ending[seat, discard], place]
            beaten += chance
            unbeaten *= 1.0 - chance
    return penalty_expected(rules, points, beaten, unbeaten)


@compiled
def place_of(points):
    return min(max(0, int(points) - LOWEST), PLACES - 1)
