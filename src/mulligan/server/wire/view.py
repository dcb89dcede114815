"""The view: the state of a table as all clients see it."""

from typing import Literal

from .base import Message, MovePhase, PartKind, Phase, SeatKind, Thing, Where
from .tables import TableOptions


class Part(Thing):
    """One part of a score, and its rule.

    cards: cards that count individually (5.1); line: a matched line (5.2, 5.3); bonus: for several matched
    lines of one face (5.4, 5.5); penalty: the closer's (5.6), with the seats that beat them.
    """

    kind: PartKind
    rule: str
    points: int
    slots: list[str] = []
    faces: list[str] = []  # the faces on the slots; for a line or a bonus the one face
    lines: int = 0
    beaten_by: list[int] = []


class Held(Thing):
    """The card in hand, and the pile it came from."""

    face: str
    pile: Literal["S", "D"]


class SeatView(Thing):
    name: str
    kind: SeatKind
    player: str  # the computer player that sits there, or plays for a person
    here: bool  # shares a device with another seat
    owner: bool
    present: Where  # of a person; computer players are always here
    lent: bool  # a computer player plays for the person
    left: str  # the name of the player who left this seat for good, until another sits down; or ""
    ready: bool  # for the next hole or match
    at_table: bool  # plays this hole: in a play-off not all players do (6.3)
    layout: list[str | None]  # in slot order, row by row; empty before the deal
    hidden: int
    so_far: int | None  # the cost of the open cards (5.1 to 5.5), without hidden ones; null before the deal
    points: int | None  # the cost of the hole once it is over, penalty included
    total: int
    wins: int  # matches won at this table
    score_parts: list[Part] | None  # once the hole is over
    who: str = ""  # tells guests of this table apart, whatever their names; "" if nobody holds the seat
    substitute: bool = False  # the computer player of a lent seat has played for the person since the match began


class CardLine(Thing):
    """One hole on the score card; points are null for players who sat out a play-off."""

    hole: int
    playoff: int  # 0, or the number of the play-off hole
    dealer: int
    closer: int | None
    points: list[int | None]
    stand_ins: list[int] = []  # seats for which a computer player decided at least once


class Step(Message):
    """A player's step, with the cards it revealed.

    tee_off, flip: `face` was turned up. take: `face` is the card taken. place on a slot: `face` is
    placed there and `went` goes to the discard pile; `from_hidden` if `went` was face down. Discarding
    ("-"): `face` and `went` are the discarded card. "." reveals nothing: the last card stays hidden
    (flip), or the last turn is declined (take).
    """

    seat: int
    phase: MovePhase
    move: str
    face: str | None
    went: str | None = None
    from_hidden: bool = False
    closed: bool = False  # the step closed the hole (4.1)
    renewed: bool = False  # the discards were shuffled into a new stock (2.6)
    cleared: list[str] = []  # the slots whose cards then left the layout for the discard pile (3.7)


class Practice(Thing):
    """The origin of a practice table: a position of a finished match, which opens at /g/{game}."""

    game: str
    hole: int  # in that game
    step: int  # number of steps played in that hole
    name: int  # the hole's number on the original score card
    playoff: int  # 0, or the number of the original play-off hole


class View(Thing):
    """The whole visible state of a table, sent after each event."""

    watch: str  # the spectators' code; spectators see the view, so it does not contain the players' code
    game: str
    match: int  # from 1, increased with each rematch
    phase: Phase
    hole: int  # from 1, continuing through play-off holes; 0 before the first
    length: int  # number of holes in the match, without play-off holes
    playoff: int  # 0, or the number of the play-off hole
    dealer: int | None
    turn: int | None  # the seat to move
    closer: int | None
    last_turns: bool
    stock_left: int
    discard: str | None  # the top card of the discard pile, null if the pile is empty
    discard_below: str | None  # the card below it
    held: Held | None
    may_take_back: bool
    legal: list[str]  # the legal moves of the player to move
    latest: Step | None  # the last step of this hole
    seats: list[SeatView]
    draws: list[list[str | None]]  # each round's cards by seat (2.1), null for players who no longer drew
    card: list[CardLine]
    winners: list[int]
    given_up: bool  # the match ended without a winner
    finished: list[str]  # ids of the table's finished matches, latest last
    options: TableOptions
    hints: bool  # the player to move may ask for a hint: one person plays against computer players
    practice: Practice | None  # only at a practice table
    house_rules: dict[str, int | str] = {}  # the options that differ from the named game
    stood_in: dict[int, int] = {}  # by seat: turns that a computer player took before its person came back
    agreed: dict[int, list[int]] = {}  # by seat: the seats of those who agree to play on without its person
