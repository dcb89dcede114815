"""A minimal WebSocket client, so that the load generator itself costs little."""

import asyncio
from collections.abc import Callable
from typing import Any

HANDSHAKE = (
    "GET {path} HTTP/1.1\r\nHost: {host}:{port}\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
    "Sec-WebSocket-Key: bXVsbGlnYW4gYXQgbG9hZA==\r\nSec-WebSocket-Version: 13\r\nCookie: {cookie}\r\n{browser}\r\n"
)
# What browsers send besides: the server has to read it, and should not keep it.
BROWSER = (
    "User-Agent: Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/142 Safari/537.36\r\n"
    "Accept-Encoding: gzip, deflate, br\r\nAccept-Language: en-GB,en;q=0.9\r\nCache-Control: no-cache\r\n"
    "Pragma: no-cache\r\nSec-WebSocket-Extensions: permessage-deflate; client_max_window_bits\r\n"
)
TEXT, CLOSE, PING, PONG = 0x81, 0x88, 0x89, 0x8A
NO_MASK = bytes(4)  # a mask that changes nothing is a mask all the same (RFC 6455, 5.3)


class Wire(asyncio.Protocol):
    """One socket: calls `opened` once, `hear` with every message, and `end` with the close code, or 0 without one."""

    __slots__ = ("cookie", "end", "hear", "is_open", "opened", "path", "rest", "transport")

    def __init__(
        self,
        path: str,
        cookie: str,
        opened: Callable[["Wire"], None],
        hear: Callable[[bytes], None],
        end: Callable[[int], None],
    ) -> None:
        self.path, self.cookie = path, cookie
        self.opened, self.hear, self.end = opened, hear, end
        self.rest = b""
        self.is_open = False

    def connection_made(self, transport: Any) -> None:
        self.transport = transport
        host, port = transport.get_extra_info("peername")[:2]
        request = HANDSHAKE.format(path=self.path, host=host, port=port, cookie=self.cookie, browser=BROWSER)
        transport.write(request.encode())

    def data_received(self, data: bytes) -> None:
        data = self.rest + data if self.rest else data
        if not self.is_open:
            head, found, data = data.partition(b"\r\n\r\n")
            if not found:
                self.rest = head
                return
            if b" 101 " not in head[:20]:
                self.transport.abort()
                return
            self.is_open = True
            self.opened(self)
        self.rest = self.take_frames(data)

    def take_frames(self, data: bytes) -> bytes:
        """Handles every complete frame and returns the rest."""
        start, size = 0, len(data)
        while size - start >= 2:
            length, body = data[start + 1], start + 2
            if length == 126:
                length, body = int.from_bytes(data[start + 2 : start + 4]), start + 4
            elif length == 127:
                length, body = int.from_bytes(data[start + 2 : start + 10]), start + 10
            if size < body + length or body > size:
                break
            kind, start = data[start], body + length
            if kind == TEXT:
                self.hear(data[body:start])
            elif kind == PING:
                self.write(PONG, data[body:start])
            elif kind == CLOSE:
                self.write(CLOSE, data[body:start])
                self.end_with(int.from_bytes(data[body : body + 2]))
        return data[start:]

    def tell(self, message: bytes) -> None:
        self.write(TEXT, message)

    def write(self, kind: int, payload: bytes) -> None:
        size = len(payload)
        length = bytes((kind, 0x80 | size)) if size < 126 else bytes((kind, 0xFE)) + size.to_bytes(2)
        self.transport.write(length + NO_MASK + payload)

    def connection_lost(self, error: Exception | None) -> None:
        self.end_with(0)

    def end_with(self, code: int) -> None:
        """Reports the end once."""
        end, self.end = self.end, ignore
        end(code)
        self.transport.close()


def ignore(code: int) -> None:
    """Does nothing."""
