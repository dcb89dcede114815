"""Looks one turn ahead, exactly: every face that may come, with the cards counted.

A layout is worth what it costs with each face-down card at the mean of the cards nobody has seen.
This player knows nothing of the others and of the turns to come, and so could wait for ever where
no next card looks good: after so many rounds a face-down card seems dearer with each one more.
"""

from ..engine.chance import bag_size, stock_bag
from ..engine.compiled import compiled
from ..engine.rules import line_of, slot_in_line
from ..engine.scoring import cost
from ..engine.state import DISCARD, HIDDEN, NOTHING, PASS, STOCK, THROW_AWAY, Phase, is_hidden, is_last_turn

NEAR = 1e-9  # two sums that differ by less are the same sum, rounded
PATIENCE = 20  # rounds; few holes take as long
IMPATIENCE = 0.1  # strokes a face-down card and round


@compiled
def choose(rules, state, dice):
    if state.phase == Phase.TAKE:
        if value_of_stock(rules, state) < best_place(rules, state, state.discard)[0] + NEAR:
            return STOCK
        return DISCARD
    if state.phase == Phase.PLACE:
        value, slot = best_place(rules, state, state.held)
        if state.held_from_stock and rules.may_throw_away and value_thrown_away(rules, state) < value - NEAR:
            return THROW_AWAY
        return slot
    return best_flip(rules, state)[1]


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
    if is_last_turn(state):
        return value_of_layout(rules, state)
    return best_flip(rules, state)[0]


@compiled
def best_place(rules, state, face):
    """The value of the best place for a card of that face, and its slot."""
    layout = state.players[state.turn].layout
    hidden_points = dread_of_hidden(rules, state)
    best, best_slot = 1e9, NOTHING
    for slot in range(rules.slots):
        old_face = layout[slot]
        layout[slot] = face
        value = cost(rules, layout, hidden_points)
        layout[slot] = old_face
        if value < best - NEAR:
            best, best_slot = value, slot
    return best, best_slot


@compiled
def best_flip(rules, state):
    """The value of the best card to turn up, and its slot; or of leaving the last one (3.4), and PASS."""
    player = state.players[state.turn]
    best, best_move = 1e9, NOTHING
    for slot in range(rules.slots):
        if is_hidden(player, slot):
            value = value_of_flip(rules, state, slot)
            if value < best - NEAR:
                best, best_move = value, slot
    if rules.may_leave_last and player.hidden == 1 and value_of_layout(rules, state) < best - NEAR:
        return value_of_layout(rules, state), PASS
    return best, best_move


@compiled
def value_of_flip(rules, state, slot):
    """Only a card that completes its line is worth another sum than the mean says."""
    layout = state.players[state.turn].layout
    others = value_of_layout(rules, state) - dread_of_hidden(rules, state)
    value = others + mean_unseen(rules, state)
    face = wanted_face(rules, layout, slot)
    size = bag_size(rules, state.unseen)
    if face == NOTHING or size == 0:
        return value
    layout[slot] = face
    matched = cost(rules, layout, dread_of_hidden(rules, state))
    layout[slot] = HIDDEN
    return value + (matched - others - rules.points[face]) * state.unseen[face] / size


@compiled
def wanted_face(rules, layout, slot):
    """The face that would complete the slot's line, or NOTHING."""
    wanted = NOTHING
    for place in range(rules.line_length):
        other = slot_in_line(rules, line_of(rules, slot), place)
        if other != slot:
            if layout[other] == HIDDEN or (wanted != NOTHING and layout[other] != wanted):
                return NOTHING
            wanted = layout[other]
    return wanted


@compiled
def value_of_layout(rules, state):
    return cost(rules, state.players[state.turn].layout, dread_of_hidden(rules, state))


@compiled
def dread_of_hidden(rules, state):
    """What a face-down card seems to cost."""
    return mean_unseen(rules, state) + boredom(state)


@compiled
def boredom(state):
    """The strokes by which a face-down card seems dearer once patience is at an end."""
    return IMPATIENCE * max(0.0, state.turns / state.seats - PATIENCE)


@compiled
def mean_unseen(rules, state):
    """What a card nobody has seen costs on average."""
    size, total = 0, 0
    for face in range(rules.faces):
        size += state.unseen[face]
        total += state.unseen[face] * rules.points[face]
    return total / size if size else 0.0
