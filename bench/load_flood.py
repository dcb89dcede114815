"""A flood of requests beside the players: new tables, spectators, reads and replays, each at a steady rate.

Among them are a few players who come back to their table; the server should let them in.
"""

import asyncio
import json
import math
import random
import time
from collections import Counter
from collections.abc import Callable, Coroutine
from itertools import cycle
from typing import Any

from load_crowd import ADDRESSES, WELCOME, Crowd
from load_socket import Wire

from mulligan.server.web.accounts import COOKIE
from mulligan.server.wire.base import WIRE_VERSION

HELLO = json.dumps({"is": "Hello", "client_version": WIRE_VERSION, "last_event": 0, "tab": "spectator"}).encode()
NEW_TABLE = json.dumps({"game": "play_nine", "seats": [{"kind": "me", "name": "Player"}, {"kind": "friend"}]}).encode()
REFUSED = "refused"
OUTCOMES = {b"503": REFUSED, b"429": "limited", b"": "closed"}  # by status; any other is "done"
RETURNS = 10  # players who come back each second
LAST = 20.0  # seconds to wait for the last answers
MOST_OPEN = 8_000  # requests without an answer; no more are sent then


class Flood:
    """Requests of each kind at a rate, whatever the server does. `counts` holds the answers by kind and outcome."""

    def __init__(self, crowd: Crowd) -> None:
        self.host, self.port = crowd.host, crowd.port
        self.players = crowd.players
        self.watched = [table.watch for table in crowd.tables]
        self.waits: list[float] = []  # seconds, of players who came back
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
            due = int((loop.time() - began) * rate) - self.sent
            for _ in range(min(due, math.ceil(rate / 10))):  # a slow machine sends fewer, rather than nothing else
                self.sent += 1
                for kind in (*self.kinds, "spectators") if len(self.tasks) < MOST_OPEN else ():
                    self.start(self.watch() if kind == "spectators" else self.ask(kind))
                if self.sent % max(1, round(rate / RETURNS)) == 0:
                    self.start(self.come_back())
            await asyncio.sleep(1 / rate)

    def start(self, coroutine: Coroutine[Any, Any, None]) -> None:
        task = asyncio.create_task(coroutine)
        self.tasks.add(task)
        task.add_done_callback(self.tasks.discard)

    async def end(self) -> None:
        """Waits for the answers that are still to come, but not for long."""
        if self.tasks:
            _, late = await asyncio.wait(self.tasks, timeout=LAST)
            for task in late:
                task.cancel()

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
        """Watches a table until it is shown."""
        outcome = await self.visit(f"/ws/w/{random.choice(self.watched)}", f"{COOKIE}={random.getrandbits(128):032x}")
        self.counts["spectators", outcome] += 1

    async def come_back(self) -> None:
        """Opens a player's table in another tab until it is shown; measures how long that takes."""
        player = random.choice(self.players)
        began = time.monotonic()
        outcome = await self.visit(f"/ws/t/{player.table.code}", player.cookie)
        self.counts["players", outcome] += 1
        self.waits.append(time.monotonic() - began)

    async def visit(self, path: str, cookie: str) -> str:
        """Opens a socket until the server has sent the table. Returns what came of it."""
        loop = asyncio.get_running_loop()
        done: asyncio.Future[str] = loop.create_future()

        def end(what: str) -> None:
            if not done.done():
                done.set_result(what)

        wire = Wire(
            path,
            cookie,
            lambda wire: wire.tell(HELLO),
            lambda message: end("done" if message.startswith(WELCOME) else REFUSED),
            lambda code: end(REFUSED),
        )
        try:
            await loop.create_connection(lambda: wire, self.host, self.port, local_addr=(next(self.addresses), 0))
            outcome = await done
            wire.transport.abort()
        except OSError as error:
            outcome = type(error).__name__
        return outcome

    def __str__(self) -> str:
        return ", ".join(f"{kind} {outcome} {count}" for (kind, outcome), count in sorted(self.counts.items()))
