"""What the server answers to HTTP: the facts, the tables, finished games, and the client itself."""

import asyncio
import io
import json
import math
import re
import time
from functools import partial
from typing import Any

import segno
from litestar import HttpMethod, MediaType, Request, Response, get, post, route
from litestar.datastructures import CacheControlHeader
from litestar.exceptions import HTTPException, ValidationException
from litestar.openapi.datastructures import ResponseSpec
from litestar.params import FromPath, FromQuery, JSONBody

from .. import __version__, rulebook
from .accounts import Guest, guest_of
from .coaching import Analysis, Hint, HintWish, MulliganWish
from .config import Config
from .facts import facts
from .house import House
from .limits import Buckets, visitor
from .log import log
from .messages import (
    ErrorNote,
    Facts,
    FinishedGame,
    Frequency,
    Health,
    HoleReplay,
    NewTable,
    RuleBlock,
    RuleBook,
    RuleChapter,
    RuleText,
    SeatNote,
    ShuffleBook,
    TableNote,
    TableOpened,
)
from .rights import Refusal
from .room import Room
from .shelf import ASK_AGAIN, Item, Shelf
from .table import Table

LOOKING = [HttpMethod.GET, HttpMethod.HEAD]

Asked = Request[Any, Any, Any]

PAGES = re.compile(
    r"(|rules|cards-dealt|[twg]/[^/]+|g/[^/]+/check|move/[^/]+)/?"
)  # the client knows them; others are "not here"
FOR_A_MINUTE = CacheControlHeader(max_age=60, public=True)
FOR_AN_HOUR = CacheControlHeader(max_age=3600, public=True)
STATUS = {
    "table_gone": 404,
    "game_gone": 404,
    "hole_gone": 404,
    "no_such_language": 404,
    "no_such_position": 404,
    "practice_only": 404,
    "no_hints": 403,
    "not_your_seat": 403,
    "coach_busy": 503,
    "not_found": 404,
    "too_fast": 429,
    "server_fault": 503,  # the disk does not take it now
}
REFUSALS = {
    400: ResponseSpec(ErrorNote, description="The request makes no sense, or breaks a rule", generate_examples=False),
    403: ResponseSpec(ErrorNote, description="A page of another site asks", generate_examples=False),
    404: ResponseSpec(ErrorNote, description="There is no such thing", generate_examples=False),
    413: ResponseSpec(ErrorNote, description="The request is too long", generate_examples=False),
    421: ResponseSpec(ErrorNote, description="The server does not answer to that name", generate_examples=False),
    429: ResponseSpec(ErrorNote, description="Too much at once; Retry-After says when", generate_examples=False),
}
ALWAYS = {status: REFUSALS[status] for status in (421, 429)}
BUSY = {503: ResponseSpec(ErrorNote, description="The coach has too much to think about", generate_examples=False)}
ASKED_FOR = {status: REFUSALS[status] for status in (400, 404, 421, 429)}


@get(
    "/api/health",
    sync_to_thread=False,
    responses=ALWAYS | {503: ResponseSpec(Health, description="Not now", generate_examples=False)},
)
def show_health(request: Asked) -> Response[Health]:
    """Whether the server is well: it can write down what happens, and is not about to close."""
    state = request.app.state
    house: House = state.house
    health = Health(
        status="closing" if state.closing.is_set() else "well" if house.store.is_well else "cannot_write",
        version=__version__,
        seconds=round(time.monotonic() - state.started, 1),
    )
    return Response(health, status_code=200 if health.status == "well" else 503, headers={"cache-control": "no-store"})


@get("/api/facts", sync_to_thread=False, responses=ALWAYS, cache_control=CacheControlHeader(no_cache=True))
def show_facts() -> Facts:
    """The games, the computer players, the languages and the limits."""
    return facts()


@get("/api/rulebook/{language:str}", sync_to_thread=False, responses=ASKED_FOR, cache_control=FOR_AN_HOUR)
def show_rulebook(language: FromPath[str]) -> RuleBook:
    """The rule book in a language, chapter by chapter."""
    try:
        book = rulebook.book(language)
    except (rulebook.RuleBookError, OSError):
        raise Refusal("no_such_language", language=language[:20], languages=list(rulebook.LANGUAGES)) from None
    return RuleBook(
        title=book.title,
        intro=blocks_of(book.intro),
        chapters=[
            RuleChapter(
                number=chapter.number,
                title=chapter.title,
                rules=[RuleText(rule.number, rule.title, blocks_of(rule.blocks)) for rule in chapter.rules],
                blocks=blocks_of(chapter.blocks),
            )
            for chapter in book.chapters
        ],
    )


def blocks_of(blocks: list[rulebook.Block]) -> list[RuleBlock]:
    return [RuleBlock(block.text, block.game, block.is_ruling) for block in blocks]


@post("/api/tables", responses={status: REFUSALS[status] for status in (400, 403, 413, 421, 429)})
async def open_table(request: Asked, data: JSONBody[NewTable]) -> Response[TableOpened]:
    """Opens a table: the seats are mine, of others on my device, of friends who come by link, or computer players'."""
    house: House = request.app.state.house
    guest = guest_who_asks(request)
    may_open(request)
    table = await house.open_table(data, guest.name)
    return Response(codes_of(table, base_of(request)), status_code=201, headers=cookie_of(guest))


def may_open(request: Asked) -> None:
    """Nobody opens tables for ever. Raises Refusal."""
    tables: Buckets = request.app.state.tables
    if wait := tables.ask(visitor(request.client.host if request.client else "")):
        raise Refusal("too_fast", seconds=math.ceil(wait))


def codes_of(table: Table, base: str) -> TableOpened:
    return TableOpened(
        table=table.code, watch=table.watch, link=f"{base}/t/{table.code}", watch_link=f"{base}/w/{table.watch}"
    )


@get("/api/tables/{code:str}", responses=ASKED_FOR)
async def show_table(request: Asked, code: FromPath[str]) -> Response[TableNote]:
    """A table as somebody sees it who thinks of sitting down."""
    guest = guest_who_asks(request)
    table = (await room_of(request, code)).table
    return Response(
        table_note(table, guest, base_of(request)), headers=cookie_of(guest) | {"cache-control": "no-store"}
    )


def table_note(table: Table, guest: Guest, base: str) -> TableNote:
    return TableNote(
        table=table.code,
        watch=table.watch,
        link=f"{base}/t/{table.code}",
        watch_link=f"{base}/w/{table.watch}",
        game=table.variant.name,
        seats=[SeatNote(name=seat.name, kind=seat.kind) for seat in table.seats],
        started=table.match > 0,
        over=table.phase == "over",
        seated=bool(table.held_by(guest.name)) or table.owner == guest.name,
    )


@get("/api/tables/{code:str}/qr.svg", media_type="image/svg+xml", responses=ASKED_FOR)
async def show_qr(request: Asked, code: FromPath[str], watch: FromQuery[bool] = False) -> Response[bytes]:
    """The QR code of a table's link, for players or for spectators."""
    table = (await room_of(request, code)).table
    path = f"/w/{table.watch}" if watch else f"/t/{table.code}"
    picture = io.BytesIO()
    segno.make(base_of(request) + path, micro=False).save(picture, kind="svg", border=2, light="#fff", scale=8)
    return Response(picture.getvalue(), media_type="image/svg+xml", headers={"cache-control": ASK_AGAIN})


async def room_of(request: Asked, code: str) -> Room:
    house: House = request.app.state.house
    room = await house.room(code)
    if room is None:
        raise Refusal("table_gone", table=code[:20])
    return room


@get("/api/games/{game:str}", responses=ASKED_FOR, cache_control=FOR_AN_HOUR)
async def show_game(request: Asked, game: FromPath[str]) -> FinishedGame:
    """The score card of a finished game."""
    house: House = request.app.state.house
    card, _ = await asyncio.to_thread(house.finished, game)
    return card


@get("/api/games/{game:str}/holes/{hole:int}", responses=ASKED_FOR, cache_control=FOR_AN_HOUR)
async def show_hole(request: Asked, game: FromPath[str], hole: FromPath[int]) -> HoleReplay:
    """Every position of one hole of a finished game, from the deal to the reckoning."""
    house: House = request.app.state.house
    return await asyncio.to_thread(house.replay, game, hole)


@get("/api/games/{game:str}/shuffles", responses=ASKED_FOR)
async def show_shuffles(request: Asked, game: FromPath[str]) -> Response[ShuffleBook]:
    """What fixed each pack of a match so far, for whoever wants to check the shuffle."""
    house: House = request.app.state.house
    book = await asyncio.to_thread(house.read_shuffles, game)
    return Response(book, headers={"cache-control": "no-store"})


@get("/api/games/{game:str}/analysis", responses=ASKED_FOR | BUSY, cache_control=FOR_AN_HOUR)
async def show_analysis(request: Asked, game: FromPath[str]) -> Analysis:
    """A finished game in luck and skill, and its dearest mistakes."""
    house: House = request.app.state.house
    return await house.analyse(game, partial(ask_much, request))


@post(
    "/api/tables/{code:str}/hint",
    responses=ASKED_FOR | BUSY | {403: REFUSALS[403], 413: REFUSALS[413]},
    status_code=200,
)
async def give_hint(request: Asked, code: FromPath[str], data: JSONBody[HintWish]) -> Response[Hint]:
    """What every legal move is worth, for who is on turn alone among computer players."""
    house: House = request.app.state.house
    room = await room_of(request, code)
    await house.is_warm.wait()
    hint = await house.coach.advise(room.table, guest_who_asks(request).name, data.seat, partial(ask_much, request))
    return Response(hint, headers={"cache-control": "no-store"})


def ask_much(request: Asked) -> None:
    """What takes long to work out may not be asked for ever so often. Raises Refusal."""
    questions: Buckets = request.app.state.questions
    if wait := questions.ask(visitor(request.client.host if request.client else "")):
        raise Refusal("too_fast", seconds=math.ceil(wait))


@post("/api/games/{game:str}/mulligan", responses=ASKED_FOR | {403: REFUSALS[403], 413: REFUSALS[413]})
async def take_mulligan(request: Asked, game: FromPath[str], data: JSONBody[MulliganWish]) -> Response[TableOpened]:
    """Opens a table for practice, which plays on from a position of a finished game against computer players."""
    house: House = request.app.state.house
    guest = guest_who_asks(request)
    may_open(request)
    table = await house.open_practice(game, data, guest.name)
    return Response(codes_of(table, base_of(request)), status_code=201, headers=cookie_of(guest))


@get("/api/frequencies", responses=ALWAYS, cache_control=FOR_A_MINUTE)
async def show_frequencies(request: Asked) -> list[Frequency]:
    """How often each card was dealt on this server, beside what a fair shuffle would bring."""
    house: House = request.app.state.house
    return await asyncio.to_thread(house.frequencies)


@get("/api/games/{game:str}/record", media_type="application/jsonl", responses=ASKED_FOR)
async def download_record(request: Asked, game: FromPath[str]) -> Response[bytes]:
    """The record of a finished game, one line of JSON, as `mulligan referee` reads it."""
    house: House = request.app.state.house
    card, record = await asyncio.to_thread(house.finished, game)
    if card.practice:
        raise Refusal("practice_only")
    line = json.dumps(record, ensure_ascii=False) + "\n"
    return Response(
        line.encode(),
        media_type="application/jsonl",
        headers={"content-disposition": f'attachment; filename="mulligan-{card.game}-{card.id}.jsonl"'},
    )


@route("/", http_method=LOOKING, include_in_schema=False, sync_to_thread=False)
def show_start(request: Asked) -> Response[bytes]:
    """The client's one page."""
    return page(request, "")


@route("/{path:path}", http_method=LOOKING, include_in_schema=False, sync_to_thread=False)
def show_page(request: Asked, path: FromPath[str]) -> Response[bytes]:
    """A file of the client, or its one page, which finds out by itself what to show."""
    return page(request, path.strip("/"))


def page(request: Asked, path: str) -> Response[bytes]:
    shelf: Shelf = request.app.state.shelf
    if path.startswith(("api/", "schema/", "ws/")):
        raise Refusal("not_found", path=path[:80])
    if item := shelf.find(path):
        return send(request, item, 200)
    return send(request, shelf.index(), 200 if PAGES.fullmatch(path) else 404)


def send(request: Asked, item: Item, status: int) -> Response[bytes]:
    headers = {"etag": item.tag, "cache-control": item.caching}
    if status == 200 and request.headers.get("if-none-match", "").removeprefix("W/") == item.tag:
        return Response(b"", status_code=304, headers=headers)
    return Response(item.content, status_code=status, media_type=item.kind, headers=headers)


def guest_who_asks(request: Asked) -> Guest:
    return guest_of(request.cookies, request.url.scheme == "https")


def cookie_of(guest: Guest) -> dict[str, str]:
    return {"set-cookie": guest.cookie} if guest.cookie else {}


def base_of(request: Asked) -> str:
    """The address that links for friends begin with."""
    config: Config = request.app.state.config
    return config.base(request.url.scheme, request.headers.get("host", ""))


# What goes wrong


def refuse(_: Asked, refusal: Refusal) -> Response[ErrorNote]:
    answer = note(STATUS.get(refusal.error, 400), refusal.error, **refusal.params)
    if refusal.error == "too_fast":
        answer.headers["retry-after"] = str(refusal.params["seconds"])
    return answer


def refuse_nonsense(_: Asked, error: ValidationException) -> Response[ErrorNote]:
    extra = error.extra if isinstance(error.extra, list) else []
    details = [str(fault["message"]) for fault in extra if isinstance(fault, dict) and "message" in fault]
    return note(400, "bad_request", detail="; ".join(details)[:300] or error.detail[:300])


def refuse_http(request: Asked, error: HTTPException) -> Response[ErrorNote]:
    if error.status_code == 404:
        return note(404, "not_found", path=request.url.path[:80])
    return note(
        error.status_code, "server_fault" if error.status_code >= 500 else "bad_request", detail=error.detail[:300]
    )


def refuse_depth(_: Asked, error: RecursionError) -> Response[ErrorNote]:
    return note(400, "bad_request", detail="nested too deeply")


def refuse_letters(_: Asked, error: UnicodeDecodeError) -> Response[ErrorNote]:
    return note(400, "bad_request", detail="not a text in UTF-8")


def confess(request: Asked, error: Exception) -> Response[ErrorNote]:
    """A fault of ours: the log tells where, the guest only that."""
    log.error("request_failed", method=request.method, route=request.scope.get("path_template", ""), exc_info=error)
    return note(500, "server_fault")


def note(status: int, error: str, **params: Any) -> Response[ErrorNote]:
    return Response(ErrorNote(error, params), status_code=status, media_type=MediaType.JSON)


HANDLERS = [
    show_health,
    show_facts,
    show_rulebook,
    open_table,
    show_table,
    show_qr,
    show_game,
    show_hole,
    show_analysis,
    give_hint,
    take_mulligan,
    show_shuffles,
    show_frequencies,
    download_record,
    show_start,
    show_page,
]
