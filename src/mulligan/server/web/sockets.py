"""Serves WebSockets: the messages between a table and its clients."""

import asyncio
import math
import re
from collections.abc import Awaitable, Callable, Generator
from contextlib import suppress
from types import coroutine
from typing import Any, TypeAlias

import msgspec

from mulligan.server.limits import Bucket, Buckets, Guesses, visitor
from mulligan.server.log import log_rarely
from mulligan.server.metrics import Metrics
from mulligan.server.rooms.followed_table import FollowedTable
from mulligan.server.rooms.live_table import LiveTable
from mulligan.server.rooms.registry import Registry
from mulligan.server.table.commands import ID_LENGTH
from mulligan.server.table.rights import Refusal
from mulligan.server.wire.base import WIRE_VERSION
from mulligan.server.wire.commands import Chat, ClientMessage, Command, Hello, Here, Hurry, Ping, React, Rename, Say
from mulligan.server.wire.replies import Announced, Pong, Refused, ServerMessage

from .accounts import cookies, guest_of
from .connections import WRITE_NOW
from .demands import MESSAGES, messages_of

LARGEST = 4096  # bytes in one message from a client
AT_ONCE, PER_SECOND = 80.0, 40.0  # messages a client may send
MOST_FAULTS = 60  # excess or invalid messages before the socket is closed
TALK_AT_ONCE, TALK_PER_SECOND = 30.0, 2.0  # phrases, reactions, chat and names, which go to all clients
WAITING = 200  # messages that may wait for a slow client, and …
BYTES_WAITING = 500_000  # … their total size
VISIBLE_TIMEOUT = 10.0  # seconds; a page in front says something more often
HIDDEN_TIMEOUT = 75.0  # seconds; a page in the background pings at least once a minute, and a spectator's too
HELLO_TIMEOUT = 10.0  # seconds until the first message
LAST_WORDS = 1.0  # seconds for the first message of someone whose table is gone
CLOSE_TIMEOUT = 5.0  # seconds to send the remaining messages
MOST_WAITING = 40  # commands of a socket that wait for the start of the server or for seeds
PREVIEW_AFTER = 1.0  # seconds; if the server has not started by then, a preview of the table is sent
FAULT, TRY_LATER = 1011, 1013

CLOSED_BY_ANOTHER, OLD_CLIENT, BAD_MESSAGE, TOO_FAST, TIMED_OUT, TABLE_GONE, WRONG_HOST = range(4001, 4008)

PLACE = re.compile(r"/ws/([tw])/([^/]+)")  # of a player or a spectator at the table with that code

Scope: TypeAlias = Any
Receive: TypeAlias = Callable[[], Awaitable[Any]]
Send: TypeAlias = Callable[[Any], Any]
WriteNow: TypeAlias = Callable[..., bool]  # takes messages of bytes

TALK = (Say, React, Chat, Rename)
GONE = ("table_gone", "table_closed", "banned", "shown_out")  # there is nothing to come back to

INVALID = (msgspec.DecodeError, UnicodeDecodeError, RecursionError)
read = msgspec.json.Decoder(ClientMessage).decode
write = msgspec.json.Encoder().encode


class Connection:
    """One socket. Sends messages immediately, or queues them if the client is slow."""

    def __init__(
        self,
        receive: Receive,
        send: Send,
        device: str,
        code: str,
        watching: bool,
        address: str,
        shared: Buckets,
        metrics: Metrics,
        write_now: WriteNow,
    ) -> None:
        self.receive, self.send, self.write_now = receive, send, write_now
        self.loop = asyncio.get_running_loop()
        self.device = device
        self.guest = device  # until it is known for whom the device stands
        self.code = code.upper()
        self.watching = watching
        self.table = ""  # the original code, once it is found
        self.seats: list[int] = []
        self.tab = ""
        self.visible = True  # whether the page is in front
        self.waiting: list[dict[str, Any]] = []
        self.bytes_waiting = 0
        self.sender: asyncio.Task[None] | None = None  # while messages are queued
        self.address = address
        self.shared = shared  # with all sockets of that address, and then with those of the table there
        self.metrics = metrics
        self.messages = Bucket(AT_ONCE, PER_SECOND, self.loop.time())
        self.talk = Bucket(TALK_AT_ONCE, TALK_PER_SECOND, self.loop.time())
        self.faults = 0
        self.timeout = self.heard_at = 0.0
        self.timer: asyncio.TimerHandle | None = None
        self.is_closing = self.is_silent = False
        self.live: LiveTable | FollowedTable | None = None  # the table it has joined
        self.early: list[Command] = []  # commands received before that
        self.dealing: set[asyncio.Task[None]] = set()  # commands that wait for the start of the server or for seeds
        self.taken_at = -math.inf  # when the last command was taken

    # Outgoing messages

    def tell(self, *messages: bytes) -> None:
        """Sends messages, in one write unless the client is slow."""
        if self.is_closing or (self.sender is None and self.write_now(*messages)):
            return
        for message in messages:
            if len(self.waiting) >= WAITING or self.bytes_waiting > BYTES_WAITING:
                log_rarely("slow_reader_dropped", "messages waited for it")
                self.close(TRY_LATER)
                return
            self.put({"type": "websocket.send", "text": message.decode()})

    def close(self, code: int) -> None:
        """Closes the socket after all queued messages."""
        if not self.is_closing:
            self.is_closing = True
            self.put({"type": "websocket.close", "code": code})

    def turn_away(self, refusal: Refusal) -> None:
        """Sends the refusal and closes the socket."""
        self.answer(Refused(id="", error=refusal.error, params=refusal.params))
        self.close({"table_unreadable": FAULT, **dict.fromkeys(GONE, TABLE_GONE)}.get(refusal.error, TRY_LATER))

    def answer(self, message: ServerMessage) -> None:
        if isinstance(message, Refused):
            self.metrics.refuse(message.error)
        self.tell(write(message))

    def put(self, event: dict[str, Any]) -> None:
        """Sends immediately if possible; starts a task only if sending has to wait."""
        if self.sender is not None:
            self.waiting.append(event)
            self.bytes_waiting += len(event.get("text", ""))
            return
        sending = self.send(event)
        try:
            waits_for = sending.send(None)
        except StopIteration:
            return
        except (OSError, RuntimeError):  # the client is gone
            self.is_closing = True
            return
        self.sender = asyncio.create_task(self.send_on(sending, waits_for))

    async def send_on(self, sending: Any, waits_for: Any) -> None:
        """Finishes the started message, then sends the queued ones."""
        try:
            await resume(sending, waits_for)
            while self.waiting:
                event = self.waiting.pop(0)
                self.bytes_waiting -= len(event.get("text", ""))
                await self.send(event)
        except (OSError, RuntimeError):
            self.is_closing = True
            self.waiting.clear()
        self.sender = None

    # Incoming messages

    def expect(self, timeout: float) -> None:
        """Sets the timeout for the next message, in seconds."""
        is_sooner = timeout < self.timeout
        self.timeout = timeout
        self.heard_at = self.loop.time()
        if self.timer is not None and is_sooner:
            self.timer.cancel()
            self.timer = None
        if self.timer is None:
            self.timer = self.loop.call_later(timeout, self.check_timeout)

    def show(self, visible: bool) -> None:
        """Notes whether the page is in front, and with that for how long it may be silent."""
        self.visible = visible
        self.expect(VISIBLE_TIMEOUT if visible and not self.watching else HIDDEN_TIMEOUT)

    def check_timeout(self) -> None:
        left = self.heard_at + self.timeout - self.loop.time()
        if left <= 0.001:
            self.is_silent = True
            self.close(TIMED_OUT)
        else:
            self.timer = self.loop.call_later(left, self.check_timeout)

    async def hear(self) -> ClientMessage | None:
        """Returns the next valid message, or None once the socket is closed or timed out."""
        while not self.is_closing:
            event = await self.receive()
            if event["type"] != "websocket.receive":
                return None
            self.heard_at = self.loop.time()
            text = event.get("text") or event.get("bytes") or b""
            try:
                message = read(text)
            except INVALID as error:
                self.refuse(id_in(text), "garbage", BAD_MESSAGE, detail=str(error)[:120])
                continue
            if not self.is_too_fast(message):
                self.faults = max(0, self.faults - 1)
                return message
            self.refuse(message.id if isinstance(message, Command) else "", "too_fast", TOO_FAST)
        return None

    def is_too_fast(self, message: ClientMessage) -> bool:
        """True if the message exceeds a rate limit: of the socket, of its chat, or of its address."""
        is_talk = isinstance(message, TALK)
        connections = len(self.live.listeners) if self.live else 0
        return (
            not self.messages.take(self.heard_at)
            or (is_talk and not self.talk.take(self.heard_at))
            or bool(self.shared.ask(self.address, messages_of(message, connections), self.table))
        )

    def refuse(self, number: str, error: str, code: int, **params: Any) -> None:
        """Refuses an invalid or excess message; too many of them close the socket."""
        self.faults += 1
        self.answer(Refused(id=number, error=error, params=params))
        if self.faults > MOST_FAULTS and not self.is_closing:
            log_rarely("flood_ended", error)
            self.close(code)

    async def end(self) -> None:
        """Closes the socket and waits for the queued messages."""
        self.close(1000)
        if self.timer is not None:
            self.timer.cancel()
        if self.sender is not None:
            await asyncio.wait([self.sender], timeout=CLOSE_TIMEOUT)


@coroutine
def resume(sending: Any, waits_for: Any) -> Generator[Any, Any, None]:
    """Continues a coroutine that was started outside a task and is waiting."""
    yield waits_for
    yield from sending


async def serve(
    scope: Scope,
    receive: Receive,
    send: Send,
    registry: Registry,
    shared: Buckets,
    guesses: Guesses,
    base_path: str = "",
) -> None:
    """Serves one socket from the first message to the last."""
    await receive()
    place = PLACE.fullmatch(scope["path"])
    if place is None:
        await send({"type": "websocket.close"})
        return
    watching = place[1] == "w"
    guest = guest_of(cookies(scope["headers"]), scope["scheme"] == "wss", base_path)
    headers = [(b"set-cookie", guest.cookie.encode())] if guest.cookie else []
    await send({"type": "websocket.accept", "headers": headers})
    address = visitor(scope["client"][0] if scope.get("client") else "")
    write_now = scope.get("extensions", {}).get(WRITE_NOW, write_later)
    device = guest.device
    connection = Connection(receive, send, device, place[2], watching, address, shared, registry.metrics, write_now)
    with registry.metrics.connected(watching):
        await attend(connection, registry, guesses)


def write_later(*messages: bytes) -> bool:
    """Stands for `SocketWire.write_now` with servers that lack it."""
    return False


async def attend(connection: Connection, registry: Registry, guesses: Guesses) -> None:
    """Serves an open socket until it is closed."""
    connection.expect(HELLO_TIMEOUT)
    try:
        connection.guest = await registry.guest_of(connection.device)
        code = await registry.find(connection.code, connection.watching, connection.guest, connection.address, guesses)
        connection.table = code
        if hello := await greet(connection):
            connection.show(hello.visible)
            if registry.is_warm.is_set():
                await enter(connection, registry, code, hello)
            else:
                registry.begin(enter(connection, registry, code, hello))
            await converse(connection, registry)
    except Refusal as refusal:
        if refusal.error == "table_gone" and not connection.watching:
            await hear_what_is_lost(connection, registry)
        connection.turn_away(refusal)
    finally:
        await connection.end()
        leave(connection, registry)


async def greet(connection: Connection) -> Hello | None:
    """Returns the first message if it is a Hello with the current version; otherwise closes the socket."""
    hello = await connection.hear()
    if isinstance(hello, Hello):
        if hello.client_version == WIRE_VERSION:
            return hello
        connection.answer(Refused(id="", error="old_client", params={"wanted": WIRE_VERSION}))
    elif hello is not None:
        connection.answer(Refused(id="", error="hello_first"))
    connection.close(OLD_CLIENT)
    return None


async def hear_what_is_lost(connection: Connection, registry: Registry) -> None:
    """Lets someone who asks for a table that is gone say what they saw of it; not for long."""
    with suppress(TimeoutError, Refusal):
        async with asyncio.timeout(LAST_WORDS):
            if isinstance(hello := await connection.hear(), Hello):
                await registry.miss(connection.code, hello.last_event)


async def enter(connection: Connection, registry: Registry, code: str, hello: Hello) -> None:
    """Joins the table, then executes the commands received meanwhile. Raises Refusal."""
    connection.tab = hello.tab
    told = registry.announcement
    if told:
        connection.answer(Announced(text=told))
    try:
        enter_table = registry.watched_table if connection.watching else registry.live_table
        entering = asyncio.ensure_future(enter_table(code))
        if not registry.is_warm.is_set():
            done, _ = await asyncio.wait([entering], timeout=PREVIEW_AFTER)
            if not done and (preview := await registry.preview(code)):
                connection.answer(preview.welcome_for(connection.guest, connection.watching))
        live = await entering
        if live is None:
            raise Refusal("table_gone")
        if connection.guest in registry.bans:
            raise Refusal("banned")
    except Refusal as refusal:
        connection.turn_away(refusal)
        return
    if connection.is_closing:
        return
    if other := live.listeners.of_tab(connection):
        live.listeners.remove(other)
        other.close(CLOSED_BY_ANOTHER)
    if isinstance(live, LiveTable):
        registry.compare(live, connection.guest, hello.last_event)
    await live.join(connection, hello.last_event)
    if registry.announcement != told:  # meanwhile
        connection.answer(Announced(text=registry.announcement))
    while connection.early:
        await take(connection, registry, live, connection.early.pop(0))
    connection.live = live
    await live.look(connection)  # it may have been hidden meanwhile
    if connection.is_closing:
        leave(connection, registry)


def leave(connection: Connection, registry: Registry) -> None:
    live = connection.live
    if live is not None and connection in live.listeners:
        live.part(connection, connection.is_silent)
        if isinstance(live, LiveTable) and not live.listeners:
            registry.put_away_later(live)


async def converse(connection: Connection, registry: Registry) -> None:
    """Handles messages until the socket is closed or replaced by another of the same tab."""
    while (message := await connection.hear()) is not None:
        live = connection.live
        if live is not None and connection not in live.listeners:
            return
        if isinstance(message, Ping):
            connection.answer(Pong(n=message.n))
        elif isinstance(message, Hurry):
            if live is not None:
                live.hurry(connection)
        elif isinstance(message, Here):
            connection.show(message.visible)
            if live is not None:
                await live.look(connection)
        elif not isinstance(message, Command):
            if live is not None:
                await live.join_again(connection, message.last_event)
        elif wait := too_busy_for(message, connection):
            connection.answer(Refused(id=message.id, error="overloaded", params={"seconds": math.ceil(wait)}))
            await asyncio.sleep(wait)  # and reads nothing meanwhile: a client that does not wait costs nothing
        elif live is None:
            wait_with(connection, message)
        else:
            await take(connection, registry, live, message)


async def take(connection: Connection, registry: Registry, live: LiveTable | FollowedTable, command: Command) -> None:
    """Executes a command. One that has to wait does so in a task: the next ones, and pings, are answered meanwhile."""
    if await live.command_at_once(connection, command, registry.is_warm.is_set()):
        return
    if len(connection.dealing) >= MOST_WAITING:
        connection.answer(Refused(id=command.id, error="too_fast"))
    else:
        task = asyncio.create_task(carry_out(connection, registry, live, command))
        connection.dealing.add(task)
        task.add_done_callback(connection.dealing.discard)


def too_busy_for(command: Command, connection: Connection) -> float:
    """Returns for how many seconds the server is too busy for a command on this socket, or 0."""
    if not MESSAGES[type(command)].kind:
        return 0.0
    if wait := connection.metrics.overload.wait(connection.heard_at, connection.taken_at):
        return wait
    connection.taken_at = connection.heard_at
    return 0.0


def wait_with(connection: Connection, command: Command) -> None:
    """Stores a command until the server has started."""
    if len(connection.early) < MOST_WAITING:
        connection.early.append(command)
    else:
        connection.answer(Refused(id=command.id, error="too_fast"))


async def carry_out(
    connection: Connection, registry: Registry, live: LiveTable | FollowedTable, command: Command
) -> None:
    """Executes a command once the server has started."""
    await registry.is_warm.wait()
    await live.command(connection, command)


class Signed(msgspec.Struct):
    """The id of a message that is otherwise invalid."""

    id: str = ""


read_signed = msgspec.json.Decoder(Signed).decode
SIGNED = re.compile(rb'"id"\s*:\s*"([^"\\]{1,%d})"' % ID_LENGTH)  # within a text, quotes would be escaped


def id_in(text: str | bytes) -> str:
    """Returns the id of an invalid command, so that the client does not send it again; or ""."""
    try:
        return read_signed(text).id[:ID_LENGTH]
    except INVALID:  # half a surrogate pair, which JSON can express but UTF-8 cannot
        found = SIGNED.search(text.encode(errors="replace") if isinstance(text, str) else text)
        return found[1].decode(errors="replace") if found else ""
