"""Says the reasons of the coach in the words of the browser (web/messages/reasons)."""

from collections.abc import Sequence

from mulligan.engine.rules import lines_cross
from mulligan.game.variants import Variant
from mulligan.game.words import Words, minus

from .calibration import Loss
from .move_words import move_alone
from .reasons import Why


def reason_in_words(words: Words, variant: Variant, reason: Why, names: Sequence[str]) -> str:
    """Returns the reason as a sentence, and its limit as another one; `names` are the players' by seat."""
    params = reason.params
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
