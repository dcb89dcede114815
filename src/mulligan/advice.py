"""What to play: the moves of a position, ranked in strokes, each with a reason."""

from collections.abc import Iterator, Sequence
from typing import Any, NamedTuple

import numpy as np

from .engine.compiled import fresh
from .engine.moves import play
from .engine.state import DISCARD, MOVES, NOTHING, PASS, STATE, STOCK, THROW_AWAY, Phase
from .players.books import Books
from .players.foresight import copy_state, weigh
from .positions import TableError as TableError
from .positions import set_table as set_table
from .reasons import CLOSE_CALL, Why, in_english, look, name_of, why
from .variants import Variant


class Advice(NamedTuple):
    """One move: its number and what it is in English, and how good.

    `worth` is the hope it leaves: points at the end of the hole less the mean of the others', so less
    is better. `loss` is how much more that is than the best move's, in strokes. `place` is the slot
    where a card taken from the discard pile goes best, else None.
    """

    move: int
    text: str
    worth: float
    loss: float
    why: Why
    place: int | None = None


def advise(variant: Variant, state: Any, books: Books) -> list[Advice]:
    """The legal moves of who is on turn, best first; none while a card is awaited or the hole is over."""
    if state.awaited != NOTHING or state.phase == Phase.OVER:
        return []
    worths = np.zeros(MOVES)
    weigh(variant.rules, state, books, worths)
    order = [int(move) for move in np.argsort(worths, kind="stable") if worths[move] < np.inf]
    place = best_place(variant, state, books) if state.phase == Phase.TAKE else None
    seen = look(variant, state)
    ranked = []
    for move in order:
        loss = float(worths[move] - worths[order[0]])
        there = place if move == DISCARD else None
        reason = why(seen, move, loss, order[0], place)
        ranked.append(Advice(move, move_in_english(variant, state, move), float(worths[move]), loss, reason, there))
    return ranked


def best_place(variant: Variant, state: Any, books: Books) -> int:
    """Where the top card of the discard pile would go."""
    taken = fresh(STATE)
    copy_state(state, taken)
    play(variant.rules, taken, DISCARD)
    worths = np.zeros(MOVES)
    weigh(variant.rules, taken, books, worths)
    return int(worths.argmin())


def move_in_english(variant: Variant, state: Any, move: int) -> str:
    if move == STOCK:
        return "draw from the stock"
    if move == DISCARD:
        return f"take the {variant.faces[state.discard]} from the discard pile"
    if move == THROW_AWAY:
        return f"throw the {variant.faces[state.held]} away"
    if move == PASS:
        return "leave the last card face down"
    if state.phase == Phase.PLACE:
        return f"put the {variant.faces[state.held]} on {variant.slots[move]}"
    return f"turn up {variant.slots[move]}"


def sentence(variant: Variant, advice: Advice, names: Sequence[str]) -> str:
    """The reason in English, as a clause that goes after the move."""
    return in_english(variant, advice.why, list(names))


def as_dict(variant: Variant, state: Any, ranked: Sequence[Advice], names: Sequence[str]) -> dict[str, Any]:
    """The advice for a program to read."""
    return {
        "game": variant.name,
        "phase": Phase(int(state.phase)).name.lower(),
        "turn": int(state.turn),
        "moves": [
            {
                "move": name_of(variant, advice.move),
                "code": advice.move,
                "text": advice.text,
                "place": None if advice.place is None else variant.slots[advice.place],
                "worth": round(advice.worth, 6),
                "loss": round(advice.loss, 6),
                "why": {"key": advice.why.key, "params": advice.why.params},
                "sentence": sentence(variant, advice, names),
            }
            for advice in ranked
        ],
    }


def in_words(variant: Variant, ranked: Sequence[Advice], names: Sequence[str]) -> Iterator[str]:
    """A line for each move: what it gives away, what it is, and why."""
    width = max(len(advice.text) for advice in ranked)
    for advice in ranked:
        loss = "best" if advice.loss <= CLOSE_CALL else f"−{advice.loss:.1f}"
        yield f"{loss:>6}  {advice.text:{width}}  {sentence(variant, advice, names)}"
