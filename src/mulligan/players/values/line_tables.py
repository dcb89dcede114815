"""What is always true of each kind of line, and what it becomes with another card."""

import numpy as np

from mulligan.engine.compiled import compiled, compiled_with_arrays
from mulligan.engine.rules import OtherLines, slot_in_line
from mulligan.engine.scoring import line_face, wanted_face
from mulligan.engine.state import HIDDEN

from .line_kinds import kind_of, kinds

# The facts of a kind.
MATCH = 0  # the face it is matched in, or NO_MATCH (5.2)
WANTED = 1  # the face that would complete it, ANY_FACE, or NO_MATCH
HIDDEN_CARDS = 2
OPEN_POINTS = 3  # what its open cards cost one by one
FACTS = 4


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
