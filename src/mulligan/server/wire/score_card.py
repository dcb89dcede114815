"""HTTP: score cards to print."""

from typing import Literal

import msgspec

from mulligan.game.facts import GameFacts

from .base import Thing

Paper = Literal["a4", "letter"]
Court = Literal["JQK", "VDR", "BDK"]


class CardHole(Thing):
    """A finished hole: each player's points, null for players who sat out a play-off, and the dealer if known."""

    points: list[int | None]
    dealer: int | None = None


class CardRequest(Thing):
    """A score card to print; holes beyond the match length are play-off holes, an empty name leaves a blank line."""

    game: str
    players: list[str]  # in seat order
    language: str
    paper: Paper
    rules: GameFacts | None = None  # of a variant that the server does not ship
    dealer: int | None = None  # of the first hole, null if unknown
    holes: list[CardHole] = msgspec.field(default_factory=list)
    winners: list[int] = msgspec.field(default_factory=list)
    court: Court | None = None  # the letters on jack, queen and king; null for the usual ones of the language
