"""Describes the mistakes of an analysis in words: the move played, its loss, and the better move."""

from typing import Any, NamedTuple

from mulligan.game.variants import Variant
from mulligan.game.words import Words

from .calibration import Loss
from .move_words import move_in_words
from .reason_words import amount_lost, reason_in_words
from .reasons import Why, explains

SAYS_NOTHING = ("equal", "first_card")  # reasons that do not explain a better move


class Sentences(NamedTuple):
    """A mistake: whose and when, what was played, and what was better, each with its reason."""

    lost: str
    played: str
    better: str


def tell(words: Words, variant: Variant, analysis: dict[str, Any], entry: dict[str, Any]) -> Sentences:
    """Describes an entry of the analysis' list of mistakes."""
    hole = analysis["holes"][entry["hole"] - 1]
    names = [analysis["players"][seat["player"]] for seat in hole["seats"]]
    moves = next(seat["moves"] for seat in hole["seats"] if seat["player"] == entry["player"])
    move = next(move for move in moves if move["step"] == entry["step"])
    lost = words("coach_lost", name=analysis["players"][entry["player"]], amount=amount_lost(words, lost_by(entry)))
    placing, better = move["phase"] == "place", move["better"]
    against, why = Why(**move["why"]), weighed(Why(**better["why"]), move["loss"])
    played = move_in_words(words, move["played"], placing, move["face"])
    instead = move_in_words(words, better["move"], placing, move["face"], place=better["place"])
    praised = [] if why.key in SAYS_NOTHING else [reason_in_words(words, variant, why, names)]
    blamed = [reason_in_words(words, variant, against, names)] if speaks_against(against) else []
    return Sentences(
        words.sentences(words("terminal_label", label=when(words, variant, entry), text=lost)),
        words.sentences(words("coach_played", move=played), *blamed),
        words.sentences(words("coach_better", move=instead), *praised),
    )


def lost_by(entry: dict[str, Any]) -> Loss:
    return Loss(entry["loss"], entry["low"], entry["high"])


def when(words: Words, variant: Variant, entry: dict[str, Any]) -> str:
    """Returns the hole and the player's turn; turn 0 is the tee-off."""
    extra = entry["hole"] - int(variant.rules.holes)
    hole = words("page_playoff", number=extra) if extra > 0 else words("page_hole", hole=entry["hole"])
    if not entry["turn"]:
        return words("coach_when_tee_off", hole=hole)
    return words("coach_when", hole=hole, turn=entry["turn"])


def speaks_against(reason: Why) -> bool:
    """Returns whether the reason of a mistake says what it cost, and not only that another move is better."""
    return reason.key != "better" and "but" not in reason.params


def weighed(reason: Why, loss: float) -> Why:
    """Returns the reason for the better move, marked `part` if it explains only a part of the loss."""
    return reason if explains(reason, loss) else Why(reason.key, reason.params | {"part": 1})
