"""Routes: passkeys, with which people come back without typing anything."""

from litestar import Response, delete, get, post
from litestar.params import FromPath, JSONBody

from mulligan.server.rooms.passkeys import Passkeys
from mulligan.server.table.rights import Refusal
from mulligan.server.web.demands import COSTLY, demands
from mulligan.server.wire.persons import Me, PasskeyMade, PasskeyQuestion, PasskeyUsed, PasskeyWish

from .me import me, persons_of, place_of, try_to_be
from .shared import ALWAYS, ASKED_FOR, REFUSALS, TELLING, Asked, cookie_of, guest_who_asks, once_started

NOT_HERE = {status: REFUSALS[status] for status in (403, 404)}


def passkeys_of(request: Asked) -> Passkeys:
    """Raises Refusal if this server has no passkeys, or browsers have none at this address."""
    if (place := place_of(request)) is None:
        raise Refusal("no_passkeys")
    return Passkeys(persons_of(request), request.app.state.challenges, place)


@post("/api/me/passkeys/question", responses=TELLING | NOT_HERE, status_code=200, opt=demands(COSTLY, "tables"))
async def ask_for_new_passkey(request: Asked, data: JSONBody[PasskeyWish]) -> Response[PasskeyQuestion]:
    """What my browser is to be asked, to make a passkey."""
    guest = await guest_who_asks(request)
    options = await passkeys_of(request).ask_for_new(guest.device, guest.name, data.name)
    return Response(PasskeyQuestion(options), headers=cookie_of(guest))


@post("/api/me/passkeys", responses=TELLING | NOT_HERE, status_code=201, opt=demands(COSTLY, "tables"))
async def add_passkey(request: Asked, data: JSONBody[PasskeyMade]) -> Response[Me]:
    """Keeps the passkey that my browser has made."""
    guest = await guest_who_asks(request)
    await passkeys_of(request).add(guest.device, guest.name, data.name, data.credential)
    return Response(await me(request, guest), status_code=201, headers=cookie_of(guest))


@delete("/api/me/passkeys/{passkey:str}", responses=ASKED_FOR | {403: REFUSALS[403]}, status_code=200, opt=demands(5))
async def remove_passkey(request: Asked, passkey: FromPath[str]) -> Me:
    """Removes a passkey of mine."""
    guest = await guest_who_asks(request)
    await persons_of(request).remove_passkey(guest.name, passkey)
    return await me(request, guest)


@get("/api/me/come-back/question", responses=ALWAYS | NOT_HERE, opt=demands(COSTLY, "tables"))
async def ask_for_any_passkey(request: Asked) -> Response[PasskeyQuestion]:
    """What my browser is to be asked, to show any of my passkeys."""
    guest = await guest_who_asks(request)
    options = await passkeys_of(request).ask_for_one(guest.device)
    return Response(PasskeyQuestion(options), headers=cookie_of(guest))


@post(
    "/api/me/come-back/passkey",
    responses=TELLING | NOT_HERE,
    status_code=200,
    opt=demands(COSTLY, "tables"),
    guards=[once_started],
)
async def come_back_with_passkey(request: Asked, data: JSONBody[PasskeyUsed]) -> Response[Me]:
    """Makes this device one of the person with this passkey. What it has at tables goes to them."""
    guest = await guest_who_asks(request)
    coming = passkeys_of(request).come_back(guest.device, data.device, data.credential)
    return await try_to_be(request, guest, coming)
