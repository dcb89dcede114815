"""Rollouts: plays moves out to the end of the hole many times, to measure their loss."""

import os
from concurrent.futures import ThreadPoolExecutor
from math import sqrt
from typing import Any, NamedTuple

import numpy as np

from mulligan.engine.chance import many_dice
from mulligan.engine.compiled import compiled_with_arrays
from mulligan.engine.moves import play
from mulligan.engine.state import STATE
from mulligan.game.variants import Variant
from mulligan.players import net_player
from mulligan.players.exact_turn import copy_state
from mulligan.players.values.bundle import Books
from mulligan.players.values.value import against_the_field

PLAYOUTS = 1000
PIECE = 50  # that a core plays at a stretch
SEED = 1
TURN_LIMIT = 100  # turns a seat; who has not closed by then never will
POLICY = "net"  # the strongest that is quick; plays every seat to the end


class Rollouts(NamedTuple):
    """What a move costs against the best one, in strokes: the mean, and its 95 % confidence interval."""

    playouts: int
    policy: str
    loss: float
    low: float
    high: float


def roll_out(variant: Variant, state: Any, move: int, best: int, books: Books, playouts: int = PLAYOUTS) -> Rollouts:
    """Plays both moves out, each pair with the same dice, all seats by the same policy, on every core."""
    dice = many_dice(SEED, playouts)
    ends = np.zeros((2, playouts))

    def piece(start: int) -> None:
        part = slice(start, start + PIECE)
        for tried, results in zip((move, best), ends[:, part], strict=True):
            play_out(variant.rules, state, np.zeros(1, STATE), tried, books, dice[part].copy(), results)

    with ThreadPoolExecutor(os.cpu_count()) as pool:
        list(pool.map(piece, range(0, playouts, PIECE)))
    gaps = ends[0] - ends[1]
    loss, error = float(gaps.mean()), float(gaps.std(ddof=1) / sqrt(playouts))
    return Rollouts(playouts, POLICY, round(loss, 3), round(loss - 1.96 * error, 3), round(loss + 1.96 * error, 3))


@compiled_with_arrays
def play_out(rules, start, desk, move, books, dice, ends):
    """Plays on from a position after that move, once for each of the dice, on a desk of one STATE.

    `ends` takes what the hole cost who was on turn, less the mean of the others.
    """
    state = desk[0]
    points = np.zeros(start.seats)
    for game in range(len(dice)):
        copy_state(start, state)
        play(rules, state, move)
        last_turn = start.turns + TURN_LIMIT * start.seats
        net_player.play_out(rules, state, books.net, dice[game], last_turn)
        for seat in range(state.seats):
            points[seat] = state.players[seat].points
        against_the_field(state, points)
        ends[game] = points[start.turn]
