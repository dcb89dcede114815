"""The training loop: self-play and gradient steps in turn, until the time is over."""

import time
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np

from mulligan.engine.chance import many_dice
from mulligan.engine.compiled import fresh
from mulligan.engine.match import MATCH
from mulligan.players.values.net import Net

from .contest import contest
from .gradient_steps import study
from .parameters import Plan, columns, net_of
from .rival import Rival
from .self_play import practise

ROUND = 20_000  # positions played between two lots of learning
KEPT_ROUNDS = 15  # rounds from which is learned again
BATCH = 256


@dataclass(frozen=True)
class Course:
    """How long is learned, and how. With `minutes` the clock ends it, with `rounds` it is the same every time."""

    minutes: float = 10.0
    rounds: int = 0
    rate: float = 1e-3  # the first steps; the last are a twentieth of it
    passes: int = 3  # how often each round's number of positions is learned
    kept: float = 0.7  # how much later turns correct the value of a table (TD lambda)
    explore: float = 0.03  # the share of random moves
    share: float = 0.1  # the share of holes against the rival; 1 learns to beat the rival and nobody else
    seed: int = 1


def train(
    rules: Any,
    lay: Plan,
    numbers: np.ndarray,
    rival: Rival,
    course: Course,
    hear: Callable[[float], None] | None = None,
) -> np.ndarray:
    """Changes the numbers, and returns the mean of them over the last rounds.

    `hear` hears after each round which share is done; without it, progress is printed and measured.
    """
    dice = many_dice(course.seed, 1)[0]
    rng = np.random.default_rng(course.seed)
    gradient, means, squares = (np.zeros_like(numbers) for _ in range(3))
    smooth = numbers.astype(np.float64)
    positions = np.zeros((KEPT_ROUNDS * ROUND, columns(lay)), np.int16)
    targets = np.zeros(len(positions), np.float32)
    filled, spare, steps, holes = 0, 0, 0, 0
    started, said_last, done = time.monotonic(), 0.0, 0.0
    while done < 1.0:
        net = net_of(rules, lay, numbers)
        part = slice(spare * ROUND, (spare + 1) * ROUND)
        played, full = practise(
            rules,
            net,
            *rival,
            fresh(MATCH),
            lay,
            dice,
            course.explore,
            course.share,
            course.kept,
            positions[part],
            targets[part],
        )
        positions[part.start + full : part.stop] = positions[part.start : part.start + ROUND - full]
        targets[part.start + full : part.stop] = targets[part.start : part.start + ROUND - full]
        holes += played
        filled, spare = max(filled, spare + 1), (spare + 1) % KEPT_ROUNDS
        order = rng.integers(filled * ROUND, size=course.passes * ROUND)
        rate = course.rate * 0.05**done
        error = study(
            lay, net.members, numbers, gradient, means, squares, positions, targets, order, BATCH, rate, steps
        )
        steps += len(order) // BATCH
        smooth += (numbers - smooth) * 0.02
        rounds = steps * BATCH // (course.passes * ROUND)
        minutes = (time.monotonic() - started) / 60
        done = rounds / course.rounds if course.rounds else minutes / course.minutes
        if hear:
            hear(min(1.0, done))
        elif minutes > said_last + 1.0 or done >= 1.0:
            said_last = minutes
            margins = against(rules, lay.seats, net_of(rules, lay, smooth.astype(np.float32)), rival, 1000)
            print(
                f"{minutes:5.1f} min {rounds:5d} rounds {holes:8d} holes, error {10 * error**0.5:.3f}, "
                f"against the rival {margins.mean():.2f} ± {margins.std() / len(margins) ** 0.5:.2f}",
                flush=True,
            )
    return smooth.astype(np.float32)


def against(rules: Any, seats: int, net: Net, rival: Rival, holes: int, seed: int = 99) -> np.ndarray:
    """The net's margin in each of so many holes against the rival."""
    margins = np.zeros(holes)
    contest(rules, seats, net, *rival, fresh(MATCH), many_dice(seed, 1)[0], margins)
    return margins
