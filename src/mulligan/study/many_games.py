"""The games of `simulate`, cut into pieces that any machine can play."""

import time
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import numpy as np

from mulligan import simulation
from mulligan.compute import pieces
from mulligan.compute.digests import digest_of, leaves, program
from mulligan.engine.replay import STEP
from mulligan.game.variants import Variant, for_seats
from mulligan.players.roster import PLAYERS

PIECES = 128  # that a run has at least, if there are so many games


class Games:
    """Plays a range of the games of a run: a pair of numbers gives what `blank_sheets` describes, as bytes."""

    def __init__(
        self, rules: Any, seats: int, players: Sequence[str], brain: Any, seed: int, count: int, single: bool
    ) -> None:
        self.rules, self.seats, self.players, self.brain = rules, seats, list(players), brain
        self.seed, self.turn_limit = seed, simulation.TURN_LIMIT
        self.modules = sorted({PLAYERS[name].choose.__module__ for name in players})  # they may add players
        self.facts = {
            "players": self.players,
            "seats": seats,
            "seed": seed,
            "single holes" if single else "games": count,
            "rules": digest_of(rules),
            "nets": digest_of(*leaves(brain)),
            "Mulligan": program(),
        }

    def __call__(self, piece: tuple[int, int]) -> bytes:
        start, stop = piece
        dice = dice_of(self.seed, start, stop)
        chairs = self.chairs()
        sheets = simulation.blank_sheets(self.rules, stop - start, self.seats)
        simulation.play_games(self.rules, chairs, start, dice, self.turn_limit, self.brain, sheets, np.zeros(0, STEP))
        return b"".join(sheet.tobytes() for sheet in sheets)

    def chairs(self) -> np.ndarray:
        """The addresses of the players in this process."""
        from importlib import import_module

        for module in self.modules:
            import_module(module)
        return simulation.seat_players(self.players, self.rules, self.seats)[0]

    def read(self, result: bytes, sheets: tuple[np.ndarray, ...]) -> None:
        """Fills the sheets of a piece with its result."""
        begin = 0
        for sheet in sheets:
            sheet[...] = np.frombuffer(result, sheet.dtype, sheet.size, begin).reshape(sheet.shape)
            begin += sheet.nbytes


def dice_of(seed: int, start: int, stop: int) -> np.ndarray:
    """`many_dice(seed, stop)[start:]`, without rolling those before."""
    words = np.random.PCG64(seed).advance(start).random_raw(stop - start) >> np.uint64(2)
    return (words | np.uint64(1)).astype(np.int64).reshape(-1, 1)


def simulate_on(
    on: str,
    variant: Variant,
    seats: int,
    players: Sequence[str],
    seed: int,
    games: int = 0,
    holes: int = 0,
    threads: int = 0,
    progress: Callable[[int], None] = lambda done: None,
    journal: Path | None = None,
) -> simulation.Results:
    """The results of `simulation.simulate` with the same arguments, computed as `pieces.run` says, and its errors."""
    variant = for_seats(variant, seats)
    rules = variant.rules if games else simulation.single_hole(variant.rules)
    count = games or holes
    work = Games(rules, seats, players, simulation.seat_players(players, rules, seats)[1], seed, count, not games)
    size = max(1, min(simulation.PIECE, count // PIECES))  # by nothing but the count: the pieces of a journal stay
    ranges = [(start, min(start + size, count)) for start in range(0, count, size)]
    sheets = simulation.blank_sheets(rules, count, seats)
    started = time.perf_counter()
    results = pieces.run(work, ranges, on, threads, journal, lambda piece: progress(piece[1] - piece[0]))
    for (start, stop), result in zip(ranges, results, strict=True):
        work.read(result, tuple(sheet[start:stop] for sheet in sheets))
    return simulation.results_of(variant, players, sheets, time.perf_counter() - started)
