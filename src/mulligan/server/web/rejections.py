"""Rejections in the form that a client understands: JSON, a page, or a message on a socket."""

from functools import lru_cache
from http import HTTPStatus
from typing import Any, NamedTuple, TypeAlias

import msgspec
from websockets.frames import Close, Frame, Opcode
from websockets.utils import accept_key

from mulligan.server.wire.base import ErrorNote, Params
from mulligan.server.wire.replies import Refused

from .languages import preferred, small_page, words
from .safe_headers import HEADERS

Receive: TypeAlias = Any
Send: TypeAlias = Any
Headers: TypeAlias = tuple[tuple[bytes, bytes], ...]

SWITCHING = b"HTTP/1.1 101 Switching Protocols\r\nupgrade: websocket\r\nconnection: Upgrade\r\nsec-websocket-accept: "
CACHED = 100  # rejections; they differ in their languages and seconds

write = msgspec.json.Encoder().encode


class Asked(NamedTuple):
    """What a client asks for. The method of a socket is ""."""

    method: str
    path: str
    languages: str = ""  # the header Accept-Language

    @property
    def language(self) -> str:
        """The language of a response for people, or "" for one in JSON."""
        return "" if self.path.startswith(("/api/", "/nets/", "/schema")) else preferred(self.languages)


class Rejection(NamedTuple):
    """Why a request is not let in: the HTTP status or the socket's close code, and an error with parameters."""

    status: int
    code: int
    error: str
    params: tuple[tuple[str, str | int], ...] = ()


async def reject(receive: Receive, send: Send, asked: Asked, rejection: Rejection) -> None:
    """Sends a rejection. Accepts a socket first: browsers give pages no reason for a rejected one."""
    if asked.method:
        headers, body = document(asked.language, rejection)
        await send({"type": "http.response.start", "status": rejection.status, "headers": headers})
        await send({"type": "http.response.body", "body": body})
    else:
        await receive()
        await send({"type": "websocket.accept"})
        await send({"type": "websocket.send", "text": message(rejection).decode()})
        await send({"type": "websocket.close", "code": rejection.code})


def response(asked: Asked, rejection: Rejection) -> bytes:
    """Returns all that is sent for a rejected request, after which the connection ends."""
    return response_in(asked.language, rejection)


@lru_cache(CACHED)
def response_in(language: str, rejection: Rejection) -> bytes:
    headers, body = document(language, rejection)
    status = f"HTTP/1.1 {rejection.status} {HTTPStatus(rejection.status).phrase}".encode()
    lines = [b": ".join(header) for header in (*headers, *HEADERS, (b"connection", b"close"))]
    return b"\r\n".join((status, *lines, b"", body))


def socket_response(key: bytes, rejection: Rejection) -> bytes:
    """Returns all that is sent on a rejected socket, given the key of its handshake."""
    return b"".join((SWITCHING, accept_key(key.decode("latin-1")).encode(), b"\r\n\r\n", last_frames(rejection)))


@lru_cache(CACHED)
def last_frames(rejection: Rejection) -> bytes:
    """Returns the message on a rejected socket and the close frame."""
    frames = Frame(Opcode.TEXT, message(rejection)), Frame(Opcode.CLOSE, Close(rejection.code, "").serialize())
    return b"".join(frame.serialize(mask=False) for frame in frames)


def message(rejection: Rejection) -> bytes:
    return write(Refused(id="", error=rejection.error, params=dict(rejection.params)))


@lru_cache(CACHED)
def document(language: str, rejection: Rejection) -> tuple[Headers, bytes]:
    """Returns the headers and body of a response: a page in this language, or JSON without one."""
    params: Params = dict(rejection.params)
    if language:
        key = "wrong_origin" if "origin" in params else rejection.error
        texts = words(language)
        body = small_page(language, [texts[one].format(**params) for one in (key, f"{key}_owner") if one in texts])
        kind = [
            (b"content-type", b"text/html; charset=utf-8"),
            (b"content-language", language.encode()),
            (b"vary", b"accept-language"),
        ]
    else:
        body, kind = write(ErrorNote(rejection.error, params)), [(b"content-type", b"application/json")]
    wait = [(b"retry-after", str(params["seconds"]).encode())] if "seconds" in params else []
    return (*kind, (b"content-length", str(len(body)).encode()), (b"cache-control", b"no-store"), *wait), body
