"""A bad postman: carries the messages of sockets, and doubles, swaps, keeps and loses some of them.

No network does that within one connection, but a client that sends again after a break, or a socket that
lives on unseen, brings it about. The letters of a line that broke may still arrive: late, on the old socket.
"""

import asyncio
import random
from collections import Counter
from contextlib import suppress
from dataclasses import dataclass

from websockets.asyncio.client import ClientConnection, connect
from websockets.asyncio.server import ServerConnection, serve
from websockets.exceptions import ConnectionClosed, InvalidHandshake

Socket = ClientConnection | ServerConnection


@dataclass(frozen=True)
class Habits:
    """How often each letter meets with what; `breaks` is how often a line breaks at a letter."""

    doubles: float = 0.05
    swaps: float = 0.03
    loses: float = 0.004
    breaks: float = 0.008
    lateness: float = 0.6  # seconds, at most, that an old letter is kept


class Postman:
    """Listens on a port of its own for a server; `did` counts what became of the letters."""

    def __init__(self, server_port: int, seed: int = 1, habits: Habits | None = None) -> None:
        self.server_port = server_port
        self.dice = random.Random(seed)
        self.habits = habits or Habits()
        self.did: Counter[str] = Counter()
        self.late: set[asyncio.Task[None]] = set()

    async def __aenter__(self) -> "Postman":
        self.serving = await serve(self.carry, "127.0.0.1", 0, compression=None, max_size=None, ping_interval=None)
        self.port = self.serving.sockets[0].getsockname()[1]
        return self

    async def __aexit__(self, *_: object) -> None:
        self.serving.close(close_connections=True)
        for task in self.late:
            task.cancel()
        await self.serving.wait_closed()

    async def carry(self, client: ServerConnection) -> None:
        assert client.request is not None
        cookie = client.request.headers.get("cookie", "")
        try:
            server = await connect(
                f"ws://127.0.0.1:{self.server_port}{client.request.path}",
                additional_headers={"cookie": cookie},
                compression=None,
                max_size=None,
                ping_interval=None,
                close_timeout=0.2,
                proxy=None,
            )
        except (OSError, TimeoutError, InvalidHandshake):
            client.transport.abort()
            return
        sent: list[str | bytes] = []
        ways = [
            asyncio.create_task(self.deliver(client, server, sent)),
            asyncio.create_task(self.deliver(server, client, [])),
        ]
        await asyncio.wait(ways, return_when=asyncio.FIRST_COMPLETED)
        for way in ways:
            way.cancel()
        client.transport.abort()
        afterwards = asyncio.create_task(self.deliver_late(server, sent[-3:]))
        self.late.add(afterwards)
        afterwards.add_done_callback(self.late.discard)

    async def deliver(self, source: Socket, goal: Socket, sent: list[str | bytes]) -> None:
        """One direction; it returns once the line is to break."""
        kept: list[str | bytes] = []
        with suppress(ConnectionClosed):
            async for letter in source:
                sent.append(letter)
                lot, habits = self.dice.random(), self.habits
                if (lot := lot - habits.breaks) < 0:
                    self.did["broke"] += 1
                    return  # the letter is the first that arrives late, or never
                if (lot := lot - habits.loses) < 0:
                    self.did["lost"] += 1
                    continue
                if (lot := lot - habits.swaps) < 0 and not kept:
                    self.did["swapped"] += 1
                    kept.append(letter)
                    continue
                await goal.send(letter)
                if lot - habits.doubles < 0:
                    self.did["doubled"] += 1
                    await goal.send(letter)
                for other in kept:
                    await goal.send(other)
                kept.clear()

    async def deliver_late(self, server: ClientConnection, letters: list[str | bytes]) -> None:
        """The client is gone and perhaps back by another line; the last letters of the old one arrive now."""
        try:
            await asyncio.sleep(self.dice.uniform(0, self.habits.lateness))
            for letter in letters:
                await server.send(letter)
                self.did["late"] += 1
            await asyncio.sleep(self.habits.lateness)
        except ConnectionClosed:
            self.did["too late"] += 1
        finally:
            server.transport.abort()
