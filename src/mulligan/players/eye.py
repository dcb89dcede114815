"""Looks one turn ahead, exactly, and lets the net judge the table it would leave.

What others can do with the discard, how soon they will close and which cards are gone is in the net.
"""

from typing import NamedTuple

import numpy as np

from ..engine.chance import bag_size, stock_bag
from ..engine.compiled import compiled, compiled_in_any_order
from ..engine.rules import slot_in_line
from ..engine.state import (
    DISCARD,
    HIDDEN,
    MOVES,
    NOBODY,
    PASS,
    STOCK,
    THROW_AWAY,
    Phase,
    is_last_turn,
    is_teeing_off,
    left_of,
)
from .greedy import boredom, mean_unseen
from .greedy import choose as choose_greedily
from .last_turns import chance_below, cost_with, expected_cost, prospects, spread
from .net import (
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
    hope,
    is_trained,
    judge,
    judge_mean,
    read_lines,
    surroundings,
)

NEVER = 1e9  # worse than any hope


class Sight(NamedTuple):
    """The table in halves: a hope is what `judge` makes of `mine` and of one of `theirs`."""

    lines: np.ndarray  # the kinds of the lines of who is on turn
    sets: np.ndarray  # of each face, how many of them it matches
    mine: np.ndarray  # rows of his lines, the cards unseen and the waiting seats
    theirs: np.ndarray  # [discard]: rows of the lines of the next player
    shown: np.ndarray  # [discard]: the same where that card has only just been seen
    turned: np.ndarray  # [line, face]: `mine` after that face was turned up in that line
    ends: np.ndarray  # [line, face]: his points if that face was turned up there, and the hole closed
    cost: np.ndarray  # [0]: what his lines are expected to cost as they are; [1]: the mean of the cards unseen
    others: np.ndarray  # [discard]: the mean of the points to be expected of the others
    exact: np.ndarray  # 1 where somebody has closed, or could with this turn
    field: np.ndarray  # [seat, discard]: the points to be expected of each seat if this turn closes, or is a last one
    doubt: np.ndarray  # [seat]: their variance
    bored: float  # what a card left face down seems to cost besides: else all might wait for ever


@compiled
def choose(rules, state, dice, books):
    """The move that leaves the most hope."""
    return choose_by(rules, state, dice, books.net)


@compiled
def choose_by(rules, state, dice, net):
    if not is_trained(net, state.seats):
        return choose_greedily(rules, state, dice)
    worths = np.zeros(MOVES)
    weigh(rules, net, state, worths)
    return best_of(worths)


@compiled
def best_of(worths):
    best = 0
    for move in range(1, MOVES):
        if worths[move] < worths[best]:
            best = move
    return best


@compiled
def weigh(rules, net, state, worths):
    """Fills in what the player on turn may hope for after each move.

    `worths` is a float64 array of MOVES; NEVER where a move is not legal, or comes to the same as another.
    Returns the least.
    """
    worths[:] = NEVER
    if state.phase == Phase.TEE_OFF:
        weigh_tee_off(rules, net, state, worths)
        return worths.min()
    sight = look_around(rules, net, state)
    discard, held = np.int64(state.discard), np.int64(state.held)
    if state.phase == Phase.TAKE:
        places = np.full(MOVES, NEVER)
        worths[DISCARD] = weigh_places(rules, net, state, sight, discard, sight.mine, places)
        worths[STOCK] = worth_of_stock(rules, net, state, sight, places)
    elif state.phase == Phase.PLACE:
        weigh_places(rules, net, state, sight, held, sight.mine, worths)
        if state.held_from_stock and rules.may_throw_away:
            turn_all(rules, net, state, sight)
            worths[THROW_AWAY] = worth_thrown_away(rules, net, state, sight, held, sight.theirs)
    else:
        turn_all(rules, net, state, sight)
        weigh_flips(rules, net, state, sight, discard, sight.theirs, worths)
    return worths.min()


@compiled
def look_around(rules, net, state):
    """Everything about the table that stays as it is while one move is weighed after another."""
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
    return Sight(lines, sets, mine, theirs, shown, turned, ends, cost, others, exact, field, doubt, boredom(state))


@compiled
def worth_of_stock(rules, net, state, sight, places):
    """The mean, over each card the stock may bring, of the best that can be done with it."""
    stock = stock_bag(state)
    size = bag_size(rules, stock)
    if rules.may_throw_away:
        turn_all(rules, net, state, sight)
    worth = 0.0
    for face in range(rules.faces):
        copies = stock[face]
        if copies:
            stock[face] -= 1  # once drawn, it can no longer lie face down
            mine, thrown = sight.mine, sight.theirs
            if not state.renewed:
                mine, thrown = sight.mine.copy(), sight.shown
                add_row(net, JUST_MOVED, net.begins[UNSEEN] + face, np.float32(-1), mine)
            best = weigh_places(rules, net, state, sight, face, mine, places)
            if rules.may_throw_away:
                best = min(best, worth_thrown_away(rules, net, state, sight, face, thrown))
            stock[face] += 1
            worth += best * copies / size
    return worth


@compiled
def weigh_places(rules, net, state, sight, face, mine, worths):
    """Weighs every place for a card of that face. Returns the least worth."""
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
            worth = 0.0
            if is_end(state, sight, out == HIDDEN):
                points = points_with(rules, net, state, sight, line, new)
                if out == HIDDEN:
                    for under in range(rules.faces):
                        if state.unseen[under]:
                            worth += state.unseen[under] * worth_at_end(rules, state, sight, points, under) / size
                else:
                    worth = worth_at_end(rules, state, sight, points, out)
            else:
                exchange(net, sight.sets, old, new, mine, after)
                if out == HIDDEN:
                    worth = judge_mean(net, after, sight.shown, state.unseen)
                else:
                    worth = judge(net, JUST_MOVED, after, sight.theirs, out)
                worth += sight.bored * (state.players[state.turn].hidden - (out == HIDDEN))
            worths[slot_with(rules, layout, line, out)] = worth
            best = min(best, worth)
    return best


@compiled
def is_end(state, sight, opens_hidden):
    """Whether a turn that opens a hidden card, or none, leaves the hole closed (4.1, 4.2)."""
    return sight.exact[0] and (is_last_turn(state) or (opens_hidden and state.players[state.turn].hidden == 1))


@compiled
def is_repeated(lines, line):
    """Whether an earlier line is of the same kind: then whatever is done here comes to the same there."""
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


@compiled
def worth_thrown_away(rules, net, state, sight, face, theirs):
    """What is left to hope for after throwing away a card of that face; `turn_all` has to be done before."""
    if is_last_turn(state):
        return worth_at_end(rules, state, sight, points_with(rules, net, state, sight, 0, sight.lines[0]), face)
    worths = np.full(MOVES, NEVER)
    return weigh_flips(rules, net, state, sight, face, theirs, worths)


@compiled
def turn_all(rules, net, state, sight):
    """Fills in what each face-down card would make of `mine`, whatever face it shows."""
    if is_last_turn(state):  # 4.2 nothing is turned up then
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
def weigh_flips(rules, net, state, sight, discard, theirs, worths):
    """Weighs every card to turn up after throwing one away, and leaving the last one (3.3, 3.4)."""
    player = state.players[state.turn]
    size = bag_size(rules, state.unseen)
    best = NEVER
    for line in range(rules.lines):
        kind = sight.lines[line]
        if not net.facts[kind, HIDDEN_CARDS] or is_repeated(sight.lines, line):
            continue
        worth = 0.0
        if player.hidden == 1:
            for face in range(rules.faces):
                if state.unseen[face]:
                    points = sight.ends[line, face]
                    worth += state.unseen[face] * worth_at_end(rules, state, sight, points, discard) / size
        else:
            worth = judge_mean_turned(net, sight.turned, line, theirs, discard, state.unseen)
            worth += sight.bored * (player.hidden - 1)
        worths[slot_with(rules, player.layout, line, HIDDEN)] = worth
        best = min(best, worth)
    if rules.may_leave_last and player.hidden == 1:
        worths[PASS] = judge(net, JUST_MOVED, sight.mine, theirs, discard) + sight.bored
        best = min(best, worths[PASS])
    return best


@compiled
def points_with(rules, net, state, sight, line, kind):
    """The points to be expected with that kind of line in place of the old one."""
    total, mean = sight.cost
    return cost_with(rules, net, state, sight.lines, sight.sets, mean, total, line, kind)


@compiled
def worth_at_end(rules, state, sight, points, discard):
    """The hope left with these points when the hole is closed after this turn."""
    worth = points - sight.others[discard]
    if rules.closer_penalty:  # 5.6
        worth += rules.closer_penalty * share_of_fine(state, sight, points, discard)
    return worth


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


@compiled
def weigh_tee_off(rules, net, state, worths):
    """Weighs every card to turn up before the first turn (2.4)."""
    me = np.int64(state.turn)
    player = state.players[me]
    size = bag_size(rules, state.unseen)
    lines, sets = np.zeros(rules.lines, np.int64), np.zeros(rules.faces, np.int64)
    read_lines(rules, net, player.layout, lines, sets)
    for line in range(rules.lines):
        if not net.facts[lines[line], HIDDEN_CARDS] or is_repeated(lines, line):
            continue
        slot = slot_with(rules, player.layout, line, HIDDEN)
        worth = 0.0
        for face in range(rules.faces):
            copies = state.unseen[face]
            if copies:
                state.unseen[face] -= 1
                player.layout[slot] = face
                player.hidden -= 1
                plays_on = is_teeing_off(rules, player) or not rules.tee_off_before_play
                worth += copies * hope(rules, net, state, me, me if plays_on else left_of(state, me)) / size
                player.hidden += 1
                player.layout[slot] = HIDDEN
                state.unseen[face] += 1
        worths[slot] = worth
