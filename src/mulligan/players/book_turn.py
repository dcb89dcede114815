"""An exact search of one turn that looks up the value of each resulting layout in a book."""

import numpy as np

from mulligan.engine.chance import bag_size, stock_bag
from mulligan.engine.compiled import compiled, compiled_with_arrays, record
from mulligan.engine.moves import ends_turn_by_discarding, may_decline, may_pass
from mulligan.engine.rules import MAX_FACES, MAX_SLOTS, line_of
from mulligan.engine.scoring import cost
from mulligan.engine.state import DISCARD, DISCARD_DRAWN, HIDDEN, NOTHING, PASS, STOCK, Phase, is_hidden, is_last_turn
from mulligan.players.values.layout_table import (
    expected_beaten,
    fill_kinds,
    number_of,
    value_of_lines,
    value_together,
    value_while_teeing,
)
from mulligan.players.values.line_kinds import kind_of

from .look_ahead import NEAR, impatience

NEVER = 1e9


# What a player sees before the move, in strokes relative to the others; lower is better.
SIGHT = record(
    [
        ("placed", np.float64, (MAX_SLOTS, MAX_FACES)),  # the value with that face on that slot
        ("as_is", np.float64),  # and with the layout as it lies
        ("left", np.float64, MAX_FACES),  # what it changes if that face goes to the discard pile
        ("closing", np.float64, MAX_FACES),  # in its place where the turn closes the hole
        ("stock", np.float64, MAX_FACES),  # the chance of each face to be the next of the stock
        ("under", np.float64, MAX_FACES),  # and to lie under a face-down card
        ("flipped", np.float64, MAX_SLOTS),  # the mean value if that card is turned up
        ("left_under", np.float64),  # the mean of `left` over what may lie under a card
        ("closing_under", np.float64),  # the mean of `closing`
        ("layouts", np.int64, (MAX_SLOTS, MAX_FACES)),  # the number of the layout with that face on that slot
    ]
)


@compiled
def count_on_pack(rules, sight):
    """Without counting cards: each face comes as often as it is in the pack."""
    size = bag_size(rules, rules.copies)
    for face in range(rules.faces):
        sight.stock[face] = sight.under[face] = rules.copies[face] / size


@compiled
def count_cards(rules, state, sight):
    """With counting cards: only cards that nobody has seen may come."""
    stock = stock_bag(state)
    size, left = bag_size(rules, stock), bag_size(rules, state.unseen)
    for face in range(rules.faces):
        sight.stock[face] = stock[face] / size
        sight.under[face] = state.unseen[face] / left if left else 0.0


@compiled_with_arrays
def see_places(rules, pages, sign, player, is_last, hidden_points, sight):
    """Fills `placed` and `as_is`. After closing or a last turn, a layout is worth what it costs."""
    line_kinds = np.zeros(rules.lines, np.int64)
    fill_kinds(rules, player.layout, line_kinds)
    if is_last:
        sight.as_is = cost(rules, player.layout, hidden_points)
    else:
        sight.as_is = value_of_lines(pages, sign, line_kinds)
    for slot in range(rules.slots):
        if is_last or (player.hidden == 1 and is_hidden(player, slot)):
            see_costs(rules, pages.facts[0], sign, player.layout, slot, is_last, hidden_points, sight)
        else:
            see_worths(rules, pages, sign, player.layout, slot, line_kinds, sight)
    if not is_last:
        look_up(rules, pages, sign, player, sight)


@compiled
def see_costs(rules, facts, sign, layout, slot, is_last, hidden_points, sight):
    """What each face on that slot makes the layout cost, with the penalty that a closer may expect (5.6)."""
    old_face = layout[slot]
    for face in range(rules.faces):
        layout[slot] = face
        points = cost(rules, layout, hidden_points)
        if not is_last and rules.closer_penalty:
            points += rules.closer_penalty * expected_beaten(facts, sign, points)
        sight.placed[slot, face] = points
    layout[slot] = old_face


@compiled_with_arrays
def see_worths(rules, pages, sign, layout, slot, line_kinds, sight):
    """The value of the lines with each face on that slot, and the number of the layout."""
    twin = same_place(rules, layout, line_kinds, slot)
    if twin != NOTHING:
        sight.placed[slot] = sight.placed[twin]
        sight.layouts[slot] = sight.layouts[twin]
        return
    old_face, line = layout[slot], line_of(rules, slot)
    old_kind = line_kinds[line]
    others = 0.0
    for other in range(rules.lines):
        if other != line:
            others += pages.lines[line_kinds[other], sign]
    for face in range(rules.faces):
        layout[slot] = face
        line_kinds[line] = kind_of(rules, layout, line)
        sight.placed[slot, face] = others + pages.lines[line_kinds[line], sign]
        sight.layouts[slot, face] = number_of(pages.ways, line_kinds)
    layout[slot] = old_face
    line_kinds[line] = old_kind


@compiled
def look_up(rules, pages, sign, player, sight):
    """Looks everything up at once, so that memory reads overlap, which is faster."""
    for slot in range(rules.slots):
        if player.hidden > 1 or not is_hidden(player, slot):
            for face in range(rules.faces):
                sight.placed[slot, face] += value_together(pages, sign, sight.layouts[slot, face])


@compiled
def same_place(rules, layout, line_kinds, slot):
    """An earlier slot where a card has the same effect, or NOTHING."""
    for earlier in range(slot):
        if layout[earlier] == layout[slot] and line_kinds[line_of(rules, earlier)] == line_kinds[line_of(rules, slot)]:
            return earlier
    return NOTHING


@compiled
def lose_patience(rules, state, sight):
    """Makes a face-down card cost more with each late round, so that someone closes in the end."""
    dread, player = impatience(state), state.players[state.turn]
    if dread and not is_last_turn(state):
        sight.as_is += dread * player.hidden
        for slot in range(rules.slots):
            left = player.hidden - is_hidden(player, slot)
            for face in range(rules.faces):
                sight.placed[slot, face] += dread * left


@compiled
def choose_seen(rules, state, sight):
    """The best move of the turn."""
    see_unknown(rules, state.players[state.turn], sight)
    if state.phase == Phase.TAKE:
        drawn = value_of_stock(rules, state, sight)
        taken = best_place(rules, state, sight, int(state.discard))[0]
        if may_decline(rules, state) and sight.as_is + sight.left[state.discard] < min(drawn, taken) - NEAR:
            return PASS
        return STOCK if drawn < taken + NEAR else DISCARD
    if state.phase == Phase.PLACE:
        value, slot = best_place(rules, state, sight, int(state.held))
        may_discard_drawn = state.held_from_stock and rules.may_discard_drawn
        if may_discard_drawn and best_thrown(rules, state, sight, int(state.held))[0] < value - NEAR:
            return DISCARD_DRAWN
        return slot
    return best_thrown(rules, state, sight, int(state.discard))[1]


@compiled
def see_unknown(rules, player, sight):
    """The mean values over the faces that a face-down card may have."""
    sight.left_under = sight.closing_under = 0.0
    for face in range(rules.faces):
        sight.left_under += sight.under[face] * sight.left[face]
        sight.closing_under += sight.under[face] * sight.closing[face]
    for slot in range(rules.slots):
        if is_hidden(player, slot):
            mean = 0.0
            for face in range(rules.faces):
                mean += sight.under[face] * sight.placed[slot, face]
            sight.flipped[slot] = mean


@compiled
def value_of_stock(rules, state, sight):
    value = 0.0
    for face in range(rules.faces):
        if sight.stock[face] > 0:
            best = best_place(rules, state, sight, face)[0]
            if rules.may_discard_drawn:
                best = min(best, best_thrown(rules, state, sight, face)[0])
            value += sight.stock[face] * best
    return value


@compiled
def best_place(rules, state, sight, face):
    """The value of the best place for a card of that face, and its slot (3.2)."""
    player = state.players[state.turn]
    best, best_slot = NEVER, NOTHING
    for slot in range(rules.slots):
        value = sight.placed[slot, face]
        if not is_hidden(player, slot):
            value += sight.left[player.layout[slot]]
        elif player.hidden == 1 and not is_last_turn(state):  # 4.1
            value += sight.closing_under
        else:
            value += sight.left_under
        if value < best - NEAR:
            best, best_slot = value, slot
    return best, best_slot


@compiled
def best_thrown(rules, state, sight, face):
    """The value of discarding that card, and the best card to turn up then (3.3), or PASS (3.4)."""
    player = state.players[state.turn]
    best, best_move = NEVER, NOTHING
    ends_turn = ends_turn_by_discarding(rules, state)
    if ends_turn or may_pass(rules, player):
        best, best_move = sight.as_is + sight.left[face], PASS
    if ends_turn:
        return best, best_move
    leaving = sight.closing[face] if player.hidden == 1 else sight.left[face]
    for slot in range(rules.slots):
        if is_hidden(player, slot) and sight.flipped[slot] + leaving < best - NEAR:
            best, best_move = sight.flipped[slot] + leaving, slot
    return best, best_move


@compiled_with_arrays
def choose_tee(rules, state, pages, under):
    """The best card to turn up before the first turn (2.4)."""
    line_kinds = np.zeros(rules.lines, np.int64)
    player = state.players[state.turn]
    best, best_slot = NEVER, NOTHING
    for slot in range(rules.slots):
        if is_hidden(player, slot):
            value = 0.0
            for face in range(rules.faces):
                if under[face] > 0:
                    player.layout[slot] = face
                    fill_kinds(rules, player.layout, line_kinds)
                    value += under[face] * value_while_teeing(pages, number_of(pages.ways, line_kinds))
            player.layout[slot] = HIDDEN
            if value < best - NEAR:
                best, best_slot = value, slot
    return best_slot
