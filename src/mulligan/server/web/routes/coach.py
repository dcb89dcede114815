"""Routes: hints and analyses, for games played here and games with real cards."""

from functools import partial
from typing import Any

from litestar import Response, get, post
from litestar.params import FromPath, JSONBody

from mulligan.game.variants import Variant
from mulligan.server.services.followers import Followers, advise_position
from mulligan.server.table.rights import Refusal
from mulligan.server.table.table import Table
from mulligan.server.web.demands import COSTLY, demands
from mulligan.server.wire.cardboard import CardboardGame, CardboardKept, CardboardPosition, CardboardTable
from mulligan.server.wire.coach import Analysis, Hint, HintPosition, HintRequest, RefinedHole

from .shared import (
    ASKED_FOR,
    BUSY,
    FOR_A_MINUTE,
    LONGEST_GAME,
    REFUSALS,
    TELLING,
    Asked,
    ask_much,
    finished,
    guest_who_asks,
    may_keep,
    may_tell,
    once_started,
    registry_of,
)
from .tables import found_by

COACHED: dict[str, Any] = {"guards": [once_started], "opt": demands(COSTLY, "coach")}
HINTED = ASKED_FOR | {403: REFUSALS[403], 413: REFUSALS[413]}
ENTERED = COACHED | {"status_code": 200, "responses": TELLING | BUSY, "request_max_body_size": LONGEST_GAME}


@get("/api/games/{game:str}/analysis", **COACHED, responses=ASKED_FOR | BUSY, cache_control=FOR_A_MINUTE)
async def show_analysis(request: Asked, game: FromPath[str]) -> Analysis:
    """The luck and mistakes of each player in a finished match; the largest mistakes first."""
    card, record = await finished(request, game)
    variant = await rules_of(request, game)
    return await registry_of(request).coach.analyse(card, record, variant, partial(ask_much, request))


@get(
    "/api/games/{game:str}/analysis/{hole:int}",
    responses=ASKED_FOR | BUSY,
    cache_control=FOR_A_MINUTE,
    guards=[once_started],
    opt=demands(COSTLY, "refining"),
)
async def refine_hole(request: Asked, game: FromPath[str], hole: FromPath[int]) -> RefinedHole:
    """The analysis of one hole, from 1, after its costliest moves were played out; only while nobody else waits."""
    card, record = await finished(request, game)
    variant = await rules_of(request, game)
    return await registry_of(request).coach.refine(card, record, variant, hole, partial(ask_much, request))


async def rules_of(request: Asked, game: str) -> Variant:
    archive = registry_of(request).archive
    return await archive.ask(archive.rules_of, game)


@post("/api/tables/{code:str}/hint", **COACHED, status_code=200, responses=HINTED | BUSY)
async def give_hint(request: Asked, code: FromPath[str], data: JSONBody[HintRequest]) -> Hint:
    """Rates every legal move for the player to move, if they play against computer players only."""
    table, guest = await table_and_guest(request, code)
    return await registry_of(request).coach.advise(table, guest, data.seat, partial(ask_much, request))


@post("/api/tables/{code:str}/position", status_code=200, responses=HINTED, opt=demands(2))
async def give_position(request: Asked, code: FromPath[str], data: JSONBody[HintRequest]) -> HintPosition:
    """The position of a hint, for a page that rates the moves with its own engine."""
    table, guest = await table_and_guest(request, code)
    return registry_of(request).coach.position(table, guest, data.seat)


async def table_and_guest(request: Asked, code: str) -> tuple[Table, str]:
    """Returns the table, and the name of the guest who asks about it. Raises Refusal."""
    guest = await guest_who_asks(request)
    live = await registry_of(request).live_table(await found_by(request, code, guest))
    if live is None:
        raise Refusal("table_gone", table=code[:20])
    return live.table, guest.name


@post("/api/cardboard", **ENTERED)
async def show_entered(request: Asked, data: JSONBody[CardboardGame]) -> Response[CardboardTable]:
    """The state of a game with real cards after all moves so far. Nothing is stored."""
    may_tell(request, data)
    shown: Any = await followers_of(request).show(data)
    return Response(shown)


@post("/api/cardboard/hint", **ENTERED)
async def give_hint_entered(request: Asked, data: JSONBody[CardboardGame]) -> Hint:
    """Rates every legal move in a game with real cards."""
    may_tell(request, data)
    return await followers_of(request).advise(registry_of(request).coach, data, partial(ask_much, request))


@post("/api/cardboard/position", **COACHED, status_code=200, responses=TELLING | BUSY)
async def give_hint_position(request: Asked, data: JSONBody[CardboardPosition]) -> Hint:
    """Rates every legal move in a given position with real cards."""
    return await advise_position(registry_of(request).coach, data, partial(ask_much, request))


@post("/api/cardboard/games", **ENTERED | {"status_code": 201, "opt": demands(COSTLY, "tables")})
async def keep_entered(request: Asked, data: JSONBody[CardboardGame]) -> CardboardKept:
    """Saves the finished holes of a game with real cards as a finished match, for replay and analysis."""
    may_keep(request, data)
    return CardboardKept(await registry_of(request).keep_entered(await followers_of(request).finish(data)))


def followers_of(request: Asked) -> Followers:
    followers: Followers = request.app.state.followers
    return followers
