"""A flood of requests beside the players: new tables, spectators, reads and replays, each at a steady rate."""

import asyncio
import json
import random
from collections import Counter
from collections.abc import Callable
from itertools import cycle

from load_crowd import ADDRESSES, PATIENCE, WELCOME, Crowd
from load_socket import Wire

from mulligan.server.web.accounts import COOKIE
from mulligan.server.wire.base import WIRE_VERSION

HELLO = json.dumps({"is": "Hello", "client_version": WIRE_VERSION, "last_event": 0, "tab": "spectator"}).encode()
NEW_TABLE = json.dumps({"game": "play_nine", "seats": [{"kind": "me", "name": "Player"}, {"kind": "friend"}]}).encode()
REFUSED = "refused"
OUTCOMES = {b"503": REFUSED, b"429": "limited", b"": "closed"}  # by status; any other is "done"
MOST_OPEN = 8_000  # requests without an answer; no more are sent then


class Flood:
    """Requests of each kind at a rate, whatever the server does. `counts` holds the answers by kind and outcome."""

    def __init__(self, crowd: Crowd) -> None:
        self.host, self.port = crowd.host, crowd.port
        self.watched = [table.watch for table in crowd.tables]
        self.addresses = cycle(ADDRESSES)
        self.counts: Counter[tuple[str, str]] = Counter()
        self.tasks: set[asyncio.Task[None]] = set()
        self.sent = 0  # of each kind
        self.kinds: dict[str, Callable[[], bytes]] = {
            "tables": lambda: self.request("POST /api/tables", NEW_TABLE),
            "reads": lambda: self.request("GET /api/frequencies"),
            "replays": lambda: self.request(f"GET /api/games/{random.choice(self.watched)}-1/holes/1"),
        }

    def request(self, line: str, body: bytes = b"") -> bytes:
        head = (
            f"{line} HTTP/1.1\r\nHost: {self.host}:{self.port}\r\nConnection: close\r\n"
            f"Cookie: {COOKIE}={random.getrandbits(128):032x}\r\n"
            f"Content-Type: application/json\r\nContent-Length: {len(body)}\r\n\r\n"
        )
        return head.encode() + body

    async def run(self, rate: float) -> None:
        """Sends that many of each kind a second, until it is cancelled."""
        loop = asyncio.get_running_loop()
        began = loop.time()
        while True:
            while self.sent < (loop.time() - began) * rate:
                self.sent += 1
                for kind in (*self.kinds, "spectators") if len(self.tasks) < MOST_OPEN else ():
                    task = asyncio.create_task(self.watch() if kind == "spectators" else self.ask(kind))
                    self.tasks.add(task)
                    task.add_done_callback(self.tasks.discard)
            await asyncio.sleep(1 / rate)

    async def end(self) -> None:
        """Waits for the answers that are still to come."""
        if self.tasks:
            await asyncio.wait(self.tasks, timeout=PATIENCE)

    async def ask(self, kind: str) -> None:
        try:
            reader, writer = await asyncio.open_connection(self.host, self.port, local_addr=(next(self.addresses), 0))
            writer.write(self.kinds[kind]())
            status = (await reader.read(64)).partition(b" ")[2][:3]
            writer.close()
            outcome = OUTCOMES.get(status, "done")
        except OSError as error:
            outcome = type(error).__name__
        self.counts[kind, outcome] += 1

    async def watch(self) -> None:
        """A spectator who comes, sees the table and goes."""
        loop = asyncio.get_running_loop()
        done: asyncio.Future[str] = loop.create_future()

        def end(what: str) -> None:
            if not done.done():
                done.set_result(what)

        path = f"/ws/w/{random.choice(self.watched)}"
        wire = Wire(
            path,
            f"{COOKIE}={random.getrandbits(128):032x}",
            lambda wire: wire.tell(HELLO),
            lambda message: end("done" if message.startswith(WELCOME) else REFUSED),
            lambda code: end(REFUSED),
        )
        try:
            await loop.create_connection(lambda: wire, self.host, self.port, local_addr=(next(self.addresses), 0))
            self.counts["spectators", await done] += 1
            wire.transport.abort()
        except OSError as error:
            self.counts["spectators", type(error).__name__] += 1

    def __str__(self) -> str:
        return ", ".join(f"{kind} {outcome} {count}" for (kind, outcome), count in sorted(self.counts.items()))
