"""Numbers the kinds of line: the order within a line does not matter, so a kind is a multiset of cards."""

from mulligan.engine.compiled import compiled
from mulligan.engine.rules import MAX_SLOTS, slot_in_line
from mulligan.engine.state import HIDDEN


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
