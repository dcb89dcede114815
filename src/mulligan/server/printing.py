"""Score cards on paper: who asks what for, and the process that prints them.

Printing keeps a core busy for a moment and remembers much, so a process of its own does it, one card after
another, and makes room for a fresh one after a few.
"""

import asyncio
import sys
from base64 import b64decode
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any, Literal

import msgspec

from .. import variants
from ..engine.rules import MAX_SEATS
from ..scorecard.card import LONGEST_NAME, Card, PlayedHole, blank, tidy
from ..scorecard.order import USUAL_PLAYERS
from ..scorecard.words import LANGUAGES
from ..variants import Variant, VariantError
from .cards import CardHole, CardWish, Paper
from .facts import game_facts, games
from .log import seldom
from .messages import FinishedGame, GameFacts
from .processes import Processes
from .rights import Refusal

COMMAND = (sys.executable, "-m", "mulligan.server.press")
PATIENCE = 30.0  # seconds for a card
REMEMBERED = 30  # cards, of some 60 kB
WAITING = 20  # cards at once
TRIES = 2
MOST_PLAYOFFS = 40
MOST_POINTS = 9999
LONGEST_TITLE = 60

Form = Literal["pdf", "svg"]


class Order(msgspec.Struct):
    """What the process is told: a wish that has been checked, with the facts of its game."""

    wish: CardWish
    facts: GameFacts
    form: Form


write = msgspec.json.Encoder().encode
read_order = msgspec.json.Decoder(Order).decode


class PrintShop:
    """Prints each card once, and remembers the latest."""

    def __init__(self, command: Sequence[str] = COMMAND) -> None:
        self.processes = Processes(command, 1, PATIENCE)
        self.printed: dict[bytes, asyncio.Task[bytes]] = {}

    async def print(self, wish: CardWish, form: Form, admit: Callable[[], None]) -> bytes:
        """The card as a file. Raises Refusal."""
        facts = check(wish)
        order = write(Order(wish, facts, form))
        task = self.printed.pop(order, None)
        if task is None or (task.done() and task.exception()):
            admit()
            if sum(not other.done() for other in self.printed.values()) >= WAITING:
                raise Refusal("server_fault")
            task = asyncio.create_task(self.work(order))
        self.printed[order] = task
        while len(self.printed) > REMEMBERED:
            del self.printed[next(iter(self.printed))]
        try:
            return await asyncio.shield(task)
        except (OSError, TimeoutError, ValueError) as error:
            seldom("printing_failed", str(error), "error")
            raise Refusal("server_fault") from None

    async def work(self, order: bytes) -> bytes:
        """Raises OSError, TimeoutError or ValueError."""
        answer = await self.processes.ask(order, TRIES)
        if answer.startswith(b"!"):
            raise ValueError(answer[1:].decode())
        return b64decode(answer)

    async def close(self) -> None:
        for task in self.printed.values():
            task.cancel()
        await self.processes.close()


def check(wish: CardWish) -> GameFacts:
    """The facts of the game that is asked for. Raises Refusal where there can be no such card."""
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


def facts_of(wish: CardWish) -> GameFacts:
    """Those the wish brings along, else those of the game it names. Raises Refusal."""
    if wish.rules is None:
        if wish.game not in games():
            raise Refusal("no_such_game", game=wish.game[:40])
        return game_facts(variants.load(wish.game))
    try:
        variant_of(wish.rules)
    except VariantError as error:
        raise Refusal("bad_variant", detail=str(error)[:300]) from None
    return wish.rules


def variant_of(facts: GameFacts) -> Variant:
    """A variant from its facts. Raises VariantError where no file could say so."""
    told: dict[str, Any] = {
        "title": tidy(facts.title, LONGEST_TITLE),
        "seats": {"least": facts.least, "most": facts.most},
        "layout": {"rows": facts.rows, "columns": facts.columns},
        "tee_off": {"cards": facts.tee_off, "before_play": facts.tee_off_before_play},
        "may_throw_away": facts.may_throw_away,
        "may_leave_last": facts.may_leave_last,
        "lines": "columns" if facts.lines_are_columns else "rows",
        "bonus": {"lines": facts.bonus, "replaces": facts.bonus_replaces},
        "closer_penalty": facts.closer_penalty,
        "holes": facts.holes,
        "level": "playoff" if facts.playoff else "share",
        "faces": {
            face.name: {"copies": face.copies, "points": face.points, "line": face.line_points} for face in facts.faces
        },
    }
    variants.check_table(told, variants.SHAPE, "")
    for face, values in told["faces"].items():
        variants.check_face(face, values)
    variants.check_whole(told)
    if len(told["faces"]) != len(facts.faces):
        raise VariantError("a face is named twice.")
    slots = variants.slot_names(told["layout"])
    return Variant(facts.name, told["title"], tuple(told["faces"]), slots, variants.rules_of(told), Path(), "")


def blank_wish(
    game: str, language: str, paper: Paper, players: int | None, names: list[str] | None, dealer: int | None
) -> CardWish:
    """A card to write on. Raises Refusal for more names than players."""
    given = names or []
    count = players if players is not None else len(given) or USUAL_PLAYERS
    if not len(given) <= count <= MAX_SEATS:
        raise Refusal("bad_request", detail=f"names for at most {MAX_SEATS} players, and none besides")
    return CardWish(game, [*given, *[""] * (count - len(given))], language, paper, dealer=dealer)


def wish_of(game: FinishedGame, language: str, paper: Paper) -> CardWish:
    """The card of a game that was finished here."""
    return CardWish(
        game=game.game,
        players=[seat.name for seat in game.seats],
        language=language,
        paper=paper,
        dealer=game.card[0].dealer if game.card else None,
        holes=[CardHole(line.points, line.dealer) for line in game.card],
        winners=game.winners,
    )


def card_of(order: Order) -> Card:
    """What is to be printed."""
    wish, variant = order.wish, variant_of(order.facts)
    if not wish.holes:
        return blank(variant, len(wish.players), wish.players, wish.language, wish.paper, wish.dealer)
    names = tuple(map(tidy, wish.players))
    holes = tuple(PlayedHole(tuple(hole.points), hole.dealer) for hole in wish.holes)
    return Card(variant, names, wish.language, wish.paper, wish.dealer, holes, tuple(wish.winners))
