"""A table before a match begins or a hole is dealt, so that a read can begin there and not at the start of the log.

It is only a cache: the log stays the only truth.
"""

from typing import Any

import msgspec

from mulligan.game.hole import Game
from mulligan.game.variants import Variant
from mulligan.server.wire.base import Thing
from mulligan.server.wire.events import Chatted, Said
from mulligan.server.wire.tables import TableOptions
from mulligan.server.wire.view import CardLine

from .log_entries import Offered
from .pack import Seal
from .seat import Seat

RECENT = 1000  # entries before a start whose events and commands are remembered afterwards


class Score(Thing):
    """A match between two holes."""

    players: list[str]
    match: dict[str, Any]  # the fields of the engine's MATCH
    holes: msgspec.Raw  # the record of the finished ones, in its own order of keys
    counted: int


class Chosen(Thing):
    """The game that was chosen last, if it is not the one that the table was opened with."""

    game: str
    rules: str
    house_rules: dict[str, int | str]


class State(Thing, forbid_unknown_fields=True):
    """What a table knows then, besides its first entry. The fields are named as in Table."""

    event: int
    settled: int
    length: int
    talked: int
    match: int
    owner: str
    chosen: Chosen | None
    options: TableOptions
    seats: list[Seat]
    finished: list[str]
    removed: set[str]
    first_guests: dict[str, str]
    ready: set[int]
    links: list[str]
    watches: list[str]
    together: bool
    secret: bytes
    sealed: Seal | None
    offers: dict[str, Offered]
    talk: list[Said | Chatted]
    draws: list[list[str | None]]
    card: list[CardLine]
    game: Score | None


write = msgspec.json.Encoder(order="deterministic").encode
read = msgspec.json.Decoder(State).decode


def score_of(game: Game | None) -> Score | None:
    if game is None:
        return None
    match = {name: game.match[name].tolist() for name in game.match.dtype.names}
    return Score(game.players, match, msgspec.Raw(msgspec.json.encode(game.holes)), game.counted)


def game_of(score: Score | None, variant: Variant) -> Game | None:
    """Returns the match of a score. Raises ValueError if the engine has no such field."""
    if score is None:
        return None
    game = Game(variant, score.players, dealer=0)
    for name, value in score.match.items():
        game.match[name] = value
    game.holes, game.counted = msgspec.json.decode(score.holes), score.counted
    return game
