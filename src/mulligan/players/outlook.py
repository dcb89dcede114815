"""What everybody may hope for between two turns: points at the end of the hole, less the mean of the others'."""

from ..engine.compiled import compiled
from ..engine.scoring import cost
from ..engine.state import Phase
from .greedy import mean_unseen


@compiled
def outlook(rules, state, books, hopes):
    """Fills `hopes`, a float64 array with a number for each seat; a hole that is over is known exactly."""
    if state.phase == Phase.OVER:
        for seat in range(state.seats):
            hopes[seat] = state.players[seat].points
    else:
        for seat in range(state.seats):
            hopes[seat] = cost(rules, state.players[seat].layout, mean_unseen(rules, state))
    against_the_field(state, hopes)


@compiled
def against_the_field(state, hopes):
    """From everybody's points to everybody's distance from the mean of the others."""
    total = 0.0
    for seat in range(state.seats):
        total += hopes[seat]
    for seat in range(state.seats):
        hopes[seat] -= (total - hopes[seat]) / (state.seats - 1)
