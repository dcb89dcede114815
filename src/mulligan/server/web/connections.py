"""Extends uvicorn's protocols with timeouts and limits against slow, idle and flooding clients."""

import asyncio
import socket
import struct
import sys
from contextlib import suppress
from functools import lru_cache
from typing import Any, cast

import h11
from uvicorn._types import ASGIReceiveEvent
from uvicorn.protocols.http.h11_impl import H11Protocol
from uvicorn.protocols.websockets.websockets_sansio_impl import WebSocketsSansIOProtocol
from websockets.frames import CloseCode, Frame, Opcode
from websockets.protocol import State

from mulligan.server.limits import Bucket

REQUEST_TIMEOUT = 15.0  # seconds for a complete request
READ_TIMEOUT = 20.0  # seconds in which a client must read at least …
LEAST_READ = 10_000  # … this many bytes of the waiting data
CLOSE_TIMEOUT = 3.0  # seconds for the response to a close frame
SEND_TIMEOUT = 10.0  # seconds to send the remaining data when a connection ends
FRAMES_AT_ONCE, FRAMES_PER_SECOND = 60, 10  # pings, pongs and message fragments, which browsers do not send
NO_LINGER = struct.pack("hh" if sys.platform == "win32" else "ii", 1, 0)  # do not linger
WRITE_NOW = "mulligan.write_now"  # an ASGI extension: the socket's `write_now`
AT_ONCE = "mulligan.at_once"  # in the state that the application shares: the gate's `reject_at_once`
PIECE = 1024  # bytes parsed at once
PIECES_AFTER_THE_END = 16  # parsed while waiting for the response to a close frame; later data is discarded


class Timeouts:
    """Timeouts of a connection; a mixin for uvicorn's protocols."""

    loop: asyncio.AbstractEventLoop
    transport: asyncio.Transport
    waiting: asyncio.TimerHandle | None = None
    listening: asyncio.TimerHandle | None = None
    leaving: asyncio.TimerHandle | None = None

    def wait(self) -> None:
        """Starts the timeout for the current request."""
        if self.waiting is None:
            self.waiting = self.loop.call_later(REQUEST_TIMEOUT, self.lose)

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
        """Ends the connection if the client does not read the waiting data."""
        size = self.transport.get_write_buffer_size()
        if before and size > before - LEAST_READ:
            self.lose()
        else:
            self.listening = self.loop.call_later(READ_TIMEOUT, self.listen, size)

    def stop_listening(self) -> None:
        if self.listening is not None:
            self.listening.cancel()
            self.listening = None

    def leave(self) -> None:
        """Limits the time to send the remaining data."""
        if self.leaving is None and self.transport.get_write_buffer_size():
            self.leaving = self.loop.call_later(SEND_TIMEOUT, self.lose)

    def lose(self) -> None:
        """Ends the connection immediately and discards unsent data, also in the operating system."""
        with suppress(OSError):
            self.transport.get_extra_info("socket").setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, NO_LINGER)
        self.transport.abort()

    def forget(self) -> None:
        self.stop_waiting()
        self.stop_listening()
        if self.leaving is not None:
            self.leaving.cancel()

    def go(self) -> None:
        """Releases the connection's place in the limits; replaced where it has one."""


class ReceiveQueue:
    """A small queue with one reader; an empty asyncio queue would use more memory."""

    __slots__ = ("loop", "messages", "reader")

    def __init__(self, loop: asyncio.AbstractEventLoop) -> None:
        self.loop = loop  # to ask for the running one is a system call
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
            self.reader = self.loop.create_future()
            await self.reader
            self.reader = None
        return self.messages.pop(0)


class Rejecting(Timeouts):
    """Rejects requests without parsing them, at a fraction of the cost; a mixin."""

    app_state: dict[str, Any]  # of the application
    address: str | None = None  # for the limits, or None if a proxy has it
    is_rejected = False

    def reject(self, data: bytes) -> bool:
        """Rejects the request if the gate says so. Returns False if it has to be parsed."""
        answer = self.app_state[AT_ONCE](self.address, data) if AT_ONCE in self.app_state else None
        if answer is None:
            return False
        self.is_rejected = True
        content, is_socket = answer
        self.transport.write(content)
        if is_socket:  # the client may just be sending its first message, and closes the connection
            self.transport.write_eof()
            self.wait()
        else:
            self.transport.close()
        return True


class HttpWire(Rejecting, H11Protocol):
    """An HTTP connection, which may be upgraded to a WebSocket."""

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        super().connection_made(transport)
        self.wait()

    def connection_lost(self, exc: Exception | None) -> None:
        self.forget()
        self.go()
        super().connection_lost(exc)

    def data_received(self, data: bytes) -> None:
        if self.is_rejected or self.transport.is_closing():
            return
        if self.is_between_requests and self.reject(data):
            return
        super().data_received(data)
        if self.transport.get_protocol() is self:  # otherwise it is now a WebSocket
            self.watch()

    @property
    def is_between_requests(self) -> bool:
        states = self.conn.our_state, self.conn.their_state
        return self.cycle is not None and states == (h11.IDLE, h11.IDLE) and not self.conn.trailing_data[0]

    def on_response_complete(self) -> None:
        super().on_response_complete()
        self.watch()

    def watch(self) -> None:
        """Starts the timeout for an incomplete request; between requests, uvicorn's own timeout applies."""
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
        socket.go = self.go  # type: ignore[method-assign]


class SocketWire(Timeouts, WebSocketsSansIOProtocol):
    """A WebSocket. Passes text on as bytes, because the message decoder also validates UTF-8."""

    handle_text = WebSocketsSansIOProtocol.handle_bytes
    is_shaken = False
    frames_left: Bucket | None = None

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        super().connection_made(transport)
        self.queue = ReceiveQueue(self.loop)  # type: ignore[assignment]
        self.unread = bytearray()
        self.pieces_after_the_end = 0
        self.close_timeout = CLOSE_TIMEOUT

    def connection_lost(self, exc: Exception | None) -> None:
        self.forget()
        self.go()
        super().connection_lost(exc)

    @property
    def path(self) -> str:
        return str(self.scope["path"])

    def data_received(self, data: bytes) -> None:
        if self.unread or self.read_paused or self.close_sent or len(data) > PIECE:
            self.unread += data
            self.read_on()
        else:
            super().data_received(data)
            self.explain()

    def read_on(self) -> None:
        """Parses data up to one message at a time, so that many small messages do not block the server."""
        while self.unread and not self.read_paused and not self.transport.is_closing():
            piece = bytes(self.unread[:PIECE])
            del self.unread[:PIECE]
            self.pieces_after_the_end += self.close_sent
            if self.pieces_after_the_end < PIECES_AFTER_THE_END:
                super().data_received(piece)
        self.explain()

    def send_receive_event_to_app(self) -> None:
        """Passes a message on. Reading pauses only if another one still waits, which takes two system calls."""
        data, self.frames = b"".join(self.frames), []
        if self.close_sent:
            return
        is_late = not self.queue.empty()
        self.queue.put_nowait({"type": "websocket.receive", "bytes": data})
        if is_late and not self.read_paused:
            self.read_paused = True
            self.transport.pause_reading()

    def explain(self) -> None:
        """Sends the error response to a failed handshake, which uvicorn omits."""
        if self.conn.handshake_exc is not None and not self.transport.is_closing():
            self.transport.write(b"".join(self.conn.data_to_send()))
            self.transport.close()

    def forget_handshake(self) -> None:
        """Frees the headers of the handshake, a third of a socket's memory."""
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
        extensions: Any = self.scope["extensions"]
        extensions[WRITE_NOW] = self.write_now
        await super().run_asgi()
        self.leave()

    def write_now(self, *messages: bytes) -> bool:
        """Writes text messages at once, without the layers of ASGI. Returns False if `send` has to wait or to raise."""
        if self.disconnected or self.conn.state is not State.OPEN or not self.writable.is_set():
            return False
        self.transport.write(b"".join(map(text_frame, messages)))
        return True

    def handle_ping(self) -> None:
        if self.is_allowed():
            super().handle_ping()

    def handle_pong(self, event: Frame) -> None:
        if self.is_allowed():
            super().handle_pong(event)

    def handle_cont(self, event: Frame) -> None:
        if self.is_allowed():
            super().handle_cont(event)

    def is_allowed(self) -> bool:
        """Applies the rate limit for control frames and fragments. Returns False if it is exceeded."""
        if self.close_sent:
            return False
        if self.frames_left is None:
            self.frames_left = Bucket(FRAMES_AT_ONCE, FRAMES_PER_SECOND, self.loop.time())
        if not self.frames_left.take(self.loop.time()):
            self.conn.fail(CloseCode.POLICY_VIOLATION, "too many frames")
            self.handle_parser_exception()
            return False
        return True


@lru_cache(maxsize=2)  # all clients at a table get the same message, one after the other, and one an answer, too
def text_frame(message: bytes) -> bytes:
    return Frame(Opcode.TEXT, message).serialize(mask=False)
