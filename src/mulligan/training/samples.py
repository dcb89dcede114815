"""A table as a row of numbers from which a net learns, and the rows of the net that it adds up.

A position is who moves next, counted from the player whose value it is; the discard; the layouts and the standings from
that player on; cards unseen.
"""

import numpy as np

from mulligan.engine.compiled import compiled, compiled_with_arrays
from mulligan.players.values.features import COMING_LINE, DISCARD, standing_of, view_from
from mulligan.players.values.table_rows import (
    blank_table,
    note,
    note_table,
    read_layout,
    read_neighbours,
)

from .parameters import Plan

MOVER, DISCARDED, LAYOUTS = 0, 1, 2


def columns(lay: Plan) -> int:
    return LAYOUTS + lay.seats * lay.slots + lay.seats + lay.faces


@compiled
def write_position(rules, lay, state, seat, position):
    """Notes a table between two turns as the seat sees it."""
    position[MOVER] = (state.turn - seat) % lay.seats
    position[DISCARDED] = state.discard
    standings = LAYOUTS + lay.seats * lay.slots
    for nth in range(lay.seats):
        other = (seat + nth) % lay.seats
        for slot in range(lay.slots):
            position[LAYOUTS + nth * lay.slots + slot] = state.players[other].layout[slot]
        position[standings + nth] = standing_of(rules, state, other, state.turn)
    for face in range(lay.faces):
        position[standings + lay.seats + face] = state.unseen[face]


@compiled
def view_in(position):
    """From which chair the position is seen."""
    return view_from(position[MOVER])


@compiled_with_arrays
def blank_for(rules, lay):
    """A table for `note_position`."""
    return blank_table(rules, lay.seats)


@compiled_with_arrays
def note_position(rules, net, lay, position, table):
    """Notes the rows of a position on the table, those of FACTORS among them. Returns how many there are.

    `net` is of the same plan; only its tables of lines and of features are used.
    """
    standings, mover, discard = LAYOUTS + lay.seats * lay.slots, np.int64(position[MOVER]), position[DISCARDED]
    for nth in range(lay.seats):
        begin = LAYOUTS + nth * lay.slots
        read_layout(rules, net, position[begin : begin + lay.slots], table, nth)
        table.standing[nth] = position[standings + nth]
    read_neighbours(net, table)
    unseen = position[standings + lay.seats :]
    count = note_table(rules, net, table, 0, mover, discard, unseen, 0)
    for kind in table.kinds[mover]:
        count = note(table, lay.begins[COMING_LINE] + kind, np.float32(1), count)
    return note(table, lay.begins[DISCARD] + discard, np.float32(1), count)
