"""How fast players and the coach think, compared with bench/yardstick.py in the same run.

    python bench/pace.py [--game play_nine] [--seats 2] [--rounds 5]

CPU time of one core. Rates depend on the machine and its load; how many moves the yardstick makes meanwhile does so
much less. `search` looks through 300 turns for a move.
"""

import argparse
import statistics
import time
from collections.abc import Callable
from typing import Any

import numpy as np
from yardstick import play_holes

from mulligan.coach.advice import advise
from mulligan.coach.analysis import HoleAnalysis, replayed
from mulligan.coach.rollouts import Effort, roll_out
from mulligan.engine.chance import many_dice
from mulligan.engine.compiled import fresh
from mulligan.engine.match import MATCH
from mulligan.engine.state import NOTHING
from mulligan.game import variants
from mulligan.game.hole import Hole
from mulligan.game.variants import Variant, for_seats
from mulligan.players import net_files
from mulligan.players.roster import PLAYERS
from mulligan.simulation import records, simulate

BUDGET = 300
SHORT = Effort(50, 2, 1)
EVERY = 5  # positions of a game that are asked about


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--game", default="play_nine")
    parser.add_argument("--seats", type=int, default=2)
    parser.add_argument("--rounds", type=int, default=5)
    wanted = parser.parse_args()
    todo = works(for_seats(variants.load(wanted.game), wanted.seats), wanted.seats)
    play_holes(1, 10)
    for work in todo.values():
        work()
    paces: dict[str, list[tuple[float, float]]] = {name: [] for name in todo}
    for _ in range(wanted.rounds):  # in turn, so that a busy moment affects all equally
        for name, work in todo.items():
            moves, spent = timed(lambda: play_holes(123456789, 2000)[0])
            count, seconds = timed(work)
            paces[name].append((count / seconds, seconds / count / (spent / moves)))
    print(f"{wanted.game}, {wanted.seats} seats; median of {wanted.rounds} rounds")
    for name, found in paces.items():
        rate, moves = (statistics.median(one) for one in zip(*found, strict=True))
        print(f"  {name:28s} {rate:10,.1f} a second   {moves:12,.0f} moves of the yardstick each")


def timed(work: Callable[[], int]) -> tuple[int, float]:
    """Returns how many things a work did, and in how many seconds."""
    started = time.process_time()
    return work(), time.process_time() - started


def works(variant: Variant, seats: int) -> dict[str, Callable[[], int]]:
    """What is measured, by name. Each does many things, and returns how many."""
    rules = variant.rules
    brain = net_files.brain(rules, seats)._replace(budget=np.full(1, BUDGET))
    record = next(iter(records(variant, seats, ["greedy"], 7, 1)))
    holes = replayed(record, variant)[1][:3]
    followed = [HoleAnalysis(*hole) for hole in holes]
    states = [state for hole in followed for state in hole.traces.states[::EVERY]]
    doubts = [doubt for hole in followed for _, doubt in hole.doubts()[:2]]

    def moves_of(player: str, count: int) -> int:
        return int(simulate(variant, seats, [player], 3, holes=count, threads=1).moves)

    def search(state: Any) -> None:
        PLAYERS["search"].choose(rules, fresh(MATCH), state.copy(), many_dice(1, 1)[0], brain)

    return {
        "moves by net": lambda: moves_of("net", 50),
        "moves by pro": lambda: moves_of("pro", 50),
        "moves by search": lambda: each(search, [state for state in states if state.awaited == NOTHING]),
        "hints": lambda: each(lambda state: advise(Hole.at(variant, state)), states),
        "holes analysed quickly": lambda: each(lambda hole: HoleAnalysis(*hole).findings(), holes),
        "moves rolled out": lambda: len(roll_out(doubts, SHORT, threads=1)),
    }


def each(work: Callable[[Any], Any], things: list[Any]) -> int:
    for thing in things:
        work(thing)
    return len(things)


if __name__ == "__main__":
    main()
