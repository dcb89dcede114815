"""What the coach says: the part of messages.py that is about the worth of moves. All worths are in strokes.

A reason is a code with what it speaks of; the client puts it into words.
"""

from .messages import MovePhase, Pace, Params, Thing


class Reason(Thing):
    """Why a move is what it is; `code` is one of REASONS."""

    code: str
    params: Params


class Rated(Thing):
    """A legal move, and what it gives away against the best one: 0 for the best."""

    move: str
    loss: float
    reason: Reason
    place: str | None  # for taking the top discard, the slot where it goes best


class HintWish(Thing):
    seat: int


class Hint(Thing):
    """All legal moves of a position, the best one first; `event` is the number of the table's last event then."""

    event: int
    seat: int
    phase: MovePhase
    moves: list[Rated]


class Share(Thing):
    """What made a player's points: points = at_deal + luck + mistakes, where mistakes are never below 0."""

    points: int
    at_deal: float
    luck: float
    mistakes: float
    turns: int
    errors: int  # of these turns, those in which something was given away


class HoleStory(Thing):
    """The shares of one hole by player, null for who sat out."""

    hole: int
    playoff: int
    shares: list[Share | None]


class Mistake(Thing):
    """A move that gave something away. `step` is the position in the replay of its hole, before that move."""

    hole: int
    step: int
    turn: int  # of that player in that hole, from 1
    seat: int
    phase: MovePhase
    move: str
    face: str | None  # the card it was about, if one lay open
    loss: float
    better: str  # the best move
    place: str | None  # where that card goes best, if it is to take the top discard
    reason: Reason  # why that is better
    against: Reason | None  # what speaks against the move played, where that is more than the better one's reason


class Analysis(Thing):
    """A finished game in luck and skill."""

    id: str
    holes: list[HoleStory]
    totals: list[Share]  # by player, over all holes
    mistakes: list[Mistake]  # the dearest first


class MulliganWish(Thing):
    """Play on from that many steps after the deal of that hole, on that seat; the others are computer players'."""

    hole: int
    step: int
    seat: int
    player: str = ""  # for the seats that were people's; "" is who stands in for absent ones
    pace: Pace = "normal"
