"""Builds the data that a client needs before it opens a table."""

import re
from pathlib import Path

from mulligan import __version__
from mulligan.game import rulebook, variants
from mulligan.game.facts import GameFacts
from mulligan.players import LEVELS

from .base import CHAT_LENGTH, NAME_LENGTH, PHRASES, REACTIONS, WIRE_VERSION
from .facts import Facts, PlayerFacts


def facts(origin: str) -> Facts:
    """Returns the games, computer players and limits. `origin` is the beginning of links to share."""
    return Facts(
        version=__version__,
        wire_version=WIRE_VERSION,
        languages=list(rulebook.LANGUAGES),
        games=[variants.load(name).facts for name in variants.names()],
        players=[PlayerFacts(name=name) for name in LEVELS],
        phrases=list(PHRASES),
        reactions=list(REACTIONS),
        name_length=NAME_LENGTH,
        chat_length=CHAT_LENGTH,
        origin=origin,
    )


def facts_of_file(name: str, text: str) -> GameFacts:
    """Returns the facts of a user's variant, given the text of its file. Raises VariantError."""
    stem = re.sub(r"[^\w-]+", "_", name)[:40] or "own"
    if stem in variants.names() and text != variants.load(stem).text:
        stem += "_own"  # so that it is not confused with the shipped variant
    return variants.parse.__wrapped__(text, Path(f"{stem}.toml")).facts  # not cached: users' files would fill the cache
