"""The gate in front of the whole server: who comes by a strange name, too often or too many at once stays outside."""

import math
from collections.abc import Awaitable, Callable
from typing import Any, TypeAlias

import msgspec

from . import hosts
from .config import Config
from .limits import Buckets, Crowd, visitor
from .log import seldom
from .messages import ErrorNote, Params, Refused

Scope: TypeAlias = Any
Receive: TypeAlias = Any
Send: TypeAlias = Any
App = Callable[[Any, Any, Any], Awaitable[None]]

TOO_FAST, STRANGER = 4004, 4007  # why a socket is closed, as in live.py
COME_LATER = 1013
SAFE = ("GET", "HEAD", "OPTIONS")
COSTLY = 10  # requests that one counts for which reads a log, or writes to the disk

write = msgspec.json.Encoder().encode

WORDS = {
    "wrong_host": "This server does not answer to the name “{host}”. Open it by its number or its own name; "
    "whoever runs it can give it this name with --host-name.",
    "wrong_origin": "A page of {origin} may not ask this of the server.",
    "too_fast": "Too much has been asked from your address. Try again in {seconds} seconds.",
}


class Gate:
    """Lets in who may come in, and tells the others why not."""

    def __init__(self, app: App, config: Config) -> None:
        self.app = app
        self.given = frozenset(map(hosts.plain, config.names))
        self.names = hosts.own_names([*config.names, config.host])
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
            await refuse(scope, receive, send, 421, STRANGER, error="wrong_host", host=host[:80])
        elif (
            origin is not None
            and (is_socket or scope["method"] not in SAFE)
            and not hosts.is_own_page(origin, host, secure, self.given)
        ):
            await refuse(scope, receive, send, 403, STRANGER, error="wrong_host", origin=origin[:80])
        elif wait := self.requests.ask(address, cost(scope)):
            await refuse(scope, receive, send, 429, TOO_FAST, error="too_fast", seconds=math.ceil(wait))
        elif is_socket:
            with self.sockets.visit(address) as is_in:
                if is_in:
                    await self.app(scope, receive, send)
                else:
                    await refuse(scope, receive, send, 503, COME_LATER, error="too_many")
        else:
            await self.app(scope, receive, send)


def cost(scope: Scope) -> int:
    """How many requests this one counts for."""
    path = scope["path"]
    if scope["type"] == "websocket":
        return 3
    if path.startswith(("/api/games/", "/api/frequencies")) or (path.startswith("/api/") and scope["method"] == "POST"):
        return COSTLY
    return 2 if path.startswith("/api/") else 1


async def refuse(
    scope: Scope, receive: Receive, send: Send, status: int, code: int, *, error: str, **params: str | int
) -> None:
    """Says no in words that the one who asked can read: a page's program, or a person in front of a browser."""
    seldom("refused", error)
    if scope["type"] == "websocket":
        await refuse_socket(receive, send, code, error, dict(params))
        return
    if scope["path"].startswith(("/api/", "/schema")):
        kind, body = b"application/json", write(ErrorNote(error, dict(params)))
    else:
        words = WORDS["wrong_origin" if "origin" in params else error]
        kind, body = b"text/plain; charset=utf-8", (words.format(**params) + "\n").encode()
    headers = [(b"content-type", kind), (b"content-length", str(len(body)).encode()), (b"cache-control", b"no-store")]
    if "seconds" in params:
        headers.append((b"retry-after", str(params["seconds"]).encode()))
    await send({"type": "http.response.start", "status": status, "headers": headers})
    await send({"type": "http.response.body", "body": body})


async def refuse_socket(receive: Receive, send: Send, code: int, error: str, params: Params) -> None:
    """The browser tells its page nothing of a socket that was not accepted, so this one is, and closed again."""
    await receive()
    await send({"type": "websocket.accept"})
    await send({"type": "websocket.send", "text": write(Refused(id="", error=error, params=params)).decode()})
    await send({"type": "websocket.close", "code": code})
