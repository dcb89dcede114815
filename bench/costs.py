"""What each request and each message on a socket costs the server: CPU time, beside what it declares.

    python bench/costs.py [--times 10]

Every request is sent with the largest input that people have, and differs from the one before where the server
remembers answers. The table has six seats, a long talk and fifty spectators. CPU time hardly depends on what else
the machine does. Needs Linux, because it reads the CPU time of other processes.
"""

import argparse
import asyncio
import itertools
import json
import statistics
import tempfile
import time
from contextlib import AsyncExitStack
from typing import Any

import httpx
from load import Process, children, running
from websockets.asyncio.client import ClientConnection, connect

from mulligan.game import variants
from mulligan.server.web.demands import MESSAGES, Demand, Demands
from mulligan.server.web.rejections import Asked
from mulligan.server.web.routes import HANDLERS
from mulligan.server.wire.base import CHAT_LENGTH, WIRE_VERSION

SERVER = """
import pathlib, sys
from mulligan.server.limits import Limits
from mulligan.server.web import sockets
from mulligan.server.web.config import Config
from mulligan.server.web.run import serve
sockets.AT_ONCE = sockets.TALK_AT_ONCE = 1e9
serve(Config("127.0.0.1", 0, pathlib.Path(sys.argv[1]), limits=Limits.none()))
"""
SPECTATORS = 50
SEATS = 6  # as many as play nine
numbers = itertools.count(1)


def cpu(process: int) -> float:
    """CPU seconds of a process so far."""
    return time.clock_gettime(~process << 3 | 2)


class Meter:
    """Measures the server and its workers while one thing is done many times."""

    def __init__(self, server: Process, times: int) -> None:
        self.process, self.times = server.process.pid, times

    async def measure(self, what: str, demand: Demand, do: Any) -> None:
        """Prints the medians of the CPU milliseconds for each time that `do` is done."""
        own, others = [], []
        answer = await do()  # starts a worker, and loads code
        for _ in range(self.times):
            before, theirs = cpu(self.process), {one: cpu(one) for one in children(self.process)}
            answer = await do()
            await asyncio.sleep(0.02)  # for what comes after the answer
            own.append(cpu(self.process) - before)
            others.append(sum(cpu(one) - theirs.get(one, 0.0) for one in children(self.process)))
        here, there = (1000 * statistics.median(values) for values in (own, others))
        print(f"{what:50s} {here:7.2f} {there:9.1f}   {demand.cost:4g}  {demand.kind:10s} {answer}", flush=True)


class Seat:
    """A player on a socket."""

    def __init__(self, socket: ClientConnection) -> None:
        self.socket = socket
        self.view: dict[str, Any] = {}

    async def say(self, kind: str, **fields: Any) -> None:
        await self.socket.send(json.dumps({"is": kind, **fields}))

    async def hear(self, *kinds: str) -> dict[str, Any]:
        while True:
            message: dict[str, Any] = json.loads(await self.socket.recv())
            self.view = message.get("view", self.view)
            if message["is"] in kinds:
                return message

    async def do(self, kind: str, **fields: Any) -> str:
        number = str(next(numbers))
        await self.say(kind, id=number, **fields)
        while (answer := await self.hear("Accepted", "Refused"))["id"] != number:
            pass
        return answer.get("error", "accepted")


async def sit(stack: AsyncExitStack, http: httpx.AsyncClient, path: str) -> Seat:
    cookies = "; ".join(f"{name}={value}" for name, value in http.cookies.items())
    address = str(http.base_url.copy_with(scheme="ws", path=path))
    socket = await stack.enter_async_context(
        connect(address, additional_headers={"cookie": cookies}, compression=None, max_size=None)
    )
    seat = Seat(socket)
    await seat.say("Hello", client_version=WIRE_VERSION, visible=False)
    await seat.hear("Welcome")
    return seat


async def listen(seat: Seat) -> None:
    async for _ in seat.socket:
        pass


def wish(*others: dict[str, str]) -> dict[str, Any]:
    options = {"pace": "instant", "chat": True}
    return {"game": "play_nine", "seats": [{"kind": "me", "name": "Ann"}, *others], "options": options}


async def opened(http: httpx.AsyncClient, *others: dict[str, str]) -> dict[str, str]:
    answer = await http.post("/api/tables", json=wish(*others))
    assert answer.status_code == 201, answer.text
    codes: dict[str, str] = answer.json()
    return codes


HERE = [{"kind": "here", "name": f"Player {seat}"} for seat in range(2, SEATS + 1)]
COMPUTERS = [{"kind": "computer", "player": "greedy"}] * (SEATS - 1)


async def commands(meter: Meter, http: httpx.AsyncClient) -> None:
    async with AsyncExitStack() as stack:
        codes = await opened(http, *HERE)
        ann = await sit(stack, http, f"/ws/t/{codes['table']}")
        watching = [await sit(stack, http, f"/ws/w/{codes['watch']}") for _ in range(SPECTATORS)]
        listening = [asyncio.create_task(listen(spectator)) for spectator in watching]
        for number in range(100):
            await ann.do("Chat", seat=number % SEATS, text="x" * CHAT_LENGTH)
        seed = iter(range(10**9))

        async def say(kind: str, reply: str, **fields: Any) -> str:
            await ann.say(kind, **fields)
            return str((await ann.hear(reply))["is"])

        async def play() -> str:
            while ann.view["turn"] is None:
                await ann.do("NextHole")
            return await ann.do("Play", seat=ann.view["turn"], move=ann.view["legal"][-1])

        async def both(first: str, second: str, **fields: Any) -> str:
            await ann.do(first, **fields)
            return await ann.do(second, **({} if second in ("Readmit",) else fields))

        def chat(is_on: bool) -> dict[str, Any]:
            return {"options": {"pace": "instant", "chat": is_on}}

        turns = itertools.count()
        rows: list[tuple[str, Any]] = [
            ("Ping", lambda: say("Ping", "Pong", n=1)),
            ("Hello", lambda: say("Hello", "Welcome", client_version=WIRE_VERSION, last_event=1)),
            ("Hurry", lambda: ann.say("Hurry")),
            ("AddSeed", lambda: ann.do("AddSeed", seat=0, seed=f"{next(seed):032x}")),
            ("SetOptions", lambda: ann.do("SetOptions", **chat(bool(next(turns) % 2)))),
            ("Offer", lambda: ann.do("Offer", key=f"{next(seed):032x}")),
            ("MoveHere", lambda: ann.do("MoveHere", key="0" * 32)),
            ("NewLink", lambda: ann.do("NewLink")),
            ("Readmit", lambda: ann.do("Readmit")),
            ("Leave + Sit", None),
            ("Start", None),
            ("Say", lambda: ann.do("Say", seat=0, phrase="nice")),
            ("React", lambda: ann.do("React", seat=0, reaction="clap")),
            ("Chat", lambda: ann.do("Chat", seat=0, text="x" * CHAT_LENGTH)),
            ("Play", play),
            ("TakeBack", lambda: ann.do("TakeBack", seat=ann.view["turn"] or 0)),
            ("Lend + GiveBack", lambda: both("Lend", "GiveBack", seat=(1 + (ann.view["turn"] or 0)) % SEATS)),
            ("GiveUp + 2 AddSeed + Rematch + NextHole", None),
        ]

        async def stand_up() -> str:
            await ann.do("Leave", seat=1)
            return await ann.do("Sit", seat=1, name="Bea")

        async def again() -> str:
            await ann.do("GiveUp")
            for deal in ("Rematch", "NextHole"):
                await ann.do("AddSeed", seat=0, seed=f"{next(seed):032x}")  # else the deal waits for it
                answer = await ann.do(deal)
            return answer

        declared = {message.__name__: demand for message, demand in MESSAGES.items()}
        for what, do in rows:
            if what == "Start":
                print(f"{'Start (once)':50s} {'':17s}   {await ann.do('Start')}")
                continue
            names = what.replace("2 ", "").split(" + ")
            demand = Demand(sum(declared[name].cost for name in names), declared[names[0]].kind)
            special = {"Leave + Sit": stand_up, "GiveUp + 2 AddSeed + Rematch + NextHole": again}
            await meter.measure(what, demand, do or special[what])
        for task in listening:
            task.cancel()


async def requests(meter: Meter, http: httpx.AsyncClient) -> None:
    async with AsyncExitStack() as stack:
        codes, alone = await opened(http, *COMPUTERS), await opened(http, *COMPUTERS)
        ann = await sit(stack, http, f"/ws/t/{codes['table']}")
        await ann.do("Start")
        await ann.do("Lend", seat=0)
        while ann.view["phase"] != "over":
            await ann.hear("Happened")
        game = f"{codes['watch']}-1"
        record = json.loads((await http.get(f"/api/games/{game}/record")).text)
        told = {
            "game": record["game"],
            "players": [f"Player {seat}" for seat in range(SEATS)],
            "dealer": record["holes"][0]["dealer"],
            "holes": [{key: hole[key] for key in ("first_discard", "moves", "reveal")} for hole in record["holes"]],
        }
        middle = told | {
            "holes": [*told["holes"][:-1], told["holes"][-1] | {"moves": told["holes"][-1]["moves"][:-1], "reveal": {}}]
        }
        card = {
            "game": "play_nine",
            "players": [f"Player {seat}" for seat in range(SEATS)],
            "language": "en",
            "paper": "a4",
        }
        position = {"game": "play_nine", "layouts": ["1 ? 3 ? / 5 ? 7 8"] * SEATS, "turn": 0, "discard": "5"}
        hint = await sit(stack, http, f"/ws/t/{alone['table']}")
        await hint.do("Start")
        await hint.do("NextHole")
        while hint.view["turn"] != 0:
            await hint.hear("Happened")
        samples: list[tuple[str, str, Any]] = [
            ("GET", "/", None),
            ("GET", f"/t/{codes['table']}", None),
            ("GET", "/api/health", None),
            ("GET", "/api/ready", None),
            ("GET", "/api/facts", None),
            ("GET", "/api/rulebook/{language}?game=six_card&chosen=jokers={joker}", None),
            ("GET", "/api/house-rules/six_card?language={language}&chosen=jokers={joker}", None),
            ("GET", "/api/tutorial/play_nine", None),
            ("POST", "/api/variant", {"name": "own{n}", "text": variants.load("nine_card").text}),
            ("POST", "/api/tables", wish(*COMPUTERS)),
            ("GET", f"/api/tables/{codes['table']}", None),
            ("GET", f"/api/tables/{codes['table']}/qr.svg", None),
            ("GET", f"/api/games/{game}", None),
            ("GET", f"/api/games/{game}/holes/{{nine}}", None),
            ("GET", f"/api/games/{game}/shuffles", None),
            ("GET", f"/api/games/{game}/record", None),
            ("GET", f"/api/games/{game}/card?language={{language}}", None),
            ("GET", f"/api/games/{game}/analysis", None),
            ("POST", f"/api/games/{game}/mulligan", {"hole": 9, "step": 5, "seat": 0}),
            ("POST", f"/api/tables/{alone['table']}/hint", {"seat": 0}),
            ("POST", "/api/cardboard", told),
            ("POST", "/api/cardboard/hint", middle),
            ("POST", "/api/cardboard/position", position),
            ("POST", "/api/cardboard/games", told),
            ("GET", "/api/frequencies", None),
            ("GET", "/api/card/play_nine?players=6&names=N{n}", None),
            ("GET", "/api/card/play_nine/picture?players=6&dealer={seat}", None),
            ("POST", "/api/card", card),
            ("GET", f"/api/games/{game}/analysis/{{nine}}", None),
        ]
        demands, calls = Demands(HANDLERS), itertools.count()
        for method, path, body in samples:

            async def ask(method: str = method, path: str = path, body: Any = body) -> str:
                number = next(calls)
                values = {
                    "n": number, "nine": 1 + number % 9, "seat": number % SEATS,
                    "language": ("en", "fr", "de", "ja")[number % 4], "joker": (-1, -2, -5)[number // 4 % 3],
                }  # fmt: skip
                written = path.format(**values) if "{" in path else path
                content = json.dumps(body).replace("own{n}", f"own{number}") if body is not None else None
                answer = await http.request(
                    method, written, content=content, headers={"content-type": "application/json"}
                )
                return f"{answer.status_code} {len(answer.content)} bytes" + (
                    answer.text[:90] if answer.status_code > 299 else ""
                )

            await meter.measure(
                f"{method} {path.partition('?')[0]}", demands.of(Asked(method, path.partition("?")[0])), ask
            )


async def main(times: int) -> None:
    with tempfile.TemporaryDirectory() as data, running(["-c", SERVER, data]) as server:
        async with httpx.AsyncClient(base_url=f"http://{server.host}:{server.port}", timeout=600) as http:
            while (await http.get("/api/ready")).status_code != 200:
                await asyncio.sleep(0.2)
            print(f"{'':50s} CPU ms  workers   cost  kind")
            meter = Meter(server, times)
            await commands(meter, http)
            await requests(meter, http)


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--times", type=int, default=10)
    asyncio.run(main(parser.parse_args().times))
