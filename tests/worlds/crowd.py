"""Those who play: devices that connect, drop, lag, repeat themselves, lie, fall silent and come back."""

import json
from random import Random
from typing import Any

import msgspec
from audit import Broken, hear
from mirror import Mirror
from pushes import QUIET, ZONES

from mulligan.players.roster import LEVELS
from mulligan.server.web import sockets
from mulligan.server.web.accounts import name_of
from mulligan.server.wire import base, events
from mulligan.server.wire.commands import (
    AddSeed,
    AnswerKnock,
    Chat,
    Command,
    FillSeat,
    GiveBack,
    GiveUp,
    HandOver,
    Hello,
    Here,
    Knock,
    Leave,
    Lend,
    MoveHere,
    NewLink,
    Next,
    NextHole,
    Offer,
    OpenSeat,
    Ping,
    Play,
    PlayOn,
    React,
    Rematch,
    Remove,
    Rename,
    Say,
    SetOptions,
    Sit,
    Start,
    TakeBack,
    TakeOver,
)
from mulligan.server.wire.replies import Accepted, AtDoor, Happened, Pong, Presence, Refused, Welcome
from mulligan.server.wire.tables import TableOptions
from mulligan.server.wire.view import View

write = msgspec.json.Encoder().encode
COMPUTERS = ("random", "greedy", *LEVELS)  # not PLAYERS, to which other tests add players
TOKEN = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_"
SILENT, DEAD = 4.0, 9.0  # seconds until a client pings, and until it takes a new socket
VISIT = 600.0  # seconds for which someone stays who comes to move
STANDS_AFTER = 15.0  # seconds until every process knows for whom a device stands
NONSENSE = (
    "", "{", "[]", "null", '{"is":"Nothing"}', '{"is":"Play"}', '{"is":"Play","id":1,"seat":0,"move":"a1"}',
    "\ud7ff" * 9, '{"is":"Play","id":"x","seat":1e999,"move":"a1"}', '{"is":"Ping","n":' + "9" * 400 + "}",
    "[" * 3000, '"' + "x" * 5000,
)  # fmt: skip


class Device:
    """Someone's browser at one table."""

    def __init__(self, world: Any, name: str, dice: Random, watching: bool = False) -> None:
        self.world = world
        self.name = name
        self.dice = dice
        self.watching = watching
        self.token = "".join(dice.choice(TOKEN) for _ in range(32))
        self.hash = self.guest = name_of(self.token)
        self.guests = [self.guest]  # whom the server may take it for: the last one, or still an earlier one
        self.coming, self.next_try = "", 0.0  # the words with which it wants to come back, and when it asks again
        self.tab = f"tab of {name}"
        self.code = ""  # the table's, or the spectators'
        self.lag = dice.choice([0.005, 0.03, 0.15, 0.8])
        self.hurry = dice.choice([0.05, 0.3, 1.5])  # seconds of thought
        self.mischief = dice.choice([0.0, 0.05, 0.25, 0.5])
        self.pipe: Any = None
        self.is_welcome = False
        self.you: list[int] = []
        self.owner = False
        self.event = 0
        self.view: View | None = None
        self.mirror: Mirror | None = None
        self.sealed: str | None = None  # the commitment of the sealed pack
        self.stirred: set[tuple[str, int]] = set()
        self.commands = 0
        self.waiting: dict[str, bytes] = {}  # commands nobody has answered yet, oldest first
        self.given_at: dict[str, float] = {}
        self.answered: list[bytes] = []
        self.keys: list[str] = []
        self.away_until = 0.0
        self.heard_at = self.said_at = 0.0
        self.front_since: float | None = None  # since when its page has been in front, on one socket
        self.back_since: float | None = None  # the same, if the server knew before that it was hidden
        self.visible = world.leisure == 1  # a slow person's page is in the background and may be silent
        self.has_lied = False  # about the last event it knew
        self.is_lost = False  # comes back only if the world calls everyone
        self.table_gone = False
        self.flood: dict[int, float] = {}
        self.pings = self.sleeps = 0
        self.next_key = ""
        self.at_door: list[Any] = []
        self.stood_since = 0.0  # for whom it stands now
        self.address = self.way = ""  # at a push service, and the server's name for it
        self.waits_to_be_told = False

    # Time

    def wake_after(self, seconds: float) -> None:
        """Sleeps so long, whatever was to wake it before."""
        self.sleeps += 1
        self.world.timeline.after(seconds, self.wake, self.sleeps)

    def wake(self, sleep: int) -> None:
        """Does one thing, and sleeps again."""
        world = self.world
        if world.is_over or self.table_gone or sleep != self.sleeps:
            return
        now = world.timeline.now
        if self.away_until <= now:
            self.waits_to_be_told = False
        if self.is_lost or self.away_until > now:
            self.wake_after(max(1.0, min(self.away_until - now, 50_000.0)) if not self.is_lost else 60.0)
            return
        if self.coming and now >= self.next_try:
            self.try_to_come_back()
        if self.pipe is None:
            self.connect()
        elif now - self.heard_at > DEAD * (world.leisure if world.is_stormy else 1):
            self.drop(self.dice.random() < 0.5)
            self.connect()
        elif not self.is_welcome:
            pass
        elif world.is_stormy and world.is_by_letter and self.has_moved() and self.dice.random() < 0.3:
            self.go_away(self.dice.random() < 0.5, self.dice.choice([2.0, 20.0, 40.0]) * 3600)
            self.waits_to_be_told = True
        elif world.is_stormy and self.dice.random() < self.mischief:
            self.make_mischief()
        elif not self.do_duty() and now - min(self.said_at, self.heard_at) > SILENT:
            self.ping()
        hurry = self.hurry * world.leisure if world.is_stormy else 0.2
        self.wake_after(hurry * (0.5 + self.dice.random()) + (0.5 if not self.is_welcome else 0))

    # The line

    def connect(self) -> None:
        path = f"/ws/{'w' if self.watching else 't'}/{self.code}"
        lag = self.lag if self.world.is_stormy else 0.02
        self.pipe = self.world.site_for(self.watching).connect(self, path, self.token, lag)
        self.is_welcome = False
        self.front_since = self.back_since = None
        self.heard_at = self.world.timeline.now
        if self.pipe is not None:
            self.pipe.code, self.pipe.watching = self.code, self.watching
            self.has_lied = False
            self.hello(self.event)

    def hello(self, known: int) -> None:
        self.pipe.asked.append(known)
        self.pipe.is_visible = self.visible
        self.say(write(Hello(client_version=base.WIRE_VERSION, last_event=known, tab=self.tab, visible=self.visible)))

    def say(self, text: bytes | str) -> None:
        if self.pipe is not None:
            self.said_at = self.world.timeline.now
            text = text if isinstance(text, str) else text.decode()
            self.world.note("says", self.name, text[:300])
            self.pipe.say(text)

    def ping(self) -> None:
        self.pings += 1
        self.say(write(Ping(n=self.pings)))

    def show(self, visible: bool) -> None:
        if visible != self.visible:
            self.front_since = self.world.timeline.now if visible and self.is_welcome else None
            self.back_since = self.front_since
        self.visible = visible
        self.say(write(Here(visible=visible)))

    def is_in_front(self, seconds: float) -> bool:
        """Whether its page has been in front for so long, on one socket that works."""
        if self.pipe is None or self.pipe.is_cut or self.pipe.was_frozen or self.front_since is None:
            return False
        now = self.world.timeline.now
        return self.is_welcome and now - self.front_since > seconds and now - self.said_at < SILENT + 2

    def drop(self, is_noticed: bool) -> None:
        if self.pipe is not None:
            self.world.note("drops", self.name, is_noticed)
            self.pipe.hang_up(is_noticed)
            self.pipe = None
            self.is_welcome = False

    def go_away(self, is_noticed: bool, seconds: float) -> None:
        self.drop(is_noticed)
        self.waits_to_be_told = False
        self.away_until = self.world.timeline.now + seconds

    def has_moved(self) -> bool:
        """Whether it is others' turn, or nothing happens for long."""
        view = self.view
        if view is None or self.waiting:
            return False
        is_between = view.phase in ("lobby", "draw", "hole_over", "over")
        plays = view.turn in self.you or (is_between and (bool(self.you) or self.owner))
        return not plays or self.world.timeline.now > self.away_until + VISIT

    def hears_of_turn(self) -> None:
        """A message arrives, and someone comes who waits for one: at once, or when they have time."""
        if self.waits_to_be_told and not self.is_lost and not self.table_gone:
            self.waits_to_be_told = False
            self.away_until = self.world.timeline.now + self.dice.choice([2.0, 300.0, 4 * 3600.0])
            self.wake_after(self.away_until - self.world.timeline.now)

    def is_closed(self, pipe: Any, code: int) -> None:
        self.world.note("closed", self.name, code)
        pipe.is_cut = True
        if pipe is self.pipe:
            self.pipe = None
            self.is_welcome = False
            if code == sockets.TABLE_GONE:
                self.table_gone = True

    def give(self, command: Command) -> None:
        """Sends a command, and sends it again on every new socket until it is answered."""
        for guest in self.guests:
            self.world.given.setdefault((self.table_code, guest, command.id), []).append(command)
            if ledger := self.world.auditor.ledgers.get(self.table_code):
                ledger.ask(guest, command)
        self.waiting[command.id] = text = write(command)
        self.given_at[command.id] = self.world.timeline.now
        self.say(text)

    def give_new(self, kind: type[Command], **fields: Any) -> None:
        self.commands += 1
        self.give(kind(id=f"{self.name} {self.commands}", **fields))

    @property
    def table_code(self) -> str:
        return self.world.auditor.watch.get(self.code, "") if self.watching else self.code

    # What is heard

    def hears(self, pipe: Any, text: str) -> None:
        if pipe is not self.pipe:
            return
        self.heard_at = self.world.timeline.now
        message = hear(text)
        match message:
            case Welcome():
                self.welcome(message)
            case Happened():
                self.happened(message)
            case Accepted() | Refused():
                self.answer(message)
            case Presence() if self.view and len(message.present) == len(self.view.seats):
                for seat, present in zip(self.view.seats, message.present, strict=True):
                    seat.present = present
            case AtDoor():
                self.at_door = message.knocks
            case Pong():
                sent = self.flood.pop(message.n, None)
                if sent is not None:
                    self.world.flood_answered(self, sent)

    def welcome(self, message: Welcome) -> None:
        if message.event < self.event:
            raise Broken(f"{self.name} was told of event {self.event}, and now there are {message.event}")
        if self.mirror and not self.has_lied and (message.missed or message.event == self.event):
            for event in message.missed:
                self.mirror.hear(event)
            if what := self.mirror.differs(message.view):
                raise Broken(f"{self.name} came back to another table ({self.event} to {message.event}): {what}")
        self.mirror = Mirror(message.view)
        self.event, self.view, self.you, self.owner = message.event, message.view, message.you, message.owner
        self.sealed = message.sealed.commitment if message.sealed else None
        if not self.is_welcome:
            self.is_welcome = True
            self.front_since = self.world.timeline.now if self.visible else None
            again = list(self.waiting.values())
            if self.world.is_stormy and self.dice.random() < 0.2:
                self.dice.shuffle(again)
            for text in again:
                self.say(text)

    def happened(self, message: Happened) -> None:
        if message.event <= self.event:
            return  # it crossed a Welcome on its way
        if self.mirror is None:
            return  # the log was written anew; a Welcome follows
        for event in message.what:
            self.mirror.hear(event)
            if isinstance(event, events.Sealed):
                self.sealed = event.commitment
            elif isinstance(event, events.Dealt):
                self.sealed = None
        if what := self.mirror.differs(message.view):
            raise Broken(f"{self.name} hears of another table than is shown: {what}")
        self.event, self.view = message.event, message.view

    def answer(self, message: Accepted | Refused) -> None:
        if isinstance(message, Refused) and message.error in ("too_fast", "server_fault"):
            return  # it will be sent again
        text = self.waiting.pop(message.id, None)
        if text is not None:
            self.answered.append(text)
            if isinstance(message, Accepted) and self.next_key and b'"Offer"' in text:
                self.world.another_device(self, self.next_key)
                self.next_key = ""

    # Who it is

    def stand_for(self, guest: str) -> None:
        """From now on the server takes it for this guest, on new sockets."""
        if guest == self.guest:
            return
        self.guest = guest
        self.stood_since = self.world.timeline.now + STANDS_AFTER
        self.front_since = self.back_since = None
        if guest not in self.guests:
            ledger = self.world.auditor.ledgers.get(self.table_code)
            for (code, known, number), commands in [*self.world.given.items()]:
                if known == self.guests[0] and code == self.table_code:
                    self.world.given[code, guest, number] = commands
                    for command in commands if ledger else ():
                        ledger.ask(guest, command)  # type: ignore[union-attr]
            self.guests.append(guest)
            self.world.tokens.add(guest)

    def forget_table(self) -> None:
        """The table's log was written anew: what was heard before is no longer so."""
        self.mirror = self.view = None

    def keep_place(self) -> None:
        """Asks for come-back words, which end the earlier ones."""
        self.ask("POST", "words", self.note_words, language=self.dice.choice(["en", "ja"]))

    def note_words(self, status: int, body: bytes, headers: Any) -> None:
        if status == 201:
            self.world.words.append(" ".join(json.loads(body)["words"]))

    def come_back(self) -> None:
        """Would be someone whose words it knows, and asks until it is told yes or no."""
        if self.world.words and not self.watching:
            self.coming = self.dice.choice(self.world.words[-3:])
            self.try_to_come_back()

    def try_to_come_back(self) -> None:
        self.next_try = self.world.timeline.now + 8.0
        self.ask("POST", "come-back", self.came_back, words=self.coming)

    def came_back(self, status: int, body: bytes, headers: Any) -> None:
        if status in (200, 403):
            self.coming = ""

    def sign_out(self) -> None:
        """Signs out any device, which has to be one of its own."""
        self.ask("DELETE", f"devices/{self.dice.choice(self.world.devices).hash[:16]}", lambda *answer: None)

    def delete_me(self) -> None:
        if self.dice.random() < 0.3 and not self.watching:
            self.world.deleted |= set(self.guests)
            self.ask("DELETE", "", self.is_deleted)

    def is_deleted(self, status: int, body: bytes, headers: Any) -> None:
        """It is someone new, with the cookie of the answer."""
        if status == 200:
            cookie = next(value for name, value in headers if name == b"set-cookie").decode()
            self.token = cookie.partition("=")[2].partition(";")[0]
            self.hash = self.guest = name_of(self.token)
            self.guests = [self.guest]
            self.world.tokens |= {self.token, self.guest}
            self.coming, self.answered = "", []
            self.reload()

    def tell_here(self) -> None:
        """Wants to be told, for the first time or at another address, or at other hours."""
        if self.watching:
            return
        if not self.address or self.address in self.world.pushes.gone or self.dice.random() < 0.5:
            self.address = self.world.pushes.new_address(self)
        quiet_from, quiet_until = self.dice.choice(QUIET)
        self.ask(
            "POST", "ways/push", self.note_way, endpoint=self.address, p256dh="", auth="",
            language=self.dice.choice(["en", "ja"]), zone=self.dice.choice([*ZONES]),
            quiet_from=quiet_from, quiet_until=quiet_until,
        )  # fmt: skip

    def note_way(self, status: int, body: bytes, headers: Any) -> None:
        if status == 200:
            self.way = next((way["id"] for way in json.loads(body)["ways"] if way["here"]), "")

    def tell_no_more(self) -> None:
        if self.way and self.dice.random() < 0.3:
            self.ask("DELETE", f"ways/{self.way}", lambda *answer: None)

    def ask(self, method: str, path: str, then: Any, **body: Any) -> None:
        """A request about itself."""
        self.world.note("asks", self.name, method, path)
        sent = json.dumps(body).encode() if body else b""
        self.world.some_site().ask(method, f"/api/me/{path}".rstrip("/"), self.token, sent, then)

    # What everyone does who wants to play

    def do_duty(self) -> bool:
        """One honest thing, if there is one to do and the last has been answered."""
        view, dice = self.view, self.dice
        if view is None:
            return False
        if not self.visible and not self.world.is_stormy:
            self.show(True)
            return True
        if self.waiting:
            if self.world.timeline.now - self.said_at > 3.0:  # refused for a reason that may have passed
                for text in list(self.waiting.values()):
                    self.say(text)
                return True
            return False
        if self.watching:
            return False
        if not self.you:
            if any(seat.kind == "open" for seat in view.seats) and (not self.world.is_stormy or dice.random() < 0.7):
                self.give_new(Sit, seat=-1, name=f"{self.name} {self.commands}")
                return True
            if not self.owner:
                if self.world.is_stormy and dice.random() < 0.1:
                    self.knock()
                    return True
                return False
        if self.at_door and dice.random() < 0.7:
            self.answer_knock()
            self.at_door = []
            return True
        if self.you and self.sealed and self.sealed not in self.stirred:
            self.stirred.add(self.sealed)
            seed = dice.randbytes(16).hex()
            self.give_new(AddSeed, seat=dice.choice(self.you), seed=seed, commitment=self.sealed)
            return True
        for seat in self.you:
            if view.seats[seat].lent and dice.random() < 0.3:
                self.give_new(GiveBack, seat=seat)
                return True
        if view.turn is not None and view.turn in self.you and not view.seats[view.turn].lent:
            self.give_new(Play, seat=view.turn, move=self.choose(view))
            return True
        return self.lead(view)

    def lead(self, view: View) -> bool:
        """What brings the table on between the turns; several may do it at once."""
        leads = self.owner or not any(seat.owner and seat.present != "away" for seat in view.seats)
        is_patient = self.world.is_stormy and self.dice.random() < 0.7
        open_seats = [number for number, seat in enumerate(view.seats) if seat.kind == "open"]
        if view.phase == "lobby":
            if not leads or is_patient:
                return False
            if self.owner or self.dice.random() < 0.9:
                self.give_new(Start, fill=self.dice.choice(COMPUTERS))
            else:
                self.give_new(TakeOver)  # from a host who was deleted, say
        elif view.phase in ("draw", "hole_over"):
            if is_patient or not self.you:
                return False
            self.give_new(NextHole)
        elif view.turn is not None and (who := view.seats[view.turn]).present != "here" and not is_patient:
            if (
                view.options.tempo in base.TURN_HOURS
                or who.kind != "person"
                or who.lent
                or not (self.you or self.owner)
                or view.turn in self.you
            ):
                return False
            if set(self.you) <= set(view.agreed.get(view.turn, ())) and self.you and self.dice.random() < 0.9:
                return False
            self.give_new(PlayOn, seat=view.turn)
        elif open_seats and not is_patient:
            self.give_new(FillSeat, seat=open_seats[0], player=self.dice.choice(COMPUTERS))
        elif view.phase == "over" and self.world.wants_more(self) and not is_patient:
            self.give_new(Rematch)
        else:
            return False
        return True

    def choose(self, view: View) -> str:
        """Any legal move, and more often one that brings the hole to its end."""
        assert view.turn is not None
        layout = view.seats[view.turn].layout
        hidden = [slot for slot, face in zip(self.slots(), layout, strict=False) if face is None]
        hopeful = [move for move in view.legal if move in hidden]
        return self.dice.choice(hopeful if hopeful and self.dice.random() < 0.8 else view.legal)

    def slots(self) -> list[str]:
        assert self.mirror is not None
        return self.mirror.slots

    # What nobody should do

    def make_mischief(self) -> None:
        trick = self.dice.choice(TRICKS)
        self.world.note("trick", self.name, trick.__name__)
        trick(self)

    def repeat(self) -> None:
        """An old command once more, under its old id."""
        if self.answered:
            text = self.dice.choice(self.answered)
            self.say(text)

    def lie(self) -> None:
        """An old id with something else in it."""
        if self.answered and self.view:
            number = json.loads(self.dice.choice(self.answered))["id"]
            self.give(self.dice.choice([NextHole(id=number), Play(id=number, seat=0, move="a1"), GiveUp(id=number)]))

    def cheat(self) -> None:
        """Any move of any seat."""
        if self.view:
            move = self.dice.choice(["S", "D", "-", ".", "z9", "", "☃" * 30, *self.slots(), *self.view.legal])
            self.give_new(Play, seat=self.dice.randint(-2, len(self.view.seats)), move=move)

    def cheat_on_turn(self) -> None:
        """A legal move of the player to move, even if that is someone else."""
        if self.view and self.view.turn is not None and self.view.legal:
            self.give_new(Play, seat=self.view.turn, move=self.dice.choice(self.view.legal))

    def seat_trick(self) -> None:
        """Takes back, lends, gives back, leaves or shows the door, no matter who sits there."""
        if self.view:
            kind = self.dice.choice([TakeBack, TakeBack, TakeBack, Lend, Lend, GiveBack, Leave, Remove, OpenSeat])
            seats = self.you if self.you and self.dice.random() < 0.6 else range(-1, len(self.view.seats) + 1)
            seat = self.view.turn if kind is TakeBack and self.view.turn is not None else self.dice.choice(list(seats))
            self.give_new(kind, seat=seat)

    def take_back(self) -> None:
        """Takes back what may be taken back, twice at once under two ids."""
        if self.view and self.view.may_take_back and self.view.turn in self.you:
            self.give_new(TakeBack, seat=self.view.turn)
            if self.dice.random() < 0.5:
                self.give_new(TakeBack, seat=self.view.turn)

    def lend_and_play(self) -> None:
        """Lends the seat whose turn it is, and plays on all the same."""
        if self.view and self.view.turn in self.you and self.view.legal:
            self.give_new(Lend, seat=self.view.turn)
            self.give_new(Play, seat=self.view.turn, move=self.choose(self.view))

    def out_of_turn(self) -> None:
        """Things at the wrong time."""
        kind = self.dice.choice([NextHole, Rematch, Start, NextHole])
        self.give_new(kind)

    def twice(self) -> None:
        """The same move under two ids, and the first of them twice: only one can be right."""
        if self.view and self.view.turn in self.you and self.view.legal:
            move = self.choose(self.view)
            self.give_new(Play, seat=self.view.turn, move=move)
            self.say(next(reversed(self.waiting.values())))
            self.give_new(Play, seat=self.view.turn, move=move)

    def play_on(self) -> None:
        """Would play on without anyone."""
        if self.view:
            self.give_new(PlayOn, seat=self.dice.randint(-1, len(self.view.seats)))

    def chatter(self) -> None:
        if self.view:
            seat = self.dice.randint(-1, len(self.view.seats))
            self.give_new(Say, seat=seat, phrase=self.dice.choice(["nice", "hello", "rude"]))
            self.give_new(React, seat=seat, reaction=self.dice.choice(["clap", "boo"]))
            self.give_new(Chat, seat=seat, text=self.dice.choice(["well", "", "x" * 400, "<b>\u202e"]))

    def knock(self) -> None:
        seats = range(-1, len(self.view.seats) + 1) if self.view else [0]
        seat = self.dice.choice([None, *seats])
        self.give_new(Knock, name=self.dice.choice([f"{self.name} {self.commands}", "Zoe", ""]), seat=seat)

    def answer_knock(self) -> None:
        """Answers someone at the door, or nobody."""
        numbers = [one.knock for one in self.at_door] or [self.dice.randint(0, 3)]
        self.give_new(AnswerKnock, knock=self.dice.choice(numbers), yes=self.dice.random() < 0.7)

    def choose_game(self) -> None:
        """Another game for the next match, or in the middle of one."""
        game = self.dice.choice(["mini_columns", "mini_rows", "play_nine", "nine_card", "no_such_game"])
        self.give_new(Next, game=game)

    def new_link(self) -> None:
        """New links, alone or together with someone's removal."""
        if self.view and self.dice.random() < 0.3:
            self.give_new(NewLink, watch=self.dice.random() < 0.5)
        elif self.view:
            self.give_new(Remove, seat=self.dice.randint(-1, len(self.view.seats)), renew=True)

    def rename(self) -> None:
        if self.view:
            seat = self.dice.randint(-1, len(self.view.seats))
            self.give_new(Rename, seat=seat, name=self.dice.choice(["Zoe", f"{self.name}!", "", "x" * 30, "Ann\u202e"]))

    def set_options(self) -> None:
        pace = self.dice.choice(base.PACES)
        tempo = self.dice.choice(["family", "quick", "day", "three_days"])
        self.give_new(SetOptions, options=TableOptions(pace=pace, chat=self.dice.random() < 0.5, tempo=tempo))

    def talk_nonsense(self) -> None:
        self.say(self.dice.choice(NONSENSE))

    def say_hello_again(self) -> None:
        self.has_lied = True
        self.hello(self.dice.choice([0, self.event, self.dice.randint(-5, self.event + 5)]))

    def flood_it(self) -> None:
        """Far more at once than anyone may send."""
        if self.pipe.was_frozen or self.flood:
            return
        self.world.flood_begins(self)
        for _ in range(300):
            self.pings += 1
            self.flood[self.pings] = self.world.timeline.now
            self.say(write(Ping(n=self.pings)))

    def add_wrong_seed(self) -> None:
        seat = self.dice.choice(self.you) if self.you else 0
        self.give_new(AddSeed, seat=seat, seed=self.dice.choice(["", "xyz", "A" * 32, "0" * 31, "f" * 32, "a" * 33]))

    def stir_again(self) -> None:
        if self.you:
            self.give_new(AddSeed, seat=self.dice.choice(self.you), seed=self.dice.randbytes(16).hex())

    def look_away(self) -> None:
        """The page goes to the background, or comes back; now and then both at once."""
        self.show(not self.visible)
        if self.dice.random() < 0.2:
            self.show(not self.visible)

    def disappear(self) -> None:
        """Gone for a while; nobody may notice."""
        self.drop(self.dice.random() < 0.5)
        self.away_until = self.world.timeline.now + self.dice.choice([0.1, 1.0, 3.0, 6.0, 12.0, 30.0, 150.0])

    def reload(self) -> None:
        """The page is loaded again: it knows nothing any more but who it is."""
        self.drop(True)
        self.event, self.mirror, self.view, self.waiting = 0, None, None, {}
        self.tab = f"{self.tab}'"

    def open_twice(self) -> None:
        """The same tab opens a second socket, and leaves the first one lying."""
        self.pipe = None
        self.connect()

    def stop_reading(self) -> None:
        """The device sleeps with its socket open, and wakes up some time later."""
        pipe = self.pipe
        pipe.freeze()
        self.away_until = self.world.timeline.now + self.dice.choice([1.0, 5.0, 70.0])
        self.world.timeline.at(self.away_until, pipe.thaw)

    def send_and_go(self) -> None:
        """The line breaks just after, or just while, a command is sent."""
        self.do_duty()
        self.drop(self.dice.random() < 0.5)

    def move_on(self) -> None:
        """Plays on from another device."""
        if self.you and not self.next_key and self.world.may_grow(self):
            self.next_key = self.dice.randbytes(16).hex()
            self.give_new(Offer, key=self.next_key)

    def take_over(self) -> None:
        """Would play on for someone else, with a key that is none, or used."""
        self.give_new(MoveHere, key=self.dice.choice([*self.world.used_keys[-2:], "0" * 32, "x"]))

    def give_up(self) -> None:
        if self.dice.random() < 0.15:
            self.give_new(GiveUp)

    def change_host(self) -> None:
        """Gives the table away, or takes it from a host who may be gone or not."""
        if self.view and self.dice.random() < 0.5:
            self.give_new(HandOver, seat=self.dice.randint(-1, len(self.view.seats)))
        else:
            self.give_new(TakeOver)

    def go_for_good(self) -> None:
        """Leaves the others sitting there."""
        if self.dice.random() < 0.3:
            self.drop(self.dice.random() < 0.5)
            self.is_lost = True


TRICKS = (
    Device.repeat, Device.repeat, Device.lie, Device.cheat, Device.cheat_on_turn, Device.seat_trick,
    Device.lend_and_play, Device.take_back, Device.take_back, Device.out_of_turn, Device.twice, Device.twice,
    Device.chatter, Device.set_options, Device.talk_nonsense, Device.say_hello_again, Device.flood_it,
    Device.add_wrong_seed, Device.stir_again,
    Device.look_away, Device.look_away, Device.play_on, Device.disappear, Device.disappear, Device.reload,
    Device.open_twice,
    Device.stop_reading, Device.send_and_go, Device.send_and_go, Device.move_on, Device.take_over, Device.give_up,
    Device.go_for_good, Device.change_host, Device.change_host, Device.rename,
    Device.choose_game,
    Device.new_link,
    Device.knock,
    Device.answer_knock,
    Device.tell_here,
    Device.tell_no_more,
    Device.keep_place, Device.come_back, Device.come_back, Device.sign_out, Device.delete_me,
)  # fmt: skip
