"""Whether to decline a last turn (4.2), for players who only look at their own cards.

A card from the original stock is as likely to be any face as a face-down card is, so putting it on one changes
nothing on average. A turn can only cost something once the stock is renewed (2.6) from what others discarded.
"""

from mulligan.engine.chance import stock_bag
from mulligan.engine.compiled import compiled
from mulligan.engine.scoring import is_cleared
from mulligan.players.values.expected_reveal import expected_cost

NEAR = 1e-9


@compiled
def is_better_declined(rules, state, as_is, best):
    """Whether no card is better than any: by the player's own estimate, or exactly.

    `as_is` is the player's estimate of the layout without a card, `best` with the best card available.
    """
    return as_is < best - NEAR or can_only_cost(rules, state)


@compiled
def can_only_cost(rules, state):
    """Whether every card that may come costs more than none, even in its best place; exact."""
    if may_save(rules, state, state.discard):
        return False
    stock = stock_bag(state)
    for face in range(rules.faces):
        if stock[face]:
            stock[face] -= 1  # once drawn, it can no longer lie face down
            saves = may_save(rules, state, face)
            stock[face] += 1
            if saves:
                return False
    return True


@compiled
def may_save(rules, state, face):
    """Whether a card of that face has a place where the layout is not expected to cost more than now."""
    player = state.players[state.turn]
    as_is = expected_cost(rules, state, player)
    for slot in range(rules.slots):
        if is_cleared(rules, player, slot):
            continue
        old_face = player.layout[slot]
        player.layout[slot] = face
        costs = expected_cost(rules, state, player)
        player.layout[slot] = old_face
        if costs < as_is + NEAR:
            return True
    return False
