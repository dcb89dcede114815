"""The numbers that a net learns: its own rows, and a few more that are folded into them when it plays."""

from itertools import pairwise
from typing import Any, NamedTuple

import numpy as np

from mulligan.engine.state import HIDDEN
from mulligan.players.values.features import (
    COMING,
    COMING_LINE,
    DISCARD,
    FEATURES,
    LEARNED,
    OWN,
    REST,
    TENTH,
    TO_MOVE,
    VIEWS,
    WEIGHT,
    rows_of_features,
)
from mulligan.players.values.line_tables import has_diagonals, tables_of_lines
from mulligan.players.values.net import Net


class Plan(NamedTuple):
    """What the numbers of a net are for: an array float32 [view, row, width]."""

    seats: int
    slots: int
    faces: int
    lines: int
    width: int
    begins: np.ndarray  # int64 [feature of LEARNED]: where in a view its rows begin; the last number says where all end

    @property
    def shape(self) -> tuple[int, int, int]:
        """Two seats need one view."""
        return 1 if self.seats == 2 else VIEWS, int(self.begins[-1]), self.width


def plan(rules: Any, seats: int, hidden: int) -> Plan:
    """The plan of a net with so many hidden units."""
    begins = np.cumsum([0, *rows_of_features(rules, seats, LEARNED)])
    return Plan(seats, int(rules.slots), int(rules.faces), int(rules.lines), hidden + 1, begins)


def rows_of(lay: Plan, numbers: np.ndarray) -> list[np.ndarray]:
    """The numbers cut into those of each feature: [view, row, width]. They share the memory."""
    return [numbers[:, begin:end] for begin, end in pairwise(lay.begins)]


def blank_numbers(rules: Any, lay: Plan, seed: int) -> np.ndarray:
    """Initial numbers: the value is the own cost minus the others'; hidden units are noise."""
    rng = np.random.default_rng(seed)
    numbers = np.zeros(lay.shape, np.float32)
    rows = rows_of(lay, numbers)
    for feature, of_it in zip(LEARNED, rows, strict=True):
        of_it[..., 1:] = rng.normal(0.0, feature.noise, of_it[..., 1:].shape)
    rows[WEIGHT][..., 1:] = rng.normal(0.0, 1.0 / np.sqrt(lay.width), rows[WEIGHT][..., 1:].shape)
    costs = costs_of_lines(rules) / TENTH
    for view in range(len(numbers)):
        mine, theirs = (0.0, 1.0) if view == TO_MOVE else (1.0, -1.0 / (lay.seats - 1))
        rows[OWN][view, :, 0] = mine * costs
        rows[COMING_LINE][view, :, 0] = theirs * costs
        if lay.seats > 2:
            rows[REST][view, :, 0] = -costs * (1.0 if view == TO_MOVE else (lay.seats - 2) / (lay.seats - 1))
    return numbers


def costs_of_lines(rules: Any) -> np.ndarray:
    """Roughly what each kind of line costs: [kind]."""
    members = tables_of_lines(rules)[0]
    points, copies = (np.asarray(of_face[: int(rules.faces)], float) for of_face in (rules.points, rules.copies))
    mean = float((points * copies).sum() / copies.sum())
    costs = np.array([line_cost(rules, line, points, mean) for line in members])
    if rules.other_lines:  # a card is in a row, in a column, and perhaps in a diagonal, and counts once
        straight = len(members) // (1 + has_diagonals(rules))
        costs[:straight] /= 2
        costs[straight:] = 0.0
    return costs


def line_cost(rules: Any, line: np.ndarray, points: np.ndarray, mean: float) -> float:
    if line[0] != HIDDEN and (line == line[0]).all():
        return float(rules.line_points[line[0]])
    return float(sum(mean if face == HIDDEN else points[face] for face in line))


def net_of(rules: Any, lay: Plan, numbers: np.ndarray) -> Net:
    """The net in strokes."""
    learned = rows_of(lay, numbers)
    rows = numbers[:, : lay.begins[len(FEATURES)]].copy()
    played = rows_of(lay, rows)
    of_both = learned[COMING].reshape(len(numbers), lay.faces, -1, lay.width)
    of_both = of_both + learned[COMING_LINE][:, None] + learned[DISCARD][:, :, None] / np.float32(lay.lines)
    played[COMING][:] = of_both.reshape(played[COMING].shape)
    played[WEIGHT][:] *= np.float32(TENTH)
    rows[..., 0] *= np.float32(TENTH)
    members, swapped, facts = tables_of_lines(rules)
    return Net(members, swapped, facts, lay.begins[: len(FEATURES) + 1].copy(), rows)


def numbers_of(rules: Any, lay: Plan, net: Net, seed: int) -> np.ndarray:
    """The numbers that make this net, to go on learning from. Raises ValueError where it does not fit the plan.

    Hidden units that it lacks begin as noise and count nothing. What a line or a discard means by itself stays in the
    rows for both of them together. Of features that a net of an older version lacks, all rows are 0.
    """
    numbers, known = blank_numbers(rules, lay, seed), net.rows.shape[2]
    numbers[..., :known] = 0
    rows_of(lay, numbers)[WEIGHT][:] = 0
    for feature, (begin, end) in enumerate(pairwise(net.begins)):
        if begin < end:
            rows, learned = net.rows[:, begin:end], rows_of(lay, numbers)[feature][..., :known]
            if rows.shape != learned.shape:
                raise ValueError("That net has more hidden units, or is for another game or number of seats.")
            learned[:] = rows
    numbers[..., 0] /= np.float32(TENTH)
    rows_of(lay, numbers)[WEIGHT][:] /= np.float32(TENTH)
    return numbers
