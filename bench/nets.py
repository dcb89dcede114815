"""How well nets predict: their errors in the same positions of the first net's games.

    python bench/nets.py GAME SEATS NET NET… [--pieces 16] [--seed 99]

The first net plays holes, and its searches say how lucky each turn was. In each of many positions (`A_PIECE`), the
points of the hole, less that luck, are compared with the value of every net. The difference is the error of the net
plus luck that no search sees. That luck is equal for all nets, so fewer holes are needed than for playing moves out.
The comparison favours the first net, because its searches take out the luck: another one with smaller errors is
better.
"""

import argparse
from pathlib import Path

import numpy as np

from mulligan.engine.compiled import compiled_with_arrays
from mulligan.engine.state import HIDDEN
from mulligan.game.variants import for_seats, load
from mulligan.players import net_files
from mulligan.players.values.features import TENTH
from mulligan.players.values.net import Net
from mulligan.training.course import Course
from mulligan.training.gradient_steps import forward
from mulligan.training.parameters import Plan, net_of, numbers_of, plan
from mulligan.training.rival import rival_named
from mulligan.training.samples import LAYOUTS, blank_for, note_position, view_in
from mulligan.training.self_play import SelfPlay

A_PIECE = 20_000  # positions
COURSE = Course(kept=1.0, explore=0.01, share=0.0, loose=0.3)  # to the end of the hole, also from tables nobody seeks


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("game")
    parser.add_argument("seats", type=int)
    parser.add_argument("nets", nargs="+", type=Path)
    parser.add_argument("--pieces", type=int, default=16)
    parser.add_argument("--seed", type=int, default=99)
    wanted = parser.parse_args()
    rules = for_seats(load(wanted.game), wanted.seats).rules
    nets = [net_files.load(file) for file in wanted.nets]
    positions, targets = play_positions(rules, wanted.seats, nets[0], wanted.pieces, wanted.seed)
    near = are_near_the_end(positions, int(rules.slots), wanted.seats)
    print(f"{len(positions):,} positions; in {near.mean():.0%} of them someone has at most one card face down")
    errors = [squared_errors(rules, wanted.seats, net, positions, targets) for net in nets]
    for file, one in zip(wanted.nets, errors, strict=True):
        change, there = (one[chosen].mean() / errors[0][chosen].mean() - 1 for chosen in (slice(None), near))
        print(f"{file}: {one.mean():.3f} strokes², {change:+.1%}; there {there:+.1%}")


def play_positions(rules, seats: int, net: Net, pieces: int, seed: int) -> tuple[np.ndarray, np.ndarray]:
    """Positions of the net's own games, and what became of them in strokes, less the luck that the net knows of."""
    lay, numbers = learned(rules, seats, net)
    games = SelfPlay(
        rules, lay, net_of(rules, lay, numbers), rival_named("greedy", rules, seats), COURSE, [seed], A_PIECE
    )
    played = [games.read(games(piece)) for piece in range(pieces)]
    positions, targets = (np.concatenate(parts) for parts in zip(*played, strict=True))
    return positions, targets * TENTH


def are_near_the_end(positions: np.ndarray, slots: int, seats: int) -> np.ndarray:
    layouts = positions[:, LAYOUTS : LAYOUTS + seats * slots].reshape(-1, seats, slots)
    return (layouts == HIDDEN).sum(axis=2).min(axis=1) <= 1


def squared_errors(rules, seats: int, net: Net, positions: np.ndarray, targets: np.ndarray) -> np.ndarray:
    (lay, numbers), values = learned(rules, seats, net), np.zeros(len(positions))
    judge(rules, net_of(rules, lay, numbers), lay, numbers, positions, values)
    return (values * TENTH - targets) ** 2


def learned(rules, seats: int, net: Net) -> tuple[Plan, np.ndarray]:
    """The numbers of a net with every feature: one of an older version lacks some."""
    lay = plan(rules, seats, net.rows.shape[2] - 1)
    return lay, numbers_of(rules, lay, net, seed=1)


@compiled_with_arrays
def judge(rules, net, lay, numbers, positions, values):
    """Fills in the net's value of each position, in tens of strokes."""
    table, total = blank_for(rules, lay), np.zeros(lay.width, np.float32)
    for nth in range(len(positions)):
        count = note_position(rules, net, lay, positions[nth], table)
        values[nth] = forward(numbers, view_in(positions[nth]), table, count, total)


if __name__ == "__main__":
    main()
