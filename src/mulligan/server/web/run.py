"""Runs the server until it is stopped: `mulligan serve`."""

import asyncio
import gc
import ipaddress
import os
import signal
import socket
import sys
import threading
import time
import webbrowser
from collections.abc import Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack
from dataclasses import replace
from functools import partial
from random import Random
from types import FrameType
from typing import Any

import uvicorn

from mulligan import program
from mulligan.server import first_start
from mulligan.server.limits import Limits
from mulligan.server.log import Form, log, logging_to
from mulligan.server.metrics import Metrics, offered
from mulligan.server.rooms.registry import Registry
from mulligan.server.services.channels import ChannelError, read_channels
from mulligan.server.services.https_post import HTTPS, ForbiddenPlace, place_of
from mulligan.server.services.web_push import SUBJECT
from mulligan.server.store.errors import StoreError

from . import base_path as base_paths
from . import hosts
from .app import build
from .config import Config
from .connections import SocketWire
from .door import door
from .ending import Ending, waves
from .request_ids import RequestIds
from .sockets import LARGEST

SENDING = 128 * 1024  # bytes that the system buffers per connection
FAREWELL = 1.5  # seconds for clients to receive the closing message
FILES = 200  # open files besides client connections


class ServeError(OSError):
    """The reason why the server cannot run, in one sentence."""


def serve(
    config: Config,
    open_browser: bool = False,
    log_form: Form | None = None,
    metrics_at: str = "",
    drain: float = 0.0,
) -> None:
    """Runs the server until a signal ends it. Raises ServeError; KeyboardInterrupt after Ctrl-C.

    Offers metrics at the port or host and port in `metrics_at`, if it is given. After SIGTERM, plays on for `drain`
    seconds or until nobody is connected.

    Logs to standard error: as text in a terminal and otherwise as JSON, unless `log_form` is given.
    """
    check_names(config.names)
    check_proxies(config.behind)
    check_contact(config.contact)
    push_hosts = check_push_hosts(config.push_hosts)
    base_path = check_base_path(config.base_path)
    channels = channels_of(config)
    taken_over = first_start.socket_taken_over()
    listening = taken_over or listen(config.host, config.port)
    limits = may_open(config.limits)
    port = listening.getsockname()[1]
    config = replace(config, port=port, base_path=base_path, limits=limits, push_hosts=push_hosts, channels=channels)
    ending = Ending()
    metrics = Metrics()
    doors = ExitStack()
    try:
        if metrics_at:
            offer(metrics, metrics_at, doors)
        app = build(config, partial(Registry, metrics=metrics), ending)
    except (ServeError, StoreError) as error:
        doors.close()
        listening.close()
        raise ServeError(str(error)) from None
    server = server_of(app, config, ending, metrics, drain)
    gc.freeze()  # existing objects stay in use …
    gc.set_threshold(2_000, 10, 200)  # … and new ones rarely form cycles: short pauses, and seldom a long one
    sys.setswitchinterval(0.001)  # seconds until the store's thread may run
    if log_form != "json" and not taken_over:
        greet(config)
    if open_browser and not taken_over:
        threading.Timer(0.8, webbrowser.open, [config.address]).start()
    complaints = log_file()
    with logging_to(complaints, log_form or ("text" if os.isatty(complaints) else "json")):
        try:
            server.run(sockets=[listening.dup()])
        except KeyboardInterrupt:
            server.interrupted = True
        doors.close()
        log.info("closed")
    if server.restarts:
        first_start.restart(listening)
    listening.close()
    if log_form != "json":
        say(f"\nMulligan has closed. The games are kept in {'the database' if config.store else config.data}")
    if server.interrupted:
        raise KeyboardInterrupt


class Threads(ThreadPoolExecutor):
    """Threads that nobody waits for when the server ends: all that has to be kept is written by the store's own."""

    def shutdown(self, wait: bool = True, *, cancel_futures: bool = False) -> None:
        super().shutdown(wait=False, cancel_futures=True)


def log_file() -> int:
    """Returns the file descriptor of standard error, or of the null device if it is closed."""
    try:
        return sys.stderr.fileno()
    except (AttributeError, OSError):
        return os.open(os.devnull, os.O_WRONLY)


def greet(config: Config) -> None:
    say(f"Mulligan is at {config.address}")
    if config.lan_address:
        say(f"On other devices in your network: {config.lan_address}")
    say("Ctrl-C ends it.")


class Server(uvicorn.Server):
    """Drains or closes at the first signal and asks clients to reconnect; ends immediately at the second."""

    def __init__(self, config: uvicorn.Config, ending: Ending, metrics: Metrics, drain: float) -> None:
        super().__init__(config)
        self.ending = ending
        self.metrics = metrics
        self.drain = drain  # seconds
        self.drained_at = 0.0  # by the loop's clock
        self.interrupted = False  # by Ctrl-C
        self.restarts = False  # once everything is compiled
        self.compiling: asyncio.Task[None] | None = None

    def handle_exit(self, sig: int, frame: FrameType | None) -> None:
        if self.should_exit or self.ending.is_draining:
            if sig == signal.SIGINT:
                program.end(program.STOPPED)
            signal.signal(sig, signal.SIG_DFL)
            signal.raise_signal(sig)
        self.interrupted = sig == signal.SIGINT
        if self.drain and sig == signal.SIGTERM:
            self.ending.is_draining = True
        else:
            self.close()

    def close(self) -> None:
        self.ending.is_closing = True
        self.should_exit = True  # a requested end is no error: the exit status will be 0

    async def on_tick(self, counter: int) -> bool:
        """Called by uvicorn every `metrics.TICK` seconds."""
        now = time.monotonic()
        self.metrics.tick(now)
        if self.ending.is_draining and not self.should_exit:
            self.go_on_draining(now)
        return await super().on_tick(counter)

    def go_on_draining(self, now: float) -> None:
        """Closes once the time is over or nobody is connected."""
        if not self.drained_at:
            self.drained_at = now + self.drain
            log.info("draining", connections=len(self.server_state.connections), seconds=self.drain)
        if now >= self.drained_at or not any(self.sockets()):
            self.close()

    def sockets(self) -> Iterator[SocketWire]:
        return (one for one in list(self.server_state.connections) if isinstance(one, SocketWire))

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        asyncio.get_running_loop().set_default_executor(Threads())
        await super().startup(sockets)
        if first_start.restarts_compiled:
            self.compiling = asyncio.create_task(self.restart_compiled())

    async def restart_compiled(self) -> None:
        """Waits until another process has compiled everything, and ends this one, which played uncompiled."""
        async for progress in first_start.compile_elsewhere():
            log.info("compiling", progress=progress)
        if first_start.is_compiled():
            self.restarts = self.should_exit = True

    async def shutdown(self, sockets: list[socket.socket] | None = None) -> None:
        """Closes every socket with code 1012, and aborts connections that do not close in time."""
        self.ending.is_closing = True
        if self.compiling:
            self.compiling.cancel()
            await asyncio.wait([self.compiling])
        log.info("closing", connections=len(self.server_state.connections))
        if self.ending.is_draining:
            await self.close_gradually()
        cutting = asyncio.get_running_loop().call_later(FAREWELL, self.cut_off)
        await super().shutdown(sockets)
        cutting.cancel()

    async def close_gradually(self) -> None:
        """Accepts no further connections, and closes the sockets of one table after the other."""
        for server in self.servers:
            server.close()
        for table, pause in waves(self.sockets(), Random()):
            for one in table:
                one.shutdown()
            await asyncio.sleep(pause)

    def cut_off(self) -> None:
        stuck = list(self.server_state.connections)
        log.info("cut_off", connections=len(stuck))
        for connection in stuck:
            connection.transport.abort()


def server_of(
    app: Any,
    config: Config | None = None,
    ending: Ending | None = None,
    metrics: Metrics | None = None,
    drain: float = 0.0,
) -> Server:
    """Returns the server for an application, without compression of WebSocket messages.

    Without a config there are no limits and no trusted proxies. `ending` tells the application that the server drains
    for `drain` seconds, or closes.
    """
    limits, behind = (config.limits, config.behind) if config else (Limits.none(), ())
    return Server(
        uvicorn.Config(
            RequestIds(app, list(behind)),
            http=door(limits, behind),
            ws=SocketWire,
            proxy_headers=False,  # RequestIds applies them
            interface="asgi3",
            ws_max_size=LARGEST,
            ws_per_message_deflate=False,
            ws_ping_interval=None,  # the pages ping (sockets.VISIBLE_TIMEOUT)
            ws_ping_timeout=None,
            access_log=False,
            log_config=None,
            log_level="error",  # its warnings report invalid requests, which clients could send without limit
            lifespan="on",
            server_header=False,
            timeout_graceful_shutdown=3,
        ),
        ending or Ending(),
        metrics or Metrics(),
        drain,
    )


def listen(host: str, port: int) -> socket.socket:
    """Returns the listening socket. Raises ServeError if the port is taken or not allowed."""
    try:
        family, kind, _, _, place = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM, flags=socket.AI_PASSIVE)[0]
    except (OSError, OverflowError, UnicodeError):  # the last: too long for a name
        raise ServeError(f"There is no address “{host}” with port {port} on this machine.") from None
    listening = socket.socket(family, kind)
    listening.setsockopt(socket.SOL_SOCKET, socket.SO_SNDBUF, SENDING)
    try:
        if sys.platform != "win32":
            listening.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        listening.bind(place)
        listening.listen(2048)  # all clients reconnect at once after a restart
    except PermissionError:
        listening.close()
        raise ServeError(f"Port {port} is reserved for the system; choose one above 1023.") from None
    except OSError as error:
        listening.close()
        raise ServeError(
            f"Port {port} is taken, perhaps by a Mulligan that runs already; choose another with --port."
            if error.errno in (48, 98, 10048)
            else f"The server cannot listen at {host}, port {port} ({error.strerror})."
        ) from None
    return listening


def offer(metrics: Metrics, place: str, doors: ExitStack) -> None:
    """Offers metrics at a port of this machine, or at `host:port`, until `doors` closes. Raises ServeError."""
    try:
        host, port = hosts.split(place if not place.isdigit() else f"127.0.0.1:{place}")
    except ValueError:
        port = None
    if port is None:
        raise ServeError(f"“{place}” is not a port; --metrics takes one such as 9464 or 10.0.0.5:9464.")
    try:
        doors.enter_context(offered(metrics, host, port))
    except OSError as error:
        raise ServeError(f"The metrics cannot be offered at {host}, port {port} ({error.strerror}).") from None


def check_names(names: Sequence[str]) -> None:
    """Raises ServeError if a name is not a host name."""
    for name in names:
        if not hosts.is_name(name):
            example = "golf.example.org or golf.example.org:8443"
            raise ServeError(f"“{name}” is not a host name; --host-name takes one such as {example}.")


def check_proxies(behind: Sequence[str]) -> None:
    """Raises ServeError if an entry is not the address or network of a proxy."""
    for proxy in behind:
        try:
            ipaddress.ip_network(proxy)
        except ValueError:
            raise ServeError(
                f"“{proxy}” is not a proxy's address; --behind-proxy takes an address such as 127.0.0.1, "
                "or a network such as 172.16.0.0/12."
            ) from None


def check_base_path(path: str) -> str:
    """Returns the base path without its last slash. Raises ServeError if it is not a path."""
    try:
        return base_paths.plain(path)
    except ValueError:
        raise ServeError(
            f"“{path}” is not a base path; --base-path takes one such as /golf, of letters, digits, - and _."
        ) from None


def check_contact(contact: str) -> None:
    """Raises ServeError if push services would not take this address."""
    if contact and not SUBJECT.fullmatch(contact):
        raise ServeError(f"“{contact}” is no address; --contact takes one such as mailto:me@example.org.")


def check_push_hosts(push_hosts: Sequence[str]) -> tuple[str, ...]:
    """Returns the names as they stand in URLs. Raises ServeError if one is not a host name."""
    own = [host.lower().removesuffix(f":{HTTPS}") for host in push_hosts]
    try:
        return tuple(place_of(f"https://{host}/", own).authority for host in own)
    except ForbiddenPlace:
        example = "push.example.org or push.example.org:8443"
        raise ServeError(f"--push-host takes host names such as {example}.") from None


def channels_of(config: Config) -> Mapping[str, str]:
    """Returns the operator's channels. Raises ServeError."""
    try:
        return config.channels or read_channels(config.data)
    except ChannelError as error:
        raise ServeError(str(error)) from None


def may_open(limits: Limits) -> Limits:
    """Returns the limits, reduced to the number of files this system allows; each connection needs one."""
    if sys.platform == "win32":
        return limits
    import resource

    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    wanted = limits.connections + FILES
    most = wanted if hard == resource.RLIM_INFINITY else min(wanted, hard)
    if soft not in (resource.RLIM_INFINITY,) and soft < most:
        try:
            resource.setrlimit(resource.RLIMIT_NOFILE, (most, hard))
        except (OSError, ValueError):
            most = soft
    return replace(limits, connections=min(limits.connections, max(most - FILES, FILES)))


def say(text: str) -> None:
    try:
        print(text, flush=True)
    except BrokenPipeError:  # a closed output must not stop the server
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
