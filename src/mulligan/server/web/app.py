"""Builds the whole server as one ASGI application."""

import asyncio
import time
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager, nullcontext
from typing import Any

from litestar import Litestar
from litestar.config.compression import CompressionConfig
from litestar.datastructures import State
from litestar.exceptions import HTTPException, ValidationException
from litestar.openapi import OpenAPIConfig
from litestar.openapi.plugins import JsonRenderPlugin
from litestar.openapi.spec import Server
from litestar.types import ASGIApp, Receive, Scope, Send

from mulligan import __version__
from mulligan.server.admin import manageable
from mulligan.server.limits import Buckets, Guesses
from mulligan.server.log import log
from mulligan.server.rooms.administration import Administration
from mulligan.server.rooms.housekeeping import Housekeeping
from mulligan.server.rooms.postman import Postman
from mulligan.server.rooms.registry import Registry
from mulligan.server.rooms.ways import Ways
from mulligan.server.services.authenticators import Challenges
from mulligan.server.services.channels import Channels
from mulligan.server.services.followers import Followers
from mulligan.server.services.printing import PrintShop
from mulligan.server.services.web_push import WebPush
from mulligan.server.store.opening import open_store
from mulligan.server.store.shared_sql import Store
from mulligan.server.table.rights import Refusal

from . import sockets
from .base_path import BelowBasePath
from .config import Config
from .demands import Demands
from .ending import Ending
from .gate import Gate
from .routes import HANDLERS, error_responses
from .safe_headers import with_safe_headers
from .static_files import StaticFiles

LARGEST_BODY = 20_000  # bytes; a table with eight long names needs far less


def build(config: Config, registry_of: Callable[[Store], Registry] = Registry, ending: Ending | None = None) -> ASGIApp:
    """Builds the application for the data folder of a config. Raises StoreError if the folder cannot be used.

    `ending` says whether the server takes new tables, and appears in /api/health.
    """
    store = open_store(config.data, config.store, config.must_exist)
    push, channels = WebPush(config.push_hosts, config.push_contact), Channels(config.channels)

    @asynccontextmanager
    async def open_registry(app: Litestar) -> AsyncIterator[None]:
        registry = app.state.registry = registry_of(store)
        tables = await registry.ask(registry.store.count_tables)
        log.info("started", version=__version__, address=config.address, tables=tables)
        await registry.open()
        registry.begin(Housekeeping(registry, config.keep_days).keep_on())
        app.state.ways = Ways(registry, push, channels)
        postman = Postman(registry, push, channels)
        registry.begin(postman.keep_on())
        try:
            async with manageable(config.data, Administration(registry).answer) if config.is_managed else nullcontext():
                yield
        finally:
            await postman.close()
            await app.state.print_shop.close()
            await app.state.followers.close()
            await registry.close()

    app = Litestar(
        route_handlers=HANDLERS,
        state=state_of(config, ending or Ending()),
        lifespan=[open_registry],
        compression_config=CompressionConfig(
            backend="gzip", minimum_size=800, gzip_compress_level=6, exclude_opt_key="is_zipped"
        ),
        exception_handlers={
            Refusal: error_responses.refuse,
            ValidationException: error_responses.refuse_invalid,
            HTTPException: error_responses.refuse_http,
            RecursionError: error_responses.refuse_depth,
            UnicodeDecodeError: error_responses.refuse_encoding,
            Exception: error_responses.report_unexpected,
        },
        openapi_config=OpenAPIConfig(
            title="Mulligan",
            version=__version__,
            description="The golf card games at a table in the browser. What travels on the sockets is not part of it.",
            path="/schema",
            servers=[Server(url=config.base_path or "/")],
            render_plugins=[JsonRenderPlugin(path="/openapi.json")],
            use_handler_docstrings=True,
        ),
        request_max_body_size=LARGEST_BODY,
        logging_config=None,
    )

    def pages_or_sockets(scope: Scope, receive: Receive, send: Send) -> Any:
        if scope["type"] == "websocket":
            return sockets.serve(
                scope, receive, send, app.state.registry, app.state.messages, app.state.guesses, config.base_path
            )
        return app(scope, receive, send)

    gate = Gate(pages_or_sockets, config, lambda: app.state.registry, Demands(HANDLERS))
    return with_safe_headers(BelowBasePath(gate, config.base_path) if config.base_path else gate)


def state_of(config: Config, ending: Ending) -> State:
    """What routes and sockets share, besides the registry."""
    limits = config.limits
    return State(
        {
            "config": config,
            "static_files": StaticFiles(config.client, config.base_path),
            "manual": StaticFiles(config.manual),
            "messages": Buckets(limits.messages, limits.messages_per_second),
            "tables": Buckets(limits.tables, limits.tables_per_second),
            "questions": Buckets(limits.questions, limits.questions_per_second),
            "guesses": Guesses(limits.guesses, limits.guesses_per_second),
            "told": Buckets(limits.told, limits.told_per_second),
            "kept": Buckets(limits.kept, limits.kept_per_second),
            "tries": Buckets(limits.tries, limits.tries_per_second),
            "challenges": Challenges(),
            "trying": asyncio.Lock(),  # one try after the other: many at once would not be counted yet, and take long
            "pushes": Buckets(limits.ways, limits.ways_per_second),
            "codes": Buckets(limits.codes, limits.codes_per_second),
            "followers": Followers(),
            "print_shop": PrintShop(),
            "ending": ending,
            "started": time.monotonic(),
        }
    )
