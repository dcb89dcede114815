"""Plays two nets against each other on alternating seats, to see whether training helped."""

import numpy as np

from mulligan.engine.compiled import compiled_with_arrays
from mulligan.engine.moves import deal
from mulligan.engine.state import STATE
from mulligan.players import net_player

TURN_LIMIT = 200  # turns a seat


@compiled_with_arrays
def contest(rules, seats, net, other, dice, margins):
    """Plays one hole for each margin: the value for `net`, in one seat against `other` in all others.

    With an untrained net for `other`, greedy sits there.
    """
    states = np.zeros(1, STATE)
    for hole in range(len(margins)):
        state = states[0]  # in here: a compiled record alone does not keep its memory from being used again
        me = hole % seats
        deal(rules, state, seats, hole // seats % seats)
        net_player.play_out(rules, state, me, net, other, dice, TURN_LIMIT * seats)
        total = 0.0
        for seat in range(seats):
            total += state.players[seat].points
        mine = state.players[me].points
        margins[hole] = mine - (total - mine) / (seats - 1)
