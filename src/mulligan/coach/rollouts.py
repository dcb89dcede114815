"""Rollouts: plays moves out many times, to the end of the hole or for some rounds, to measure their loss."""

from collections.abc import Callable, Sequence
from math import sqrt
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from mulligan.compute import pieces
from mulligan.compute.digests import digest_of, leaves, program
from mulligan.engine.chance import many_dice
from mulligan.engine.compiled import compiled_with_arrays
from mulligan.engine.moves import play
from mulligan.engine.scoring import against_the_field
from mulligan.engine.state import MOVES, STATE
from mulligan.players import net_player, net_turn, search
from mulligan.players.positions import copy_state, first_twin
from mulligan.players.values.brain import Brain
from mulligan.players.values.match_equity import Stakes
from mulligan.players.values.net import is_trained

from .calibration import SURE
from .findings import Rollouts

PIECE = 50  # playouts that a core plays at a stretch
POLICY = "net"  # the strongest that is quick; plays every seat


class Effort(NamedTuple):
    """How many playouts there are of each move, and how long."""

    playouts: int
    rounds: int  # turns of each seat, after which the net judges the table
    seed: int


FULL = Effort(400, 100, 1)  # to the end of the hole: a player who has not closed by then never will


def truncated(seats: int) -> Effort:
    """Less noise and time than to the end, but errors of the net remain, more of them at larger tables."""
    return Effort(100, 2, 2) if seats == 2 else Effort(150, 3, 2)


class Doubt(NamedTuple):
    """A move to be compared with the best one."""

    rules: Any  # RULES
    brain: Brain
    state: Any  # STATE: the position before the move
    move: int
    best: int


class PlayOuts:
    """Plays out both moves of each doubt. A piece is the number of a doubt and of the first of its playouts."""

    def __init__(self, doubts: Sequence[Doubt], effort: Effort) -> None:
        self.doubts, self.effort = doubts, effort
        different = {id(doubt.brain): doubt.brain for doubt in doubts}.values()
        self.facts = {
            "effort": effort._asdict(),
            "positions": digest_of(*(np.asarray(part) for doubt in doubts for part in (doubt.state, doubt[3:]))),
            "rules": digest_of(*(doubt.rules for doubt in doubts)),
            "nets": digest_of(*(leaf for brain in different for leaf in leaves(brain))),
            "Mulligan": program(),
        }

    def __call__(self, piece: tuple[int, int]) -> bytes:
        number, start = piece
        doubt = self.doubts[number]
        state = doubt.state.copy()  # weighing a move changes it for a moment, and other threads play from it too
        dice = many_dice(self.effort.seed, self.effort.playouts)[start : start + PIECE]
        ends = np.zeros((2, len(dice)))
        for move, results in zip((doubt.move, doubt.best), ends, strict=True):
            desk = np.zeros(1, STATE)
            play_out(doubt.rules, state, desk, move, doubt.brain, dice.copy(), self.effort.rounds, results)
        return ends.tobytes()


def roll_out(
    doubts: Sequence[Doubt],
    effort: Effort = FULL,
    on: str = pieces.LOCAL,
    threads: int = 0,
    progress: Callable[[int, int], None] = lambda done, of: None,
    journal: Path | None = None,
) -> list[Rollouts]:
    """Plays both moves of each doubt out, each pair with the same dice, all seats by the same policy.

    Without a net, every playout goes to the end of the hole.

    `on`, `threads`, `journal` and what is raised are as in `pieces.run`. `progress` is called after
    each piece, with their number.
    """
    starts = range(0, effort.playouts, PIECE)
    todo = [(number, start) for number in range(len(doubts)) for start in starts]
    work = PlayOuts(doubts, effort)
    results = pieces.run(work, todo, on, threads, journal, lambda _: progress(1, len(todo)))
    ends = [np.frombuffer(result).reshape(2, -1) for result in results]
    each = (ends[first : first + len(starts)] for first in range(0, len(ends), len(starts)))
    return [measured(np.concatenate(of_one, axis=1)) for of_one in each]


def measured(ends: np.ndarray) -> Rollouts:
    """Returns the mean difference of the two rows and its interval."""
    gaps = ends[0] - ends[1]
    loss, error = float(gaps.mean()), float(gaps.std(ddof=1) / sqrt(len(gaps)))
    return Rollouts(len(gaps), POLICY, loss, loss - SURE * error, loss + SURE * error)


@compiled_with_arrays
def play_out(rules, start, desk, move, brain, dice, rounds, ends):
    """Plays on from a position after that move, once for each of the dice, on a desk of one STATE.

    `ends` gets the points of the player to move minus the mean of the others. A net's own search says how lucky each
    turn was; this is subtracted, which keeps the mean and removes most of the spread (a control variate).
    """
    if is_trained(brain.net, start.seats):
        play_out_less_luck(rules, start, desk, move, brain.net, dice, rounds, ends)
    else:
        play_out_with_luck(rules, start, desk, move, brain.net, dice, ends)


@compiled_with_arrays
def play_out_less_luck(rules, start, desk, move, net, dice, rounds, ends):
    state = desk[0]
    values, move_values = np.zeros(start.seats), np.zeros(MOVES)
    strokes_count = Stakes(np.zeros(start.seats), 0.0, 0.0)
    net_turn.weigh(rules, net, start, move_values)
    looked = move_values[first_twin(rules, start, move)]
    longest = rounds * start.seats
    for game in range(len(dice)):
        copy_state(start, state)
        play(rules, state, move)
        more, _ = search.playout(
            rules, net, state, np.int64(start.turn), dice[game], longest, strokes_count, values, move_values
        )
        ends[game] = looked + more


@compiled_with_arrays
def play_out_with_luck(rules, start, desk, move, net, dice, ends):
    state = desk[0]
    points = np.zeros(start.seats)
    for game in range(len(dice)):
        copy_state(start, state)
        play(rules, state, move)
        last_turn = start.turns + FULL.rounds * start.seats
        net_player.play_out(rules, net, state, dice[game], last_turn)
        for seat in range(state.seats):
            points[seat] = state.players[seat].points
        against_the_field(points)
        ends[game] = points[start.turn]
