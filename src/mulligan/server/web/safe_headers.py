"""Adds security headers to every response."""

import re
from typing import Any

from litestar.types import ASGIApp, Message, Receive, Scope, Send

# Only our own scripts, styles and images; inline style attributes are allowed.
POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'self'; style-src-attr 'unsafe-inline'; "
    "img-src 'self' data:; font-src 'self'; connect-src 'self'; manifest-src 'self'; worker-src 'self'; "
    "media-src 'self'; base-uri 'none'; form-action 'self'; frame-ancestors 'none'"
)
# The worker in which the engine runs has a policy of its own: only there may WebAssembly be compiled.
ENGINE_WORKER = re.compile(r".*/assets/engineWorker-[^/]+\.js")
ENGINE_POLICY = "default-src 'none'; script-src 'self' 'wasm-unsafe-eval'; connect-src 'self'"
HEADERS = [
    (b"content-security-policy", POLICY.encode()),
    (b"x-content-type-options", b"nosniff"),
    (b"referrer-policy", b"no-referrer"),
    (b"cross-origin-resource-policy", b"same-origin"),
    (b"permissions-policy", b"camera=(), geolocation=(), microphone=()"),
]
OVER_HTTPS = [
    (b"strict-transport-security", b"max-age=31536000"),  # https only for a year
    (b"cross-origin-opener-policy", b"same-origin"),  # elsewhere browsers ignore it and complain on every page
]
SHARED = "/preview.jpg"  # the picture of link previews, which messengers show in their own pages
FOR_ALL = [*(dict(HEADERS) | {b"cross-origin-resource-policy": b"cross-origin"}).items()]
FOR_ENGINE = [*(dict(HEADERS) | {b"content-security-policy": ENGINE_POLICY.encode()}).items()]
KEPT = (b"cache-control", b"no-store")  # unless an answer says otherwise


def headers_for(path: str, status: int) -> list[tuple[bytes, bytes]]:
    """Returns the security headers of an answer with this status."""
    if path.endswith(SHARED):
        return FOR_ALL
    is_there = status < 400  # else the answer is the client's page
    return FOR_ENGINE if is_there and ENGINE_WORKER.fullmatch(path) else HEADERS


def with_safe_headers(app: ASGIApp) -> ASGIApp:
    """Adds security headers to every response, including errors, and forbids copies of those that do not allow them."""

    async def answer_safely(scope: Scope, receive: Receive, send: Send) -> None:
        async def send_with_headers(message: Message) -> None:
            if message["type"] == "http.response.start":
                headers = [
                    *message["headers"],
                    *headers_for(scope["path"], message["status"]),
                    *(OVER_HTTPS if scope["scheme"] == "https" else []),
                ]
                if not any(name.lower() == KEPT[0] for name, _ in headers):
                    headers.append(KEPT)  # errors, and what changes
                message["headers"] = headers
            await send(message)

        await app(scope, receive, send_with_headers)

    def safe_app(scope: Scope, receive: Receive, send: Send) -> Any:
        return (app if scope["type"] == "websocket" else answer_safely)(scope, receive, send)

    return safe_app
