"""The messages from client to server. A command repeated with the same id is executed once."""

from .base import Holes, Message, Phrase, Reaction
from .tables import TableOptions


class Hello(Message):
    """Must be the first message. `last_event` is 0 on the first visit; a reconnecting tab replaces its old socket.

    `visible` is false for a page in the background.
    """

    client_version: int
    last_event: int = 0
    tab: str = ""
    visible: bool = True


class Ping(Message):
    n: int


class Here(Message):
    """Says that the page was brought to the front or hidden. Has no response."""

    visible: bool


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
    """Removes a player from a seat, or an open seat before the start; `renew` makes both links new. Owner only."""

    seat: int
    renew: bool = False


class Readmit(Command):
    """Lets removed players sit down again. Owner only."""


class NewLink(Command):
    """Creates a new link to the table; the old one stops working for new guests. Owner only.

    `watch` also creates a new link for spectators; the old one stops working.
    """

    watch: bool = False


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


class HandOver(Command):
    """Makes the person of a seat the owner. Owner only."""

    seat: int


class PlayOn(Command):
    """Agrees to let a computer player play for a person who is elsewhere or away, or to move and still for long.

    It does when the owner agrees, or more than half of the seated guests who are here.
    """

    seat: int


class TakeOver(Command):
    """Makes me the owner, if the owner has been absent for long."""


class OpenSeat(Command):
    """Opens a computer player's seat or, between matches, that of a person who has been away for long. Owner only."""

    seat: int


class Rename(Command):
    """Gives me another name at this seat."""

    seat: int
    name: str


class Next(Command):
    """Between matches: the next ones are of another game, with other house rules or of another length. Owner only."""

    game: str
    house_rules: dict[str, int | str] = {}
    holes: Holes = 0


class Knock(Command):
    """Asks to play at a full table, under this name, or for a seat that I held with another cookie.

    The one who leads the table answers.
    """

    name: str = ""
    seat: int | None = None


class AnswerKnock(Command):
    """Gives someone who knocks a computer player's seat or the one that is theirs, or says no.

    For those who lead the table. Without the owner, more than half of the players here must agree to give a person's.
    With no, who knocks takes it back.
    """

    knock: int  # as in AtDoor, or YourKnock
    yes: bool


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
    | HandOver
    | TakeOver
    | OpenSeat
    | Rename
    | Next
    | Knock
    | AnswerKnock
    | Here
    | PlayOn
)
