"""A net that evaluates the whole visible table between two turns, and its tables of line kinds.

Its first layer is a sum of rows, one for each active feature: a line of mine, a line of the next player combined
with the discard, an unseen card. A table that differs in one line differs in two rows, and costs one pass over
the hidden units. All values are in strokes.
"""

from typing import NamedTuple

import numpy as np

from mulligan.engine.compiled import compiled, compiled_in_any_order, compiled_with_arrays
from mulligan.engine.rules import MAX_LINES, OtherLines, line_of, lines_cross, slot_in_line
from mulligan.engine.scoring import cost, line_face, slots_of_line, wanted_face
from mulligan.engine.state import HIDDEN, NO_MATCH, NOTHING, left_of

from .line_kinds import kind_of, kinds

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
REST = 7  # [kind] the lines of everybody else, as a mean
REST_SETS = 8  # [face, number]
STANDING = 9  # [place, face-down cards, class of points] of everybody else: when they move, how near the end they are
OWN_PARTS = 10  # [face, lines matched in it, cards of it in other lines] two or more together; none where lines cross
COMING_PARTS = 11  # the same
REST_PARTS = 12
OFFERED_PARTS = 13  # those of who moves next in the face of the discard
SORTS = 14

# Everybody else moves right after who moves next, or later, or has just moved. Points are in classes of four from -12.
NEXT, LATER, LAST = 0, 1, 2
PLACES = 3
LEAST_POINTS, POINTS_OF_CLASS, CLASSES = -12, 4, 16
# In parts, more matched lines and more cards count as so many.
MOST_MATCHED, MOST_CARDS = 2, 7
PARTS = (MOST_MATCHED + 1) * (MOST_CARDS + 1)  # rows of a face

# What is always true of a kind of line.
MATCH = 0  # the face it is matched in, or NO_MATCH (5.2)
WANTED = 1  # the face that would complete it, ANY_FACE, or NO_MATCH
HIDDEN_CARDS = 2
OPEN_POINTS = 3  # what its open cards cost one by one
FACTS = 4


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


@compiled_with_arrays
def tables_of_lines(rules):
    """The tables `members`, `swapped` and `facts` of a net."""
    count, length = kinds(rules), rules.line_length
    diagonal = count * has_diagonals(rules)
    members = np.zeros((count + diagonal, length), np.int64)
    swapped = np.zeros((count + diagonal, length, rules.faces), np.int64)
    facts = np.zeros((count + diagonal, FACTS), np.int64)
    line = np.full(length, HIDDEN)
    layout = np.zeros(rules.slots, np.int64)
    for _ in range((rules.faces + 1) ** length):
        for place in range(length):
            layout[slot_in_line(rules, 0, place)] = line[place]
        if is_in_order(rules, line):
            kind = kind_of(rules, layout, 0)
            members[kind] = line
            note_facts(rules, layout, facts[kind])
            for place in range(length):
                slot = slot_in_line(rules, 0, place)
                for face in range(rules.faces):
                    layout[slot] = face
                    swapped[kind, place, face] = kind_of(rules, layout, 0)
                layout[slot] = line[place]
        advance(rules, line)
    if diagonal:
        members[count:] = members[:count]
        swapped[count:] = swapped[:count] + count
        facts[count:] = facts[:count]
    return members, swapped, facts


@compiled
def has_diagonals(rules):
    """Whether there are diagonals (5.2). Their kinds come after those of the other lines, and have rows of their own.

    So the rows can tell a corner from an edge, which is in fewer lines.
    """
    return int(rules.other_lines == OtherLines.DIAGONALS)


@compiled
def is_diagonal(rules, line):
    return has_diagonals(rules) and line >= rules.rows + rules.columns


@compiled
def note_facts(rules, layout, facts):
    """Fills the facts of the first line of a layout."""
    facts[WANTED], facts[HIDDEN_CARDS] = wanted_face(rules, layout, 0)
    facts[MATCH] = line_face(rules, layout, 0)
    for place in range(rules.line_length):
        face = layout[slot_in_line(rules, 0, place)]
        if face != HIDDEN:
            facts[OPEN_POINTS] += rules.points[face]


@compiled
def is_in_order(rules, line):
    for place in range(len(line) - 1):
        if rank(rules, line[place]) > rank(rules, line[place + 1]):
            return False
    return True


@compiled
def rank(rules, face):
    return rules.faces if face == HIDDEN else face


@compiled
def advance(rules, line):
    """The next line, counting up: HIDDEN, 0, 1, and so on."""
    for place in range(len(line)):
        line[place] += 1
        if line[place] < rules.faces:
            return
        line[place] = HIDDEN


@compiled
def read_lines(rules, net, layout, lines, sets):
    """Fills in the kinds of the layout's lines, and how many of them match in each face.

    Where lines cross, none are counted: several of one face earn nothing there (5.4).
    """
    sets[:] = 0
    for line in range(rules.lines):
        lines[line] = kind_of(rules, layout, line)
        if lines_cross(rules):
            lines[line] += is_diagonal(rules, line) * kinds(rules)
            continue
        face = net.facts[lines[line], MATCH]
        if face != NO_MATCH:
            sets[face] += 1


@compiled
def row_of_set(net, sort, face, number):
    """Where the row for so many lines matched in one face is."""
    return net.begins[sort] + face * (MAX_LINES + 1) + number


@compiled
def knows_parts(net):
    """False for a net of an older version, and where lines cross."""
    return len(net.begins) > COMING_PARTS and net.begins[OWN_PARTS] < net.begins[COMING_PARTS]


@compiled
def count_parts(net, lines, parts):
    """Fills in how many cards of each face are in lines that do not match."""
    parts[:] = 0
    for kind in lines:
        if net.facts[kind, MATCH] == NO_MATCH:
            for place in range(net.members.shape[1]):
                if net.members[kind, place] != HIDDEN:
                    parts[net.members[kind, place]] += 1


@compiled
def number_of_parts(matched, cards):
    """The number of the row for so many matched lines and cards in others, or NOTHING if they add nothing together.

    A line that lacks a card of a face is worth more beside one that is matched in it (5.4), and less beside another
    that lacks one.
    """
    if not cards or matched + cards < 2:
        return NOTHING
    return min(matched, MOST_MATCHED) * (MOST_CARDS + 1) + min(cards, MOST_CARDS)


@compiled_in_any_order
def add_row(net, view, row, share, total):
    for unit in range(len(total)):
        total[unit] += share * net.rows[view, row, unit]


@compiled
def add_parts(net, view, sort, face, matched, cards, share, total):
    """Adds the row for the parts of a face, if there is one for so many."""
    number = number_of_parts(matched, cards)
    if number != NOTHING:
        add_row(net, view, net.begins[sort] + face * PARTS + number, share, total)


@compiled
def add_layout(net, view, begin, sort_of_sets, sort_of_parts, offered, lines, sets, parts, share, total):
    """Adds the rows of a layout's lines, which begin there, and of its sets and parts.

    `offered` is the face of the discard that may be taken next, or NOTHING.
    """
    for line in range(len(lines)):
        add_row(net, view, begin + lines[line], share, total)
        face = net.facts[lines[line], MATCH]
        if face != NO_MATCH and sets[face] > 1:  # each of the lines brings its part
            add_row(net, view, row_of_set(net, sort_of_sets, face, sets[face]), share / np.float32(sets[face]), total)
    if knows_parts(net):
        for face in range(len(sets)):
            sort = OFFERED_PARTS if face == offered else sort_of_parts
            add_parts(net, view, sort, face, sets[face], parts[face], share, total)


@compiled
def kind_with(net, kind, old_face, face):
    """The kind that a line becomes with a card of that face in place of one with the old face, or of a hidden one."""
    place = 0
    while net.members[kind, place] != old_face:
        place += 1
    return net.swapped[kind, place, face]


@compiled
def exchange_card(rules, net, lines, sets, parts, slot, old_face, face, before, after):
    """The sum `before` after a card of the player who just moved has changed its face; HIDDEN may be the old one."""
    if not lines_cross(rules):
        old = lines[line_of(rules, slot)]
        new = kind_with(net, old, old_face, face)
        exchange(net, sets, old, new, before, after)
        if knows_parts(net):
            if old_face != HIDDEN:
                exchange_parts(net, sets, parts, old_face, old, new, after)
            if face != old_face:
                exchange_parts(net, sets, parts, face, old, new, after)
        return
    for unit in range(len(before)):
        after[unit] = before[unit]
    for line in range(rules.lines):
        if slots_of_line(rules, line) >> slot & 1:
            exchange(net, sets, lines[line], kind_with(net, lines[line], old_face, face), after, after)


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
def exchange_parts(net, sets, parts, face, old, new, total):
    """Exchanges the row of parts of a face after a line of the player who just moved has changed its kind."""
    come = parts_in(net, new, face)
    if not sets[face] and parts[face] + come < 2:
        return  # no row before or after
    matched = sets[face] + (net.facts[new, MATCH] == face) - (net.facts[old, MATCH] == face)
    cards = parts[face] + come - parts_in(net, old, face)
    if number_of_parts(matched, cards) != number_of_parts(sets[face], parts[face]):
        add_parts(net, JUST_MOVED, OWN_PARTS, face, sets[face], parts[face], np.float32(-1), total)
        add_parts(net, JUST_MOVED, OWN_PARTS, face, matched, cards, np.float32(1), total)


@compiled
def parts_in(net, kind, face):
    """How many cards of that face are in a line of that kind, if it does not match."""
    cards = 0
    if net.facts[kind, MATCH] == NO_MATCH:
        for place in range(net.members.shape[1]):
            cards += net.members[kind, place] == face
    return cards


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
    """The mean of what it makes of a half with each of the others, so many times each."""
    total, size = 0.0, 0
    for which in range(len(others)):
        if counts[which]:
            total += counts[which] * judge(net, JUST_MOVED, one, others, which)
            size += counts[which]
    return total / size


@compiled
def view_of(state, seat, mover):
    """From which chair the seat sees a table where `mover` is about to move."""
    if seat == mover:
        return TO_MOVE
    return JUST_MOVED if left_of(state, seat) == mover else WAITING


@compiled
def value(rules, net, state, seat, mover):
    """The net's value for a seat while nobody has closed and `mover` moves next, computed from scratch."""
    if state.seats == 2 and seat == mover:
        return -hope_seen(rules, net, state, 1 - seat, mover, JUST_MOVED)
    return hope_seen(rules, net, state, seat, mover, view_of(state, seat, mover))


@compiled_with_arrays
def hope_seen(rules, net, state, seat, mover, view):
    lines, sets = np.zeros(rules.lines, np.int64), np.zeros(rules.faces, np.int64)
    parts = np.zeros(rules.faces, np.int64)
    one = surroundings(rules, net, state, view, seat, mover)
    if seat != mover:
        read_lines(rules, net, state.players[seat].layout, lines, sets)
        count_parts(net, lines, parts)
        add_layout(net, view, net.begins[OWN], OWN_SETS, OWN_PARTS, NOTHING, lines, sets, parts, np.float32(1), one)
    read_lines(rules, net, state.players[mover].layout, lines, sets)
    count_parts(net, lines, parts)
    coming = net.begins[COMING] + state.discard * len(net.members)
    add_layout(net, view, coming, COMING_SETS, COMING_PARTS, state.discard, lines, sets, parts, np.float32(1), one)
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
def surroundings(rules, net, state, view, seat, mover):
    """The rows of all but the two who matter most: cards unseen, and the other seats."""
    total = net.rows[view, START].copy()
    for face in range(rules.faces):
        add_row(net, view, net.begins[UNSEEN] + face, np.float32(state.unseen[face]), total)
    others = state.seats - (1 if seat == mover else 2)
    if others:
        lines, sets = np.zeros(rules.lines, np.int64), np.zeros(rules.faces, np.int64)
        parts = np.zeros(rules.faces, np.int64)
        share = np.float32(1) / np.float32(others)
        for other in range(state.seats):
            if other != seat and other != mover:
                read_lines(rules, net, state.players[other].layout, lines, sets)
                count_parts(net, lines, parts)
                add_layout(
                    net, view, net.begins[REST], REST_SETS, REST_PARTS, NOTHING, lines, sets, parts, share, total
                )
                if len(net.begins) > STANDING:  # a net of an older version has no such rows
                    add_row(net, view, net.begins[STANDING] + standing_of(rules, state, other, mover), share, total)
    return total
