"""The messages from server to client."""

from mulligan.game.facts import GameFacts

from .base import ClockWhy, Message, Params
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
    link: str = ""  # for seated guests and the owner: the code in the table's current link
    facts: GameFacts | None = None  # of the game with the house rules of this table; null for a named game
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
    """The seats whose players are connected, and the number of spectators."""

    present: list[bool]  # by seat
    watchers: int


class Clock(Message):
    """The running timeout: of a seat, for the deal or for the next match; an empty `why` means none."""

    seat: int | None = None
    seconds: float = 0.0
    why: ClockWhy = ""


class Pong(Message):
    n: int


class Announced(Message):
    """A text from the operator, to show until it is withdrawn; "" withdraws it. It comes before Welcome."""

    text: str


ServerMessage = Welcome | Happened | Accepted | Refused | Presence | Clock | Pong | Announced
