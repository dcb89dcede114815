"""Trains a net by self-play and writes it where the books stand.

    python -m mulligan.learn --game play_nine --seats 2 --minutes 10 --seed 1

With `--minutes` it stops by the clock; the same seed and number of rounds give the same net.
"""

import argparse
import time
from pathlib import Path
from typing import Any

import numpy as np

from .. import shelf, variants
from ..engine.chance import many_dice
from ..players.net import NO_NET, Net
from .contest import contest
from .practice import practise
from .rows import Plan, blank_numbers, columns, net_of, plan
from .study import study

ROUND = 20_000  # positions played between two lots of learning
KEPT_ROUNDS = 15  # rounds from which is learned again
BATCH = 256


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m mulligan.learn", description="Trains a net by self-play.")
    parser.add_argument("--game", default="play_nine")
    parser.add_argument("--seats", type=int, default=2)
    parser.add_argument("--hidden", type=int, default=64, help="hidden units; 0 trains the linear player")
    parser.add_argument("--minutes", type=float, default=10.0)
    parser.add_argument("--rounds", type=int, default=0, help="stop after so many rounds, not by the clock")
    parser.add_argument("--rate", type=float, default=1e-3, help="the first steps; the last are a twentieth of it")
    parser.add_argument("--passes", type=int, default=3, help="how often each round's number of positions is learned")
    parser.add_argument("--kept", type=float, default=0.7, help="how much later turns correct what a table is worth")
    parser.add_argument("--explore", type=float, default=0.03, help="the share of random moves")
    parser.add_argument("--greedy", type=float, default=0.1, help="the share of holes against greedy")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--start", type=Path, help="numbers to go on from, as --numbers wrote them")
    parser.add_argument("--numbers", type=Path, help="where all the numbers are kept, to go on from")
    parser.add_argument("--into", type=Path, default=shelf.PACKAGE, help="the folder for the net")
    told = parser.parse_args()
    rules = variants.load(told.game).rules
    lay = plan(rules, told.seats, told.hidden)
    numbers = np.load(told.start) if told.start else blank_numbers(rules, lay, told.seed)
    numbers = train(rules, lay, numbers, told)
    if told.numbers:
        np.save(told.numbers, numbers)
    kind = "net" if told.hidden else "linear"
    file = told.into / shelf.file_name(told.game, min(told.seats, 3), kind)  # what four learn serves three and more
    save(file, net_of(rules, lay, numbers), shelf.edition(rules))
    print(f"{file}: {file.stat().st_size:,} bytes", flush=True)


def train(rules: Any, lay: Plan, numbers: np.ndarray, told: argparse.Namespace) -> np.ndarray:
    """Plays and learns by turns. Returns the mean of the numbers over the last rounds."""
    dice = many_dice(told.seed, 1)[0]
    rng = np.random.default_rng(told.seed)
    gradient, means, squares = (np.zeros_like(numbers) for _ in range(3))
    smooth = numbers.astype(np.float64)
    positions = np.zeros((KEPT_ROUNDS * ROUND, columns(lay)), np.int16)
    targets = np.zeros(len(positions), np.float32)
    filled, spare, steps, holes, done = 0, 0, 0, 0, 0
    started, told_last = time.monotonic(), 0.0
    while done < 1.0:
        share = done
        net = net_of(rules, lay, numbers)
        part = slice(spare * ROUND, (spare + 1) * ROUND)
        played, full = practise(
            rules, net, lay, dice, told.explore, told.greedy, told.kept, positions[part], targets[part]
        )
        positions[part.start + full : part.stop] = positions[part.start : part.start + ROUND - full]
        targets[part.start + full : part.stop] = targets[part.start : part.start + ROUND - full]
        holes += played
        filled, spare = max(filled, spare + 1), (spare + 1) % KEPT_ROUNDS
        order = rng.integers(filled * ROUND, size=told.passes * ROUND)
        rate = told.rate * 0.05**share
        error = study(
            lay, net.members, numbers, gradient, means, squares, positions, targets, order, BATCH, rate, steps
        )
        steps += len(order) // BATCH
        smooth += (numbers - smooth) * 0.02
        rounds = steps * BATCH // (told.passes * ROUND)
        minutes = (time.monotonic() - started) / 60
        done = rounds / told.rounds if told.rounds else minutes / told.minutes
        if minutes > told_last + 1.0 or done >= 1.0:
            told_last = minutes
            margins = against(rules, told.seats, net_of(rules, lay, smooth.astype(np.float32)), NO_NET, 1000)
            print(
                f"{minutes:5.1f} min {rounds:5d} rounds {holes:8d} holes, error {10 * error**0.5:.3f}, "
                f"against greedy {margins.mean():.2f} ± {margins.std() / len(margins) ** 0.5:.2f}",
                flush=True,
            )
    return smooth.astype(np.float32)


def against(rules: Any, seats: int, net: Net, other: Net, holes: int, seed: int = 99) -> np.ndarray:
    """The net's margin in so many holes against another, or against greedy."""
    margins = np.zeros(holes)
    contest(rules, seats, net, other, many_dice(seed, 1)[0], margins)
    return margins


def save(file: Path, net: Net, edition: str) -> None:
    """Writes the net in half precision."""
    file.parent.mkdir(exist_ok=True)
    halves = {
        name: table.astype(np.float16) if table.dtype == np.float32 else table for name, table in net._asdict().items()
    }
    np.savez_compressed(file, edition=edition, **halves)


if __name__ == "__main__":
    main()
