"""The messages from client to server. A command repeated with the same id is executed once."""

from .base import Message, Phrase, Reaction
from .tables import TableOptions


class Hello(Message):
    """Must be the first message. `last_event` is 0 on the first visit; a reconnecting tab replaces its old socket."""

    client_version: int
    last_event: int = 0
    tab: str = ""


class Ping(Message):
    n: int


class Hurry(Message):
    """Skips computer players' pauses until a person's turn, if only one person is present. Has no response."""


class Command(Message):
    """A request to change the table, with an id chosen by the client."""

    id: str


class Sit(Command):
    seat: int  # -1 for any open seat
    name: str


class Leave(Command):
    seat: int


class Start(Command):
    """Starts the first match. Open seats are filled with the named computer player, if any."""

    fill: str = ""


class Play(Command):
    seat: int
    move: str


class TakeBack(Command):
    seat: int


class NextHole(Command):
    """Marks me as ready after the draw (2.1) or a hole. The next hole is dealt when all present players are ready."""


class Say(Command):
    seat: int
    phrase: Phrase


class React(Command):
    seat: int
    reaction: Reaction


class Chat(Command):
    seat: int
    text: str


class Lend(Command):
    seat: int
    player: str = ""


class GiveBack(Command):
    seat: int


class Remove(Command):
    """Removes a player from a seat, or an open seat before the start. Owner only."""

    seat: int


class Readmit(Command):
    """Lets removed players sit down again. Owner only."""


class NewLink(Command):
    """Creates a new link to the table; the old one stops working for new guests. Owner only."""


class FillSeat(Command):
    """Seats a computer player on an open seat. Only for the owner, or for seated players while the owner is absent."""

    seat: int
    player: str
    name: str = ""


class SetOptions(Command):
    options: TableOptions


class Rematch(Command):
    """Votes for a rematch. It begins when all present players have voted."""


class GiveUp(Command):
    """Ends the match without a winner."""


class AddSeed(Command):
    """Adds a seed from the player's device to the next shuffle: 32 hexadecimal digits.

    `commitment` names the sealed pack it is for. Without it, the seed goes into whichever pack is sealed.
    """

    seat: int
    seed: str
    commitment: str = ""


class Offer(Command):
    """Prepares to move my seats to another device, which must present the key: 32 hexadecimal digits."""

    key: str


class MoveHere(Command):
    """Moves all seats of the guest who offered this key to me."""

    key: str


ClientMessage = (
    Hello
    | Ping
    | Hurry
    | Sit
    | Leave
    | Start
    | Play
    | TakeBack
    | NextHole
    | Say
    | React
    | Chat
    | Lend
    | GiveBack
    | Remove
    | Readmit
    | NewLink
    | FillSeat
    | SetOptions
    | Rematch
    | GiveUp
    | AddSeed
    | Offer
    | MoveHere
)
