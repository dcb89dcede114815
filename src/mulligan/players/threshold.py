"""A reference opponent: swaps a card where that gains five points at once, and otherwise turns up the next one.

Public simulators of golf card games let players of this kind play each other; five came out best. What lies
face down counts as the mean of the cards nobody has seen, and with the rounds as ever dearer, so that
there is an end to it where no card may be thrown away.
"""

from ..engine.compiled import compiled
from ..engine.state import DISCARD, NOTHING, STOCK, THROW_AWAY, Phase, is_hidden
from .greedy import NEAR, best_place, value_of_layout

GAIN = 5


@compiled
def choose(rules, state):
    if state.phase == Phase.TAKE:
        return DISCARD if gain(rules, state, state.discard) >= GAIN - NEAR else STOCK
    if state.phase == Phase.PLACE:
        thrown = state.held_from_stock and rules.may_throw_away and gain(rules, state, state.held) < GAIN - NEAR
        return THROW_AWAY if thrown else best_place(rules, state, state.held)[1]
    return next_hidden(rules, state)


@compiled
def gain(rules, state, face):
    """What a card of that face would save on its best place."""
    return value_of_layout(rules, state) - best_place(rules, state, face)[0]


@compiled
def next_hidden(rules, state):
    player = state.players[state.turn]
    for slot in range(rules.slots):
        if is_hidden(player, slot):
            return slot
    return NOTHING
