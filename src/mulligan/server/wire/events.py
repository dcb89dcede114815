"""The public events of a table: sent to every client and written to the event log."""

from .base import Holes, LentWhy, Message, Phrase, Reaction, SeatKind
from .tables import TableOptions
from .view import Step


class Sat(Message):
    """A person sat down, or a computer player was seated."""

    seat: int
    name: str
    kind: SeatKind
    player: str = ""


class Left(Message):
    """A player left their seat or was removed from it."""

    seat: int
    name: str


class SeatGone(Message):
    """An open seat was removed before the start; the seats after it move up."""

    seat: int


class Lent(Message):
    """A computer player plays for a person."""

    seat: int
    player: str
    why: LentWhy = "asked"  # "absent": the person was away; "clock": the turn timeout expired; "agreed": PlayOn


class GaveBack(Message):
    seat: int


class Ready(Message):
    """A player is ready for the next hole or, after a match, for a rematch."""

    seat: int


class Sealed(Message):
    """The seed of the next pack was fixed before players add seeds; `commitment` is its SHA-256 (docs/fairness.md)."""

    game: str  # the match, by the id of its finished match
    hole: int  # 0 for the draw for the deal (2.1)
    commitment: str


class SeedAdded(Message):
    """A player's device added a seed to the sealed pack."""

    seat: int
    seed: str


class Unsealed(Message):
    """The hole is over and the seed of its pack is revealed."""

    game: str
    hole: int
    seed: str


class OptionsSet(Message):
    options: TableOptions


class Started(Message):
    """A match begins; `match` is 2 for the first rematch."""

    match: int
    without_seed: list[int] = []  # as in Dealt, for the draw


class Drew(Message):
    """A player drew a card for the first deal (2.1); rounds count from 1."""

    round: int
    seat: int
    face: str


class DealerDrawn(Message):
    """The first dealer was determined (2.1)."""

    seat: int


class Dealt(Message):
    """The layouts were dealt face down and the first discard was turned up (2.2, 2.3)."""

    hole: int
    playoff: int
    dealer: int
    seats: list[int]
    first_discard: str
    without_seed: list[int] = []  # seats of present players whose devices added no seed in time


class Resumed(Message):
    """At a practice table: the position is restored and the unseen cards are shuffled again."""


class TookBack(Message):
    """A step that revealed nothing was taken back: "D" or "-"."""

    seat: int
    move: str
    face: str


class Revealed(Message):
    """A face-down card was turned up at the end of the hole (4.3)."""

    seat: int
    slot: str
    face: str


class HoleOver(Message):
    hole: int
    playoff: int
    points: list[int | None]  # by seat


class MatchOver(Message):
    winners: list[int]
    totals: list[int]
    game: str  # the id of the finished match, which opens at /g/{game}


class GivenUp(Message):
    """The match ended without a winner."""

    hole: int


class Said(Message):
    seat: int
    phrase: Phrase


class Reacted(Message):
    seat: int
    reaction: Reaction


class Chatted(Message):
    seat: int
    text: str


class HostChanged(Message):
    """The person of this seat owns the table now."""

    seat: int


class Agreed(Message):
    """The player on seat `by` agrees to play on without the person on `seat`."""

    seat: int
    by: int


class HereAgain(Message):
    """The person is here again, so nobody agrees to play on without them any more."""

    seat: int


class Renamed(Message):
    """The person of this seat took another name."""

    seat: int
    name: str


class GameChosen(Message):
    """The next matches are of this game, with these house rules and so many holes; the table is as before a match."""

    game: str
    house_rules: dict[str, int | str]
    holes: Holes


Event = (
    Sat
    | Left
    | SeatGone
    | Lent
    | GaveBack
    | Ready
    | Sealed
    | SeedAdded
    | Unsealed
    | OptionsSet
    | Started
    | Drew
    | DealerDrawn
    | Dealt
    | Resumed
    | Step
    | TookBack
    | Revealed
    | HoleOver
    | MatchOver
    | GivenUp
    | Said
    | Reacted
    | Chatted
    | HostChanged
    | Renamed
    | GameChosen
    | Agreed
    | HereAgain
)
