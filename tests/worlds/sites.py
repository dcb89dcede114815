"""The whole server, as a program that is started, asked, killed and started again over the same disk.

What runs is the application of `mulligan.server.web.app`, spoken to in ASGI as uvicorn would: only its clock,
its randomness, its threads, its disk and its network are simulated.
"""

import asyncio
import tempfile
from collections.abc import Callable
from functools import cache, partial
from pathlib import Path
from random import Random
from traceback import extract_tb
from typing import Any

import numpy as np
from disk import Disk, SimulatedStore
from pushes import SimulatedPush
from timeline import Process, Timeline

from mulligan.server import bots
from mulligan.server.bot_processes import BotProcesses
from mulligan.server.limits import Limits
from mulligan.server.rooms.registry import Registry
from mulligan.server.services.letters import SENT, Outcome
from mulligan.server.web import app as apps
from mulligan.server.web.config import Config
from mulligan.server.web.connections import WRITE_NOW

EPOCH = 1_800_000_000.0  # the wall clock when a world begins
HOST = "localhost:8765"
IN_FLIGHT = 16  # messages the network holds for a reader who does not read


def places(error: BaseException) -> str:
    return " < ".join(
        f"{Path(frame.filename).name}:{frame.lineno}" for frame in extract_tb(error.__traceback__)[:-5:-1]
    )


class Closed:
    """In place of the real store, which no world opens."""

    def __init__(self, *_: Any, **__: Any) -> None:
        pass

    def close(self) -> None:
        pass


class SimulatedThinkers(BotProcesses):
    """In place of the processes in which computer players think: they take their time here too."""

    def __init__(self, dice: Random) -> None:
        super().__init__()
        self.dice = dice

    async def think(self, player: str, rules: Any, match: Any, state: Any, dice: np.ndarray) -> int:
        await asyncio.sleep(self.dice.choice([0.0, 0.001, 0.2]))
        return bots.think(player, rules, match, state, dice)

    async def close(self) -> None:
        pass


class SimulatedRegistry(Registry):
    """Its compiler is ready after a moment."""

    async def warm_up(self) -> None:
        await asyncio.sleep(0.05)
        self.is_warm.set()


class Application:
    """The application of the server. Each start of it gets a registry of its own, and it serves one at a time."""

    def __init__(self) -> None:
        self.registry: Callable[[], Registry] | None = None  # makes the one of the next start
        folder = Path(tempfile.gettempdir())
        self.push = SimulatedPush()
        open_store, apps.open_store = apps.open_store, Closed  # type: ignore[assignment]
        web_push, apps.WebPush = apps.WebPush, lambda *_: self.push  # type: ignore
        build, made = apps.Litestar, []
        apps.Litestar = lambda **given: made.append(build(**given)) or made[-1]  # type: ignore
        try:
            config = Config("127.0.0.1", 8765, folder, folder, limits=Limits.none(), is_managed=False)
            with Timeline(0.0).on_the_wall():
                self.app: Any = apps.build(config, lambda _: self.next_registry())
        finally:
            apps.open_store, apps.WebPush, apps.Litestar = open_store, web_push, build  # type: ignore[misc]
        self.state: Any = made[0].state

    def next_registry(self) -> Registry:
        assert self.registry is not None
        self.state.trying = asyncio.Lock()  # someone may have been trying when the last process was killed
        return self.registry()


@cache
def applications() -> tuple[Application, Application]:
    """For the two server processes of a world, and for all worlds of this process, which live one after another."""
    return Application(), Application()


class Pipe:
    """One socket between a device and the server, with its delays each way."""

    def __init__(self, site: "Site", owner: Any, lag: float) -> None:
        self.site = site
        self.process = site.process
        self.owner = owner
        self.lag = lag
        self.to_server: asyncio.Queue[dict[str, Any]] = asyncio.Queue()
        self.is_gone = False  # the server knows that the other end is gone
        self.is_cut = False  # nothing arrives at the device any more
        self.is_frozen = self.was_frozen = False  # the device reads nothing
        self.asked: list[int] = []  # the events known, as told with each Hello
        self.held_back: list[tuple[Callable[..., None], Any]] = []
        self.in_flight = 0
        self.latest_up = self.latest_down = 0.0
        self.position = 0  # the last event the server told here
        self.opened = 0.0  # when the server first showed the table here; 0 before
        self.is_visible = False  # as it said last in a Hello
        self.is_shut = False  # by the server
        self.room_to_send: asyncio.Event | None = None
        self.code = ""
        self.watching = False
        self.guests: list[str] = owner.guests if owner else []  # whom the server may take the other end for

    @property
    def is_open(self) -> bool:
        """Whether the server takes the other end for a page that is open at the table."""
        return bool(self.opened and not self.is_gone and not self.is_shut and self.process and self.process.is_alive)

    # The device's end

    def say(self, text: str | bytes) -> None:
        kind = "text" if isinstance(text, str) else "bytes"
        self.up({"type": "websocket.receive", kind: text})

    def hang_up(self, is_noticed: bool = True) -> None:
        """The device is gone. A broken line is not noticed at the other end."""
        self.is_cut = True
        if is_noticed:
            self.up({"type": "websocket.disconnect", "code": 1005})
        self.thaw()

    def up(self, event: dict[str, Any]) -> None:
        dice = self.site.net
        when = max(self.latest_up, self.site.timeline.now + self.lag * (0.5 + dice.random()))
        self.latest_up = when
        self.site.timeline.at(when, self.arrive, self.site.process, event)

    def arrive(self, process: Process | None, event: dict[str, Any]) -> None:
        if process is None or not process.is_alive or self.is_gone:
            return
        if event["type"] == "websocket.disconnect":
            self.is_gone = True
            if self.room_to_send:
                self.room_to_send.set()
        asyncio._set_running_loop(process)
        try:
            self.to_server.put_nowait(event)
        finally:
            asyncio._set_running_loop(None)

    def freeze(self) -> None:
        self.is_frozen = self.was_frozen = True

    def thaw(self) -> None:
        self.is_frozen = False
        held_back, self.held_back = self.held_back, []
        for callback, argument in held_back:
            self.site.timeline.at(self.site.timeline.now, self.deliver, callback, argument)

    # The server's end

    async def receive(self) -> dict[str, Any]:
        return await self.to_server.get()

    async def send(self, message: dict[str, Any]) -> None:
        kind = message["type"]
        if self.is_gone and kind != "websocket.accept":
            raise OSError("the other end is gone")
        if kind == "websocket.send":
            while self.in_flight > IN_FLIGHT and not self.is_gone:
                self.room_to_send = asyncio.Event()
                await self.room_to_send.wait()
            if self.is_gone:
                raise OSError("the other end is gone")
            self.tell(message["text"])
        elif kind == "websocket.close":
            self.is_shut = True
            self.down(self.owner.is_closed, message.get("code", 1000))
            self.to_server.put_nowait({"type": "websocket.disconnect", "code": message.get("code", 1000)})

    def write_now(self, *messages: bytes) -> bool:
        """As `SocketWire.write_now`."""
        if self.is_gone or self.in_flight > IN_FLIGHT:
            return False
        for message in messages:
            self.tell(message.decode())
        return True

    def tell(self, text: str) -> None:
        self.site.when_told(self, text)
        self.down(self.owner.hears, text)

    def down(self, callback: Callable[..., None], argument: Any) -> None:
        dice = self.site.net
        when = max(self.latest_down, self.site.timeline.now + self.lag * (0.5 + dice.random()))
        self.latest_down = when
        self.in_flight += 1
        self.site.timeline.at(when, self.deliver, callback, argument)

    def deliver(self, callback: Callable[..., None], argument: Any) -> None:
        if self.is_frozen and not self.is_cut:
            self.held_back.append((callback, argument))
            return
        self.in_flight -= 1
        if self.room_to_send and self.in_flight <= IN_FLIGHT // 2:
            self.room_to_send.set()
        if not self.is_cut:
            callback(self, argument)


class Site:
    """The address under which the server is found, if it runs just now."""

    def __init__(self, timeline: Timeline, disk: Disk, dice: Random, net: Random, serving: Application) -> None:
        self.timeline = timeline
        self.application = serving
        self.disk = disk
        self.dice = dice
        self.net = net
        self.process: Process | None = None
        self.registry: Registry | None = None
        self.graveyard: list[Process] = []
        self.pipes: list[Pipe] = []
        self.lifespan: asyncio.Queue[dict[str, Any]] | None = None
        self.has_started = False
        self.since = 0.0  # when it was started
        self.clock_off = 0.0  # seconds by which its wall clock is wrong
        self.when_told: Callable[[Pipe, str], None] = lambda pipe, text: None
        self.when_killed: Callable[[], None] = lambda: None
        self.when_pushed: Callable[..., Outcome] = lambda *message: Outcome(SENT)

    @property
    def is_up(self) -> bool:
        return self.process is not None and self.process.is_alive and self.registry is not None and self.has_started

    def clock(self) -> float:
        return EPOCH + self.timeline.now + self.clock_off

    def start(self) -> None:
        process = self.process = Process(self.timeline, Random(self.dice.random()))
        self.graveyard.append(process)
        self.since = self.timeline.now
        self.has_started = False  # only then uvicorn takes connections
        seeds, codes = Random(self.dice.random()), Random(self.dice.random())

        def registry() -> Registry:
            self.registry = SimulatedRegistry(
                SimulatedStore(self.disk, process),
                seed=lambda: seeds.randbytes(32),
                clock=self.clock,
                letter=codes.choice,
                thinkers=SimulatedThinkers(Random(codes.random())),
                name=f"{codes.getrandbits(64):016x}",
            )
            return self.registry

        self.run(process, self.live(registry))

    async def live(self, registry: Callable[[], Registry]) -> None:
        """The lifespan of the application, as uvicorn would begin and end it."""
        events = self.lifespan = asyncio.Queue()
        events.put_nowait({"type": "lifespan.startup"})

        async def send(message: dict[str, Any]) -> None:
            if message["type"].endswith("failed"):
                raise AssertionError(f"the server did not start or end: {message['message'][-600:]}")
            self.has_started = True

        self.application.registry = registry
        self.application.push.take = partial(self.when_pushed, self)
        scope: dict[str, Any] = {"type": "lifespan", "asgi": {"version": "3.0"}, "state": {}}
        await self.serve(scope, events.get, send)
        self.kill()

    def run(self, process: Process, work: Any) -> asyncio.Task[Any]:
        asyncio._set_running_loop(process)
        try:
            return process.create_task(work)
        finally:
            asyncio._set_running_loop(None)

    def kill(self, callbacks: int = 0) -> None:
        """SIGKILL, after so many more callbacks."""
        if self.process is not None and self.process.is_alive:
            self.process.die_after(callbacks, self.died)

    def stop(self) -> None:
        """SIGTERM: what uvicorn does then. Sockets are closed, and the lifespan of the application ends."""
        if self.is_up and self.lifespan is not None:
            for pipe in self.pipes:
                if not pipe.is_gone:
                    pipe.down(pipe.owner.is_closed, 1012)
                    pipe.up({"type": "websocket.disconnect", "code": 1012})
            self.lifespan.put_nowait({"type": "lifespan.shutdown"})

    def died(self) -> None:
        """Nothing more is sent; what the network holds may arrive or not. Not everyone notices at once."""
        self.registry = self.lifespan = None
        for pipe in self.pipes:
            if not pipe.is_cut:
                lost = self.net.random()
                if lost < 0.3:
                    pipe.is_cut = True  # a broken line: the device must find out by itself
                elif lost < 0.6:
                    self.timeline.at(self.timeline.now, self.reset, pipe)
                else:
                    pipe.down(pipe.owner.is_closed, 1006)
        self.pipes.clear()
        self.when_killed()

    def reset(self, pipe: Pipe) -> None:
        if not pipe.is_cut:
            pipe.is_cut = True
            pipe.owner.is_closed(pipe, 1006)

    def connect(self, owner: Any, path: str, cookie: str, lag: float, origin: str = "") -> Pipe | None:
        """A new socket, or None where nobody listens at this address."""
        process = self.process
        if not self.is_up or process is None:
            return None
        pipe = Pipe(self, owner, lag)
        self.pipes = [other for other in self.pipes if not other.is_gone]
        self.pipes.append(pipe)
        pipe.up({"type": "websocket.connect"})
        headers = [(b"host", HOST.encode()), (b"cookie", f"mulligan_guest={cookie}".encode())]
        if origin:
            headers.append((b"origin", origin.encode()))
        scope = self.scope("websocket", "ws", path, headers)
        scope |= {"subprotocols": [], "extensions": {WRITE_NOW: pipe.write_now}}
        self.run(process, self.attend(scope, pipe))
        return pipe

    async def attend(self, scope: dict[str, Any], pipe: Pipe) -> None:
        await self.serve(scope, pipe.receive, pipe.send)
        pipe.is_shut = True

    async def serve(self, scope: dict[str, Any], receive: Any, send: Any) -> None:
        """What the application lets through would be a traceback in the log of uvicorn."""
        process = self.process
        try:
            await self.application.app(scope, receive, send)
        except Exception as error:
            assert process is not None
            process.faults.append(f"{scope.get('path', 'lifespan')}: {error!r} at {places(error)}")

    def ask(
        self,
        method: str,
        path: str,
        cookie: str = "",
        body: bytes = b"",
        then: Callable[[int, bytes, Any], None] | None = None,
    ) -> bool:
        """An HTTP request; `then` hears the status and what was answered, unless the server is killed before."""
        process = self.process
        if not self.is_up or process is None:
            return False
        headers = [(b"host", HOST.encode()), (b"content-type", b"application/json")]
        if cookie:
            headers.append((b"cookie", f"mulligan_guest={cookie}".encode()))
        if body:
            headers.append((b"content-length", str(len(body)).encode()))
        path, _, query = path.partition("?")
        scope = self.scope("http", "http", path, headers) | {"method": method, "query_string": query.encode()}
        answer: dict[str, Any] = {"status": 0, "body": b"", "headers": []}
        asked = [{"type": "http.request", "body": body, "more_body": False}]

        async def receive() -> dict[str, Any]:
            if asked:
                return asked.pop()
            await asyncio.Event().wait()
            raise AssertionError

        async def send(message: dict[str, Any]) -> None:
            if message["type"] == "http.response.start":
                answer.update(status=message["status"], headers=sorted(map(tuple, message["headers"])))
            else:
                answer["body"] += message.get("body", b"")
                if not message.get("more_body") and then is not None:
                    self.timeline.after(
                        0.001 + self.net.random() * 0.05,
                        then,
                        *[answer[part] for part in ("status", "body", "headers")],
                    )

        self.run(process, self.serve(scope, receive, send))
        return True

    def scope(self, kind: str, scheme: str, path: str, headers: list[tuple[bytes, bytes]]) -> dict[str, Any]:
        return {
            "type": kind,
            "asgi": {"version": "3.0", "spec_version": "2.4"},
            "http_version": "1.1",
            "scheme": scheme,
            "path": path,
            "raw_path": path.encode(),
            "query_string": b"",
            "root_path": "",
            "headers": headers,
            "client": ("127.0.0.1", 40_000),
            "server": ("127.0.0.1", 8765),
            "state": {},
            "extensions": {},
        }

    def bury(self) -> None:
        for process in self.graveyard:
            process.bury()
