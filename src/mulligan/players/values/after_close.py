"""Expected points once somebody has closed: one more turn each, then the reveal (4.2, 4.3).

Everybody then only wants few points, so every face that may come is tried, without a net.
"""

import numpy as np

from mulligan.engine.chance import bag_size, stock_bag
from mulligan.engine.compiled import compiled, compiled_with_arrays
from mulligan.engine.rules import lines_cross, slot_in_line
from mulligan.engine.scoring import card_cost, cost, has_penalty, lines_cost, matched_slots, wanted_face
from mulligan.engine.state import ANY_FACE, NO_MATCH

from .crossing_lines import chance_of_all
from .line_tables import HIDDEN_CARDS, MATCH, OPEN_POINTS, WANTED
from .net import read_lines
from .outlook import add_ending, add_up, after_taking, blank_outlook, end_with, penalty_of_closer


@compiled
def expected_cost(rules, net, state, layout, lines, sets, mean):
    """The expected cost of a layout with its face-down cards turned up; `mean` is that of the unseen cards."""
    if lines_cross(rules):
        return crossing_cost(rules, state, layout, mean)
    return cost_of_lines(rules, net, state, lines, sets, mean)


@compiled
def crossing_cost(rules, state, layout, mean):
    """The same where lines cross (5.2): a face-down card that may complete two lines counts for each of them."""
    total = cost(rules, layout, mean)
    matched, size = matched_slots(rules, layout), bag_size(rules, state.unseen)
    for line in range(rules.lines):
        wanted, hidden = wanted_face(rules, layout, line)
        if hidden and wanted != NO_MATCH:
            saved = 0.0
            for place in range(rules.line_length):
                slot = slot_in_line(rules, line, place)
                if not matched >> slot & 1:
                    saved += card_cost(rules, layout[slot], mean)
            total -= saved * chance_of_match(rules, state, wanted, hidden, size)
    return total


@compiled
def chance_of_match(rules, state, wanted, hidden, size):
    """The chance that so many cards nobody has seen all have that face, or any one face."""
    if wanted != ANY_FACE:
        return chance_of_all(hidden, state.unseen[wanted], size)
    chance = 0.0
    for face in range(rules.faces):
        chance += chance_of_all(hidden, state.unseen[face], size)
    return chance


@compiled
def cost_of_lines(rules, net, state, lines, sets, mean):
    total = 0.0
    for line in range(len(lines)):
        face = net.facts[lines[line], MATCH]
        if face != NO_MATCH:
            total += lines_cost(rules, face, sets[face]) / sets[face]
        else:
            total += unmatched_cost(rules, net, state, lines[line], sets, mean)
    return total


@compiled
def unmatched_cost(rules, net, state, kind, sets, mean):
    """What a line that does not match yet will cost."""
    hidden, wanted = net.facts[kind, HIDDEN_CARDS], net.facts[kind, WANTED]
    points = net.facts[kind, OPEN_POINTS] + mean * hidden
    if hidden and wanted != NO_MATCH:
        points += expected_gain_of_matches(rules, state, wanted, hidden, sets)
    return points


@compiled
def cost_with(rules, net, state, lines, sets, mean, total, line, kind):
    """The expected cost, where it was `total`, with that kind of line in place of the old one."""
    old = lines[line]
    if net.facts[old, MATCH] == NO_MATCH and net.facts[kind, MATCH] == NO_MATCH:
        was = unmatched_cost(rules, net, state, old, sets, mean)
        return total - was + unmatched_cost(rules, net, state, kind, sets, mean)
    change_line(net, lines, sets, line, kind)
    changed = cost_of_lines(rules, net, state, lines, sets, mean)
    change_line(net, lines, sets, line, old)
    return changed


@compiled
def expected_gain_of_matches(rules, state, wanted, hidden, sets):
    """The expected gain because face-down cards may complete their line (5.2, 5.4)."""
    if wanted != ANY_FACE:
        return expected_gain_of_match(rules, state, wanted, hidden, sets)
    total = 0.0
    for face in range(rules.faces):
        total += expected_gain_of_match(rules, state, face, hidden, sets)
    return total


@compiled
def expected_gain_of_match(rules, state, face, hidden, sets):
    chance = 1.0
    size = bag_size(rules, state.unseen)
    for nth in range(hidden):
        chance *= max(0, state.unseen[face] - nth) / max(1, size - nth)
    had = lines_cost(rules, face, sets[face]) if sets[face] else 0
    return chance * (lines_cost(rules, face, sets[face] + 1) - had - rules.line_length * rules.points[face])


@compiled_with_arrays
def foresee_last_turn(rules, net, state, seat, is_next, outlook):
    """Fills in the outlook of a seat whose last turn is to come; it then plays for few points alone."""
    lines, sets = np.zeros(rules.lines, np.int64), np.zeros(rules.faces, np.int64)
    layout, points, ending = state.players[seat].layout, outlook.points[seat], outlook.ending[seat]
    read_lines(rules, net, layout, lines, sets)
    stay = expected_cost(rules, net, state, layout, lines, sets, outlook.mean)
    stock, places = stock_bag(state), np.zeros(rules.faces, np.int64)
    size = max(1, bag_size(rules, stock))
    drawn = 0.0
    for face in range(rules.faces):
        points[face], places[face] = best_exchange(rules, net, state, layout, lines, sets, outlook.mean, stay, face)
        drawn += (min(points[face], stay) if rules.may_discard_drawn else points[face]) * stock[face] / size
    declines = rules.may_decline_last_turn and stay <= drawn  # 4.2
    otherwise = stay if declines else drawn
    points[rules.faces], ending[:] = otherwise, seat
    for face in range(rules.faces):
        slot = places[face]
        old_face = layout[slot]
        if has_penalty(rules) and stock[face] and not declines:
            keeps = rules.may_discard_drawn and stay <= points[face]
            layout[slot] = old_face if keeps else face
            add_ending(rules, state, outlook, seat, layout, stock[face] / size)
        if points[face] >= otherwise or not is_next:
            points[face] = otherwise
        elif has_penalty(rules):
            layout[slot] = face
            ending[face] = after_taking(state, face)
            end_with(rules, state, outlook, ending[face], layout)
        layout[slot] = old_face
    if has_penalty(rules):
        if declines:
            end_with(rules, state, outlook, seat, layout)
        else:
            add_up(outlook, seat)


@compiled
def best_exchange(rules, net, state, layout, lines, sets, mean, total, face):
    """The expected cost with a card of that face in its best place, and that slot."""
    best, best_slot = 1e9, 0
    if lines_cross(rules):
        for slot in range(rules.slots):
            changed = crossing_cost_with(rules, state, layout, mean, slot, face)
            if changed < best:
                best, best_slot = changed, slot
        return best, best_slot
    for line in range(rules.lines):
        kind = lines[line]
        if rules.lines_clear and net.facts[kind, MATCH] != NO_MATCH:  # 3.7
            continue
        for place in range(rules.line_length):
            if place and net.members[kind, place] == net.members[kind, place - 1]:
                continue
            new = net.swapped[kind, place, face]
            changed = cost_with(rules, net, state, lines, sets, mean, total, line, new)
            if changed < best:
                best, best_slot = changed, slot_of(rules, layout, line, net.members[kind, place])
    return best, best_slot


@compiled
def slot_of(rules, layout, line, face):
    """The first slot of the line where that face lies, or a hidden card."""
    place = 0
    while layout[slot_in_line(rules, line, place)] != face:
        place += 1
    return slot_in_line(rules, line, place)


@compiled
def crossing_cost_with(rules, state, layout, mean, slot, face):
    """The expected cost where lines cross, with a card of that face on the slot."""
    old_face = layout[slot]
    layout[slot] = face
    changed = crossing_cost(rules, state, layout, mean)
    layout[slot] = old_face
    return changed


@compiled
def change_line(net, lines, sets, line, kind):
    was, is_now = net.facts[lines[line], MATCH], net.facts[kind, MATCH]
    if was != NO_MATCH:
        sets[was] -= 1
    if is_now != NO_MATCH:
        sets[is_now] += 1
    lines[line] = kind


@compiled
def is_yet_to_move(rules, state, seat, mover, closer):
    """Whether a last turn of the seat is still to come when it is `mover`'s turn (4.2)."""
    seats = state.seats
    return rules.has_last_turns and (seat - mover) % seats < (closer - mover) % seats


@compiled_with_arrays
def foresee(rules, net, state, seat, mover, closer, outlook):
    """Fills in the outlook of a seat by the discard `mover` will find, which only that seat may take.

    `closer` has closed, or is about to.
    """
    if is_yet_to_move(rules, state, seat, mover, closer):
        foresee_last_turn(rules, net, state, seat, seat == mover, outlook)
        return
    lines, sets = np.zeros(rules.lines, np.int64), np.zeros(rules.faces, np.int64)
    layout = state.players[seat].layout
    read_lines(rules, net, layout, lines, sets)
    outlook.points[seat] = expected_cost(rules, net, state, layout, lines, sets, outlook.mean)
    outlook.ending[seat] = seat
    if has_penalty(rules):
        end_with(rules, state, outlook, seat, layout)


@compiled_with_arrays
def values_after_close(rules, net, state, values):
    """The value of each seat once somebody has closed and the next player is about to have the last turn."""
    outlook = blank_outlook(rules, state, True)
    for seat in range(state.seats):
        foresee(rules, net, state, seat, np.int64(state.turn), np.int64(state.closer), outlook)
        values[seat] = outlook.points[seat, state.discard]
    if has_penalty(rules):  # 5.6
        closer, discard = np.int64(state.closer), np.int64(state.discard)
        values[closer] += penalty_of_closer(rules, state, outlook, closer, values[closer], discard)
