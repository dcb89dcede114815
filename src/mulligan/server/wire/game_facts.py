"""Builds the data that a client needs before it opens a table."""

import re
from dataclasses import replace
from functools import cache
from pathlib import Path
from typing import Any

from mulligan import __version__
from mulligan.game import house_rules, rulebook, variants
from mulligan.game.facts import GameFacts
from mulligan.game.options import OPTIONS, Value
from mulligan.game.variants import Variant, VariantError
from mulligan.game.words import Words
from mulligan.players import LEVELS
from mulligan.players.book_files import untrained

from .base import CHAT_LENGTH, NAME_LENGTH, PHRASES, REACTIONS, WIRE_VERSION
from .facts import Facts, PlayerFacts
from .house_rules import Choice, HouseOption, HouseRules

MOST_DOTS = 40  # in a line: a key of thousands of parts takes long to read, and no variant has one


def facts(origin: str, announcement: str = "") -> Facts:
    """Returns the games, computer players and limits. `origin` is the beginning of links to share."""
    return Facts(
        version=__version__,
        wire_version=WIRE_VERSION,
        languages=list(rulebook.LANGUAGES),
        games=[variants.load(name).facts for name in variants.names()],
        players=[PlayerFacts(name=name, untrained=untrained_in(name)) for name in LEVELS],
        phrases=list(PHRASES),
        reactions=list(REACTIONS),
        name_length=NAME_LENGTH,
        chat_length=CHAT_LENGTH,
        origin=origin,
        announcement=announcement,
    )


@cache
def untrained_in(player: str) -> list[str]:
    """Returns the games that a computer player has no book for."""
    games = map(variants.load, variants.names())
    return [game.name for game in games if untrained([player], by_seats(game))]


def by_seats(variant: Variant) -> list[Any]:
    """Returns the rules for every number of seats (1.2)."""
    return [variants.for_seats(variant, seats).rules for seats in variant.seats]


def house_rules_of(variant: Variant, language: str) -> HouseRules:
    """Returns a game with its house rules, and all that it offers, in a language."""
    offered = (variant.unpatched or variant.facts).options
    return HouseRules(
        game=variant.name,
        house_rules=dict(variant.match),
        text=house_rules.write(variant.match),
        file=house_rules.in_file(variant),
        facts=variant.facts,
        options=[
            option_of(Words(language), variant, option, offered.get(option, []))
            for option in OPTIONS
            if option in offered or option in variant.match
        ],
        untrained=untrained(LEVELS, by_seats(variant)),
    )


def option_of(words: Words, variant: Variant, option: str, offered: list[Value]) -> HouseOption:
    """Returns an option with the values that the game offers, and the chosen one."""
    chosen = variant.match.get(option)
    values = offered if chosen is None or chosen in offered else [*offered, chosen]
    return HouseOption(
        option=option,
        name=house_rules.name_of(words, option),
        rules=list(house_rules.rules_of(variant, option)),
        choices=[
            Choice(
                value,
                house_rules.value_of(words, option, value),
                house_rules.value_sentence(words, variant, option, value),
            )
            for value in values
        ],
        chosen=values[0] if chosen is None else chosen,
    )


def facts_of_file(name: str, text: str) -> GameFacts:
    """Returns the facts of a user's variant, given the text of its file. Raises VariantError."""
    stem = re.sub(r"[^\w-]+", "_", name)[:40] or "own"
    if stem in variants.names() and text != variants.load(stem).text:
        stem += "_own"  # so that it is not confused with the shipped variant
    if any(line.count(".") > MOST_DOTS for line in text.split("\n")):
        raise VariantError(f"{stem}.toml: is nested too deeply to be a variant.")
    variant = variants.parse.__wrapped__(text, Path(f"{stem}.toml"))  # not cached: users' files would fill the cache
    if variant.match:  # a file of house rules: the game's own name means the game without them
        return replace(variant.facts, name=stem, options={})
    return variant.facts
