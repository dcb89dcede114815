"""Gives each request and socket an id: in the log's field `request`, and in the header X-Request-Id of the response."""

import re
import secrets
from typing import Any

from structlog.contextvars import bound_contextvars
from uvicorn.middleware.proxy_headers import ProxyHeadersMiddleware

HEADER = b"x-request-id"
ACCEPTED = re.compile(rb"[A-Za-z0-9._=+/-]{1,64}")


class RequestIds(ProxyHeadersMiddleware):
    """Takes the id from a trusted proxy, as well as the client's address, or makes one."""

    async def __call__(self, scope: Any, receive: Any, send: Any) -> None:
        if scope["type"] == "lifespan":
            await self.app(scope, receive, send)
            return
        number = self.given(scope) or secrets.token_hex(8).encode()

        async def send_with_id(message: Any) -> None:
            if message["type"] in ("http.response.start", "websocket.accept"):
                message["headers"] = [*message.get("headers", ()), (HEADER, number)]
            await send(message)

        with bound_contextvars(request=number.decode()):
            await super().__call__(scope, receive, send_with_id)

    def given(self, scope: Any) -> bytes:
        """Returns the id that a trusted proxy sent, or b"". Clients could send anything."""
        if not scope.get("client") or scope["client"][0] not in self.trusted_hosts:
            return b""
        number = next((value for name, value in scope["headers"] if name == HEADER), b"")
        return number if ACCEPTED.fullmatch(number) else b""
