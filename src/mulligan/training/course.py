"""The settings of a training run."""

from dataclasses import dataclass


@dataclass(frozen=True)
class Course:
    """How long and how to train. With `minutes` the clock ends it; with `rounds` the result is the same every time."""

    minutes: float = 10.0
    rounds: int = 0
    rate: float = 1e-3  # the first steps; the last are far smaller
    passes: int = 3  # how often each round's number of positions is learned
    kept: float = 0.7  # how much later turns correct the value of a table (TD lambda)
    explore: float = 0.03  # the share of random moves
    share: float = 0.1  # the share of holes against the rival; 1 learns to beat the rival and nobody else
    loose: float = 0.0  # the share of holes that others begin, and of seats that play loosely
    seed: int = 1
