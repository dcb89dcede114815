"""Two players against each other on the same seats by turns, to see whether learning helped."""

import numpy as np

from ..engine.chance import bag, draw
from ..engine.compiled import compiled
from ..engine.moves import abandon, deal, play, turn_up
from ..engine.state import NOBODY, NOTHING, STATE, Phase
from ..players import eye


@compiled
def contest(rules, seats, net, other, dice, margins):
    """Plays a hole for each of the margins: the hope `net` ends with, sitting in one seat against `other` in the rest.

    With an untrained net for `other`, greedy sits there.
    """
    states = np.zeros(1, STATE)
    for hole in range(len(margins)):
        state = states[0]  # in here: a compiled record alone does not keep its memory from being used again
        me = hole % seats
        deal(rules, state, seats, hole // seats % seats)
        while state.phase != Phase.OVER:
            if state.awaited != NOTHING:
                turn_up(rules, state, draw(rules, bag(state), dice))
            elif state.turns > 200 * seats and state.phase == Phase.TAKE and state.closer == NOBODY:
                abandon(rules, state)
            elif state.turn == me:
                play(rules, state, eye.choose_by(rules, state, dice, net))
            else:
                play(rules, state, eye.choose_by(rules, state, dice, other))
        total = 0.0
        for seat in range(seats):
            total += state.players[seat].points
        mine = state.players[me].points
        margins[hole] = mine - (total - mine) / (seats - 1)
