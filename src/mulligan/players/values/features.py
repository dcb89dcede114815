"""What a net knows of a table: its features, each with how many rows of numbers.

This is the only list of them: nets in memory and in files, playing and training go by it. A new feature is a line at
the end of FEATURES, its name below, and the rows that `table_rows` notes for it.
"""

from collections.abc import Callable
from typing import Any, NamedTuple

from mulligan.engine.compiled import compiled
from mulligan.engine.rules import MAX_LINES, lines_cross
from mulligan.engine.scoring import cost

from .crossings import CROSSINGS
from .line_tables import kinds_of_lines
from .parts import PARTS, USES

# From whose chair the net looks at the table: each has rows of its own.
JUST_MOVED, TO_MOVE, WAITING = 0, 1, 2
VIEWS = 3

# Everyone else moves right after who moves next, or later, or has just moved. Points are in classes of four from -12.
NEXT, LATER, LAST = 0, 1, 2
PLACES = 3
LEAST_POINTS, POINTS_OF_CLASS, CLASSES = -12, 4, 16


@compiled
def view_from(ahead):
    """The view of a seat from which who moves next sits so many seats ahead."""
    return TO_MOVE if ahead == 0 else JUST_MOVED if ahead == 1 else WAITING


@compiled
def view_of(state, seat, mover):
    """The view of a seat on a table where `mover` is about to move."""
    return view_from((mover - seat) % state.seats)


@compiled
def parts_of_face(rules):
    """How many rows of parts there are for a face."""
    return CROSSINGS if lines_cross(rules) else PARTS


@compiled
def standing_of(rules, state, seat, mover):
    """The row of a seat's standing, counted from the first of its feature."""
    after, player = (seat - mover) % state.seats, state.players[seat]
    place = NEXT if after == 1 else LAST if after == state.seats - 1 else LATER
    points = (cost(rules, player.layout, 0) - LEAST_POINTS) // POINTS_OF_CLASS
    return (place * (rules.slots + 1) + player.hidden) * CLASSES + min(max(0, points), CLASSES - 1)


def one(rules: Any) -> int:
    return 1


def faces(rules: Any) -> int:
    return int(rules.faces)


def lines(rules: Any) -> int:
    return int(kinds_of_lines(rules))


def pairs(rules: Any) -> int:
    return int(rules.faces) * lines(rules)


def sets(rules: Any) -> int:
    return 0 if lines_cross(rules) else int(rules.faces) * (MAX_LINES + 1)


def standings(rules: Any) -> int:
    return PLACES * (int(rules.slots) + 1) * CLASSES


def parts(rules: Any) -> int:
    return int(rules.faces) * int(parts_of_face(rules))


def uses(rules: Any) -> int:
    return 0 if lines_cross(rules) else int(rules.faces) * USES * USES


class Feature(NamedTuple):
    """`rows` says how many rows a net for some rules has in each view."""

    name: str
    rows: Callable[[Any], int]
    of_others: bool = False  # is about those who neither moved last nor move next: there are none with two players
    noise: float = 0.1  # the spread of what its rows add to the hidden units before anything is learned


FEATURES = (
    Feature("start", one),  # always there
    Feature("weight", one),  # not added: what each hidden unit counts
    Feature("unseen", faces, noise=0.02),  # [face] for each card nobody has seen
    Feature("own", lines),  # [kind] the lines of the player whose value it is
    Feature("own_sets", sets),  # [face, number] so many of them matched in one face, two or more (5.4)
    Feature("coming", pairs, noise=0.0),  # [discard, kind] the lines of who moves next
    Feature("coming_sets", sets),
    Feature("rest", lines, of_others=True),  # [kind] the lines of everyone else, as a mean
    Feature("rest_sets", sets, of_others=True),
    Feature("standing", standings, of_others=True),  # [place, face-down cards, points] see `standing_of`
    Feature("own_parts", parts),  # [face, number] see `number_of_parts`, or `read_crossings` where lines cross
    Feature("coming_parts", parts),
    Feature("rest_parts", parts, of_others=True),
    Feature("offered_parts", parts),  # those of who moves next in the face of the discard
    Feature("left", uses),  # [face, use, use] what the player does with the face, and who sits on the left: `use_of`
    Feature("right", uses, of_others=True),  # the same for who sits on the right; with two players they are one
)
(
    START, WEIGHT, UNSEEN, OWN, OWN_SETS, COMING, COMING_SETS, REST, REST_SETS, STANDING,
    OWN_PARTS, COMING_PARTS, REST_PARTS, OFFERED_PARTS, LEFT, RIGHT,
) = range(len(FEATURES))  # fmt: skip

# While a net learns, values are in tens of strokes, so that one step size fits all its numbers. What a line of the next
# player and a discard mean by themselves is learned faster than what they mean together. When the net plays, both are
# part of the rows of COMING.
TENTH = 10.0
FACTORS = (Feature("coming_line", lines), Feature("discard", faces))
LEARNED = FEATURES + FACTORS
COMING_LINE, DISCARD = range(len(FEATURES), len(LEARNED))


def rows_of_features(rules: Any, seats: int, features: tuple[Feature, ...] = FEATURES) -> list[int]:
    """How many rows each feature has in a view, in a net for so many seats."""
    return [0 if feature.of_others and seats == 2 else feature.rows(rules) for feature in features]
