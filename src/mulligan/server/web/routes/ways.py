"""Routes: how the guest who asks wants to be told that it is their turn."""

import math

from litestar import Response, delete, get, post
from litestar.params import FromPath, JSONBody

from mulligan.server.limits import Buckets
from mulligan.server.rooms import ways as rooms
from mulligan.server.table.rights import Refusal
from mulligan.server.web.accounts import Guest
from mulligan.server.web.demands import COSTLY, demands
from mulligan.server.wire.ways import ChannelCode, ChannelWish, PushWish, Ways

from .shared import ALWAYS, ASKED_FOR, REFUSALS, TELLING, Asked, address_of, base_of, cookie_of, guest_who_asks

CHANGES = TELLING | {404: REFUSALS[404]}


def ways_of(request: Asked) -> rooms.Ways:
    ways: rooms.Ways = request.app.state.ways
    return ways


async def answer(request: Asked, guest: Guest, status: int = 200) -> Response[Ways]:
    offered = await ways_of(request).offered(guest.name, guest.device)
    return Response(offered, status_code=status, headers=cookie_of(guest))


def must_wait(buckets: Buckets, *keys: str) -> None:
    """Takes from several buckets, if none of them is empty. Raises Refusal."""
    if wait := max(buckets.wait(key) for key in keys):
        raise Refusal("too_fast", seconds=math.ceil(wait))
    for key in keys:
        buckets.ask(key)


@get("/api/me/ways", responses=ALWAYS, opt=demands(2))
async def show_my_ways(request: Asked) -> Response[Ways]:
    """How I am told that it is my turn, and how this server can tell me."""
    return await answer(request, await guest_who_asks(request))


@post("/api/me/ways/push", responses=CHANGES, status_code=200, opt=demands(COSTLY, "tables"))
async def tell_this_device(request: Asked, data: JSONBody[PushWish]) -> Response[Ways]:
    """Tells me by push messages to this device, or changes its quiet hours."""
    guest = await guest_who_asks(request)
    must_wait(request.app.state.pushes, address_of(request))
    await ways_of(request).subscribe(guest.name, guest.device, base_of(request), data)
    return await answer(request, guest)


@post("/api/me/ways/channel", responses=TELLING, status_code=202, opt=demands(COSTLY, "tables"))
async def send_me_a_code(request: Asked, data: JSONBody[ChannelWish]) -> Response[Ways]:
    """Sends a code to an address of mine in a channel of this server."""
    guest = await guest_who_asks(request)
    place = f"{data.channel} {data.address.lower()}"
    must_wait(request.app.state.codes, address_of(request), guest.name, place[:200])
    await ways_of(request).ask_code(guest.name, guest.device, base_of(request), data)
    return await answer(request, guest, 202)


@post("/api/me/ways/channel/code", responses=TELLING, status_code=200, opt=demands(COSTLY, "tables"))
async def tell_me_there(request: Asked, data: JSONBody[ChannelCode]) -> Response[Ways]:
    """Tells me at an address from now on, if I know the code that was sent there."""
    guest = await guest_who_asks(request)
    await ways_of(request).confirm(guest.name, data)
    return await answer(request, guest)


@delete("/api/me/ways/{way:str}", responses=ASKED_FOR | {403: REFUSALS[403]}, status_code=200, opt=demands(5))
async def tell_me_no_more(request: Asked, way: FromPath[str]) -> Response[Ways]:
    """Ends one of my ways."""
    guest = await guest_who_asks(request)
    await ways_of(request).remove(guest.name, way)
    return await answer(request, guest)
