"""Computes par: the mean points of a hole when all players play well. Luck is measured from it."""

import json
from functools import cache
from pathlib import Path

import numpy as np

from mulligan.game.variants import Variant, for_seats
from mulligan.players.net_files import coach_brain, edition
from mulligan.simulation import simulate

FILE = Path(__file__).parent / "par.json"  # by edition of the rules and number of seats, see bench/par.py
PLAYER = "net"  # with the coach's net, it values positions as the analysis does; without a net it plays as `greedy`
HOLES = 500  # played if par has not been measured


def par(variant: Variant, seats: int) -> float:
    """Returns the points of a seat in a hole, always the same for a variant and a number of seats."""
    pars = measured().setdefault(edition(for_seats(variant, seats).rules), {})  # more players may use more packs
    if str(seats) not in pars:
        pars[str(seats)] = float(play(variant, seats, HOLES).mean())
    return pars[str(seats)]


def play(variant: Variant, seats: int, holes: int, seed: int = 1) -> np.ndarray:
    """Plays that many holes and returns the mean points of the seats in each: shape (holes,)."""
    brain = coach_brain(for_seats(variant, seats).rules, seats)
    return simulate(variant, seats, [PLAYER], seed, holes=holes, brain=brain).points[:, 0].mean(axis=1)


@cache
def measured() -> dict[str, dict[str, float]]:
    """Returns the values of the file and those measured since."""
    return json.loads(FILE.read_text(encoding="utf-8")) if FILE.exists() else {}
