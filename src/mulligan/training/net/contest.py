"""Plays a net against a rival on alternating seats, to see whether training helped."""

import numpy as np

from mulligan.engine.chance import bag, draw
from mulligan.engine.compiled import call, compiled_with_arrays
from mulligan.engine.moves import abandon, deal, play, turn_up
from mulligan.engine.state import NOBODY, NOTHING, STATE, Phase
from mulligan.players import net_player

TURN_LIMIT = 200  # turns a seat


@compiled_with_arrays
def contest(rules, seats, net, rival, books, match, dice, margins):
    """Plays one hole for each margin: the value for `net`, in one seat against the rival in all others."""
    states = np.zeros(1, STATE)
    for hole in range(len(margins)):
        state = states[0]  # in here: a compiled record alone does not keep its memory from being used again
        me = hole % seats
        deal(rules, state, seats, hole // seats % seats)
        while state.phase != Phase.OVER:
            if state.awaited != NOTHING:
                turn_up(rules, state, draw(rules, bag(state), dice))
            elif state.turns > TURN_LIMIT * seats and state.phase == Phase.TAKE and state.closer == NOBODY:
                abandon(rules, state)
            elif state.turn == me:
                play(rules, state, net_player.choose_by(rules, state, net))
            else:
                play(rules, state, call(rival, (rules, match, state, dice, books)))
        total = 0.0
        for seat in range(seats):
            total += state.players[seat].points
        mine = state.players[me].points
        margins[hole] = mine - (total - mine) / (seats - 1)
