"""The coach's worker process: rates the moves of a position and analyses finished matches."""

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import msgspec
import numpy as np

from mulligan.coach.advice import advise
from mulligan.coach.analysis import analyse, analyse_hole
from mulligan.coach.mistake_words import speaks_against, weighed
from mulligan.coach.reasons import Why
from mulligan.engine.chance import many_dice
from mulligan.engine.compiled import PLAIN
from mulligan.engine.state import DISCARD, STATE
from mulligan.game import variants
from mulligan.game.hole import Game
from mulligan.game.notation import write_choice, write_slot
from mulligan.game.variants import Variant
from mulligan.players import net_files
from mulligan.server import bots
from mulligan.server.processes import answer_all
from mulligan.server.wire.coach import Analysis, HoleStory, Mistake, Rated, Reason, RefinedHole, Share

from .coach import AboutGame, AboutHole, AboutMove, AboutNothing, read_question

PLACES = 3  # decimal places in messages
MOST_PLAYED_OUT = 16  # moves of a hole: some seconds with four players
DEAL = 1  # the first step, the first discard, is not a move

write = msgspec.json.Encoder().encode


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
        return write(story(variant, question))
    except Exception as error:  # no error may stop the worker
        return write(f"{type(error).__name__}: {error}"[:300])


def rated(variant: Variant, question: AboutMove) -> list[Rated]:
    """Returns the rated legal moves, best first."""
    state: Any = np.frombuffer(bytearray(question.state), STATE)[0]
    return [
        Rated(
            move=write_choice(variant, one.move),
            **one.lost.as_dict(PLACES),
            reason=reason_of(one.why, question.seats),
            place=None if one.place is None else write_slot(variant, one.place),
        )
        for one in advise(variant, state, net_files.coach_brain(variant.rules, int(state.seats)))
    ]


def reason_of(why: Why, seats: Sequence[int]) -> Reason:
    """Converts a reason into a message; `player` becomes the player's number at the table."""
    params = dict(why.params)
    if "player" in params:
        params["player"] = seats[params["player"]]
    return Reason(why.key, {key: written(value) for key, value in params.items()})


def written(value: Any) -> Any:
    return f"{value:.1f}" if isinstance(value, float) else value


def story(variant: Variant, question: AboutGame) -> Analysis:
    """Returns the analysis of a whole game."""
    found = analyse(question.record, variant)
    told = [
        story_of_hole(variant, hole, playoff, question.record)
        for hole, playoff in zip(found["holes"], question.playoffs, strict=True)
    ]
    mistakes = sorted((one for hole in told for one in hole.mistakes), key=lambda one: -one.loss)
    return Analysis(question.id, [one.hole for one in told], [share_of(total) for total in found["totals"]], mistakes)


def refined(variant: Variant, question: AboutHole) -> RefinedHole:
    """Returns the analysis of one hole whose costliest moves were played out."""
    found = analyse_hole(question.record, variant, question.hole, MOST_PLAYED_OUT)
    return story_of_hole(variant, found, question.playoff, question.record)


def story_of_hole(variant: Variant, hole: dict[str, Any], playoff: int, record: dict[str, Any]) -> RefinedHole:
    shares: list[Share | None] = [None] * len(record["players"])
    mistakes, seats = [], record["holes"][hole["hole"] - 1]["seats"]
    for seat in hole["seats"]:
        shares[seat["player"]] = share_of(seat)
        mistakes += [
            mistake_of(variant, hole["hole"], seat["player"], move, seats, layout)
            for move, layout in zip(seat["moves"], layouts_before(variant, seat), strict=True)
            if "better" in move
        ]
    mistakes.sort(key=lambda one: -one.loss)
    return RefinedHole(HoleStory(hole["hole"], playoff, shares), mistakes)


def share_of(found: dict[str, Any]) -> Share:
    parts = {part: round(found[part], PLACES) for part in ("at_deal", "luck", "mistakes")}
    return Share(points=found["points"], turns=found["turns"], errors=found["errors"], **parts)


def layouts_before(variant: Variant, seat: dict[str, Any]) -> list[list[str | None]]:
    """Returns the player's layout before each of their moves; None for a face-down card."""
    shown = {card["step"]: card["face"] for card in seat["cards"]}
    layout: list[str | None] = [None] * len(variant.slots)
    layouts = []
    for move in seat["moves"]:
        layouts.append(list(layout))
        if 0 <= move["code"] < len(layout):
            layout[move["code"]] = move["face"] if move["phase"] == "place" else shown[move["step"]]
    return layouts


def mistake_of(
    variant: Variant,
    hole: int,
    player: int,
    move: dict[str, Any],
    seats: Sequence[int],
    layout: list[str | None],
) -> Mistake:
    better, against = move["better"], Why(**move["why"])
    return Mistake(
        hole=hole,
        step=move["step"] - DEAL,
        turn=move["turn"],
        seat=player,
        phase=move["phase"],
        move=write_choice(variant, move["code"]),
        face=move["face"],
        loss=round(move["loss"], PLACES),
        low=None if move["low"] is None else round(move["low"], PLACES),
        high=None if move["high"] is None else round(move["high"], PLACES),
        better=write_choice(variant, better["code"]),
        knocks="knock" in (move["played"], better["move"]),
        place=better["why"]["params"].get("slot") if better["code"] == DISCARD else None,
        reason=reason_of(weighed(Why(**better["why"]), move["loss"]), seats),
        layout=layout,
        against=reason_of(against, seats) if speaks_against(against) else None,
    )


def warm_up() -> None:
    """Compiles the coach's code by rating, analysing and refining a hole."""
    if PLAIN:
        return
    variant = variants.for_match(variants.load(variants.names()[0]), {"holes": 1, "level": "share"})
    game, dice = Game(variant, ["", ""], 0), many_dice(1, 1)[0]
    hole = game.deal()

    def choose() -> int:
        advise(variant, hole.state, net_files.coach_brain(variant.rules, 2))
        return bots.think("greedy", variant.rules, game.match.copy(), hole.state.copy(), dice)

    hole.play_out(choose, dice)
    game.finish_hole()
    analyse_hole(game.record(), variant, 1, 1)


if __name__ == "__main__":
    answer_all(answer, warm_up)
