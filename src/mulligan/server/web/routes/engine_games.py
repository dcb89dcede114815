"""Routes: what a page keeps so that its own engine plays without the server: the records of the games, and the nets."""

import asyncio

from litestar import Response, get
from litestar.datastructures import CacheControlHeader
from litestar.params import FromPath, FromQuery

from mulligan.server.services.engine_games import NETS, are_known, engine_game, net_named
from mulligan.server.table.house_rules import variant_written
from mulligan.server.table.rights import Refusal
from mulligan.server.web.demands import COSTLY, demands
from mulligan.server.web.static_files import FOR_EVER
from mulligan.server.wire.engine_games import EngineGame

from .shared import ASKED_FOR, ZIPPED, Asked, ask_much, once_started, registry_of


@get(
    "/api/engine/{variant:str}",
    responses=ASKED_FOR,
    cache_control=CacheControlHeader(no_cache=True),
    guards=[once_started],
    opt=demands(2, "reads"),
)
async def show_engine_game(
    request: Asked, variant: FromPath[str], chosen: FromQuery[str] = "", seats: FromQuery[int] = 0
) -> EngineGame:
    """What the engine in a page needs to play a game, also with house rules (`jokers=-5,twos=2`), for so many players.

    For every number of players if the question has none.
    """
    found = await asyncio.to_thread(variant_written, variant, chosen)
    if found.match and not are_known(found, seats):
        ask_much(request)  # par has to be measured
    return await registry_of(request).archive.ask(engine_game, found, seats)


@get(f"/{NETS}{{name:str}}", media_type="application/zip", responses=ASKED_FOR, opt=demands(COSTLY, "reads") | ZIPPED)
async def show_net(request: Asked, name: FromPath[str]) -> Response[bytes]:
    """A net, in the file as it is stored: a zip archive of NumPy arrays."""
    content = await registry_of(request).archive.ask(net_named, name)
    if content is None:
        raise Refusal("not_found", path=f"{NETS}{name}"[:80])
    return Response(content, headers={"cache-control": FOR_EVER})
