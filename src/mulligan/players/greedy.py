"""An exact search of one turn, with counted cards, that ignores the other players.

A layout costs what it shows, and each face-down card costs the mean of the unseen cards.
"""

from mulligan.engine.compiled import compiled, merged
from mulligan.engine.scoring import cost, matched_slots

from .declining import can_only_cost
from .look_ahead import NEAR, Traits, choose_by, is_far_ahead, likely_saving, saving

# Choosy by less than nothing: a card that is worth as much placed as discarded is placed.
GREEDY = Traits(memory=2.0, foresight=2.0, choosy=-2 * NEAR, haste=0.0, bonus=1.0, optimism=0.0, eyes=0.0)


@merged(can_only_cost, cost, is_far_ahead, likely_saving, matched_slots, saving)
@compiled
def choose(rules, match, state, dice, brain):
    return choose_by(GREEDY, rules, state)
