"""The whole server as one ASGI application."""

import threading
import time
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from typing import Any

from litestar import Litestar
from litestar.config.compression import CompressionConfig
from litestar.datastructures import State
from litestar.exceptions import HTTPException, ValidationException
from litestar.openapi import OpenAPIConfig
from litestar.openapi.plugins import JsonRenderPlugin
from litestar.types import ASGIApp, Message, Receive, Scope, Send

from .. import __version__
from . import live, pages
from .config import Config
from .gate import Gate
from .house import House
from .limits import Buckets
from .printing import PrintShop
from .rights import Refusal
from .shelf import Shelf
from .store import Store

LARGEST_BODY = 20_000  # bytes; a table of eight long names is below 2,000

# No script, style or picture but our own; style attributes alone may stand in the page.
POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'self'; style-src-attr 'unsafe-inline'; "
    "img-src 'self' data:; font-src 'self'; connect-src 'self'; manifest-src 'self'; worker-src 'self'; "
    "media-src 'self'; base-uri 'none'; form-action 'self'; frame-ancestors 'none'"
)
HEADERS = [
    (b"content-security-policy", POLICY.encode()),
    (b"x-content-type-options", b"nosniff"),
    (b"referrer-policy", b"no-referrer"),
    (b"cross-origin-opener-policy", b"same-origin"),
    (b"permissions-policy", b"camera=(), geolocation=(), microphone=()"),
]


def with_safe_headers(app: ASGIApp) -> ASGIApp:
    """Every answer, be it an error, tells the browser to keep to this server and to guess nothing."""

    async def answer_safely(scope: Scope, receive: Receive, send: Send) -> None:
        async def send_with_headers(message: Message) -> None:
            if message["type"] == "http.response.start":
                message["headers"] = [*message["headers"], *HEADERS]
            await send(message)

        await app(scope, receive, send_with_headers)

    def safe_app(scope: Scope, receive: Receive, send: Send) -> Any:
        return (app if scope["type"] == "websocket" else answer_safely)(scope, receive, send)

    return safe_app


def build(
    config: Config, house_of: Callable[[Store], House] = House, closing: threading.Event | None = None
) -> ASGIApp:
    """The application over the data folder of its config. Raises StoreError where that cannot be used.

    Once `closing` is set the server says of itself that it is about to close.
    """
    store = Store(config.data)

    @asynccontextmanager
    async def open_house(app: Litestar) -> AsyncIterator[None]:
        house = app.state.house = house_of(store)
        house.open()
        try:
            yield
        finally:
            await app.state.print_shop.close()
            await house.close()

    app = Litestar(
        route_handlers=pages.HANDLERS,
        state=State(
            {
                "config": config,
                "shelf": Shelf(config.client),
                "messages": Buckets(config.limits.messages, config.limits.messages_per_second),
                "tables": Buckets(config.limits.tables, config.limits.tables_per_second),
                "questions": Buckets(config.limits.questions, config.limits.questions_per_second),
                "print_shop": PrintShop(),
                "closing": closing or threading.Event(),
                "started": time.monotonic(),
            }
        ),
        lifespan=[open_house],
        compression_config=CompressionConfig(backend="gzip", minimum_size=800, gzip_compress_level=6),
        exception_handlers={
            Refusal: pages.refuse,
            ValidationException: pages.refuse_nonsense,
            HTTPException: pages.refuse_http,
            RecursionError: pages.refuse_depth,
            UnicodeDecodeError: pages.refuse_letters,
            Exception: pages.confess,
        },
        openapi_config=OpenAPIConfig(
            title="Mulligan",
            version=__version__,
            description="The golf card games at a table in the browser. What travels on the sockets is not part of it.",
            path="/schema",
            render_plugins=[JsonRenderPlugin(path="/openapi.json")],
            use_handler_docstrings=True,
        ),
        request_max_body_size=LARGEST_BODY,
        logging_config=None,
    )

    def pages_or_sockets(scope: Scope, receive: Receive, send: Send) -> Any:
        if scope["type"] == "websocket":
            return live.serve(scope, receive, send, app.state.house, app.state.messages)
        return app(scope, receive, send)

    return with_safe_headers(Gate(pages_or_sockets, config))
