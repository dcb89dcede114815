"""Par: what a hole costs a seat on average when everybody plays well. A hole's luck is counted from there."""

import json
from functools import cache
from pathlib import Path

import numpy as np

from .engine.chance import bag, draw, many_dice
from .engine.compiled import compiled
from .engine.moves import abandon, deal, play, turn_up
from .engine.state import NOBODY, NOTHING, STATE, Phase
from .players import greedy
from .shelf import edition
from .variants import Variant

FILE = Path(__file__).parent / "books" / "par.json"  # by edition of the rules and number of seats, see bench/par.py
HOLES = 500  # played by `greedy` where par has not been measured
TURN_LIMIT = 100  # turns a seat


def par(variant: Variant, seats: int) -> float:
    """Points of a seat in a hole, always the same for a variant and a number of seats."""
    pars = measured().setdefault(edition(variant.rules), {})
    if str(seats) not in pars:
        points = np.zeros((HOLES, seats), np.int64)
        play_holes(variant.rules, seats, many_dice(1, HOLES), np.zeros(1, STATE), points)
        pars[str(seats)] = float(points.mean())
    return pars[str(seats)]


@cache
def measured() -> dict[str, dict[str, float]]:
    """What the file says, and what was measured since."""
    return json.loads(FILE.read_text(encoding="utf-8")) if FILE.exists() else {}


@compiled
def play_holes(rules, seats, dice, table, points):
    """A hole for each of the dice between `greedy` players, on a table of one STATE; points[hole, seat]."""
    state = table[0]
    for hole in range(len(dice)):
        deal(rules, state, seats, hole % seats)
        while state.phase != Phase.OVER:
            if state.awaited != NOTHING:
                turn_up(rules, state, draw(rules, bag(state), dice[hole]))
            elif state.turns > TURN_LIMIT * seats and state.phase == Phase.TAKE and state.closer == NOBODY:
                abandon(rules, state)
            else:
                play(rules, state, greedy.choose(rules, state, dice[hole]))
        for seat in range(seats):
            points[hole, seat] = state.players[seat].points
