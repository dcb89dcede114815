"""The state of a table: seats, match and pack. It is built by applying the entries of the log in order.

Uses no clock, no store and no randomness, so the log alone restores the same state after a restart.
"""

from collections import Counter, deque
from collections.abc import Iterable, Sequence
from hashlib import sha256
from hmac import digest
from typing import Any

from msgspec.structs import replace

from mulligan.engine.state import DISCARD, DISCARD_DRAWN, HIDDEN, PASS, STOCK
from mulligan.engine.state import Phase as Rest
from mulligan.game import variants
from mulligan.game.facts import GameFacts
from mulligan.game.hole import Game, Hole
from mulligan.game.notation import MOVE_TEXT, as_array, read_face, write_choice, write_face
from mulligan.game.notation import Step as Taken
from mulligan.game.shuffle import whole_pack
from mulligan.game.variants import Variant, for_match, for_seats
from mulligan.server.store.shared_sql import Start
from mulligan.server.wire.base import TURN_HOURS, Phase
from mulligan.server.wire.events import (
    Agreed,
    Chatted,
    DealerDrawn,
    Dealt,
    Drew,
    Event,
    GameChosen,
    GaveBack,
    GivenUp,
    HereAgain,
    HoleOver,
    HostChanged,
    Left,
    Lent,
    MatchOver,
    OptionsSet,
    Reacted,
    Ready,
    Renamed,
    Resumed,
    Revealed,
    Said,
    Sat,
    Sealed,
    SeatGone,
    SeedAdded,
    Started,
    TookBack,
    Unsealed,
)
from mulligan.server.wire.shuffles import SeedGiven
from mulligan.server.wire.tables import TableOptions
from mulligan.server.wire.view import CardLine, Step

from . import starts
from .log_entries import (
    Done,
    Entry,
    Held,
    Linked,
    Moved,
    Offered,
    Opened,
    Position,
    Readmitted,
    Removed,
    Ruled,
    Secret,
    WatchLinked,
    is_public,
)
from .pack import Cards, Deal, NewOrder, Seal, UnknownOrder
from .recent_commands import Memory
from .seat import Seat
from .starts import RECENT, Chosen, State
from .steps import PHASE_NAMES, event_of, face_text, step_of

TURNING_UP = (Rest.TEE_OFF, Rest.FLIP, Rest.REVEAL)  # phases that turn up a card on a layout
REMEMBERED = 400  # events kept for clients that reconnect
TALK = 30  # phrases and chat messages kept for new clients
REPEATABLE = 500  # remembered commands per guest …
GUESTS = 100  # … for this many guests
RULES_LENGTH = 100  # entries that the rules of a chosen game count as, since they are as long
STARTING = State.__struct_fields__


class BrokenLog(ValueError):
    """The log contains an impossible entry."""


class Table:
    """The state after all entries so far; only `apply` changes it."""

    code: str
    watch: str
    owner: str
    who_key: bytes  # see `who`
    game_rules: Variant  # the rules of its file
    variant: Variant  # the rules of the current match …
    holes: int  # … and its holes, without play-off holes
    options: TableOptions
    position: Position | None = None  # only at a practice table: the position it starts from
    real_cards = False  # True if the game is played with real cards
    on_device = False  # True if these are the cards of a device that played without the server
    language: str  # of the person who opened the table, or ""
    house_rules: dict[str, int | str]  # in which the table's game differs from the named one

    def __init__(self, entries: Iterable[Entry] = ()) -> None:
        self.event = 0
        self.length = 0  # entries of this match, or since the table was opened
        self.talked = 0  # those of them that are phrases, reactions, chat messages and new names
        self.settled = 0  # the latest event that was no step: what steps leave as it is dates from then
        self.seats: list[Seat] = []
        self.game: Game | None = None
        self.hole: Hole | None = None
        self.dealt: Dealt | None = None
        self.latest: Step | None = None
        self.draws: list[list[str | None]] = []
        self.card: list[CardLine] = []
        self.stand_ins: set[int] = set()  # seats for which a computer player has decided in this hole
        self.discards: list[int] = []
        self.winners: list[int] = []
        self.match = 0
        self.finished: list[str] = []
        self.given_up = False
        self.removed: set[str] = set()  # guests who may not sit down until the match is over
        self.first_guests: dict[str, str] = {}  # who guests were that came from another device
        self.agreed: dict[int, list[int]] = {}  # by seat: the seats of those who would play on without its person
        self.ready: set[int] = set()  # seats that are ready for the next hole or match
        self.chosen: Chosen | None = None  # the game of the next match, if not the one of the opening
        self.ruled = ""  # the rules of the game that is chosen next
        self.links: list[str] = []  # all codes for players so far, the current one last
        self.watches: list[str] = []  # the same for spectators
        self.together = False  # more than one person has played in this match
        self.secret = b""
        self.sealed: Seal | None = None
        self.cards: Cards | None = None
        self.offers: dict[str, Offered] = {}
        self.done: Memory[int] = Memory(REPEATABLE, GUESTS)  # the number of the entry
        self.happened: deque[tuple[int, Event]] = deque(maxlen=REMEMBERED)
        self.talk: deque[Said | Chatted] = deque(maxlen=TALK)
        self.ahead: list[Taken] = []  # steps of the log that the engine has not played yet
        self.played: Step | Revealed | None = None  # the latest entry whose step the engine has already played
        self.start: Start | None = None  # the latest one
        self.legal_moves: list[int] = []  # the latest ones that were asked for …
        self.legal_texts: list[str] = []  # … and how they are written
        self.go_on(entries)

    @classmethod
    def at_start(cls, opened: Opened, state: State, former: Sequence[Entry] = ()) -> "Table":
        """Returns the table where a match or hole starts; `former` are the last entries before. Raises ValueError."""
        table = cls([opened])
        for name in STARTING:
            setattr(table, name, getattr(state, name))
        table.talk = deque(state.talk, maxlen=TALK)
        table.take_rules()
        table.set_variant()
        table.game = starts.game_of(state.game, table.variant)
        table.happened.clear()
        for number, entry in enumerate(former, table.event - len(former) + 1):
            if is_public(entry):
                table.happened.append((number, entry))
            elif isinstance(entry, Done):
                table.done.keep(entry.guest, entry.id, number)
        return table

    # Queries

    @property
    def rules(self) -> Any:
        return self.variant.rules

    @property
    def phase(self) -> Phase:
        """The current phase."""
        if self.given_up:
            return "over"
        if self.game is None:
            return "lobby"
        if self.hole is None:
            return "draw"
        if self.game.hole is not None:
            return PHASE_NAMES[self.hole.sight.phase]
        return "over" if self.game.is_over else "hole_over"

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
        """The state of the match before the current hole: a MATCH record."""
        assert self.game is not None
        return self.game.match

    @property
    def turn(self) -> int | None:
        """The seat to move, or None."""
        if not self.is_playing or self.dealt is None or self.hole is None:
            return None
        return self.dealt.seats[self.hole.sight.turn]

    @property
    def computer_on_turn(self) -> str:
        """The computer player to move, or ""."""
        turn = self.turn
        return "" if turn is None else self.seats[turn].computer

    @property
    def is_by_turns(self) -> bool:
        """True if everyone has days for a turn, and nobody needs to be there."""
        return self.options.tempo in TURN_HOURS

    @property
    def facts(self) -> GameFacts | None:
        """The facts of the game with house rules, or None for a named game."""
        return self.game_rules.facts if self.house_rules else None

    @property
    def link(self) -> str:
        """The current code for players."""
        return self.links[-1]

    @property
    def watch_link(self) -> str:
        """The current code for spectators; `watch` stays the one that matches are called by."""
        return self.watches[-1]

    @property
    def next_hole(self) -> int:
        return len(self.card) + 1

    @property
    def match_id(self) -> str:
        """The id of the match, used for its finished match."""
        return match_id(self.watch, self.match)

    def playoff(self, hole: int) -> int:
        """Returns the number of the play-off hole, or 0 (6.3)."""
        return max(0, hole - self.holes)

    @property
    def people(self) -> int:
        """The number of seats held by persons; several may share a device."""
        return sum(seat.kind == "person" for seat in self.seats)

    def who(self, guest: str) -> str:
        """Returns what clients tell a guest by: the same at all seats and on all devices here, another at other tables.

        Neither the guest nor the key is known to clients, so nobody can make it or recognise a guest elsewhere.
        """
        if not guest:
            return ""
        return digest(self.who_key, self.first_guests.get(guest, guest).encode(), "sha256")[:8].hex()

    def has_moved(self, guest: str) -> bool:
        """True if another guest holds the seats that this one had, without any of them leaving."""
        first = self.first_guests.get(guest, guest)
        there = {self.first_guests[seat.guest] for seat in self.seats if seat.guest in self.first_guests}
        return first in there and not self.held_by(guest)

    def held_by(self, guest: str) -> list[int]:
        return [number for number, seat in enumerate(self.seats) if seat.guest == guest and guest]

    def may_take_back(self) -> bool:
        """True if the last step revealed nothing: a taken or discarded card (3.1, 3.3)."""
        if not self.is_playing:
            return False
        hole = self.playing
        last, phase = hole.steps[-1], hole.sight.phase
        if (phase == Rest.PLACE and last.move == DISCARD) or (phase == Rest.FLIP and last.move == DISCARD_DRAWN):
            return not self.computer_on_turn
        return False

    def legal(self) -> list[str]:
        """Returns the legal moves of the player to move, as sent to clients."""
        if not self.is_playing:
            return []
        moves = self.playing.legal_moves()  # the same list until something changes
        if moves is not self.legal_moves:
            self.legal_moves, self.legal_texts = moves, [write_choice(self.variant, move) for move in moves]
        return self.legal_texts

    def next_face(self, move: int) -> int:
        """Returns the card that a legal move will reveal: a visible card, or the next hidden one."""
        hole = self.playing
        face = hole.face_shown(move)
        if face != HIDDEN or move == PASS:
            return face
        return self.hidden_cards.top if move == STOCK else self.hidden_cards.face_down(hole.turn, move)

    @property
    def hidden_cards(self) -> Cards:
        """The hidden cards of the hole being played."""
        assert self.cards is not None
        return self.cards

    def told_since(self, event: int) -> list[Event]:
        """Returns the public events after an event number, or an empty list if they are no longer kept."""
        if not self.happened or event < self.happened[0][0] - 1:
            return []
        return [what for number, what in self.happened if number > event]

    def record(self) -> dict[str, Any]:
        """Returns the record of the finished match (docs/notation.md)."""
        assert self.game is not None
        self.game.players = [seat.name for seat in self.seats]
        record = self.game.record()
        holes = [
            hole | ({"stand_ins": line.stand_ins} if line.stand_ins else {})
            for hole, line in zip(record["holes"], self.card, strict=True)
        ]
        return record | {"holes": holes, "kinds": [seat.kind for seat in self.seats]}

    # Changes

    def play(self, move: int) -> Step | Revealed:
        """Plays a legal move, or turns up the awaited card. Returns the entry to apply next. Raises ValueError."""
        hole, seat = self.playing, self.turn
        assert seat is not None
        outcome = hole.take_step(Taken(hole.turn, hole.sight.phase, move, self.next_face(move)))
        if outcome is None:
            raise ValueError(f"{write_choice(self.variant, move)} cannot be played")
        self.played = event_of(self.variant, outcome, seat)
        return self.played

    def go_on(self, entries: Iterable[Entry]) -> None:
        """Applies many entries. Raises BrokenLog if one is impossible."""
        for entry in entries:
            self.let_happen(entry)
        self.catch_up()

    def apply(self, entry: Entry) -> None:
        """Applies one entry of the log. Raises BrokenLog if the entry is impossible."""
        self.let_happen(entry)
        self.catch_up()

    def catch_up(self) -> None:
        """Plays all pending steps in the engine at once. Raises BrokenLog."""
        if self.ahead:
            steps, self.ahead = as_array(self.ahead), []
            taken = self.playing.take(steps)
            if taken < len(steps):
                raise BrokenLog(f"{write_choice(self.variant, int(steps[taken].move))} cannot be played")

    def let_happen(self, entry: Entry) -> None:
        if type(entry) is Started or type(entry) is Dealt:  # `isinstance` is slow for messages
            self.begin(entry)
        self.event += 1
        self.length += 1
        if is_public(entry):
            self.happened.append((self.event, entry))
        match entry:
            case Step() | Revealed():
                self.step(entry)
            case Done():
                self.done.keep(entry.guest, entry.id, self.event)
            case _:  # people, seats and scores are no longer as before
                self.settled = self.event
                self.catch_up()
                self.happen_at_table(entry)
                self.happen_in_match(entry)

    def happen_at_table(self, entry: Entry) -> None:
        """Lets people come and go, and talk."""
        match entry:
            case Opened():
                self.open(entry)
            case Held():
                self.seats[entry.seat].guest = entry.guest
            case Removed():
                self.removed.add(entry.guest)
            case Readmitted():
                self.removed.clear()
            case Linked():
                self.links.append(entry.code)
            case WatchLinked():
                self.watches.append(entry.code)
            case Offered():
                self.offers[entry.guest] = entry
            case Moved():
                self.move(entry)
            case Agreed():
                self.agreed.setdefault(entry.seat, []).append(entry.by)
            case HereAgain():
                self.agreed.pop(entry.seat, None)
            case Sat():
                guest = self.seats[entry.seat].guest
                self.seats[entry.seat] = Seat(entry.kind, entry.name, entry.player, guest)
                self.together |= self.people > 1
            case Left():
                self.leave(entry)
            case SeatGone():
                del self.seats[entry.seat]
            case Lent():
                self.agreed.pop(entry.seat, None)
                self.seats[entry.seat].lent = True
                self.seats[entry.seat].lent_why = entry.why
                self.seats[entry.seat].player = entry.player
            case GaveBack():
                self.seats[entry.seat].lent = self.seats[entry.seat].substitute = False
                self.seats[entry.seat].player = ""
            case Renamed():
                self.talked += 1
                self.seats[entry.seat].name = entry.name
            case HostChanged():
                self.owner = self.seats[entry.seat].guest
            case Said() | Chatted():
                self.talked += 1
                self.talk.append(entry)
            case Reacted():
                self.talked += 1

    def happen_in_match(self, entry: Entry) -> None:
        """Lets a match get ready, be shuffled and dealt, and end."""
        match entry:
            case Ready():
                self.ready.add(entry.seat)
            case Ruled():
                self.ruled = entry.rules
                self.length += RULES_LENGTH
            case GameChosen():
                self.choose(entry)
            case OptionsSet():
                self.options = entry.options
                if self.phase == "lobby":
                    self.set_variant()
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
            case Dealt():
                self.deal(entry)
            case Resumed():
                self.cards = NewOrder(self.rules, self.playing.state, self.secret)
            case TookBack():
                self.take_back(entry)
            case HoleOver():
                self.finish_hole(entry)
            case MatchOver():
                self.finish_match(entry)
            case GivenUp():
                self.given_up = True
                self.removed.clear()

    def open(self, entry: Opened) -> None:
        self.code, self.watch, self.owner = entry.table, entry.watch, entry.owner
        self.links.append(entry.table)
        self.watches.append(entry.watch)
        self.who_key = bytes.fromhex(entry.who_key) or who_key(entry)
        self.variant = self.game_rules = variant_of(entry)
        self.options, self.position, self.real_cards = entry.options, entry.position, entry.real_cards
        self.on_device = entry.on_device
        self.language, self.house_rules = entry.language, entry.house_rules
        self.set_variant()
        for wish in entry.seats:
            if wish.kind == "friend":
                self.seats.append(Seat())
            elif wish.kind == "computer":
                self.seats.append(Seat("computer", wish.name, wish.player))
            else:
                self.seats.append(Seat("person", wish.name, guest=entry.owner))

    def begin(self, entry: Started | Dealt) -> None:
        """Begins a match or a hole: forgets what happened long ago, and notes the start.

        A practice table deals its only hole as the match begins.
        """
        if isinstance(entry, Started):
            self.clear(entry.match)
        elif self.position:
            return
        before = self.event - RECENT
        self.done.forget(lambda number: number <= before)
        while self.happened and self.happened[0][0] <= before:
            self.happened.popleft()
        kept = {name: getattr(self, name) for name in STARTING}
        state = State(**kept | {"talk": list(self.talk), "game": starts.score_of(self.game)})
        self.start = Start(self.match if isinstance(entry, Started) else 0, self.event, starts.write(state))

    def clear(self, match: int) -> None:
        """Clears the cards and scores for a new match; all players stay seated."""
        self.match = match
        self.length = self.talked = 0
        self.together = self.people > 1
        for seat in self.seats:
            seat.substitute = seat.lent
        self.clear_match()

    def clear_match(self) -> None:
        self.set_variant()
        self.game = self.hole = self.dealt = self.latest = None
        self.draws, self.card, self.winners = [], [], []
        self.cards, self.discards = None, []
        self.given_up = False
        self.ready, self.agreed, self.stand_ins = set(), {}, set()
        for seat in self.seats:
            seat.stood_in = 0

    def choose(self, entry: GameChosen) -> None:
        """Clears the last match, and takes the rules of another game; all players stay seated."""
        self.chosen, self.ruled = Chosen(entry.game, self.ruled, entry.house_rules), ""
        self.options = replace(self.options, holes=entry.holes)
        self.seats = [Seat() if seat.kind == "open" else seat for seat in self.seats]
        self.take_rules()
        self.clear_match()

    def take_rules(self) -> None:
        if self.chosen:
            self.game_rules = variant_ruled(self.chosen.game, self.chosen.rules, self.chosen.house_rules)
            self.house_rules = self.chosen.house_rules

    def leave(self, entry: Left) -> None:
        """Opens the seat. Once a match has begun, it keeps the player's name until another player sits down."""
        self.forget_agreed(entry.seat)
        begun = self.phase != "lobby"
        self.seats[entry.seat] = Seat(name=entry.name if begun else "", left=begun)
        if self.phase == "over":
            self.ready = set()  # nobody can play again before the seat is taken
        else:
            self.ready.discard(entry.seat)

    def forget_agreed(self, seat: int) -> None:
        """Forgets what was agreed about the person on a seat, and what they agreed to."""
        self.agreed.pop(seat, None)
        self.agreed = {of: left for of, by in self.agreed.items() if (left := [one for one in by if one != seat])}

    def set_variant(self) -> None:
        """Applies the match length of the options, except to practice and real-card games, and the number of packs."""
        if self.options.holes and not (self.position or self.real_cards):
            self.variant = for_match(self.game_rules, {"holes": self.options.holes})
        else:
            self.variant = self.game_rules
        self.variant = for_seats(self.variant, len(self.seats))
        self.holes = int(self.rules.holes)

    def draw(self, entry: Drew) -> None:
        while len(self.draws) < entry.round:
            self.draws.append([None] * len(self.seats))
        self.draws[entry.round - 1][entry.seat] = entry.face

    def add_seed(self, entry: SeedAdded) -> None:
        assert self.sealed is not None
        self.sealed.added.append(SeedGiven(entry.seat, entry.seed))
        self.sealed.seed_givers.add(self.seats[entry.seat].guest)

    def move(self, entry: Moved) -> None:
        """Transfers the guest's seats and ownership to another guest and deletes the offer."""
        if not self.held_by(entry.to):
            first = self.first_guests.get(entry.guest, entry.guest)
            self.first_guests = dict(sorted((self.first_guests | {entry.to: first}).items()))  # as a start keeps them
        for seat in self.seats:
            if seat.guest == entry.guest:
                seat.guest = entry.to
        if self.owner == entry.guest:
            self.owner = entry.to
        self.offers.pop(entry.guest, None)

    def deal(self, entry: Dealt) -> None:
        """Deals the layouts face down, and turns up the first discard (2.2, 2.3). Raises BrokenLog."""
        if self.game is None:
            raise BrokenLog("a hole is dealt before the draw for the deal")
        self.hole = self.game.deal()
        face = read_face(self.variant, entry.first_discard)
        if self.position or self.real_cards:
            self.cards = UnknownOrder(face)
        elif self.sealed:
            dealer = self.game.at_table.index(self.game.dealer)
            self.cards, self.sealed = Deal(self.rules, self.sealed, len(self.game.at_table), dealer), None
        assert isinstance(self.cards, Deal | UnknownOrder)
        if face != self.cards.first_discard:
            raise BrokenLog(f"the first discard is not a {entry.first_discard}")
        self.hole.turn_up(face)
        self.discards = [face]
        self.dealt, self.latest, self.ready, self.agreed, self.stand_ins = entry, None, set(), {}, set()

    def step(self, entry: Step | Revealed) -> None:
        """Takes a step with the engine's checks, so a damaged log is rejected."""
        assert self.dealt is not None
        if entry is self.played:
            step = self.playing.steps[-1]
        else:
            step = step_of(self.variant, entry)
            self.ahead.append(step)
        from_hidden = isinstance(entry, Step) and entry.from_hidden
        if step.move == STOCK:
            self.hidden_cards.draw(step.face)
        elif from_hidden or (step.phase in TURNING_UP and step.move != PASS):
            self.hidden_cards.turn_up(self.dealt.seats.index(entry.seat), step.move, step.face)
        if isinstance(entry, Revealed):
            return
        self.agreed.pop(entry.seat, None)
        self.note_who_moved(entry.seat)
        if step.move == DISCARD:
            self.discards.pop()
        elif entry.went is not None:
            self.discards.append(step.face)
        if entry.cleared:
            assert entry.face is not None
            self.discards += [read_face(self.variant, entry.face)] * len(entry.cleared)
        if entry.renewed:
            self.catch_up()
            self.renew_stock()
        self.latest = entry

    def note_who_moved(self, number: int) -> None:
        """Notes whether the person or a computer player made the seat's step; the turns are those of an absence."""
        seat = self.seats[number]
        if not seat.lent:
            seat.stood_in = 0
            return
        self.stand_ins.add(number)
        is_new_turn = not seat.stood_in or self.latest is None or self.latest.seat != number
        seat.stood_in += seat.lent_why != "asked" and is_new_turn

    def renew_stock(self) -> None:
        """Makes all discards but the top one the new stock (2.6)."""
        self.hidden_cards.renew(self.playing.state.stock)
        self.discards = self.discards[-1:]

    def stock_made_anew(self) -> list[str]:
        """Returns the cards of the new stock, sorted by face."""
        return [write_face(self.variant, face) for face in whole_pack(self.playing.state.stock)]

    def take_back(self, entry: TookBack) -> None:
        """Restores the position before the last step, which revealed nothing."""
        self.agreed.pop(entry.seat, None)
        hole = self.playing
        if entry.move == MOVE_TEXT[DISCARD]:
            self.discards.append(read_face(self.variant, entry.face))
        else:
            cleared = self.latest.cleared if self.latest else []
            del self.discards[-1 - len(cleared) :]
        steps = as_array(hole.steps[:-1])
        assert self.game is not None
        self.hole = self.game.deal()
        self.hole.take(steps)
        self.latest = None

    def finish_hole(self, entry: HoleOver) -> None:
        """Enters the hole on the score card (6.1)."""
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
                stand_ins=sorted(self.stand_ins),
            )
        )
        self.game.finish_hole()

    def finish_match(self, entry: MatchOver) -> None:
        self.removed.clear()
        self.winners = entry.winners
        self.finished.append(entry.game)
        for winner in entry.winners:
            self.seats[winner].wins += not self.seats[winner].substitute  # the person has won nothing

    def count(self, faces: Iterable[int]) -> dict[str, int]:
        """Returns how often each face occurs."""
        return {write_face(self.variant, face): count for face, count in sorted(Counter(faces).items())}

    def face(self, number: int) -> str | None:
        return face_text(self.variant, number)


def variant_of(opened: Opened) -> Variant:
    """Returns the variant with the rules stored at opening. Practice and shortened matches have no play-off."""
    variant = variant_ruled(opened.game, opened.rules, opened.house_rules)
    holes = 1 if opened.position else opened.holes
    return for_match(variant, {"holes": holes, "level": "share"}) if holes else variant


def variant_ruled(game: str, rules: str, house_rules: dict[str, int | str]) -> Variant:
    """Returns a game by the rules that a table keeps."""
    return for_match(variants.parse(rules, variants.load(game).file), house_rules)


def who_key(opened: Opened) -> bytes:
    """Returns the key that tells guests apart: the log alone has the owner, so clients cannot make it."""
    return sha256(f"{opened.owner} {opened.table}".encode()).digest()


def match_id(watch: str, match: int) -> str:
    return f"{watch}-{match}"
