"""Runs the server until somebody ends it: `mulligan serve`."""

import asyncio
import gc
import ipaddress
import os
import signal
import socket
import sys
import threading
import webbrowser
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from types import FrameType
from typing import Any

import uvicorn

from .. import __version__
from ..folders import data_folder
from . import hosts
from .app import build
from .config import Config
from .limits import Limits
from .live import LARGEST
from .log import Form, log, logging_to
from .store import StoreError
from .wires import wires

SENDING = 128 * 1024  # bytes that the system keeps for somebody who does not listen
FAREWELL = 1.5  # seconds in which everybody can hear that the server closes
FILES = 200  # open files besides people's connections


class ServeError(OSError):
    """Why the server cannot run, in one sentence."""


def serve(
    host: str,
    port: int,
    data: Path | None,
    open_browser: bool = False,
    names: Sequence[str] = (),
    behind: Sequence[str] = (),
    limits: Limits | None = None,
    log_form: Form | None = None,
) -> None:
    """Serves the game until Ctrl-C. Games are kept in `data`, or the user's data folder. Raises ServeError.

    What it logs goes to standard error: as JSON where a program reads that, or where `log_form` says so.
    """
    check_names(names)
    check_proxies(behind)
    listening = listen(host, port)
    limits = may_open(limits or Limits())
    config = Config(
        host, listening.getsockname()[1], data or data_folder(), names=tuple(names), behind=tuple(behind), limits=limits
    )
    closing = threading.Event()
    try:
        app = build(config, closing=closing)
    except StoreError as error:
        listening.close()
        raise ServeError(str(error)) from None
    server = server_of(app, config, closing)
    gc.freeze()  # what is there now stays …
    gc.set_threshold(50_000, 20, 20)  # … and of what comes hardly anything goes in circles
    sys.setswitchinterval(0.001)  # seconds until the thread of the store gets its turn
    if log_form != "json":
        greet(config)
    if open_browser:
        threading.Timer(0.8, webbrowser.open, [config.address]).start()
    complaints = log_file()
    with logging_to(complaints, log_form or ("text" if os.isatty(complaints) else "json")):
        log.info("started", version=__version__, address=config.address)
        try:
            server.run(sockets=[listening])
        except KeyboardInterrupt:
            pass
        finally:
            listening.close()
        log.info("closed")
    if log_form != "json":
        say(f"\nMulligan has closed. The games are kept in {config.data}")


def log_file() -> int:
    """Standard error, or nothing where somebody has closed it."""
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
    """Closes at the first signal, and sends everybody away to come back soon; at the second it is gone."""

    def __init__(self, config: uvicorn.Config, closing: threading.Event) -> None:
        super().__init__(config)
        self.closing = closing

    def handle_exit(self, sig: int, frame: FrameType | None) -> None:
        if self.should_exit:
            signal.signal(sig, signal.SIG_DFL)
            signal.raise_signal(sig)
        self.closing.set()
        self.should_exit = True  # and to have been asked to end is no fault: the exit status will be 0

    async def shutdown(self, sockets: list[socket.socket] | None = None) -> None:
        """Every socket is closed with code 1012; who does not take that in is cut off after a while."""
        self.closing.set()
        log.info("closing", connections=len(self.server_state.connections))
        cutting = asyncio.get_running_loop().call_later(FAREWELL, self.cut_off)
        await super().shutdown(sockets)
        cutting.cancel()

    def cut_off(self) -> None:
        stuck = list(self.server_state.connections)
        log.info("cut_off", connections=len(stuck))
        for connection in stuck:
            connection.transport.abort()


def server_of(app: Any, config: Config | None = None, closing: threading.Event | None = None) -> Server:
    """How the application is served: the leanest sockets, and no compression of what travels on them.

    Without a config nothing is too much, and no proxy is believed. `closing` is set once it is about to end.
    """
    limits, behind = (config.limits, config.behind) if config else (Limits.none(), ())
    http, ws = wires(limits, behind)
    return Server(
        uvicorn.Config(
            app,
            http=http,
            ws=ws,
            proxy_headers=bool(behind),
            forwarded_allow_ips=list(behind),
            interface="asgi3",
            ws_max_size=LARGEST,
            ws_per_message_deflate=False,
            ws_ping_interval=None,  # the pages ping (live.SILENCE)
            ws_ping_timeout=None,
            access_log=False,
            log_config=None,
            log_level="error",  # its warnings tell of nonsense from outside, as much of it as somebody likes to send
            lifespan="on",
            server_header=False,
            timeout_graceful_shutdown=3,
        ),
        closing or threading.Event(),
    )


def listen(host: str, port: int) -> socket.socket:
    """The socket people come in by. Raises ServeError where it is taken or not allowed."""
    try:
        family, kind, _, _, place = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM, flags=socket.AI_PASSIVE)[0]
    except (OSError, OverflowError):
        raise ServeError(f"There is no address “{host}” with port {port} on this machine.") from None
    listening = socket.socket(family, kind)
    listening.setsockopt(socket.SOL_SOCKET, socket.SO_SNDBUF, SENDING)
    try:
        if sys.platform != "win32":
            listening.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        listening.bind(place)
        listening.listen(2048)  # all come back at once after a restart
    except PermissionError:
        listening.close()
        raise ServeError(f"Port {port} is reserved for the system; choose one above 1023.") from None
    except OSError as error:
        listening.close()
        raise ServeError(
            f"Port {port} is taken by another program; choose another with --port."
            if error.errno in (48, 98, 10048)
            else f"Nobody can listen at {host}, port {port} ({error.strerror})."
        ) from None
    return listening


def check_names(names: Sequence[str]) -> None:
    """Raises ServeError for what is more or less than a host's name."""
    for name in names:
        if not hosts.is_name(name):
            raise ServeError(f"“{name}” is no name of a server; --host-name wants one such as golf.example.org.")


def check_proxies(behind: Sequence[str]) -> None:
    """Raises ServeError for what is neither the number of a proxy nor a network of such."""
    for proxy in behind:
        try:
            ipaddress.ip_network(proxy)
        except ValueError:
            raise ServeError(
                f"“{proxy}” is no proxy's address; --behind-proxy wants a number such as 127.0.0.1, "
                "or a network such as 172.16.0.0/12."
            ) from None


def may_open(limits: Limits) -> Limits:
    """The limits, or what this system bears if that is less: every connection is an open file."""
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
    except BrokenPipeError:  # nobody listens any more; that is no reason to stop, nor to complain
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
