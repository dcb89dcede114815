"""The value of the right to decline a last turn (4.2): the same holes with and without it.

    python bench/declining.py [GAME] [HOLES] [PLAYER-SEATS …]

Both have the same chance until someone declines. Points per seat and hole, with a 95 % interval of the difference.
"""

import sys
from pathlib import Path

import numpy as np

from mulligan.game import variants
from mulligan.game.notation import DECLINED
from mulligan.simulation import records, simulate

TABLES = ("greedy-2", "greedy-4", "net-2", "net-4", "net-8")


def main() -> None:
    game, holes, *tables = [*sys.argv[1:], *("nine_card", "20000")[len(sys.argv) - 1 :]]
    right = variants.load(game)
    duty = variants.parse(
        right.text.replace("may_decline_last_turn = true", "may_decline_last_turn = false"), Path("duty.toml")
    )
    for player, seats in (table.split("-") for table in tables or TABLES):
        compare(right, duty, player, int(seats), int(holes))


def compare(right: variants.Variant, duty: variants.Variant, player: str, seats: int, holes: int) -> None:
    declined = turns = 0
    for record in records(right, seats, [player], 2, max(20, holes // 100)):
        for hole in record["holes"]:
            declined += hole["moves"].count(DECLINED)
            turns += seats - 1
    with_it, without = (
        simulate(variant, seats, [player], 1, holes=holes).points[:, 0].mean(axis=1) for variant in (right, duty)
    )
    change, often = with_it - without, declined / turns
    error = 1.96 * change.std(ddof=1) / np.sqrt(holes)
    print(f"{player:8} {seats} seats: {often:.1%} of {turns} last turns declined;", end=" ")
    print(
        f"{with_it.mean():.3f} points per hole, {without.mean():.3f} without: {change.mean():+.3f} ± {error:.3f}",
        flush=True,
    )


if __name__ == "__main__":
    main()
