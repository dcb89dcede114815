"""All parameters of a net in one array, and the rows that a table adds up."""

from typing import Any, NamedTuple

import numpy as np

from mulligan.engine.compiled import compiled, compiled_with_arrays
from mulligan.engine.rules import MAX_LINES, lines_cross
from mulligan.engine.state import HIDDEN, NOTHING
from mulligan.players.values.net import (
    COMING,
    COMING_PARTS,
    COMING_SETS,
    OFFERED_PARTS,
    OWN_PARTS,
    OWN_SETS,
    PARTS,
    REST,
    REST_PARTS,
    REST_SETS,
    SORTS,
    STANDING,
    START,
    TO_MOVE,
    UNSEEN,
    VIEWS,
    WEIGHT,
    Net,
    has_diagonals,
    number_of_parts,
    read_lines,
    standing_of,
    standings,
    tables_of_lines,
    view_of,
)
from mulligan.players.values.net import OWN as OWN_LINES

TENTH = 10.0  # inside, values are in tens of strokes, so that one step size fits all parameters


class Plan(NamedTuple):
    """Where in the array the rows of each kind begin; a row has `width` numbers."""

    width: int
    kinds: int
    faces: int
    lines: int
    seats: int
    size: int
    standings: int
    start: int
    weight: int
    unseen: int
    own: int
    own_sets: int
    coming: int
    discard: int
    pair: int
    coming_sets: int
    rest: int
    rest_sets: int
    standing: int
    own_parts: int
    coming_parts: int
    rest_parts: int
    offered_parts: int


def plan(rules: Any, seats: int, hidden: int) -> Plan:
    """How the numbers of a net with so many hidden units lie; two seats need one view and know no others."""
    views = 1 if seats == 2 else VIEWS
    kinds, faces, lines, width = len(tables_of_lines(rules)[0]), int(rules.faces), int(rules.lines), hidden + 1
    others = 0 if seats == 2 else 1
    sets, parts = (0, 0) if lines_cross(rules) else (faces * (lines + 1), faces * PARTS)
    of_standing = int(standings(rules))
    rows = {
        "start": 1,
        "weight": 1,
        "unseen": faces,
        "own": kinds,
        "own_sets": sets,
        "coming": kinds,
        "discard": faces,
        "pair": faces * kinds,
        "coming_sets": sets,
        "rest": others * kinds,
        "rest_sets": others * sets,
        "standing": others * of_standing,
        "own_parts": parts,
        "coming_parts": parts,
        "rest_parts": others * parts,
        "offered_parts": parts,
    }
    ends = np.cumsum([views * count * width for count in rows.values()])
    begins = dict(zip(rows, [0, *ends[:-1].tolist()], strict=True))
    size = int(ends[-1])
    return Plan(
        width=width, kinds=kinds, faces=faces, lines=lines, seats=seats, size=size, standings=of_standing, **begins
    )


def blank_numbers(rules: Any, lay: Plan, seed: int) -> np.ndarray:
    """Initial parameters: the value is the own cost minus the others'; hidden units are noise."""
    rng = np.random.default_rng(seed)
    numbers = np.zeros(lay.size, np.float32)
    tables = tables_of(lay, numbers)
    members = tables_of_lines(rules)[0]
    points = np.asarray(rules.points[: lay.faces], float)
    mean = float((points * rules.copies[: lay.faces]).sum() / rules.copies[: lay.faces].sum())
    costs = np.array([line_cost(rules, line, points, mean) for line in members]) / TENTH
    if rules.other_lines:  # a card is in a row, in a column, and perhaps in a diagonal, and counts once
        straight = len(members) // (1 + has_diagonals(rules))
        costs[:straight] /= 2
        costs[straight:] = 0.0
    for table in tables.values():
        table[..., 1:] = rng.normal(0.0, 0.1, table[..., 1:].shape)
    tables["pair"][..., 1:] = 0.0
    tables["unseen"][..., 1:] *= 0.2
    tables["weight"][..., 1:] = rng.normal(0.0, 1.0 / np.sqrt(lay.width), tables["weight"][..., 1:].shape)
    for view in range(len(tables["start"])):
        mine, theirs = (0.0, 1.0) if view == TO_MOVE else (1.0, -1.0 / (lay.seats - 1))
        tables["own"][view, :, 0] = mine * costs
        tables["coming"][view, :, 0] = theirs * costs
        if lay.seats > 2:
            tables["rest"][view, :, 0] = -costs * (1.0 if view == TO_MOVE else (lay.seats - 2) / (lay.seats - 1))
    return numbers


def line_cost(rules: Any, line: np.ndarray, points: np.ndarray, mean: float) -> float:
    if line[0] != HIDDEN and (line == line[0]).all():
        return float(rules.line_points[line[0]])
    return float(sum(mean if face == HIDDEN else points[face] for face in line))


def tables_of(lay: Plan, numbers: np.ndarray) -> dict[str, np.ndarray]:
    """The array cut into its tables (they share its memory), by view."""
    views = 1 if lay.seats == 2 else VIEWS
    sets = ((lay.coming - lay.own_sets) // (views * lay.width * (lay.lines + 1)), lay.lines + 1)
    others = 0 if lay.seats == 2 else 1
    parts = sets[0] and lay.faces * PARTS
    shapes: dict[str, tuple[int, ...]] = {
        "start": (),
        "weight": (),
        "unseen": (lay.faces,),
        "own": (lay.kinds,),
        "own_sets": sets,
        "coming": (lay.kinds,),
        "discard": (lay.faces,),
        "pair": (lay.faces, lay.kinds),
        "coming_sets": sets,
        "rest": (others * lay.kinds,),
        "rest_sets": (others * sets[0], lay.lines + 1),
        "standing": (others * lay.standings,),
        "own_parts": (parts,),
        "coming_parts": (parts,),
        "rest_parts": (others * parts,),
        "offered_parts": (parts,),
    }
    cut = {}
    for name, shape in shapes.items():
        begin = getattr(lay, name)
        count = views * int(np.prod(shape, dtype=int)) * lay.width
        cut[name] = numbers[begin : begin + count].reshape(views, *shape, lay.width)
    return cut


def net_of(rules: Any, lay: Plan, numbers: np.ndarray) -> Net:
    """The net in strokes, with what a line and a discard mean to the next player folded into one row."""
    tables = tables_of(lay, numbers)
    coming = tables["pair"] + tables["coming"][:, None] + tables["discard"][:, :, None] / np.float32(lay.lines)
    sorts = {
        START: tables["start"],
        WEIGHT: tables["weight"] * np.float32(TENTH),
        UNSEEN: tables["unseen"],
        OWN_LINES: tables["own"],
        OWN_SETS: padded(tables["own_sets"]),
        COMING: coming,
        COMING_SETS: padded(tables["coming_sets"]),
        REST: tables["rest"],
        REST_SETS: padded(tables["rest_sets"]),
        STANDING: tables["standing"],
        OWN_PARTS: tables["own_parts"],
        COMING_PARTS: tables["coming_parts"],
        REST_PARTS: tables["rest_parts"],
        OFFERED_PARTS: tables["offered_parts"],
    }
    views = len(tables["start"])
    parts = [sorts[sort].reshape(views, -1, lay.width) for sort in range(SORTS)]
    rows = np.concatenate(parts, axis=1).astype(np.float32)
    rows[..., 0] *= np.float32(TENTH)
    begins = np.cumsum([0, *(part.shape[1] for part in parts[:-1])])
    members, swapped, facts = tables_of_lines(rules)
    return Net(members, swapped, facts, begins, np.ascontiguousarray(rows))


def numbers_of(rules: Any, lay: Plan, net: Net, seed: int) -> np.ndarray:
    """The numbers that make this net, to go on learning from. Raises ValueError where it does not fit the plan.

    Hidden units that it lacks begin as noise and count nothing. What a line or a discard means by itself stays in the
    rows for both of them together. A net of an older version has no rows for the standing of the others, or for parts.
    """
    views, known = len(net.rows), net.rows.shape[2]
    ends = [*net.begins[1:], net.rows.shape[1] if views else 0]
    numbers = blank_numbers(rules, lay, seed)
    tables = tables_of(lay, numbers)
    for table in tables.values():
        table[..., :known] = 0
    tables["weight"][:] = 0
    rows = net.rows.copy()
    rows[..., 0] /= np.float32(TENTH)
    names = [name for name in tables if name not in ("coming", "discard")]  # these are in "pair"
    for name, begin, end in zip(names, net.begins, ends, strict=False):
        table = tables[name][..., :known]
        part = rows[:, begin:end]
        if name.endswith("sets"):
            part = part.reshape(views, -1, MAX_LINES + 1, known)[:, :, : lay.lines + 1]
        if part.size != table.size or views != len(table):
            raise ValueError("That net has more hidden units, or is for another game or number of seats.")
        table[:] = part.reshape(table.shape)
    tables["weight"] /= np.float32(TENTH)
    return numbers


def padded(sets: np.ndarray) -> np.ndarray:
    """Rows of sets for as many lines as any game may have."""
    blank = np.zeros((*sets.shape[:2], MAX_LINES + 1, sets.shape[3]), sets.dtype)
    blank[:, :, : sets.shape[2]] = sets
    return blank


# A position is a row of numbers: view, discard, own lines, next player's lines, each other's lines and standing, cards
# unseen.
VIEW, DISCARDED, OWN = 0, 1, 2


def columns(lay: Plan) -> int:
    return OWN + (lay.seats + 1) * lay.lines + lay.seats - 1 + lay.faces


@compiled_with_arrays
def write_position(rules, net, lay, state, seat, position, lines, sets):
    """Notes a table between two turns as the seat sees it."""
    view = view_of(state, seat, state.turn)
    position[VIEW] = view
    position[DISCARDED] = state.discard
    read_lines(rules, net, state.players[seat].layout, lines, sets)
    position[OWN : OWN + lay.lines] = lines
    read_lines(rules, net, state.players[state.turn].layout, lines, sets)
    position[OWN + lay.lines : OWN + 2 * lay.lines] = lines
    column = OWN + 2 * lay.lines
    for other in range(state.seats):
        if other != seat and other != state.turn:
            read_lines(rules, net, state.players[other].layout, lines, sets)
            position[column : column + lay.lines] = lines
            position[column + lay.lines] = standing_of(rules, state, other, state.turn)
            column += lay.lines + 1
    position[column:] = 0
    for face in range(lay.faces):
        position[len(position) - lay.faces + face] = state.unseen[face]


@compiled
def rows_of(lay, members, position, rows, shares):
    """Fills in where the rows of a position begin, and how much of each is added. Returns how many there are."""
    view, discard = position[VIEW], position[DISCARDED]
    width, lines, faces, kinds = lay.width, lay.lines, lay.faces, lay.kinds
    rows[0], shares[0] = lay.start + view * width, 1.0
    count = 1
    for face in range(faces):
        rows[count] = lay.unseen + (view * faces + face) * width
        shares[count] = position[len(position) - faces + face]
        count += 1
    rows[count], shares[count] = lay.discard + (view * faces + discard) * width, 1.0
    count += 1
    if view != TO_MOVE:
        own = position[OWN : OWN + lines]
        for line in range(lines):
            rows[count], shares[count] = lay.own + (view * kinds + own[line]) * width, 1.0
            count += 1
        count = rows_of_sets(lay, members, own, lay.own_sets, view, 1.0, rows, shares, count)
        count = rows_of_parts(lay, members, own, lay.own_parts, NOTHING, view, 1.0, rows, shares, count)
    coming = position[OWN + lines : OWN + 2 * lines]
    for line in range(lines):
        rows[count], shares[count] = lay.coming + (view * kinds + coming[line]) * width, 1.0
        rows[count + 1], shares[count + 1] = lay.pair + ((view * faces + discard) * kinds + coming[line]) * width, 1.0
        count += 2
    count = rows_of_sets(lay, members, coming, lay.coming_sets, view, 1.0, rows, shares, count)
    count = rows_of_parts(lay, members, coming, lay.coming_parts, discard, view, 1.0, rows, shares, count)
    others = lay.seats - (1 if view == TO_MOVE else 2)
    for other in range(others):
        begin = OWN + 2 * lines + other * (lines + 1)
        their = position[begin : begin + lines]
        for line in range(lines):
            rows[count], shares[count] = lay.rest + (view * kinds + their[line]) * width, 1.0 / others
            count += 1
        standing = lay.standing + (view * lay.standings + position[begin + lines]) * width
        rows[count], shares[count] = standing, 1.0 / others
        count += 1
        count = rows_of_sets(lay, members, their, lay.rest_sets, view, 1.0 / others, rows, shares, count)
        count = rows_of_parts(lay, members, their, lay.rest_parts, NOTHING, view, 1.0 / others, rows, shares, count)
    return count


@compiled
def rows_of_sets(lay, members, lines, begin, view, share, rows, shares, count):
    """Of each face in which two lines or more match, the row for that many; where lines cross, there are none."""
    if lay.own_sets == lay.coming:
        return count
    for line in range(len(lines)):
        face, same, earlier = members[lines[line], 0], 0, 0
        for place in range(members.shape[1]):
            if members[lines[line], place] != face or face == HIDDEN:
                same = -len(lines)
        for other in range(len(lines)):
            same += lines[other] == lines[line]
            earlier += other < line and lines[other] == lines[line]
        if same > 1 and not earlier:
            rows[count] = begin + ((view * lay.faces + face) * (lay.lines + 1) + same) * lay.width
            shares[count] = share
            count += 1
    return count


@compiled
def rows_of_parts(lay, members, lines, begin, offered, view, share, rows, shares, count):
    """Of each face, the row for the lines matched in it and its cards in others; see `number_of_parts`."""
    if lay.own_sets == lay.coming:
        return count
    for face in range(lay.faces):
        matched, cards = 0, 0
        for line in range(len(lines)):
            same = 0
            for place in range(members.shape[1]):
                same += members[lines[line], place] == face
            if same == members.shape[1]:
                matched += 1
            else:
                cards += same
        number = number_of_parts(matched, cards)
        if number != NOTHING:
            first = lay.offered_parts if face == offered else begin
            rows[count] = first + ((view * lay.faces + face) * PARTS + number) * lay.width
            shares[count] = share
            count += 1
    return count
