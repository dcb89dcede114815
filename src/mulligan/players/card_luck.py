"""How lucky a card is. Rollouts and training subtract luck, which keeps the mean and removes most of the spread."""

from mulligan.engine.chance import bag, bag_size
from mulligan.engine.compiled import compiled, compiled_with_arrays
from mulligan.engine.moves import turn_up
from mulligan.players.values.value import value_by_net, values_by_net

from .positions import copy_state


@compiled
def luck_for(rules, net, state, face, seat, trial, values):
    """The value for a seat if the awaited card, which ends the turn, has that face, less its mean over all faces.

    `trial` (a STATE) and `values` (float64, by seat) are work space.
    """
    cards, of_face, mean = bag(state), 0.0, 0.0
    size = bag_size(rules, cards)
    for shown in range(rules.faces):
        if cards[shown]:
            copy_state(state, trial)
            turn_up(rules, trial, shown)
            worth = value_by_net(rules, net, trial, seat, values)
            mean += worth * cards[shown] / size
            if shown == face:
                of_face = worth
    return of_face - mean


@compiled_with_arrays
def add_luck(rules, net, state, face, trial, values, luck):
    """Adds the same to `luck` for every seat, by what all of them make of the table together."""
    cards = bag(state)
    size = bag_size(rules, cards)
    for shown in range(rules.faces):
        if cards[shown]:
            copy_state(state, trial)
            turn_up(rules, trial, shown)
            values_by_net(rules, net, trial, values)
            luck -= values * (cards[shown] / size)
            if shown == face:
                luck += values
