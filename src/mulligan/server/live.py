"""Sockets: what travels between a table and those who look at it."""

import asyncio
import re
from collections.abc import Awaitable, Callable, Generator, Iterable
from types import coroutine
from typing import Any, TypeAlias

import msgspec

from .accounts import guest_of
from .commands import ID_LENGTH
from .house import House
from .limits import Bucket, Buckets, visitor
from .log import seldom
from .messages import WIRE_VERSION, Chat, ClientMessage, Command, Hello, Ping, Pong, React, Refused, Say, ServerMessage
from .room import Room

LARGEST = 4096  # bytes of one message from a client
AT_ONCE, PER_SECOND = 80.0, 40.0  # messages a client may send
BEARABLE = 60  # messages too many, or that make no sense, before the socket is closed
TALK_AT_ONCE, TALK_PER_SECOND = 30.0, 2.0  # of them sayings and reactions, which everybody has to hear
WAITING = 200  # messages a slow client may lag behind, and …
BYTES_WAITING = 500_000  # … how much they may hold
SILENCE = 75.0  # seconds; a page in the background pings once a minute at least
GREETING = 10.0  # seconds until the first word
LAST_WORDS = 5.0  # seconds for what it was still to be told
COME_LATER = 1013

CLOSED_BY_ANOTHER, OLD_CLIENT, NO_SENSE, TOO_FAST, SILENT, GONE, STRANGER = range(4001, 4008)

PLACE = re.compile(r"/ws/([tw])/([^/]+)")  # of a player or a spectator at the table of that code

Scope: TypeAlias = Any
Receive: TypeAlias = Callable[[], Awaitable[Any]]
Send: TypeAlias = Callable[[Any], Any]

TALK = (Say, React, Chat)

NONSENSE = (msgspec.DecodeError, UnicodeDecodeError, RecursionError)
read = msgspec.json.Decoder(ClientMessage).decode
write = msgspec.json.Encoder().encode


class Line:
    """One socket. What it is told goes out at once, or waits its turn where the other end is slow to listen."""

    def __init__(self, receive: Receive, send: Send, guest: str, watching: bool, address: str, shared: Buckets) -> None:
        self.receive, self.send = receive, send
        self.loop = asyncio.get_running_loop()
        self.guest = guest
        self.watching = watching
        self.seats: list[int] = []
        self.tab = ""
        self.waiting: list[dict[str, Any]] = []
        self.bytes_waiting = 0
        self.sender: asyncio.Task[None] | None = None  # while something waits
        self.address = address
        self.shared = shared  # with everybody else of that address
        self.messages = Bucket(AT_ONCE, PER_SECOND, self.loop.time())
        self.talk = Bucket(TALK_AT_ONCE, TALK_PER_SECOND, self.loop.time())
        self.faults = 0
        self.patience = self.heard_at = 0.0
        self.alarm: asyncio.TimerHandle | None = None
        self.is_closing = False

    # What it is told

    def tell(self, message: bytes) -> None:
        if self.is_closing:
            return
        if len(self.waiting) >= WAITING or self.bytes_waiting > BYTES_WAITING:
            seldom("slow_reader_dropped", "messages waited for it")
            self.close(COME_LATER)
            return
        self.put({"type": "websocket.send", "text": message.decode()})

    def close(self, code: int) -> None:
        """The last thing this socket hears, after all it was told before."""
        if not self.is_closing:
            self.is_closing = True
            self.put({"type": "websocket.close", "code": code})

    def answer(self, message: ServerMessage) -> None:
        self.tell(write(message))

    def put(self, event: dict[str, Any]) -> None:
        """Sends at once as far as that goes; only where it has to wait it costs a task."""
        if self.sender is not None:
            self.waiting.append(event)
            self.bytes_waiting += len(event.get("text", ""))
            return
        sending = self.send(event)
        try:
            obstacle = sending.send(None)
        except StopIteration:
            return
        except (OSError, RuntimeError):  # the other end is gone
            self.is_closing = True
            return
        self.sender = asyncio.create_task(self.send_on(sending, obstacle))

    async def send_on(self, sending: Any, obstacle: Any) -> None:
        """Sends what was begun, and then what waits."""
        try:
            await resume(sending, obstacle)
            while self.waiting:
                event = self.waiting.pop(0)
                self.bytes_waiting -= len(event.get("text", ""))
                await self.send(event)
        except (OSError, RuntimeError):
            self.is_closing = True
            self.waiting.clear()
        self.sender = None

    # What it says

    def expect(self, patience: float) -> None:
        """From now on a silence of so many seconds ends the socket."""
        self.patience = patience
        self.heard_at = self.loop.time()
        if self.alarm is None:
            self.alarm = self.loop.call_later(patience, self.be_alarmed)

    def be_alarmed(self) -> None:
        left = self.heard_at + self.patience - self.loop.time()
        if left <= 0.001:
            self.close(SILENT)
        else:
            self.alarm = self.loop.call_later(left, self.be_alarmed)

    async def hear(self) -> ClientMessage | None:
        """The next message that makes sense, or None once the socket is closed or silent for long."""
        while not self.is_closing:
            event = await self.receive()
            if event["type"] != "websocket.receive":
                return None
            self.heard_at = self.loop.time()
            text = event.get("text") or event.get("bytes") or b""
            try:
                message = read(text)
            except NONSENSE as error:
                self.refuse(id_in(text), "garbage", NO_SENSE, detail=str(error)[:120])
                continue
            if not self.is_too_fast(message):
                self.faults = max(0, self.faults - 1)
                return message
            self.refuse(message.id if isinstance(message, Command) else "", "too_fast", TOO_FAST)
        return None

    def is_too_fast(self, message: ClientMessage) -> bool:
        """Whether this message is one too many: of this socket, of all the talk, or of everybody at that address."""
        is_talk = isinstance(message, TALK)
        return (
            not self.messages.take(self.heard_at)
            or (is_talk and not self.talk.take(self.heard_at))
            or bool(self.shared.ask(self.address))
        )

    def refuse(self, number: str, error: str, code: int, **params: Any) -> None:
        """A message that makes no sense, or is one too many; too many of these end the socket."""
        self.faults += 1
        self.answer(Refused(id=number, error=error, params=params))
        if self.faults > BEARABLE and not self.is_closing:
            seldom("flood_ended", error)
            self.close(code)

    async def end(self) -> None:
        """Everything said, and nothing left to wait for."""
        self.close(1000)
        if self.alarm is not None:
            self.alarm.cancel()
        if self.sender is not None:
            await asyncio.wait([self.sender], timeout=LAST_WORDS)


@coroutine
def resume(sending: Any, obstacle: Any) -> Generator[Any, Any, None]:
    """Goes on with a coroutine that was begun outside of a task, and waits for something."""
    yield obstacle
    yield from sending


async def serve(scope: Scope, receive: Receive, send: Send, house: House, shared: Buckets) -> None:
    """Everything one socket does, from the first word to the last."""
    await receive()
    place = PLACE.fullmatch(scope["path"])
    if place is None:
        await send({"type": "websocket.close"})
        return
    watching = place[1] == "w"
    room = await (house.watched if watching else house.room)(place[2])
    guest = guest_of(cookies(scope["headers"]), scope["scheme"] == "wss")
    headers = [(b"set-cookie", guest.cookie.encode())] if guest.cookie else []
    await send({"type": "websocket.accept", "headers": headers})
    line = Line(receive, send, guest.name, watching, visitor(scope["client"][0] if scope.get("client") else ""), shared)
    line.expect(GREETING)
    try:
        if room is None:
            line.answer(Refused(id="", error="table_gone"))
            line.close(GONE)
        elif await greet(line, house, room):
            line.expect(SILENCE)
            await converse(line, house, room)
        else:
            line.close(OLD_CLIENT)
    finally:
        await line.end()
        if room is not None and line in room.listeners:
            room.part(line)
            if not room.listeners:
                house.put_away_later(room)


def cookies(headers: Iterable[tuple[bytes, bytes]]) -> dict[str, str]:
    """The cookies that a browser sends along."""
    pairs = [pair for name, value in headers if name == b"cookie" for pair in value.decode("latin-1").split(";")]
    return {name.strip(): value for name, _, value in (pair.partition("=") for pair in pairs)}


async def greet(line: Line, house: House, room: Room) -> bool:
    """The first word must be Hello, from a client that speaks as we do."""
    hello = await line.hear()
    if not isinstance(hello, Hello):
        if hello is not None:
            line.answer(Refused(id="", error="hello_first"))
        return False
    if hello.client_version != WIRE_VERSION:
        line.answer(Refused(id="", error="old_client", params={"wanted": WIRE_VERSION}))
        return False
    line.tab = hello.tab
    for other in list(room.listeners):
        if isinstance(other, Line) and hello.tab and (other.tab, other.guest) == (hello.tab, line.guest):
            room.listeners.remove(other)
            other.close(CLOSED_BY_ANOTHER)
    if room.table.match:
        await house.is_warm.wait()
    await room.join(line, hello.last_event)
    return True


async def converse(line: Line, house: House, room: Room) -> None:
    """Goes on until the socket is closed, or replaced by another of the same tab."""
    early: set[asyncio.Task[None]] = set()
    while (message := await line.hear()) is not None and line in room.listeners:
        if isinstance(message, Ping):
            line.answer(Pong(n=message.n))
        elif not isinstance(message, Command):
            await room.join_again(line, message.last_event)
        elif house.is_warm.is_set():
            await room.command(line, message)
        else:  # pings are answered meanwhile
            task = asyncio.create_task(carry_out(line, house, room, message))
            early.add(task)
            task.add_done_callback(early.discard)


async def carry_out(line: Line, house: House, room: Room, command: Command) -> None:
    """Does what the player wants once the computer players are ready."""
    await house.is_warm.wait()
    await room.command(line, command)


class Signed(msgspec.Struct):
    """As much of a command as tells whose answer this is."""

    id: str = ""


read_signed = msgspec.json.Decoder(Signed).decode


def id_in(text: str | bytes) -> str:
    """The id of a command that makes no sense otherwise, so that who sent it need not ask again; or ""."""
    try:
        return read_signed(text).id[:ID_LENGTH]
    except NONSENSE:
        return ""
