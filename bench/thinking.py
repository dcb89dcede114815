"""What thinking adds: the strokes per hole that `search` gains over `net`, decision by decision.

    python bench/thinking.py [--game play_nine] [--holes 200] [--seed 1] [--threads 0]

`search` plays single holes against `net`. Wherever its move is not that of `net`, both moves are played out by `net`
(coach/rollouts.py). The differences of a hole together are what `search` gains in it, on average: the performance
difference lemma (Kakade and Langford 2002). Luck moves the points of two players apart far more than these sums,
so a few hundred holes are enough. MULLIGAN_THINK sets the seconds of `search`. The result is a line of
docs/strength.jsonl.
"""

import argparse
from collections.abc import Iterator
from typing import Any

import numpy as np
from strength import keep, with_interval

from mulligan.cli.common import progress
from mulligan.coach.rollouts import FULL, Doubt, roll_out
from mulligan.compute.in_order import in_order
from mulligan.engine.chance import many_dice
from mulligan.game import variants
from mulligan.game.hole import Hole
from mulligan.game.variants import Variant, for_seats
from mulligan.players import net_files
from mulligan.players.positions import first_twin
from mulligan.players.roster import PLAYERS
from mulligan.study.contestants import OwnPlayer

SEATS = 2
EFFORT = FULL._replace(playouts=100)
THINKER = 0  # the seat of `search`; the deal changes from hole to hole


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--game", default="play_nine")
    parser.add_argument("--holes", type=int, default=200)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--threads", type=int, default=0)
    wanted = parser.parse_args()
    variant = for_seats(variants.load(wanted.game), SEATS)
    gains, different = [], 0
    with progress(wanted.holes, "Playing") as advance:
        holes = range(wanted.holes)
        for doubts in in_order(lambda number: list(play(variant, wanted.seed, number)), holes, wanted.threads):
            gains.append(sum(found.loss for found in roll_out(doubts, EFFORT, threads=wanted.threads)))
            different += len(doubts)
            advance(1)
    result: dict[str, Any] = {
        "name": f"thinking {wanted.game} {SEATS} search net",
        "kind": "thinking",
        "game": wanted.game,
        "seats": SEATS,
        "players": ["search", "net"],
        "seed": wanted.seed,
        "holes": wanted.holes,
        "budget": int(net_files.brain(variant.rules, SEATS).budget[0]),
        "different": different / wanted.holes,
        "strokes": with_interval(np.array(gains)),
    }
    keep(result)
    mean, half = result["strokes"]
    print(f"{different / wanted.holes:.2f} other moves per hole, {mean:+.2f} ± {half:.2f} strokes per hole")


def play(variant: Variant, seed: int, number: int) -> Iterator[Doubt]:
    """Plays a hole. Yields each decision where `search` did not do what `net` would have done."""
    hole, dice = Hole(variant, SEATS, number % SEATS), many_dice([seed, number], 1)[0]
    search, net = (player(name, variant) for name in ("search", "net"))
    brain = net_files.brain(variant.rules, SEATS)
    while not hole.is_over:
        if hole.awaits_card:
            hole.draw_card(dice)
            continue
        usual = net.choose(hole, dice)
        if hole.turn != THINKER:
            hole.play(usual)
            continue
        move = search.choose(hole, dice)
        if first_twin(variant.rules, hole.state, move) != first_twin(variant.rules, hole.state, usual):
            yield Doubt(variant.rules, brain, hole.state.copy(), usual, move)
        hole.play(move)


def player(name: str, variant: Variant) -> OwnPlayer:
    return OwnPlayer(name, PLAYERS[name].choose, variant, net_files.brain_for([name], variant.rules, SEATS))


if __name__ == "__main__":
    main()
