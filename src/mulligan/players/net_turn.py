"""The fast search of one turn by the net, for who plays: the value after each move.

Many times as fast as `exact_turn`, which it repeats but for holes about to end: there it counts by `quick_cost`. The
tables that a turn leads to differ in a few rows, so each is a sum of two halves, and most rows are added up once.
"""

from typing import NamedTuple

import numpy as np

from mulligan.engine.chance import bag_size, stock_bag
from mulligan.engine.compiled import compiled, compiled_with_arrays
from mulligan.engine.moves import (
    clear_line,
    ends_turn_by_discarding,
    first_turn,
    may_decline,
    may_knock,
    may_pass,
    may_tee_off,
)
from mulligan.engine.rules import line_of, lines_cross
from mulligan.engine.scoring import has_penalty
from mulligan.engine.state import (
    DISCARD,
    DISCARD_DRAWN,
    HIDDEN,
    MOVES,
    NO_MATCH,
    NOBODY,
    NOTHING,
    PASS,
    STOCK,
    Phase,
    is_hidden,
    is_last_turn,
    is_teeing_off,
    left_of,
)
from mulligan.players.values.after_close import card_left, foresee
from mulligan.players.values.exchanges import exchange_card
from mulligan.players.values.features import COMING, JUST_MOVED, OWN, UNSEEN
from mulligan.players.values.line_tables import HIDDEN_CARDS, MATCH, WANTED, kind_with, read_lines
from mulligan.players.values.net import add_row, copy_numbers, judge, judge_each, judge_mean
from mulligan.players.values.outlook import Outlook, blank_outlook, end_with, penalty_of_closer
from mulligan.players.values.quick_cost import quick_cost, quick_cost_with_card, quick_cost_with_line
from mulligan.players.values.table_rows import (
    Table,
    add_layout,
    add_neighbours,
    add_surroundings,
    read_table,
)
from mulligan.players.values.value import value

from .exact_turn import weigh as weigh_exactly
from .look_ahead import impatience
from .positions import first_twin

NEVER = 1e9  # worse than any value


class TurnContext(NamedTuple):
    """The table before the turn, in two halves: `judge` turns `mine` and one of `theirs` into a value."""

    table: Table
    kinds: np.ndarray  # [line]: those of the player to move
    sets: np.ndarray  # [face]: the same
    mine: np.ndarray  # rows of the own lines, the cards unseen and the waiting seats
    theirs: np.ndarray  # [discard]: rows of the lines of the next player
    shown: np.ndarray  # [discard]: the same where that card has only just been seen
    turned: np.ndarray  # [slot, face]: `mine` after that face was turned up there
    judged: np.ndarray  # [slot, face, discard]: what the net makes of `turned` and `shown` together
    ends: np.ndarray  # [slot, face]: the own points if that face was turned up there, and the hole closed
    cost: np.ndarray  # [0]: what the own lines are expected to cost now
    others: np.ndarray  # [discard]: the mean of the points to be expected of the others
    exact: np.ndarray  # 1 where someone has closed, or could with this turn
    outlook: Outlook  # of the others if this turn closes, or is a last one
    impatience: float  # what a card left face down seems to cost besides: else all might wait for ever
    # Work space: what makes no arrays need not count references.
    drawn: np.ndarray  # `mine` after a card has come from the stock
    after: np.ndarray  # `mine` after the turn
    left: np.ndarray  # [0]: one of `theirs`
    unasked: np.ndarray  # [move]: values of moves of which only the least counts


@compiled_with_arrays
def weigh(rules, net, state, move_values):
    """Fills in the value for the player to move after each move.

    `move_values` is a float64 array of MOVES; NEVER if a move is illegal or has the same effect as another.
    Returns the least.
    """
    return weigh_draws(rules, net, state, move_values, np.zeros(rules.faces))


@compiled_with_arrays
def weigh_draws(rules, net, state, move_values, draws):
    """The same. Also fills `draws`, a float64 array by face: the value after the stock has brought that card.

    Their mean is the value of the stock. A last turn that is searched to the end leaves them out.
    """
    move_values[:] = NEVER
    if state.phase == Phase.TEE_OFF:
        weigh_tee_off(rules, net, state, move_values)
        return move_values.min()
    if is_searched_to_the_end(rules, state):
        weigh_to_the_end(rules, net, state, move_values)
        return move_values.min()
    context = context_of(rules, net, state)
    discard, held = np.int64(state.discard), np.int64(state.held)
    if state.phase == Phase.TAKE:
        move_values[DISCARD] = weigh_places(rules, net, state, context, discard, context.mine, 0, context.unasked)
        move_values[STOCK] = value_of_stock(rules, net, state, context, draws)
        if may_decline(rules, state) or may_knock(rules, state):
            move_values[PASS] = value_at_end(rules, state, context, context.cost[0], discard)
    elif state.phase == Phase.PLACE:
        weigh_places(rules, net, state, context, held, context.mine, 0, move_values)
        if state.held_from_stock and rules.may_discard_drawn:
            turn_all(rules, net, state, context)
            move_values[DISCARD_DRAWN] = value_thrown_away(rules, net, state, context, held, context.theirs, 0)
    else:
        turn_all(rules, net, state, context)
        weigh_flips(rules, net, state, context, discard, context.theirs, 0, move_values)
    return move_values.min()


@compiled
def best_of(move_values):
    best = 0
    for move in range(1, MOVES):
        if move_values[move] < move_values[best]:
            best = move
    return best


@compiled
def is_searched_to_the_end(rules, state):
    """Whether only the reveal follows this turn, and a quick estimate of it could be wrong: the rest is exact."""
    return state.seats == 2 and is_last_turn(state) and (has_penalty(rules) or lines_cross(rules))


@compiled_with_arrays
def weigh_to_the_end(rules, net, state, move_values):
    weigh_exactly(rules, net, state, move_values)
    for move in range(MOVES):
        if move_values[move] == np.inf or first_twin(rules, state, move) != move:
            move_values[move] = NEVER


@compiled_with_arrays
def context_of(rules, net, state):
    """Everything about the table that is the same for all moves."""
    me = np.int64(state.turn)
    following = left_of(state, me)
    width = net.rows.shape[2]
    table = read_table(rules, net, state, following)
    theirs = np.zeros((rules.faces, width), np.float32)
    for face in range(rules.faces):
        add_layout(rules, net, table, JUST_MOVED, following, COMING, face, theirs[face])
    shown = theirs.copy()
    for face in range(rules.faces):
        add_row(net, JUST_MOVED, net.begins[UNSEEN] + face, np.float32(-1), shown[face])
    mine, kinds, sets = np.zeros(width, np.float32), table.kinds[me], table.sets[me]
    add_surroundings(rules, net, state, table, JUST_MOVED, me, following, NOBODY, mine)
    add_layout(rules, net, table, JUST_MOVED, me, OWN, NOTHING, mine)
    add_neighbours(net, table, JUST_MOVED, me, mine)
    turned = np.empty((rules.slots, rules.faces, width), np.float32)
    judged = np.empty((rules.slots, rules.faces, rules.faces))
    ends = np.zeros((rules.slots, rules.faces))
    cost, others, exact = np.zeros(1), np.zeros(rules.faces), np.zeros(1, np.int64)
    may_end = is_last_turn(state) or state.players[me].hidden <= max(1, rules.knock)
    outlook = blank_outlook(rules, state, may_end)
    if may_end:
        exact[0] = 1
        closer = me if state.closer == NOBODY else np.int64(state.closer)
        foresee(rules, net, state, me, following, closer, outlook)
        for seat in range(state.seats):
            if seat != me:
                for face in range(rules.faces):
                    others[face] += outlook.points[seat, face] / (state.seats - 1)
        cost[0] = quick_cost(rules, net, state, state.players[me].layout, kinds, sets, outlook.mean)
    return TurnContext(
        table, kinds, sets, mine, theirs, shown, turned, judged, ends, cost, others, exact, outlook, impatience(state),
        np.zeros_like(mine), np.zeros_like(mine), np.zeros((1, width), np.float32), np.zeros(MOVES),
    )  # fmt: skip


@compiled
def value_of_stock(rules, net, state, context, draws):
    """The mean, over each card the stock may bring, of its best use, which `draws` gets."""
    stock = stock_bag(state)
    size = bag_size(rules, stock)
    is_judged = 0
    if rules.may_discard_drawn:
        turn_all(rules, net, state, context)
        is_judged = judge_turned(rules, net, state, context)
    move_value = 0.0
    for face in range(rules.faces):
        copies = stock[face]
        if copies:
            stock[face] -= 1  # once drawn, it can no longer lie face down
            mine, thrown = context.mine, context.theirs
            if not state.renewed:
                mine, thrown = context.drawn, context.shown
                copy_numbers(context.mine, mine)
                add_row(net, JUST_MOVED, net.begins[UNSEEN] + face, np.float32(-1), mine)
            best = weigh_places(rules, net, state, context, face, mine, is_judged, context.unasked)
            if rules.may_discard_drawn:
                best = min(best, value_thrown_away(rules, net, state, context, face, thrown, is_judged))
            stock[face] += 1
            draws[face] = best
            move_value += best * copies / size
    return move_value


@compiled
def judge_turned(rules, net, state, context):
    """Fills in `judged` if a card from the stock may lead to such tables, else returns 0. Call `turn_all` first.

    A drawn card on a hidden one, which goes, and the hidden one turned up under a discarded one are the same but for
    what the faces are. So each table serves for both.
    """
    player = state.players[state.turn]
    if state.renewed or player.hidden == 1 or ends_turn_by_discarding(rules, state):
        return 0
    for slot in range(rules.slots):
        if is_hidden(player, slot) and not has_twin(rules, context.kinds, player.layout, slot):
            for face in range(rules.faces):
                if state.unseen[face]:
                    judge_each(net, context.turned[slot, face], context.shown, state.unseen, context.judged[slot, face])
    return 1


@compiled
def mean_over_unseen(rules, state, values):
    """The mean of values by face, each as often as there are cards of it that nobody has seen."""
    total = 0.0
    for face in range(rules.faces):
        if state.unseen[face]:
            total += state.unseen[face] * values[face]
    return total / bag_size(rules, state.unseen)


@compiled
def weigh_places(rules, net, state, context, face, mine, is_judged, move_values):
    """Evaluates every place for a card of that face. Returns the lowest value.

    `is_judged` says that it comes from the stock, and that `judged` has been filled in.
    """
    layout = state.players[state.turn].layout
    size = bag_size(rules, state.unseen)
    after = context.after
    best = NEVER
    for slot in range(rules.slots):
        if has_twin(rules, context.kinds, layout, slot) or is_gone(rules, net, context, slot):
            continue
        out = np.int64(layout[slot])
        top = card_left(rules, net, layout, context.kinds, slot, face)
        move_value = 0.0
        if is_end(state, context, out == HIDDEN):
            points = points_with(rules, net, state, context, slot, face)
            layout[slot] = face
            if top == HIDDEN:
                for under in range(rules.faces):
                    if state.unseen[under]:
                        move_value += state.unseen[under] * value_at_end(rules, state, context, points, under) / size
            else:
                move_value = value_at_end(rules, state, context, points, top)
            layout[slot] = out
        elif is_judged and top == HIDDEN:
            move_value = mean_over_unseen(rules, state, context.judged[slot, face])
            move_value += context.impatience * (state.players[state.turn].hidden - 1)
        else:
            exchange_card(rules, net, layout, context.table, np.int64(state.turn), slot, face, mine, after)
            if top == HIDDEN:
                move_value = judge_mean(net, after, context.shown, state.unseen)
            elif out == HIDDEN:
                move_value = judge_mean_below(rules, net, state, context, after, top)
            else:
                move_value = judge(net, JUST_MOVED, after, context.theirs, top)
            move_value += context.impatience * (state.players[state.turn].hidden - (out == HIDDEN))
        move_values[slot] = move_value
        best = min(best, move_value)
    return best


@compiled
def judge_mean_below(rules, net, state, context, mine, discard):
    """The mean of what the net makes of a hidden card that goes under a cleared line, over the faces it may show."""
    total = 0.0
    for under in range(rules.faces):
        if state.unseen[under]:
            row = net.begins[UNSEEN] + under
            add_row(net, JUST_MOVED, row, np.float32(-1), mine)
            total += state.unseen[under] * judge(net, JUST_MOVED, mine, context.theirs, discard)
            add_row(net, JUST_MOVED, row, np.float32(1), mine)
    return total / bag_size(rules, state.unseen)


@compiled
def is_end(state, context, opens_hidden):
    """Whether a turn that opens a hidden card, or none, leaves the hole closed (4.1, 4.2)."""
    return context.exact[0] and (is_last_turn(state) or (opens_hidden and state.players[state.turn].hidden == 1))


@compiled
def has_twin(rules, lines, layout, slot):
    """Whether a move has the same effect on an earlier slot: whether the slot is not its own `first_twin`."""
    if lines_cross(rules):
        return False
    kind = lines[line_of(rules, slot)]
    for earlier in range(slot):
        if layout[earlier] == layout[slot] and lines[line_of(rules, earlier)] == kind:
            return True
    return False


@compiled
def is_gone(rules, net, context, slot):
    """Whether the card on the slot has been cleared (3.7)."""
    return rules.lines_clear and net.facts[context.kinds[line_of(rules, slot)], MATCH] != NO_MATCH


@compiled
def value_thrown_away(rules, net, state, context, face, theirs, is_judged):
    """The value after discarding a card of that face. Call `turn_all` first; `is_judged` as in `weigh_places`."""
    if is_last_turn(state):
        return value_at_end(rules, state, context, points_as_is(rules, net, state, context), face)
    if rules.discard_ends_turn:  # 3.3
        return (
            judge(net, JUST_MOVED, context.mine, theirs, face) + context.impatience * state.players[state.turn].hidden
        )
    return weigh_flips(rules, net, state, context, face, theirs, is_judged, context.unasked)


@compiled
def turn_all(rules, net, state, context):
    """Fills in what each face-down card would make of `mine`, whatever face it shows."""
    if ends_turn_by_discarding(rules, state):
        return
    me = np.int64(state.turn)
    player = state.players[me]
    closes = player.hidden == 1
    for slot in range(rules.slots):
        if is_hidden(player, slot) and not has_twin(rules, context.kinds, player.layout, slot):
            for face in range(rules.faces):
                if closes:
                    context.ends[slot, face] = points_with(rules, net, state, context, slot, face)
                elif state.unseen[face]:
                    turned = context.turned[slot, face]
                    exchange_card(rules, net, player.layout, context.table, me, slot, face, context.mine, turned)
                    add_row(net, JUST_MOVED, net.begins[UNSEEN] + face, np.float32(-1), turned)


@compiled
def weigh_flips(rules, net, state, context, discard, theirs, is_judged, move_values):
    """Evaluates every card to turn up after a discard, and leaving the last one, or any (3.3, 3.4)."""
    player = state.players[state.turn]
    size = bag_size(rules, state.unseen)
    best = NEVER
    for slot in range(rules.slots):
        if not is_hidden(player, slot) or has_twin(rules, context.kinds, player.layout, slot):
            continue
        clearing = clearing_face(rules, net, context, slot)
        move_value = 0.0
        if player.hidden == 1:
            for face in range(rules.faces):
                if state.unseen[face]:
                    points, top = context.ends[slot, face], face if face == clearing else discard
                    move_value += state.unseen[face] * value_at_end(rules, state, context, points, top) / size
        else:
            if is_judged:
                move_value = mean_over_unseen(rules, state, context.judged[slot, :, discard])
            else:
                move_value = judge_mean(net, theirs[discard], context.turned[slot], state.unseen)
            if clearing >= 0 and state.unseen[clearing]:
                change = change_by_clearing(net, context, context.turned[slot, clearing], clearing, theirs, discard)
                move_value += state.unseen[clearing] * change / size
            move_value += context.impatience * (player.hidden - 1)
        move_values[slot] = move_value
        best = min(best, move_value)
    if may_pass(rules, player):
        move_values[PASS] = judge(net, JUST_MOVED, context.mine, theirs, discard) + context.impatience * player.hidden
        best = min(best, move_values[PASS])
    return best


@compiled
def clearing_face(rules, net, context, slot):
    """The face that a hidden card must show for its line to be cleared (3.7), or NO_MATCH."""
    if rules.lines_clear:
        kind = context.kinds[line_of(rules, slot)]
        if net.facts[kind, HIDDEN_CARDS] == 1:
            return net.facts[kind, WANTED]
    return np.int64(NO_MATCH)


@compiled
def change_by_clearing(net, context, mine, clearing, theirs, discard):
    """How the value changes because a card of the face `clearing` ends on top of the discard pile, not `discard`."""
    left = context.left
    for unit in range(len(mine)):
        left[0, unit] = theirs[discard, unit] - context.theirs[discard, unit] + context.theirs[clearing, unit]
    return judge(net, JUST_MOVED, mine, left, 0) - judge(net, JUST_MOVED, mine, theirs, discard)


@compiled
def points_with(rules, net, state, context, slot, face):
    """The points to be expected with a card of that face on the slot."""
    total, mean = context.cost[0], context.outlook.mean
    layout = state.players[state.turn].layout
    if lines_cross(rules):
        return quick_cost_with_card(rules, state, layout, mean, slot, face)
    line = line_of(rules, slot)
    kind = kind_with(net, context.kinds[line], layout[slot], face)
    return quick_cost_with_line(rules, net, state, context.kinds, context.sets, mean, total, line, kind)


@compiled
def points_as_is(rules, net, state, context):
    """The points to be expected of the layout as it is."""
    total, mean = context.cost[0], context.outlook.mean
    if lines_cross(rules):
        return total
    kinds = context.kinds
    return quick_cost_with_line(rules, net, state, kinds, context.sets, mean, total, 0, kinds[0])


@compiled
def value_at_end(rules, state, context, points, discard):
    """The value with these points if the hole is closed after this turn; in a last turn the cards lie as it ends."""
    move_value = points - context.others[discard]
    if has_penalty(rules):  # 5.6
        move_value += share_of_penalty(rules, state, context, points, discard)
    return move_value


@compiled
def share_of_penalty(rules, state, context, points, discard):
    """The penalty that the player to move expects to pay, less the mean of what the others do (5.6)."""
    me, outlook = np.int64(state.turn), context.outlook
    closer = me if state.closer == NOBODY else np.int64(state.closer)
    if closer == me:
        return penalty_of_closer(rules, state, outlook, me, points, discard)
    outlook.ending[me] = me
    end_with(rules, state, outlook, me, state.players[me].layout)
    closer_points = outlook.points[closer, discard]
    return -penalty_of_closer(rules, state, outlook, closer, closer_points, discard) / (state.seats - 1)


@compiled_with_arrays
def weigh_tee_off(rules, net, state, move_values):
    """Evaluates every card to turn up before the first turn (2.4)."""
    me = np.int64(state.turn)
    player = state.players[me]
    size = bag_size(rules, state.unseen)
    lines, sets = np.zeros(rules.lines, np.int64), np.zeros(rules.faces, np.int64)
    read_lines(rules, net, player.layout, lines, sets)
    for slot in range(rules.slots):
        if not is_hidden(player, slot) or not may_tee_off(rules, player, slot):
            continue
        if not rules.tee_off_place and has_twin(rules, lines, player.layout, slot):
            continue
        move_value = 0.0
        discard = state.discard
        for face in range(rules.faces):
            copies = state.unseen[face]
            if copies:
                state.unseen[face] -= 1
                player.layout[slot] = face
                player.hidden -= 1
                clear_line(rules, state, slot)
                move_value += copies * value(rules, net, state, me, mover_after_tee_off(rules, state)) / size
                state.discard = discard
                player.hidden += 1
                player.layout[slot] = HIDDEN
                state.unseen[face] += 1
        move_values[slot] = move_value


@compiled
def mover_after_tee_off(rules, state):
    """Who moves next once the player to move has turned up a card (2.4, 2.5)."""
    me = np.int64(state.turn)
    if is_teeing_off(rules, state.players[me]) or not rules.tee_off_before_play:
        return me
    following = left_of(state, me)
    if is_teeing_off(rules, state.players[following]):
        return following
    return np.int64(first_turn(rules, state))
