"""A crowd of players for the load generator: tables of four, each player on a separate socket."""

import asyncio
import http.client
import json
import random
import sys
import time
from collections import deque
from collections.abc import AsyncIterator, Callable, Coroutine, Sequence
from contextlib import asynccontextmanager
from itertools import cycle
from typing import Any

import msgspec
from load_socket import Wire

from mulligan.server.web.accounts import COOKIE
from mulligan.server.wire.base import WIRE_VERSION

HAPPENED, WELCOME = b'{"is":"Happened","event":', b'{"is":"Welcome",'
ACCEPTED, REFUSED, SEALED = b'{"is":"Accepted"', b'{"is":"Refused"', b'"is":"Sealed"'
ADDRESSES = [f"127.0.0.{number}" for number in range(2, 252)]  # people come from many addresses
AT_ONCE = 128  # tables being set up at a time
PATIENCE = 60.0
PREPARING = 180.0  # seconds to set up all tables, and to spread them; a machine that needs longer is too busy
COMMANDS_PER_HOLE = 100  # about, with random players

# As in session.svelte.ts: when the browser asks whether anyone is there, and when it tries again.
SILENCE = 4.0
FIRST_WAIT, LONGEST_WAIT = 0.3, 8.0


class Glance(msgspec.Struct):
    """What a player needs to see to move."""

    phase: str
    turn: int | None
    legal: list[str]


class Seen(msgspec.Struct):
    view: Glance


class Answer(msgspec.Struct):
    id: str
    error: str = ""
    params: dict[str, Any] = {}


look = msgspec.json.Decoder(Seen).decode
read_answer = msgspec.json.Decoder(Answer).decode
write = msgspec.json.Encoder().encode


class Player:
    """One browser: its socket and its last message."""

    def __init__(self, table: "Four", seat: int, address: str) -> None:
        self.table, self.seat, self.address = table, seat, address
        self.crowd = table.crowd
        self.cookie = f"{COOKIE}={random.getrandbits(128):032x}"
        self.wire: Wire | None = None
        self.event = 0
        self.latest = b""
        self.heard_at = self.told_at = 0.0
        self.tries = 0

    async def connect(self) -> None:
        """Raises OSError where nobody answers."""
        await self.crowd.loop.create_connection(
            lambda: Wire(f"/ws/t/{self.table.code}", self.cookie, self.greet, self.hear, self.lose),
            self.crowd.host,
            self.crowd.port,
            local_addr=(self.address, 0),
        )

    def greet(self, wire: Wire) -> None:
        self.wire = wire
        self.tell({"is": "Hello", "client_version": WIRE_VERSION, "last_event": self.event, "tab": self.cookie[-8:]})

    def tell(self, message: dict[str, Any]) -> None:
        if self.wire is not None:
            self.told_at = time.monotonic()
            self.wire.tell(write(message))

    def command(self, kind: str, **fields: Any) -> str:
        """Sends a command, and returns its id."""
        self.crowd.commands += 1
        number = str(self.crowd.commands)
        self.tell({"is": kind, "id": number, **fields})
        return number

    async def do(self, kind: str, **fields: Any) -> None:
        """A command that must succeed."""
        future = self.crowd.loop.create_future()
        self.crowd.answers[self.command(kind, **fields)] = future
        error = await asyncio.wait_for(future, PATIENCE)
        if error:
            raise RuntimeError(f"{kind} was refused: {error}")

    def hear(self, message: bytes) -> None:
        crowd = self.crowd
        self.heard_at = time.monotonic()
        self.tries = 0
        crowd.messages += 1
        crowd.bytes += len(message)
        if message.startswith(HAPPENED):
            self.event = int(message[len(HAPPENED) : message.index(b",", len(HAPPENED))])
            self.latest = message
            self.table.see(self)
        elif message.startswith((ACCEPTED, REFUSED)):
            answer = read_answer(message)
            if future := crowd.answers.pop(answer.id, None):
                if not future.cancelled():  # the answer may come too late
                    future.set_result(answer.error)
            elif answer.id == self.table.asked:
                self.table.hear_answer(self, answer)
        elif message.startswith(WELCOME):
            self.latest = message
            crowd.is_welcome(self)
        if SEALED in message and self.table.is_full:
            self.command("AddSeed", seat=self.seat, seed=f"{random.getrandbits(128):032x}")

    def ping(self) -> None:
        if time.monotonic() - min(self.heard_at, self.told_at) > SILENCE:
            self.tell({"is": "Ping", "n": 1})

    def lose(self, code: int) -> None:
        """The connection is lost; tries again later if the crowd should come back."""
        self.wire = None
        self.crowd.lost += 1
        if self.crowd.comes_back:
            wait = min(LONGEST_WAIT, FIRST_WAIT * 2**self.tries) * (0.5 + random.random())
            self.tries += 1
            self.crowd.loop.call_later(wait, lambda: self.crowd.start(self.come_back()))

    async def come_back(self) -> None:
        try:
            await self.connect()
        except OSError:
            self.lose(0)


class Four:
    """A table of four people, one command after the other, each at its time."""

    def __init__(self, crowd: "Crowd", addresses: Sequence[str]) -> None:
        self.crowd = crowd
        self.code = ""
        self.players = [Player(self, seat, address) for seat, address in enumerate(addresses)]
        self.is_full = False
        self.asked = ""  # the id of the command that waits for its answer
        self.due = 0.0  # when it was to be sent: latency counts from there
        self.dues: deque[float] = deque()  # when those were that have to wait for it
        self.sent_at = 0.0  # the last time
        self.accepted_at = 0.0
        self.event = 0  # of what was accepted; not everyone has seen it yet

    async def set_up(self) -> None:
        """Opened over HTTP, everyone seated, and the first hole dealt."""
        seats = [{"kind": "me", "name": "Player 1"}] + [{"kind": "friend"}] * 3
        self.code = await asyncio.to_thread(self.crowd.open_table, self.players[0], seats)
        await asyncio.gather(*(player.connect() for player in self.players))
        await self.crowd.welcomed(self.players)
        for player in self.players[1:]:
            await player.do("Sit", seat=player.seat, name=f"Player {player.seat + 1}")
        self.is_full = True
        await self.players[0].do("Start")
        await asyncio.gather(*(player.do("NextHole") for player in self.players))

    @property
    def watch(self) -> str:
        """The spectators' code."""
        return str(json.loads(self.players[0].latest)["view"]["watch"])

    def move(self, due: float) -> None:
        """Sends the next command; it is late if the last one is not done."""
        self.dues.append(due)
        self.move_on()

    def move_on(self) -> None:
        if self.asked or self.event or not self.dues:
            return
        self.due = min(self.dues.popleft(), time.monotonic())  # timers may ring a little early
        self.sent_at = time.monotonic()
        seen = look(max(self.players, key=lambda player: player.event).latest).view
        if seen.turn is not None:
            mover = self.players[seen.turn]
            self.asked = mover.command("Play", seat=seen.turn, move=random.choice(seen.legal))
        else:
            for player in self.players:  # the next hole is dealt once all are ready; one of them counts
                self.asked = player.command("Rematch" if seen.phase == "over" else "NextHole")

    def hear_answer(self, player: Player, answer: Answer) -> None:
        self.asked = ""
        if error := answer.error:
            self.crowd.refused[error] = self.crowd.refused.get(error, 0) + 1
            if error == "overloaded":  # as in session.svelte.ts
                self.dues.appendleft(self.due)
                self.asked = "later"
                self.crowd.loop.call_later(answer.params["seconds"] * (1 + random.random()), self.try_again)
            else:
                self.move_on()
            return
        self.accepted_at = player.heard_at
        self.event = player.event  # the view was told before the answer
        self.see(player)

    def try_again(self) -> None:
        self.asked = ""
        self.move_on()

    def see(self, player: Player) -> None:
        """A player got the event; the command is done once all have it."""
        if self.event and all(player.event >= self.event for player in self.players):
            self.event = 0
            self.crowd.note(self.due, self.sent_at, self.accepted_at, max(self.accepted_at, player.heard_at))
            self.move_on()


class Crowd:
    """All players on one server, and their measurements."""

    def __init__(self, host: str, port: int) -> None:
        self.host, self.port = host, port
        self.loop = asyncio.get_running_loop()
        self.loop.set_exception_handler(report)
        self.tables: list[Four] = []
        self.answers: dict[str, asyncio.Future[str]] = {}
        self.tasks: set[asyncio.Task[None]] = set()
        self.comes_back = False
        self.welcome: dict[Player, float] = {}
        self.refused: dict[str, int] = {}
        self.commands = self.done = self.messages = self.bytes = self.lost = 0
        self.measures_from = self.measures_to = float("inf")
        self.accepted: list[float] = []  # seconds from the time a command was due until it was accepted
        self.seen: list[float] = []  # … until the last of the four had the view
        self.answered: list[float] = []  # from its sending until it was accepted, of all that was done meanwhile

    @property
    def players(self) -> list[Player]:
        return [player for table in self.tables for player in table.players]

    def start(self, coroutine: Coroutine[Any, Any, None]) -> None:
        task = self.loop.create_task(coroutine)
        self.tasks.add(task)
        task.add_done_callback(self.tasks.discard)

    def open_table(
        self, player: Player, seats: list[dict[str, str]], pace: str = "normal", game: str = "play_nine"
    ) -> str:
        """The code of a new table, opened over HTTP; a busy server is asked again."""
        source = (player.address, 0)
        wish = json.dumps({"game": game, "seats": seats, "options": {"pace": pace}})
        headers = {"Cookie": player.cookie, "Content-Type": "application/json"}
        while True:
            server = http.client.HTTPConnection(self.host, self.port, source_address=source, timeout=PATIENCE)
            server.request("POST", "/api/tables", wish, headers)
            answer = server.getresponse()
            body = answer.read()
            server.close()
            if answer.status != 503:
                break
            time.sleep(float(answer.headers["Retry-After"]))
        if answer.status != 201:
            raise RuntimeError(f"no table: {body.decode()}")
        return str(json.loads(body)["table"])

    def gather(self, tables: int) -> None:
        """Players for that many tables of four."""
        addresses = cycle(ADDRESSES)
        self.tables = [Four(self, [next(addresses) for _ in range(4)]) for _ in range(tables)]

    @asynccontextmanager
    async def staying(self) -> AsyncIterator[None]:
        """Meanwhile, no player is silent for too long."""
        pings = self.loop.create_task(self.stay(float("inf")))
        try:
            yield
        finally:
            pings.cancel()

    @asynccontextmanager
    async def preparing(self, is_ready: Callable[[Four], bool]) -> AsyncIterator[None]:
        """Ends the program if the tables are not ready in time. Nobody is silent for too long meanwhile."""
        try:
            async with self.staying(), asyncio.timeout(PREPARING):
                yield
        except TimeoutError:
            ready = f"{sum(map(is_ready, self.tables))} of {len(self.tables)} tables were ready in {PREPARING:.0f} s"
            lost = f", and {self.lost} sockets were lost" if self.lost else ""
            sys.exit(f"The machine is too slow: {ready}{lost}. Measure while it is idle, or with fewer --tables.")

    async def take_seats(self, tables: int) -> None:
        """That many tables of four, with all players connected and the first hole dealt."""
        self.gather(tables)
        places = asyncio.Semaphore(AT_ONCE)

        async def set_up(table: Four) -> None:
            async with places:
                await table.set_up()

        async with self.preparing(lambda table: table.is_full):
            await asyncio.gather(*map(set_up, self.tables))

    async def spread(self) -> None:
        """Plays until the tables are at different points of a hole: its end costs the server more than other moves."""
        async with self.preparing(lambda table: not table.dues):
            for place, table in enumerate(self.tables):
                table.dues.extend([time.monotonic()] * (COMMANDS_PER_HOLE * place // len(self.tables)))
                table.move_on()
            while any(table.dues for table in self.tables):
                await asyncio.sleep(0.1)

    def is_welcome(self, player: Player) -> None:
        self.welcome.setdefault(player, player.heard_at)

    async def let_computers_play(self, tables: int, player: str) -> None:
        """That many tables of four computer players, with one spectator each."""
        seats = [{"kind": "computer", "player": player}] * 4
        addresses = cycle(ADDRESSES)
        self.tables = [Four(self, [next(addresses)]) for _ in range(tables)]
        for table in self.tables:
            owner = table.players[0]
            table.code = await asyncio.to_thread(self.open_table, owner, seats, "fast")
            await owner.connect()
            await self.welcomed([owner])
            await owner.do("Start")
            await owner.do("NextHole")

    async def welcomed(self, players: Sequence[Player]) -> None:
        async with asyncio.timeout(PATIENCE):
            while not all(player in self.welcome for player in players):
                await asyncio.sleep(0.005)

    async def play(self, rate: float, seconds: float, warm_up: float) -> None:
        """That many commands per second, each table at its own steady rate, whatever the server does."""
        beat = len(self.tables) / rate
        began = time.monotonic() + 0.1
        self.measures_from = began + warm_up
        self.accepted, self.seen, self.answered = [], [], []
        end = self.measures_to = self.measures_from + seconds
        for place, table in enumerate(self.tables):
            self.beat(table, began + beat * place / len(self.tables), beat, end)
        await asyncio.sleep(end - time.monotonic() + 1.0)
        for table in self.tables:
            table.dues.clear()  # what is still to be sent is too late to count

    def beat(self, table: Four, due: float, beat: float, end: float) -> None:
        if due < end:
            self.loop.call_at(due, self.strike, table, due, beat, end)

    def strike(self, table: Four, due: float, beat: float, end: float) -> None:
        table.move(due)
        self.beat(table, due + beat, beat, end)

    def note(self, due: float, sent_at: float, accepted_at: float, seen_at: float) -> None:
        self.done += 1
        if self.measures_from <= seen_at < self.measures_to:
            self.answered.append(accepted_at - sent_at)
        if due >= self.measures_from:
            self.accepted.append(accepted_at - due)
            self.seen.append(seen_at - due)

    async def stay(self, seconds: float) -> None:
        """Everyone sends a ping when one side says nothing for a while, as browsers do."""
        end = time.monotonic() + seconds
        players = self.players
        while time.monotonic() < end:
            for tenth in range(10):
                for player in players[tenth::10]:
                    player.ping()
                await asyncio.sleep(0.05)

    def go(self) -> None:
        """Closes all connections."""
        self.comes_back = False
        for player in self.players:
            if player.wire is not None:
                player.wire.transport.abort()


def report(loop: asyncio.AbstractEventLoop, context: dict[str, Any]) -> None:
    """Ignores refused connections while the server restarts."""
    if not isinstance(context.get("exception"), ConnectionError):
        loop.default_exception_handler(context)
