"""A table: who sits there, the match, and the pack. What happens to it are the entries of its log, in order.

No clock, no store, no randomness: the log alone makes the table, so that after a restart it is as it was.
"""

from collections import Counter, deque
from collections.abc import Iterable
from dataclasses import replace
from typing import Any

from .. import variants
from ..engine.compiled import fresh
from ..engine.match import MATCH, keep_lowest
from ..engine.state import DISCARD, HIDDEN, NOBODY, NOTHING, PASS, STOCK, THROW_AWAY
from ..engine.state import Phase as Rest
from ..game import Game, Hole
from ..notation import Step as Taken
from ..notation import as_array, read_face, read_slot, write_face, write_slot
from ..shuffle import whole_pack
from ..variants import Variant
from .entries import Done, Entry, Held, Moved, Offered, Opened, Position, Secret, Shuffled, is_public
from .messages import (
    CardLine,
    Chatted,
    DealerDrawn,
    Dealt,
    Drew,
    Event,
    GaveBack,
    GivenUp,
    HoleOver,
    Left,
    Lent,
    MatchOver,
    OptionsSet,
    Phase,
    Resumed,
    Revealed,
    Said,
    Sat,
    Sealed,
    SeatGone,
    SeedAdded,
    SeedGiven,
    Started,
    Step,
    TableOptions,
    TookBack,
    Unsealed,
)
from .pack import Anew, AsItWas, Cards, Deal, OldDeal, Seal
from .seat import Seat

RESTS: dict[int, Any] = {Rest.TEE_OFF: "tee_off", Rest.TAKE: "take", Rest.PLACE: "place", Rest.FLIP: "flip"}
RESTS[Rest.REVEAL] = "reveal"  # only where people turn the cards up themselves
PHASES = {name: rest for rest, name in RESTS.items()}
MOVES = {STOCK: "S", DISCARD: "D", THROW_AWAY: "-", PASS: "."}
REMEMBERED = 400  # events a client that returns may ask for
TALK = 30  # sayings shown to who has just come
REPEATABLE = 4000  # commands that may come again and are known


class BrokenLog(ValueError):
    """The log of a table tells what cannot have happened."""


class Table:
    """The table after its log so far; `apply` is the one way it changes."""

    code: str
    watch: str
    owner: str
    variant: Variant
    options: TableOptions
    position: Position | None = None  # at a table for practice, the one it plays on from
    real_cards = False  # they lay on a real table

    def __init__(self, entries: Iterable[Entry]) -> None:
        self.event = 0
        self.seats: list[Seat] = []
        self.game: Game | None = None
        self.hole: Hole | None = None
        self.dealt: Dealt | None = None
        self.latest: Step | None = None
        self.draws: list[list[str | None]] = []
        self.card: list[CardLine] = []
        self.discards: list[int] = []
        self.winners: list[int] = []
        self.match = 0
        self.finished: list[str] = []
        self.given_up = False
        self.together = False  # more than one person has played in this match
        self.secret = b""
        self.sealed: Seal | None = None
        self.cards: Cards | None = None
        self.offers: dict[str, Offered] = {}
        self.done: dict[tuple[str, str], None] = {}
        self.happened: deque[tuple[int, Event]] = deque(maxlen=REMEMBERED)
        self.talk: deque[Said | Chatted] = deque(maxlen=TALK)
        self.ahead: list[Taken] = []
        for entry in entries:
            self.let_happen(entry)
        self.catch_up()

    # What everybody may ask

    @property
    def rules(self) -> Any:
        return self.variant.rules

    @property
    def phase(self) -> Phase:
        """What the table waits for."""
        if self.given_up:
            return "over"
        if self.game is None:
            return "lobby"
        if self.hole is None:
            return "draw"
        if self.game.hole is not None:
            return RESTS[self.hole.sight.phase]
        return "over" if self.game.is_over else "reckoning"

    @property
    def is_playing(self) -> bool:
        return self.game is not None and self.game.hole is not None and not self.given_up

    @property
    def playing(self) -> Hole:
        """The hole being played."""
        assert self.game is not None
        assert self.game.hole is not None
        return self.game.hole

    @property
    def score(self) -> Any:
        """The match as it stands before the hole being played, a MATCH."""
        assert self.game is not None
        return fresh(MATCH) if self.position else self.game.match  # practice is a hole by itself

    @property
    def turn(self) -> int | None:
        """Whose step is awaited."""
        if not self.is_playing or self.dealt is None:
            return None
        return self.dealt.seats[self.playing.turn]

    @property
    def computer_on_turn(self) -> str:
        """The computer player whose move is awaited, or ""."""
        return "" if self.turn is None else self.seats[self.turn].computer

    @property
    def next_hole(self) -> int:
        return len(self.card) + 1

    @property
    def match_id(self) -> str:
        """What the match will be called once it is finished."""
        return match_id(self.watch, self.match)

    def playoff(self, hole: int) -> int:
        """The number of the play-off hole, or 0 (6.3)."""
        return max(0, hole - int(self.rules["holes"]))

    @property
    def people(self) -> int:
        """How many seats are persons'; several may share a device."""
        return sum(seat.kind == "person" for seat in self.seats)

    def held_by(self, guest: str) -> list[int]:
        return [number for number, seat in enumerate(self.seats) if seat.guest == guest and guest]

    def may_take_back(self) -> bool:
        """Whether the last step showed nothing new: a taken discard, or a card thrown away (3.1, 3.3)."""
        if not self.is_playing or self.computer_on_turn:
            return False
        last = self.playing.steps[-1]
        phase = self.playing.sight.phase
        return (phase == Rest.PLACE and last.move == DISCARD) or (phase == Rest.FLIP and last.move == THROW_AWAY)

    def legal(self) -> list[str]:
        """The moves of the player on turn, as they travel."""
        return [self.write_move(move) for move in self.playing.legal_moves()] if self.is_playing else []

    def write_move(self, move: int) -> str:
        return MOVES.get(move) or write_slot(self.variant, move)

    def read_move(self, text: str) -> int:
        """The number of a move. Raises ValueError for what is none."""
        for move, name in MOVES.items():
            if name == text:
                return move
        return read_slot(self.variant, text)

    def next_face(self, move: int) -> int:
        """The card a legal move is going to show: one that lies open, or the next of the pack."""
        sight = self.playing.sight
        if move == STOCK:
            return self.lying.top
        if move == DISCARD:
            return sight.discard
        if move == THROW_AWAY:
            return sight.held
        if move == PASS:
            return HIDDEN
        face = sight.layouts[sight.turn][move]
        return self.lying.lying(sight.turn, move) if face == HIDDEN else face

    @property
    def lying(self) -> Cards:
        """What lies face down in the hole being played."""
        assert self.cards is not None
        return self.cards

    def told_since(self, event: int) -> list[Event]:
        """What happened after that event, or nothing where that is too long ago to tell."""
        if not self.happened or event < self.happened[0][0] - 1:
            return []
        return [what for number, what in self.happened if number > event]

    def record(self) -> dict[str, Any]:
        """The record of the finished game (docs/notation.md)."""
        assert self.game is not None
        self.game.players = [seat.name for seat in self.seats]
        return self.game.record() | {"kinds": [seat.kind for seat in self.seats]}

    # What changes it

    def apply(self, entry: Entry) -> None:
        """Lets one entry of the log happen. Raises BrokenLog where it cannot."""
        self.let_happen(entry)
        self.catch_up()

    def catch_up(self) -> None:
        """The engine plays the steps it was not asked to play yet: all at once, where a whole log is read."""
        if self.ahead:
            steps, self.ahead = as_array(self.ahead), []
            taken = self.playing.take(steps)
            if taken < len(steps):
                raise BrokenLog(f"{self.write_move(int(steps[taken].move))} cannot be played")

    def let_happen(self, entry: Entry) -> None:
        self.event += 1
        if is_public(entry):
            self.happened.append((self.event, entry))
        if not isinstance(entry, (Step, Done)):
            self.catch_up()
        match entry:
            case Step():
                self.step(entry)
            case Done():
                self.done[entry.guest, entry.id] = None
                if len(self.done) > REPEATABLE:
                    del self.done[next(iter(self.done))]
            case Opened():
                self.open(entry)
            case Held():
                self.seats[entry.seat].guest = entry.guest
            case Offered():
                self.offers[entry.guest] = entry
            case Moved():
                self.move(entry)
            case Sat():
                guest = self.seats[entry.seat].guest
                self.seats[entry.seat] = Seat(entry.kind, entry.name, entry.player, guest)
                self.together |= self.people > 1
            case Left():
                self.seats[entry.seat] = Seat()
            case SeatGone():
                del self.seats[entry.seat]
            case Lent():
                self.seats[entry.seat].lent = True
                self.seats[entry.seat].lent_why = entry.why
                self.seats[entry.seat].player = entry.player
            case GaveBack():
                self.seats[entry.seat].lent = False
                self.seats[entry.seat].player = ""
            case OptionsSet():
                self.options = entry.options
            case Started():
                self.clear(entry.match)
            case Drew():
                self.draw(entry)
            case DealerDrawn():
                self.game = Game(self.variant, [seat.name for seat in self.seats], entry.seat)
            case Secret():
                self.secret = bytes.fromhex(entry.seed)
            case Sealed():
                self.sealed = Seal(entry.game, entry.hole, self.secret)
            case SeedAdded():
                self.add_seed(entry)
            case Unsealed():
                if self.sealed and self.sealed.is_of(entry):
                    self.sealed = None
            case Shuffled():
                self.cards = OldDeal(self.rules, bytes.fromhex(entry.seed), f"{self.match}/{self.next_hole}")
            case Dealt():
                self.deal(entry)
            case Resumed():
                self.cards = Anew(self.rules, self.playing.state, self.secret)
            case TookBack():
                self.take_back(entry)
            case Revealed():
                self.reveal(entry)
            case HoleOver():
                self.finish_hole(entry)
            case MatchOver():
                self.finish_match(entry)
            case GivenUp():
                self.given_up = True
            case Said() | Chatted():
                self.talk.append(entry)

    def open(self, entry: Opened) -> None:
        self.code, self.watch, self.owner = entry.table, entry.watch, entry.owner
        self.variant = variant_of(entry)
        self.options, self.position, self.real_cards = entry.options, entry.position, entry.real_cards
        for wish in entry.seats:
            if wish.kind == "friend":
                self.seats.append(Seat())
            elif wish.kind == "computer":
                self.seats.append(Seat("computer", wish.name, wish.player))
            else:
                self.seats.append(Seat("person", wish.name, guest=entry.owner))

    def clear(self, match: int) -> None:
        """The cards are gathered for a new match; everybody stays seated."""
        self.match = match
        self.game = self.hole = self.dealt = self.latest = None
        self.draws, self.card, self.winners = [], [], []
        self.given_up = False
        self.together = self.people > 1

    def draw(self, entry: Drew) -> None:
        while len(self.draws) < entry.round:
            self.draws.append([None] * len(self.seats))
        self.draws[entry.round - 1][entry.seat] = entry.face

    def add_seed(self, entry: SeedAdded) -> None:
        assert self.sealed is not None
        self.sealed.added.append(SeedGiven(entry.seat, entry.seed))
        self.sealed.stirrers.add(self.seats[entry.seat].guest)

    def move(self, entry: Moved) -> None:
        """Somebody plays on from another device, and the offer to do so is used up."""
        for seat in self.seats:
            if seat.guest == entry.guest:
                seat.guest = entry.to
        if self.owner == entry.guest:
            self.owner = entry.to
        self.offers.pop(entry.guest, None)

    def deal(self, entry: Dealt) -> None:
        """Layouts face down, the first card of the stock face up (2.2, 2.3)."""
        if self.game is None:
            raise BrokenLog("a hole is dealt before the draw for the deal")
        self.hole = self.game.deal()
        face = read_face(self.variant, entry.first_discard)
        if self.position or self.real_cards:
            self.cards = AsItWas(face)
        elif self.sealed:
            dealer = self.game.at_table.index(self.game.dealer)
            self.cards, self.sealed = Deal(self.rules, self.sealed, len(self.game.at_table), dealer), None
        assert isinstance(self.cards, Deal | OldDeal | AsItWas)
        if face != self.cards.first_discard:
            raise BrokenLog(f"the first discard is not a {entry.first_discard}")
        self.hole.turn_up(face)
        self.discards = [face]
        self.dealt, self.latest = entry, None

    def step(self, entry: Step) -> None:
        """A step is taken as the engine's referee takes it, so a damaged log cannot play on."""
        assert self.dealt is not None
        move = self.read_move(entry.move)
        shown = entry.went if entry.phase == "place" else entry.face
        face = HIDDEN if shown is None else read_face(self.variant, shown)
        self.ahead.append(Taken(NOBODY, PHASES[entry.phase], move, face))
        if move == STOCK:
            self.lying.draw(face)
        elif entry.from_hidden or (entry.phase in ("tee_off", "flip") and move != PASS):
            self.lying.turn_up(self.dealt.seats.index(entry.seat), move, face)
        if move == DISCARD:
            self.discards.pop()
        elif entry.went is not None:
            self.discards.append(face)
        if entry.renewed:
            self.catch_up()
            self.renew_stock()
        self.latest = entry

    def renew_stock(self) -> None:
        """All discards but the top one are the new stock (2.6)."""
        self.lying.renew(self.playing.state.stock)
        self.discards = self.discards[-1:]

    def stock_made_anew(self) -> list[str]:
        """The cards the stock was just shuffled from, in order of the faces."""
        return [write_face(self.variant, face) for face in whole_pack(self.playing.state.stock)]

    def take_back(self, entry: TookBack) -> None:
        """The hole is again what it was a step before: nothing had been shown since."""
        hole = self.playing
        if entry.move == "D":
            self.discards.append(read_face(self.variant, entry.face))
        else:
            self.discards.pop()
        steps = as_array(hole.steps[:-1])
        assert self.game is not None
        self.hole = self.game.deal()
        self.hole.take(steps)
        self.latest = None

    def reveal(self, entry: Revealed) -> None:
        """A card face down to the end is turned up (4.3)."""
        hole = self.playing
        face = read_face(self.variant, entry.face)
        awaited = hole.sight.awaited
        if awaited == NOTHING or self.write_move(awaited) != entry.slot:
            raise BrokenLog(f"{entry.slot} is not the card to be revealed")
        self.lying.turn_up(hole.turn, awaited, face)
        hole.turn_up(face)

    def finish_hole(self, entry: HoleOver) -> None:
        """The hole is entered on the score card (6.1)."""
        assert self.game is not None
        assert self.dealt is not None
        closer = self.playing.sight.closer
        self.card.append(
            CardLine(
                hole=entry.hole,
                playoff=entry.playoff,
                dealer=self.dealt.dealer,
                closer=None if closer < 0 else self.dealt.seats[closer],
                points=entry.points,
            )
        )
        self.game.finish_hole()
        if self.position:  # one hole is the whole match
            keep_lowest(self.game.match, self.game.match.totals)
            self.game.match.over = 1

    def finish_match(self, entry: MatchOver) -> None:
        self.winners = entry.winners
        self.finished.append(entry.game)
        for winner in entry.winners:
            self.seats[winner].wins += 1

    def count(self, faces: Iterable[int]) -> dict[str, int]:
        """How often each face is among them."""
        return {write_face(self.variant, face): count for face, count in sorted(Counter(faces).items())}

    def face(self, number: int) -> str | None:
        """A face as it travels: null where the card lies face down or there is none."""
        return None if number == HIDDEN else write_face(self.variant, number)


def variant_of(opened: Opened) -> Variant:
    """The game by the rules it had when the table was opened."""
    shipped = variants.load(opened.game)
    variant = variants.parse(opened.rules, shipped.file) if opened.rules else shipped
    return shortened(variant, opened.holes) if opened.holes else variant


def shortened(variant: Variant, holes: int) -> Variant:
    """The game as a match of so many holes; who is level then shares it."""
    rules = variant.rules.copy()
    rules.holes, rules.playoff = holes, 0
    return replace(variant, rules=rules)


def match_id(watch: str, match: int) -> str:
    return f"{watch}-{match}"
