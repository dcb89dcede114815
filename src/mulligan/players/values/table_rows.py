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
    """What the net reads from all layouts; from one layout, the first seven without their axis for the seat."""

    kinds: np.ndarray  # int64 [seat, line]
    sets: np.ndarray  # int64 [seat, face]: how many lines match in it; 0 where lines cross
    parts: np.ndarray  # int64 [seat, 0, face]: its cards in lines that do not match; or what `read_crossings` fills in
    ready: np.ndarray  # int64 [seat, face]: how many lines lack only a card of it; none is counted where lines cross
    alone: np.ndarray  # int64 [seat, face]: in how many lines a card of it lies alone
    uses: np.ndarray  # int64 [seat, 0 left, 1 right, face]: what the neighbours do with it
    standing: np.ndarray  # int64 [seat, 0]: see `standing_of`
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
    uses, standing = np.zeros((seats, 2, rules.faces), np.int64), np.zeros((seats, 1), np.int64)
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
def lines_of(table, seat):
    """What was read from the layout of a seat. It shares the memory of the table."""
    return Table(
        table.kinds[seat], table.sets[seat], table.parts[seat], table.ready[seat], table.alone[seat], table.uses[seat],
        table.standing[seat], table.through, table.work, table.rows, table.shares,
    )  # fmt: skip


@compiled_with_arrays
def read_table(rules, net, state, mover):
    """All that the net reads from a table where `mover` moves next."""
    table = blank_table(rules, np.int64(state.seats))
    fill_table(rules, net, state, mover, table)
    return table


@compiled_with_arrays
def fill_table(rules, net, state, mover, table):
    """Reads everything into a table."""
    for seat in range(state.seats):
        read_seat(rules, net, state, seat, mover, table)
    read_neighbours(net, table)


@compiled_with_arrays
def read_seat(rules, net, state, seat, mover, table):
    """Fills in what the net reads from the layout of a seat, but not what the neighbours do."""
    lines = lines_of(table, seat)
    read_layout(rules, net, state.players[seat].layout, lines)
    if knows(net, STANDING):
        lines.standing[0] = standing_of(rules, state, seat, mover)


@compiled
def read_layout(rules, net, layout, lines):
    """Fills in the lines of a layout, and their parts."""
    read_lines(rules, net, layout, lines.kinds, lines.sets)
    if knows(net, OWN_PARTS):
        if lines_cross(rules):
            read_crossings(rules, layout, lines.through, lines.parts)
        else:
            count_parts(net, lines.kinds, lines.parts[0], lines.ready, lines.alone)


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
def number_of_part(rules, lines, place, face):
    """The number of the row for the entry of `parts`, or NOTHING."""
    if lines_cross(rules):
        return lines.parts[place, face]
    return number_of_parts(lines.sets[face], lines.parts[place, face])


@compiled
def note(table, row, share, count):
    """Notes a row."""
    table.rows[count], table.shares[count] = row, share
    return count + 1


@compiled_with_arrays
def note_table(rules, net, table, seat, mover, discard, unseen, count):
    """Notes all rows of a table with that discard and unseen cards, as a seat sees it while `mover` moves next."""
    count = note_surroundings(rules, net, table, seat, mover, NOBODY, unseen, count)
    if seat != mover:
        count = note_layout(rules, net, lines_of(table, seat), OWN, NOTHING, np.float32(1), count)
    count = note_layout(rules, net, lines_of(table, mover), COMING, discard, np.float32(1), count)
    return note_neighbours(net, lines_of(table, seat), count)


@compiled_with_arrays
def note_surroundings(rules, net, table, seat, mover, without, unseen, count):
    """The rows of all but the two who matter most: cards unseen, and the other seats, without one of them."""
    count = note(table, net.begins[START], np.float32(1), count)
    for face in range(rules.faces):
        count = note(table, net.begins[UNSEEN] + face, np.float32(unseen[face]), count)
    for other in range(len(table.kinds)):
        if other != seat and other != mover and other != without:
            count = note_other(rules, net, table, seat, mover, other, count)
    return count


@compiled_with_arrays
def note_other(rules, net, table, seat, mover, other, count):
    """The rows of a player who is neither the one whose value it is nor the one who moves next."""
    share, lines = np.float32(1) / np.float32(len(table.kinds) - (1 if seat == mover else 2)), lines_of(table, other)
    count = note_layout(rules, net, lines, REST, NOTHING, share, count)
    if knows(net, STANDING):
        count = note(table, net.begins[STANDING] + lines.standing[0], share, count)
    return count


@compiled
def note_layout(rules, net, lines, feature, discard, share, count):
    """The rows of a layout's lines, sets and parts. `feature` is OWN, COMING or REST; `discard` is that of COMING."""
    begin, of_sets, of_parts = net.begins[OWN], OWN_SETS, OWN_PARTS
    if feature == COMING:
        begin, of_sets, of_parts = net.begins[COMING] + discard * len(net.members), COMING_SETS, COMING_PARTS
    elif feature == REST:
        begin, of_sets, of_parts = net.begins[REST], REST_SETS, REST_PARTS
    for kind in lines.kinds:
        count = note(lines, begin + kind, share, count)
        face = net.facts[kind, MATCH]
        if face != NO_MATCH and lines.sets[face] > 1:  # each of the lines brings its part
            number = lines.sets[face]
            count = note(lines, row_of_set(net, of_sets, face, number), share / np.float32(number), count)
    if knows(net, OWN_PARTS):
        for place in range(len(lines.parts)):
            for face in range(rules.faces):
                number = number_of_part(rules, lines, place, face)
                if number != NOTHING:
                    of_face = OFFERED_PARTS if face == discard else of_parts
                    count = note(lines, row_of_part(rules, net, of_face, face, number), share, count)
    return count


@compiled
def note_neighbours(net, lines, count):
    """The rows for faces that a player with these lines and a neighbour both do something with.

    What one lies alone with may be discarded, and the other may wait for it.
    """
    if knows(net, LEFT):
        for face in range(len(lines.ready)):
            use = use_of(lines.ready[face], lines.alone[face])
            for side in range(len(lines.uses)):
                other = lines.uses[side, face]
                if use and other:
                    count = note(lines, row_of_uses(net, side, face, use, other), np.float32(1), count)
    return count


@compiled
def add_layout(rules, net, view, lines, feature, discard, total):
    """Adds the rows of a layout's lines to the total."""
    count = note_layout(rules, net, lines, feature, discard, np.float32(1), 0)
    add_rows(net, view, lines.rows, lines.shares, count, total)


@compiled
def add_neighbours(net, view, lines, total):
    """Adds the rows for what a player with these lines and the neighbours both do something with."""
    add_rows(net, view, lines.rows, lines.shares, note_neighbours(net, lines, 0), total)


@compiled_with_arrays
def surroundings(rules, net, state, table, view, seat, mover, without):
    """The sum of the rows of all but the two who matter most (`note_surroundings`)."""
    total = np.zeros(net.rows.shape[2], np.float32)
    count = note_surroundings(rules, net, table, seat, mover, without, state.unseen, 0)
    add_rows(net, view, table.rows, table.shares, count, total)
    return total
