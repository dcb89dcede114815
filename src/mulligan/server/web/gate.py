"""Rejects requests with a foreign host name, above the rate limit, too many connections, and in an overload."""

import math
import re
from collections.abc import Awaitable, Callable
from contextlib import suppress
from typing import Any, TypeAlias

from mulligan.server.limits import Buckets, Crowd, visitor
from mulligan.server.log import log_rarely
from mulligan.server.metrics import Metrics
from mulligan.server.overload import RETRY
from mulligan.server.rooms.registry import Registry
from mulligan.server.table.codes import CODE_LENGTH, WATCH_LENGTH, is_code
from mulligan.server.table.rights import Refusal

from . import hosts
from .accounts import cookies, guest_of
from .config import Config
from .connections import AT_ONCE
from .demands import COSTLY, Demand, Demands
from .rejections import Asked, Rejection, reject, response, socket_response
from .request_head import Head, read_head
from .safe_headers import SHARED

Scope: TypeAlias = Any
Receive: TypeAlias = Any
Send: TypeAlias = Any
App = Callable[[Any, Any, Any], Awaitable[None]]

TOO_FAST, WRONG_HOST = 4004, 4007  # close codes, as in sockets.py
TRY_LATER = 1013
# Links of tables, to play or to watch.
LINK = re.compile(r"(?:/ws)?/([tw])/([^/]{8,9})/?|/api/tables/([^/]{8,9})(?:/.*)?", re.IGNORECASE)
ELSEWHERE = ("cross-site", "same-site")  # Sec-Fetch-Site of a request by the page of another site, or of a neighbour


class Gate:
    """Passes allowed requests to the application and rejects the others."""

    def __init__(self, app: App, config: Config, registry: Callable[[], Registry], demands: Demands) -> None:
        self.app = app
        self.demands = demands
        self.registry = registry
        self.base_path = config.base_path
        self.given = frozenset(map(hosts.plain, config.names))
        self.names = hosts.own_names([*(hosts.split(name)[0] for name in config.names), config.host])
        limits = config.limits
        self.puts_off = limits.puts_off
        self.requests = Buckets(limits.credit, limits.credit_per_second)
        self.sockets = Crowd(limits.sockets, limits.sockets_per_address)

    @property
    def metrics(self) -> Metrics:
        return self.registry().metrics

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] not in ("http", "websocket"):
            scope.get("state", {})[AT_ONCE] = self.reject_at_once
            await self.app(scope, receive, send)
            return
        address = visitor(scope["client"][0] if scope.get("client") else "")
        asked = asked_in(scope)
        rejection, demand = self.foreign(scope, asked), self.demands.of(asked)
        is_tight = self.requests.wait(address, demand.cost) or (not asked.method and self.sockets.is_full(address))
        table = await self.table_of(scope, asked) if is_tight and not rejection else ""
        if rejection := rejection or self.too_much(address, demand, table):
            await self.reject(receive, send, asked, rejection)
            return
        self.requests.ask(address, demand.cost, table)
        if asked.method:
            await self.app(scope, receive, send)
            return
        with self.sockets.visit(address, table) as is_in:
            if is_in:
                await self.app(scope, receive, send)
            else:
                await self.reject(receive, send, asked, Rejection(503, TRY_LATER, "too_many"))

    def foreign(self, scope: Scope, asked: Asked) -> Rejection | None:
        """Rejects a request for another host, or from the page of another host; links to our pages may be anywhere."""
        headers = {name: value.decode("latin-1") for name, value in scope["headers"]}
        host, origin = headers.get(b"host", ""), headers.get(b"origin")
        secure = scope["scheme"] in ("https", "wss")
        if not hosts.is_ours(host, self.names):
            return Rejection(421, WRONG_HOST, "wrong_host", (("host", host[:80]),))
        if origin is not None and hosts.is_own_page(origin, host, secure, self.given):
            return None
        if asked.path != SHARED and (origin is not None or is_part_of_another_page(headers)):
            return Rejection(403, WRONG_HOST, "wrong_host", (("origin", (origin or headers[b"sec-fetch-site"])[:80]),))
        return None

    async def table_of(self, scope: Scope, asked: Asked) -> str:
        """Returns the table to which the request has a right link, or its guest had one before; or ""."""
        registry, link = self.registry(), LINK.fullmatch(asked.path)
        with suppress(Refusal):
            find = registry.watched if link and link[1] in ("w", "W") else registry.found
            if link and (found := await find(link[2] or link[3])):
                return found
        guest = guest_of(cookies(scope["headers"]), scope["scheme"] in ("https", "wss"), self.base_path)
        return registry.known.get(registry.devices.guest_of(guest.device), "")

    def too_much(self, address: str | None, demand: Demand, table: str = "") -> Rejection | None:
        """Rejects a request above the rate limit of its address, or one that a busy server puts off."""
        if address is not None and (wait := self.requests.wait(address, demand.cost, table)):
            return Rejection(429, TOO_FAST, "too_fast", (("seconds", math.ceil(wait)),))
        if self.puts_off and self.metrics.overload.refuses(demand.kind):
            return Rejection(503, TRY_LATER, "overloaded", (("seconds", RETRY),))
        return None

    def reject_at_once(self, address: str | None, data: bytes) -> tuple[bytes, bool] | None:
        """Returns the answer to a request that is too much, and whether it is a socket's; None if it may be let in.

        `data` is what has arrived of it. The address of a client behind a proxy is not known yet.
        """
        is_fast = address is not None and self.requests.wait(address, COSTLY)
        if not is_fast and not self.metrics.overload.is_busy:
            return None
        head = read_head(data, self.base_path)
        if head is None:
            return None
        rejection = self.too_much(None if self.may_have_a_share(head) else address, self.demands.of(head.asked))
        if rejection is None:
            return None
        self.note(rejection)
        if head.key:
            return socket_response(head.key, rejection), True
        return response(head.asked, rejection), False

    def may_have_a_share(self, head: Head) -> bool:
        """True if the request has a link that may be right, or its guest had a right one; `table_of` finds out."""
        if link := LINK.fullmatch(head.asked.path):
            return is_code((link[2] or link[3]).upper(), CODE_LENGTH, WATCH_LENGTH)
        guest = guest_of(cookies([(b"cookie", head.cookies)]), False, self.base_path)
        registry = self.registry()
        return registry.devices.guest_of(guest.device) in registry.known

    async def reject(self, receive: Receive, send: Send, asked: Asked, rejection: Rejection) -> None:
        self.note(rejection)
        await reject(receive, send, asked, rejection)

    def note(self, rejection: Rejection) -> None:
        self.metrics.refuse(rejection.error)
        log_rarely("refused", rejection.error)


def asked_in(scope: Scope) -> Asked:
    languages = next((value.decode("latin-1") for name, value in scope["headers"] if name == b"accept-language"), "")
    return Asked(scope.get("method", ""), scope["path"], languages)


def is_part_of_another_page(headers: dict[bytes, str]) -> bool:
    """True if another site's page shows or reads this, which would use up its visitor's limits here."""
    is_opened = headers.get(b"sec-fetch-mode") == "navigate" and headers.get(b"sec-fetch-dest") in (None, "document")
    return headers.get(b"sec-fetch-site") in ELSEWHERE and not is_opened
