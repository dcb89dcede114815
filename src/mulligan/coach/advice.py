"""Ranks the legal moves of a position by expected strokes, each with a reason, and finds what makes one worse."""

from collections.abc import Callable
from functools import cache, partial
from typing import Any

import numpy as np

from mulligan.engine.compiled import fresh
from mulligan.engine.moves import play
from mulligan.engine.state import DISCARD, MOVES, NOBODY, NOTHING, STATE, STOCK, Phase
from mulligan.game.notation import name_of_move
from mulligan.game.variants import Variant
from mulligan.players.exact_turn import weigh
from mulligan.players.positions import copy_state
from mulligan.players.values.brain import Brain
from mulligan.players.values.expected_reveal import expected_points

from .calibration import corrected, corrections, stage_of
from .findings import Loss, RankedMove, Rated, Reason, only
from .reasons import Look, look, wanted_by_next, why


def advise(variant: Variant, state: Any, brain: Brain) -> list[Rated]:
    """Returns the legal moves of the player to move, best first; empty while a card is awaited or after the end.

    In the reasons, `player` is a seat.
    """
    if state.awaited != NOTHING or state.phase == Phase.OVER:
        return []
    correction = corrections(variant.rules, brain, int(state.seats)).get(stage_of(state))
    ranked = ranked_moves(
        variant, state, weighed(variant, state, brain), lambda _, stated: corrected(stated, correction)
    )
    seen, best, place = look(variant, state), ranked[0], best_place(variant, state, brain)
    costs = Costs(seen, state, brain, place)
    rated = []
    for one in ranked:
        if one.equal:
            reason = why(seen, one.code, 0.0, best.code, place)
        else:
            share = one.loss / (one.worth - best.worth)
            reason = why_worse(seen, costs, one.code, best.code, one.loss, share)
        there = variant.slots[place] if place is not None and one.code == DISCARD else None
        rated.append(only(Rated, one, place=there, why=reason))
    return rated


def weighed(variant: Variant, state: Any, brain: Brain) -> list[float]:
    """Returns the value of each move, by number: inf if it is illegal."""
    move_values = np.zeros(MOVES)
    weigh(variant.rules, brain.net, state, move_values)
    values: list[float] = move_values.tolist()
    return values


def ranked_moves(
    variant: Variant, state: Any, move_values: list[float], loss_of: Callable[[int, float], Loss]
) -> list[RankedMove]:
    """Returns the legal moves, best first. `loss_of` gets a move and how much its value is above the best one's."""
    legal = [move for move, value in enumerate(move_values) if value < np.inf]
    ranked, least = [], min(move_values)
    for move in sorted(legal, key=lambda move: move_values[move]):
        lost = loss_of(move, move_values[move] - least)
        name = name_of_move(variant, move, int(state["phase"]), int(state["closer"]))
        ranked.append(RankedMove(**vars(lost), move=name, code=move, worth=move_values[move], equal=lost.is_equal))
    return ranked


def best_place(variant: Variant, state: Any, brain: Brain) -> int | None:
    """Returns the best slot for the top discard while it may be taken, else None."""
    if state["phase"] != Phase.TAKE:
        return None
    move_values = weighed(variant, state_after(variant, state, DISCARD), brain)
    return move_values.index(min(move_values))


class Costs:
    """What the moves of a position come to besides their values. Each is found once: the best move is asked for often.

    `place` is the best slot for the top discard.
    """

    def __init__(self, seen: Look, state: Any, brain: Brain, place: int | None) -> None:
        self.phase, self.place = seen.sight.phase, place
        self.of_discard = cache(partial(cost_of_discard, seen, state, brain))
        self.points_after = cache(partial(points_after, seen.variant, state, place))

    def left_by(self, move: int, best: int) -> float:
        """By how many strokes the discard of a move costs more than that of the best one; 0 except when placing."""
        return self.of_discard(move) - self.of_discard(best) if self.phase == Phase.PLACE else 0.0

    def more(self, move: int, best: int) -> float:
        """By how many strokes the player's cards cost more after a move than after the best one, on average.

        0 if one of them draws from the stock, because where that card goes is not known.
        """
        if STOCK in (move, best) and self.phase == Phase.TAKE:
            return 0.0
        return self.points_after(move) - self.points_after(best)


def why_worse(seen: Look, costs: Costs, move: int, best: int, loss: float, share: float) -> Reason:
    """Returns the reason against a move with that `loss`, which is a `share` of what the net says it is."""
    left = share * costs.left_by(move, best)
    return why(seen, move, loss, best, costs.place, left, costs.more(move, best))


def cost_of_discard(seen: Look, state: Any, brain: Brain, move: int) -> float:
    """Returns the strokes that a move's discard costs the player to move, against a card that nobody wants.

    It is 0 if a hidden card is discarded, because nobody knows that card yet. It is also 0 after someone has closed.
    """
    after = state_after(seen.variant, state, move)
    if after.awaited != NOTHING or after.closer != NOBODY:
        return 0.0
    useless = min(range(len(seen.variant.faces)), key=lambda face: wanted_by_next(seen, face))
    values = []
    for face in (int(after.discard), useless):
        after.discard = face
        values.append(min(weighed(seen.variant, after, brain)))
    given = values[0] - values[1]
    if after.turn == state["turn"]:  # still to turn up a card
        return given
    return -given / (int(after.seats) - 1)  # what the next player gains is shared by the others as their loss


def points_after(variant: Variant, state: Any, place: int | None, move: int) -> float:
    """Returns the expected points of the player to move, if all hidden cards were revealed after the move."""
    moves = [move] if place is None or move != DISCARD else [move, place]
    points = np.zeros(int(state["seats"]))
    expected_points(variant.rules, state_after(variant, state, *moves), points)
    return float(points[state["turn"]])


def state_after(variant: Variant, state: Any, *moves: int) -> Any:
    """Returns the state after these moves, which must not wait for a card in between; `state` stays as it is."""
    after = fresh(STATE)
    copy_state(state, after)
    for move in moves:
        play(variant.rules, after, move)
    return after
