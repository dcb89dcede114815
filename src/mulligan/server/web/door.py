"""Takes new connections: counts them, and rejects what is too much before anything else is done for it."""

import asyncio
from collections.abc import Sequence
from functools import partial
from typing import Any

from uvicorn.middleware.proxy_headers import _TrustedHosts

from mulligan.server.limits import Crowd, Limits, visitor

from .connections import HttpWire, Rejecting

FULL = b"HTTP/1.1 503 Service Unavailable\r\nretry-after: 10\r\nconnection: close\r\ncontent-length: 0\r\n\r\n"


class Door(Rejecting, asyncio.Protocol):
    """A connection until its first request, with which it becomes an `HttpWire` unless the request is rejected."""

    crowd: Crowd  # current connections
    proxies: _TrustedHosts  # addresses shared by many clients

    def __init__(self, **given: Any) -> None:
        self.given = given  # for the next protocol
        self.app_state = given["app_state"]
        self.connections: set[Any] = given["server_state"].connections
        self.loop = asyncio.get_running_loop()

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        self.transport = transport
        peer = transport.get_extra_info("peername")
        host = str(peer[0]) if peer else ""
        if host not in self.proxies:
            self.address = visitor(host)
            if not self.crowd.enter(self.address):
                self.is_rejected = True
                transport.write(FULL)
                transport.close()
                return
            self.go = partial(self.crowd.leave, self.address)  # type: ignore[method-assign]
        self.connections.add(self)
        self.wait()

    def data_received(self, data: bytes) -> None:
        if not self.is_rejected and not self.reject(data):
            self.let_in(data)

    def let_in(self, data: bytes) -> None:
        self.forget()
        self.connections.discard(self)
        wire = HttpWire(**self.given)
        wire.address, wire.go = self.address, self.go  # type: ignore[method-assign]
        self.transport.set_protocol(wire)
        wire.connection_made(self.transport)
        wire.data_received(data)

    def connection_lost(self, error: Exception | None) -> None:
        self.forget()
        self.go()
        self.connections.discard(self)

    def shutdown(self) -> None:
        """Closes the connection; the server ends."""
        self.transport.close()


def door(limits: Limits, behind: Sequence[str]) -> type[Door]:
    """Returns the protocol for new connections to a server with these limits and proxies."""

    class LimitedDoor(Door):
        crowd = Crowd(limits.connections, limits.connections_per_address)
        proxies = _TrustedHosts(list(behind))

    return LimitedDoor
