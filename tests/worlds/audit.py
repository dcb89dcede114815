"""What must hold in every world after every step, found out from outside.

The auditor reads the disk after each commit, plays the log on a table of its own and on the second
referee's (tests/independent.py), and hears every byte that leaves the server.
"""

import hashlib
from collections import Counter
from itertools import takewhile
from typing import Any

import independent
import msgspec
from minis import RULES

from mulligan.engine.scoring import is_matched
from mulligan.engine.state import HIDDEN
from mulligan.server.table.log_entries import Done, Entry, Held, Moved, Offered, Secret, decode, is_public
from mulligan.server.table.match_flow import MOST_SEEDS
from mulligan.server.table.names import FORMULA, tidy
from mulligan.server.table.pack import Deal
from mulligan.server.table.table import Table
from mulligan.server.table.view import view
from mulligan.server.wire import base
from mulligan.server.wire.commands import (
    AddSeed,
    AnswerKnock,
    HandOver,
    Knock,
    MoveHere,
    NextHole,
    Play,
    PlayOn,
    Readmit,
    Rematch,
    Rename,
    SetOptions,
    TakeOver,
)
from mulligan.server.wire.events import (
    Agreed,
    Chatted,
    Dealt,
    GaveBack,
    GivenUp,
    HoleOver,
    HostChanged,
    Left,
    Lent,
    MatchOver,
    Reacted,
    Renamed,
    Revealed,
    Said,
    Sat,
    Sealed,
    SeedAdded,
    Started,
    TookBack,
    Unsealed,
)
from mulligan.server.wire.replies import Accepted, AtDoor, Clock, Happened, Presence, Refused, ServerMessage, Welcome
from mulligan.server.wire.view import Step, View

hear = msgspec.json.Decoder(ServerMessage).decode
MAY_COME_AGAIN = ("too_fast", "server_fault", "garbage", "watching", "id_too_long", "table_gone")


class Broken(AssertionError):
    """Something that must always hold did not."""


def must(holds: object, what: str) -> None:
    if not holds:
        raise Broken(what)


def cards_of(table: Table) -> dict[str, list[int]]:
    """Every card of the pack and where it is, hidden or not."""
    hole, cards = table.hole, table.cards
    assert hole is not None
    assert isinstance(cards, Deal)
    places: dict[str, list[int]] = {"stock": list(cards.stock), "discards": list(table.discards)}
    for seat in range(len(cards.layouts)):
        layout = hole.state.players[seat].layout
        places[f"layout {seat}"] = [
            cards.layouts[seat][slot] if int(layout[slot]) == HIDDEN else int(layout[slot])
            for slot in range(int(table.rules.slots))
            if not (table.rules.lines_clear and is_matched(table.rules, layout, slot))  # 3.7 among the discards
        ]
    if table.phase == "place":
        places["hand"] = [int(hole.state.held)]
    return places


def without_presence(shown: View) -> View:
    """The view without what no log can tell: who is connected just now."""
    seats = [msgspec.structs.replace(seat, present="here") for seat in shown.seats]
    return msgspec.structs.replace(shown, seats=seats)


class Umpire:
    """The second referee watches one hole, step by step as they are taken at the table."""

    def __init__(self, rules: independent.Rules, dealt: Dealt, closer: int | None) -> None:
        """`closer` closed the hole before this one of the match."""
        self.hole = independent.Hole(rules, dealt.seats, dealt.dealer, dealt.first_discard, closer)
        self.taken: Step | None = None
        self.thrown: Step | None = None
        self.reveals: dict[int, list[str]] = {}
        self.stand_ins: set[int] = set()

    def step(self, step: Step) -> None:
        on_turn = self.hole.player()
        must(not self.hole.is_played, f"a step after the hole was over: {step}")
        must(step.seat == on_turn, f"seat {step.seat} moved and it is seat {on_turn}'s turn: {step}")
        if step.phase == "tee_off":
            self.hole.play(f"{step.move}={step.face}")
        elif step.phase == "take" and step.move == ".":
            self.hole.play("-")
        elif step.phase == "take":
            self.taken = step
            if step.move == "D":
                must(self.hole.discards[-1] == step.face, f"{step.face} is not the top discard")
        elif step.phase == "place":
            must(self.taken is not None, "a card is laid down that nobody took")
            assert self.taken is not None
            if step.move != "-":
                self.hole.play(f"{self.taken.move}{self.taken.face}>{step.move}x{step.went}")
                self.taken = None
            else:
                must(step.face == self.taken.face, "another card is discarded than was taken")
                self.thrown = step
                if self.hole.closer is not None:
                    self.throw("")
        elif step.phase == "flip":
            must(self.thrown is not None, "a card is turned up and none was discarded")
            self.throw("" if step.move == "." else f"{step.move}={step.face}")

    def throw(self, flip: str) -> None:
        assert self.thrown is not None
        self.hole.play(f"S{self.thrown.face}-{flip}")
        self.taken = self.thrown = None

    def take_back(self, back: TookBack) -> None:
        if self.thrown is not None:
            must(back.move == "-" and back.seat == self.thrown.seat, f"nobody did what is taken back: {back}")
            self.thrown = None
        else:
            taken = self.taken
            must(taken and (taken.move, taken.seat) == ("D", back.seat) and back.move == "D", f"cannot be: {back}")
            self.taken = None

    def reveal(self, card: Revealed) -> None:
        self.reveals.setdefault(card.seat, []).append(f"{card.slot}={card.face}")

    def finish(self, over: HoleOver) -> None:
        self.hole.reveal(self.reveals)
        points = self.hole.points()
        told = {seat: cost for seat, cost in enumerate(over.points) if cost is not None}
        must(points == told, f"the hole cost {points}, and the table says {told}")


class Ledger:
    """One table, known by its log alone."""

    def __init__(self, code: str, world: Any) -> None:
        self.code = code
        self.world = world
        self.entries: list[Entry] = []
        self.shadow = Table([])
        self.views: dict[int, View] = {}  # after every event that ended a commit
        self.holders: dict[int, tuple[str, list[str]]] = {}  # the owner, and who holds each seat
        self.sizes: set[int] = set()
        self.done: dict[tuple[str, str], int] = {}
        self.forgotten: set[tuple[str, str]] = set()  # commands of people who were deleted since
        self.asked: list[tuple[str, Any]] = []  # commands that may change nothing, with their guests
        self.needless: set[tuple[str, str]] = set()  # those that had nothing to change at some time
        self.public: list[tuple[int, Entry]] = []
        self.former: list[tuple[dict[int, View], list[tuple[int, Entry]]]] = []  # both before people were deleted
        self.umpire: Umpire | None = None
        self.closer: int | None = None  # who closed the hole before
        self.sealed: dict[tuple[str, int], str] = {}
        self.unsealed: set[tuple[str, int]] = set()
        self.finished: list[str] = []
        self.given_up = 0
        self.offers: dict[str, str] = {}
        self.secrets: set[str] = set()  # seeds that are not shown yet, and the hashes of keys
        self.changed_at = self.moved_at = 0.0
        self.turn: tuple[Any, ...] = ()  # at a table by turns: what it waits for …
        self.turn_began = 0.0  # … and since when
        self.lent_at: dict[int, float] = {}
        self.lent: set[int] = set()
        self.stand_ins: list[int] = []  # of the latest hole

    # Reading the disk

    def grow(self, rows: list[tuple[int, bytes]]) -> None:
        """What one commit put on disk."""
        for number, _ in rows:
            must(
                number == len(self.entries) + 1 + rows.index((number, _)), f"event {number} follows {len(self.entries)}"
            )
        group = [decode(entry) for _, entry in rows]
        self.check_author(group)
        for entry in group:
            self.watch(entry)
            self.shadow.apply(entry)
            if isinstance(entry, Step):
                self.moved_at = self.world.timeline.now
            elif isinstance(entry, HoleOver):
                must(self.shadow.card[-1].stand_ins == self.stand_ins, f"stand-ins: {self.stand_ins}")
            elif isinstance(entry, Lent):
                self.lent_at[entry.seat] = self.world.timeline.now
            self.entries.append(entry)
            number = len(self.entries)
            if is_public(entry):
                self.public.append((number, entry))
            if isinstance(entry, Done):
                must((entry.guest, entry.id) not in self.done, f"the command {entry.id} happened twice")
                self.world.pushes.came([entry.guest], self.code)
                self.done[entry.guest, entry.id] = number
        self.find_needless()
        shadow = self.shadow
        if self.turn != (turn := self.present_turn()):
            self.turn, self.turn_began = turn, self.world.timeline.now
        self.views[len(self.entries)] = without_presence(view(shadow))
        self.sizes.add(len(shadow.seats))
        self.holders[len(self.entries)] = shadow.owner, [seat.guest for seat in shadow.seats]
        self.changed_at = self.world.timeline.now
        self.count_cards(self.shadow)

    def replace(self, log: list[bytes]) -> None:
        """The log was written anew: without a person who wanted that, and otherwise as it was."""
        entries = [decode(entry) for entry in log]
        known = len(self.entries)
        if entries == self.entries:
            return  # it was to be written, and the disk failed
        must(all(isinstance(entry, Left) for entry in entries[known:]), "more than leaving was added")
        must(len(entries) >= known, "the new log is shorter")
        gone = {}
        for before, after in zip(self.entries, entries, strict=False):
            must(without_people(before) == without_people(after), f"{before} became {after}")
            others = zip(guests_in(before), guests_in(after), strict=True)
            gone |= {guest: nobody for guest, nobody in others if guest != nobody}
        must(gone.keys() <= self.world.deleted, "someone was deleted who did not want to be")
        must(not any(guest.encode() in entry for guest in gone for entry in log), "the deleted guest is still there")
        known_as = {seat.guest: self.shadow.who(seat.guest) for seat in self.shadow.seats if seat.guest not in gone}
        self.former.append((self.views, self.public))
        ends = {*self.views, len(entries)}
        self.entries, self.shadow, self.views, self.public, self.holders = entries, Table([]), {}, [], {}
        for number, entry in enumerate(entries, 1):
            self.shadow.apply(entry)
            if is_public(entry):
                self.public.append((number, entry))
            if number > known:
                self.watch(entry)
            if number in ends:
                self.views[number] = without_presence(view(self.shadow))
                self.holders[number] = self.shadow.owner, [seat.guest for seat in self.shadow.seats]
        for guest, who in known_as.items():
            must(self.shadow.who(guest) == who, "someone else at the table is no longer muted")
        self.forgotten |= {key for key in self.done if key[0] in gone}
        self.done = {key: number for key, number in self.done.items() if key[0] not in gone}
        self.offers = {gone.get(guest, guest): key for guest, key in self.offers.items()}
        for device in self.world.devices:
            if device.table_code == self.code:
                device.forget_table()

    def watch(self, entry: Entry) -> None:
        """The second referee's word on what happens next."""
        match entry:
            case Started():
                self.umpire = self.closer = None
            case Dealt():
                must(self.umpire is None, "a hole is dealt while another is played")
                rules = RULES[self.shadow.variant.name].for_players(len(self.shadow.seats))
                self.umpire = Umpire(rules, entry, self.closer)
            case Step():
                must(self.umpire, "a step and no hole")
                assert self.umpire is not None
                self.umpire.step(entry)
                if entry.seat in self.lent:
                    self.umpire.stand_ins.add(entry.seat)
            case Lent():
                self.lent.add(entry.seat)
            case GaveBack() | Left() | Sat():
                self.lent.discard(entry.seat)
            case TookBack():
                assert self.umpire is not None
                self.umpire.take_back(entry)
            case Revealed():
                assert self.umpire is not None
                self.umpire.reveal(entry)
            case HoleOver():
                assert self.umpire is not None
                self.umpire.finish(entry)
                self.closer = self.umpire.hole.closer
                self.stand_ins = sorted(self.umpire.stand_ins)
                self.umpire = None
            case GivenUp():
                self.umpire = None
                self.given_up += 1
            case MatchOver():
                self.finished.append(entry.game)
            case Secret():
                self.secrets.add(entry.seed)
            case Offered():
                self.secrets.add(entry.key)
            case Sealed():
                must((entry.game, entry.hole) not in self.sealed, f"sealed twice: {entry}")
                self.sealed[entry.game, entry.hole] = entry.commitment
            case Unsealed():
                key = entry.game, entry.hole
                must(key in self.sealed and key not in self.unsealed, f"shown and not sealed: {entry}")
                must(hashlib.sha256(bytes.fromhex(entry.seed)).hexdigest() == self.sealed[key], "another seed is shown")
                self.unsealed.add(key)
                self.secrets.discard(entry.seed)

    def check_author(self, group: list[Entry]) -> None:
        """The one who gave the command held the seat, and really gave it. Nobody else's seat moves by itself."""
        seats = self.shadow.seats
        done = next((entry for entry in group if isinstance(entry, Done)), None)
        given = self.world.given.get((self.code, done.guest, done.id), []) if done else []
        must(done is None or given, f"nobody gave the command {done}")
        for entry in group:
            match entry:
                case Step() if done:
                    seat = seats[entry.seat]
                    must(seat.guest == done.guest and not seat.lent, f"not his seat: {entry}")
                    wanted = [(one.seat, one.move) for one in given if isinstance(one, Play)]
                    must((entry.seat, entry.move) in wanted, f"nobody wanted {entry}")
                case Step():
                    must(seats[entry.seat].computer, f"a step nobody asked for: {entry}")
                case TookBack() | Said() | Reacted() | Chatted() | SeedAdded() | Renamed():
                    must(done and seats[entry.seat].guest == done.guest, f"not his seat: {entry}")
                case Held():
                    knocked = any(self.was_let_in(entry.guest, one) for one in given)
                    must(done and (done.guest == entry.guest or knocked), f"someone else is seated: {entry}")
                case Left():
                    is_theirs = done and done.guest in (seats[entry.seat].guest, self.shadow.owner)
                    makes_room = any(isinstance(one, AnswerKnock) for one in given) and not seats[entry.seat].guest
                    must(is_theirs or makes_room, f"not his seat: {entry}")
                case Moved() if any(isinstance(one, AnswerKnock) for one in given):
                    self.check_given(entry, done)
                case Moved() if not done:
                    comes = any(one.coming and entry.guest in one.guests for one in self.world.devices)
                    is_person = self.world.disk.rows("SELECT 1 FROM persons WHERE guest = ?", entry.to)
                    must(comes and is_person, f"moved by nobody: {entry}")
                    self.offers.pop(entry.guest, None)
                case Moved():
                    must(done and done.guest == entry.to, f"moved by another: {entry}")
                    keys = [hashlib.sha256(one.key.encode()).hexdigest() for one in given if isinstance(one, MoveHere)]
                    must(self.offers.pop(entry.guest, None) in keys, f"moved with a key that is good no more: {entry}")
                case HostChanged():
                    heir = seats[entry.seat].guest
                    must(done and heir, f"nobody made a host: {entry}")
                    must(done.guest in (heir, self.shadow.owner), f"made host by another: {entry}")  # type: ignore[union-attr]
                case Offered():
                    must(done and done.guest == entry.guest, f"offered by another: {entry}")
                    self.offers[entry.guest] = entry.key
                case GivenUp() if not done:
                    must(self.world.is_forgotten(self.code, 29.9), "given up by nobody, and not forgotten")
                case Agreed():
                    must(done and seats[entry.by].guest == done.guest != seats[entry.seat].guest, f"not his: {entry}")
                    must(any(isinstance(one, PlayOn) and one.seat == entry.seat for one in given), f"not so: {entry}")
                case Lent(why="agreed"):
                    must(any(isinstance(one, PlayOn) and one.seat == entry.seat for one in given), f"not so: {entry}")
                    must(not self.plays(entry.seat), f"lent behind the back of someone who plays: {entry}")
                case Lent(why="asked"):
                    must(done, f"lent by nobody: {entry}")
                case Lent(why="clock") if self.shadow.is_by_turns:
                    must(entry.seat == self.shadow.turn, f"not that seat's turn: {entry}")
                    hours = base.TURN_HOURS[self.shadow.options.tempo]
                    must(self.turn_lasts() >= hours * 3600, f"lent after {self.turn_lasts() / 3600:.1f} hours: {entry}")
                case Lent() if self.shadow.is_by_turns:
                    must(seats[entry.seat].kind == "open", f"lent for someone who has days: {entry}")

    def present_turn(self) -> tuple[Any, ...]:
        """What a table by turns waits for, as far as others could know; empty if it does not play by turns."""
        table = self.shadow
        if table.options.tempo not in base.TURN_HOURS or table.phase in ("lobby", "over"):
            return ()
        seat = table.seats[table.turn] if table.turn is not None else None
        return table.match, len(table.card), table.turn, bool(seat and seat.guest and not seat.lent)

    def turn_lasts(self) -> float:
        """For how many seconds the table has been waiting for the same move."""
        return float(self.world.timeline.now - self.turn_began)

    def check_turn(self, noted: list[tuple[Any, ...]]) -> None:
        """What the disk says of the turn is what the log says: it is written with the moves."""
        table = self.shadow
        guest = table.seats[table.turn].guest if self.turn and self.turn[-1] else ""
        must(noted == ([(guest,)] if self.turn else []), f"the turn on disk is {noted}, and {self.turn} by the log")

    def check_given(self, moved: Moved, done: Done | None) -> None:
        """A seat goes to someone who said that it is theirs, by someone at the table, behind nobody's back."""
        table = self.shadow
        commands = [one for key, some in self.world.given.items() if key[:2] == (self.code, moved.to) for one in some]
        must(any(isinstance(one, Knock) and one.seat is not None for one in commands), f"never asked for: {moved}")
        must(not table.held_by(moved.to) and moved.to not in table.removed, f"to one who may not: {moved}")
        must(done and (done.guest == table.owner or table.held_by(done.guest)), f"given by another: {moved}")
        must(done and done.guest != moved.guest, f"given by the one who is not there: {moved}")
        must(not any(self.in_front(seat, 15.0) for seat in table.held_by(moved.guest)), f"behind their back: {moved}")
        self.offers.pop(moved.guest, None)

    def was_let_in(self, guest: str, command: Any) -> bool:
        """Whether this command lets a guest in who had knocked here."""
        commands = [one for key, some in self.world.given.items() if key[:2] == (self.code, guest) for one in some]
        return isinstance(command, AnswerKnock) and command.yes and any(isinstance(one, Knock) for one in commands)

    def in_front(self, seat: int, seconds: float) -> list[Any]:
        """The devices of a seat's person whose page has been in front for so long, as the one server must know."""
        if self.world.is_shared or not self.world.is_quiet():
            return []
        guest = self.shadow.seats[seat].guest
        devices = [device for device in self.world.devices if device.guest == guest and device.code == self.code]
        return [device for device in devices if device.is_in_front(seconds)]

    def plays(self, seat: int) -> bool:
        """Whether the seat's person is certainly here, and someone has moved not long ago."""
        return bool(self.in_front(seat, 15.0)) and self.world.timeline.now - self.moved_at < base.STILL_SECONDS - 20

    def check_returned(self) -> None:
        """A person who is here again has their seat back, unless they lent it themselves."""
        for number, seat in enumerate(self.shadow.seats):
            if seat.kind == "person" and seat.lent and seat.lent_why != "asked":
                for device in self.in_front(number, 15.0):
                    since = device.front_since if seat.lent_why == "absent" else device.back_since
                    must(
                        since is None or self.lent_at[number] > since - 1,
                        f"{device.name} is here, and seat {number} is lent",
                    )

    def count_cards(self, table: Table) -> None:
        """Every card of the pack lies at exactly one place."""
        if not table.is_playing and table.phase not in ("hole_over",):
            return
        places = cards_of(table)
        lying = Counter(face for cards in places.values() for face in cards)
        pack = {face: int(table.rules.copies[face]) for face in range(int(table.rules.faces))}
        must(lying == {face: count for face, count in pack.items() if count}, f"the pack is not whole: {places}")
        must(len(places["stock"]) == int(table.hole.state.stock_left), "the stock is not as high as it looks")  # type: ignore[union-attr]

    def between(self, first: int, last: int) -> list[list[Entry]]:
        """What everyone may know of the events after the first, up to the last: as it is now, and as it was once."""
        logs = [self.public, *(public for _, public in self.former)]
        return [[entry for number, entry in latest(log, first) if number <= last] for log in logs]

    def ask(self, guest: str, command: Any) -> None:
        if isinstance(
            command, AddSeed | SetOptions | NextHole | Rematch | Readmit | HandOver | TakeOver | Rename | PlayOn
        ):
            self.asked.append((guest, command))
            self.find_needless()

    def find_needless(self) -> None:
        """A command that has nothing to change is acknowledged and not written."""
        for guest, command in [*self.asked]:
            if self.is_so(guest, command):
                self.needless.add((guest, command.id))
                self.asked.remove((guest, command))

    def is_so(self, guest: str, command: Any) -> bool:
        table = self.shadow
        match command:
            case AddSeed():
                sealed = table.sealed
                is_late = sealed is None or command.commitment not in ("", sealed.commitment)
                return is_late or guest in sealed.seed_givers or len(sealed.added) >= MOST_SEEDS  # type: ignore[union-attr]
            case SetOptions():
                kept = {} if table.phase in ("lobby", "over") else {"holes": table.options.holes}
                return msgspec.structs.replace(command.options, **kept) == table.options
            case NextHole() | Rematch():
                return table.ready.issuperset(table.held_by(guest))
            case Readmit():
                return not table.removed
            case HandOver():
                return command.seat in table.held_by(table.owner)
            case Rename():
                held = command.seat in table.held_by(guest)
                return held and tidy(command.name).lstrip(FORMULA + " ") == table.seats[command.seat].name
            case TakeOver():
                return guest == table.owner
            case PlayOn():
                return set(table.agreed.get(command.seat, ())).issuperset(table.held_by(guest))
        return False

    def waits_for_nobody(self) -> bool:
        """Whether the table has to go on by itself while anyone looks."""
        table = self.shadow
        return bool(
            table.computer_on_turn
            or table.phase == "draw"
            or (table.phase == "hole_over" and all(seat.computer for seat in table.seats))
        )


class Auditor:
    """All tables of a world, and everything that is sent to anyone."""

    def __init__(self, world: Any) -> None:
        self.world = world
        self.ledgers: dict[str, Ledger] = {}
        self.watch: dict[str, str] = {}
        self.told_last: tuple[str, Any] = ("", None)
        self.messages = 0
        self.refused: Counter[str] = Counter()

    def read_disk(self) -> None:
        """After every commit: who everyone is, and what is new, table by table."""
        disk = self.world.disk
        stands = dict(disk.rows("SELECT device, guest FROM devices"))
        for device in self.world.devices:
            device.stand_for(stands.get(device.hash, device.hash))
        replaced, disk.replaced = disk.replaced, {}
        for code, log in replaced.items():
            if code in self.ledgers:
                self.ledgers[code].replace(log)
        for code, watch in disk.rows("SELECT code, watch FROM tables ORDER BY code"):
            if code not in self.ledgers:
                self.ledgers[code] = Ledger(code, self.world)
                self.watch[watch] = code
        there = {code for (code,) in disk.rows("SELECT code FROM tables")}
        for code in self.ledgers.keys() - there:
            self.world.is_removed(code)
        for code, ledger in self.ledgers.items():
            known = len(ledger.entries)
            rows = disk.rows(
                "SELECT number, entry FROM entries WHERE code = ? AND number > ? ORDER BY number", code, known
            )
            if rows:
                self.world.note("disk", code, rows[-1][0])
                ledger.grow(rows)
            if code in there:
                ledger.check_turn(disk.rows("SELECT guest FROM turns WHERE code = ?", code))

    def ledger(self, pipe: Any) -> Ledger:
        return self.ledgers[self.watch[pipe.code] if pipe.watching else pipe.code]

    def told(self, pipe: Any, text: str) -> None:
        """The server sends this: it must be true, and on disk."""
        self.messages += 1
        if text == self.told_last[0]:
            message = self.told_last[1]
        else:
            message = hear(text)
            self.told_last = (text, message)
        guests, device = pipe.guests, pipe.owner
        if isinstance(message, Refused):
            self.refused[message.error] += 1
            must(message.error in base.ERRORS, f"the refusal {message.error} is not known")
        if pipe.code not in (self.watch if pipe.watching else self.ledgers):
            must(isinstance(message, Refused), "no such table, and something is told of it")
            return
        ledger = self.ledger(pipe)
        for secret in self.world.secrets_of(ledger, device):
            must(secret not in text, f"a secret is told: {text[:200]}")
        match message:
            case Welcome():
                if not pipe.watching:
                    self.world.pushes.came(guests, ledger.code)
                    if not pipe.opened and pipe.is_visible and len(guests) == 1:
                        self.world.pushes.is_shown(pipe, ledger.code)
                pipe.opened = pipe.opened or self.world.timeline.now
                self.check_state(ledger, message.event, message.view, pipe.watching)
                owner, holders = ledger.holders[message.event]
                held = [([at for at, one in enumerate(holders) if one == guest], owner == guest) for guest in guests]
                told = message.you, message.owner
                must(told in (held if not pipe.watching else [([], False)]), f"{told} is not {device.name}, {held} is")
                must(
                    not message.missed
                    or any(message.missed in heard_since(ledger, known, message.event) for known in pipe.asked),
                    "what was missed is not what happened",
                )
                pipe.position = message.event
            case Happened():
                must(message.event > pipe.position, f"event {message.event} is told after {pipe.position}")
                heard = heard_since(
                    ledger, pipe.position, message.event
                )  # someone who was removed hears no chat either
                is_quiet = not any(isinstance(one, Chatted) for one in message.what)
                must(is_quiet or not pipe.watching, "chat is told to a spectator")
                must(message.what in heard, f"told {message.what}, and the log says {heard[0]}")
                self.check_state(ledger, message.event, message.view, pipe.watching)
                pipe.position = message.event
            case Accepted():
                keys = [(guest, message.id) for guest in guests]
                given = self.world.given.get((ledger.code, *keys[-1]), [])
                is_logged = not any(isinstance(one, Knock | AnswerKnock) for one in given)  # a no is not
                known = ledger.done.keys() | ledger.needless | ledger.forgotten
                is_known = any(key in known for key in keys)
                must(is_known or not is_logged, f"{message.id} is acknowledged and not on disk")
            case AtDoor():
                owner, holders = ledger.holders[len(ledger.entries)]
                must(not message.knocks or not {owner, *holders}.isdisjoint(guests), "a knock is told to others")
            case Refused():
                must(
                    message.error in MAY_COME_AGAIN
                    or (guests[-1], message.id) not in ledger.done
                    or len(guests) > 1  # a command is known by the guest who gave it, who they are no more
                    or pipe.was_frozen,
                    f"{message.id} has happened, and is refused: {message.error}",
                )
            case Presence():
                must(len(message.present) in ledger.sizes, "the presence of other seats is told")
            case Clock():
                must(message.seconds >= 0, "a clock shows less than nothing")

    def check_state(self, ledger: Ledger, event: int, shown: View, watching: bool) -> None:
        must(event in ledger.views, f"event {event} is told, and the log has {len(ledger.entries)}")
        real = ledger.views[event]
        told = without_presence(shown)
        is_old = any(views.get(event) == told for views, _ in ledger.former)
        if ledger.former and watching and self.world.is_shared:  # another process may have read the log before
            is_old = without_names(told) == without_names(real)
        if told != real and not is_old:
            raise Broken(f"at event {event} the log makes another table: {differences(told, real)}")
        for site in self.world.sites:
            self.check_pack(ledger, site.registry)

    def check_pack(self, ledger: Ledger, registry: Any) -> None:
        live = registry.tables.get(ledger.code) if registry else None
        if live and live.log.lease:
            epochs = self.world.disk.rows("SELECT epoch FROM tables WHERE code = ?", ledger.code)
            if epochs != [(live.log.lease.epoch,)]:
                return  # another process has the table now
        if live and live.table.event == ledger.shadow.event and live.table.is_playing:
            must(cards_of(live.table) == cards_of(ledger.shadow), "the log replays to another pack")


def latest(log: list[tuple[int, Entry]], after: int) -> list[tuple[int, Entry]]:
    """The end of a log after an event."""
    found = list(takewhile(lambda one: one[0] > after, reversed(log)))
    return found[::-1]


def without_people(entry: Entry) -> Any:
    """An entry without what says who was there, and what they wrote."""
    plain = msgspec.to_builtins(entry)
    for name in ("name", "text", "guest", "owner", "to", "who_key"):
        plain.pop(name, None)
    return plain | {"seats": len(plain["seats"])} if plain["is"] == "Opened" else plain


def without_names(shown: View) -> View:
    seats = [msgspec.structs.replace(seat, name="", left="", who="", owner=False, here=False) for seat in shown.seats]
    return msgspec.structs.replace(shown, seats=seats)


def guests_in(entry: Entry) -> list[str]:
    return [getattr(entry, name) for name in ("guest", "owner", "to") if hasattr(entry, name)]


def heard_since(ledger: Ledger, known: int, event: int) -> list[list[Any]]:
    """What may be told of the events after one: with the chat or, to those who only watch, without."""
    logs = ledger.between(known, event)
    return logs + [[one for one in what if not isinstance(one, Chatted)] for what in logs]


def differences(told: Any, real: Any) -> str:
    return "; ".join(
        f"{field}: {getattr(told, field)!r}, not {getattr(real, field)!r}"
        for field in told.__struct_fields__
        if getattr(told, field) != getattr(real, field)
    )[:600]
