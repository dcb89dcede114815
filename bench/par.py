"""Measures par: what a hole costs a seat when everybody plays the move the analysis thinks best.

    python bench/par.py [HOLES] [GAME-SEATS …]

It writes src/mulligan/books/par.json, which the analysis counts luck from. To be run again whenever
the books have changed; by the luck of other holes bench/analysis.py sees whether that was forgotten.
"""

import json
import sys
import time

import numpy as np

from mulligan import shelf, variants
from mulligan.engine.chance import bag, draw, many_dice
from mulligan.engine.compiled import compiled
from mulligan.engine.moves import abandon, deal, play, turn_up
from mulligan.engine.state import MOVES, NOBODY, NOTHING, STATE, Phase
from mulligan.par import FILE
from mulligan.players.foresight import weigh
from mulligan.shelf import edition
from mulligan.variants import Variant

SEED = 2024
TURN_LIMIT = 100  # turns a seat


@compiled
def play_holes(rules, seats, dice, books, table, points):
    """A hole for each of the dice on a table of one STATE, the dealer moving on; points[hole, seat]."""
    state = table[0]
    worths = np.zeros(MOVES)
    for hole in range(len(dice)):
        deal(rules, state, seats, hole % seats)
        while state.phase != Phase.OVER:
            if state.awaited != NOTHING:
                turn_up(rules, state, draw(rules, bag(state), dice[hole]))
            elif state.turns > TURN_LIMIT * seats and state.phase == Phase.TAKE and state.closer == NOBODY:
                abandon(rules, state)
            else:
                weigh(rules, state, books, worths)
                play(rules, state, worths.argmin())
        for seat in range(seats):
            points[hole, seat] = state.players[seat].points


def best_play(variant: Variant, seats: int, holes: int, seed: int) -> np.ndarray:
    """The points of holes in which everybody plays the best move: [hole, seat]."""
    points = np.zeros((holes, seats), np.int64)
    books = shelf.books(variant.rules, seats)
    play_holes(variant.rules, seats, many_dice(seed, holes), books, np.zeros(1, STATE), points)
    return points


def main() -> None:
    holes = int(sys.argv[1]) if len(sys.argv) > 1 else 2000
    pars = json.loads(FILE.read_text(encoding="utf-8")) if FILE.exists() else {}
    for variant in map(variants.load, variants.names()):
        for seats in variant.seats:
            if sys.argv[2:] and f"{variant.name}-{seats}" not in sys.argv[2:]:
                continue
            started = time.perf_counter()
            means = best_play(variant, seats, holes, SEED).mean(axis=1)
            error = means.std(ddof=1) / np.sqrt(holes)
            pars.setdefault(edition(variant.rules), {})[str(seats)] = round(float(means.mean()), 3)
            print(
                f"{variant.name:10s} {seats} seats  par {means.mean():6.2f} ± {error:.2f}   "
                f"{(time.perf_counter() - started) / holes * 1000:.0f} ms a hole",
                flush=True,
            )
            FILE.parent.mkdir(exist_ok=True)
            FILE.write_text(json.dumps(pars, indent=1, sort_keys=True) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
