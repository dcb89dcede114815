"""The coach's worker process: rates the moves of a position and analyses finished matches."""

from dataclasses import replace
from pathlib import Path
from typing import Any

import msgspec
import numpy as np

from mulligan.coach.advice import advise
from mulligan.coach.analysis import analyse, analyse_hole
from mulligan.coach.findings import HoleFindings, Rated, Share, as_data, mistakes_in, only, turning_cards
from mulligan.engine.chance import many_dice
from mulligan.engine.compiled import PLAIN
from mulligan.engine.state import STATE
from mulligan.game import variants
from mulligan.game.hole import Game, Hole
from mulligan.game.variants import Variant
from mulligan.server import bots
from mulligan.server.processes import answer_all
from mulligan.server.wire.coach import Analysis, HoleShares, RefinedHole

from .coach import AboutGame, AboutHole, AboutMove, AboutNothing, read_question

MOST_PLAYED_OUT = 16  # moves of a hole: some seconds with four players


def answer(line: bytes) -> bytes:
    """Returns the answer to a request, or a JSON string with the error."""
    try:
        question = read_question(line)
        if isinstance(question, AboutNothing):
            return write([])
        if isinstance(question, AboutMove):
            return write(rated(variants.variant_of(question.facts, Path(), ""), question))
        variant = variants.parse(question.rules, Path(question.file))
        if isinstance(question, AboutHole):
            return write(refined(variant, question))
        return write(analysed(variant, question))
    except Exception as error:  # no error may stop the worker
        return write(f"{type(error).__name__}: {error}"[:300])


def write(message: Any) -> bytes:
    return msgspec.json.encode(as_data(msgspec.to_builtins(message)))


def rated(variant: Variant, question: AboutMove) -> list[Rated]:
    """Returns the rated legal moves, best first."""
    state: Any = np.frombuffer(bytearray(question.state), STATE)[0]
    ranked = advise(Hole.at(variant, state))
    return [replace(one, why=one.why.by_player(question.seats)) for one in ranked]


def analysed(variant: Variant, question: AboutGame) -> Analysis:
    """Returns the analysis of a whole game."""
    found = analyse(question.record, variant)
    holes = [shares_of(hole, len(found.players)) for hole in found.holes]
    totals = [only(Share, total) for total in found.totals]
    return Analysis(question.id, holes, totals, mistakes_in(found.holes), turning_cards(found.holes))


def refined(variant: Variant, question: AboutHole) -> RefinedHole:
    """Returns the analysis of one hole whose costliest moves were played out."""
    hole = analyse_hole(question.record, variant, question.hole, MOST_PLAYED_OUT)
    return RefinedHole(shares_of(hole, len(question.record["players"])), mistakes_in([hole]))


def shares_of(hole: HoleFindings, players: int) -> HoleShares:
    seats = {seat.player: only(Share, seat) for seat in hole.seats}
    return HoleShares(hole.hole, [seats.get(player) for player in range(players)])


def warm_up() -> None:
    """Compiles the coach's code by rating, analysing and refining a hole."""
    if PLAIN:
        return
    variant = variants.for_match(variants.load(variants.games()[0]), {"holes": 1, "level": "share"})
    game, dice = Game(variant, ["", ""], 0), many_dice(1, 1)[0]
    hole = game.deal()

    def choose() -> int:
        advise(hole)
        return bots.think("greedy", variant.rules, game.match.copy(), hole.state.copy(), dice)

    hole.play_out(choose, dice)
    game.finish_hole()
    analyse_hole(game.record(), variant, 1, 1)


if __name__ == "__main__":
    answer_all(answer, warm_up)
