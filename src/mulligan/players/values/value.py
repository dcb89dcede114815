"""The value function between turns: expected points of each seat minus the mean of the others. Lower is better."""

import numpy as np

from mulligan.engine.compiled import compiled, compiled_with_arrays
from mulligan.engine.scoring import against_the_field, cost
from mulligan.engine.state import NOBODY, Phase

from .after_close import values_after_close
from .expected_reveal import expected_points, mean_unseen
from .features import view_of
from .net import add_rows, is_trained, judge
from .table_rows import note_table, read_table
from .turn_rows import values_after_turn


@compiled_with_arrays
def values_by_net(rules, net, state, values):
    """Fills `values`, a float64 array by seat: the expected points once only the reveal is left.

    Without a trained net it is the expected points if the hole were revealed now.
    """
    if is_judged_by_net(net, state):
        mover = np.int64(state.turn)
        table = read_table(rules, net, state, mover)
        for seat in range(state.seats):
            values[seat] = value_on(rules, net, state, table, seat, mover)
        balance(values)
        return
    if state.phase in (Phase.REVEAL, Phase.OVER):
        expected_points(rules, state, values)
    elif not is_trained(net, state.seats):
        for seat in range(state.seats):
            values[seat] = cost(rules, state.players[seat].layout, mean_unseen(rules, state))
    else:
        values_after_close(rules, net, state, values)
    against_the_field(values)


@compiled
def values_in_turn(rules, net, state, me, rows, values):
    """The same for a position that a turn of `me` leads to. `rows`, at first `blank_turn_rows`, serves them all."""
    if is_judged_by_net(net, state) and me != NOBODY and me != state.turn:
        values_after_turn(rules, net, state, me, rows, values)
        balance(values)
    else:
        values_by_net(rules, net, state, values)


@compiled
def is_judged_by_net(net, state):
    """Whether the net has something to say; without one, and after someone has closed, the rules say it."""
    is_played = state.phase not in (Phase.REVEAL, Phase.OVER)
    return is_played and state.closer == NOBODY and is_trained(net, state.seats)


@compiled
def balance(values):
    """One player's gain is the others' loss, so the values sum to zero."""
    mean = values.sum() / len(values)
    for seat in range(len(values)):
        values[seat] -= mean


@compiled
def value_by_net(rules, net, state, seat, values):
    """The value for one seat, by what the net says from its chair alone, as the search of a turn counts it.

    So the mean after a turn is what the search said, however wrong the net is. `values` is work space.
    """
    if is_judged_by_net(net, state):
        return value(rules, net, state, seat, np.int64(state.turn))
    values_by_net(rules, net, state, values)
    return values[seat]


@compiled_with_arrays
def value(rules, net, state, seat, mover):
    """The net's value for a seat while nobody has closed and `mover` moves next, computed from scratch."""
    return value_on(rules, net, state, read_table(rules, net, state, mover), seat, mover)


@compiled_with_arrays
def value_on(rules, net, state, table, seat, mover):
    """The same on a table that has been read."""
    if state.seats == 2 and seat == mover:  # there is only the other's view
        return -value_seen(rules, net, state, table, 1 - seat, mover)
    return value_seen(rules, net, state, table, seat, mover)


@compiled_with_arrays
def value_seen(rules, net, state, table, seat, mover):
    view, total = view_of(state, seat, mover), np.zeros(net.rows.shape[2], np.float32)
    count = note_table(rules, net, table, seat, mover, state.discard, state.unseen, 0)
    add_rows(net, view, table.rows, table.shares, count, total)
    nothing = np.zeros((1, len(total)), np.float32)
    return float(judge(net, view, total, nothing, 0))
