"""HTTP: hints, and the analysis of finished matches. All losses are in strokes.

What the coach finds is sent as it is (coach/findings.py).
"""

from mulligan.coach.findings import Better as Better
from mulligan.coach.findings import Loss as Loss
from mulligan.coach.findings import Mistake, Rated, Share, TurningCard
from mulligan.coach.findings import Reason as Reason

from .base import MovePhase, Pace, Thing


class HintRequest(Thing):
    seat: int


class Hint(Thing):
    """All legal moves of a position, best first; `event` is the number of the table's last event at that time."""

    event: int
    seat: int
    phase: MovePhase
    moves: list[Rated]


class HintPosition(Thing):
    """What a hint is about, for a page that rates the moves with its own engine; `event` and `phase` as in Hint."""

    event: int
    seat: int
    phase: MovePhase
    layout: str  # of the records: a page that knows another one must not use it
    state: str  # a record of STATE, in base64
    seats: list[int]  # the players in the hole


class HoleShares(Thing):
    """The shares of one hole by player, null for players who sat out."""

    hole: int
    shares: list[Share | None]


class Analysis(Thing):
    """The analysis of a finished match: luck and mistakes of each player."""

    id: str
    holes: list[HoleShares]
    totals: list[Share]  # by player, over all holes
    mistakes: list[Mistake]  # largest loss first
    cards: list[TurningCard]  # of each player the luckiest, and the unluckiest


class RefinedHole(Thing):
    """One hole of an analysis again, after its costliest moves were played out: what changes in the analysis."""

    hole: HoleShares
    mistakes: list[Mistake]  # of this hole, largest loss first


class MulliganRequest(Thing):
    """Plays on from a step of a hole on one seat; computer players take the other seats."""

    hole: int
    step: int
    seat: int
    player: str = ""  # plays the seats that persons had; "" chooses the default replacement
    pace: Pace = "normal"
