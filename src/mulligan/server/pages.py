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
from ..inert import inert
from ..variants import VariantError
from .accounts import Guest, guest_of
from .cardboard import table_told
from .cards import CardWish, Paper
from .coaching import Analysis, Hint, HintWish, MulliganWish
from .config import Config
from .facts import facts, strange_facts
from .house import House
from .kitchen import CardboardGame, CardboardKept, CardboardPosition, CardboardTable
from .limits import Buckets, visitor
from .log import log
from .messages import (
    VARIANT_LENGTH,
    ErrorNote,
    Facts,
    FinishedGame,
    Frequency,
    GameFacts,
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
    VariantFile,
)
from .printing import Form, PrintShop, blank_wish, wish_of
from .rights import Refusal
from .room import Room
from .shelf import ASK_AGAIN, Item, Shelf
from .table import Table
from .tutor import lessons, matched_in
from .tutoring import Tutorial

LOOKING = [HttpMethod.GET, HttpMethod.HEAD]

Asked = Request[Any, Any, Any]

PAGES = re.compile(
    r"(|rules|cards-dealt|coach|card|(pad|learn)(/[^/]+)?|[twg]/[^/]+|g/[^/]+/check|move/[^/]+)/?"
)  # the client knows them; others are "not here"
FOR_A_MINUTE = CacheControlHeader(max_age=60, public=True)
FOR_AN_HOUR = CacheControlHeader(max_age=3600, public=True)
LONGEST_GAME = 60_000  # bytes; eight players' nine holes with real cards come to 12,000
STATUS = {
    "table_gone": 404,
    "game_gone": 404,
    "hole_gone": 404,
    "no_such_language": 404,
    "no_such_position": 404,
    "no_lesson": 404,
    "practice_only": 404,
    "real_cards": 404,
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
PRINTING = {503: ResponseSpec(ErrorNote, description="Nothing can be printed now", generate_examples=False)}
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


@post("/api/variant", status_code=200, responses={status: REFUSALS[status] for status in (400, 403, 413, 421, 429)})
async def read_variant(data: JSONBody[VariantFile]) -> GameFacts:
    """The facts of a variant from the text of its file, for a score pad at a real table. Nothing is kept."""
    if len(data.text) > VARIANT_LENGTH:
        raise Refusal("variant_too_long", most=VARIANT_LENGTH)
    try:
        return await asyncio.to_thread(strange_facts, data.name, data.text)
    except VariantError as error:
        raise Refusal("bad_variant", detail=inert(str(error), 300)) from None


@get("/api/tutorial/{variant:str}", responses=ASKED_FOR, cache_control=FOR_AN_HOUR)
async def show_tutorial(variant: FromPath[str]) -> Tutorial:
    """The lessons of a game: positions, and what every move in them leads to."""
    return await asyncio.to_thread(lessons, variant)


def blocks_of(blocks: list[rulebook.Block]) -> list[RuleBlock]:
    return [RuleBlock(block.text, block.game, block.is_ruling, matched_in(block)) for block in blocks]


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


TELLING = {status: REFUSALS[status] for status in (400, 403, 413, 421, 429)}


@post("/api/cardboard", status_code=200, responses=TELLING, request_max_body_size=LONGEST_GAME)
async def show_told(data: JSONBody[CardboardGame]) -> Response[CardboardTable]:
    """The table of a game with real cards, as far as it has been told. Nothing of it is kept."""
    table = await asyncio.to_thread(table_told, data)
    return Response(table, headers={"cache-control": "no-store"})


@post("/api/cardboard/hint", status_code=200, responses=TELLING | BUSY, request_max_body_size=LONGEST_GAME)
async def give_hint_told(request: Asked, data: JSONBody[CardboardGame]) -> Response[Hint]:
    """What every legal move is worth, where a game with real cards stands."""
    house: House = request.app.state.house
    hint = await house.advise_told(data, partial(ask_much, request))
    return Response(hint, headers={"cache-control": "no-store"})


@post("/api/cardboard/position", status_code=200, responses=TELLING | BUSY)
async def give_hint_position(request: Asked, data: JSONBody[CardboardPosition]) -> Response[Hint]:
    """What every legal move is worth, on a table as it lies."""
    house: House = request.app.state.house
    hint = await house.advise_position(data, partial(ask_much, request))
    return Response(hint, headers={"cache-control": "no-store"})


@post("/api/cardboard/games", responses=TELLING, request_max_body_size=LONGEST_GAME)
async def keep_told(request: Asked, data: JSONBody[CardboardGame]) -> Response[CardboardKept]:
    """Keeps the finished holes of a game with real cards as a finished game, to be looked at and gone through."""
    house: House = request.app.state.house
    may_open(request)
    return Response(CardboardKept(await house.keep_told(data)), status_code=201, headers={"cache-control": "no-store"})


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


@get("/api/card/{variant:str}", media_type="application/pdf", responses=ASKED_FOR | PRINTING)
async def print_card(
    request: Asked,
    variant: FromPath[str],
    language: FromQuery[str] = "en",
    paper: FromQuery[Paper] = "a4",
    players: FromQuery[int | None] = None,
    names: FromQuery[list[str] | None] = None,
    dealer: FromQuery[int | None] = None,
) -> Response[bytes]:
    """A score card to print and write on, as PDF; without a number of players for as many as are named."""
    return await printed(request, blank_wish(variant, language, paper, players, names, dealer), "pdf")


@get("/api/card/{variant:str}/picture", media_type="image/svg+xml", responses=ASKED_FOR | PRINTING)
async def show_card(
    request: Asked,
    variant: FromPath[str],
    language: FromQuery[str] = "en",
    paper: FromQuery[Paper] = "a4",
    players: FromQuery[int | None] = None,
    names: FromQuery[list[str] | None] = None,
    dealer: FromQuery[int | None] = None,
) -> Response[bytes]:
    """How such a card looks."""
    return await printed(request, blank_wish(variant, language, paper, players, names, dealer), "svg")


@post(
    "/api/card",
    media_type="application/pdf",
    status_code=200,
    responses=ASKED_FOR | PRINTING | {403: REFUSALS[403], 413: REFUSALS[413]},
)
async def print_told(request: Asked, data: JSONBody[CardWish]) -> Response[bytes]:
    """A score card as PDF, filled in with what is told: the score pad's game. Nothing of it is kept."""
    return await printed(request, data, "pdf")


@get("/api/games/{game:str}/card", media_type="application/pdf", responses=ASKED_FOR | PRINTING)
async def print_game(
    request: Asked, game: FromPath[str], language: FromQuery[str] = "en", paper: FromQuery[Paper] = "a4"
) -> Response[bytes]:
    """The score card of a finished game, as PDF."""
    house: House = request.app.state.house
    card, _ = await asyncio.to_thread(house.finished, game)
    if card.practice:
        raise Refusal("practice_only")
    return await printed(request, wish_of(card, language, paper), "pdf")


async def printed(request: Asked, wish: CardWish, form: Form) -> Response[bytes]:
    shop: PrintShop = request.app.state.print_shop
    content = await shop.print(wish, form, partial(ask_much, request))
    if form == "svg":
        return Response(content, media_type="image/svg+xml", headers={"cache-control": ASK_AGAIN})
    name = re.sub(r"[^a-z0-9_]+", "", wish.game.lower())[:40] or "golf"
    headers = {"cache-control": ASK_AGAIN, "content-disposition": f'inline; filename="mulligan-{name}.pdf"'}
    return Response(content, media_type="application/pdf", headers=headers)


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
    show_tutorial,
    read_variant,
    open_table,
    show_table,
    show_qr,
    show_game,
    show_hole,
    show_analysis,
    give_hint,
    take_mulligan,
    show_told,
    give_hint_told,
    give_hint_position,
    keep_told,
    show_shuffles,
    show_frequencies,
    download_record,
    print_card,
    show_card,
    print_told,
    print_game,
    show_start,
    show_page,
]
