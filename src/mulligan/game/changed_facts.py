"""Finds the facts in which house rules differ from the named game, and what in the rule book rests on them.

Facts have the names of the keys in a variant file: `tee_off.cards`, and `K.points` for a face. HAS_RULE names more.
"""

from collections.abc import Callable, Iterable
from typing import Any

from .facts import SHOWN, FaceFacts, GameFacts, as_in_file, entries

OF_A_FACE = tuple(entries(FaceFacts))


def has_low_lines(facts: GameFacts) -> bool:
    return any(face.line_points < 0 for face in facts.faces)


# Whether a game has a rule at all, for paragraphs that only say which games have it.
HAS_RULE: dict[str, Callable[[GameFacts], bool]] = {
    "has_tee_off": lambda facts: facts.tee_off > 0,  # 2.4
    "has_low_lines": has_low_lines,  # 5.3
    "has_bonus": lambda facts: any(facts.bonus),  # 5.4
    "has_low_bonus": lambda facts: any(facts.bonus) and not facts.bonus_replaces and has_low_lines(facts),  # 5.5
    "has_penalty": lambda facts: facts.closer_penalty > 0 or facts.penalty_factor > 1,  # 5.6
}


def changed(own: GameFacts, facts: GameFacts) -> frozenset[str]:
    """Returns the keys of the facts in which two games differ."""
    before, after = stated(own), stated(facts)
    return frozenset(key for key in before | after if before.get(key) != after.get(key))


def stated(facts: GameFacts) -> dict[str, Any]:
    """Returns the rules of a game by their names, without what says that a line or several lines bring nothing."""
    table = as_in_file(facts)
    faces = table.pop("faces")
    found = {key: value for key, value in table.items() if key not in SHOWN}
    found |= {f"{face}.{key}": value for face, one in faces.items() for key, value in one.items()}
    nothing = {"bonus.lines": not any(facts.bonus)} | {f"{face}.line": not one["line"] for face, one in faces.items()}
    stated = {key: value for key, value in found.items() if not nothing.get(key)}
    return stated | {name: has_rule(facts) for name, has_rule in HAS_RULE.items()}


def rests_on(names: Iterable[str], keys: frozenset[str]) -> bool:
    """Returns whether one of the names means one of the keys.

    A name is a key, a table of keys (`tee_off`, `K`), or `copies`, `points` or `line` for those of every face.
    """
    return any(means(name, key) for name in names for key in keys)


def means(name: str, key: str) -> bool:
    return key == name or key.startswith(f"{name}.") or (name in OF_A_FACE and key.endswith(f".{name}"))
