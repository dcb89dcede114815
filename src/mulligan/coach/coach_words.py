"""Says what the coach finds in the words of the browser: moves, reasons, losses and mistakes (web/messages)."""

from collections.abc import Iterator, Sequence
from typing import Any, NamedTuple

from mulligan.engine.rules import lines_cross
from mulligan.engine.state import HIDDEN, Phase
from mulligan.game.variants import Variant
from mulligan.game.words import Words, minus

from .findings import Loss, Mistake, Rated, Reason
from .reasons import speaks_against

EQUAL = "≈"  # stands for the loss of a move that cannot be told apart from the best one
SAYS_NOTHING = ("equal", "first_card")  # reasons that do not explain a better move
NAMED_ALONE = {
    "stock": "coach_move_draw",
    "discard": "table_discard",
    "discard_drawn": "table_act_discard",
    "pass": "coach_move_leave",
    "knock": "coach_move_knock",
    "decline": "coach_move_decline",
}


class Sentences(NamedTuple):
    """A mistake: whose and when, what was played, and what was better, each with its reason."""

    lost: str
    played: str
    better: str


def advice_in_words(
    words: Words, variant: Variant, state: Any, ranked: Sequence[Rated], names: Sequence[str]
) -> Iterator[tuple[str, str]]:
    """Yields each move with its loss, and the reason with the interval of the loss; `names` are those of the seats."""
    for rated in ranked:
        move, reason = rated_in_words(words, variant, state, rated), reason_in_words(words, variant, rated.why, names)
        if rated is ranked[0]:
            yield words("coach_best_move", move=move), reason
        elif rated.equal:
            yield f"{EQUAL:>5}  {move}", reason
        else:
            worse = words("coach_worse", amount=amount_lost(words, rated))
            yield f"{words.decimal(-rated.loss):>5}  {move}", words.sentences(reason, worse)


def rated_in_words(words: Words, variant: Variant, state: Any, rated: Rated) -> str:
    """Returns the move in words."""
    placing = state.phase == Phase.PLACE
    there = None
    if placing and 0 <= rated.code < variant.rules.slots:
        face = state.players[state.turn].layout[rated.code]
        there = words("coach_down") if face == HIDDEN else words.face(variant.faces[face])
    card = int(state.held if placing else state.discard)
    return move_in_words(words, rated.move, placing, variant.faces[card], there, rated.place)


def mistake_in_words(words: Words, variant: Variant, mistake: Mistake, names: Sequence[str]) -> Sentences:
    """Describes a mistake: the move played, its loss, and the better move; `names` are the players'."""
    placing, better = mistake.phase == "place", mistake.better
    lost = words("coach_lost", name=names[mistake.player], amount=amount_lost(words, mistake))
    played = move_in_words(words, mistake.played, placing, mistake.face)
    instead = move_in_words(words, better.move, placing, mistake.face, place=better.place)
    blamed, praised = (reason_in_words(words, variant, why, names) for why in (mistake.why, better.why))
    return Sentences(
        words.sentences(words("terminal_label", label=when(words, variant, mistake.hole, mistake.turn), text=lost)),
        words.sentences(words("coach_played", move=played), *([blamed] if speaks_against(mistake.why) else [])),
        words.sentences(words("coach_better", move=instead), *([] if better.why.key in SAYS_NOTHING else [praised])),
    )


def when(words: Words, variant: Variant, hole: int, turn: int) -> str:
    """Returns the hole and the player's turn; turn 0 is the tee-off."""
    extra = hole - int(variant.rules.holes)
    named = words("page_playoff", number=extra) if extra > 0 else words("page_hole", hole=hole)
    return words("coach_when", hole=named, turn=turn) if turn else words("coach_when_tee_off", hole=named)


def move_in_words(
    words: Words, key: str, placing: bool, card: str | None = None, there: str | None = None, place: str | None = None
) -> str:
    """Returns a move as an instruction: “place the 3 on b2 (face down)”; `key` is its name.

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


def reason_in_words(words: Words, variant: Variant, reason: Reason, names: Sequence[str]) -> str:
    """Returns the reason as a sentence, and its limit as another one; `names` by the numbers in the reason."""
    params: dict[str, Any] = reason.params
    line = "line" if lines_cross(variant.rules) else "column" if variant.rules.lines_are_columns else "row"
    filled: dict[str, str | int] = {"line": words(f"coach_{line}"), "lines": words(f"coach_{line}s")}
    for key, value in params.items():
        if key == "face":
            filled |= {"face": words.face(value), "faces": words.faces(value), "card": words.the_face(value)}
        elif key == "old":
            filled["old"] = words.face(value)
        elif key == "player":
            filled["name"] = names[value]
        elif key == "move":
            filled["move"] = move_alone(words, value)
        elif key in ("points", "others"):
            filled[key] = number(words, value)
        elif key in ("count", "unseen"):
            filled[key] = value
    if "lines" in params:
        filled["count"] = params["lines"]
    if "points" in params:
        filled["amount"] = words("table_points", count=abs(params["points"]), points=filled["points"])
    if "strokes" in params:
        filled["amount"] = strokes(words, params["strokes"])
        filled.setdefault("points", number(words, params["strokes"]))
    sentence = words(f"coach_why_{reason.key}", **filled)
    if "but" in params:
        return words.sentences(sentence, words("coach_why_but", move=move_alone(words, params["but"])))
    return words.sentences(sentence, words("coach_why_part")) if "part" in params else sentence


def amount_lost(words: Words, lost: Loss) -> str:
    """Returns the strokes with their interval, or alone where the interval is not known."""
    if lost.low is None or lost.high is None:
        return strokes(words, lost.loss)
    bounds = words("coach_range", low=words.decimal(lost.low), high=words.decimal(lost.high))
    return words("coach_with_range", amount=strokes(words, lost.loss), range=bounds)


def strokes(words: Words, value: float) -> str:
    """Returns the number with its unit."""
    return words("coach_strokes", count=float(f"{abs(value):.1f}"), strokes=words.decimal(value))


def number(words: Words, value: float) -> str:
    """Returns a whole number without decimals, else one decimal."""
    return minus(int(value)) if value == int(value) else words.decimal(value)
