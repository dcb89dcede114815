"""Converts exceptions into HTTP responses."""

import math

from litestar import Response
from litestar.exceptions import HTTPException, ValidationException

from mulligan.server.limits import Guesses
from mulligan.server.log import log
from mulligan.server.table.rights import Refusal
from mulligan.server.wire.base import ErrorNote

from .shared import STATUS, Asked, address_of, note

# Exception handlers


def refuse(request: Asked, refusal: Refusal) -> Response[ErrorNote]:
    if refusal.error == "game_gone":
        refusal = too_many_guesses(request) or refusal
    request.app.state.registry.metrics.refuse(refusal.error)
    answer = note(STATUS.get(refusal.error, 400), refusal.error, **refusal.params)
    if "seconds" in refusal.params:
        answer.headers["retry-after"] = str(refusal.params["seconds"])
    return answer


def too_many_guesses(request: Asked) -> Refusal | None:
    """Counts a wrong id of a game, whose first part is the code for spectators, as a guess at it."""
    guesses: Guesses = request.app.state.guesses
    wait = guesses.miss(address_of(request), f"w/{request.path_params['game'][:20].upper()}")
    return Refusal("too_fast", seconds=math.ceil(wait)) if wait else None


def refuse_invalid(_: Asked, error: ValidationException) -> Response[ErrorNote]:
    extra = error.extra if isinstance(error.extra, list) else []
    details = [str(fault["message"]) for fault in extra if isinstance(fault, dict) and "message" in fault]
    return note(400, "bad_request", detail="; ".join(details)[:300] or error.detail[:300])


def refuse_http(request: Asked, error: HTTPException) -> Response[ErrorNote]:
    if error.status_code == 404:
        return note(404, "not_found", path=request.url.path[:80])
    return note(
        error.status_code, "server_fault" if error.status_code >= 500 else "bad_request", detail=error.detail[:300]
    )


def refuse_depth(_: Asked, error: RecursionError) -> Response[ErrorNote]:
    return note(400, "bad_request", detail="nested too deeply")


def refuse_encoding(_: Asked, error: UnicodeDecodeError) -> Response[ErrorNote]:
    return note(400, "bad_request", detail="not a text in UTF-8")


def report_unexpected(request: Asked, error: Exception) -> Response[ErrorNote]:
    """Reports an unexpected error: the log gets the details, the client only the error code."""
    log.error("request_failed", method=request.method, route=request.scope.get("path_template", ""), exc_info=error)
    return note(500, "server_fault")
