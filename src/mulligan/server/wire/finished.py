"""HTTP: a finished match and its replay."""

from mulligan.game.facts import GameFacts

from .base import SeatKind, Thing
from .events import Event
from .view import CardLine, Practice, View


class FinishedSeat(Thing):
    name: str
    kind: SeatKind
    player: str
    total: int


class FinishedHole(Thing):
    hole: int
    playoff: int
    frames: int
    equal: list[int | None] = []  # by seat, the most cards of one face in the layout; null as in `points`


class FinishedGame(Thing):
    """The score card of a finished match; the replays of its holes are requested one by one."""

    id: str
    game: str
    watch: str
    match: int
    length: int  # number of holes in the match, without play-off holes
    seats: list[FinishedSeat]
    card: list[CardLine]
    totals: list[int]
    winners: list[int]
    holes: list[FinishedHole]
    practice: Practice | None  # the position it started from, if any; there is then no record and no shuffle to check
    real_cards: bool  # played with real cards, so there is no shuffle to check
    on_device: bool  # played on a device without the server, so there is none either
    house_rules: dict[str, int | str] = {}  # the options that differ from the named game
    facts: GameFacts | None = None  # with house rules; null for a named game
    opened: float = 0  # when the table was opened, in seconds since 1970; 0 if unknown


class Frame(Thing):
    """One position of a replay: the events that led to it, and the view after them."""

    what: list[Event]
    view: View


class HoleReplay(Thing):
    id: str
    hole: int  # from 1, continuing through play-off holes
    frames: list[Frame]
