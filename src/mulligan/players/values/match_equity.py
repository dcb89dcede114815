"""The value of strokes in a match: the chance to win it (6.2, 6.3).

Far from the end strokes are the best measure. Near the end they are not: the leader should avoid risks, and a
player far behind should take them.
"""

from math import erf, pi, sqrt
from typing import NamedTuple

import numpy as np

from mulligan.engine.chance import bag_size
from mulligan.engine.compiled import compiled, compiled_with_arrays
from mulligan.engine.match import player_at

AHEAD = 1  # with more holes to come after this one, strokes count
DECIDED = 0.1  # and where a stroke changes the chance by less than this share of the most it can


class Stakes(NamedTuple):
    behind: np.ndarray  # [seat]: strokes by which a seat was behind the player to move before this hole
    spread: float  # standard deviation of what the holes still to come do to a lead over one of the others
    stroke: float  # by how much one stroke in this hole changes the chance to win; 0 where strokes count


@compiled_with_arrays
def stakes_of(rules, match, state, value, has_time):
    """The stakes for the player to move, who expects to end so many strokes from the mean of the others.

    A hole outside a match is played for strokes, and so is any hole without time to think.
    """
    behind = np.zeros(state.seats)
    to_come = max(0, rules.holes - match.holes - 1)
    if rules.until and not match.playing_off:  # 6.1 nobody knows how many holes there will be
        to_come = AHEAD + 1
    if not has_time or match.players < 2 or rules.holes == 1 or to_come > AHEAD:
        return Stakes(behind, 0.0, 0.0)
    if not match.playing_off:  # 6.3 in a play-off hole nothing else counts
        me = player_at(match, state.turn)
        for seat in range(state.seats):
            behind[seat] = match.totals[player_at(match, seat)] - match.totals[me]
    hole = spread_of_hole(rules)
    around = Stakes(behind, sqrt(2.0 * (to_come + 1)) * hole, 1.0)  # as it looks before this hole is played out
    points = np.full(state.seats, -value)
    points[state.turn] = -0.5
    better = chance_to_win(around, points, np.int64(state.turn))
    points[state.turn] = 0.5
    stroke = better - chance_to_win(around, points, np.int64(state.turn))
    most = 1.0 / (sqrt(2.0 * pi) * around.spread)
    if stroke < DECIDED * most:
        stroke = 0.0
    return Stakes(behind, sqrt(2.0 * to_come) * hole, stroke)


@compiled
def chance_to_win(stakes, points, me):
    """The chance to win with these points for this hole; a tie counts as a part of a win (6.2)."""
    chance, level = 1.0, 1
    for seat in range(len(points)):
        if seat != me:
            lead = stakes.behind[seat] + points[seat] - points[me]
            if stakes.spread:
                chance *= 0.5 + 0.5 * erf(lead / (sqrt(2.0) * stakes.spread))
            elif lead < 0:
                return 0.0
            else:
                level += lead == 0
    return chance / level


@compiled
def spread_of_hole(rules):
    """Roughly the standard deviation of a player's points in a hole: that of the dealt cards."""
    size = bag_size(rules, rules.copies)
    total, squares = 0.0, 0.0
    for face in range(rules.faces):
        total += rules.copies[face] * rules.points[face]
        squares += rules.copies[face] * rules.points[face] ** 2
    return sqrt(rules.slots * (squares / size - (total / size) ** 2))
