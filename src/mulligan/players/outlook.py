"""What everybody may hope for between two turns: points at the end of the hole, less the mean of the others'."""

import numpy as np

from ..engine.compiled import compiled
from ..engine.scoring import cost
from ..engine.state import NOBODY, Phase
from .greedy import mean_unseen
from .last_turns import closed_outlook
from .net import hope, is_trained


@compiled
def outlook(rules, state, books, hopes):
    """Fills `hopes`, a float64 array with a number for each seat; a hole that is over is known exactly."""
    outlook_of(rules, books.net, state, hopes)


@compiled
def outlook_of(rules, net, state, hopes):
    """The same, as this net sees it; without one, everybody's cards are added up as they lie."""
    if state.phase == Phase.OVER:
        for seat in range(state.seats):
            hopes[seat] = state.players[seat].points
        against_the_field(state, hopes)
    elif not is_trained(net, state.seats):
        for seat in range(state.seats):
            hopes[seat] = cost(rules, state.players[seat].layout, mean_unseen(rules, state))
        against_the_field(state, hopes)
    elif state.closer != NOBODY:
        closed_outlook(rules, net, state, hopes)
        against_the_field(state, hopes)
    else:
        total = 0.0
        for seat in range(state.seats):
            hopes[seat] = hope(rules, net, state, seat, np.int64(state.turn))
            total += hopes[seat]
        for seat in range(state.seats):  # one's gain is the field's loss, so together they hope for nothing
            hopes[seat] -= total / state.seats


@compiled
def against_the_field(state, hopes):
    """From everybody's points to everybody's distance from the mean of the others."""
    total = 0.0
    for seat in range(state.seats):
        total += hopes[seat]
    for seat in range(state.seats):
        hopes[seat] -= (total - hopes[seat]) / (state.seats - 1)
