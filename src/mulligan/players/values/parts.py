"""What cards of one face in different lines mean together, where lines do not cross (5.4)."""

from mulligan.engine.compiled import compiled
from mulligan.engine.state import HIDDEN, NO_MATCH, NOTHING

from .line_tables import MATCH

# More matched lines and more cards count as so many.
MOST_MATCHED, MOST_CARDS = 2, 7
PARTS = (MOST_MATCHED + 1) * (MOST_CARDS + 1)  # numbers of a face


@compiled
def number_of_parts(matched, cards):
    """A number for so many matched lines of a face and cards of it in others, or NOTHING if they add nothing together.

    A line that lacks a card of a face is worth more beside one that is matched in it (5.4), and less beside another
    that lacks one.
    """
    if not cards or matched + cards < 2:
        return NOTHING
    return min(matched, MOST_MATCHED) * (MOST_CARDS + 1) + min(cards, MOST_CARDS)


# What a layout does with a face: whether a line lacks only a card of it, and in how many lines a card of it lies alone.
MOST_ALONE = 2
USES = 2 * (MOST_ALONE + 1)


@compiled
def use_of(ready, alone):
    """The number for what a layout does with a face; 0 if nothing."""
    return min(ready, 1) * (MOST_ALONE + 1) + min(alone, MOST_ALONE)


@compiled
def number_of_uses(face, use, other):
    """The number for a face that two players do something with."""
    return (face * USES + use) * USES + other


@compiled
def count_parts(net, kinds, parts, ready, alone):
    """Counts, of each face, its cards in lines that do not match, the lines that lack only one, and its lone cards.

    In a line of two, each card is alone, and the line lacks only its face.
    """
    parts[:], ready[:], alone[:] = 0, 0, 0
    length = net.members.shape[1]
    for kind in kinds:
        if net.facts[kind, MATCH] == NO_MATCH:
            for place in range(length):
                face = net.members[kind, place]
                if face != HIDDEN and (place == 0 or net.members[kind, place - 1] != face):  # they are in order
                    cards = parts_in(net, kind, face)
                    parts[face] += cards
                    ready[face] += cards == length - 1
                    alone[face] += cards == 1


@compiled
def parts_in(net, kind, face):
    """How many cards of that face are in a line of that kind, if it does not match."""
    cards = 0
    if net.facts[kind, MATCH] == NO_MATCH:
        for place in range(net.members.shape[1]):
            cards += net.members[kind, place] == face
    return cards
