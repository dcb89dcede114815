"""A reference opponent: plays as `greedy` does, but closes only with nine under par or better.

A public genetic algorithm came to such players. Short of that the last card stays face down (3.4), or the card
in hand goes on another one. Nobody waits for ever: after as many rounds as `greedy` waits, the bar rises.
"""

from ..engine.chance import bag_size, stock_bag
from ..engine.compiled import compiled
from ..engine.scoring import cost
from ..engine.state import DISCARD, NOTHING, PASS, STOCK, THROW_AWAY, Phase, is_hidden, is_last_turn
from .greedy import NEAR, PATIENCE, best_flip, dread_of_hidden, value_of_layout
from .greedy import choose as choose_greedily

BAR = -9  # points to close with
IMPATIENCE = 1  # points a round, once patience is at an end
NEVER = 1e9


@compiled
def choose(rules, state, dice):
    if state.players[state.turn].hidden != 1 or is_last_turn(state):
        return choose_greedily(rules, state, dice)
    if state.phase == Phase.TAKE:
        if value_of_stock(rules, state) < best_place(rules, state, state.discard)[0] + NEAR:
            return STOCK
        return DISCARD
    if state.phase == Phase.PLACE:
        value, slot = best_place(rules, state, state.held)
        if state.held_from_stock and rules.may_throw_away and value_thrown_away(rules, state) < value - NEAR:
            return THROW_AWAY
        return slot
    if rules.may_leave_last and not may_close(state, best_flip(rules, state)[0]):
        return PASS
    return best_flip(rules, state)[1]


@compiled
def may_close(state, points):
    rounds = state.turns / state.seats
    return points <= BAR + IMPATIENCE * max(0.0, rounds - PATIENCE) + NEAR


@compiled
def value_of_stock(rules, state):
    """The mean, over each card the stock may bring, of the best that can be done with it."""
    stock = stock_bag(state)
    size = bag_size(rules, stock)
    value = 0.0
    for face in range(rules.faces):
        copies = stock[face]
        if copies:
            stock[face] -= 1  # once drawn, it can no longer lie face down
            best = best_place(rules, state, face)[0]
            if rules.may_throw_away:
                best = min(best, value_thrown_away(rules, state))
            stock[face] += 1
            value += best * copies / size
    return value


@compiled
def value_thrown_away(rules, state):
    """Turning up the last card closes, and it has to be turned up where it may not stay as it is."""
    value = best_flip(rules, state)[0]
    if may_close(state, value):
        return value
    return value_of_layout(rules, state) if rules.may_leave_last else NEVER


@compiled
def best_place(rules, state, face):
    """The value of the best place for a card of that face, and its slot; the last hidden one only to close."""
    player = state.players[state.turn]
    hidden_points = dread_of_hidden(rules, state)
    best, best_slot = NEVER, NOTHING
    for slot in range(rules.slots):
        old_face = player.layout[slot]
        closes = is_hidden(player, slot)
        player.layout[slot] = face
        value = cost(rules, player.layout, hidden_points)
        player.layout[slot] = old_face
        if closes and rules.slots > 1 and not may_close(state, value):
            continue
        if value < best - NEAR:
            best, best_slot = value, slot
    return best, best_slot
