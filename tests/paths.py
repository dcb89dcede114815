"""Counts every sequence of written moves that can be played from a position."""

from typing import Any

import numpy as np

from mulligan.engine.chance import bag
from mulligan.engine.compiled import compiled
from mulligan.engine.moves import is_legal, play, turn_up
from mulligan.engine.state import MOVES, NOTHING, STATE, Phase


def count_paths(rules: Any, state: Any, moves: int) -> int:
    """How many sequences of so many written moves, each with its cards, can follow."""
    states = np.zeros(4 * moves + 4, STATE)
    states[0] = state
    return int(count(rules, states, 0, moves))


@compiled
def count(rules, states, depth, moves):
    """A written move is over where the next one would begin."""
    state = states[depth]
    paths = 0
    if moves == 0:
        return 1
    if state.phase == Phase.REVEAL or state.phase == Phase.OVER:
        return 0
    if state.awaited != NOTHING:
        for face in range(rules.faces):
            if bag(state)[face] > 0:
                states[depth + 1] = state
                turn_up(rules, states[depth + 1], face)
                paths += count(rules, states, depth + 1, moves - is_between_moves(states[depth + 1]))
        return paths
    for move in range(MOVES):
        if is_legal(rules, state, move):
            states[depth + 1] = state
            play(rules, states[depth + 1], move)
            paths += count(rules, states, depth + 1, moves - is_between_moves(states[depth + 1]))
    return paths


@compiled
def is_between_moves(state):
    if state.phase == Phase.REVEAL or state.phase == Phase.OVER:
        return 1
    return int(state.awaited == NOTHING and (state.phase == Phase.TEE_OFF or state.phase == Phase.TAKE))
