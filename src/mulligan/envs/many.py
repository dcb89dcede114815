"""Many tables at once: the loops of `playing` over arrays of tables."""

from typing import Any, NamedTuple

import numpy as np

from mulligan.engine.compiled import compiled
from mulligan.engine.state import MOVES

from .observation import observe
from .playing import begin, log_of, make_move, show_mask


class Shown(NamedTuple):
    """What the players to move see: arrays by table."""

    seen: np.ndarray  # int16, the flat observations
    masks: np.ndarray  # int8, the legal moves; all 1 where the game is over, since no move counts there
    rewards: np.ndarray  # float64, of each player for the last move
    players: np.ndarray  # int64, whose turn it is
    illegal: np.ndarray  # bool, whether the last move was illegal


class Results(NamedTuple):
    """What the last moves led to: arrays by table."""

    earned: np.ndarray  # float64, the reward of the player who moved
    terminated: np.ndarray  # bool
    truncated: np.ndarray  # bool


def moves_in(actions: Any, tables: int) -> np.ndarray:
    """Returns whole numbers, of shape `(tables,)` or `(tables, 1)`, as the moves of all tables. Raises ValueError."""
    moves = np.asarray(actions)
    if moves.shape not in ((tables,), (tables, 1)):
        raise ValueError(f"actions needs one move for each of {tables} tables, not shape {moves.shape}.")
    if moves.dtype.kind not in "iu":
        raise ValueError(f"actions needs whole numbers from 0 to {MOVES - 1}, not {moves.dtype}.")
    return np.ascontiguousarray(moves.reshape(tables), np.int64)


def new_shown(tables, size, players, library=np):
    """Makes the arrays with NumPy, or with a library like it."""
    return Shown(
        library.zeros((tables, size), np.int16),
        library.zeros((tables, MOVES), np.int8),
        library.zeros((tables, players)),
        library.zeros(tables, np.int64),
        library.zeros(tables, bool),
    )


def new_results(tables, library=np):
    """Makes the arrays with NumPy, or with a library like it."""
    return Results(library.zeros(tables), library.zeros(tables, bool), library.zeros(tables, bool))


@compiled
def start_some(rules, kind, limit, chairs, brain, tables, dice, chosen, shown, logs):
    """Starts a game at each table for which `chosen`, an array of bool, is true."""
    for place in range(len(tables)):
        if chosen[place]:
            begin(rules[0], kind, limit, chairs, brain, tables[place], dice[place], log_of(logs, place))
            show(rules[0], tables[place], place, shown)


@compiled
def move_all(rules, kind, limit, chairs, brain, tables, dice, moves, resting, shown, results, logs):
    """Plays a move at each table, except where `resting` is true: there a new game starts."""
    for place in range(len(tables)):
        move_at(place, rules, kind, limit, chairs, brain, tables, dice, moves, resting, results, logs)
        show(rules[0], tables[place], place, shown)


@compiled
def move_at(place, rules, kind, limit, chairs, brain, tables, dice, moves, resting, results, logs):
    """Plays a move at one table, or starts a new game there if it is `resting`."""
    table = tables[place]
    mover, log = table.player, log_of(logs, place)
    if resting[place]:
        begin(rules[0], kind, limit, chairs, brain, table, dice[place], log)
    else:
        make_move(rules[0], kind, limit, chairs, brain, table, dice[place], moves[place], log)
    results.earned[place] = table.rewards[mover]
    results.terminated[place] = table.terminated
    results.truncated[place] = table.truncated


@compiled
def show(rules, table, place, shown):
    """Shows a table to the player to move there."""
    look(rules, table, shown.seen[place])
    tell(table, place, shown)


@compiled
def look(rules, table, seen):
    """Fills the flat observation of the player to move."""
    observe(rules, table.match, table.state, table.seated, table.player, seen)


@compiled
def tell(table, place, shown):
    """Shows all but the observation."""
    show_mask(table, table.player, shown.masks[place])
    if table.terminated or table.truncated:  # a policy has to choose some move for this row, too
        shown.masks[place] = 1
    for player in range(table.match.players):
        shown.rewards[place, player] = table.rewards[player]
    shown.players[place] = table.player
    shown.illegal[place] = table.illegal
