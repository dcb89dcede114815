"""Two nets of the same game against each other: in the same positions, and in the same deals with seats exchanged.

    python bench/two_nets.py GAME SEATS NET OTHER [--within 0.1] [--seed 1] [--keep]

In 10,000 positions of the first net's own games it compares their values of the turn, and their moves. Then they sit in
turn at a table with an even number of seats, and each deal is played twice with the same dice, so that both nets have
each seat. Where they make the same moves, they get the same points: nets that hardly differ need few deals. It plays
until the 95 % interval of the difference lies within so many strokes per hole from 0, or for 100,000 deals.

With `--keep` the result becomes a line of docs/strength.jsonl: what it costs to round a net for its file. NET is the
file then, and OTHER the net before.
"""

import argparse
from pathlib import Path
from random import Random
from typing import Any

import numpy as np
from strength import keep, with_interval

from mulligan import simulation
from mulligan.engine.chance import many_dice
from mulligan.engine.compiled import compiled
from mulligan.engine.replay import STEP
from mulligan.engine.state import MOVES
from mulligan.game import variants
from mulligan.game.hole import Hole
from mulligan.game.variants import Variant, for_seats
from mulligan.players import net_files
from mulligan.players.net_player import best_of, choose_by
from mulligan.players.net_turn import weigh
from mulligan.players.roster import PLAYERS, Player
from mulligan.players.values.net import Net

POSITIONS = 10_000
AT_RANDOM = 0.05  # of the moves to these positions
DEALS = 512  # at a time
LEAST, MOST = 2_000, 100_000  # deals


Nets = tuple[Net, Net]


@compiled
def choose_by_one(rules, match, state, dice, nets):
    return choose_by(rules, nets[0], state)


@compiled
def choose_by_other(rules, match, state, dice, nets):
    return choose_by(rules, nets[1], state)


PLAYERS["one"] = Player(choose_by_one)
PLAYERS["other"] = Player(choose_by_other)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("game")
    parser.add_argument("seats", type=int)
    parser.add_argument("nets", nargs=2, type=Path)
    parser.add_argument("--within", type=float, default=0.1)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--keep", action="store_true")
    wanted = parser.parse_args()
    variant = for_seats(variants.load(wanted.game), wanted.seats)
    one, other = (net_files.load(file) for file in wanted.nets)
    nets = one, other
    differences, moves = judged(variant, wanted.seats, nets, wanted.seed)
    gains = played(variant, wanted.seats, nets, wanted.seed, wanted.within)
    result: dict[str, Any] = {
        "name": f"nets {wanted.game} {wanted.seats}",
        "kind": "nets",
        "game": wanted.game,
        "seats": wanted.seats,
        "players": ["net", "net"],
        "seed": wanted.seed,
        "holes": 2 * len(gains),
        "error": float(np.sqrt((differences**2).mean())),
        "other_moves": float(moves.mean()),
        "strokes": with_interval(gains),
    }
    if wanted.keep:
        keep(result)
    mean, half = result["strokes"]
    print(
        f"{wanted.game}, {wanted.seats} seats: the values differ by {result['error']:.4f} strokes (root mean square), "
        f"{result['other_moves']:.2%} of the moves; the first net gains {mean:+.3f} ± {half:.3f} strokes per hole in "
        f"{2 * len(gains):,} holes"
    )


def judged(variant: Variant, seats: int, nets: Nets, seed: int) -> tuple[np.ndarray, np.ndarray]:
    """By position: how far the values of the first net's move differ, and whether the other net moves differently."""
    draw, dice = Random(seed), many_dice(seed, 1)[0]
    differences, moves = np.zeros(POSITIONS), np.zeros(POSITIONS, bool)
    hole = Hole(variant, seats, 0)
    for nth in range(POSITIONS):
        while hole.is_over or hole.awaits_card:
            if hole.is_over:
                hole = Hole(variant, seats, nth % seats)
            else:
                hole.draw_card(dice)
        values = np.zeros((2, MOVES))
        for net, of_net in zip(nets, values, strict=True):
            weigh(variant.rules, net, hole.state, of_net)
        one, other = (int(best_of(of_net)) for of_net in values)
        differences[nth], moves[nth] = values[1, one] - values[0, one], one != other
        hole.play(draw.choice(hole.legal_moves()) if draw.random() < AT_RANDOM else one)
    return differences, moves


def played(variant: Variant, seats: int, nets: Any, seed: int, within: float) -> np.ndarray:
    """The strokes per hole that the first net gains, by deal. The players get `nets` instead of a brain."""
    rules = simulation.single_hole(variant.rules)
    chairs, _ = simulation.seat_players(["one", "other"], rules, seats, nets)
    gains: list[np.ndarray] = []
    while len(gains) * DEALS < LEAST or (len(gains) * DEALS < MOST and reach(np.concatenate(gains)) > within):
        dice = many_dice([seed, len(gains)], DEALS)
        points = np.zeros((2, 2, DEALS))  # [who has the first chair, net, deal]
        for first in range(2):
            sheets = simulation.blank_sheets(rules, DEALS, seats)
            simulation.play_games(
                rules, chairs, first, dice.copy(), simulation.TURN_LIMIT, nets, sheets, np.zeros(0, STEP)
            )
            net = (np.arange(seats) + np.arange(DEALS)[:, None] + first) % seats % 2
            for which in range(2):
                points[first, which] = simulation.hole_means(sheets[0], net == which)[:, 0]
        gains.append((points[:, 1] - points[:, 0]).mean(axis=0))
    return np.concatenate(gains)


def reach(gains: np.ndarray) -> float:
    """How far from 0 the interval goes."""
    mean, half = with_interval(gains)
    return abs(mean) + half


if __name__ == "__main__":
    main()
