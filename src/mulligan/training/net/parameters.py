"""All parameters of a net in one array, and the rows that a table adds up."""

from typing import Any, NamedTuple

import numpy as np

from mulligan.engine.compiled import compiled, compiled_with_arrays
from mulligan.engine.rules import MAX_LINES, lines_cross
from mulligan.engine.state import HIDDEN, NO_MATCH, NOTHING
from mulligan.players.values.line_tables import MATCH, has_diagonals, tables_of_lines
from mulligan.players.values.net import (
    COMING,
    COMING_PARTS,
    COMING_SETS,
    LEFT,
    OFFERED_PARTS,
    OWN,
    OWN_PARTS,
    OWN_SETS,
    REST,
    REST_PARTS,
    REST_SETS,
    RIGHT,
    SORTS,
    STANDING,
    START,
    TO_MOVE,
    UNSEEN,
    VIEWS,
    WEIGHT,
    Net,
    blank_table,
    lines_of,
    number_of_part,
    parts_of_face,
    read_layout,
    standing_of,
    standings,
    view_from,
)
from mulligan.players.values.parts import USES, number_of_uses, use_of

TENTH = 10.0  # inside, values are in tens of strokes, so that one step size fits all parameters


class Plan(NamedTuple):
    """Where in the array the rows of each kind begin; a row has `width` numbers."""

    width: int
    kinds: int
    faces: int
    lines: int
    slots: int
    seats: int
    size: int
    standings: int
    parts: int
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
    left: int
    right: int


def plan(rules: Any, seats: int, hidden: int) -> Plan:
    """How the numbers of a net with so many hidden units lie; two seats need one view and know no others."""
    views = 1 if seats == 2 else VIEWS
    kinds, faces, lines, width = len(tables_of_lines(rules)[0]), int(rules.faces), int(rules.lines), hidden + 1
    others = 0 if seats == 2 else 1
    sets = 0 if lines_cross(rules) else faces * (lines + 1)
    of_standing, of_face = int(standings(rules)), int(parts_of_face(rules))
    parts, uses = faces * of_face, 0 if lines_cross(rules) else faces * USES * USES
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
        "left": uses,
        "right": others * uses,
    }
    ends = np.cumsum([views * count * width for count in rows.values()])
    begins = dict(zip(rows, [0, *ends[:-1].tolist()], strict=True))
    size = int(ends[-1])
    return Plan(
        width=width, kinds=kinds, faces=faces, lines=lines, slots=int(rules.slots), seats=seats, size=size,
        standings=of_standing, parts=of_face, **begins,
    )  # fmt: skip


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
    parts, uses = lay.faces * lay.parts, sets[0] * USES * USES
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
        "left": (uses,),
        "right": (others * uses,),
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
        OWN: tables["own"],
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
        LEFT: tables["left"],
        RIGHT: tables["right"],
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
    rows for both of them together. A net of an older version has no rows for standings, parts or neighbours.
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


# A position is a row of numbers: who moves next, counted from the player whose value it is; the discard; the layouts
# and the standings from that player on; cards unseen.
MOVER, DISCARDED, LAYOUTS = 0, 1, 2


def columns(lay: Plan) -> int:
    return LAYOUTS + lay.seats * lay.slots + lay.seats + lay.faces


@compiled
def write_position(rules, lay, state, seat, position):
    """Notes a table between two turns as the seat sees it."""
    position[MOVER] = (state.turn - seat) % lay.seats
    position[DISCARDED] = state.discard
    standings = LAYOUTS + lay.seats * lay.slots
    for nth in range(lay.seats):
        other = (seat + nth) % lay.seats
        for slot in range(lay.slots):
            position[LAYOUTS + nth * lay.slots + slot] = state.players[other].layout[slot]
        position[standings + nth] = standing_of(rules, state, other, state.turn)
    for face in range(lay.faces):
        position[standings + lay.seats + face] = state.unseen[face]


@compiled
def view_in(position):
    """From which chair the position is seen."""
    return view_from(position[MOVER])


@compiled_with_arrays
def rows_of(rules, net, lay, position, rows, shares):
    """Fills in where the rows of a position begin, and how much of each is added. Returns how many there are.

    `net` is of the same plan; only its tables of lines are used.
    """
    view, mover, discard = view_in(position), position[MOVER], position[DISCARDED]
    width, faces = lay.width, lay.faces
    standings = LAYOUTS + lay.seats * lay.slots
    lines, uses = lines_of(blank_table(rules, 1), 0), np.zeros((lay.seats, faces), np.int64)
    rows[0], shares[0] = lay.start + view * width, 1.0
    count = 1
    for face in range(faces):
        rows[count], shares[count] = lay.unseen + (view * faces + face) * width, position[standings + lay.seats + face]
        count += 1
    rows[count], shares[count] = lay.discard + (view * faces + discard) * width, 1.0
    count += 1
    others = lay.seats - (1 if view == TO_MOVE else 2)
    for nth in range(lay.seats):
        begin = LAYOUTS + nth * lay.slots
        read_layout(rules, net, position[begin : begin + lay.slots], lines)
        for face in range(faces):
            uses[nth, face] = use_of(lines.ready[face], lines.alone[face])
        if nth == mover:
            count = rows_of_layout(rules, net, lay, COMING, view, discard, lines, 1.0, rows, shares, count)
            for kind in lines.kinds:
                rows[count], shares[count] = lay.pair + ((view * faces + discard) * lay.kinds + kind) * width, 1.0
                count += 1
        elif nth == 0:
            count = rows_of_layout(rules, net, lay, OWN, view, NOTHING, lines, 1.0, rows, shares, count)
        else:
            count = rows_of_layout(rules, net, lay, REST, view, NOTHING, lines, 1.0 / others, rows, shares, count)
            row = lay.standing + (view * lay.standings + position[standings + nth]) * width
            rows[count], shares[count] = row, 1.0 / others
            count += 1
    return rows_of_neighbours(lay, uses, view, rows, shares, count)  # none where lines cross: there are no uses


@compiled
def rows_of_neighbours(lay, uses, view, rows, shares, count):
    """The rows for faces that a player and a neighbour both do something with.

    `uses` is [seat, face], from the player whose value it is on.
    """
    for side in range(1 if lay.seats == 2 else 2):
        near = uses[1 if side == 0 else lay.seats - 1]
        begin = lay.left if side == 0 else lay.right
        for face in range(lay.faces):
            use, other = uses[0, face], near[face]
            if use and other:
                row = view * lay.faces * USES * USES + number_of_uses(face, use, other)
                rows[count], shares[count] = begin + row * lay.width, 1.0
                count += 1
    return count


@compiled
def rows_of_layout(rules, net, lay, sort, view, discard, lines, share, rows, shares, count):
    """The rows of a layout's lines, sets and parts. `sort` is OWN, COMING or REST; `discard` is that of COMING."""
    begin, of_sets, of_parts = lay.own, lay.own_sets, lay.own_parts
    if sort == COMING:
        begin, of_sets, of_parts = lay.coming, lay.coming_sets, lay.coming_parts
    elif sort == REST:
        begin, of_sets, of_parts = lay.rest, lay.rest_sets, lay.rest_parts
    for kind in lines.kinds:
        rows[count], shares[count] = begin + (view * lay.kinds + kind) * lay.width, share
        count += 1
        face = net.facts[kind, MATCH]
        if face != NO_MATCH and lines.sets[face] > 1:  # each of the lines brings its part
            number = lines.sets[face]
            rows[count] = of_sets + ((view * lay.faces + face) * (lay.lines + 1) + number) * lay.width
            shares[count] = share / number
            count += 1
    for place in range(len(lines.parts)):
        for face in range(lay.faces):
            number = number_of_part(rules, lines, place, face)
            if number != NOTHING:
                row = (view * lay.faces + face) * lay.parts + number
                rows[count] = (lay.offered_parts if face == discard else of_parts) + row * lay.width
                shares[count] = share
                count += 1
    return count
