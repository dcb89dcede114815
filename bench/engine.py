"""How fast the engine is, compared with bench/yardstick.py in the same run.

    make bench

Figures depend on the machine and its load; the ratio much less.
"""

import json
import os
import statistics
import subprocess
import sys
import tempfile
import time

import numpy as np
from yardstick import play_holes

from mulligan.engine.calls import is_legal
from mulligan.engine.chance import many_dice
from mulligan.engine.moves import deal
from mulligan.engine.replay import STEP
from mulligan.engine.state import STATE
from mulligan.game import variants
from mulligan.simulate import blank_sheets, play_games, seat_players, single_hole

HOLES = 40_000
ROUNDS = 9


def main() -> None:
    if "--first-hole" in sys.argv:
        engine_round("play_nine", "random", 1)
        return
    for warm_up in ("play_nine", "nine_card"):
        engine_round(warm_up, "random", 10)
        engine_round(warm_up, "greedy", 10)
    play_holes(1, 10)
    if "--json" in sys.argv:
        print(json.dumps(medians()))
        return
    print(f"{HOLES:,} holes a round, 4 seats, one core, best and median of {ROUNDS} rounds, million moves per second")
    ours, yardstick, nine_card = [], [], []
    for _ in range(ROUNDS):  # in turn, so that a busy moment affects all equally
        ours.append(engine_round("play_nine", "random", HOLES))
        yardstick.append(yardstick_round())
        nine_card.append(engine_round("nine_card", "random", HOLES))
    ratios = [one / other for one, other in zip(ours, yardstick, strict=True)]
    line("play_nine, random", ours)
    line("yardstick, random", yardstick)
    print(f"  ratio to the yardstick    best {max(ratios):5.2f}   median {statistics.median(ratios):5.2f}")
    line("nine_card, random", nine_card)
    line("play_nine, greedy", [engine_round("play_nine", "greedy", HOLES // 20) for _ in range(3)])
    line("nine_card, greedy", [engine_round("nine_card", "greedy", HOLES // 20) for _ in range(3)])
    print(f"bytes of a state            {STATE.itemsize}")
    print(f"one call from Python        {call_from_python():.2f} µs (is_legal)")
    with tempfile.TemporaryDirectory() as cache:
        print(f"first hole, compiling       {first_hole(cache):.1f} s")
        print(f"first hole, from the cache  {first_hole(cache):.1f} s (imports included)")


def medians() -> dict[str, float]:
    """What bench/figures.py keeps: million moves per second, and the share of the yardstick's."""
    rounds = {"play_nine, random": HOLES, "nine_card, random": HOLES, "play_nine, greedy": HOLES // 20}
    found: dict[str, list[float]] = {name: [] for name in [*rounds, "share"]}
    for _ in range(ROUNDS):
        for name, holes in rounds.items():
            game, player = name.split(", ")
            found[name].append(engine_round(game, player, holes))
        found["share"].append(found["play_nine, random"][-1] / yardstick_round())
    return {name: round(statistics.median(rates), 3) for name, rates in found.items()}


def engine_round(game: str, player: str, holes: int) -> float:
    """Million moves per second in single holes."""
    rules = single_hole(variants.load(game).rules)
    chairs, brain = seat_players([player], rules, 4)
    dice = many_dice(1, holes)
    sheets = blank_sheets(rules, holes, 4)
    started = time.perf_counter()
    play_games(rules, chairs, 0, dice, 1000, brain, sheets, np.zeros(0, STEP))
    return sheets[2].sum() / (time.perf_counter() - started) / 1e6


def yardstick_round() -> float:
    started = time.perf_counter()
    moves, _ = play_holes(123456789, HOLES)
    return moves / (time.perf_counter() - started) / 1e6


def line(what: str, rates: list[float]) -> None:
    print(f"  {what:24s}  best {max(rates):5.2f}   median {statistics.median(rates):5.2f}")


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
