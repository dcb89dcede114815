"""Builds the data that a client needs before it opens a table."""

import re
from dataclasses import replace
from functools import cache
from pathlib import Path
from typing import Any

from mulligan import __version__
from mulligan.game import house_rules, rulebook, variants
from mulligan.game.facts import GameFacts
from mulligan.game.house_options import OPTIONS, Value
from mulligan.game.variants import FileError, Variant
from mulligan.game.words import Words
from mulligan.players.net_files import untrained
from mulligan.players.roster import LEVELS

from .base import CHAT_LENGTH, NAME_LENGTH, PHRASES, REACTIONS, WIRE_VERSION
from .facts import Facts, PlayerFacts
from .offered_options import Choice, HouseOption, HouseRules

MOST_DOTS = 40  # in a line: a key of thousands of parts takes long to read, and no variant has one


def facts(origin: str, announcement: str = "", serverless: bool = False) -> Facts:
    """Returns the games, computer players and limits. `origin` is what links to share begin with, if known."""
    return Facts(
        version=__version__,
        wire_version=WIRE_VERSION,
        languages=list(rulebook.LANGUAGES),
        games=[variants.load(name).facts for name in variants.games()],
        players=[PlayerFacts(name=name, untrained=untrained_in(name)) for name in LEVELS],
        phrases=list(PHRASES),
        reactions=list(REACTIONS),
        name_length=NAME_LENGTH,
        chat_length=CHAT_LENGTH,
        origin=origin,
        announcement=announcement,
        serverless=serverless,
    )


@cache
def untrained_in(player: str) -> list[str]:
    """Returns the games that a computer player has no net for."""
    games = map(variants.load, variants.games())
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


def variant_of_file(name: str, text: str) -> Variant:
    """Returns a user's variant or house rules, given the text of their file. Raises FileError, VariantError."""
    file = Path(f"{own_name(name, text)}.toml")
    if any(line.count(".") > MOST_DOTS for line in text.split("\n")):
        raise FileError("nested").at("terminal_at_field", field=str(file))
    return variants.parse.__wrapped__(text, file)  # not cached: users' files would fill the cache


def facts_of_file(name: str, text: str) -> GameFacts:
    """Returns the facts of a user's variant or house rules under the name of their file. Raises VariantError."""
    variant = variant_of_file(name, text)
    if variant.match:  # the game's own name means the game without them
        return replace(variant.facts, name=own_name(name, text), options={})
    return variant.facts


def own_name(name: str, text: str) -> str:
    """Returns the name of a user's file as that of a game, which is not confused with a shipped one."""
    stem = re.sub(r"[^\w-]+", "_", name)[:40] or "own"
    return f"{stem}_own" if stem in variants.games() and text != variants.load(stem).text else stem
