"""Positions after a move that is only considered, and where a card from the discard pile goes best."""

from typing import Any

import numpy as np

from mulligan.engine.compiled import fresh
from mulligan.engine.moves import play
from mulligan.engine.state import DISCARD, MOVES, STATE
from mulligan.game.variants import Variant
from mulligan.players.exact_turn import copy_state, weigh
from mulligan.players.values.brain import Brain


def state_after(variant: Variant, state: Any, *moves: int) -> Any:
    """Returns the state after these moves, which must not wait for a card in between; `state` stays as it is."""
    after = fresh(STATE)
    copy_state(state, after)
    for move in moves:
        play(variant.rules, after, move)
    return after


def best_place(variant: Variant, state: Any, brain: Brain) -> int:
    """Returns the best slot for the top discard."""
    move_values = np.zeros(MOVES)
    weigh(variant.rules, state_after(variant, state, DISCARD), brain.net, move_values)
    return int(move_values.argmin())
