"""How much our players leave to gain: a best response learns to beat one of them.

    python bench/best_response.py [--minutes 10] [--holes 10000]

It starts with the net of our players and learns only from holes against that opponent, with the same features and the
same kind of net, so its gain is a lower bound. The results are lines of docs/strength.jsonl.
"""

import argparse

from strength import keep, with_interval

from mulligan.game import variants
from mulligan.players import book_files
from mulligan.players.values.net import NO_NET
from mulligan.training.net.parameters import net_of, numbers_of, plan
from mulligan.training.net.training_loop import Course, against, train

SEATS = 2


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--game", default="play_nine")
    parser.add_argument("--minutes", type=float, default=10.0)
    parser.add_argument("--holes", type=int, default=10_000)
    told = parser.parse_args()
    rules = variants.load(told.game).rules
    net = book_files.books(rules, SEATS).net
    lay = plan(rules, SEATS, net.rows.shape[2] - 1)
    for name, rival in (("net", net), ("greedy", NO_NET)):
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
                "net": before,
                "how": f"{told.minutes:g} minutes of learning from the net of `net`",
            }
        )
        print(f"{name}: {before[0]:+.2f} ± {before[1]:.2f} before, {after[0]:+.2f} ± {after[1]:.2f} after", flush=True)


if __name__ == "__main__":
    main()
