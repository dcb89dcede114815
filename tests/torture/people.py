"""People at a table over a real network: what the browser's page does, in Python, and all they were told."""

import asyncio
import hashlib
import json
import random
import string
import time
from collections.abc import Callable, Coroutine
from contextlib import suppress
from dataclasses import dataclass, field
from functools import partial
from typing import Any

import httpx
from websockets.asyncio.client import ClientConnection, connect
from websockets.exceptions import ConnectionClosed, InvalidHandshake, InvalidMessage

from mulligan.server.web.accounts import COOKIE, name_of
from mulligan.server.wire.base import WIRE_VERSION

Words = dict[str, Any]

# What may be refused although nobody did wrong: someone else was quicker.
LATE = {"NextHole": {"not_now"}, "Start": {"not_now"}, "Rematch": {"not_now"}}
# … and where messages are lost or swapped, so that a move was chosen by an older view.
MISLED = {"not_now", "not_your_turn", "not_legal", "nothing_to_take_back", "name_taken"}
COLUMNS = {"play_nine": 4, "nine_card": 3}
OLD_CLIENT, TABLE_GONE = 4002, 4006


@dataclass(frozen=True)
class Patience:
    """How long a page waits, in seconds: session.svelte.ts says the same."""

    silence: float = 4.0  # on either side: then it asks whether anyone is there
    dead: float = 9.0  # then the socket is replaced
    first: float = 0.3  # the first retry, and twice as long each time
    longest: float = 8.0


PAGE = Patience()
QUICK = Patience(silence=0.25, dead=0.8, first=0.05, longest=0.4)


@dataclass
class Told:
    """What one message said: the events, the number of the last, and a digest of the view after it."""

    event: int
    what: list[Words]
    view: str
    since: int | None  # the event known before, where nothing between may be missing


@dataclass
class Pending:
    """A command that was not answered yet."""

    words: Words
    given_at: float
    answer: "asyncio.Future[Words]"
    sent_at: float = 0.0  # on this socket


@dataclass
class Memory:
    """All that one guest did and heard."""

    commands: dict[str, Words] = field(default_factory=dict)
    accepted: dict[str, float] = field(default_factory=dict)  # and when
    refused: dict[str, str] = field(default_factory=dict)
    told: list[Told] = field(default_factory=list)
    faults: list[str] = field(default_factory=list)
    longest_pause: float = 0.0  # from a command to its answer
    sockets: int = 0
    resent: int = 0


class Person:
    """One guest at one table, who plays on until so many matches are over, whatever the network does."""

    def __init__(
        self,
        port: int,
        code: str,
        name: str,
        dice: random.Random,
        patience: Patience = QUICK,
        matches: int = 1,
        watching: bool = False,
        think: float = 0.01,
        in_order: bool = True,
    ) -> None:
        self.port = port
        self.code = code
        self.name = name
        self.dice = dice
        self.patience = patience
        self.matches = matches
        self.watching = watching
        self.think = think
        self.in_order = in_order  # nothing between two messages of a socket is lost
        self.token = "".join(dice.choices(string.ascii_letters + string.digits, k=32))
        self.guest = name_of(self.token)
        self.tab = f"{dice.getrandbits(64):016x}"
        self.you: list[int] = []
        self.owner = False
        self.view: Words = {}
        self.event = 0
        self.memory = Memory()
        self.pending: dict[str, Pending] = {}
        self.seeded: set[tuple[str, int]] = set()
        self.socket: ClientConnection | None = None
        self.is_welcome = False  # on this socket
        self.hello_since: int | None = None
        self.heard_at = self.said_at = self.asked_at = 0.0
        self.news = asyncio.Event()
        self.is_over = asyncio.Event()
        self.errands: set[asyncio.Task[Any]] = set()
        self.on: Callable[[str], None] = lambda what: None  # told "sent", "told", "accepted", "welcome"

    # What the owner does first

    async def open(self, *seats: Words, game: str = "play_nine", **options: Any) -> str:
        """Opens a table, whose owner this is, and returns the code for spectators."""
        wish = {"game": game, "seats": list(seats), "options": {"pace": "instant", **options}}
        async with httpx.AsyncClient(base_url=f"http://127.0.0.1:{self.port}", timeout=60) as http:
            post = partial(http.post, "/api/tables", json=wish, headers={"cookie": f"{COOKIE}={self.token}"})
            while (answer := await post()).status_code == 503:
                await asyncio.sleep(0.5)  # the server is busy, and refuses what can wait
        assert answer.status_code == 201, answer.text
        opened = answer.json()
        self.code = opened["table"]
        return str(opened["watch"])

    # The connection

    async def live(self) -> None:
        """Connects, and again whenever the line breaks, until cancelled."""
        playing = asyncio.create_task(self.play())
        tries = 0
        try:
            while True:
                if await self.visit():
                    tries = 0
                if playing.done():
                    playing.result()
                    return
                wait = min(self.patience.longest, self.patience.first * 2**tries)
                tries += 1
                await asyncio.sleep(wait * (0.5 + self.dice.random()))
        finally:
            for task in (playing, *self.errands):
                task.cancel()
            if self.socket is not None:
                self.socket.transport.abort()

    async def visit(self) -> bool:
        """One socket from its opening to its end, and whether anything was heard on it."""
        kind = "w" if self.watching else "t"
        self.heard_at, self.asked_at, self.is_welcome = time.monotonic(), 0.0, False
        heard = False
        try:
            socket = await connect(
                f"ws://127.0.0.1:{self.port}/ws/{kind}/{self.code}",
                additional_headers={"cookie": f"{COOKIE}={self.token}"},
                compression=None,
                max_size=None,
                ping_interval=None,
                open_timeout=self.patience.dead,
                close_timeout=0.1,
                proxy=None,
            )
        except (OSError, TimeoutError, EOFError, InvalidHandshake, InvalidMessage, ConnectionClosed):
            return False
        self.socket = socket
        self.memory.sockets += 1
        watch = asyncio.create_task(self.listen(socket))
        try:
            self.hello_since = self.event
            await self.send({"is": "Hello", "client_version": WIRE_VERSION, "last_event": self.event, "tab": self.tab})
            while True:
                self.hear(json.loads(await socket.recv()))
                heard = True
        except ConnectionClosed as closed:
            if closed.rcvd and closed.rcvd.code in (OLD_CLIENT, TABLE_GONE):
                self.memory.faults.append(f"{self.name} was sent away: {closed.rcvd.code}")
        finally:
            watch.cancel()
            self.socket = None
            self.is_welcome = False
            socket.transport.abort()
        return heard

    async def listen(self, socket: ClientConnection) -> None:
        """Is anyone there? A dead socket is replaced, and one on which a command goes without an answer."""
        patience = self.patience
        while True:
            await asyncio.sleep(patience.silence / 5)
            now = time.monotonic()
            oldest = min((each.sent_at for each in self.pending.values() if each.sent_at), default=now)
            if now - self.heard_at > patience.dead or now - oldest > patience.dead:
                socket.transport.abort()
                return
            if now - min(self.heard_at, self.said_at) > patience.silence and not self.asked_at:
                self.asked_at = now
                await self.send({"is": "Ping", "n": 1})

    @property
    def has_hung_up(self) -> bool:
        """True once all that a dead server had still sent has been read."""
        return self.socket is None

    async def send(self, words: Words) -> None:
        if self.socket is not None:
            self.said_at = time.monotonic()
            with suppress(ConnectionClosed, OSError):
                await self.socket.send(json.dumps(words))

    async def do(self, kind: str, **fields: Any) -> Words:
        """Gives a command, in whatever state the line is, and waits for its answer."""
        number = f"{self.dice.getrandbits(96):024x}"
        words = {"is": kind, "id": number, **fields}
        self.memory.commands[number] = words
        answer: asyncio.Future[Words] = asyncio.get_running_loop().create_future()
        pending = self.pending[number] = Pending(words, time.monotonic(), answer)
        if self.is_welcome:
            pending.sent_at = time.monotonic()
            await self.send(words)
            self.on("sent")
        return await answer

    # What is heard

    def hear(self, message: Words) -> None:
        self.heard_at, self.asked_at = time.monotonic(), 0.0
        match message["is"]:
            case "Welcome":
                self.welcome(message)
            case "Happened":
                since = self.event if self.in_order and self.is_welcome else None
                self.remember(message, message["what"], since)
                self.on("told")
            case "Accepted" | "Refused":
                self.answered(message)
        self.news.set()

    def welcome(self, message: Words) -> None:
        if message["starting"]:  # a picture only: what was missed comes with the next one
            return
        self.you, self.owner = message["you"], message["owner"]
        again, self.is_welcome = not self.is_welcome, True
        since, self.hello_since = self.hello_since, None
        if message["event"] < self.event and self.in_order:
            self.memory.faults.append(f"{self.name} knew event {self.event} and is welcomed at {message['event']}")
        self.remember(message, message["missed"], since if self.in_order else None)
        if message.get("sealed"):
            self.give_seed(message["sealed"])
        if again:
            self.on("welcome")
            for pending in self.pending.values():
                self.memory.resent += pending.sent_at > 0
                pending.sent_at = time.monotonic()
            self.by_itself(self.send_again([pending.words for pending in self.pending.values()]))

    def by_itself(self, work: Coroutine[Any, Any, Any]) -> None:
        task = asyncio.create_task(work)
        self.errands.add(task)
        task.add_done_callback(self.errands.discard)

    async def send_again(self, commands: list[Words]) -> None:
        for words in commands:
            await self.send(words)

    def remember(self, message: Words, what: list[Words], since: int | None) -> None:
        """The latest view counts; an older one that comes late is only checked."""
        self.memory.told.append(Told(message["event"], what, digest(message["view"]), since))
        if message["event"] >= self.event:
            self.event, self.view = message["event"], message["view"]
        for event in what:
            if event["is"] == "Sealed":
                self.give_seed(event)

    def answered(self, message: Words) -> None:
        number = message["id"]
        pending = self.pending.pop(number, None)
        if message["is"] == "Accepted":
            if number not in self.memory.commands:
                self.memory.faults.append(f"{self.name} is thanked for {number}, which was never sent")
            if number not in self.memory.accepted:
                self.memory.accepted[number] = time.monotonic()
            self.on("accepted")
        elif pending is not None:
            kind, error = pending.words["is"], message["error"]
            self.memory.refused[number] = error
            if error not in (LATE.get(kind, set()) if self.in_order else MISLED) | {"too_fast"}:
                self.memory.faults.append(f"{self.name}: {pending.words} was refused: {message}")
        if pending is not None:
            pause = time.monotonic() - pending.given_at
            self.memory.longest_pause = max(self.memory.longest_pause, pause)
            if not pending.answer.done():
                pending.answer.set_result(message)

    def give_seed(self, sealed: Words) -> None:
        """Every client with a seat adds to the shuffle, by itself and once."""
        which = sealed["game"], sealed["hole"]
        if self.you and which not in self.seeded:
            self.seeded.add(which)
            seed = f"{self.dice.getrandbits(128):032x}"
            self.by_itself(self.do("AddSeed", seat=self.you[0], seed=seed, commitment=sealed["commitment"]))

    # What is played

    async def play(self) -> None:
        """Does what the table waits for, if it is mine to do."""
        while not self.has_finished():
            choice = self.choose()
            if choice is None:
                self.news.clear()
                with suppress(TimeoutError):  # wait_for of Python 3.11 may swallow that this was cancelled
                    async with asyncio.timeout(1):
                        await self.news.wait()
                continue
            await asyncio.sleep(self.dice.uniform(0, 2 * self.think))
            if self.still_fits(choice):
                await self.do(**choice)
        self.is_over.set()
        await asyncio.Event().wait()  # goes on looking, as a page does

    def has_finished(self) -> bool:
        over = self.view.get("phase") == "over" and len(self.view["finished"]) >= self.matches
        return over and not self.pending

    def still_fits(self, choice: Words) -> bool:
        """Whether the table still waits for it after some thought."""
        view, kind = self.view, choice["kind"]
        if kind not in ("Play", "TakeBack"):
            return True
        if view["turn"] != choice["seat"] or view["seats"][choice["seat"]]["lent"]:
            return False
        return bool(view["may_take_back"] if kind == "TakeBack" else choice["move"] in view["legal"])

    def choose(self) -> Words | None:
        """What I want to do now, or None."""
        view, dice = self.view, self.dice
        if not view or self.watching:
            return None
        phase, turn = view["phase"], view["turn"]
        if phase == "lobby":
            if not self.you and not self.owner:
                return {"kind": "Sit", "seat": -1, "name": self.name}
            full = all(seat["kind"] != "open" for seat in view["seats"])
            return {"kind": "Start"} if self.owner and full else None
        if not self.you:
            return None
        if phase == "over":
            return {"kind": "Rematch"} if len(view["finished"]) < self.matches else None
        if phase in ("draw", "hole_over"):
            return {"kind": "NextHole"}
        if turn not in self.you:
            return None
        if view["seats"][turn]["lent"]:
            return {"kind": "GiveBack", "seat": turn}
        if view["may_take_back"] and dice.random() < 0.1:
            return {"kind": "TakeBack", "seat": turn}
        if dice.random() < 0.02:
            return {"kind": "Say", "seat": turn, "phrase": "thinking"}
        return {"kind": "Play", "seat": turn, "move": self.choose_move(view)}

    def choose_move(self, view: Words) -> str:
        """Mostly on a card that lies face down, so that holes come to an end."""
        layout, legal = view["seats"][view["turn"]]["layout"], view["legal"]
        columns = COLUMNS[view["game"]]
        down = [
            move
            for move in legal
            if move not in "SD-." and layout[ord(move[0]) - ord("a") + columns * (int(move[1:]) - 1)] is None
        ]
        return str(self.dice.choice(down if down and self.dice.random() < 0.9 else legal))


def digest(view: Words) -> str:
    """The same for equal views; who is connected is not part of the game."""
    seats = [{key: value for key, value in seat.items() if key != "present"} for seat in view["seats"]]
    text = json.dumps({**view, "seats": seats}, sort_keys=True, ensure_ascii=False)
    return hashlib.sha256(text.encode()).hexdigest()[:24]
