"""Par: what a hole costs a seat on average when everybody plays well. A hole's luck is counted from there."""

import json
from functools import cache
from pathlib import Path

import numpy as np

from .shelf import edition
from .simulate import simulate
from .variants import Variant

FILE = Path(__file__).parent / "books" / "par.json"  # by edition of the rules and number of seats, see bench/par.py
PLAYER = "eye"  # judges tables as the analysis does, and is quick; where there is no net it plays as `greedy`
HOLES = 500  # played where par has not been measured


def par(variant: Variant, seats: int) -> float:
    """Points of a seat in a hole, always the same for a variant and a number of seats."""
    pars = measured().setdefault(edition(variant.rules), {})
    if str(seats) not in pars:
        pars[str(seats)] = float(play(variant, seats, HOLES).mean())
    return pars[str(seats)]


def play(variant: Variant, seats: int, holes: int) -> np.ndarray:
    """The mean points of the seats in each of so many holes."""
    return simulate(variant, seats, [PLAYER], seed=1, holes=holes).points[:, 0].mean(axis=1)


@cache
def measured() -> dict[str, dict[str, float]]:
    """What the file says, and what was measured since."""
    return json.loads(FILE.read_text(encoding="utf-8")) if FILE.exists() else {}
