"""Shared parts of the HTTP routes: refusals, caching, rate limits, guests and addresses."""

import gzip
import math
from typing import Any

from litestar import MediaType, Request, Response
from litestar.connection import ASGIConnection
from litestar.datastructures import CacheControlHeader
from litestar.openapi.datastructures import ResponseSpec

from mulligan.server.limits import Buckets, visitor
from mulligan.server.rooms.registry import Registry
from mulligan.server.services.cardboard import MOST_MOVES
from mulligan.server.table.rights import Refusal
from mulligan.server.web.accounts import Guest, guest_of
from mulligan.server.web.config import Config
from mulligan.server.web.demands import COSTLY, demands
from mulligan.server.web.ending import COME_BACK, Ending
from mulligan.server.wire.base import ErrorNote
from mulligan.server.wire.cardboard import CardboardGame
from mulligan.server.wire.finished import FinishedGame

Asked = Request[Any, Any, Any]
FOR_A_MINUTE = CacheControlHeader(max_age=60, private=True)  # what an operator may delete
FOR_AN_HOUR = CacheControlHeader(max_age=3600, public=True)
ZIPPED = {"is_zipped": True}  # options of routes that compress by themselves, each thing once
STARTING = 10.0  # seconds that a request waits for the server to start
LONGEST_GAME = 60_000  # bytes; nine holes of eight players with real cards need far less
STATUS = {
    "shown_out": 404,
    "table_gone": 404,
    "game_gone": 404,
    "hole_gone": 404,
    "no_such_language": 404,
    "no_such_position": 404,
    "no_lesson": 404,
    "practice_only": 404,
    "real_cards": 404,
    "no_push": 404,
    "banned": 403,
    "wrong_code": 403,
    "wrong_words": 403,
    "wrong_passkey": 403,
    "no_hints": 403,
    "not_your_seat": 403,
    "coach_busy": 503,
    "not_found": 404,
    "no_passkeys": 404,
    "too_fast": 429,
    "too_many": 503,
    "server_fault": 503,  # the disk cannot be written to at the moment
    "starting": 503,
    "restarting": 503,
    "table_unreadable": 503,
}


def error_response(description: str) -> ResponseSpec:
    """Describes a response with an error in the API schema."""
    return ResponseSpec(ErrorNote, description=description, generate_examples=False)


REFUSALS = {
    400: error_response("The request is invalid or breaks a rule"),
    403: error_response("The request comes from another site"),
    404: error_response("Not found"),
    413: error_response("The request is too large"),
    421: error_response("Unknown host name"),
    429: error_response("Rate limit exceeded; Retry-After says when to try again"),
}
ALWAYS = {status: REFUSALS[status] for status in (421, 429)}
BUSY = {503: error_response("The coach is busy")}
ASKED_FOR = {status: REFUSALS[status] for status in (400, 404, 421, 429)}


def registry_of(request: Asked) -> Registry:
    registry: Registry = request.app.state.registry
    return registry


async def once_started(connection: ASGIConnection[Any, Any, Any, Any], _: Any) -> None:
    """Waits for the end of the start in routes that need the engine. Raises Refusal after a timeout."""
    registry: Registry = connection.app.state.registry
    if not registry.is_warm.is_set() and not await registry.has_started(STARTING):
        raise Refusal("starting", seconds=round(STARTING))


# What a route declares that reads what is stored.
READS: dict[str, Any] = {"responses": ASKED_FOR, "guards": [once_started], "opt": demands(COSTLY, "reads")}


def may_open(request: Asked) -> None:
    """Raises Refusal if the server drains or the rate limit for opening tables is exceeded."""
    ending: Ending = request.app.state.ending
    if ending.is_draining:
        raise Refusal("restarting", seconds=COME_BACK)
    tables: Buckets = request.app.state.tables
    if wait := tables.ask(address_of(request)):
        raise Refusal("too_fast", seconds=math.ceil(wait))


def may_keep(request: Asked, game: CardboardGame) -> None:
    """Raises Refusal if no game with real cards may be kept now, for one of the reasons above or a limit of its own."""
    may_tell(request, game)
    may_open(request)
    kept: Buckets = request.app.state.kept
    if wait := kept.ask(address_of(request)):
        raise Refusal("too_fast", seconds=math.ceil(wait))


def may_tell(request: Asked, game: CardboardGame) -> None:
    """Applies the rate limit for moves with real cards, which the server follows again each time. Raises Refusal."""
    told: Buckets = request.app.state.told
    moves = min(MOST_MOVES, sum(len(hole.moves) for hole in game.holes))
    if wait := told.ask(address_of(request), moves, table_of(request)):
        raise Refusal("too_fast", seconds=math.ceil(wait))


def ask_much(request: Asked) -> None:
    """Applies the rate limit for expensive requests. Raises Refusal."""
    questions: Buckets = request.app.state.questions
    if wait := questions.ask(address_of(request), 1, table_of(request)):
        raise Refusal("too_fast", seconds=math.ceil(wait))


TELLING = {status: REFUSALS[status] for status in (400, 403, 413, 421, 429)}


def guest_in(request: Asked) -> Guest:
    """Returns the guest, who may be new, or banned, as far as this process knows whom their device stands for."""
    config: Config = request.app.state.config
    guest = guest_of(request.cookies, request.url.scheme == "https", config.base_path)
    return guest._replace(name=registry_of(request).devices.guest_of(guest.device))


async def guest_who_asks(request: Asked) -> Guest:
    """Returns the guest, who may be new. Raises Refusal if they are banned, or if the database does not answer."""
    guest, registry = guest_in(request), registry_of(request)
    guest = guest._replace(name=await registry.guest_of(guest.device))
    if guest.name in registry.bans:
        raise Refusal("banned")
    return guest


async def finished(request: Asked, game: str, with_practice: bool = True) -> tuple[FinishedGame, dict[str, Any]]:
    """Returns the score card and the record of a finished match. Raises Refusal."""
    archive = registry_of(request).archive
    card, record = await archive.ask(archive.finished, game)
    if card.practice and not with_practice:
        raise Refusal("practice_only")
    return card, record


def unzipped_for(request: Asked, zipped: bytes) -> Response[Any]:
    """Returns a response of compressed JSON, which the client may not be able to read as it is."""
    if "gzip" in request.headers.get("accept-encoding", ""):
        return Response(zipped, headers={"content-encoding": "gzip", "vary": "accept-encoding"})
    return Response(gzip.decompress(zipped), headers={"vary": "accept-encoding"})


def cookie_of(guest: Guest) -> dict[str, str]:
    return {"set-cookie": guest.cookie} if guest.cookie else {}


def address_of(request: Asked) -> str:
    """Returns the address that rate limits count."""
    return visitor(request.client.host if request.client else "")


def table_of(request: Asked) -> str:
    """Returns the table whose share of the address's limits a guest may use, or ""."""
    return registry_of(request).known.get(guest_in(request).name, "")


def base_of(request: Asked) -> str:
    """Returns the base URL for links to share."""
    config: Config = request.app.state.config
    return config.base(request.url.scheme, request.headers.get("host", ""))


def note(status: int, error: str, **params: Any) -> Response[ErrorNote]:
    return Response(ErrorNote(error, params), status_code=status, media_type=MediaType.JSON)
