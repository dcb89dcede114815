"""Routes: hints and analyses, for games played here and games with real cards."""

from functools import partial
from typing import Any

from litestar import Response, get, post
from litestar.params import FromPath, JSONBody

from mulligan.server.rooms.registry import Registry
from mulligan.server.services.followers import Followers, advise_position
from mulligan.server.table.rights import Refusal
from mulligan.server.web.demands import COSTLY, demands
from mulligan.server.wire.cardboard import CardboardGame, CardboardKept, CardboardPosition, CardboardTable
from mulligan.server.wire.coach import Analysis, Hint, HintRequest, RefinedHole

from .shared import (
    ASKED_FOR,
    BUSY,
    FOR_A_MINUTE,
    LONGEST_GAME,
    REFUSALS,
    TELLING,
    Asked,
    ask_much,
    guest_who_asks,
    may_keep,
    may_tell,
    once_started,
)
from .tables import found_by


@get(
    "/api/games/{game:str}/analysis",
    responses=ASKED_FOR | BUSY,
    cache_control=FOR_A_MINUTE,
    guards=[once_started],
    opt=demands(COSTLY, "coach"),
)
async def show_analysis(request: Asked, game: FromPath[str]) -> Analysis:
    """The luck and mistakes of each player in a finished match; the largest mistakes first."""
    registry: Registry = request.app.state.registry
    card, record = await registry.archive.ask(registry.archive.finished, game)
    variant = await registry.archive.ask(registry.archive.rules_of, game)
    return await registry.coach.analyse(card, record, variant, partial(ask_much, request))


@get(
    "/api/games/{game:str}/analysis/{hole:int}",
    responses=ASKED_FOR | BUSY,
    cache_control=FOR_A_MINUTE,
    guards=[once_started],
    opt=demands(COSTLY, "refining"),
)
async def refine_hole(request: Asked, game: FromPath[str], hole: FromPath[int]) -> RefinedHole:
    """The analysis of one hole, from 1, after its costliest moves were played out; only while nobody else waits."""
    registry: Registry = request.app.state.registry
    card, record = await registry.archive.ask(registry.archive.finished, game)
    variant = await registry.archive.ask(registry.archive.rules_of, game)
    return await registry.coach.refine(card, record, variant, hole, partial(ask_much, request))


@post(
    "/api/tables/{code:str}/hint",
    responses=ASKED_FOR | BUSY | {403: REFUSALS[403], 413: REFUSALS[413]},
    status_code=200,
    guards=[once_started],
    opt=demands(COSTLY, "coach"),
)
async def give_hint(request: Asked, code: FromPath[str], data: JSONBody[HintRequest]) -> Response[Hint]:
    """Rates every legal move for the player to move, if they play against computer players only."""
    registry: Registry = request.app.state.registry
    guest = guest_who_asks(request)
    live = await registry.live_table(await found_by(request, code, guest))
    if live is None:
        raise Refusal("table_gone", table=code[:20])
    hint = await registry.coach.advise(live.table, guest.name, data.seat, partial(ask_much, request))
    return Response(hint, headers={"cache-control": "no-store"})


@post(
    "/api/cardboard",
    status_code=200,
    responses=TELLING | BUSY,
    request_max_body_size=LONGEST_GAME,
    guards=[once_started],
    opt=demands(COSTLY, "coach"),
)
async def show_entered(request: Asked, data: JSONBody[CardboardGame]) -> Response[CardboardTable]:
    """The state of a game with real cards after all moves so far. Nothing is stored."""
    may_tell(request, data)
    shown: Any = await followers_of(request).show(data)
    return Response(shown, headers={"cache-control": "no-store"})


@post(
    "/api/cardboard/hint",
    status_code=200,
    responses=TELLING | BUSY,
    request_max_body_size=LONGEST_GAME,
    guards=[once_started],
    opt=demands(COSTLY, "coach"),
)
async def give_hint_entered(request: Asked, data: JSONBody[CardboardGame]) -> Response[Hint]:
    """Rates every legal move in a game with real cards."""
    registry: Registry = request.app.state.registry
    may_tell(request, data)
    hint = await followers_of(request).advise(registry.coach, data, partial(ask_much, request))
    return Response(hint, headers={"cache-control": "no-store"})


@post(
    "/api/cardboard/position",
    status_code=200,
    responses=TELLING | BUSY,
    guards=[once_started],
    opt=demands(COSTLY, "coach"),
)
async def give_hint_position(request: Asked, data: JSONBody[CardboardPosition]) -> Response[Hint]:
    """Rates every legal move in a given position with real cards."""
    registry: Registry = request.app.state.registry
    hint = await advise_position(registry.coach, data, partial(ask_much, request))
    return Response(hint, headers={"cache-control": "no-store"})


@post(
    "/api/cardboard/games",
    responses=TELLING | BUSY,
    request_max_body_size=LONGEST_GAME,
    guards=[once_started],
    opt=demands(COSTLY, "tables"),
)
async def keep_entered(request: Asked, data: JSONBody[CardboardGame]) -> Response[CardboardKept]:
    """Saves the finished holes of a game with real cards as a finished match, for replay and analysis."""
    registry: Registry = request.app.state.registry
    may_keep(request, data)
    log = await followers_of(request).finish(data)
    return Response(
        CardboardKept(await registry.keep_entered(log)), status_code=201, headers={"cache-control": "no-store"}
    )


def followers_of(request: Asked) -> Followers:
    followers: Followers = request.app.state.followers
    return followers
