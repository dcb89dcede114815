"""Lines by kind: the order of the cards in a line costs nothing, so a line is a few faces and face-down cards."""

from ..engine.compiled import compiled
from ..engine.rules import MAX_SLOTS, slot_in_line
from ..engine.state import HIDDEN


@compiled
def kinds(rules):
    """How many kinds of line there are: 120 columns in Play Nine, 680 rows in nine-card golf."""
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
    """In how many ways so many of the things can be chosen."""
    ways = 1
    for nth in range(chosen):
        ways = ways * (things - nth) // (nth + 1)
    return ways
