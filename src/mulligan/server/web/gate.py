"""Rejects requests with a foreign host name, above the rate limit, or above the connection limit."""

import math
import re
from collections.abc import Awaitable, Callable, Mapping
from typing import Any, TypeAlias

import msgspec

from mulligan.server.limits import Buckets, Crowd, visitor
from mulligan.server.log import log_rarely
from mulligan.server.metrics import Metrics
from mulligan.server.overload import RETRY
from mulligan.server.wire.base import ErrorNote, Params
from mulligan.server.wire.replies import Refused

from . import hosts
from .config import Config
from .languages import preferred, small_page, words

Scope: TypeAlias = Any
Receive: TypeAlias = Any
Send: TypeAlias = Any
App = Callable[[Any, Any, Any], Awaitable[None]]

TOO_FAST, WRONG_HOST = 4004, 4007  # close codes, as in sockets.py
TRY_LATER = 1013
SAFE = ("GET", "HEAD", "OPTIONS")
FREE = ("/api/health", "/api/ready")  # without a rate limit, for monitoring
KINDS = (  # what is refused in an overload: its name in overload.py, method and path
    ("tables", "POST", re.compile(r"/api/tables|/api/games/[^/]+/mulligan|/api/cardboard/games")),
    ("spectators", "", re.compile(r"/ws/w/.*")),
    ("refining", "", re.compile(r"/api/games/[^/]+/analysis/.*")),
    ("coach", "", re.compile(r"/api/(tables/[^/]+/hint|games/[^/]+/analysis|cardboard/(hint|position))")),
    ("replays", "GET", re.compile(r"/api/games/[^/]+/holes/.*")),
    ("reads", "", re.compile(r"/api/(games|card|frequencies)(/.*)?")),
)
COSTLY = 10  # the cost of a request that reads a log or writes to the disk

write = msgspec.json.Encoder().encode


class Gate:
    """Passes allowed requests to the application and refuses the others."""

    def __init__(self, app: App, config: Config, metrics: Callable[[], Metrics]) -> None:
        self.app = app
        self.metrics = metrics
        self.given = frozenset(map(hosts.plain, config.names))
        self.names = hosts.own_names([*(hosts.split(name)[0] for name in config.names), config.host])
        limits = config.limits
        self.requests = Buckets(limits.credit, limits.credit_per_second)
        self.sockets = Crowd(limits.sockets, limits.sockets_per_address)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] not in ("http", "websocket"):
            await self.app(scope, receive, send)
            return
        address = visitor(scope["client"][0] if scope.get("client") else "")
        headers = {name: value.decode("latin-1") for name, value in scope["headers"]}
        host, origin = headers.get(b"host", ""), headers.get(b"origin")
        del headers  # a socket would keep them for hours
        secure = scope["scheme"] in ("https", "wss")
        is_socket = scope["type"] == "websocket"
        if not hosts.is_ours(host, self.names):
            await self.refuse(scope, receive, send, 421, WRONG_HOST, error="wrong_host", host=host[:80])
        elif (
            origin is not None
            and (is_socket or scope["method"] not in SAFE)
            and not hosts.is_own_page(origin, host, secure, self.given)
        ):
            await self.refuse(scope, receive, send, 403, WRONG_HOST, error="wrong_host", origin=origin[:80])
        elif scope["path"] not in FREE and (wait := self.requests.ask(address, cost(scope))):
            await self.refuse(scope, receive, send, 429, TOO_FAST, error="too_fast", seconds=math.ceil(wait))
        elif self.metrics().overload.refuses(kind_of(scope)):
            await self.refuse(scope, receive, send, 503, TRY_LATER, error="overloaded", seconds=RETRY)
        elif is_socket:
            with self.sockets.visit(address) as is_in:
                if is_in:
                    await self.app(scope, receive, send)
                else:
                    await self.refuse(scope, receive, send, 503, TRY_LATER, error="too_many")
        else:
            await self.app(scope, receive, send)

    async def refuse(
        self, scope: Scope, receive: Receive, send: Send, status: int, code: int, *, error: str, **params: str | int
    ) -> None:
        self.metrics().refuse(error)
        await refuse(scope, receive, send, status, code, error=error, **params)


def kind_of(scope: Scope) -> str:
    """Returns what a request is in an overload, or "" if it is never refused then."""
    method = scope.get("method", "")
    return next((kind for kind, its, path in KINDS if its in ("", method) and path.fullmatch(scope["path"])), "")


def cost(scope: Scope) -> int:
    """Returns how many requests this one counts as."""
    path = scope["path"]
    if scope["type"] == "websocket":
        return 3
    if path.startswith(("/api/games/", "/api/frequencies")) or (path.startswith("/api/") and scope["method"] == "POST"):
        return COSTLY
    return 2 if path.startswith("/api/") else 1


async def refuse(
    scope: Scope, receive: Receive, send: Send, status: int, code: int, *, error: str, **params: str | int
) -> None:
    """Sends a refusal in the form that the client understands: JSON, a page or a socket message."""
    log_rarely("refused", error)
    if scope["type"] == "websocket":
        await refuse_socket(receive, send, code, error, dict(params))
        return
    if scope["path"].startswith(("/api/", "/schema")):
        headers, body = [(b"content-type", b"application/json")], write(ErrorNote(error, dict(params)))
    else:
        headers, body = page_of(scope, "wrong_origin" if "origin" in params else error, params)
    headers += [(b"content-length", str(len(body)).encode()), (b"cache-control", b"no-store")]
    if "seconds" in params:
        headers.append((b"retry-after", str(params["seconds"]).encode()))
    await send({"type": "http.response.start", "status": status, "headers": headers})
    await send({"type": "http.response.body", "body": body})


def page_of(scope: Scope, key: str, params: Mapping[str, str | int]) -> tuple[list[tuple[bytes, bytes]], bytes]:
    """Returns the headers and body of the refusal as a page in the visitor's language."""
    wished = next((value for name, value in scope["headers"] if name == b"accept-language"), b"")
    language = preferred(wished.decode("latin-1"))
    texts = words(language)
    body = small_page(language, [texts[one].format(**params) for one in (key, f"{key}_owner") if one in texts])
    headers = [
        (b"content-type", b"text/html; charset=utf-8"),
        (b"content-language", language.encode()),
        (b"vary", b"accept-language"),
    ]
    return headers, body


async def refuse_socket(receive: Receive, send: Send, code: int, error: str, params: Params) -> None:
    """Accepts the socket, sends the refusal and closes: browsers give pages no reason for a rejected socket."""
    await receive()
    await send({"type": "websocket.accept"})
    await send({"type": "websocket.send", "text": write(Refused(id="", error=error, params=params)).decode()})
    await send({"type": "websocket.close", "code": code})
