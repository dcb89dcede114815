"""Routes: finished matches."""

import json

from litestar import Response, get
from litestar.params import FromPath

from mulligan.server.rooms.registry import Registry
from mulligan.server.table.rights import Refusal
from mulligan.server.web.demands import COSTLY, demands
from mulligan.server.wire.finished import FinishedGame, HoleReplay
from mulligan.server.wire.shuffles import ShuffleBook

from .shared import ASKED_FOR, FOR_A_MINUTE, ZIPPED, Asked, once_started, unzipped_for


@get(
    "/api/games/{game:str}",
    responses=ASKED_FOR,
    cache_control=FOR_A_MINUTE,
    guards=[once_started],
    opt=demands(COSTLY, "reads"),
)
async def show_game(request: Asked, game: FromPath[str]) -> FinishedGame:
    """The score card of a finished match."""
    registry: Registry = request.app.state.registry
    card, _ = await registry.archive.ask(registry.archive.finished, game)
    return card


@get(
    "/api/games/{game:str}/holes/{hole:int}",
    responses=ASKED_FOR,
    cache_control=FOR_A_MINUTE,
    guards=[once_started],
    opt=demands(COSTLY, "replays") | ZIPPED,
)
async def show_hole(request: Asked, game: FromPath[str], hole: FromPath[int]) -> Response[HoleReplay]:
    """Every position of one hole of a finished match, from the deal to the scoring."""
    registry: Registry = request.app.state.registry
    return unzipped_for(request, await registry.archive.ask(registry.archive.replay, game, hole))


@get("/api/games/{game:str}/shuffles", responses=ASKED_FOR, guards=[once_started], opt=demands(COSTLY, "reads"))
async def show_shuffles(request: Asked, game: FromPath[str]) -> Response[ShuffleBook]:
    """The commitments and seeds of each pack in a match so far, to verify the shuffles."""
    registry: Registry = request.app.state.registry
    book = await registry.archive.ask(registry.archive.shuffles, game)
    return Response(book, headers={"cache-control": "no-store"})


@get(
    "/api/games/{game:str}/record",
    media_type="application/jsonl",
    responses=ASKED_FOR,
    guards=[once_started],
    opt=demands(COSTLY, "reads"),
)
async def download_record(request: Asked, game: FromPath[str]) -> Response[bytes]:
    """The record of a finished match: one line of JSON, in the format that `mulligan referee` reads."""
    registry: Registry = request.app.state.registry
    card, record = await registry.archive.ask(registry.archive.finished, game)
    if card.practice:
        raise Refusal("practice_only")
    line = json.dumps(record, ensure_ascii=False) + "\n"
    return Response(
        line.encode(),
        media_type="application/jsonl",
        headers={"content-disposition": f'attachment; filename="mulligan-{card.game}-{card.id}.jsonl"'},
    )
