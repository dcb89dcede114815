"""What a crowd of spectators costs the players of a table, if other processes serve the crowd.

    python bench/spectators.py [--spectators 20000] [--tables 300] [--rate 300] [--seconds 20]

`--json` adds a last line with what bench/figures.py keeps.
Three servers share one PostgreSQL: people play at the first, and the crowd watches one of their tables at the others.
The first server, the database and the players share one core; the crowd and its servers have the others. The same
players are measured without the crowd, with it, and without it again. Needs Linux, and PostgreSQL as the tests do.
"""

import argparse
import asyncio
import json
import os
import subprocess
import sys
import time
from contextlib import ExitStack
from functools import partial
from itertools import cycle
from pathlib import Path
from typing import Any

import uvloop
from load import RUN, Process, allow_many_files, compile_first, play, running
from load_crowd import ADDRESSES, HAPPENED, WELCOME, Crowd
from load_flood import HELLO
from load_socket import Wire

from mulligan.server.web.accounts import COOKIE

sys.path.insert(0, str(Path(__file__).parents[1] / "tests"))

from postgres import Cluster  # type: ignore[import-not-found]

CROWDS = 2  # other servers
PINGS_EVERY = 30.0  # seconds between two pings of a spectator
PING = b'{"is":"Ping","n":1}'
AT_ONCE = 200  # spectators who connect at a time


class Spectators:
    """Many sockets at one table of one server."""

    def __init__(self, host: str, port: int, watch: str) -> None:
        self.host, self.port, self.watch = host, port, watch
        self.wires: list[Wire] = []
        self.welcomed = self.seen = self.lost = 0

    async def come(self, count: int) -> None:
        """Connects that many, and waits until all have the table's state."""
        loop, addresses = asyncio.get_running_loop(), cycle(ADDRESSES)

        async def connect(number: int, address: str) -> None:
            wire = Wire(f"/ws/w/{self.watch}", f"{COOKIE}={number:032x}", self.greet, self.hear, self.lose)
            await loop.create_connection(lambda: wire, self.host, self.port, local_addr=(address, 0))
            self.wires.append(wire)

        for start in range(0, count, AT_ONCE):
            some = range(start, min(start + AT_ONCE, count))
            await asyncio.gather(*(connect(number, next(addresses)) for number in some))
            while self.welcomed + self.lost < some.stop:
                await asyncio.sleep(0.01)

    async def stay(self) -> None:
        """Pings from time to time, as browsers do, until it is cancelled."""
        while True:
            for wire in [wire for wire in self.wires if wire.is_open]:
                wire.tell(PING)
                await asyncio.sleep(PINGS_EVERY / len(self.wires))
            await asyncio.sleep(0.1)

    def greet(self, wire: Wire) -> None:
        wire.tell(HELLO)

    def hear(self, message: bytes) -> None:
        self.welcomed += message.startswith(WELCOME)
        self.seen += message.startswith(HAPPENED)

    def lose(self, code: int) -> None:
        self.lost += 1


async def watch(place: str, count: int) -> None:
    """The program of a crowd's own process: comes, says so, and counts what it sees until its input ends."""
    address, _, code = place.partition("/")
    host, _, port = address.partition(":")
    crowd = Spectators(host, int(port), code)
    began = time.monotonic()
    staying = asyncio.create_task(crowd.stay())
    await crowd.come(count)
    print(json.dumps({"came": crowd.welcomed, "seconds": time.monotonic() - began}), flush=True)
    await asyncio.to_thread(sys.stdin.readline)
    staying.cancel()
    print(json.dumps({"seen": crowd.seen, "lost": crowd.lost}), flush=True)


async def measure(spectators: int, tables: int, rate: float, seconds: float) -> dict[str, list[float]]:
    cores = sorted(os.sched_getaffinity(0))
    os.sched_setaffinity(0, cores[:1])
    cluster = Cluster.new(fsync="on")
    try:
        with ExitStack() as stack:
            command = ["-m", "mulligan", "serve", "--port", "0", "--no-limits", "--store", cluster.database()]
            servers = [stack.enter_context(running(command))]
            os.sched_setaffinity(0, cores[1:] or cores)
            servers += [stack.enter_context(running(command)) for _ in range(CROWDS)]
            os.sched_setaffinity(0, cores[:1])
            return await with_and_without(servers, spectators, tables, rate, seconds)
    finally:
        cluster.stop()


async def with_and_without(
    servers: list[Process], spectators: int, tables: int, rate: float, seconds: float
) -> dict[str, list[float]]:
    """Returns each figure of `RUN` without the crowd, with it and without it again; and the memory of a spectator."""
    players = Crowd(servers[0].host, servers[0].port)
    await players.take_seats(tables)
    watched = players.tables[0].watch
    before, empty = await play(players, servers[0], rate, seconds), [server.resident for server in servers[1:]]
    program = [sys.executable, __file__, "--spectators", str(spectators // CROWDS)]
    crowds = [
        subprocess.Popen(
            [*program, "--watch", f"{server.host}:{server.port}/{watched}"],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            preexec_fn=partial(os.sched_setaffinity, 0, os.sched_getaffinity(servers[1].process.pid)),
        )
        for server in servers[1:]
    ]
    try:
        async with players.staying():
            for server, crowd in zip(servers[1:], crowds, strict=True):
                came = await said_by(crowd)
                print(f"  {came['came']} spectators came in {came['seconds']:.0f} s; resident {server.resident:.0f} MB")
        memory = sum(server.resident for server in servers[1:]) - sum(empty)
        during = await play(players, servers[0], rate, seconds)
        for crowd in crowds:
            assert crowd.stdin is not None
            crowd.stdin.close()
            print("  {seen} messages seen, {lost} sockets lost".format(**await said_by(crowd)))
    finally:
        for crowd in crowds:
            crowd.kill()
            crowd.wait()
    after = await play(players, servers[0], rate, seconds)
    players.go()
    print(f"{spectators} spectators at {CROWDS} other servers   without   with them   without")
    figures = {what: [run[number] for run in (before, during, after)] for number, what in enumerate(RUN)}
    for what, found in figures.items():
        print(f"  {what:40s}" + "  ".join(f"{figure:9.1f}" for figure in found))
    return figures | {"kB a spectator": [memory * 1024 / spectators]}


async def said_by(crowd: subprocess.Popen[bytes]) -> dict[str, Any]:
    assert crowd.stdout is not None
    return dict(json.loads(await asyncio.to_thread(crowd.stdout.readline)))


def main() -> None:
    parser = argparse.ArgumentParser(description="What spectators at other processes cost the players.")
    parser.add_argument("--spectators", type=int, default=20_000)
    parser.add_argument("--tables", type=int, default=300)
    parser.add_argument("--rate", type=float, default=300)
    parser.add_argument("--seconds", type=float, default=20)
    parser.add_argument("--json", action="store_true")
    parser.add_argument("--watch", default="", help=argparse.SUPPRESS)
    given = parser.parse_args()
    allow_many_files()
    if given.watch:
        uvloop.run(watch(given.watch, given.spectators))
        return
    compile_first()
    print(f"{time.strftime('%Y-%m-%d %H:%M:%S')}, {os.cpu_count()} cores, load {os.getloadavg()[0]:.1f}")
    figures = uvloop.run(measure(given.spectators, given.tables, given.rate, given.seconds))
    if given.json:
        print(json.dumps(figures))


if __name__ == "__main__":
    main()
