"""The kinds of line, what is always true of each, and what it becomes with another card.

The order within a line does not matter, so a kind is a multiset of cards, with a number.
"""

import numpy as np

from mulligan.engine.compiled import compiled, compiled_with_arrays
from mulligan.engine.rules import MAX_SLOTS, OtherLines, lines_cross, slot_in_line
from mulligan.engine.scoring import line_face, wanted_face
from mulligan.engine.state import HIDDEN, NO_MATCH

# The facts of a kind.
MATCH = 0  # the face it is matched in, or NO_MATCH (5.2)
WANTED = 1  # the face that would complete it, ANY_FACE, or NO_MATCH
HIDDEN_CARDS = 2
OPEN_POINTS = 3  # what its open cards cost one by one
FACTS = 4


@compiled
def kinds(rules):
    """How many kinds of line there are."""
    return choices(rules.faces + rules.line_length, rules.line_length)


@compiled
def kind_of(rules, layout, line):
    """The kind of a line of the layout, from 0 to `kinds(rules)` - 1; a face-down card ranks above every face."""
    kind = 0
    taken = 0  # a bit for each place already counted
    for nth in range(rules.line_length):
        lowest, lowest_place = MAX_SLOTS * 2, 0
        for place in range(rules.line_length):
            face = layout[slot_in_line(rules, line, place)]
            rank = rules.faces if face == HIDDEN else face
            if not taken >> place & 1 and rank < lowest:
                lowest, lowest_place = rank, place
        taken |= 1 << lowest_place
        kind += choices(lowest + nth, nth + 1)
    return kind


@compiled
def choices(things, chosen):
    """The number of ways to choose so many of the things."""
    ways = 1
    for nth in range(chosen):
        ways = ways * (things - nth) // (nth + 1)
    return ways


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
def kinds_of_lines(rules):
    """How many kinds there are with those of diagonals (5.2), which come after those of the other lines.

    So a net has rows of their own for them, and can tell a corner from an edge, which is in fewer lines.
    """
    return kinds(rules) * (1 + has_diagonals(rules))


@compiled
def has_diagonals(rules):
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
        kind = kind_of(rules, layout, line)
        if lines_cross(rules):
            kind += is_diagonal(rules, line) * kinds(rules)
        elif net.facts[kind, MATCH] != NO_MATCH:
            sets[net.facts[kind, MATCH]] += 1
        lines[line] = kind


@compiled
def kind_with(net, kind, old_face, face):
    """The kind that a line becomes with a card of that face in place of one with the old face, or of a hidden one."""
    place = 0
    while net.members[kind, place] != old_face:
        place += 1
    return net.swapped[kind, place, face]
