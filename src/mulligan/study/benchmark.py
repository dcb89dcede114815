"""The benchmark: the same games, opponents and unseen cards for everyone (docs/benchmark.md)."""

import tomllib
from collections.abc import Callable
from math import sqrt
from pathlib import Path
from typing import Any

from mulligan.compute.digests import program
from mulligan.game import variants

from .tournament import Player, tournament

PROTOCOL = tomllib.loads(Path(__file__).with_suffix(".toml").read_text(encoding="utf-8"))
VERSION, SEED, DEALS = PROTOCOL["version"], PROTOCOL["seed"], PROTOCOL["deals"]
GAMES, OPPONENTS = tuple(PROTOCOL["games"]), tuple(PROTOCOL["opponents"])
PARTS = ("gained", "adjusted")


def benchmark(
    player: Player,
    deals: int = DEALS,
    games: tuple[str, ...] = GAMES,
    timeout: float = 10.0,
    threads: int = 0,
    progress: Callable[[int, int], None] = lambda done, of: None,
) -> dict[str, Any]:
    """Plays a player against each opponent at two seats, and returns what it gained: an entry without who made it.

    player, timeout, threads: as in `tournament`, and so are the errors. progress: called after each hole, with 1 and
    the number of all holes.

    By game, and by opponent: `gained` strokes per hole, more are better, the same luck-adjusted (`adjusted`), each a
    mean with half of its 95 % interval. The same player gets the same figures on any number of threads.
    """
    holes = 2 * deals * len(games) * len(OPPONENTS)
    entry: dict[str, Any] = {"benchmark": VERSION, "deals": deals, "program": program(), "games": {}}
    for game in games:
        against, failures = {}, 0
        for number, opponent in enumerate(OPPONENTS):
            found = tournament(
                variants.load(game),
                2,
                [player, f"opponent={opponent}"],
                SEED + number,
                deals,
                timeout,
                threads,
                lambda done, _: progress(done, holes),
            )
            name = found["tables"][0][0]["player"]
            mine = next(one for one in found["players"] if one["player"] == name)
            against[opponent] = {
                "gained": [0.0 - mine["strokes"], mine["strokes_interval"]],
                "adjusted": [0.0 - mine["adjusted"], mine["adjusted_interval"]],
            }
            failures += mine["failures"]
        entry["games"][game] = mean(against) | {"failures": failures, "against": against}
    return entry


def mean(against: dict[str, dict[str, list[float]]]) -> dict[str, list[float]]:
    """The mean over the opponents. Their deals differ, so that the errors are independent of each other."""
    found = {}
    for part in PARTS:
        figures = [one[part] for one in against.values()]
        means, halves = zip(*figures, strict=True)
        found[part] = [sum(means) / len(figures), sqrt(sum(half**2 for half in halves)) / len(figures)]
    return found
