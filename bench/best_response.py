"""How much is still to be gained against our players: somebody learns to beat one who does not change.

    python bench/best_response.py [--minutes 10] [--holes 10000]

He begins with the net our players use and learns from holes against that one opponent alone, with the same eyes and
the same kind of net; so what he gains is the least there is to gain. The findings are lines of docs/strength.jsonl.
"""

import argparse

from strength import keep, with_interval

from mulligan import shelf, variants
from mulligan.learn.course import Course, against, train
from mulligan.learn.rows import net_of, numbers_of, plan
from mulligan.players.net import NO_NET

SEATS = 2


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--game", default="play_nine")
    parser.add_argument("--minutes", type=float, default=10.0)
    parser.add_argument("--holes", type=int, default=10_000)
    told = parser.parse_args()
    rules = variants.load(told.game).rules
    net = shelf.books(rules, SEATS).net
    lay = plan(rules, SEATS, net.rows.shape[2] - 1)
    for name, rival in (("eye", net), ("greedy", NO_NET)):
        course = Course(minutes=told.minutes, share=1.0, rate=7e-4)
        best = net_of(rules, lay, train(rules, lay, numbers_of(lay, net), rival, course))
        before, after = (with_interval(-against(rules, SEATS, one, rival, told.holes)) for one in (net, best))
        keep(
            {
                "name": f"gap {told.game} {SEATS} {name}",
                "kind": "gap",
                "game": told.game,
                "seats": SEATS,
                "players": ["best response", name],
                "holes": told.holes,
                "strokes": after,
                "eye": before,
                "how": f"{told.minutes:g} minutes of learning from `eye`'s net",
            }
        )
        print(f"{name}: {before[0]:+.2f} ± {before[1]:.2f} before, {after[0]:+.2f} ± {after[1]:.2f} after", flush=True)


if __name__ == "__main__":
    main()
