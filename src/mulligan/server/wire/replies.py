"""The messages from server to client."""

from mulligan.game.facts import GameFacts

from .base import ClockWhy, KnockState, Message, Params, Thing, Where
from .events import Chatted, Event, Said, Sealed
from .view import View


class Welcome(Message):
    """The response to Hello, sent again when the guest's seats change."""

    you: list[int]  # the guest's seats
    owner: bool
    event: int  # the number of the last event in `view`
    view: View
    missed: list[Event] = []  # the events since the client's last one, if the server still has them
    talk: list[Said | Chatted] = []  # the latest chat messages and phrases
    watchers: int = 0
    sealed: Sealed | None = None  # the pack of the next hole, which accepts seeds
    removed: int = 0  # for the owner: how many guests may not sit down until the match is over
    barred: bool = False  # this guest was removed, and may not sit down until the match is over
    moved: bool = False  # another device has the seat that this guest had
    watch: str = ""  # the spectators' code in the table's current link; spectators themselves are not told
    link: str = ""  # for seated guests and the owner: the code in the table's current link
    facts: GameFacts | None = None  # of the game with the house rules of this table; null for a named game
    host_away: float = 0.0  # as in Presence
    starting: bool = False  # the server is starting: commands wait, and another Welcome follows


class Happened(Message):
    event: int  # the number of the last event in `what`
    what: list[Event]
    view: View


class Accepted(Message):
    """The command was executed and is saved on disk."""

    id: str


class Refused(Message):
    """The command was refused; nothing has changed."""

    id: str
    error: str
    params: Params = {}


class Presence(Message):
    """Where the players are, and the number of spectators."""

    present: list[Where]  # by seat
    watchers: int
    host_away: float = 0.0  # for how many seconds the owner has been absent; 0 if present


class Clock(Message):
    """The running timeout: of a seat, for the deal or for the next match; an empty `why` means none."""

    seat: int | None = None
    seconds: float = 0.0
    why: ClockWhy = ""


class Knocking(Thing):
    """Someone who would like to play, or says that a seat is theirs; `knock` is for the answer."""

    knock: int
    name: str
    seat: int | None = None  # whose person they say they are
    yes: list[int] = []  # the seats of those who have agreed to it


class AtDoor(Message):
    """Everyone who knocks at the table, for those who may answer."""

    knocks: list[Knocking]


class YourKnock(Message):
    """For the one who knocks: they wait, the answer was no, or nobody answered. `knock` is for taking it back."""

    state: KnockState
    knock: int = 0


class Pong(Message):
    n: int


class Announced(Message):
    """A text from the operator, to show until it is withdrawn; "" withdraws it. It comes before Welcome."""

    text: str


ServerMessage = Welcome | Happened | Accepted | Refused | Presence | Clock | AtDoor | YourKnock | Pong | Announced
