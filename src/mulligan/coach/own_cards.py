"""How much of a loss is in the player's own cards."""

from typing import Any

import numpy as np

from mulligan.engine.state import DISCARD, STOCK, Phase
from mulligan.game.variants import Variant
from mulligan.players.values.expected_reveal import expected_points

from .what_if import state_after


def costs_more(variant: Variant, state: Any, move: int, best: int, place: int | None) -> float:
    """Returns by how many strokes the player's cards cost more after a move than after the best one, on average.

    0 if one of them draws from the stock, because where that card goes is not known. `place` is the best slot for the
    top discard.
    """
    if STOCK in (move, best) and state.phase == Phase.TAKE:
        return 0.0
    return points_after(variant, state, move, place) - points_after(variant, state, best, place)


def points_after(variant: Variant, state: Any, move: int, place: int | None) -> float:
    """Returns the expected points of the player to move, if all hidden cards were revealed after the move."""
    moves = [move] if place is None or move != DISCARD else [move, place]
    points = np.zeros(int(state.seats))
    expected_points(variant.rules, state_after(variant, state, *moves), points)
    return float(points[state.turn])
