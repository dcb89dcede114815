"""A fixed number of holes for each piece of strength.py, in batches that any machine can play.

Every machine needs the same `bench/`, at the same path or in its PYTHONPATH.
"""

import hashlib
import platform
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import reference_players  # noqa: F401  adds them
from clairvoyant import play_clairvoyant

from mulligan import __version__, simulation
from mulligan.compute.in_order import in_order
from mulligan.game import variants
from mulligan.machine_code import sources_digest
from mulligan.players import net_files
from mulligan.study.arena import Arena, Task
from mulligan.study.contestants import contestants

BATCHES = 100  # seeds a piece may use up
BATCHES_OF_A_PIECE = 8  # in which a fixed number of holes is played, and as many times a fixed number of games
HOLES_A_GAME = 9
SLOW = ("search",)
SLOW_SHARE = 8  # times the time of a piece without slow players


@dataclass(frozen=True)
class Piece:
    """`players[0]` against the others, all of them `players[1]`."""

    kind: str  # pair, field or clairvoyant
    game: str
    seats: int
    players: tuple[str, str]

    @property
    def name(self) -> str:
        return f"{self.kind} {self.game} {self.seats} {self.players[0]} {self.players[1]}"

    @property
    def is_slow(self) -> bool:
        return not {*self.players}.isdisjoint(SLOW)

    @property
    def share(self) -> int:
        return SLOW_SHARE if self.is_slow or self.kind == "clairvoyant" else 1

    def play(self, what: str, size: int, seed: int, threads: int) -> np.ndarray:
        """Plays so many `holes` or `games`. Returns a row for each, as `rows_of` says."""
        chairs = [self.players[0]] + [self.players[1]] * (self.seats - 1)
        variant = variants.load(self.game)
        if self.is_slow and what == "holes":
            return play_less_luck(variant, chairs, size, seed, threads)
        games, holes = size * (what == "games"), size * (what == "holes")
        return rows_of(simulation.simulate(variant, self.seats, chairs, seed, games, holes, threads))


class Batch(NamedTuple):
    piece: Piece
    what: str  # holes or games
    size: int
    seed: int


class Batches:
    """Plays a batch: the rows of its holes or games, as bytes."""

    def __init__(self, pieces: Sequence[Piece], seed: int, holes: int) -> None:
        self.facts: dict[str, Any] = {
            "players": [piece.name for piece in pieces],
            "seed": seed,
            "holes": holes,
            "bench": sources_of_bench(),
            "Mulligan": f"{__version__} ({sources_digest()})",
        }

    def __setstate__(self, state: dict[str, Any]) -> None:
        """Raises ValueError on a machine with another `bench/`."""
        self.__dict__.update(state)
        if self.facts["bench"] != sources_of_bench():
            raise ValueError(f"The machine {platform.node()} of the cluster has another bench/ than this one.")

    def __call__(self, batch: Batch) -> bytes:
        piece, what, size, seed = batch
        if piece.kind == "clairvoyant":
            rows = play_clairvoyant(piece.game, piece.seats, piece.players[1], size, seed)
        else:
            rows = piece.play(what, size, seed, threads=1)
        return np.ascontiguousarray(rows, float).tobytes()


def batches_of(piece: Piece, seed: int, holes: int) -> Iterator[Batch]:
    """The batches of at least so many holes and a ninth of them as games; everyone has every seat equally often."""
    counts = {"holes": holes} if piece.kind == "clairvoyant" else {"holes": holes, "games": -(-holes // HOLES_A_GAME)}
    for what, count in counts.items():
        part = -(-count // BATCHES_OF_A_PIECE)
        for number in range(BATCHES_OF_A_PIECE):
            yield Batch(piece, what, part - part % -piece.seats, BATCHES * seed + number)


def rows_of(results: simulation.Results) -> np.ndarray:
    """For each game, about the first player: strokes per hole, mean of the others, shares of holes and of games, and
    strokes per hole better than the others."""
    mine = results.chair == 0
    points = results.points.mean(axis=1)
    others = np.where(mine, 0, points).sum(axis=1) / (points.shape[1] - 1)
    holes = simulation.shares(results.points == results.points.min(axis=2, keepdims=True)).mean(axis=1)
    games = simulation.shares(results.winners == 1)
    return np.column_stack([points[mine], others, holes[mine], games[mine], others - points[mine]])


def play_less_luck(variant: variants.Variant, names: list[str], holes: int, seed: int, threads: int) -> np.ndarray:
    """The rows of so many holes, each with cards of its own. The strokes in the last column are less the luck of the
    cards, as in the arena: with the same mean, slow players need far fewer holes."""
    seats = len(names)
    arena = Arena(variant, seats, contestants(names, variant, seats, timeout=0), holes, seed)
    brain = net_files.brain(arena.variant.rules, seats)

    def play(deal: int) -> list[float]:
        mine = deal // seats % seats  # the dealer's seat changes faster
        chairs = tuple((seat - mine) % seats for seat in range(seats))
        task = Task(deal, 0, mine, chairs)
        score = arena.judge(task, arena.play_hole(task), brain)
        points = score.points
        won = simulation.shares(points == points.min())
        return [points[mine], points[mine] - score.strokes[mine], won[mine], 0.0, -score.adjusted[mine]]

    return np.array(list(in_order(play, range(holes), threads)))


@cache
def sources_of_bench() -> str:
    digest = hashlib.sha256()
    for file in sorted(Path(__file__).parent.glob("*.py")):
        digest.update(file.read_bytes())
    return digest.hexdigest()[:16]
