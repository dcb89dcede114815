"""How fast a game is analysed, and whether luck averages to nothing.

    python bench/analysis.py [--games 5] [--holes 4000] [--only play_nine]
    python bench/analysis.py --json [--holes 20000] [--only play_nine]     only the luck of many holes

Good players have no luck against each other on average if par is right. The net makes no mistakes by its own judgement,
so its luck is its points minus par, which was measured with other cards (bench/par.py). The analyses of a
few holes show what luck consists of.
"""

import argparse
import json
import time

import numpy as np

from mulligan import simulation
from mulligan.coach.analysis import HoleAnalysis, analyse, analyse_hole
from mulligan.coach.calibration import SURE
from mulligan.coach.findings import SeatFindings
from mulligan.coach.par import par, play
from mulligan.engine.chance import many_dice
from mulligan.engine.state import MOVES
from mulligan.game import variants
from mulligan.game.hole import Hole
from mulligan.game.variants import Variant
from mulligan.players import net_files
from mulligan.players.exact_turn import weigh
from mulligan.server.services.coach_worker import MOST_PLAYED_OUT

SEED = 77
LUCKY_HOLES = 40  # for each game and number of seats


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--games", type=int, default=5)
    parser.add_argument("--holes", type=int, default=4000)
    parser.add_argument("--only", default="")
    parser.add_argument("--json", action="store_true")
    wanted = parser.parse_args()
    games = [variants.load(name) for name in variants.games() if wanted.only in name]
    if wanted.json:
        found = {game.name: {seats: luck_of_many(game, seats, wanted.holes) for seats in (2, 4)} for game in games}
        print(json.dumps(found))
        return
    for variant in games:
        speed(variant, 4, wanted.games)
    for variant in games:
        for seats in (2, 4):
            luck(variant, seats, LUCKY_HOLES * wanted.games)
            mean, half = luck_of_many(variant, seats, wanted.holes)
            print(f"    luck over {wanted.holes:,} holes {mean:+.3f} ± {half:.3f} strokes per hole (95 %)")


def speed(variant: Variant, seats: int, games: int) -> None:
    """Nine holes of `greedy` players, with everything compiled; and what the page then refines, a hole at a time."""
    quick, refined = [], []
    for record in simulation.records(variant, seats, ["greedy"], SEED, games + 1):
        started = time.perf_counter()
        analyse(record)
        quick.append(time.perf_counter() - started)
        started = time.perf_counter()
        analyse_hole(record, variant, 1, MOST_PLAYED_OUT)
        refined.append(time.perf_counter() - started)
    print(
        f"{variant.name:10s} {seats} seats, nine holes: median {np.median(quick[1:]):.2f} s, "
        f"longest {max(quick[1:]):.2f} s; refining a hole on one core: median {np.median(refined[1:]):.2f} s, "
        f"longest {max(refined[1:]):.2f} s"
    )


def luck(variant: Variant, seats: int, holes: int) -> None:
    """Luck between players who make no mistakes, and each part of it."""
    shares = [share for number in range(holes) for share in one_hole(variant, seats, number)]
    parts = {part: [getattr(share.luck_parts, part) for share in shares] for part in vars(shares[0].luck_parts)}
    parts = {"luck": [share.luck for share in shares], **parts}
    print(f"{variant.name:10s} {seats} seats, {holes} holes without mistakes: mean ± error (spread)")
    for part, values in parts.items():
        by_hole = np.array(values).reshape(-1, seats)
        error = by_hole.mean(axis=1).std(ddof=1) / np.sqrt(len(by_hole))
        print(f"    {part:13s} {np.mean(values):+6.2f} ± {error:.2f}  ({np.std(values):.1f})")


def luck_of_many(variant: Variant, seats: int, holes: int) -> list[float]:
    """Luck of the net against itself, by its points alone: strokes per hole, and half of the 95 % interval."""
    points = play(variant, seats, holes, SEED)
    half = SURE * points.std(ddof=1) / np.sqrt(holes)
    return [float(points.mean() - par(variant, seats)), float(half)]


def one_hole(variant: Variant, seats: int, number: int) -> list[SeatFindings]:
    dice = many_dice(SEED + number, 1)[0]
    brain, move_values = net_files.coach_brain(variant.rules, seats), np.zeros(MOVES)
    dealer = number % seats
    hole = Hole(variant, seats, dealer)

    def choose() -> int:
        weigh(variant.rules, brain.net, hole.state, move_values)
        return int(move_values.argmin())

    hole.play_out(choose, dice)
    return HoleAnalysis(1, hole, dealer, list(range(seats))).findings().seats


if __name__ == "__main__":
    main()
