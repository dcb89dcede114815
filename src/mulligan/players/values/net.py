"""A net that evaluates the whole visible table between two turns.

Its first layer is a sum of rows, one for each active feature: a line of mine, a line of the next player combined
with the discard, an unseen card. A table that differs in one line differs in two rows, and costs one pass over
the hidden units. All values are in strokes.
"""

from typing import NamedTuple

import numpy as np

from mulligan.engine.compiled import compiled, compiled_in_any_order, compiled_with_arrays
from mulligan.engine.rules import MAX_LINES, line_of, lines_cross, slot_in_line
from mulligan.engine.scoring import cost
from mulligan.engine.state import HIDDEN, NO_MATCH, NOBODY, NOTHING

from .crossings import CROSSINGS, LINES_OF_SLOT, lines_through, number_of_open, read_crossings, read_slot
from .line_kinds import kind_of, kinds
from .line_tables import MATCH, is_diagonal
from .parts import PARTS, count_parts, number_of_parts, number_of_uses, parts_in, use_of

# From whose chair the net looks at the table: each has rows of its own.
JUST_MOVED, TO_MOVE, WAITING = 0, 1, 2
VIEWS = 3

# What a row is for, and with it where rows of that sort begin.
START = 0  # one row, always there
WEIGHT = 1  # one row that is not added: what each hidden unit counts
UNSEEN = 2  # [face] for each card nobody has seen
OWN = 3  # [kind] the lines of the player whose value it is
OWN_SETS = 4  # [face, number] so many of them matched in one face, two or more (5.4); none where lines cross
COMING = 5  # [discard, kind] the lines of who moves next
COMING_SETS = 6  # [face, number]
REST = 7  # [kind] the lines of everyone else, as a mean
REST_SETS = 8  # [face, number]
STANDING = 9  # [place, face-down cards, class of points] of everyone else: when they move, how near the end they are
OWN_PARTS = 10  # [face, number] see `number_of_parts`, or `read_crossings` where lines cross
COMING_PARTS = 11  # the same
REST_PARTS = 12
OFFERED_PARTS = 13  # those of who moves next in the face of the discard
LEFT = 14  # [face, use, use] what the player whose value it is does with the face, and who sits on the left (`use_of`)
RIGHT = 15  # the same for who sits on the right; none with two players, and where lines cross neither
SORTS = 16

# Everyone else moves right after who moves next, or later, or has just moved. Points are in classes of four from -12.
NEXT, LATER, LAST = 0, 1, 2
PLACES = 3
LEAST_POINTS, POINTS_OF_CLASS, CLASSES = -12, 4, 16


class Net(NamedTuple):
    """Rows of numbers: the first of each is added directly, the others go through hidden units.

    With two players the values are each other's negative, so there is only the view of the player who just moved.
    """

    members: np.ndarray  # int64 [kind, place]: the faces of a kind of line, HIDDEN last
    swapped: np.ndarray  # int64 [kind, place, face]: the kind it becomes with that face there instead
    facts: np.ndarray  # int64 [kind, fact]
    begins: np.ndarray  # int64 [sort]: where in a view the rows of a sort begin
    rows: np.ndarray  # float32 [view, row, width]


NO_NET = Net(
    members=np.zeros((0, 0), np.int64),
    swapped=np.zeros((0, 0, 0), np.int64),
    facts=np.zeros((0, 0), np.int64),
    begins=np.zeros(0, np.int64),
    rows=np.zeros((0, 0, 0), np.float32),
)


@compiled
def is_trained(net, seats):
    """Whether there is a net for so many players: one for two players does not fit more."""
    return len(net.rows) == VIEWS or (len(net.rows) > 0 and seats == 2)


class Lines(NamedTuple):
    """What the net reads from a layout; or from all, then each but the last two has one more axis, for the seat."""

    kinds: np.ndarray  # int64 [line]
    sets: np.ndarray  # int64 [face]: how many lines match in it; 0 where lines cross
    parts: np.ndarray  # int64 [0, face]: its cards in lines that do not match; or what `read_crossings` fills in
    ready: np.ndarray  # int64 [face]: how many lines lack only a card of it; none is counted where lines cross
    alone: np.ndarray  # int64 [face]: in how many lines a card of it lies alone
    uses: np.ndarray  # int64 [0 left, 1 right, face]: what the neighbours do with it; from `read_table`
    through: np.ndarray  # int64 [slot, nth]: the lines of each slot, then NOTHING; empty where lines do not cross
    work: np.ndarray  # int64 [face]: work space


@compiled_with_arrays
def blank_table(rules, seats):
    """The lines of so many layouts, to be filled in."""
    cross = lines_cross(rules)
    kinds, sets = np.zeros((seats, rules.lines), np.int64), np.zeros((seats, rules.faces), np.int64)
    parts = np.zeros((seats, rules.slots + 1 if cross else 1, rules.faces), np.int64)
    through = np.zeros((rules.slots if cross else 0, LINES_OF_SLOT), np.int64)
    if cross:
        lines_through(rules, through)
    uses, work = np.zeros((seats, 2, rules.faces), np.int64), np.zeros(rules.faces, np.int64)
    return Lines(kinds, sets, parts, np.zeros_like(sets), np.zeros_like(sets), uses, through, work)


@compiled_with_arrays
def lines_of(table, seat):
    """The lines of a seat; they share the memory of the table."""
    return Lines(
        table.kinds[seat], table.sets[seat], table.parts[seat], table.ready[seat], table.alone[seat], table.uses[seat],
        table.through, table.work,
    )  # fmt: skip


@compiled_with_arrays
def read_table(rules, net, state):
    """The lines of all layouts, and what neighbours do with each face."""
    table = blank_table(rules, np.int64(state.seats))
    fill_table(rules, net, state, table)
    return table


@compiled_with_arrays
def fill_table(rules, net, state, table):
    """Reads all layouts into a table."""
    for seat in range(state.seats):
        read_layout(rules, net, state.players[seat].layout, lines_of(table, seat))
    read_neighbours(rules, net, state, table)


@compiled
def read_neighbours(rules, net, state, table):
    """Fills in what the neighbours of each seat do with each face, by the lines of the table."""
    if knows_neighbours(net):
        for seat in range(state.seats):
            for side in range(1 if state.seats == 2 else 2):
                other = (seat + 1 if side == 0 else seat + state.seats - 1) % state.seats
                for face in range(rules.faces):
                    table.uses[seat, side, face] = use_of(table.ready[other, face], table.alone[other, face])


@compiled
def read_layout(rules, net, layout, lines):
    """Fills in the lines of a layout."""
    read_lines(rules, net, layout, lines.kinds, lines.sets)
    if knows_parts(net):
        if lines_cross(rules):
            read_crossings(rules, layout, lines.through, lines.parts)
        else:
            count_parts(net, lines.kinds, lines.parts[0], lines.ready, lines.alone)


@compiled
def read_lines(rules, net, layout, kinds_of_lines, sets):
    """Fills in the kinds of the layout's lines, and how many of them match in each face.

    Where lines cross, none are counted: several of one face earn nothing there (5.4).
    """
    sets[:] = 0
    for line in range(rules.lines):
        kind = kind_of(rules, layout, line)
        if lines_cross(rules):
            kind += is_diagonal(rules, line) * kinds(rules)
        elif net.facts[kind, MATCH] != NO_MATCH:
            sets[net.facts[kind, MATCH]] += 1
        kinds_of_lines[line] = kind


@compiled
def row_of_set(net, sort, face, number):
    """The index of the row for so many matched lines of a face."""
    return net.begins[sort] + face * (MAX_LINES + 1) + number


@compiled
def knows_parts(net):
    """False for a net of an older version."""
    return len(net.begins) > COMING_PARTS and net.begins[OWN_PARTS] < net.begins[COMING_PARTS]


@compiled
def parts_of_face(rules):
    """How many rows of parts there are for a face."""
    return CROSSINGS if lines_cross(rules) else PARTS


@compiled
def number_of_part(rules, lines, place, face):
    """The number of the row for the entry of `parts`, or NOTHING."""
    if lines_cross(rules):
        return lines.parts[place, face]
    return number_of_parts(lines.sets[face], lines.parts[place, face])


@compiled_in_any_order
def add_row(net, view, row, share, total):
    for unit in range(len(total)):
        total[unit] += share * net.rows[view, row, unit]


@compiled
def row_of_part(rules, net, sort, face, number):
    """The index of the row of that number for the parts of a face."""
    return net.begins[sort] + face * parts_of_face(rules) + number


@compiled
def add_layout(rules, net, view, sort, discard, lines, share, total):
    """Adds the rows of a layout's lines. `sort` is OWN, COMING or REST; `discard` is that of COMING."""
    begin, of_sets, of_parts = net.begins[OWN], OWN_SETS, OWN_PARTS
    if sort == COMING:
        begin, of_sets, of_parts = net.begins[COMING] + discard * len(net.members), COMING_SETS, COMING_PARTS
    elif sort == REST:
        begin, of_sets, of_parts = net.begins[REST], REST_SETS, REST_PARTS
    for kind in lines.kinds:
        add_row(net, view, begin + kind, share, total)
        face = net.facts[kind, MATCH]
        if face != NO_MATCH and lines.sets[face] > 1:  # each of the lines brings its part
            number = lines.sets[face]
            add_row(net, view, row_of_set(net, of_sets, face, number), share / np.float32(number), total)
    if knows_parts(net):
        for place in range(len(lines.parts)):
            for face in range(len(lines.sets)):
                number = number_of_part(rules, lines, place, face)
                if number != NOTHING:
                    of_face = OFFERED_PARTS if face == discard else of_parts
                    add_row(net, view, row_of_part(rules, net, of_face, face, number), share, total)


@compiled
def knows_neighbours(net):
    """False for a net of an older version, and where lines cross."""
    return len(net.begins) > RIGHT and net.begins[LEFT] < net.begins[RIGHT]


@compiled
def row_of_uses(net, side, face, use, other):
    """The index of the row for a face that a player and a neighbour both do something with."""
    return net.begins[LEFT + side] + number_of_uses(face, use, other)


@compiled
def add_neighbours(net, view, lines, total):
    """Adds the rows for faces that a player with these lines and a neighbour both do something with.

    What one lies alone with may be discarded, and the other may wait for it.
    """
    if knows_neighbours(net):
        for face in range(len(lines.ready)):
            add_uses(net, view, lines.uses, face, use_of(lines.ready[face], lines.alone[face]), np.float32(1), total)


@compiled
def add_uses(net, view, uses, face, use, share, total):
    """Adds the rows for a face that a player and neighbours with these uses do something with."""
    if use:
        for side in range(len(uses)):
            if uses[side, face]:
                add_row(net, view, row_of_uses(net, side, face, use, uses[side, face]), share, total)


@compiled
def kind_with(net, kind, old_face, face):
    """The kind that a line becomes with a card of that face in place of one with the old face, or of a hidden one."""
    place = 0
    while net.members[kind, place] != old_face:
        place += 1
    return net.swapped[kind, place, face]


@compiled
def exchange_card(rules, net, layout, lines, slot, face, before, after):
    """The sum `before` once the player who just moved has a card of that face on the slot of the layout."""
    old_face = np.int64(layout[slot])
    if not lines_cross(rules):
        old = lines.kinds[line_of(rules, slot)]
        new = kind_with(net, old, old_face, face)
        exchange(net, lines.sets, old, new, before, after)
        sets, parts, uses = lines.sets, lines.parts[0], lines.uses
        for changed in (old_face, face):
            if changed != HIDDEN and knows_parts(net):
                if sets[changed] or parts[changed] > (changed == old_face):  # else there is no row before or after
                    exchange_parts(rules, net, sets[changed], parts[changed], changed, old, new, after)
                if uses[0, changed] or uses[1, changed]:
                    exchange_uses(net, uses, lines.ready[changed], lines.alone[changed], changed, old, new, after)
        return
    for unit in range(len(before)):
        after[unit] = before[unit]
    for line in lines.through[slot]:
        if line != NOTHING:
            old = lines.kinds[line]
            exchange(net, lines.sets, old, kind_with(net, old, old_face, face), after, after)
    if knows_parts(net):
        layout[slot] = face
        exchange_crossings(rules, net, layout, lines, slot, old_face, after)
        layout[slot] = old_face


@compiled_in_any_order
def exchange(net, sets, old, new, before, after):
    """The sum `before` after a line of the player who just moved has changed its kind."""
    out, come = net.begins[OWN] + old, net.begins[OWN] + new
    for unit in range(len(before)):
        after[unit] = before[unit] - net.rows[JUST_MOVED, out, unit] + net.rows[JUST_MOVED, come, unit]
    was, is_now = net.facts[old, MATCH], net.facts[new, MATCH]
    if was != is_now:
        if was != NO_MATCH and sets[was] > 1:
            add_row(net, JUST_MOVED, row_of_set(net, OWN_SETS, was, sets[was]), np.float32(-1), after)
            if sets[was] > 2:
                add_row(net, JUST_MOVED, row_of_set(net, OWN_SETS, was, sets[was] - 1), np.float32(1), after)
        if is_now != NO_MATCH and sets[is_now] > 0:
            add_row(net, JUST_MOVED, row_of_set(net, OWN_SETS, is_now, sets[is_now] + 1), np.float32(1), after)
            if sets[is_now] > 1:
                add_row(net, JUST_MOVED, row_of_set(net, OWN_SETS, is_now, sets[is_now]), np.float32(-1), after)


@compiled
def exchange_parts(rules, net, matched, cards, face, old, new, total):
    """Exchanges the row of parts of a face after a line of the player who just moved has changed its kind.

    Before, so many lines match in it, and so many cards of it are in others.
    """
    was = number_of_parts(matched, cards)
    matched = matched + (net.facts[new, MATCH] == face) - (net.facts[old, MATCH] == face)
    is_now = number_of_parts(matched, cards + parts_in(net, new, face) - parts_in(net, old, face))
    if is_now != was:
        exchange_part(rules, net, face, was, is_now, total)


@compiled
def exchange_uses(net, uses, ready, alone, face, old, new, total):
    """Exchanges the rows for what the player who just moved and the neighbours do with a face.

    Before, so many lines lack only a card of it, and in so many one lies alone.
    """
    last = net.members.shape[1] - 1
    was, come, gone = use_of(ready, alone), parts_in(net, new, face), parts_in(net, old, face)
    is_now = use_of(ready + (come == last) - (gone == last), alone + (come == 1) - (gone == 1))
    if is_now != was:
        add_uses(net, JUST_MOVED, uses, face, was, np.float32(-1), total)
        add_uses(net, JUST_MOVED, uses, face, is_now, np.float32(1), total)


@compiled
def exchange_crossings(rules, net, layout, lines, slot, old_face, total):
    """Exchanges the rows of parts after the card on the slot has changed: those of its lines, and of open cards."""
    exchange_slot(rules, net, layout, lines, slot, total)
    for line in lines.through[slot]:
        if line != NOTHING:
            for place in range(rules.line_length):
                other = slot_in_line(rules, line, place)
                if other != slot:
                    exchange_slot(rules, net, layout, lines, other, total)
    exchange_open(rules, net, layout, lines, layout[slot], total)
    if old_face != HIDDEN:
        exchange_open(rules, net, layout, lines, old_face, total)


@compiled
def exchange_slot(rules, net, layout, lines, slot, total):
    """Exchanges the rows of parts of one slot."""
    read_slot(rules, layout, slot, lines.through[slot], lines.work)
    for face in range(rules.faces):
        was, is_now = lines.parts[slot, face], lines.work[face]
        if is_now != was:
            exchange_part(rules, net, face, was, is_now, total)


@compiled
def exchange_open(rules, net, layout, lines, face, total):
    """Exchanges the row for the open cards of a face."""
    was, is_now = lines.parts[rules.slots, face], number_of_open(rules, layout, face)
    if is_now != was:
        exchange_part(rules, net, face, was, is_now, total)


@compiled
def exchange_part(rules, net, face, was, is_now, total):
    if was != NOTHING:
        add_row(net, JUST_MOVED, row_of_part(rules, net, OWN_PARTS, face, was), np.float32(-1), total)
    if is_now != NOTHING:
        add_row(net, JUST_MOVED, row_of_part(rules, net, OWN_PARTS, face, is_now), np.float32(1), total)


@compiled_in_any_order
def judge(net, view, one, others, which):
    """The net's output for the sum of two halves."""
    value = one[0] + others[which, 0]
    zero = np.float32(0)
    for unit in range(1, len(one)):
        reached = one[unit] + others[which, unit]
        value += net.rows[view, WEIGHT, unit] * (reached if reached > zero else zero)
    return value


@compiled_in_any_order
def judge_mean(net, one, others, counts):
    """The mean output for one half with each of the others; `counts` says how often each of them counts."""
    total, size = 0.0, 0
    for which in range(len(others)):
        if counts[which]:
            total += counts[which] * judge(net, JUST_MOVED, one, others, which)
            size += counts[which]
    return total / size


@compiled
def view_of(state, seat, mover):
    """The view of a seat on a table where `mover` is about to move."""
    return view_from((mover - seat) % state.seats)


@compiled
def view_from(ahead):
    """The same by the number of seats from that seat to who moves."""
    return TO_MOVE if ahead == 0 else JUST_MOVED if ahead == 1 else WAITING


@compiled_with_arrays
def value(rules, net, state, seat, mover):
    """The net's value for a seat while nobody has closed and `mover` moves next, computed from scratch."""
    return value_on(rules, net, state, read_table(rules, net, state), seat, mover)


@compiled_with_arrays
def value_on(rules, net, state, table, seat, mover):
    """The same on a table that has been read."""
    if state.seats == 2 and seat == mover:
        return -value_seen(rules, net, state, table, 1 - seat, mover, JUST_MOVED)
    return value_seen(rules, net, state, table, seat, mover, view_of(state, seat, mover))


@compiled_with_arrays
def value_seen(rules, net, state, table, seat, mover, view):
    one = surroundings(rules, net, state, table, view, seat, mover, NOBODY)
    lines, coming = lines_of(table, seat), lines_of(table, mover)
    if seat != mover:
        add_layout(rules, net, view, OWN, NOTHING, lines, np.float32(1), one)
    add_layout(rules, net, view, COMING, state.discard, coming, np.float32(1), one)
    add_neighbours(net, view, lines, one)
    nothing = np.zeros((1, len(one)), np.float32)
    return float(judge(net, view, one, nothing, 0))


@compiled
def standings(rules):
    """How many rows of that sort there are."""
    return PLACES * (rules.slots + 1) * CLASSES


@compiled
def standing_of(rules, state, seat, mover):
    """The row of a seat's standing, counted from the first of its sort."""
    after, player = (seat - mover) % state.seats, state.players[seat]
    place = NEXT if after == 1 else LAST if after == state.seats - 1 else LATER
    points = (cost(rules, player.layout, 0) - LEAST_POINTS) // POINTS_OF_CLASS
    return (place * (rules.slots + 1) + player.hidden) * CLASSES + min(max(0, points), CLASSES - 1)


@compiled_with_arrays
def surroundings(rules, net, state, table, view, seat, mover, without):
    """The rows of all but the two who matter most: cards unseen, and the other seats, without one of them."""
    total = net.rows[view, START].copy()
    for face in range(rules.faces):
        add_row(net, view, net.begins[UNSEEN] + face, np.float32(state.unseen[face]), total)
    for other in range(state.seats):
        if other != seat and other != mover and other != without:
            add_other(rules, net, state, table, view, seat, mover, other, total)
    return total


@compiled_with_arrays
def add_other(rules, net, state, table, view, seat, mover, other, total):
    """Adds the rows of a player who is neither the one whose value it is nor the one who moves next."""
    share = np.float32(1) / np.float32(state.seats - (1 if seat == mover else 2))
    add_layout(rules, net, view, REST, NOTHING, lines_of(table, other), share, total)
    if len(net.begins) > STANDING:  # a net of an older version has no such rows
        add_row(net, view, net.begins[STANDING] + standing_of(rules, state, other, mover), share, total)
