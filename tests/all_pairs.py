"""Sets of house rules in which every two values of two options occur together, unless they do not fit."""

from dataclasses import replace
from functools import cache
from itertools import combinations

from mulligan.game import house_options, variants
from mulligan.game.facts import GameFacts
from mulligan.game.house_options import OPTIONS, Value
from mulligan.game.variants import OptionError, Variant

Patch = dict[str, Value]
Pair = frozenset[tuple[str, Value]]


def offered(facts: GameFacts) -> dict[str, list[Value]]:
    """The options of a game, those of a kind with numbers also with the least and the most there can be."""
    slots = facts.rows * facts.columns
    wide = {}
    for name, values in facts.options.items():
        numbers = OPTIONS[name].numbers or range(0)
        extreme = [numbers[0], min(numbers[-1], slots - 1) if name == "tee_off" else numbers[-1]] if numbers else []
        wide[name] = list(dict.fromkeys([*values, *extreme]))
    return wide


def fits(facts: GameFacts, patch: Patch) -> bool:
    try:
        variants.check_house_rules(house_options.change(facts, patch))
    except OptionError:
        return False
    return True


def pairs_of(patch: Patch) -> set[Pair]:
    return set(map(frozenset, combinations(patch.items(), 2)))


@cache
def with_all_pairs(game: str) -> list[tuple[Patch, Variant]]:
    """The sets of a game of the package, each with the game under it."""
    own = variants.load(game)
    wide = replace(own, facts=replace(own.facts, options=offered(own.facts)))
    return [(patch, variants.for_match(wide, patch)) for patch in all_pairs(wide.facts)]


def all_pairs(facts: GameFacts) -> list[Patch]:
    """The sets of a game: each begins with a missing pair, and goes on with the values that add most."""
    wide = facts.options
    values = [(name, value) for name in wide for value in wide[name]]
    every = [pair for pair in combinations(values, 2) if pair[0][0] != pair[1][0]]
    missing = dict.fromkeys(map(frozenset, every))  # which keeps the order
    found = []
    while missing:
        patch = dict(pair := next(iter(missing)))
        if not fits(facts, patch):
            del missing[pair]
            continue
        for name in wide:
            if name not in patch:
                ranked = sorted(
                    wide[name],
                    key=lambda value: -sum(frozenset([one, (name, value)]) in missing for one in patch.items()),
                )
                patch[name] = next(value for value in ranked if fits(facts, {**patch, name: value}))
        found.append(patch)
        for pair in pairs_of(patch):
            missing.pop(pair, None)
    return found
