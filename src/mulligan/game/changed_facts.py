"""Finds the facts in which house rules differ from the named game, and what in the rule book rests on them.

Facts have the names of the keys in a variant file: `tee_off.cards`, and `K.points` for a face.
"""

from collections.abc import Iterable
from typing import Any

from .facts import SHOWN, FaceFacts, GameFacts, as_in_file, entries

OF_A_FACE = tuple(entries(FaceFacts))


def changed(own: GameFacts, facts: GameFacts) -> frozenset[str]:
    """Returns the keys of the facts in which two games differ."""
    before, after = stated(own), stated(facts)
    return frozenset(key for key in before | after if before.get(key) != after.get(key))


def stated(facts: GameFacts) -> dict[str, Any]:
    """Returns the rules of a game by their keys, without what says that a line or several lines bring nothing."""
    table = as_in_file(facts)
    faces = table.pop("faces")
    found = {key: value for key, value in table.items() if key not in SHOWN}
    found |= {f"{face}.{key}": value for face, one in faces.items() for key, value in one.items()}
    nothing = {"bonus.lines": not any(facts.bonus)} | {f"{face}.line": not one["line"] for face, one in faces.items()}
    return {key: value for key, value in found.items() if not nothing.get(key)}


def rests_on(names: Iterable[str], keys: frozenset[str]) -> bool:
    """Returns whether one of the names means one of the keys.

    A name is a key, a table of keys (`tee_off`, `K`), or `copies`, `points` or `line` for those of every face.
    """
    return any(means(name, key) for name in names for key in keys)


def means(name: str, key: str) -> bool:
    return key == name or key.startswith(f"{name}.") or (name in OF_A_FACE and key.endswith(f".{name}"))
