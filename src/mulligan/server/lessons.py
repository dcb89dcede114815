"""The work of a coach's process: what the moves of a position are worth, and those of a finished game."""

import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import msgspec
import numpy as np

from .. import shelf, variants
from ..advice import advise
from ..analysis import analyse
from ..engine.chance import bag, draw, many_dice
from ..engine.state import DISCARD, STATE
from ..game import Game
from ..mistakes import SPEAKS_AGAINST
from ..notation import write_slot
from ..reasons import Why
from ..variants import Variant
from . import bots
from .coach import AboutGame, AboutMove, AboutNothing, read_question, stamp
from .coaching import Analysis, HoleStory, Mistake, Rated, Reason, Share
from .processes import answer_all
from .table import MOVES, shortened

PLACES = 3  # decimals of what travels
DEAL = 1  # step that is no move: the first discard

write = msgspec.json.Encoder().encode


def answer(line: bytes) -> bytes:
    """The answer to a question, or a text that says why there is none."""
    try:
        question = read_question(line)
        if isinstance(question, AboutNothing):
            return write([])
        variant = variants.parse(question.rules, Path(question.file))
        if isinstance(question, AboutMove):
            return write(rated(variant, question))
        return write(story(variant, question))
    except Exception as error:  # whatever it is, the next question has nothing to do with it
        return write(f"{type(error).__name__}: {error}"[:300])


def rated(variant: Variant, question: AboutMove) -> list[Rated]:
    """The legal moves, best first."""
    state: Any = np.frombuffer(bytearray(question.state), STATE)[0]
    return [
        Rated(
            move=MOVES.get(one.move) or write_slot(variant, one.move),
            loss=round(one.loss, PLACES),
            reason=reason_of(one.why, question.seats),
            place=None if one.place is None else write_slot(variant, one.place),
        )
        for one in advise(variant, state, shelf.books(variant.rules, int(state.seats)))
    ]


def reason_of(why: Why, seats: Sequence[int]) -> Reason:
    """A reason as it travels: who is spoken of by the number of the player."""
    params = dict(why.params)
    if "player" in params:
        params["player"] = seats[params["player"]]
    return Reason(why.key, {key: written(value) for key, value in params.items()})


def written(value: Any) -> Any:
    return f"{value:.1f}" if isinstance(value, float) else value


def story(variant: Variant, question: AboutGame) -> Analysis:
    """A whole game. One for practice, or left early, is a match of its own that may be shared."""
    found = analyse(question.record, shortened(variant, question.holes) if question.holes else variant)
    players = len(question.record["players"])
    holes, mistakes = [], []
    for hole, playoff, played in zip(found["holes"], question.playoffs, question.record["holes"], strict=True):
        shares: list[Share | None] = [None] * players
        for seat in hole["seats"]:
            shares[seat["player"]] = share_of(seat)
            mistakes += [
                mistake_of(variant, hole["hole"], seat["player"], move, played["seats"])
                for move in seat["moves"]
                if "better" in move
            ]
        holes.append(HoleStory(hole["hole"], playoff, shares))
    mistakes.sort(key=lambda one: -one.loss)
    return Analysis(question.id, holes, [share_of(total) for total in found["totals"]], mistakes)


def share_of(found: dict[str, Any]) -> Share:
    parts = {part: round(found[part], PLACES) for part in ("at_deal", "luck", "mistakes")}
    return Share(points=found["points"], turns=found["turns"], errors=found["errors"], **parts)


def mistake_of(variant: Variant, hole: int, player: int, move: dict[str, Any], seats: Sequence[int]) -> Mistake:
    better = move["better"]
    return Mistake(
        hole=hole,
        step=move["step"] - DEAL,
        turn=move["turn"],
        seat=player,
        phase=move["phase"],
        move=MOVES.get(move["code"]) or write_slot(variant, move["code"]),
        face=move["face"],
        loss=round(move["loss"], PLACES),
        better=MOVES.get(better["code"]) or write_slot(variant, better["code"]),
        place=better["why"]["params"].get("slot") if better["code"] == DISCARD else None,
        reason=reason_of(Why(**better["why"]), seats),
        against=reason_of(Why(**move["why"]), seats) if move["why"]["key"] in SPEAKS_AGAINST else None,
    )


def warm_up() -> None:
    """Goes through a hole of a first game, so that nobody waits for the compiler later."""
    variant = shortened(variants.load(variants.names()[0]), 1)
    game, dice = Game(variant, ["", ""], 0), many_dice(1, 1)[0]
    hole = game.deal()
    while not hole.is_over:
        if hole.awaits_card:
            hole.turn_up(int(draw(variant.rules, bag(hole.state), dice)))
        else:
            advise(variant, hole.state, shelf.books(variant.rules, 2))
            hole.play(bots.think("greedy", variant.rules, game.match.copy(), hole.state.copy(), dice))
    game.finish_hole()
    analyse(game.record(), variant)
    if mark := stamp():
        mark.touch()


if __name__ == "__main__":
    if sys.argv[1:] == ["compile"]:
        warm_up()
    else:
        answer_all(answer, warm_up)
