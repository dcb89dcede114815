"""What travels about games at a real table: the part of messages.py for the coach for cardboard.

The browser tells the whole game each time, as far as it has gone, and the server keeps nothing of it.
"""

import msgspec

from .messages import Event, Thing, View


class HoleTold(Thing):
    """A hole as far as it has gone: its moves as in a record, or pieces of moves (written.py)."""

    first_discard: str | None = None
    moves: list[str] = msgspec.field(default_factory=list)
    reveal: dict[str, list[str]] = msgspec.field(default_factory=dict)  # by player, as in a record


class CardboardGame(Thing):
    """A game with real cards; all holes but the last are over."""

    game: str
    players: list[str]  # in the order of the seats
    dealer: int  # of the first hole
    holes: list[HoleTold] = msgspec.field(default_factory=list)


class HoleWritten(Thing):
    """A hole as it stands in a record, and its moves in pieces; no points while it is not over."""

    dealer: int
    seats: list[int]
    first_discard: str | None
    moves: list[str]
    reveal: dict[str, list[str]]
    points: list[int] | None  # of those who sit there
    pieces: list[str]


class Awaited(Thing):
    """The face-down card that is to be turned up next, after the last turns (4.3)."""

    seat: int
    slot: str


class CardboardTable(Thing):
    """The table of a game with real cards, after all that has been told."""

    view: View
    what: list[Event]  # what the last move or piece told brought about
    awaited: Awaited | None
    stock: dict[str, int]  # how many of each face can still come from the stock, while a hole is played
    unseen: dict[str, int]  # and how many can lie face down
    dealer: int  # of the hole that is played, or comes next
    seats: list[int]  # who sits there then: in a play-off not everybody (6.3)
    holes: list[HoleWritten]


class CardboardPosition(Thing):
    """A table as it lies, layouts written row by row; seats count from 0."""

    game: str
    layouts: list[str]
    discard: str
    turn: int
    held: str | None = None  # the card just drawn from the stock
    taken: bool = False  # the top discard is in hand
    thrown_away: bool = False  # the top discard was just drawn, and thrown away
    closer: int | None = None  # who closed, if several have every card open
    gone: list[str] = msgspec.field(default_factory=list)  # cards known to lie further down in the discard pile


class CardboardKept(Thing):
    """The finished game that the holes told became: opens at /g/{game}."""

    game: str
