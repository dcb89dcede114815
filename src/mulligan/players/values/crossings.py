"""What a card of each face on each slot would do for the lines that cross there (5.2)."""

from mulligan.engine.compiled import compiled
from mulligan.engine.rules import slot_in_line
from mulligan.engine.scoring import wanted_face
from mulligan.engine.state import ANY_FACE, HIDDEN, NO_MATCH, NOTHING

# What lies on the slot: a card of the face, in one line to four; one face down; one that matches; another one.
HERE, LINES_OF_SLOT = 0, 4
FACE_DOWN, MATCHED, OTHER = LINES_OF_SLOT, LINES_OF_SLOT + 1, LINES_OF_SLOT + 2
# Lines that lack only that card, or that and another; more of them count as so many.
MOST_READY, MOST_BEGUN = 2, 3
AT_SLOT = (OTHER + 1) * (MOST_READY + 1) * (MOST_BEGUN + 1)
MOST_OPEN = 9  # cards of a face in the layout
CROSSINGS = AT_SLOT + MOST_OPEN + 1  # numbers of a face

READY = 16  # while counting: a line that lacks only the card counts so much, one that was begun counts 1


@compiled
def lines_through(rules, through):
    """Fills in the lines of each slot, then NOTHING. `through` is an int64 array [slot, nth line]."""
    through[:] = NOTHING
    for line in range(rules.lines):
        for place in range(rules.line_length):
            slot, nth = slot_in_line(rules, line, place), 0
            while through[slot, nth] != NOTHING:
                nth += 1
            through[slot, nth] = line


@compiled
def read_crossings(rules, layout, through, numbers):
    """Fills in a number for each slot and face, or NOTHING if the card would do nothing.

    `numbers` is an int64 array [slot, face]. A last row has a number for the open cards of each face.
    """
    for slot in range(rules.slots):
        read_slot(rules, layout, slot, through[slot], numbers[slot])
    for face in range(rules.faces):
        numbers[rules.slots, face] = number_of_open(rules, layout, face)


@compiled
def number_of_open(rules, layout, face):
    """The number for the open cards of a face, or NOTHING if there is none."""
    cards = 0
    for slot in range(rules.slots):
        cards += layout[slot] == face
    return AT_SLOT + min(cards, MOST_OPEN) if cards else NOTHING


@compiled
def read_slot(rules, layout, slot, lines, numbers):
    """Fills in the numbers of one slot, of which these are the lines."""
    numbers[:] = 0
    here, of_slot = layout[slot], 0
    layout[slot] = HIDDEN
    for line in lines:
        if line != NOTHING:
            of_slot += 1
            wanted, lacking = wanted_face(rules, layout, line)
            if lacking <= 2 and wanted != ANY_FACE and wanted != NO_MATCH:
                numbers[wanted] += READY if lacking == 1 else 1
    layout[slot] = here
    what = FACE_DOWN if here == HIDDEN else MATCHED if numbers[here] >= READY else OTHER
    for face in range(rules.faces):
        count = numbers[face]
        if face == here:
            numbers[face] = number_at(HERE + of_slot - 1, count)
        elif count > 1:
            numbers[face] = number_at(what, count)
        else:
            numbers[face] = NOTHING


@compiled
def number_at(what, count):
    ready, begun = min(count // READY, MOST_READY), min(count % READY, MOST_BEGUN)
    return (what * (MOST_READY + 1) + ready) * (MOST_BEGUN + 1) + begun
