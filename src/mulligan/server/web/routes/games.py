"""Routes: finished matches."""

import json

from litestar import Response, get
from litestar.params import FromPath

from mulligan.server.web.demands import COSTLY, demands
from mulligan.server.wire.finished import FinishedGame, HoleReplay
from mulligan.server.wire.shuffles import ShuffleBook

from .shared import ASKED_FOR, FOR_A_MINUTE, READS, ZIPPED, Asked, finished, once_started, registry_of, unzipped_for


@get("/api/games/{game:str}", **READS, cache_control=FOR_A_MINUTE)
async def show_game(request: Asked, game: FromPath[str]) -> FinishedGame:
    """The score card of a finished match."""
    card, _ = await finished(request, game)
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
    archive = registry_of(request).archive
    return unzipped_for(request, await archive.ask(archive.replay, game, hole))


@get("/api/games/{game:str}/shuffles", **READS)
async def show_shuffles(request: Asked, game: FromPath[str]) -> ShuffleBook:
    """The commitments and seeds of each pack in a match so far, to verify the shuffles."""
    archive = registry_of(request).archive
    return await archive.ask(archive.shuffles, game)


@get("/api/games/{game:str}/record", **READS, media_type="application/jsonl")
async def download_record(request: Asked, game: FromPath[str]) -> Response[bytes]:
    """The record of a finished match: one line of JSON, in the format that `mulligan referee` reads."""
    card, record = await finished(request, game, with_practice=False)
    line = json.dumps(record, ensure_ascii=False) + "\n"
    return Response(
        line.encode(),
        media_type="application/jsonl",
        headers={"content-disposition": f'attachment; filename="mulligan-{card.game}-{card.id}.jsonl"'},
    )
