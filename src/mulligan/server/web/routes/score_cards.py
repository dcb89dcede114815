"""Routes: score cards as PDF and SVG."""

import re
from functools import partial
from typing import Any

from litestar import Response, get, post
from litestar.di import NamedDependency, Provide
from litestar.params import FromPath, FromQuery, JSONBody

from mulligan.server.services.printing import Form, PrintShop, blank_wish, wish_of
from mulligan.server.web.demands import COSTLY, demands
from mulligan.server.web.static_files import ASK_AGAIN
from mulligan.server.wire.score_card import CardRequest, Court, Paper

from .shared import ASKED_FOR, READS, REFUSALS, Asked, ask_much, error_response, finished

PRINTING = {503: error_response("Printing is not available now")}


async def blank_card(
    variant: FromPath[str],
    language: FromQuery[str] = "en",
    paper: FromQuery[Paper] = "a4",
    players: FromQuery[int | None] = None,
    names: FromQuery[list[str] | None] = None,
    dealer: FromQuery[int | None] = None,
    court: FromQuery[Court | None] = None,
    house_rules: FromQuery[str] = "",
) -> CardRequest:
    """Returns the request for a blank score card; if `players` is missing, it has a line for each name."""
    return blank_wish(variant, language, paper, players, names, dealer, court, house_rules)


BLANK: dict[str, Any] = {
    "responses": ASKED_FOR | PRINTING,
    "dependencies": {"wish": Provide(blank_card)},
    "opt": demands(COSTLY, "reads"),
}


@get("/api/card/{variant:str}", **BLANK, media_type="application/pdf")
async def print_card(request: Asked, wish: NamedDependency[CardRequest]) -> Response[bytes]:
    """A blank score card as PDF; if `players` is missing, it has a line for each name."""
    return await printed(request, wish, "pdf")


@get("/api/card/{variant:str}/picture", **BLANK, media_type="image/svg+xml")
async def show_card(request: Asked, wish: NamedDependency[CardRequest]) -> Response[bytes]:
    """The preview of a blank score card as SVG."""
    return await printed(request, wish, "svg")


@post(
    "/api/card",
    media_type="application/pdf",
    status_code=200,
    responses=ASKED_FOR | PRINTING | {403: REFUSALS[403], 413: REFUSALS[413]},
    opt=demands(COSTLY, "reads"),
)
async def print_entered(request: Asked, data: JSONBody[CardRequest]) -> Response[bytes]:
    """A score card as PDF with the given players and results. Nothing is stored."""
    return await printed(request, data, "pdf")


@get("/api/games/{game:str}/card", **READS | {"responses": ASKED_FOR | PRINTING}, media_type="application/pdf")
async def print_game(
    request: Asked,
    game: FromPath[str],
    language: FromQuery[str] = "en",
    paper: FromQuery[Paper] = "a4",
    court: FromQuery[Court | None] = None,
) -> Response[bytes]:
    """The score card of a finished match, as PDF."""
    card, _ = await finished(request, game, with_practice=False)
    return await printed(request, wish_of(card, language, paper, court), "pdf")


async def printed(request: Asked, wish: CardRequest, form: Form) -> Response[bytes]:
    shop: PrintShop = request.app.state.print_shop
    content = await shop.print(wish, form, partial(ask_much, request))
    if form == "svg":
        return Response(content, media_type="image/svg+xml", headers={"cache-control": ASK_AGAIN})
    name = re.sub(r"[^a-z0-9_]+", "", wish.game.lower())[:40] or "golf"
    headers = {"cache-control": ASK_AGAIN, "content-disposition": f'inline; filename="mulligan-{name}.pdf"'}
    return Response(content, media_type="application/pdf", headers=headers)
