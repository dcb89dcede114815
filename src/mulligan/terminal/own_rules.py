"""Finds the rule set of the book nearest to a player's own variant, and lists the differences."""

from typing import Any, NamedTuple

from mulligan.game import house_rules, variants
from mulligan.game.facts import SHOWN, as_in_file
from mulligan.game.variants import Variant
from mulligan.game.words import Words

MOST = 8  # differences listed at most


class Nearest(NamedTuple):
    """The nearest game of the rule book and one line that lists the differences; empty if there are none."""

    game: str
    line: str


def nearest(words: Words, variant: Variant) -> Nearest:
    """Returns the rule set of the book with the fewest differences; that of house rules is the named game."""
    if variant.match and variant.is_ours:
        return Nearest(variant.name, house_rules.told(words, variant))
    known = [variants.load(name) for name in variants.games()]
    base = min(known, key=lambda one: len(differences(words, variant, one)))
    found = differences(words, variant, base)
    if not found:
        return Nearest(base.name, "")
    more = [words("terminal_more", count=len(found) - MOST)] if len(found) > MOST else []
    own = f"{variant.title} ({variant.file.name})"
    listed = words.listed([*found[:MOST], *more])
    return Nearest(base.name, words("terminal_own_rules", game=words.game(base.facts), own=own, list=listed))


def differences(words: Words, variant: Variant, base: Variant) -> list[str]:
    """Lists the keys with different values, such as `holes 5 (not 9)`."""
    own, other = (
        flat({key: value for key, value in as_in_file(one.facts).items() if key not in SHOWN})
        for one in (variant, base)
    )
    return [
        words("terminal_difference", key=key, value=tell(words, own.get(key)), other=tell(words, other.get(key)))
        for key in {**own, **other}
        if own.get(key) != other.get(key)
    ]


def flat(table: dict[str, Any], prefix: str = "") -> dict[str, Any]:
    """Flattens inner tables to keys such as `faces.H.points`, after the other keys."""
    found: dict[str, Any] = {}
    for key, value in sorted(table.items(), key=lambda one: isinstance(one[1], dict)):
        if isinstance(value, dict):
            found |= flat(value, f"{prefix}{key}.")
        else:
            found[f"{prefix}{key}"] = value
    return found


def tell(words: Words, value: Any) -> str:
    if value is None:
        return words("terminal_none")
    return str(value).lower() if isinstance(value, bool) else str(value)
