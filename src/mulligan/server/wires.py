"""How long and how much uvicorn's connections bear: nobody holds one by half a question, or by not listening."""

import asyncio
import socket
import struct
import sys
from collections.abc import Sequence
from contextlib import suppress
from functools import partial
from typing import cast

import h11
from uvicorn._types import ASGIReceiveEvent
from uvicorn.middleware.proxy_headers import _TrustedHosts
from uvicorn.protocols.http.h11_impl import H11Protocol
from uvicorn.protocols.websockets.websockets_sansio_impl import WebSocketsSansIOProtocol
from websockets.frames import CloseCode, Frame

from .limits import Bucket, Crowd, Limits, visitor

ASKING = 15.0  # seconds for a whole request
LISTENING = 20.0  # seconds in which somebody must take at least …
TAKEN = 10_000  # … so many bytes of what waits for him
GOODBYE = 3.0  # seconds for the answer to a closing frame
LEAVING = 10.0  # seconds for what is still on its way when a connection ends
FRAMES_AT_ONCE, FRAMES_PER_SECOND = 60, 10  # pings, pongs and parts of messages; no browser sends any
NO_LINGERING = struct.pack("hh" if sys.platform == "win32" else "ii", 1, 0)  # linger for 0 seconds
PIECE = 1024  # bytes that are looked at in one go
PIECES_AFTER_THE_END = 16  # looked at for an answer to our goodbye; all later ones are thrown away
FULL = b"HTTP/1.1 503 Service Unavailable\r\nretry-after: 10\r\nconnection: close\r\ncontent-length: 0\r\n\r\n"


class Patience:
    """What every connection may take its time for. To be mixed into a protocol of uvicorn's."""

    loop: asyncio.AbstractEventLoop
    transport: asyncio.Transport
    waiting: asyncio.TimerHandle | None = None
    listening: asyncio.TimerHandle | None = None
    leaving: asyncio.TimerHandle | None = None

    def wait(self) -> None:
        """Whoever is asking now has to come to an end."""
        if self.waiting is None:
            self.waiting = self.loop.call_later(ASKING, self.lose)

    def stop_waiting(self) -> None:
        if self.waiting is not None:
            self.waiting.cancel()
            self.waiting = None

    def pause_writing(self) -> None:
        super().pause_writing()  # type: ignore[misc]
        self.listen(0)

    def resume_writing(self) -> None:
        super().resume_writing()  # type: ignore[misc]
        self.stop_listening()

    def listen(self, before: int) -> None:
        """Whoever does not take what waits for him is given up."""
        size = self.transport.get_write_buffer_size()
        if before and size > before - TAKEN:
            self.lose()
        else:
            self.listening = self.loop.call_later(LISTENING, self.listen, size)

    def stop_listening(self) -> None:
        if self.listening is not None:
            self.listening.cancel()
            self.listening = None

    def leave(self) -> None:
        """What is still on its way goes out soon or never."""
        if self.leaving is None and self.transport.get_write_buffer_size():
            self.leaving = self.loop.call_later(LEAVING, self.lose)

    def lose(self) -> None:
        """The end at once: the system, too, forgets what it still kept for somebody who does not take it."""
        with suppress(OSError):
            self.transport.get_extra_info("socket").setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, NO_LINGERING)
        self.transport.abort()

    def forget(self) -> None:
        self.stop_waiting()
        self.stop_listening()
        if self.leaving is not None:
            self.leaving.cancel()


class Mailbox:
    """What waits for the one who reads it; a queue of asyncio's takes three kilobytes while it is empty."""

    __slots__ = ("messages", "reader")

    def __init__(self) -> None:
        self.messages: list[ASGIReceiveEvent] = []
        self.reader: asyncio.Future[None] | None = None

    def put_nowait(self, message: ASGIReceiveEvent) -> None:
        self.messages.append(message)
        if self.reader is not None and not self.reader.done():
            self.reader.set_result(None)

    def qsize(self) -> int:
        return len(self.messages)

    def empty(self) -> bool:
        return not self.messages

    async def get(self) -> ASGIReceiveEvent:
        while not self.messages:
            self.reader = asyncio.get_running_loop().create_future()
            await self.reader
            self.reader = None
        return self.messages.pop(0)


class HttpWire(Patience, H11Protocol):
    """A connection for requests, which may become one for a socket."""

    crowd: Crowd  # who is connected
    proxies: _TrustedHosts  # addresses behind which there are many

    address = ""
    is_inside = False

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        super().connection_made(transport)
        peer = self.client[0] if self.client else ""
        self.address = "" if peer in self.proxies else visitor(peer)
        self.is_inside = self.crowd.enter(self.address) if self.address else True
        if not self.is_inside:
            transport.write(FULL)
            transport.close()
        else:
            self.wait()

    def connection_lost(self, exc: Exception | None) -> None:
        self.forget()
        self.go()
        super().connection_lost(exc)

    def go(self) -> None:
        if self.is_inside and self.address:
            self.crowd.leave(self.address)
        self.is_inside = False

    def data_received(self, data: bytes) -> None:
        if self.is_inside and not self.transport.is_closing():
            super().data_received(data)
            if self.transport.get_protocol() is self:  # else it has become a socket, which lasts
                self.watch()

    def on_response_complete(self) -> None:
        super().on_response_complete()
        self.watch()

    def watch(self) -> None:
        """A request that has begun is awaited for a while; between two, uvicorn itself waits a little."""
        if self.transport.is_closing():
            self.stop_waiting()
            self.leave()
        elif self.conn.their_state in (h11.IDLE, h11.SEND_BODY) and self.timeout_keep_alive_task is None:
            self.wait()
        else:
            self.stop_waiting()

    def timeout_keep_alive_handler(self) -> None:
        super().timeout_keep_alive_handler()
        self.leave()

    def handle_websocket_upgrade(self, event: h11.Request) -> None:
        self.forget()
        super().handle_websocket_upgrade(event)
        socket = cast(SocketWire, self.transport.get_protocol())
        if self.is_inside and self.address:
            socket.go = partial(self.crowd.leave, self.address)  # type: ignore[method-assign]


class SocketWire(Patience, WebSocketsSansIOProtocol):
    """A socket. Text is handed on as bytes, since who reads the message checks the letters too."""

    handle_text = WebSocketsSansIOProtocol.handle_bytes
    is_shaken = False
    frames_left: Bucket | None = None

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        super().connection_made(transport)
        self.queue = Mailbox()  # type: ignore[assignment]
        self.unread = bytearray()
        self.pieces_after_the_end = 0
        self.close_timeout = GOODBYE

    def connection_lost(self, exc: Exception | None) -> None:
        self.forget()
        self.go()
        super().connection_lost(exc)

    def go(self) -> None:
        """The connection that this one came from frees its place."""

    def data_received(self, data: bytes) -> None:
        if self.unread or self.read_paused or self.close_sent or len(data) > PIECE:
            self.unread += data
            self.read_on()
        else:
            super().data_received(data)
            self.explain()

    def read_on(self) -> None:
        """Reads one message and no more until it is wanted: thousands of small ones would hold up everybody else."""
        while self.unread and not self.read_paused and not self.transport.is_closing():
            piece = bytes(self.unread[:PIECE])
            del self.unread[:PIECE]
            self.pieces_after_the_end += self.close_sent
            if self.pieces_after_the_end < PIECES_AFTER_THE_END:
                super().data_received(piece)
        self.explain()

    def explain(self) -> None:
        """Why something was no handshake; uvicorn itself leaves that open."""
        if self.conn.handshake_exc is not None and not self.transport.is_closing():
            self.transport.write(b"".join(self.conn.data_to_send()))
            self.transport.close()

    def forget_handshake(self) -> None:
        """What the browser and we said to open the socket would take a third of all its memory."""
        self.is_shaken = True
        for headers in (self.request.headers, self.response.headers, self.scope["headers"]):
            headers.clear()  # type: ignore[union-attr, attr-defined]

    async def receive(self) -> ASGIReceiveEvent:
        if self.handshake_complete and not self.is_shaken:
            self.forget_handshake()
        message = await super().receive()
        self.read_on()
        return message

    async def run_asgi(self) -> None:
        await super().run_asgi()
        self.leave()

    def handle_ping(self) -> None:
        if self.is_bearable():
            super().handle_ping()

    def handle_pong(self, event: Frame) -> None:
        if self.is_bearable():
            super().handle_pong(event)

    def handle_cont(self, event: Frame) -> None:
        if self.is_bearable():
            super().handle_cont(event)

    def is_bearable(self) -> bool:
        """Frames that bring no message of their own cost something too."""
        if self.close_sent:
            return False
        if self.frames_left is None:
            self.frames_left = Bucket(FRAMES_AT_ONCE, FRAMES_PER_SECOND, self.loop.time())
        if not self.frames_left.take(self.loop.time()):
            self.conn.fail(CloseCode.POLICY_VIOLATION, "too many frames")
            self.handle_parser_exception()
            return False
        return True


def wires(limits: Limits, behind: Sequence[str]) -> tuple[type[HttpWire], type[SocketWire]]:
    """The two protocols of a server with those limits, behind those proxies."""

    class Wire(HttpWire):
        crowd = Crowd(limits.connections, limits.connections_per_address)
        proxies = _TrustedHosts(list(behind))

    return Wire, SocketWire
