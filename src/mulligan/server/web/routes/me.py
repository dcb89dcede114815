"""Routes: what the server knows of the guest who asks, coming back on another device, and being forgotten."""

import math
from collections.abc import Coroutine
from typing import Any

from litestar import Response, delete, get, post
from litestar.params import FromPath, JSONBody

from mulligan.server.limits import Buckets
from mulligan.server.rooms.persons import Persons, device_id, passkey_id
from mulligan.server.services import authenticators
from mulligan.server.services.authenticators import Place
from mulligan.server.table.preview import Preview
from mulligan.server.table.rights import Refusal
from mulligan.server.web.accounts import Guest, new_guest
from mulligan.server.web.config import Config
from mulligan.server.web.demands import COSTLY, demands
from mulligan.server.wire.everything import Everything
from mulligan.server.wire.persons import (
    ComeBack,
    ComeBackWords,
    DeviceNote,
    KeepPlace,
    Me,
    MyMatch,
    MyTable,
    PasskeyNote,
)

from .shared import (
    ALWAYS,
    ASKED_FOR,
    READS,
    REFUSALS,
    TELLING,
    Asked,
    address_of,
    cookie_of,
    guest_who_asks,
    once_started,
    registry_of,
)

MINE: dict[str, Any] = READS | {"responses": ALWAYS}


def persons_of(request: Asked) -> Persons:
    return Persons(registry_of(request))


@get("/api/me", responses=ALWAYS, opt=demands(2))
async def show_me(request: Asked) -> Response[Me]:
    """Whether I keep my place, and on which devices."""
    guest = await guest_who_asks(request)
    return Response(await me(request, guest), headers=cookie_of(guest))


async def me(request: Asked, guest: Guest) -> Me:
    persons, config = persons_of(request), request.app.state.config
    persons.note_seen(guest.device)
    devices = [
        DeviceNote(device_id(one), one.name, one.since, one.seen, one.device == guest.device)
        for one in persons.devices.of(guest.name)
    ]
    passkeys = [PasskeyNote(passkey_id(one), one.name, one.since) for one in await persons.passkeys(guest.name)]
    since = await persons.since(guest.name)
    return Me(since, devices, passkeys, place_of(request) is not None, config.keep_days)


def place_of(request: Asked) -> Place | None:
    """Returns where the page is, if this server and browsers have passkeys there.

    Origins of other sites have been refused.
    """
    origin = request.headers.get("origin") or f"{request.url.scheme}://{request.headers.get('host', '')}"
    return authenticators.place_of(origin) if authenticators.is_installed() else None


@post("/api/me/words", responses=TELLING, status_code=201, opt=demands(COSTLY, "tables"))
async def keep_my_place(request: Asked, data: JSONBody[KeepPlace]) -> Response[ComeBackWords]:
    """Gives me four new words with which I come back on another device; earlier ones end."""
    guest = await guest_who_asks(request)
    words = await persons_of(request).keep_place(guest.device, guest.name, data.device, data.language)
    return Response(ComeBackWords(words), status_code=201, headers=cookie_of(guest))


@post("/api/me/come-back", responses=TELLING, status_code=200, opt=demands(COSTLY, "tables"), guards=[once_started])
async def come_back(request: Asked, data: JSONBody[ComeBack]) -> Response[Me]:
    """Makes this device one of the person with these words. What it has at tables goes to them."""
    guest = await guest_who_asks(request)
    return await try_to_be(request, guest, persons_of(request).come_back(guest.device, data.device, data.words))


async def try_to_be(request: Asked, guest: Guest, coming: Coroutine[Any, Any, None]) -> Response[Me]:
    """Lets a device come back, unless its address has tried too often. Raises Refusal."""
    tries: Buckets = request.app.state.tries
    async with request.app.state.trying:
        if wait := tries.wait(address_of(request)):
            coming.close()
            raise Refusal("too_fast", seconds=math.ceil(wait))
        try:
            await coming
        except Refusal as refusal:
            if refusal.error in ("wrong_words", "wrong_passkey"):
                tries.ask(address_of(request))
            raise
    guest = guest._replace(name=await registry_of(request).guest_of(guest.device))
    return Response(await me(request, guest), headers=cookie_of(guest))


@delete("/api/me/devices/{device:str}", responses=ASKED_FOR | {403: REFUSALS[403]}, status_code=200, opt=demands(5))
async def sign_out(request: Asked, device: FromPath[str]) -> Me:
    """Signs one of my devices out: it is a new guest, without my tables."""
    guest = await guest_who_asks(request)
    await persons_of(request).sign_out(guest.name, device)
    return await me(request, await guest_who_asks(request))


@get("/api/me/tables", **MINE)
async def show_my_tables(request: Asked) -> list[MyTable]:
    """My tables on this server, the latest used first: those that wait for me, then those that go on."""
    guest = await guest_who_asks(request)
    persons = persons_of(request)
    left, asking = await persons.hours_left(guest.name), await persons.asking(guest.name)
    tables = [my_table(seen, guest.name, left, asking) for seen in await persons.tables(guest.name)]
    return sorted(tables, key=lambda table: (not (table.mine or table.knocks), table.over))


def my_table(seen: Preview, guest: str, left: dict[str, int], asking: dict[str, int]) -> MyTable:
    view = seen.welcome.view
    turn = view.turn
    return MyTable(
        table=seen.code,
        watch=view.watch,
        game=view.game,
        names=[seat.name for seat in view.seats if seat.kind != "open"],
        hole=view.hole,
        length=view.length,
        started=view.match > 0,
        over=view.phase == "over",
        turn="" if turn is None else view.seats[turn].name,
        mine=turn is not None and seen.guests[turn] == guest and not view.seats[turn].lent,
        left=left.get(view.watch),
        knocks=asking.get(view.watch, 0) if guest == seen.owner else 0,
    )


@get("/api/me/matches", **MINE)
async def show_my_matches(request: Asked) -> list[MyMatch]:
    """My finished matches on this server, the latest first."""
    guest = await guest_who_asks(request)
    found = await persons_of(request).matches(guest.name)
    return [MyMatch(match.game, match.seat, match.ended) for match in found]


@get("/api/me/everything", **MINE)
async def download_everything(request: Asked) -> Response[Everything]:
    """All that the server holds of me: my devices, my tables with what I wrote there, and the records of my matches."""
    guest = await guest_who_asks(request)
    persons = persons_of(request)
    found = await persons.matches(guest.name)
    everything = Everything(
        me=await me(request, guest),
        tables=await persons.visits(guest.name),
        matches=[MyMatch(match.game, match.seat, match.ended) for match in found],
        records=await persons.records(found),
        ways=await request.app.state.ways.everything(guest.name),
        knocks=await persons.knocks(guest.name),
    )
    return Response(everything, headers={"content-disposition": 'attachment; filename="mulligan.json"'})


@delete(
    "/api/me",
    responses=ALWAYS | {403: REFUSALS[403]},
    status_code=200,
    guards=[once_started],
    opt=demands(COSTLY, "reads"),
)
async def delete_me(request: Asked) -> Response[Me]:
    """Deletes me: my names and words at every table, my devices and come-back words. I leave all tables."""
    guest = await guest_who_asks(request)
    await persons_of(request).erase(guest.name)
    config: Config = request.app.state.config
    other = new_guest(request.url.scheme == "https", config.base_path)
    return Response(await me(request, other), headers=cookie_of(other))
