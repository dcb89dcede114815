"""How much of a loss comes from the card that a move leaves for the next player."""

from typing import Any

import numpy as np

from mulligan.engine.state import MOVES, NOBODY, NOTHING, Phase
from mulligan.game.variants import Variant
from mulligan.players.exact_turn import weigh
from mulligan.players.values.brain import Brain

from .reasons import look, wanted_by_next
from .what_if import state_after


def left_by(variant: Variant, state: Any, brain: Brain, move: int, best: int) -> float:
    """Returns by how many strokes the discard of a move costs more than that of the best one; 0 except when placing."""
    if state["phase"] != Phase.PLACE:
        return 0.0
    return cost_of_discard(variant, state, brain, move) - cost_of_discard(variant, state, brain, best)


def cost_of_discard(variant: Variant, state: Any, brain: Brain, move: int) -> float:
    """Returns the strokes that a move's discard costs the player to move, against a card that nobody wants.

    It is 0 if a hidden card is discarded, which nobody knows yet, and once someone has closed.
    """
    after = state_after(variant, state, move)
    if after.awaited != NOTHING or after.closer != NOBODY:
        return 0.0
    seen = look(variant, state)
    useless = min(range(len(variant.faces)), key=lambda face: wanted_by_next(seen, face))
    values = []
    for face in (int(after.discard), useless):
        after.discard = face
        move_values = np.zeros(MOVES)
        weigh(variant.rules, after, brain.net, move_values)
        values.append(float(move_values.min()))
    given = values[0] - values[1]
    if after.turn == state["turn"]:  # still to turn up a card
        return given
    return -given / (int(after.seats) - 1)  # what the next player gains is shared by the others as their loss
