"""How much our players leave to gain: a best response learns to beat one of them.

    python bench/best_response.py [--minutes 10] [--deals 2000]

Like `mulligan exploit`, against several players, and before and after learning. The results are lines of
docs/strength.jsonl.
"""

import argparse

from strength import keep

from mulligan.game import variants
from mulligan.players import net_files
from mulligan.study.exploit import gain_of, learn
from mulligan.training.course import Course

SEATS = 2


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--game", default="play_nine")
    parser.add_argument("--minutes", type=float, default=10.0)
    parser.add_argument("--deals", type=int, default=2000)
    told = parser.parse_args()
    variant = variants.load(told.game)
    start = net_files.brain(variant.rules, SEATS).net
    for name in ("net", "greedy"):
        best = learn(variant, SEATS, name, Course(minutes=told.minutes, share=1.0, rate=7e-4))
        gains = [gain_of(net, variant, SEATS, name, told.deals, 1, threads=0) for net in (start, best)]
        before, after = ([gain["gain"], gain["interval"]] for gain in gains)
        keep(
            {
                "name": f"gap {told.game} {SEATS} {name}",
                "kind": "gap",
                "game": told.game,
                "seats": SEATS,
                "players": ["best response", name],
                "holes": gains[0]["holes"],
                "strokes": after,
                "net": before,
                "how": f"{told.minutes:g} minutes of learning from the net of `net`",
            }
        )
        print(f"{name}: {before[0]:+.2f} ± {before[1]:.2f} before, {after[0]:+.2f} ± {after[1]:.2f} after", flush=True)


if __name__ == "__main__":
    main()
