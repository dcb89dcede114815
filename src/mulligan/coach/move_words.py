"""Names a move: by its key for programs, and in the words of the browser."""

from mulligan.engine.state import DISCARD, DISCARD_DRAWN, NOBODY, PASS, STOCK, Phase
from mulligan.game.notation import name_of_pass
from mulligan.game.variants import Variant
from mulligan.game.words import Words

KEYS = {STOCK: "stock", DISCARD: "discard", DISCARD_DRAWN: "discard_drawn", PASS: "pass"}
NAMED_ALONE = {
    "stock": "coach_move_draw",
    "discard": "table_discard",
    "discard_drawn": "table_act_discard",
    "pass": "coach_move_leave",
    "knock": "coach_move_knock",
    "decline": "coach_move_decline",
}


def name_of(variant: Variant, move: int, phase: int = Phase.OVER, closer: int = NOBODY) -> str:
    """Returns a slot, `stock`, `discard`, `discard_drawn` or `pass`; for PASS in the phase TAKE, `knock`, `decline`."""
    if move == PASS and phase == Phase.TAKE:
        return name_of_pass(closer)
    return KEYS.get(move) or variant.slots[move]


def move_in_words(
    words: Words, key: str, placing: bool, card: str | None = None, there: str | None = None, place: str | None = None
) -> str:
    """Returns a move as an instruction: “place the 3 on b2 (face down)”.

    `card` is the card in hand, or the top discard; `placing` says that one is in hand. `there` describes what is on
    the slot, `place` is the best slot for the top discard.
    """
    named = "" if card is None else words.the_face(card)
    if key == "discard":
        return words(f"coach_move_take{'_for' if place else ''}", card=named, slot=place or "")
    if key == "discard_drawn":
        return words("coach_move_discard_drawn", card=named)
    if key in NAMED_ALONE:
        return words(NAMED_ALONE[key])
    if not placing:
        return words("coach_move_turn", slot=key)
    return words(f"coach_move_{'place' if there else 'put'}", card=named, slot=key, there=there or "")


def move_alone(words: Words, key: str) -> str:
    """Returns the short name of a move: a slot, or what the move is."""
    return words(NAMED_ALONE[key]) if key in NAMED_ALONE else key
