"""What the coach finds: the types that `advise` and `analyse` return, and that JSON and the browser get.

docs/analysis.md explains the fields. Losses, luck and shares are in strokes. Messages use these types, so this file
needs nothing but the standard library.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, fields, is_dataclass, replace
from typing import Any, Literal, TypeVar

CLOSE_CALL = 0.05  # strokes; moves this near to the best count as equal, whatever their interval
PLACES = 9  # decimal places of numbers in JSON and messages: what follows is the noise of sums

Params = dict[str, str | float]  # not `int | float`: in a schema a count would be both
MovePhase = Literal["tee_off", "take", "place", "flip"]
T = TypeVar("T", bound="Loss | Share")


@dataclass(frozen=True)
class Reason:
    """The reason for a move's rating: a key, which has its words in every language, and its parameters (reasons.py)."""

    key: str
    params: Params

    def by_player(self, players: Sequence[int]) -> "Reason":
        """Returns the same with the number of the player, where it had that of the player's seat in the hole."""
        if "player" not in self.params:
            return self
        return replace(self, params=self.params | {"player": players[int(self.params["player"])]})


@dataclass(frozen=True)
class Loss:
    """What a move costs against the best one: the posterior mean, and its 95 % interval if it is known."""

    loss: float
    low: float | None
    high: float | None


@dataclass(frozen=True, kw_only=True)
class RankedMove(Loss):
    """A legal move: its name and number, and the strokes against the field after it, as the net judges it."""

    move: str
    code: int
    worth: float
    equal: bool  # to the best one, as far as can be told


@dataclass(frozen=True, kw_only=True)
class Rated(RankedMove):
    """A legal move with its reason."""

    place: str | None  # for taking the top discard: the best slot for it
    why: Reason


@dataclass(frozen=True)
class Rollouts:
    """What a move cost against the best one when both were played out: the mean, and its 95 % interval."""

    playouts: int
    policy: str
    loss: float
    low: float
    high: float


@dataclass(frozen=True)
class Better:
    """The best move, where another one was played; `place` is as in Rated."""

    move: str
    code: int
    place: str | None
    why: Reason


@dataclass(frozen=True, kw_only=True)
class Decision(Loss):
    """A move of a match: what it gave away, and what else there was."""

    step: int
    move: int
    turn: int
    phase: MovePhase
    played: str
    code: int
    face: str | None
    worth: float
    equal: bool
    gifts: list[float]
    ranked: list[RankedMove]
    why: Reason | None = None  # this and the next two: unless it is equal
    better: Better | None = None
    layout: list[str | None] | None = None
    rollouts: Rollouts | None = None


@dataclass(frozen=True, kw_only=True)
class Mistake(Loss):
    """A decision that was worse than the best one."""

    hole: int
    player: int
    step: int  # steps of the hole before it; the first discard is the first step
    move: int  # the number of the written move in the record, from 1
    turn: int  # the player's turn in the hole, from 1; 0 for teeing off
    phase: MovePhase
    played: str
    face: str | None  # the card in hand, or the top discard, where the move is about it
    why: Reason
    better: Better
    layout: list[str | None]  # the player's, before the move; null for a face-down card


@dataclass(frozen=True)
class ShownCard:
    """A card that chance named, and its luck by seat."""

    step: int
    turn: int
    phase: str
    slot: str
    face: str
    luck: list[float]
    layout: list[str | None]  # the player's, before it; null for a face-down card


@dataclass(frozen=True, kw_only=True)
class TurningCard:
    """Of all cards of a match, the one that helped a player most, or that cost the player most."""

    whom: int  # the player whom it helped, or cost something
    luck: float  # what it changed for that player: strokes against the others; below 0 is good
    hole: int
    player: int  # in whose turn it came, or in whose layout it lay
    step: int  # this and the next as in Mistake
    turn: int
    slot: str  # where it lay face down, or stock
    face: str
    layout: list[str | None]  # of `player`, before it came


@dataclass(frozen=True)
class Share:
    """What makes a player's points: points = at_deal + luck + mistakes; mistakes is never negative."""

    points: int
    at_deal: float
    luck: float
    mistakes: float
    turns: int
    errors: int  # turns with a mistake

    @property
    def per_turn(self) -> float:
        return self.mistakes / max(1, self.turns)


@dataclass(frozen=True)
class LuckParts:
    own_cards: float
    others_cards: float
    gifts: float
    field: float
    evaluator: float


@dataclass(frozen=True, kw_only=True)
class SeatFindings(Share):
    """A player's share of a hole, with every decision and every card of the player's turns."""

    player: int
    luck_parts: LuckParts
    error_rate: float
    moves: list[Decision]
    cards: list[ShownCard]


@dataclass(frozen=True)
class HoleFindings:
    hole: int
    dealer: int
    closer: int | None
    seats: list[SeatFindings]


@dataclass(frozen=True, kw_only=True)
class Total(Share):
    """A player's share of the match."""

    player: int
    name: str
    error_rate: float


@dataclass(frozen=True)
class Analysis:
    game: str
    players: list[str]
    depth: str  # normal or deep
    holes: list[HoleFindings]
    totals: list[Total]
    error_rate: float

    @property
    def mistakes(self) -> list[Mistake]:
        """The moves that were worse than the best one, the costliest first."""
        return mistakes_in(self.holes)


def mistakes_in(holes: Iterable[HoleFindings]) -> list[Mistake]:
    """Returns the mistakes of the holes, the costliest first."""
    found = [
        only(Mistake, move, hole=hole.hole, player=seat.player)
        for hole in holes
        for seat in hole.seats
        for move in seat.moves
        if not move.equal
    ]
    return sorted(found, key=lambda mistake: -mistake.loss)


def turning_cards(holes: Iterable[HoleFindings]) -> list[TurningCard]:
    """Returns for each player in turn the luckiest card of the holes and the unluckiest; of equals the first."""
    found = [
        TurningCard(
            whom=whom.player,
            luck=luck,
            hole=hole.hole,
            player=seat.player,
            step=card.step,
            turn=card.turn,
            slot=card.slot,
            face=card.face,
            layout=card.layout,
        )
        for hole in holes
        for seat in hole.seats
        for card in seat.cards
        if card.phase != "deal"  # the first discard lies there for everyone
        for whom, luck in zip(hole.seats, card.luck, strict=True)
    ]
    luckiest = sorted(found, key=lambda card: (card.luck, card.hole, card.step))
    unluckiest = sorted(found, key=lambda card: (-card.luck, card.hole, card.step))
    players = sorted({card.whom for card in found})
    return [next(card for card in order if card.whom == one) for one in players for order in (luckiest, unluckiest)]


def summed(shares: Iterable[Share]) -> Share:
    every = list(shares)
    return Share(*(sum(getattr(share, field.name) for share in every) for field in fields(Share)))


def only(kind: type[T], found: Any, **more: Any) -> T:
    """Returns of a finding what another kind has too, and `more`: the Share of a Total, the Mistake of a Decision."""
    return kind(**more, **{field.name: getattr(found, field.name) for field in fields(kind) if field.name not in more})


def as_data(found: Any) -> Any:
    """Returns findings as data for JSON: rounded, and without what a field has by default."""
    if is_dataclass(found):
        told = [(field.name, getattr(found, field.name), field.default) for field in fields(found)]
        return {name: as_data(value) for name, value, default in told if value is not default}
    if isinstance(found, dict):
        return {key: as_data(value) for key, value in found.items()}
    if isinstance(found, list):
        return [as_data(value) for value in found]
    return round(float(found), PLACES) if isinstance(found, float) else found
