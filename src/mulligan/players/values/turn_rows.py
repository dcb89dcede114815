"""What a net makes of the many positions that one turn may lead to.

They differ in one layout, the discard and the cards unseen, so the rows of everything else are added only once.
"""

from typing import NamedTuple

import numpy as np

from mulligan.engine.compiled import compiled, compiled_with_arrays
from mulligan.engine.state import NOBODY, NOTHING

from .features import COMING, OWN, UNSEEN, VIEWS, view_of
from .net import add_row, add_rows, judge
from .table_rows import (
    Table,
    add_layout,
    add_neighbours,
    add_surroundings,
    blank_table,
    fill_table,
    note_other,
    read_neighbours,
    read_seat,
)


class TurnRows(NamedTuple):
    """Sums of rows, each with one more axis for the hidden units."""

    table: Table
    fixed: np.ndarray  # [seat]: everything that stays the same, from each chair
    coming: np.ndarray  # [view, discard]: the lines of who moves next
    has_coming: np.ndarray  # bool [view, discard]: whether they have been added up; most discards never come
    own: np.ndarray  # the layout of who has moved, from the own chair
    other: np.ndarray  # [view]: the same from the others'
    total: np.ndarray  # work space
    unseen: np.ndarray  # int64 [face]: cards unseen at the start
    following: np.ndarray  # int64 [0]: who moves next; NOBODY before the first position


@compiled_with_arrays
def blank_turn_rows(rules, net, state):
    """Room for the rows of a turn. They are added up for the first position."""
    seats, width = np.int64(state.seats), net.rows.shape[2]
    return TurnRows(
        blank_table(rules, seats),
        np.zeros((seats, width), np.float32),
        np.zeros((VIEWS, rules.faces, width), np.float32),
        np.zeros((VIEWS, rules.faces), np.bool_),
        np.zeros(width, np.float32),
        np.zeros((VIEWS, width), np.float32),
        np.zeros(width, np.float32),
        np.zeros(rules.faces, np.int64),
        np.full(1, NOBODY, np.int64),
    )


@compiled
def values_after_turn(rules, net, state, me, rows, values):
    """Fills `values` (float64, by seat) with what the net says from each chair after a turn of `me`, in strokes.

    Nobody has closed, and `me` does not move next.
    """
    following = np.int64(state.turn)
    if rows.following[0] != following:
        add_fixed(rules, net, state, me, following, rows)
    add_moved(rules, net, state, me, following, rows)
    for seat in range(state.seats):
        if is_asked(state, me, seat):
            values[seat] = value_from(rules, net, state, me, seat, following, rows)
    if state.seats == 2:
        values[following] = -values[me]


@compiled
def is_asked(state, me, seat):
    """Whether the net has a view from that chair. With two players, only the one who has moved has one."""
    return state.seats > 2 or seat == me


@compiled
def add_fixed(rules, net, state, me, following, rows):
    """Adds up what stays the same as long as the same player moves next."""
    fill_table(rules, net, state, following, rows.table)
    for face in range(rules.faces):
        rows.unseen[face] = state.unseen[face]
    for seat in range(state.seats):
        if is_asked(state, me, seat):
            view, total = view_of(state, seat, following), rows.fixed[seat]
            total[:] = 0.0
            add_surroundings(rules, net, state, rows.table, view, seat, following, me, total)
            if seat != me and seat != following:
                add_layout(rules, net, rows.table, view, seat, OWN, NOTHING, total)
    rows.has_coming[:] = False
    rows.following[0] = following


@compiled
def add_moved(rules, net, state, me, following, rows):
    """Adds up the rows of the player who has moved, from that chair as own lines, from others as those of another."""
    view = view_of(state, me, following)
    read_seat(rules, net, state, me, following, rows.table)
    read_neighbours(net, rows.table)
    rows.own[:] = 0.0
    add_layout(rules, net, rows.table, view, me, OWN, NOTHING, rows.own)
    added = 0  # a bit for each view
    for seat in range(state.seats):
        view = view_of(state, seat, following)
        if is_asked(state, me, seat) and seat != me and not added >> view & 1:
            rows.other[view] = 0.0
            count = note_other(rules, net, rows.table, seat, following, me, 0)
            add_rows(net, view, rows.table.rows, rows.table.shares, count, rows.other[view])
            added |= 1 << view


@compiled
def value_from(rules, net, state, me, seat, following, rows):
    """What the net says from one chair."""
    view, discard = view_of(state, seat, following), np.int64(state.discard)
    if not rows.has_coming[view, discard]:
        rows.coming[view, discard] = 0.0
        add_layout(rules, net, rows.table, view, following, COMING, discard, rows.coming[view, discard])
        rows.has_coming[view, discard] = True
    moved, total = rows.own if seat == me else rows.other[view], rows.total
    for unit in range(len(total)):
        total[unit] = rows.fixed[seat, unit] + moved[unit]
    for face in range(rules.faces):
        more = state.unseen[face] - rows.unseen[face]
        if more:
            add_row(net, view, net.begins[UNSEEN] + face, np.float32(more), total)
    add_neighbours(net, rows.table, view, seat, total)
    return judge(net, view, total, rows.coming[view], discard)
