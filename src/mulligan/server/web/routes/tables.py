"""Routes: opening a table and looking at one."""

import io

import segno
from litestar import Response, get, post
from litestar.params import FromPath, FromQuery, JSONBody

from mulligan.server.limits import Guesses
from mulligan.server.table.preview import Preview
from mulligan.server.table.rights import Refusal
from mulligan.server.table.table import Table
from mulligan.server.web.accounts import Guest
from mulligan.server.web.demands import COSTLY, demands
from mulligan.server.web.static_files import ASK_AGAIN
from mulligan.server.wire.coach import MulliganRequest
from mulligan.server.wire.finished import Frame
from mulligan.server.wire.tables import NewTable, SeatNote, TableNote, TableOpened

from .shared import (
    ASKED_FOR,
    REFUSALS,
    TELLING,
    Asked,
    address_of,
    base_of,
    cookie_of,
    guest_who_asks,
    may_open,
    once_started,
    registry_of,
)


@post(
    "/api/tables",
    responses=TELLING,
    opt=demands(COSTLY, "tables"),
)
async def open_table(request: Asked, data: JSONBody[NewTable]) -> Response[TableOpened]:
    """Opens a table with seats for me, others on my device, friends invited by link, or computer players."""
    guest = await guest_who_asks(request)
    may_open(request)
    table = await registry_of(request).open_table(data, guest.name)
    return Response(codes_of(table, base_of(request)), status_code=201, headers=cookie_of(guest))


def codes_of(table: Table, base: str) -> TableOpened:
    return TableOpened(
        table=table.code, watch=table.watch, link=f"{base}/t/{table.code}", watch_link=f"{base}/w/{table.watch}"
    )


@get("/api/tables/{code:str}", responses=ASKED_FOR, opt=demands(2))
async def show_table(request: Asked, code: FromPath[str]) -> Response[TableNote]:
    """A table as described to a guest who may join it."""
    guest = await guest_who_asks(request)
    seen = await seen_by(request, code, guest)
    note = table_note(seen, guest, base_of(request))
    return Response(note, headers=cookie_of(guest))


def table_note(seen: Preview, guest: Guest, base: str) -> TableNote:
    """Returns what a guest may know about a table; without names if it is full and they have no seat."""
    view = seen.welcome.view
    seated = seen.is_home_of(guest.name)
    open_to_guest = seated or any(seat.kind == "open" for seat in view.seats)
    return TableNote(
        table=seen.code,
        watch=seen.watch,
        link=f"{base}/t/{seen.code}",
        watch_link=f"{base}/w/{seen.watch}",
        game=view.game,
        seats=[SeatNote(name=seat.name if open_to_guest else "", kind=seat.kind) for seat in view.seats],
        started=view.match > 0,
        over=view.phase == "over",
        seated=seated,
    )


@get(
    "/api/tables/{code:str}/qr.svg",
    media_type="image/svg+xml",
    responses=ASKED_FOR,
    opt=demands(5, "reads"),
)
async def show_qr(request: Asked, code: FromPath[str], watch: FromQuery[bool] = False) -> Response[bytes]:
    """The QR code of a table's link, for players or for spectators."""
    seen = await seen_by(request, code, await guest_who_asks(request))
    path = f"/w/{seen.watch}" if watch else f"/t/{seen.code}"
    picture = io.BytesIO()
    segno.make(base_of(request) + path, micro=False).save(picture, kind="svg", border=2, light="#fff", scale=8)
    return Response(picture.getvalue(), media_type="image/svg+xml", headers={"cache-control": ASK_AGAIN})


@get(
    "/api/tables/{code:str}/meanwhile",
    responses=ASKED_FOR,
    guards=[once_started],
    opt=demands(COSTLY, "replays"),
)
async def show_meanwhile(request: Asked, code: FromPath[str], seat: FromQuery[int]) -> list[Frame]:
    """What happened since the last turn of a seat's person: positions of this match, oldest first."""
    guest = await guest_who_asks(request)
    found = await found_by(request, code, guest)
    view = (await seen_by(request, code, guest)).welcome.view
    if not 0 <= seat < len(view.seats):
        raise Refusal("no_such_seat", seat=seat)
    archive = registry_of(request).archive
    return await archive.ask(archive.meanwhile, found, view.watch, view.match, seat)


async def found_by(request: Asked, code: str, guest: Guest, watching: bool = False) -> str:
    """Returns the table's original code. Raises Refusal."""
    guesses: Guesses = request.app.state.guesses
    return await registry_of(request).find(code, watching, guest.name, address_of(request), guesses)


async def seen_by(request: Asked, code: str, guest: Guest) -> Preview:
    """Returns the current state of a table. Raises Refusal."""
    seen = await registry_of(request).look(await found_by(request, code, guest))
    if seen is None:
        raise Refusal("table_gone", table=code[:20])
    return seen


@post(
    "/api/games/{game:str}/mulligan",
    responses=ASKED_FOR | {403: REFUSALS[403], 413: REFUSALS[413]},
    guards=[once_started],
    opt=demands(COSTLY, "tables"),
)
async def take_mulligan(request: Asked, game: FromPath[str], data: JSONBody[MulliganRequest]) -> Response[TableOpened]:
    """Opens a practice table, which plays on from a position of a finished match against computer players."""
    guest = await guest_who_asks(request)
    may_open(request)
    table = await registry_of(request).open_practice(game, data, guest.name)
    return Response(codes_of(table, base_of(request)), status_code=201, headers=cookie_of(guest))
