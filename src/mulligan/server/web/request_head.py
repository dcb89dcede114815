"""Reads what a busy server has to know of a request with far less work than a parser."""

import re
from typing import NamedTuple

from .rejections import Asked

LINE = re.compile(rb"(GET|POST) (/[^ ?]*)(?:\?[^ ]*)? HTTP/1\.[01]\r\n")
HEADER = re.compile(
    rb"\r\n(content-length|upgrade|sec-websocket-key|accept-language|cookie):[ \t]*([^\r\n]*)", re.IGNORECASE
)


class Head(NamedTuple):
    asked: Asked
    key: bytes  # of a socket's handshake, or b""
    cookies: bytes


def read_head(data: bytes, base_path: str) -> Head | None:
    """Returns the head of the request if `data` is one complete request, or None: only a parser can tell."""
    head, end, body = data.partition(b"\r\n\r\n")
    line = LINE.match(data)
    if not end or not line:
        return None
    headers = {name.lower(): value for name, value in HEADER.findall(head)}
    if headers.get(b"content-length", b"0") != str(len(body)).encode():
        return None
    is_socket = headers.get(b"upgrade", b"").lower() == b"websocket"
    key = headers.get(b"sec-websocket-key", b"") if is_socket else b""
    path = line[2].decode("latin-1")
    below = path.removeprefix(base_path) if path.startswith(f"{base_path}/") else path
    languages = headers.get(b"accept-language", b"").decode("latin-1")
    return Head(Asked("" if key else line[1].decode(), below, languages), key, headers.get(b"cookie", b""))
