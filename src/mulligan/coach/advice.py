"""Ranks the legal moves of a position by expected strokes, each with a reason."""

from collections.abc import Iterator, Sequence
from typing import Any, NamedTuple

import numpy as np

from mulligan.engine.compiled import fresh
from mulligan.engine.moves import play
from mulligan.engine.state import DISCARD, HIDDEN, MOVES, NOTHING, STATE, Phase
from mulligan.game.variants import Variant
from mulligan.game.words import Words
from mulligan.players.exact_turn import copy_state, weigh
from mulligan.players.values.bundle import Books

from .move_words import move_in_words, name_of
from .reason_words import reason_in_words
from .reasons import CLOSE_CALL, Why, look, why


class Advice(NamedTuple):
    """One move: its number and its value.

    `move_value` is the expected points at the end of the hole minus the mean of the others: lower
    is better. `loss` is the difference to the best move's value, in strokes. `place` is the best slot
    for a card taken from the discard pile, else None.
    """

    move: int
    move_value: float
    loss: float
    why: Why
    place: int | None = None


def advise(variant: Variant, state: Any, books: Books) -> list[Advice]:
    """Returns the legal moves of the player on turn, best first; empty while a card is awaited or after the end."""
    if state.awaited != NOTHING or state.phase == Phase.OVER:
        return []
    move_values = np.zeros(MOVES)
    weigh(variant.rules, state, books, move_values)
    order = [int(move) for move in np.argsort(move_values, kind="stable") if move_values[move] < np.inf]
    place = best_place(variant, state, books) if state.phase == Phase.TAKE else None
    seen = look(variant, state)
    ranked = []
    for move in order:
        loss = float(move_values[move] - move_values[order[0]])
        there = place if move == DISCARD else None
        reason = why(seen, move, loss, order[0], place)
        ranked.append(Advice(move, float(move_values[move]), loss, reason, there))
    return ranked


def best_place(variant: Variant, state: Any, books: Books) -> int:
    """Returns the best slot for the top discard."""
    taken = fresh(STATE)
    copy_state(state, taken)
    play(variant.rules, taken, DISCARD)
    move_values = np.zeros(MOVES)
    weigh(variant.rules, taken, books, move_values)
    return int(move_values.argmin())


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
                "move": name_of(variant, advice.move, state.phase),
                "code": advice.move,
                "text": text_of(words, variant, state, advice),
                "place": None if advice.place is None else variant.slots[advice.place],
                "worth": round(advice.move_value, 6),
                "loss": round(advice.loss, 6),
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
    key = name_of(variant, advice.move, state.phase)
    return move_in_words(words, key, placing, variant.faces[card], there, place)


def in_words(
    words: Words, variant: Variant, state: Any, ranked: Sequence[Advice], names: Sequence[str]
) -> Iterator[tuple[str, str]]:
    """Yields each move with its loss, and the reason."""
    for advice in ranked:
        move = text_of(words, variant, state, advice)
        if advice.loss <= CLOSE_CALL:
            head = words("coach_best_move", move=move)
        else:
            head = f"{words.decimal(-advice.loss):>5}  {move}"
        yield head, reason_in_words(words, variant, advice.why, names)
