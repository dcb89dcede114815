"""Every message of the browser game: the one definition for the wire, the log and the client's types.

Each struct on a socket names itself in the field `is`. Cards travel as the face on them ("7", "H",
"*"); a card lying face down is null, and no message has room for what it is. Seats are the players'
numbers for the whole match. A move is text: a slot ("a1"), "S" or "D" for the pile a card is taken
from, "-" to throw it away, "." to leave the last card face down.
"""

from typing import Literal

import msgspec

WIRE_VERSION = 2  # changes when an old client would misread a message

NAME_LENGTH = 20  # characters of a player's name
CHAT_LENGTH = 200
VARIANT_LENGTH = 8000  # characters of a variant's file; those of the package have below 2,000
PACES = ("slow", "normal", "fast", "instant")
PHRASES = (
    "hello",
    "good_luck",
    "have_fun",
    "nice",
    "well_played",
    "lucky",
    "bad_luck",
    "oh_no",
    "your_turn",
    "thinking",
    "sorry",
    "thanks",
    "one_more",
    "back_soon",
    "good_game",
    "bye",
)
REACTIONS = ("clap", "laugh", "wow", "sad", "love", "fire", "flag", "ball")
ERRORS = (  # every code of an ErrorNote or a Refused
    "bad_request",
    "bad_seed",
    "bad_variant",
    "chat_empty",
    "chat_off",
    "chat_too_long",
    "coach_busy",
    "game_gone",
    "game_too_long",
    "garbage",
    "hello_first",
    "hole_gone",
    "id_too_long",
    "impossible_table",
    "name_empty",
    "name_taken",
    "name_too_long",
    "no_hints",
    "no_hole_over",
    "no_lesson",
    "no_such_game",
    "no_such_language",
    "no_such_offer",
    "no_such_phrase",
    "no_such_player",
    "no_such_position",
    "no_such_reaction",
    "no_such_seat",
    "not_absent",
    "not_found",
    "not_legal",
    "not_now",
    "not_owner",
    "not_seated",
    "not_your_seat",
    "not_your_turn",
    "nothing_to_decide",
    "nothing_to_take_back",
    "old_client",
    "practice_only",
    "real_cards",
    "seat_taken",
    "seats_open",
    "server_fault",
    "table_full",
    "table_gone",
    "too_fast",
    "too_many",
    "variant_too_long",
    "watching",
    "wrong_host",
    "wrong_move",
    "wrong_seat_count",
)

Pace = Literal["slow", "normal", "fast", "instant"]
Tempo = Literal["family", "quick"]  # how long the table waits for somebody, see clocks.py
Phase = Literal["lobby", "draw", "tee_off", "take", "place", "flip", "reveal", "reckoning", "over"]
MovePhase = Literal["tee_off", "take", "place", "flip"]
SeatKind = Literal["person", "computer", "open"]
WishKind = Literal["me", "here", "friend", "computer"]
LentWhy = Literal["asked", "absent", "clock"]
ClockWhy = Literal["absent", "turn", "hole", ""]
PartKind = Literal["cards", "line", "bonus", "penalty"]
Phrase = str  # one of PHRASES
Reaction = str  # one of REACTIONS
Params = dict[str, str | int | list[str | int]]


class Message(msgspec.Struct, tag_field="is", tag=True):
    """What travels on a socket; `is` holds the name of the struct."""


class Thing(msgspec.Struct):
    """A part of messages, and what HTTP answers."""


# HTTP: what is asked and answered ------------------------------------------------------------------


class ErrorNote(Thing):
    """Why a request was refused: a code the client puts into words, and what it speaks of."""

    error: str
    params: Params = {}


class Health(Thing):
    """Whether the server is well, for whoever watches over it."""

    status: Literal["well", "closing", "cannot_write"]
    version: str
    seconds: float  # since it was started


class FaceFacts(Thing):
    name: str
    copies: int
    points: int
    line_points: int


class GameFacts(Thing):
    """What sets one game apart from another, for the client's pictures and boards."""

    name: str
    title: str
    least: int
    most: int
    rows: int
    columns: int
    faces: list[FaceFacts]
    lines_are_columns: bool
    tee_off: int
    tee_off_before_play: bool
    may_throw_away: bool
    may_leave_last: bool
    bonus: list[int]  # for 2 lines of one face, for 3, …
    bonus_replaces: bool
    closer_penalty: int
    holes: int
    playoff: bool


class VariantFile(Thing):
    """A variant's file as somebody has it: its name without the ending, and its text."""

    name: str
    text: str


class PlayerFacts(Thing):
    """A computer player to choose, the weakest first in the list."""

    name: str


class Facts(Thing):
    version: str
    wire_version: int
    languages: list[str]
    games: list[GameFacts]
    players: list[PlayerFacts]
    phrases: list[str]
    reactions: list[str]
    name_length: int
    chat_length: int


class RuleBlock(Thing):
    """A paragraph, list or table in Markdown; `game` is the one it is about, null for every game.

    `matched` is about the layouts in a table: for each row the slots of matched lines, those of one face together.
    """

    text: str
    game: str | None
    is_ruling: bool
    matched: list[list[list[str]]]


class RuleText(Thing):
    number: str
    title: str
    blocks: list[RuleBlock]


class RuleChapter(Thing):
    number: str  # empty for the list of words
    title: str
    rules: list[RuleText]
    blocks: list[RuleBlock]


class RuleBook(Thing):
    title: str
    intro: list[RuleBlock]
    chapters: list[RuleChapter]


class SeatWish(Thing):
    """Who is to sit there: me, another person on my device, a friend by link, or a computer player."""

    kind: WishKind
    name: str = ""  # empty for a friend; for a computer player the server finds one
    player: str = ""  # a computer player's name


class TableOptions(Thing):
    pace: Pace = "normal"  # of the computer players
    chat: bool = False  # free text
    tempo: Tempo = "family"


class NewTable(Thing):
    game: str
    seats: list[SeatWish]
    options: TableOptions = msgspec.field(default_factory=TableOptions)


class TableOpened(Thing):
    """The new table's codes: /t/{table} to play, /w/{watch} to watch; and whole links to send to friends."""

    table: str
    watch: str
    link: str
    watch_link: str


class SeatNote(Thing):
    name: str
    kind: SeatKind


class TableNote(Thing):
    """A table as the join page shows it; `seated` says that this guest has a seat there."""

    table: str
    watch: str
    link: str
    watch_link: str
    game: str
    seats: list[SeatNote]
    started: bool
    over: bool
    seated: bool


# The table as everybody sees it --------------------------------------------------------------------


class Part(Thing):
    """One summand of a reckoning, and the rule it stands on.

    cards: cards that count one by one (5.1); line: a matched line (5.2, 5.3); bonus: so many lines of
    one face (5.4, 5.5); penalty: the closer's (5.6), with the seats that beat him.
    """

    kind: PartKind
    rule: str
    points: int
    slots: list[str] = []
    faces: list[str] = []  # what lies on the slots; for a line or a bonus the one face
    lines: int = 0
    beaten_by: list[int] = []


class Held(Thing):
    """The card in hand, and the pile it came from."""

    face: str
    pile: Literal["S", "D"]


class SeatView(Thing):
    name: str
    kind: SeatKind
    player: str  # which computer player sits there, or plays for an absent person
    here: bool  # shares a device with another seat
    owner: bool
    present: bool
    lent: bool  # a computer player plays for the person
    at_table: bool  # plays this hole: in a play-off not everybody (6.3)
    layout: list[str | None]  # in slot order, row by row; empty before the deal
    hidden: int
    points: int | None  # what the hole cost, once it is over, penalty included
    total: int
    wins: int  # matches won at this table
    reckoning: list[Part] | None  # once the hole is over


class CardLine(Thing):
    """One hole on the score card; null for who sat out a play-off."""

    hole: int
    playoff: int  # 0, or the number of the play-off hole
    dealer: int
    closer: int | None
    points: list[int | None]


class Step(Message):
    """A player's step, with all it showed.

    tee_off, flip: `face` was turned up. take: `face` is the card taken. place on a slot: `face` is
    laid there and `went` leaves for the discard pile, `from_hidden` if nobody knew it. throw away
    ("-"): `face` and `went` are the card thrown. leave (".") shows nothing.
    """

    seat: int
    phase: MovePhase
    move: str
    face: str | None
    went: str | None = None
    from_hidden: bool = False
    closed: bool = False  # 4.1
    renewed: bool = False  # 2.6 the discards were shuffled into a new stock


class Practice(Thing):
    """Where a table for practice plays on from: a position of a finished game, which opens at /g/{game}."""

    game: str
    hole: int  # of that game, and …
    step: int  # … how many steps it was old
    name: int  # the hole's number on the card it was first played for
    playoff: int  # 0, or the number of the play-off hole it was


class View(Thing):
    """Everything that lies on the table, sent whole after each event."""

    watch: str  # the spectators' code; the players' code is in no view, since spectators see this too
    game: str
    match: int  # 1, and one more with each rematch
    phase: Phase
    hole: int  # 1 to 9, then on through the play-off holes; 0 before the first
    playoff: int  # 0, or the number of the play-off hole
    dealer: int | None
    turn: int | None  # whose step is awaited
    closer: int | None
    last_turns: bool
    stock_left: int
    discard: str | None  # the card on top of the discard pile as it lies now, null where the pile is bare
    discard_below: str | None  # what shows once that one is taken
    held: Held | None
    may_take_back: bool
    legal: list[str]  # the moves of the player on turn
    latest: Step | None  # the last step of this hole
    seats: list[SeatView]
    draws: list[list[str | None]]  # 2.1 each round's card by seat, null for who no longer drew
    card: list[CardLine]
    winners: list[int]
    given_up: bool  # the match is over without a winner
    finished: list[str]  # ids of the finished games of this table, the latest last
    options: TableOptions
    hints: bool  # whether who is on turn may ask for a hint: one person plays, against computer players
    practice: Practice | None  # at a table for practice


# What happened -------------------------------------------------------------------------------------


class Sat(Message):
    """A person sat down, or a computer player was seated."""

    seat: int
    name: str
    kind: SeatKind
    player: str = ""


class Left(Message):
    """A seat was emptied: its player went, or was removed."""

    seat: int
    name: str


class SeatGone(Message):
    """An open seat was taken away before the start; the seats after it move up."""

    seat: int


class Lent(Message):
    """A computer player plays for the absent person."""

    seat: int
    player: str
    why: LentWhy = "asked"  # or its person was away, or the turn clock ran out


class GaveBack(Message):
    seat: int


class Sealed(Message):
    """The seed of the next pack is fixed, before anybody can add to it: here is its SHA-256 (docs/fairness.md)."""

    game: str  # the match, as its finished game will be called
    hole: int  # 0 for the draw for the deal (2.1)
    commitment: str


class SeedAdded(Message):
    """A player's device added a seed to the sealed pack."""

    seat: int
    seed: str


class Unsealed(Message):
    """The hole is over, and the seed of its pack is shown."""

    game: str
    hole: int
    seed: str


class OptionsSet(Message):
    options: TableOptions


class Started(Message):
    """A match begins; `match` is 2 for the first rematch."""

    match: int


class Drew(Message):
    """A card drawn for the first deal (2.1), in its round from 1."""

    round: int
    seat: int
    face: str


class DealerDrawn(Message):
    """Who deals first (2.1)."""

    seat: int


class Dealt(Message):
    """The layouts lie face down and the first card of the stock is turned over (2.2, 2.3)."""

    hole: int
    playoff: int
    dealer: int
    seats: list[int]
    first_discard: str


class Resumed(Message):
    """At a table for practice: so it lay in the position played on from, and what nobody had seen is shuffled anew."""


class TookBack(Message):
    """A step that had shown nothing new was taken back: "D", or "-"."""

    seat: int
    move: str
    face: str


class Revealed(Message):
    """A card face down to the end is turned up (4.3)."""

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
    game: str  # opens at /g/{game}


class GivenUp(Message):
    """The match ends here, without a winner."""

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


Event = (
    Sat
    | Left
    | SeatGone
    | Lent
    | GaveBack
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
)


# Client to server. A command sent again under the same id happens once. ------------------------------


class Hello(Message):
    """Must come first. `last_event` is 0 on the first visit; a tab that returns replaces its old socket."""

    client_version: int
    last_event: int = 0
    tab: str = ""


class Ping(Message):
    n: int


class Command(Message):
    """What somebody wants to happen, under an id of the client's own making."""

    id: str


class Sit(Command):
    seat: int  # -1 for any open seat
    name: str


class Leave(Command):
    seat: int


class Start(Command):
    """Deals for the first time. Open seats are filled with the computer player named, if any."""

    fill: str = ""


class Play(Command):
    seat: int
    move: str


class TakeBack(Command):
    seat: int


class NextHole(Command):
    """Goes on after the draw (2.1) and after each reckoning."""


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
    """The owner shows a player the door; before the start an open seat goes with it."""

    seat: int


class FillSeat(Command):
    """The owner seats a computer player on an open seat."""

    seat: int
    player: str
    name: str = ""


class SetOptions(Command):
    options: TableOptions


class Rematch(Command):
    """Once more with everybody where they sit."""


class GiveUp(Command):
    """Ends the match without a winner."""


class AddSeed(Command):
    """Every player's device has a say in the shuffle: 32 hexadecimal digits of its own making."""

    seat: int
    seed: str


class Offer(Command):
    """Prepares to play on from another device, which will have to show the key: 32 hexadecimal digits."""

    key: str


class MoveHere(Command):
    """All seats of the guest who offered this key are mine from now on."""

    key: str


ClientMessage = (
    Hello
    | Ping
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
    | FillSeat
    | SetOptions
    | Rematch
    | GiveUp
    | AddSeed
    | Offer
    | MoveHere
)


# Server to client ------------------------------------------------------------------------------------


class Welcome(Message):
    """The answer to Hello, and sent again when the seats I hold change."""

    you: list[int]  # the seats I hold
    owner: bool
    event: int  # the number of the last event in `view`
    view: View
    missed: list[Event] = []  # what happened since the event the client knew, if not too long ago
    talk: list[Said | Chatted] = []  # the latest of the talk, for who has just come
    watchers: int = 0
    sealed: Sealed | None = None  # the pack of the next hole, to which seeds may be added


class Happened(Message):
    event: int  # the number of the last of these
    what: list[Event]
    view: View


class Accepted(Message):
    """The command of that id has happened and is on disk."""

    id: str


class Refused(Message):
    """The command of that id did not happen."""

    id: str
    error: str
    params: Params = {}


class Presence(Message):
    """Who is connected."""

    present: list[bool]  # by seat
    watchers: int


class Clock(Message):
    """How long the table still waits for that seat, or to deal the next hole; no `why` when it waits for ever."""

    seat: int | None = None
    seconds: float = 0.0
    why: ClockWhy = ""


class Pong(Message):
    n: int


ServerMessage = Welcome | Happened | Accepted | Refused | Presence | Clock | Pong


# A finished game -------------------------------------------------------------------------------------


class FinishedSeat(Thing):
    name: str
    kind: SeatKind
    player: str
    total: int


class FinishedHole(Thing):
    hole: int
    playoff: int
    frames: int


class FinishedGame(Thing):
    """The score card of a finished game; its holes come one by one."""

    id: str
    game: str
    watch: str
    match: int
    seats: list[FinishedSeat]
    card: list[CardLine]
    totals: list[int]
    winners: list[int]
    holes: list[FinishedHole]
    practice: Practice | None  # where it was played on from; it has no record and no shuffle to check then
    real_cards: bool  # played at a real table, so there is no shuffle to check


class Frame(Thing):
    """One position of a replay: what happened, and the table after it."""

    what: list[Event]
    view: View


class HoleReplay(Thing):
    id: str
    hole: int  # from 1; play-off holes are counted on
    frames: list[Frame]


# The fair shuffle -------------------------------------------------------------------------------------


class SeedGiven(Thing):
    seat: int
    seed: str


class CardSeen(Thing):
    """A card of the pack as it was shown; `place` is "layout", "discard", "stock", "stock 1", "draw 1"…"""

    place: str
    face: str
    seat: int | None = None
    slot: str = ""  # on a layout


class Shuffle(Thing):
    """One shuffle of the whole pack: what fixed it, and once it may be known every card of it that was seen."""

    hole: int  # 0 for the draw for the deal (2.1)
    commitment: str
    seeds: list[SeedGiven]
    seed: str | None = None  # until the hole is over
    seats: list[int] = []  # who was dealt to, in the order of dealing
    cards: list[CardSeen] = []  # in the order they were seen
    renewed: list[list[str]] = []  # the cards each new stock was shuffled from (2.6), in order of the faces


class ShuffleBook(Thing):
    """All shuffles of a match so far, finished or not."""

    id: str
    game: str
    names: list[str]
    finished: bool  # and so has a record
    shuffles: list[Shuffle]


class CardCount(Thing):
    """How often a face was dealt; `deviation` is the standard deviation a fair shuffle would have."""

    face: str
    dealt: int
    expected: float
    deviation: float


class Frequency(Thing):
    """The cards dealt to layouts and as first discards, in all holes of a game whose seed is shown."""

    game: str
    holes: int
    cards: list[CardCount]
