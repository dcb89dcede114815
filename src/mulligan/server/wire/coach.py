"""HTTP: hints, and the analysis of finished matches. All losses are in strokes.

A reason is a code with parameters; the client translates it.
"""

from .base import MovePhase, Pace, Params, Thing


class Reason(Thing):
    """The reason for a move's rating; `code` is one of REASONS."""

    code: str
    params: Params


class Rated(Thing):
    """A legal move and its expected loss against the best move: 0 for the best.

    `low` and `high` are the 95 % interval of the loss, null if it is unknown; `equal`: it may as well be 0.
    """

    move: str
    loss: float
    low: float | None
    high: float | None
    equal: bool
    reason: Reason
    place: str | None  # for taking the top discard: the best slot for it


class HintRequest(Thing):
    seat: int


class Hint(Thing):
    """All legal moves of a position, best first; `event` is the number of the table's last event at that time."""

    event: int
    seat: int
    phase: MovePhase
    moves: list[Rated]


class Share(Thing):
    """The parts of a player's points: points = at_deal + luck + mistakes; mistakes is never negative."""

    points: int
    at_deal: float
    luck: float
    mistakes: float
    turns: int
    errors: int  # turns with a mistake


class HoleStory(Thing):
    """The shares of one hole by player, null for players who sat out."""

    hole: int
    playoff: int
    shares: list[Share | None]


class Mistake(Thing):
    """A move that is worse than the best one; `low` and `high` are as for Rated.

    `step` is the position in the hole's replay before the move.
    """

    hole: int
    step: int
    turn: int  # the player's turn in the hole, from 1; 0 for teeing off
    seat: int
    phase: MovePhase
    move: str
    face: str | None  # the card that was moved or taken, if it was visible
    loss: float
    low: float | None
    high: float | None
    better: str  # the best move
    knocks: bool  # whether to take no card, `.`, is a knock (3.8); else a last turn is declined (4.2)
    place: str | None  # if `better` takes the top discard: the best slot for it
    reason: Reason  # why `better` is better
    layout: list[str | None]  # the player's layout before the move
    against: Reason | None  # what the played move cost; null if the reason only names the better move


class Analysis(Thing):
    """The analysis of a finished match: luck and mistakes of each player."""

    id: str
    holes: list[HoleStory]
    totals: list[Share]  # by player, over all holes
    mistakes: list[Mistake]  # largest loss first


class RefinedHole(Thing):
    """One hole of an analysis again, after its costliest moves were played out: what changes in the analysis."""

    hole: HoleStory
    mistakes: list[Mistake]  # of this hole, largest loss first


class MulliganRequest(Thing):
    """Plays on from a step of a hole on one seat; computer players take the other seats."""

    hole: int
    step: int
    seat: int
    player: str = ""  # plays the seats that persons had; "" chooses the default replacement
    pace: Pace = "normal"
