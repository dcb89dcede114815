"""HTTP: games with real cards, for the coach; and matches that a device has played without the server.

The browser sends the whole game so far with each request; the server stores nothing.
"""

import msgspec

from .base import Thing
from .events import Event
from .view import View


class HoleEntered(Thing):
    """A hole so far: its moves as in a record, or pieces of moves (game/draft.py)."""

    first_discard: str | None = None
    moves: list[str] = msgspec.field(default_factory=list)
    reveal: dict[str, list[str]] = msgspec.field(default_factory=dict)  # by player, as in a record


class CardboardGame(Thing):
    """A game with real cards; all holes but the last are over."""

    game: str
    players: list[str]  # in seat order
    dealer: int  # of the first hole
    holes: list[HoleEntered] = msgspec.field(default_factory=list)
    house_rules: dict[str, int | str] = {}
    computers: list[str] | None = None  # of a device's own match: who plays each seat, "" for a person


class HoleWritten(Thing):
    """A hole as written in a record, and its moves in pieces; `points` is null until it is over."""

    dealer: int
    seats: list[int]
    first_discard: str | None
    moves: list[str]
    reveal: dict[str, list[str]]
    points: list[int] | None  # of the players in `seats`
    pieces: list[str]


class Awaited(Thing):
    """The face-down card to turn up next, after the last turns (4.3)."""

    seat: int
    slot: str


class CardboardTable(Thing):
    """The state of a game with real cards after all moves entered so far."""

    view: View
    what: list[Event]  # the events of the last move or piece of a move
    awaited: Awaited | None
    stock: dict[str, int]  # while a hole is played: how many cards of each face may still be drawn from the stock
    unseen: dict[str, int]  # how many cards of each face may be face down
    dealer: int  # of the current or next hole
    seats: list[int]  # the players in that hole: in a play-off not all of them (6.3)
    holes: list[HoleWritten]


class CardboardPosition(Thing):
    """A position with real cards; layouts are written row by row, seats count from 0."""

    game: str
    layouts: list[str]
    discard: str
    turn: int
    held: str | None = None  # the card just drawn from the stock
    taken: bool = False  # the top discard is in hand
    discarded: bool = False  # the top discard was just drawn and discarded
    closer: int | None = None  # the seat that closed, if several have all cards open
    gone: list[str] = msgspec.field(default_factory=list)  # known cards below the top of the discard pile
    house_rules: dict[str, int | str] = {}


class CardboardKept(Thing):
    """The id of the finished match saved from the entered holes; it opens at /g/{game}."""

    game: str
