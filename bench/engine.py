"""How fast the engine is, compared with two small engines for Play Nine alone in the same run: bench/yardstick.py and
bench/yardstick_bits.py.

    make bench

The rounds take turns, and their processor time counts. Figures depend on the machine; the ratios much less.
"""

import json
import os
import statistics
import subprocess
import sys
import tempfile
import time
from types import ModuleType

import numpy as np
import yardstick
import yardstick_bits
from figures import machine

from mulligan.engine.calls import is_legal
from mulligan.engine.chance import many_dice
from mulligan.engine.moves import deal
from mulligan.engine.replay import STEP
from mulligan.engine.state import STATE
from mulligan.game import variants
from mulligan.simulation import blank_sheets, play_games, seat_players, single_hole

GAMES = "play_nine", "nine_card"
YARDSTICKS = yardstick, yardstick_bits
HOLES = 40_000
ROUNDS = 9


def main() -> None:
    if "--first-hole" in sys.argv:
        engine_round("play_nine", "random", 1)
        return
    for game in GAMES:
        engine_round(game, "random", 10)
        engine_round(game, "greedy", 10)
    for small in YARDSTICKS:
        small.play_holes(1, 10)
    if "--json" in sys.argv:
        print(json.dumps(medians()))
        return
    print(f"{machine()}: {HOLES:,} holes a round, 4 seats, one core, best and median of {ROUNDS} rounds")
    print("million moves per second")
    found = rounds()
    for name, rates in found.items():
        line(name, rates)
    print("ratio")
    for game in GAMES:
        for small in YARDSTICKS:
            pairs = zip(found[f"{game}, random"], found[small.__name__], strict=True)
            line(f"{game} to {small.__name__}", [one / other for one, other in pairs])
    print(f"bytes of a state            {STATE.itemsize}")
    print(f"one call from Python        {call_from_python():.2f} µs (is_legal)")
    with tempfile.TemporaryDirectory() as cache:
        print(f"first hole, compiling       {first_hole(cache):.1f} s")
        print(f"first hole, from the cache  {first_hole(cache):.1f} s (imports included)")


def rounds() -> dict[str, list[float]]:
    """Million moves per second by name, in rounds that take turns, so that a busy moment affects all equally."""
    found: dict[str, list[float]] = {}
    for _ in range(ROUNDS):
        for game in GAMES:
            found.setdefault(f"{game}, random", []).append(engine_round(game, "random", HOLES))
            found.setdefault(f"{game}, greedy", []).append(engine_round(game, "greedy", HOLES // 20))
        for small in YARDSTICKS:
            found.setdefault(small.__name__, []).append(yardstick_round(small))
    return found


def medians() -> dict[str, float]:
    """What bench/figures.py keeps: million moves per second, and the share of the yardstick's."""
    found = rounds()
    pairs = zip(found["play_nine, random"], found[yardstick.__name__], strict=True)
    shares = {"share": [one / other for one, other in pairs]}
    return {name: round(statistics.median(rates), 3) for name, rates in (found | shares).items()}


def engine_round(game: str, player: str, holes: int) -> float:
    """Million moves per second in single holes."""
    rules = single_hole(variants.load(game).rules)
    chairs, brain = seat_players([player], rules, 4)
    dice = many_dice(1, holes)
    sheets = blank_sheets(rules, holes, 4)
    started = time.process_time()
    play_games(rules, chairs, 0, dice, 1000, brain, sheets, np.zeros(0, STEP))
    return sheets[2].sum() / (time.process_time() - started) / 1e6


def yardstick_round(small: ModuleType) -> float:
    started = time.process_time()
    moves, _ = small.play_holes(123456789, HOLES)
    return moves / (time.process_time() - started) / 1e6


def line(what: str, rates: list[float]) -> None:
    print(f"  {what:28s}  best {max(rates):5.2f}   median {statistics.median(rates):5.2f}")


def call_from_python() -> float:
    rules, state = np.array([variants.load("play_nine").rules]), np.zeros(1, STATE)
    deal(rules[0], state[0], 4, 0)
    is_legal(rules, state, 0)
    started = time.perf_counter()
    for _ in range(10_000):
        is_legal(rules, state, 0)
    return (time.perf_counter() - started) / 10_000 * 1e6


def first_hole(cache: str) -> float:
    environment = {**os.environ, "MULLIGAN_CACHE": cache}
    started = time.perf_counter()
    subprocess.run([sys.executable, __file__, "--first-hole"], check=True, env=environment)
    return time.perf_counter() - started


if __name__ == "__main__":
    main()
