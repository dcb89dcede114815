"""How fast a game is analysed, and whether luck averages to nothing.

python bench/analysis.py [GAMES]
"""

import sys
import time

import numpy as np

from mulligan import simulate
from mulligan.coach.analysis import HoleAnalysis, analyse
from mulligan.coach.par import play
from mulligan.engine.chance import many_dice
from mulligan.engine.state import MOVES
from mulligan.game import variants
from mulligan.game.hole import Hole
from mulligan.game.variants import Variant
from mulligan.players import book_files
from mulligan.players.exact_turn import weigh

SEED = 77
LUCKY_HOLES = 40  # for each game and number of seats
OTHER_HOLES = 4000


def main() -> None:
    games = int(sys.argv[1]) if len(sys.argv) > 1 else 5
    for name in variants.names():
        speed(variants.load(name), 4, games)
    for name in variants.names():
        for seats in (2, 4):
            luck(variants.load(name), seats, LUCKY_HOLES * games)


def speed(variant: Variant, seats: int, games: int) -> None:
    """Nine holes of `greedy` players, with everything compiled."""
    seconds = []
    for record in simulate.records(variant, seats, ["greedy"], SEED, games + 1):
        started = time.perf_counter()
        analyse(record)
        seconds.append(time.perf_counter() - started)
    print(
        f"{variant.name:10s} {seats} seats, nine holes: median {np.median(seconds[1:]):.2f} s, "
        f"longest {max(seconds[1:]):.2f} s"
    )


def luck(variant: Variant, seats: int, holes: int) -> None:
    """Luck between players who make no mistakes, and each part of it."""
    shares = [share for number in range(holes) for share in one_hole(variant, seats, number)]
    parts = {part: [share["luck_parts"][part] for share in shares] for part in shares[0]["luck_parts"]}
    parts = {"luck": [share["luck"] for share in shares], **parts}
    print(f"{variant.name:10s} {seats} seats, {holes} holes without mistakes: mean ± error (spread)")
    for part, values in parts.items():
        by_hole = np.array(values).reshape(-1, seats)
        error = by_hole.mean(axis=1).std(ddof=1) / np.sqrt(len(by_hole))
        print(f"    {part:13s} {np.mean(values):+6.2f} ± {error:.2f}  ({np.std(values):.1f})")
    par = play(variant, seats, OTHER_HOLES).mean()
    print(f"    par in {OTHER_HOLES} holes {par:.2f}, at the deal {np.mean([s['at_deal'] for s in shares]):.2f}")


def one_hole(variant: Variant, seats: int, number: int) -> list[dict]:
    dice = many_dice(SEED + number, 1)[0]
    books, move_values = book_files.books(variant.rules, seats), np.zeros(MOVES)
    dealer = number % seats
    hole = Hole(variant, seats, dealer)

    def choose() -> int:
        weigh(variant.rules, hole.state, books, move_values)
        return int(move_values.argmin())

    hole.play_out(choose, dice)
    return HoleAnalysis(1, hole, dealer, list(range(seats))).as_dict()["seats"]


if __name__ == "__main__":
    main()
