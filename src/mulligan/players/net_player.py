"""Plays what the net finds best: the strongest player that is quick.

The net accounts for what others can do with the discard, how soon they will close and which cards are gone.
"""

import numpy as np

from mulligan.engine.compiled import compiled, compiled_with_arrays
from mulligan.engine.moves import advance, play
from mulligan.engine.state import MOVES
from mulligan.players.values.net import is_trained

from .greedy import GREEDY
from .look_ahead import choose_by as choose_by_traits
from .net_turn import best_of, weigh


@compiled
def choose(rules, match, state, dice, brain):
    """The move with the lowest value (expected strokes: lower is better)."""
    return choose_by(rules, brain.net, state)


@compiled_with_arrays
def choose_by(rules, net, state):
    if not is_trained(net, state.seats):
        return choose_by_traits(GREEDY, rules, state)
    move_values = np.zeros(MOVES)
    weigh(rules, net, state, move_values)
    return best_of(move_values)


@compiled
def play_out(rules, net, state, dice, last_turn):
    """Plays the hole to its end, every seat by the net.

    If nobody has closed by the turn of that number, the hole is abandoned.
    """
    while advance(rules, state, dice, last_turn):
        play(rules, state, choose_by(rules, net, state))
