"""Moves played out to the end of the hole many times, to see what they really cost."""

import os
from concurrent.futures import ThreadPoolExecutor
from math import sqrt
from typing import Any, NamedTuple

import numpy as np

from .engine.chance import bag, draw, many_dice
from .engine.compiled import compiled
from .engine.moves import abandon, play, turn_up
from .engine.state import NOBODY, NOTHING, STATE, Phase
from .players import eye
from .players.books import Books
from .players.foresight import copy_state
from .players.outlook import against_the_field
from .variants import Variant

PLAYOUTS = 1000
PIECE = 50  # that a core plays at a stretch
SEED = 1
TURN_LIMIT = 100  # turns a seat; who has not closed by then never will
POLICY = "eye"  # the strongest that is quick; plays every seat to the end


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


@compiled
def play_out(rules, start, desk, move, books, dice, ends):
    """Plays on from a position after that move, once for each of the dice, on a desk of one STATE.

    `ends` takes what the hole cost who was on turn, less the mean of the others.
    """
    state = desk[0]
    points = np.zeros(start.seats)
    for game in range(len(dice)):
        copy_state(start, state)
        play(rules, state, move)
        while state.phase != Phase.OVER:
            if state.awaited != NOTHING:
                turn_up(rules, state, draw(rules, bag(state), dice[game]))
            elif state.turns > start.turns + TURN_LIMIT * state.seats and state.closer == NOBODY and may_stop(state):
                abandon(rules, state)
            else:
                play(rules, state, eye.choose(rules, state, dice[game], books))
        for seat in range(state.seats):
            points[seat] = state.players[seat].points
        against_the_field(state, points)
        ends[game] = points[start.turn]


@compiled
def may_stop(state):
    return state.phase == Phase.TAKE
