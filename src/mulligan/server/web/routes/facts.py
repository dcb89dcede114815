"""Routes: the games and the rule book, lessons, and the health of the server."""

import asyncio
import gzip
import time
from collections.abc import Callable
from functools import lru_cache
from typing import Literal, TypeVar

import msgspec
from litestar import Response, get, post
from litestar.datastructures import CacheControlHeader, State
from litestar.openapi.datastructures import ResponseSpec
from litestar.params import FromPath, FromQuery, JSONBody

from mulligan import __version__
from mulligan.game import house_book, rulebook
from mulligan.game.error_sentences import Problem
from mulligan.game.facts import GameFacts
from mulligan.game.safe_text import printable
from mulligan.game.variants import FileError, Variant, VariantError, as_entered, games
from mulligan.game.words import Words
from mulligan.server import first_start
from mulligan.server.rooms.registry import Registry
from mulligan.server.services.lessons import lessons, matched_in
from mulligan.server.table.house_rules import variant_written, words_in
from mulligan.server.table.rights import Refusal
from mulligan.server.web.demands import COSTLY, demands
from mulligan.server.web.ending import Ending
from mulligan.server.wire.base import VARIANT_LENGTH
from mulligan.server.wire.facts import Facts, Health, RuleBlock, RuleBook, RuleChapter, RuleText, VariantFile
from mulligan.server.wire.game_facts import facts, facts_of_file, house_rules_of, variant_of_file
from mulligan.server.wire.lessons import Tutorial
from mulligan.server.wire.offered_options import HouseRules
from mulligan.server.wire.shuffles import Frequency

from .shared import (
    ALWAYS,
    ASKED_FOR,
    FOR_A_MINUTE,
    FOR_AN_HOUR,
    READS,
    TELLING,
    ZIPPED,
    Asked,
    base_of,
    once_started,
    registry_of,
    unzipped_for,
)

Read = TypeVar("Read")
OR_NOT = ALWAYS | {503: ResponseSpec(Health, description="Not ready", generate_examples=False)}


@get("/api/health", sync_to_thread=False, responses=OR_NOT, opt=demands(0))
def show_health(request: Asked) -> Response[Health]:
    """Liveness: the server can write to the disk and is not closing. Status 503 otherwise."""
    return answer_if(("well", "starting", "draining"), request)


@get("/api/ready", sync_to_thread=False, responses=OR_NOT, opt=demands(0))
def show_ready(request: Asked) -> Response[Health]:
    """Readiness: the server is healthy, has started and takes new tables. Status 503 otherwise."""
    return answer_if(("well",), request)


def answer_if(good: tuple[str, ...], request: Asked) -> Response[Health]:
    """Returns the health of the server, with status 503 unless it is one of `good`."""
    health = health_of(request.app.state)
    return Response(health, status_code=200 if health.status in good else 503)


def health_of(state: State) -> Health:
    registry: Registry = state.registry
    status: Literal["well", "starting", "draining", "closing", "cannot_write"] = "well"
    ending: Ending = state.ending
    if ending.is_closing:
        status = "closing"
    elif not registry.store.is_well:
        status = "cannot_write"
    elif ending.is_draining:
        status = "draining"
    elif not registry.is_warm.is_set():
        status = "starting"
    seconds = round(time.monotonic() - state.started, 1)
    lost = sum(registry.went_back.values())
    failing = len(registry.metrics.failing)
    return Health(status, __version__, seconds, lost, failing, compiling=first_start.progress)


@get(
    "/api/facts",
    sync_to_thread=False,
    responses=ALWAYS,
    cache_control=CacheControlHeader(no_cache=True),
    opt=demands(2),
)
def show_facts(request: Asked) -> Facts:
    """The games, the computer players, the languages and the limits."""
    return facts(base_of(request), registry_of(request).announcement)


@get("/api/rulebook/{language:str}", **READS | {"opt": READS["opt"] | ZIPPED}, cache_control=FOR_AN_HOUR)
async def show_rulebook(
    request: Asked, language: FromPath[str], game: FromQuery[str] = "", chosen: FromQuery[str] = ""
) -> Response[RuleBook]:
    """The rule book in a language, by chapter; for a game with house rules (`jokers=-5,twos=2`), as they change it."""
    return unzipped_for(request, await registry_of(request).archive.ask(read_rulebook, language, game, chosen))


@lru_cache(maxsize=64)
def read_rulebook(language: str, game: str, chosen: str) -> bytes:
    """Returns the rule book as it is sent: JSON, compressed once, in the thread of all long reads. Raises Refusal."""
    try:
        book = rulebook.book(language)
    except (rulebook.RuleBookError, OSError):
        raise Refusal("no_such_language", language=language[:20], languages=list(rulebook.LANGUAGES)) from None
    variant = variant_written(game, chosen, language) if chosen else None
    if variant:
        book = house_book.book_of(Words(language), variant)
    told = RuleBook(
        title=book.title,
        intro=blocks_of(book.intro, variant),
        chapters=[
            RuleChapter(
                number=chapter.number,
                title=chapter.title,
                rules=[RuleText(rule.number, rule.title, blocks_of(rule.blocks, variant)) for rule in chapter.rules],
                blocks=blocks_of(chapter.blocks, variant),
            )
            for chapter in book.chapters
        ],
        facts=variant.facts if variant else None,
    )
    return gzip.compress(msgspec.json.encode(told), 6)


@post("/api/variant", status_code=200, responses=TELLING, opt=demands(COSTLY, "reads"))
async def read_variant(data: JSONBody[VariantFile]) -> GameFacts:
    """The facts of a variant, given the text of its file, for the score pad. Nothing is stored."""
    return await asyncio.to_thread(read_file, data, facts_of_file)


@post("/api/house-rules", status_code=200, responses=TELLING, opt=demands(COSTLY, "reads"))
async def read_house_rules_file(data: JSONBody[VariantFile]) -> HouseRules:
    """A game with house rules, given the text of their file; else as for `GET`. Nothing is stored."""
    variant, words = await asyncio.to_thread(read_file, data, variant_of_file), words_in(data.language)
    if not variant.is_ours:
        raise Refusal(
            "bad_house_rules", detail=FileError("not_house", example=f'game = "{games()[0]}"').in_words(words)
        )
    return await asyncio.to_thread(house_rules_of, variant, words.language)


def read_file(file: VariantFile, read: Callable[[str, str], Read]) -> Read:
    """Returns what a file from the user holds. Raises Refusal."""
    if len(file.text) > VARIANT_LENGTH:
        raise Refusal("variant_too_long", most=VARIANT_LENGTH)
    try:
        return read(file.name, file.text)
    except Problem as problem:
        raise Refusal("bad_house_rules", detail=printable(problem.in_words(words_in(file.language)), 300)) from None
    except VariantError as error:
        raise Refusal("bad_variant", detail=printable(str(error), 300)) from None


@get("/api/house-rules/{variant:str}", responses=ASKED_FOR, opt=demands(COSTLY, "reads"))
async def show_house_rules(
    variant: FromPath[str], chosen: FromQuery[str] = "", language: FromQuery[str] = "en"
) -> HouseRules:
    """A game with house rules, such as `jokers=-5,twos=2`, and the options that it offers, in a language."""
    if language not in rulebook.LANGUAGES:
        raise Refusal("no_such_language", language=language[:20], languages=list(rulebook.LANGUAGES))
    return await asyncio.to_thread(read_house_rules, variant, chosen, language)


def read_house_rules(game: str, chosen: str, language: str) -> HouseRules:
    """Returns a game with the chosen house rules. Raises Refusal."""
    return house_rules_of(variant_written(game, chosen, language, as_entered), language)


@get(
    "/api/tutorial/{variant:str}",
    responses=ASKED_FOR,
    cache_control=FOR_AN_HOUR,
    guards=[once_started],
    opt=demands(2, "reads"),
)
async def show_tutorial(variant: FromPath[str]) -> Tutorial:
    """The lessons of a game: positions, and the results of every move in them."""
    return await asyncio.to_thread(lessons, variant)


def blocks_of(blocks: list[rulebook.Block], game: Variant | None) -> list[RuleBlock]:
    return [
        RuleBlock(block.text, list(block.games), block.label, block.is_ruling, matched_in(block, game), block.house)
        for block in blocks
    ]


@get("/api/frequencies", responses=ALWAYS, cache_control=FOR_A_MINUTE, opt=demands(COSTLY, "reads"))
async def show_frequencies(request: Asked) -> list[Frequency]:
    """How often each card was dealt on this server, compared with a fair shuffle."""
    archive = registry_of(request).archive
    return await archive.ask(archive.frequencies)
