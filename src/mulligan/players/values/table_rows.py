"""What a net reads from a table, and the rows that it adds up for it; training notes the same ones.

A row and its share are noted one after the other in the table's own lists. Each `note_…` begins after the first `count`
of them, and returns how many there are then.
"""

from typing import NamedTuple

import numpy as np

from mulligan.engine.compiled import compiled, compiled_with_arrays
from mulligan.engine.rules import MAX_LINES, lines_cross
from mulligan.engine.state import NO_MATCH, NOBODY, NOTHING

from .crossings import LINES_OF_SLOT, lines_through, read_crossings
from .features import (
    COMING,
    COMING_PARTS,
    COMING_SETS,
    LEFT,
    OFFERED_PARTS,
    OWN,
    OWN_PARTS,
    OWN_SETS,
    REST,
    REST_PARTS,
    REST_SETS,
    STANDING,
    START,
    UNSEEN,
    parts_of_face,
    standing_of,
)
from .line_tables import MATCH, read_lines
from .net import add_rows, knows
from .parts import count_parts, number_of_parts, number_of_uses, use_of


class Table(NamedTuple):
    """What the net reads from all layouts."""

    kinds: np.ndarray  # int64 [seat, line]
    sets: np.ndarray  # int64 [seat, face]: how many lines match in it; 0 where lines cross
    parts: np.ndarray  # int64 [seat, 0, face]: its cards in lines that do not match; or what `read_crossings` fills in
    ready: np.ndarray  # int64 [seat, face]: how many lines lack only a card of it; none is counted where lines cross
    alone: np.ndarray  # int64 [seat, face]: in how many lines a card of it lies alone
    uses: np.ndarray  # int64 [seat, 0 left, 1 right, face]: what the neighbours do with it
    standing: np.ndarray  # int64 [seat]: see `standing_of`
    through: np.ndarray  # int64 [slot, nth]: the lines of each slot, then NOTHING; empty where lines do not cross
    work: np.ndarray  # int64 [face]: work space
    rows: np.ndarray  # int64 [nth]: the rows noted
    shares: np.ndarray  # float32 [nth]: how much of each


@compiled_with_arrays
def blank_table(rules, seats):
    """A table of so many layouts, to be filled in."""
    cross = lines_cross(rules)
    kinds, sets = np.zeros((seats, rules.lines), np.int64), np.zeros((seats, rules.faces), np.int64)
    parts = np.zeros((seats, rules.slots + 1 if cross else 1, rules.faces), np.int64)
    through = np.zeros((rules.slots if cross else 0, LINES_OF_SLOT), np.int64)
    if cross:
        lines_through(rules, through)
    uses, standing = np.zeros((seats, 2, rules.faces), np.int64), np.zeros(seats, np.int64)
    most = most_rows(rules, seats)
    return Table(
        kinds, sets, parts, np.zeros_like(sets), np.zeros_like(sets), uses, standing, through,
        np.zeros(rules.faces, np.int64), np.empty(most, np.int64), np.empty(most, np.float32),
    )  # fmt: skip


@compiled
def most_rows(rules, seats):
    """The most rows that are noted of a table with so many seats, those of training alone among them."""
    of_layout = 3 * rules.lines + (rules.slots + 2) * rules.faces + 1
    return seats * of_layout + 3 * rules.faces + 2


@compiled_with_arrays
def read_table(rules, net, state, mover):
    """All that the net reads from a table where `mover` moves next."""
    table = blank_table(rules, np.int64(state.seats))
    fill_table(rules, net, state, mover, table)
    return table


@compiled
def fill_table(rules, net, state, mover, table):
    """Reads everything into a table."""
    for seat in range(state.seats):
        read_seat(rules, net, state, seat, mover, table)
    read_neighbours(net, table)


@compiled
def read_seat(rules, net, state, seat, mover, table):
    """Fills in what the net reads from the layout of a seat, but not what the neighbours do."""
    read_layout(rules, net, state.players[seat].layout, table, seat)
    if knows(net, STANDING):
        table.standing[seat] = standing_of(rules, state, seat, mover)


@compiled
def read_layout(rules, net, layout, table, seat):
    """Fills in the lines of a layout, and their parts, as those of a seat."""
    read_lines(rules, net, layout, table.kinds[seat], table.sets[seat])
    if knows(net, OWN_PARTS):
        if lines_cross(rules):
            read_crossings(rules, layout, table.through, table.parts[seat])
        else:
            count_parts(net, table.kinds[seat], table.parts[seat, 0], table.ready[seat], table.alone[seat])


@compiled
def read_neighbours(net, table):
    """Fills in what the neighbours of each seat do with each face, by the lines of the table."""
    if knows(net, LEFT):
        seats, faces = table.sets.shape
        for seat in range(seats):
            for side in range(1 if seats == 2 else 2):
                other = (seat + 1 if side == 0 else seat + seats - 1) % seats
                for face in range(faces):
                    table.uses[seat, side, face] = use_of(table.ready[other, face], table.alone[other, face])


@compiled
def row_of_set(net, feature, face, number):
    """The row for so many matched lines of a face."""
    return net.begins[feature] + face * (MAX_LINES + 1) + number


@compiled
def row_of_part(rules, net, feature, face, number):
    """The row of that number for the parts of a face."""
    return net.begins[feature] + face * parts_of_face(rules) + number


@compiled
def row_of_uses(net, side, face, use, other):
    """The row for a face that a player and the neighbour on that side (0 is the left) both do something with."""
    return net.begins[LEFT + side] + number_of_uses(face, use, other)


@compiled
def number_of_part(rules, table, seat, place, face):
    """The number of the row for the entry of `parts`, or NOTHING."""
    if lines_cross(rules):
        return table.parts[seat, place, face]
    return number_of_parts(table.sets[seat, face], table.parts[seat, place, face])


@compiled
def note(table, row, share, count):
    """Notes a row."""
    table.rows[count], table.shares[count] = row, share
    return count + 1


@compiled
def note_table(rules, net, table, seat, mover, discard, unseen, count):
    """Notes all rows of a table with that discard and unseen cards, as a seat sees it while `mover` moves next."""
    count = note_surroundings(rules, net, table, seat, mover, NOBODY, unseen, count)
    if seat != mover:
        count = note_layout(rules, net, table, seat, OWN, NOTHING, np.float32(1), count)
    count = note_layout(rules, net, table, mover, COMING, discard, np.float32(1), count)
    return note_neighbours(net, table, seat, count)


@compiled
def note_surroundings(rules, net, table, seat, mover, without, unseen, count):
    """The rows of all but the two who matter most: cards unseen, and the other seats, without one of them."""
    count = note(table, net.begins[START], np.float32(1), count)
    for face in range(rules.faces):
        count = note(table, net.begins[UNSEEN] + face, np.float32(unseen[face]), count)
    for other in range(len(table.kinds)):
        if other != seat and other != mover and other != without:
            count = note_other(rules, net, table, seat, mover, other, count)
    return count


@compiled
def note_other(rules, net, table, seat, mover, other, count):
    """The rows of a player who is neither the one whose value it is nor the one who moves next."""
    share = np.float32(1) / np.float32(len(table.kinds) - (1 if seat == mover else 2))
    count = note_layout(rules, net, table, other, REST, NOTHING, share, count)
    if knows(net, STANDING):
        count = note(table, net.begins[STANDING] + table.standing[other], share, count)
    return count


@compiled
def note_layout(rules, net, table, seat, feature, discard, share, count):
    """The rows of a layout's lines, sets and parts. `feature` is OWN, COMING or REST; `discard` is that of COMING."""
    begin, of_sets, of_parts = net.begins[OWN], OWN_SETS, OWN_PARTS
    if feature == COMING:
        begin, of_sets, of_parts = net.begins[COMING] + discard * len(net.members), COMING_SETS, COMING_PARTS
    elif feature == REST:
        begin, of_sets, of_parts = net.begins[REST], REST_SETS, REST_PARTS
    for kind in table.kinds[seat]:
        count = note(table, begin + kind, share, count)
        face = net.facts[kind, MATCH]
        if face != NO_MATCH and table.sets[seat, face] > 1:  # each of the lines brings its part
            number = table.sets[seat, face]
            count = note(table, row_of_set(net, of_sets, face, number), share / np.float32(number), count)
    if knows(net, OWN_PARTS):
        for place in range(table.parts.shape[1]):
            for face in range(rules.faces):
                number = number_of_part(rules, table, seat, place, face)
                if number != NOTHING:
                    of_face = OFFERED_PARTS if face == discard else of_parts
                    count = note(table, row_of_part(rules, net, of_face, face, number), share, count)
    return count


@compiled
def note_neighbours(net, table, seat, count):
    """The rows for faces that a seat and a neighbour both do something with.

    What one lies alone with may be discarded, and the other may wait for it.
    """
    if knows(net, LEFT):
        for face in range(table.ready.shape[1]):
            use = use_of(table.ready[seat, face], table.alone[seat, face])
            for side in range(table.uses.shape[1]):
                other = table.uses[seat, side, face]
                if use and other:
                    count = note(table, row_of_uses(net, side, face, use, other), np.float32(1), count)
    return count


@compiled
def add_layout(rules, net, table, view, seat, feature, discard, total):
    """Adds the rows of a seat's lines to the total."""
    count = note_layout(rules, net, table, seat, feature, discard, np.float32(1), 0)
    add_rows(net, view, table.rows, table.shares, count, total)


@compiled
def add_neighbours(net, table, view, seat, total):
    """Adds the rows for what a seat and the neighbours both do something with."""
    add_rows(net, view, table.rows, table.shares, note_neighbours(net, table, seat, 0), total)


@compiled
def add_surroundings(rules, net, state, table, view, seat, mover, without, total):
    """Adds the rows of all but the two who matter most (`note_surroundings`)."""
    count = note_surroundings(rules, net, table, seat, mover, without, state.unseen, 0)
    add_rows(net, view, table.rows, table.shares, count, total)
