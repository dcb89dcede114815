"""A bad network: stands between clients and the server, and does to their lines what networks do.

All that it decides comes from one seed. It knows nothing of what it carries.
"""

import asyncio
import random
import socket
import struct
import threading
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from typing import Any

CHUNK = 4096
TROUBLES = ("drop", "close", "half_close", "cut", "freeze", "slow", "delay")


@dataclass(frozen=True)
class NetworkFaults:
    """How bad it is. Times in seconds; a trouble comes upon a line after so many bytes or that time."""

    troubles: tuple[str, ...] = TROUBLES
    share: float = 0.8  # of the lines that meet with trouble
    lasts: tuple[float, float] = (0.05, 1.5)  # how long a line is well
    delay: float = 0.03  # of each piece, at most, on a line with delays
    frozen: tuple[float, float] = (0.3, 3.0)
    bytes_a_second: int = 20_000  # on a slow line
    refusing: float = 0.1  # how often a line that drops is followed by a while of refusals
    refused: tuple[float, float] = (0.1, 0.8)


NO_FAULTS = NetworkFaults(share=0.0)
USUAL_FAULTS = NetworkFaults()
LONG_FAULTS = NetworkFaults(lasts=(0.3, 2.5), frozen=(0.2, 0.9))  # where a page's own patience is to be waited for


class Line:
    """One connection of a client, carried on to the server."""

    def __init__(self, client: "End", server: "End") -> None:
        self.client = client
        self.server = server
        self.may_flow = asyncio.Event()
        self.may_flow.set()
        self.delay = 0.0
        self.bytes_a_second = 0
        self.cut_next = False

    def drop(self) -> None:
        """Both ends learn of it at once, and rudely."""
        self.client.reset()
        self.server.reset()

    def close(self) -> None:
        """Both ends learn of it, after all that was sent."""
        self.client.writer.close()
        self.server.writer.close()


class End:
    def __init__(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self.reader = reader
        self.writer = writer
        self.is_half_closed = False

    def half_close(self) -> None:
        self.is_half_closed = True
        with suppress(OSError):
            self.writer.write_eof()

    def reset(self) -> None:
        with suppress(OSError, AttributeError):
            linger = struct.pack("ii", 1, 0)  # a reset, not an end
            self.writer.get_extra_info("socket").setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, linger)
        self.writer.transport.abort()


class Proxy:
    """Listens on a port of its own for a server; `met` counts the troubles there were."""

    def __init__(self, server_port: int, seed: int = 1, network_faults: NetworkFaults = NO_FAULTS) -> None:
        self.server_port = server_port
        self.dice = random.Random(seed)
        self.network_faults = network_faults
        self.port = 0
        self.lines: set[Line] = set()
        self.met: Counter[str] = Counter()
        self.to_come: list[str] = []
        self.is_refusing = False
        self.is_frozen = False
        self.fates: set[asyncio.Task[None]] = set()
        self.carrying: set[asyncio.Task[Any]] = set()

    async def __aenter__(self) -> "Proxy":
        self.listening = await asyncio.start_server(self.carry, "127.0.0.1", self.port, limit=CHUNK)
        self.port = self.listening.sockets[0].getsockname()[1]
        return self

    async def __aexit__(self, *_: object) -> None:
        self.listening.close()
        self.refuse()
        self.thaw()
        for fate in self.fates:
            fate.cancel()
        if self.carrying:
            await asyncio.wait(self.carrying, timeout=2)

    # What can be done to all lines at once

    def freeze(self, new_lines: bool = True) -> None:
        """Nothing goes through, and nobody is told; new lines freeze too, or go through."""
        self.is_frozen = new_lines
        for line in self.lines:
            line.may_flow.clear()

    def thaw(self) -> None:
        self.is_frozen = False
        for line in self.lines:
            line.may_flow.set()

    def drop(self) -> None:
        for line in list(self.lines):
            line.drop()

    def refuse(self, refusing: bool = True) -> None:
        """No new line is let through, and those that are there break."""
        self.is_refusing = refusing
        if refusing:
            self.drop()

    # One line

    async def carry(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        client, task = End(reader, writer), asyncio.current_task()
        assert task is not None
        self.carrying.add(task)
        task.add_done_callback(self.carrying.discard)
        if self.is_refusing:
            self.met["refuse"] += 1
            client.reset()
            return
        try:
            server = End(*await asyncio.open_connection("127.0.0.1", self.server_port, limit=CHUNK))
        except OSError:
            client.reset()
            return
        line = Line(client, server)
        if self.is_frozen:
            line.may_flow.clear()
        self.lines.add(line)
        fate = asyncio.create_task(self.fate(line, self.dice.random() < self.network_faults.share))
        self.fates.add(fate)
        try:
            await asyncio.gather(self.pump(line, client, server), self.pump(line, server, client))
        finally:
            self.lines.discard(line)
            self.fates.discard(fate)
            fate.cancel()
            line.close()

    async def pump(self, line: Line, source: End, goal: End) -> None:
        """Carries one direction on, piece by piece and in order, until it ends."""
        with suppress(OSError):
            while piece := await source.reader.read(CHUNK):
                if line.cut_next and not goal.is_half_closed:  # in the middle of whatever it is
                    self.met["cut"] += 1
                    goal.writer.write(piece[: max(1, len(piece) // 2)])
                    await goal.writer.drain()
                    line.close()
                    return
                if line.delay:
                    await asyncio.sleep(self.dice.uniform(0, line.delay))
                if line.bytes_a_second:
                    await asyncio.sleep(len(piece) / line.bytes_a_second)
                await line.may_flow.wait()
                if goal.is_half_closed:
                    line.close()
                    return
                goal.writer.write(piece)
                await goal.writer.drain()
            if goal.writer.can_write_eof():
                goal.writer.write_eof()

    def next_trouble(self) -> str:
        """Every trouble once, in an order of chance, before any comes again."""
        if not self.to_come:
            self.to_come = self.dice.sample(self.network_faults.troubles, len(self.network_faults.troubles))
        return self.to_come.pop()

    async def fate(self, line: Line, is_doomed: bool) -> None:
        """What comes upon a line, one trouble after another, until one of them ends it."""
        dice, network_faults = self.dice, self.network_faults
        while is_doomed:
            await asyncio.sleep(dice.uniform(*network_faults.lasts))
            trouble = self.next_trouble()
            if trouble != "cut":
                self.met[trouble] += 1
            if trouble == "delay":
                line.delay = network_faults.delay
            elif trouble == "slow":
                line.bytes_a_second = network_faults.bytes_a_second
            elif trouble == "freeze":
                line.may_flow.clear()
                await asyncio.sleep(dice.uniform(*network_faults.frozen))
                line.may_flow.set()
            elif trouble == "cut":
                line.cut_next = True
            elif trouble == "half_close":
                dice.choice((line.client, line.server)).half_close()
            elif trouble == "close":
                line.close()
            else:
                line.drop()
                if dice.random() < network_faults.refusing:
                    self.is_refusing = True  # this line's own fate ends with it, so something else ends that
                    until = dice.uniform(*network_faults.refused)
                    asyncio.get_running_loop().call_later(until, setattr, self, "is_refusing", False)


class Switch:
    """The hand on a proxy that runs in another thread."""

    def __init__(self, proxy: Proxy, loop: asyncio.AbstractEventLoop) -> None:
        self.proxy = proxy
        self.loop = loop
        self.port = proxy.port

    def do(self, what: Callable[..., None], *how: object) -> None:
        """Calls a method of the proxy where it runs, and returns once that is done."""
        done = threading.Event()
        self.loop.call_soon_threadsafe(lambda: (what(*how), done.set()))
        assert done.wait(10)


@contextmanager
def beside(server_port: int, seed: int = 1, network_faults: NetworkFaults = NO_FAULTS) -> Iterator[Switch]:
    """A proxy in a thread of its own, for tests that wait in this one."""
    ready: list[Switch] = []
    is_ready, end = threading.Event(), asyncio.Event()

    async def run() -> None:
        async with Proxy(server_port, seed, network_faults) as proxy:
            ready.append(Switch(proxy, asyncio.get_running_loop()))
            is_ready.set()
            await end.wait()

    thread = threading.Thread(target=asyncio.run, args=[run()], daemon=True)
    thread.start()
    assert is_ready.wait(10)
    try:
        yield ready[0]
    finally:
        ready[0].loop.call_soon_threadsafe(end.set)
        thread.join(10)
