"""Reference opponents: players described by others, to measure ours against. Importing this file adds them to PLAYERS.

`threshold` swaps a card if that gains five points at once, and otherwise turns up the next one. Public simulators of
golf card games have players of this kind; five was their best threshold. `patient` plays like `greedy`, but closes only
with -9 points or better; a public genetic algorithm found such players.
"""

import numpy as np

from mulligan.engine.compiled import compiled, compiled_with_arrays
from mulligan.engine.moves import may_decline
from mulligan.engine.state import DISCARD, DISCARD_DRAWN, NOTHING, PASS, STOCK, Phase, is_hidden
from mulligan.players.declining import NEAR, is_better_declined
from mulligan.players.greedy import GREEDY
from mulligan.players.look_ahead import ESTIMATE, best_place, choose_by, fill_estimate, value, value_of_stock
from mulligan.players.roster import PLAYERS, Player

GAIN = 5
PATIENT = GREEDY._replace(bar=-9.0)


@compiled
def choose_patiently(rules, match, state, dice, brain):
    return choose_by(PATIENT, rules, state)


@compiled_with_arrays
def choose_by_threshold(rules, match, state, dice, brain):
    return choose_seen(rules, state, np.zeros(1, ESTIMATE))


@compiled
def choose_seen(rules, state, estimates):
    estimate = estimates[0]
    fill_estimate(GREEDY, rules, state, estimate)
    if state.phase == Phase.TAKE:
        if may_decline(rules, state):
            placed = best_place(GREEDY, rules, state, estimate, state.discard)[0]
            best = min(value_of_stock(GREEDY, rules, state, estimate), placed)
            if is_better_declined(rules, state, value(GREEDY, rules, state, estimate), best):
                return PASS
        return DISCARD if gain(rules, state, estimate, state.discard) >= GAIN - NEAR else STOCK
    if state.phase == Phase.PLACE:
        if state.held_from_stock and rules.may_discard_drawn and gain(rules, state, estimate, state.held) < GAIN - NEAR:
            return DISCARD_DRAWN
        return best_place(GREEDY, rules, state, estimate, state.held)[1]
    return next_hidden(rules, state)


@compiled
def gain(rules, state, estimate, face):
    """What a card of that face would save in its best place."""
    return value(GREEDY, rules, state, estimate) - best_place(GREEDY, rules, state, estimate, face)[0]


@compiled
def next_hidden(rules, state):
    player = state.players[state.turn]
    for slot in range(rules.slots):
        if is_hidden(player, slot):
            return slot
    return NOTHING


PLAYERS["threshold"] = Player(choose_by_threshold)
PLAYERS["patient"] = Player(choose_patiently)
