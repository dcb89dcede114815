"""An exact search of one turn that evaluates the resulting table with the net.

The net accounts for what others can do with the discard, how soon they will close and which cards are gone.
"""

from typing import NamedTuple

import numpy as np

from mulligan.engine.chance import bag, bag_size, draw, stock_bag
from mulligan.engine.compiled import compiled, compiled_in_any_order, compiled_with_arrays
from mulligan.engine.moves import abandon, ends_turn_by_discarding, may_decline, play, turn_up
from mulligan.engine.rules import slot_in_line
from mulligan.engine.state import (
    DISCARD,
    DISCARD_DRAWN,
    HIDDEN,
    MOVES,
    NOBODY,
    NOTHING,
    PASS,
    STOCK,
    Phase,
    is_last_turn,
    is_teeing_off,
    left_of,
)
from mulligan.players.values.after_close import chance_below, cost_with, expected_cost, prospects, spread
from mulligan.players.values.expected_reveal import mean_unseen
from mulligan.players.values.net import (
    COMING,
    COMING_SETS,
    HIDDEN_CARDS,
    JUST_MOVED,
    OWN,
    OWN_SETS,
    UNSEEN,
    add_layout,
    add_row,
    exchange,
    is_trained,
    judge,
    judge_mean,
    read_lines,
    surroundings,
    value,
)

from .greedy import GREEDY
from .look_ahead import choose_by as choose_by_traits
from .look_ahead import impatience

NEVER = 1e9  # worse than any value


class Halves(NamedTuple):
    """The table in two halves: `judge` turns `mine` and one of `theirs` into a value."""

    lines: np.ndarray  # the kinds of the lines of who is on turn
    sets: np.ndarray  # of each face, how many of them it matches
    mine: np.ndarray  # rows of the own lines, the cards unseen and the waiting seats
    theirs: np.ndarray  # [discard]: rows of the lines of the next player
    shown: np.ndarray  # [discard]: the same where that card has only just been seen
    turned: np.ndarray  # [line, face]: `mine` after that face was turned up in that line
    ends: np.ndarray  # [line, face]: the own points if that face was turned up there, and the hole closed
    cost: np.ndarray  # [0]: what the own lines are expected to cost now; [1]: the mean of the cards unseen
    others: np.ndarray  # [discard]: the mean of the points to be expected of the others
    exact: np.ndarray  # 1 where somebody has closed, or could with this turn
    field: np.ndarray  # [seat, discard]: the points to be expected of each seat if this turn closes, or is a last one
    doubt: np.ndarray  # [seat]: their variance
    bored: float  # what a card left face down seems to cost besides: else all might wait for ever


@compiled
def choose(rules, match, state, dice, books):
    """The move with the lowest value (expected strokes: lower is better)."""
    return choose_by(rules, state, books.net)


@compiled_with_arrays
def choose_by(rules, state, net):
    if not is_trained(net, state.seats):
        return choose_by_traits(GREEDY, rules, state)
    move_values = np.zeros(MOVES)
    weigh(rules, net, state, move_values)
    return best_of(move_values)


@compiled
def play_out(rules, state, net, dice, last_turn):
    """Plays the hole to its end, every seat by the net.

    If nobody has closed by the turn of that number, the hole is abandoned.
    """
    while state.phase != Phase.OVER:
        if state.awaited != NOTHING:
            turn_up(rules, state, draw(rules, bag(state), dice))
        elif state.turns > last_turn and state.phase == Phase.TAKE and state.closer == NOBODY:
            abandon(rules, state)
        else:
            play(rules, state, choose_by(rules, state, net))


@compiled
def best_of(move_values):
    best = 0
    for move in range(1, MOVES):
        if move_values[move] < move_values[best]:
            best = move
    return best


@compiled_with_arrays
def weigh(rules, net, state, move_values):
    """Fills in the value for the player on turn after each move.

    `move_values` is a float64 array of MOVES; NEVER if a move is illegal or has the same effect as another.
    Returns the least.
    """
    move_values[:] = NEVER
    if state.phase == Phase.TEE_OFF:
        weigh_tee_off(rules, net, state, move_values)
        return move_values.min()
    sight = look_around(rules, net, state)
    discard, held = np.int64(state.discard), np.int64(state.held)
    if state.phase == Phase.TAKE:
        places = np.full(MOVES, NEVER)
        move_values[DISCARD] = weigh_places(rules, net, state, sight, discard, sight.mine, places)
        move_values[STOCK] = value_of_stock(rules, net, state, sight, places)
        if may_decline(rules, state):
            move_values[PASS] = value_at_end(rules, state, sight, sight.cost[0], discard)
    elif state.phase == Phase.PLACE:
        weigh_places(rules, net, state, sight, held, sight.mine, move_values)
        if state.held_from_stock and rules.may_discard_drawn:
            turn_all(rules, net, state, sight)
            move_values[DISCARD_DRAWN] = value_thrown_away(rules, net, state, sight, held, sight.theirs)
    else:
        turn_all(rules, net, state, sight)
        weigh_flips(rules, net, state, sight, discard, sight.theirs, move_values)
    return move_values.min()


@compiled_with_arrays
def look_around(rules, net, state):
    """Everything about the table that is the same for all moves."""
    me = np.int64(state.turn)
    following = left_of(state, me)
    width = net.rows.shape[2]
    lines, sets = np.zeros(rules.lines, np.int64), np.zeros(rules.faces, np.int64)
    theirs = np.zeros((rules.faces, width), np.float32)
    read_lines(rules, net, state.players[following].layout, lines, sets)
    for face in range(rules.faces):
        coming = net.begins[COMING] + face * len(net.members)
        add_layout(net, JUST_MOVED, coming, COMING_SETS, lines, sets, np.float32(1), theirs[face])
    shown = theirs.copy()
    for face in range(rules.faces):
        add_row(net, JUST_MOVED, net.begins[UNSEEN] + face, np.float32(-1), shown[face])
    mine = surroundings(rules, net, state, JUST_MOVED, me, following)
    read_lines(rules, net, state.players[me].layout, lines, sets)
    add_layout(net, JUST_MOVED, net.begins[OWN], OWN_SETS, lines, sets, np.float32(1), mine)
    turned = np.zeros((rules.lines, rules.faces, width), np.float32)
    ends = np.zeros((rules.lines, rules.faces))
    cost, others, exact = np.zeros(2), np.zeros(rules.faces), np.zeros(1, np.int64)
    field, doubt = np.zeros((state.seats, rules.faces + 1)), np.zeros(state.seats)
    if is_last_turn(state) or state.players[me].hidden <= 1:
        exact[0] = 1
        closer = me if state.closer == NOBODY else np.int64(state.closer)
        for seat in range(state.seats):
            if seat != me:
                doubt[seat] = prospects(rules, net, state, seat, following, closer, field[seat])
                for face in range(rules.faces):
                    others[face] += field[seat, face] / (state.seats - 1)
        doubt[me] = spread(rules, state)
        cost[1] = mean_unseen(rules, state)
        cost[0] = expected_cost(rules, net, state, lines, sets, cost[1])
    return Halves(lines, sets, mine, theirs, shown, turned, ends, cost, others, exact, field, doubt, impatience(state))


@compiled_with_arrays
def value_of_stock(rules, net, state, sight, places):
    """The mean, over each card the stock may bring, of its best use."""
    stock = stock_bag(state)
    size = bag_size(rules, stock)
    if rules.may_discard_drawn:
        turn_all(rules, net, state, sight)
    move_value = 0.0
    for face in range(rules.faces):
        copies = stock[face]
        if copies:
            stock[face] -= 1  # once drawn, it can no longer lie face down
            mine, thrown = sight.mine, sight.theirs
            if not state.renewed:
                mine, thrown = sight.mine.copy(), sight.shown
                add_row(net, JUST_MOVED, net.begins[UNSEEN] + face, np.float32(-1), mine)
            best = weigh_places(rules, net, state, sight, face, mine, places)
            if rules.may_discard_drawn:
                best = min(best, value_thrown_away(rules, net, state, sight, face, thrown))
            stock[face] += 1
            move_value += best * copies / size
    return move_value


@compiled_with_arrays
def weigh_places(rules, net, state, sight, face, mine, move_values):
    """Evaluates every place for a card of that face. Returns the lowest value."""
    layout = state.players[state.turn].layout
    size = bag_size(rules, state.unseen)
    after = np.zeros_like(mine)
    best = NEVER
    for line in range(rules.lines):
        old = sight.lines[line]
        if is_repeated(sight.lines, line):
            continue
        for place in range(rules.line_length):
            out = net.members[old, place]
            if place and out == net.members[old, place - 1]:
                continue
            new = net.swapped[old, place, face]
            move_value = 0.0
            if is_end(state, sight, out == HIDDEN):
                points = points_with(rules, net, state, sight, line, new)
                if out == HIDDEN:
                    for under in range(rules.faces):
                        if state.unseen[under]:
                            move_value += state.unseen[under] * value_at_end(rules, state, sight, points, under) / size
                else:
                    move_value = value_at_end(rules, state, sight, points, out)
            else:
                exchange(net, sight.sets, old, new, mine, after)
                if out == HIDDEN:
                    move_value = judge_mean(net, after, sight.shown, state.unseen)
                else:
                    move_value = judge(net, JUST_MOVED, after, sight.theirs, out)
                move_value += sight.bored * (state.players[state.turn].hidden - (out == HIDDEN))
            move_values[slot_with(rules, layout, line, out)] = move_value
            best = min(best, move_value)
    return best


@compiled
def is_end(state, sight, opens_hidden):
    """Whether a turn that opens a hidden card, or none, leaves the hole closed (4.1, 4.2)."""
    return sight.exact[0] and (is_last_turn(state) or (opens_hidden and state.players[state.turn].hidden == 1))


@compiled
def is_repeated(lines, line):
    """Whether an earlier line is of the same kind, so that every move has the same effect there."""
    for earlier in range(line):
        if lines[earlier] == lines[line]:
            return True
    return False


@compiled
def slot_with(rules, layout, line, face):
    """The first slot of a line with that face on it."""
    place = 0
    while layout[slot_in_line(rules, line, place)] != face:
        place += 1
    return slot_in_line(rules, line, place)


@compiled_with_arrays
def value_thrown_away(rules, net, state, sight, face, theirs):
    """The value after discarding a card of that face. Call `turn_all` first."""
    if is_last_turn(state):
        return value_at_end(rules, state, sight, points_with(rules, net, state, sight, 0, sight.lines[0]), face)
    if rules.discard_ends_turn:  # 3.3
        return judge(net, JUST_MOVED, sight.mine, theirs, face) + sight.bored
    move_values = np.full(MOVES, NEVER)
    return weigh_flips(rules, net, state, sight, face, theirs, move_values)


@compiled
def turn_all(rules, net, state, sight):
    """Fills in what each face-down card would make of `mine`, whatever face it shows."""
    if ends_turn_by_discarding(rules, state):
        return
    closes = state.players[state.turn].hidden == 1
    for line in range(rules.lines):
        kind = sight.lines[line]
        if net.facts[kind, HIDDEN_CARDS] and not is_repeated(sight.lines, line):
            place = rules.line_length - net.facts[kind, HIDDEN_CARDS]
            for face in range(rules.faces):
                new = net.swapped[kind, place, face]
                if closes:
                    sight.ends[line, face] = points_with(rules, net, state, sight, line, new)
                else:
                    exchange(net, sight.sets, kind, new, sight.mine, sight.turned[line, face])
                    seen = net.begins[UNSEEN] + face
                    add_row(net, JUST_MOVED, seen, np.float32(-1), sight.turned[line, face])


@compiled
def weigh_flips(rules, net, state, sight, discard, theirs, move_values):
    """Evaluates every card to turn up after a discard, and leaving the last one (3.3, 3.4)."""
    player = state.players[state.turn]
    size = bag_size(rules, state.unseen)
    best = NEVER
    for line in range(rules.lines):
        kind = sight.lines[line]
        if not net.facts[kind, HIDDEN_CARDS] or is_repeated(sight.lines, line):
            continue
        move_value = 0.0
        if player.hidden == 1:
            for face in range(rules.faces):
                if state.unseen[face]:
                    points = sight.ends[line, face]
                    move_value += state.unseen[face] * value_at_end(rules, state, sight, points, discard) / size
        else:
            move_value = judge_mean_turned(net, sight.turned, line, theirs, discard, state.unseen)
            move_value += sight.bored * (player.hidden - 1)
        move_values[slot_with(rules, player.layout, line, HIDDEN)] = move_value
        best = min(best, move_value)
    if rules.may_leave_last and player.hidden == 1:
        move_values[PASS] = judge(net, JUST_MOVED, sight.mine, theirs, discard) + sight.bored
        best = min(best, move_values[PASS])
    return best


@compiled
def points_with(rules, net, state, sight, line, kind):
    """The points to be expected with that kind of line in place of the old one."""
    total, mean = sight.cost
    return cost_with(rules, net, state, sight.lines, sight.sets, mean, total, line, kind)


@compiled
def value_at_end(rules, state, sight, points, discard):
    """The value with these points if the hole is closed after this turn."""
    move_value = points - sight.others[discard]
    if rules.closer_penalty:  # 5.6
        move_value += rules.closer_penalty * share_of_fine(state, sight, points, discard)
    return move_value


@compiled
def share_of_fine(state, sight, points, discard):
    """How many fines the player on turn expects to pay, less the mean of what the others do (5.6)."""
    me = np.int64(state.turn)
    if state.closer != NOBODY:
        doubt = state.players[me].hidden * sight.doubt[me]
        return -chance_below(sight.field[state.closer, discard], points, doubt) / (state.seats - 1)
    fines = 0.0
    for seat in range(state.seats):
        if seat != me:
            fines += chance_below(points, sight.field[seat, discard], sight.doubt[seat])
    return fines


@compiled_in_any_order
def judge_mean_turned(net, turned, line, theirs, discard, counts):
    """The mean of what the net makes of a line's card being turned up, over the faces it may show."""
    total, size = 0.0, 0
    for face in range(turned.shape[1]):
        if counts[face]:
            total += counts[face] * judge(net, JUST_MOVED, turned[line, face], theirs, discard)
            size += counts[face]
    return total / size


@compiled_with_arrays
def weigh_tee_off(rules, net, state, move_values):
    """Evaluates every card to turn up before the first turn (2.4)."""
    me = np.int64(state.turn)
    player = state.players[me]
    size = bag_size(rules, state.unseen)
    lines, sets = np.zeros(rules.lines, np.int64), np.zeros(rules.faces, np.int64)
    read_lines(rules, net, player.layout, lines, sets)
    for line in range(rules.lines):
        if not net.facts[lines[line], HIDDEN_CARDS] or is_repeated(lines, line):
            continue
        slot = slot_with(rules, player.layout, line, HIDDEN)
        move_value = 0.0
        for face in range(rules.faces):
            copies = state.unseen[face]
            if copies:
                state.unseen[face] -= 1
                player.layout[slot] = face
                player.hidden -= 1
                plays_on = is_teeing_off(rules, player) or not rules.tee_off_before_play
                move_value += copies * value(rules, net, state, me, me if plays_on else left_of(state, me)) / size
                player.hidden += 1
                player.layout[slot] = HIDDEN
                state.unseen[face] += 1
        move_values[slot] = move_value
