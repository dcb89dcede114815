"""What travels about score cards to print: the part of messages.py that is about paper."""

from typing import Literal

import msgspec

from .messages import GameFacts, Thing

Paper = Literal["a4", "letter"]


class CardHole(Thing):
    """A hole that is over: what it cost each player, null for who sat out a play-off, and who dealt if known."""

    points: list[int | None]
    dealer: int | None = None


class CardWish(Thing):
    """A score card to print; holes beyond those of a match are play-off holes, an empty name is left to write in."""

    game: str
    players: list[str]  # in the order of the seats
    language: str
    paper: Paper
    rules: GameFacts | None = None  # of a variant that is not the server's
    dealer: int | None = None  # of the first hole, null while nobody knows
    holes: list[CardHole] = msgspec.field(default_factory=list)
    winners: list[int] = msgspec.field(default_factory=list)
