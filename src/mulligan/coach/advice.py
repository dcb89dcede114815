"""Ranks the legal moves of a position by expected strokes, each with a reason."""

from collections.abc import Iterator, Sequence
from typing import Any, NamedTuple

import numpy as np

from mulligan.engine.state import DISCARD, HIDDEN, MOVES, NOTHING, Phase
from mulligan.game.variants import Variant
from mulligan.game.words import Words
from mulligan.players.exact_turn import weigh
from mulligan.players.values.brain import Brain

from .calibration import Loss, corrected, corrections, stage_of
from .discards import left_by
from .move_words import move_in_words, name_of
from .own_cards import costs_more
from .reason_words import amount_lost, reason_in_words
from .reasons import Why, look, why
from .what_if import best_place

EQUAL = "≈"  # stands for the loss of a move that cannot be told apart from the best one


class Advice(NamedTuple):
    """One move: its number and its value.

    `move_value` is the expected points at the end of the hole minus the mean of the others: lower
    is better. `lost` is what the move costs against the best one. `place` is the best slot for a card taken
    from the discard pile, else None.
    """

    move: int
    move_value: float
    lost: Loss
    why: Why
    place: int | None = None

    @property
    def loss(self) -> float:
        return self.lost.loss


def advise(variant: Variant, state: Any, brain: Brain) -> list[Advice]:
    """Returns the legal moves of the player to move, best first; empty while a card is awaited or after the end."""
    if state.awaited != NOTHING or state.phase == Phase.OVER:
        return []
    move_values = np.zeros(MOVES)
    weigh(variant.rules, state, brain.net, move_values)
    order = [int(move) for move in np.argsort(move_values, kind="stable") if move_values[move] < np.inf]
    place = best_place(variant, state, brain) if state.phase == Phase.TAKE else None
    seen = look(variant, state)
    correction = corrections(variant.rules, brain, int(state.seats)).get(stage_of(state))
    ranked = []
    for move in order:
        stated = float(move_values[move] - move_values[order[0]])
        lost = corrected(stated, correction)
        there = place if move == DISCARD else None
        if lost.is_equal:
            reason = why(seen, move, 0.0, order[0], place)
        else:
            left = left_by(variant, state, brain, move, order[0]) * lost.loss / stated
            more = costs_more(variant, state, move, order[0], place)
            reason = why(seen, move, lost.loss, order[0], place, left, more)
        ranked.append(Advice(move, float(move_values[move]), lost, reason, there))
    return ranked


def as_dict(
    words: Words, variant: Variant, state: Any, ranked: Sequence[Advice], names: Sequence[str]
) -> dict[str, Any]:
    """Returns the advice as data for JSON, with sentences in a language."""
    return {
        "game": variant.name,
        "phase": Phase(int(state.phase)).name.lower(),
        "turn": int(state.turn),
        "moves": [
            {
                "move": name_of(variant, advice.move, state.phase, state.closer),
                "code": advice.move,
                "text": text_of(words, variant, state, advice),
                "place": None if advice.place is None else variant.slots[advice.place],
                "worth": round(advice.move_value, 6),
                **advice.lost.as_dict(6),
                "why": {"key": advice.why.key, "params": advice.why.params},
                "sentence": reason_in_words(words, variant, advice.why, names),
            }
            for advice in ranked
        ],
    }


def text_of(words: Words, variant: Variant, state: Any, advice: Advice) -> str:
    """Returns the move in words."""
    placing = state.phase == Phase.PLACE
    there = None
    if placing and 0 <= advice.move < variant.rules.slots:
        face = state.players[state.turn].layout[advice.move]
        there = words("coach_down") if face == HIDDEN else words.face(variant.faces[face])
    card = int(state.held if placing else state.discard)
    place = None if advice.place is None else variant.slots[advice.place]
    key = name_of(variant, advice.move, state.phase, state.closer)
    return move_in_words(words, key, placing, variant.faces[card], there, place)


def in_words(
    words: Words, variant: Variant, state: Any, ranked: Sequence[Advice], names: Sequence[str]
) -> Iterator[tuple[str, str]]:
    """Yields each move with its loss, and the reason with the interval of the loss."""
    for advice in ranked:
        move, reason = text_of(words, variant, state, advice), reason_in_words(words, variant, advice.why, names)
        if advice.move == ranked[0].move:
            yield words("coach_best_move", move=move), reason
        elif advice.lost.is_equal:
            yield f"{EQUAL:>5}  {move}", reason
        else:
            worse = words("coach_worse", amount=amount_lost(words, advice.lost))
            yield f"{words.decimal(-advice.loss):>5}  {move}", words.sentences(reason, worse)
