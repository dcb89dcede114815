"""Serves everything below a base path, such as /golf."""

import re
from collections.abc import Awaitable, Callable
from typing import Any

PATH = re.compile(r"(/[A-Za-z0-9_-]+)+")
MOVED = 308  # for good, with the same method

App = Callable[[Any, Any, Any], Awaitable[None]]


def plain(path: str) -> str:
    """Returns a base path without its last slash; "" for the root. Raises ValueError if it is not a path."""
    path = path.removesuffix("/")
    if path and not PATH.fullmatch(path):
        raise ValueError(path)
    return path


class BelowBasePath:
    """Removes the base path from requests, unless the proxy has already removed it."""

    def __init__(self, app: App, base_path: str) -> None:
        self.app = app
        self.base_path = base_path

    async def __call__(self, scope: Any, receive: Any, send: Any) -> None:
        path = scope.get("path", "")
        if scope["type"] == "http" and path == self.base_path:
            await move(send, f"{path}/", scope["query_string"])
            return
        if path.startswith(f"{self.base_path}/"):
            scope = {**scope, "path": path.removeprefix(self.base_path)}
        await self.app(scope, receive, send)


async def move(send: Any, place: str, query: bytes) -> None:
    """Redirects to another path with the same query."""
    location = place.encode() + (b"?" + query if query else b"")
    headers = [(b"location", location), (b"content-length", b"0")]
    await send({"type": "http.response.start", "status": MOVED, "headers": headers})
    await send({"type": "http.response.body", "body": b""})
