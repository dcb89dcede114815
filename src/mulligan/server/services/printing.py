"""Prints score cards in a worker process, and caches them.

Printing uses a core for a moment and much memory, so one worker prints the cards in turn and is replaced after
a few.
"""

import hashlib
import sys
from base64 import b64decode
from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Literal

import msgspec

from mulligan.engine.rules import MAX_SEATS
from mulligan.game import variants
from mulligan.game.facts import GameFacts
from mulligan.game.variants import Variant, VariantError
from mulligan.scorecard.card import LONGEST_NAME, Card, PlayedHole, blank, tidy
from mulligan.scorecard.card_words import LANGUAGES
from mulligan.scorecard.order import USUAL_PLAYERS
from mulligan.server.processes import Processes
from mulligan.server.table.house_rules import variant_written
from mulligan.server.table.rights import Refusal
from mulligan.server.wire.finished import FinishedGame
from mulligan.server.wire.score_card import CardHole, CardRequest, Court, Paper

from .latest_answers import LatestAnswers

COMMAND = (sys.executable, "-m", "mulligan.server.services.print_worker")
PATIENCE = 30.0  # seconds for a card
KEPT = 30  # cards
WAITING = 20  # simultaneous cards
TRIES = 2
MOST_PLAYOFFS = 40
MOST_POINTS = 9999
LONGEST_TITLE = 60

Form = Literal["pdf", "svg"]


class Order(msgspec.Struct):
    """A request to the worker: a checked wish and the facts of its game."""

    wish: CardRequest
    facts: GameFacts
    form: Form


write = msgspec.json.Encoder().encode
read_order = msgspec.json.Decoder(Order).decode


class PrintShop:
    """Prints each card once, and caches the latest."""

    def __init__(self, command: Sequence[str] = COMMAND) -> None:
        self.processes = Processes(command, 1, PATIENCE)
        self.printed = LatestAnswers(KEPT, WAITING, "printing_failed", "server_fault")

    async def print(self, wish: CardRequest, form: Form, admit: Callable[[], None]) -> bytes:
        """Returns the card as a file. Raises Refusal."""
        facts = check(wish)
        order = write(Order(wish, facts, form))
        return await self.printed.find(hashlib.sha256(order).hexdigest(), lambda: self.work(order), admit)

    async def work(self, order: bytes) -> bytes:
        """Sends an order to the worker and returns the file. Raises OSError, TimeoutError or ValueError."""
        answer = await self.processes.ask(order, TRIES)
        if answer.startswith(b"!"):
            raise ValueError(answer[1:].decode())
        return b64decode(answer)

    async def close(self) -> None:
        self.printed.cancel()
        await self.processes.close()


def check(wish: CardRequest) -> GameFacts:
    """Returns the facts of the requested game. Raises Refusal if the card is impossible."""
    if wish.language not in LANGUAGES:
        raise Refusal("no_such_language", language=wish.language[:20], languages=list(LANGUAGES))
    facts = facts_of(wish)
    players = len(wish.players)
    if not facts.least <= players <= facts.most:
        raise Refusal("wrong_seat_count", least=facts.least, most=facts.most, seats=players)
    if any(len(name) > LONGEST_NAME for name in wish.players):
        raise Refusal("name_too_long", most=LONGEST_NAME)
    seats = range(players)
    dealers = [wish.dealer, *(hole.dealer for hole in wish.holes)]
    if any(seat is not None and seat not in seats for seat in [*dealers, *wish.winners]):
        raise Refusal("bad_request", detail=f"players are counted from 0 to {players - 1}")
    if len(wish.holes) > facts.holes + MOST_PLAYOFFS:
        raise Refusal("bad_request", detail="more holes than a match can have")
    for hole in wish.holes:
        if len(hole.points) != players or any(abs(points) > MOST_POINTS for points in hole.points if points):
            raise Refusal("bad_request", detail=f"a hole has {players} results, each at most {MOST_POINTS}")
    return facts


def facts_of(wish: CardRequest) -> GameFacts:
    """Returns the facts in the wish, or those of the game it names. Raises Refusal."""
    if wish.rules is None:
        if wish.game not in variants.games():
            raise Refusal("no_such_game", game=wish.game[:40])
        return variants.load(wish.game).facts
    try:
        variant_of(wish.rules)
    except VariantError as error:
        raise Refusal("bad_variant", detail=str(error)[:300]) from None
    return wish.rules


def variant_of(facts: GameFacts) -> Variant:
    """Returns a variant with these facts. Raises VariantError if they are invalid."""
    return variants.checked(replace(facts, title=tidy(facts.title, LONGEST_TITLE)))


def blank_wish(
    game: str,
    language: str,
    paper: Paper,
    players: int | None,
    names: list[str] | None,
    dealer: int | None,
    court: Court | None = None,
    chosen: str = "",
) -> CardRequest:
    """Returns the wish for a blank card, perhaps with house rules (`jokers=-5`). Raises Refusal if it is impossible."""
    rules = variant_written(game, chosen, language).facts if chosen else None
    given = names or []
    count = players if players is not None else len(given) or USUAL_PLAYERS
    if not len(given) <= count <= MAX_SEATS:
        raise Refusal("bad_request", detail=f"names for at most {MAX_SEATS} players, and none besides")
    return CardRequest(game, [*given, *[""] * (count - len(given))], language, paper, rules, dealer=dealer, court=court)


def wish_of(game: FinishedGame, language: str, paper: Paper, court: Court | None = None) -> CardRequest:
    """Returns the wish for the card of a finished match."""
    return CardRequest(
        game=game.game,
        players=[seat.name for seat in game.seats],
        language=language,
        paper=paper,
        rules=replace(game.facts or variants.load(game.game).facts, holes=game.length),
        dealer=game.card[0].dealer if game.card else None,
        holes=[CardHole(line.points, line.dealer) for line in game.card],
        winners=game.winners,
        court=court,
    )


def card_of(order: Order) -> Card:
    """Returns the card to print."""
    wish, variant = order.wish, variant_of(order.facts)
    if not wish.holes:
        return blank(variant, len(wish.players), wish.players, wish.language, wish.paper, wish.dealer, wish.court)
    names = tuple(map(tidy, wish.players))
    holes = tuple(PlayedHole(tuple(hole.points), hole.dealer) for hole in wish.holes)
    return Card(variant, names, wish.language, wish.paper, wish.dealer, holes, tuple(wish.winners), wish.court)
