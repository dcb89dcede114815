"""Expected points once someone has closed: one more turn each, then the reveal (4.2, 4.3).

Everyone then only wants few points more than the others, so every face that may come is tried, without a net. The next
player may take the discard, and everyone behind what the one before them leaves.
"""

from typing import NamedTuple

import numpy as np

from mulligan.engine.chance import bag_size, stock_bag
from mulligan.engine.compiled import compiled, compiled_with_arrays
from mulligan.engine.rules import line_of, lines_cross, slot_in_line
from mulligan.engine.scoring import has_penalty
from mulligan.engine.state import HIDDEN, NO_MATCH, NOBODY, NOTHING

from .line_tables import MATCH, kind_with, read_lines
from .outlook import add_ending, add_up, after_taking, blank_outlook, end_with, penalty_of_closer
from .quick_cost import quick_cost, quick_cost_with_card, quick_cost_with_line

DRAWS, DECLINES = -1, -2  # instead of a slot for the face found


class LastTurns(NamedTuple):
    """What each seat does with its last turn."""

    found: np.ndarray  # int64 [seat, face]: the slot where it goes if it lies on the discard pile, DRAWS or DECLINES
    drawn: np.ndarray  # int64 [seat, face]: the slot where it goes if it is drawn, or NOTHING
    leaves: np.ndarray  # [seat, face, face]: having found the first face, the chance to leave the second one


@compiled_with_arrays
def values_after_close(rules, net, state, values):
    """The value of each seat once someone has closed and the next player is about to have the last turn."""
    outlook = blank_outlook(rules, state, True)
    closer, discard = np.int64(state.closer), np.int64(state.discard)
    foresee(rules, net, state, NOBODY, np.int64(state.turn), closer, outlook)
    for seat in range(state.seats):
        values[seat] = outlook.points[seat, discard]
    if has_penalty(rules):  # 5.6
        values[closer] += penalty_of_closer(rules, state, outlook, closer, values[closer], discard)


@compiled_with_arrays
def foresee(rules, net, state, me, mover, closer, outlook):
    """Fills in the outlook of everyone but `me`, by the discard that `mover` will find.

    `closer` has closed, or is about to. Begins with the last turn, which the ones before look ahead to.
    """
    seats, faces = state.seats, rules.faces
    turns = LastTurns(
        np.zeros((seats, faces), np.int64), np.zeros((seats, faces), np.int64), np.zeros((seats, faces, faces))
    )
    behind = np.zeros(faces + 1)  # [face left]: the points of those behind over the number of others; HIDDEN is last
    for ahead in range(seats - 1, -1, -1):
        seat = (mover + ahead) % seats
        if seat == me:
            continue
        if not is_yet_to_move(rules, state, seat, mover, closer):
            foresee_reveal(rules, net, state, seat, outlook)
            continue
        foresee_last_turn(rules, net, state, seat, behind, turns, outlook)
        behind[:] = 0.0
        for later in range(ahead, seats):
            other = (mover + later) % seats
            if is_yet_to_move(rules, state, other, mover, closer):
                if other != seat:
                    look_past(turns.leaves[seat], outlook.points[other])
                add_behind(rules, state, outlook.points[other], behind)
    if has_penalty(rules):
        foresee_endings(rules, state, mover, closer, turns, outlook)


@compiled
def is_yet_to_move(rules, state, seat, mover, closer):
    """Whether a last turn of the seat is still to come when it is `mover`'s turn (4.2)."""
    seats = state.seats
    return rules.has_last_turns and (seat - mover) % seats < (closer - mover) % seats


@compiled_with_arrays
def foresee_reveal(rules, net, state, seat, outlook):
    """Fills in the outlook of a seat that has had its last turn."""
    lines, sets = np.zeros(rules.lines, np.int64), np.zeros(rules.faces, np.int64)
    layout = state.players[seat].layout
    read_lines(rules, net, layout, lines, sets)
    outlook.points[seat] = quick_cost(rules, net, state, layout, lines, sets, outlook.mean)
    outlook.ending[seat] = seat
    if has_penalty(rules):
        end_with(rules, state, outlook, seat, layout)


@compiled_with_arrays
def foresee_last_turn(rules, net, state, seat, behind, turns, outlook):
    """Fills in what a seat does with its last turn, and its points by the face it finds."""
    lines, sets = np.zeros(rules.lines, np.int64), np.zeros(rules.faces, np.int64)
    layout, found, drawn = state.players[seat].layout, turns.found[seat], turns.drawn[seat]
    points, leaves = outlook.points[seat], turns.leaves[seat]
    read_lines(rules, net, layout, lines, sets)
    stay = quick_cost(rules, net, state, layout, lines, sets, outlook.mean)
    stock = stock_bag(state)
    size = max(1, bag_size(rules, stock))
    value_of_draw, points_of_draw, left_by_draw = 0.0, 0.0, np.zeros(rules.faces)
    for face in range(rules.faces):
        placed, slot = best_exchange(rules, net, state, layout, lines, sets, outlook.mean, stay, face, behind)
        left = card_left(rules, net, layout, lines, slot, face)
        found[face] = drawn[face] = slot
        points[face] = after = placed
        if rules.may_discard_drawn and stay - behind[face] <= placed - behind[left]:
            drawn[face], after, left = NOTHING, stay, face
        chance = stock[face] / size
        points_of_draw += chance * after
        value_of_draw += chance * (after - behind[left])
        add_left(rules, state, left, chance, left_by_draw)
    for face in range(rules.faces):
        left = card_left(rules, net, layout, lines, found[face], face)
        declines = rules.may_decline_last_turn and stay - behind[face] <= value_of_draw  # 4.2
        otherwise = stay - behind[face] if declines else value_of_draw
        leaves[face] = 0.0
        if points[face] - behind[left] < otherwise:
            add_left(rules, state, left, 1.0, leaves[face])
        elif declines:
            found[face], points[face] = DECLINES, stay
            leaves[face, face] = 1.0
        else:
            found[face], points[face] = DRAWS, points_of_draw
            leaves[face] = left_by_draw


@compiled
def best_exchange(rules, net, state, layout, lines, sets, mean, total, face, behind):
    """The expected cost with a card of that face in its best place, and that slot. What it leaves to others counts."""
    best, least, best_slot = 0.0, 1e9, 0
    if lines_cross(rules):
        for slot in range(rules.slots):
            changed = quick_cost_with_card(rules, state, layout, mean, slot, face)
            after = changed - behind[layout[slot]]
            if after < least:
                best, least, best_slot = changed, after, slot
        return best, best_slot
    for line in range(rules.lines):
        kind = lines[line]
        if rules.lines_clear and net.facts[kind, MATCH] != NO_MATCH:  # 3.7
            continue
        for place in range(rules.line_length):
            if place and net.members[kind, place] == net.members[kind, place - 1]:
                continue
            new, old_face = net.swapped[kind, place, face], net.members[kind, place]
            changed = quick_cost_with_line(rules, net, state, lines, sets, mean, total, line, new)
            after = changed - behind[left_by(rules, net, new, old_face, face)]
            if after < least:
                best, least, best_slot = changed, after, slot_of(rules, layout, line, old_face)
    return best, best_slot


@compiled
def slot_of(rules, layout, line, face):
    """The first slot of the line where that face lies, or a hidden card."""
    place = 0
    while layout[slot_in_line(rules, line, place)] != face:
        place += 1
    return slot_in_line(rules, line, place)


@compiled
def card_left(rules, net, layout, lines, slot, face):
    """The card on top of the discard pile after one of that face has gone to a slot, or NOTHING: itself, if nowhere."""
    if slot == NOTHING:
        return face
    old_face = np.int64(layout[slot])
    if not rules.lines_clear:
        return old_face
    return left_by(rules, net, kind_with(net, lines[line_of(rules, slot)], old_face, face), old_face, face)


@compiled
def left_by(rules, net, kind, old_face, face):
    """The card left by an exchange after which the line is of that kind: the new one if the line is cleared (3.7)."""
    return face if rules.lines_clear and net.facts[kind, MATCH] != NO_MATCH else old_face


@compiled
def add_left(rules, state, top, chance, chances):
    """Adds the chance of a card on top of the discard pile; one that lay face down may be any that nobody has seen."""
    if top != HIDDEN:
        chances[top] += chance
        return
    size = bag_size(rules, state.unseen)
    for face in range(rules.faces):
        chances[face] += chance * state.unseen[face] / size


@compiled_with_arrays
def look_past(leaves, points):
    """From what a later seat expects by the face left to it, to the same by the face that the one before finds."""
    before = points.copy()
    for face in range(len(points)):
        points[face] = 0.0
        for left in range(len(points)):
            points[face] += leaves[face, left] * before[left]


@compiled
def add_behind(rules, state, points, behind):
    """Adds what a seat expects, by the face it finds, to the sum for those behind."""
    size = max(1, bag_size(rules, state.unseen))
    for face in range(rules.faces):
        share = points[face] / (state.seats - 1)
        behind[face] += share
        behind[HIDDEN] += share * state.unseen[face] / size


@compiled_with_arrays
def foresee_endings(rules, state, mover, closer, turns, outlook):
    """Fills in how last turns may end: one ending a seat, and for the next player one more for each discard taken.

    For everyone behind it is the mean over all cards that the next player may find.
    """
    chances = np.zeros(rules.faces)  # of what the seat finds
    size = max(1, bag_size(rules, state.unseen))
    for face in range(rules.faces):
        chances[face] = state.unseen[face] / size
    for ahead in range(state.seats):
        seat = (mover + ahead) % state.seats
        if is_yet_to_move(rules, state, seat, mover, closer):
            foresee_ending(rules, state, seat, seat == mover, chances, turns, outlook)
            before = chances.copy()
            chances[:] = 0.0
            for face in range(rules.faces):
                for left in range(rules.faces):
                    chances[left] += before[face] * turns.leaves[seat, face, left]


@compiled_with_arrays
def foresee_ending(rules, state, seat, is_next, chances, turns, outlook):
    layout, ending = state.players[seat].layout, outlook.ending[seat]
    ending[:] = seat
    draws = 1.0
    for face in range(rules.faces):
        slot = turns.found[seat, face]
        if slot == DRAWS:
            continue
        if slot == DECLINES:
            slot = NOTHING
        if is_next:
            ending[face] = after_taking(state, face)
            add_ending_with(rules, state, outlook, ending[face], layout, slot, face, 1.0)
            add_up(outlook, ending[face])
        else:
            add_ending_with(rules, state, outlook, seat, layout, slot, face, chances[face])
            draws -= chances[face]
    stock = stock_bag(state)
    size = max(1, bag_size(rules, stock))
    for face in range(rules.faces):
        if stock[face]:
            slot = turns.drawn[seat, face]
            add_ending_with(rules, state, outlook, seat, layout, slot, face, draws * stock[face] / size)
    add_up(outlook, seat)


@compiled
def add_ending_with(rules, state, outlook, ending, layout, slot, face, chance):
    """Adds the ending after a card of that face has gone to a slot, or to no slot."""
    if slot == NOTHING:
        add_ending(rules, state, outlook, ending, layout, chance)
        return
    old_face = layout[slot]
    layout[slot] = face
    add_ending(rules, state, outlook, ending, layout, chance)
    layout[slot] = old_face
