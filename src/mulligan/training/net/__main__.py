"""Trains a net by self-play and writes it to the folder of the books.

    python -m mulligan.training.net --game GAME --seats 2 --minutes 10 --seed 1

With `--minutes` it stops by the clock; the same seed and number of rounds give the same net.
"""

import argparse
from dataclasses import fields
from pathlib import Path

import numpy as np

from mulligan.game import variants
from mulligan.players import book_files
from mulligan.players.values.net import NO_NET, Net

from .parameters import blank_numbers, net_of, numbers_of, plan
from .rival import rival_named
from .training_loop import Course, train


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m mulligan.training.net", description="Trains a net by self-play.")
    parser.add_argument("--game", default=variants.names()[0])
    parser.add_argument("--seats", type=int, default=2)
    parser.add_argument("--hidden", type=int, default=64, help="hidden units; 0 trains the linear player")
    parser.add_argument("--minutes", type=float, default=Course.minutes)
    parser.add_argument("--rounds", type=int, default=Course.rounds, help="stop after so many rounds, not by the clock")
    parser.add_argument("--rate", type=float, default=Course.rate, help="the first steps; the last are a twentieth")
    parser.add_argument("--passes", type=int, default=Course.passes, help="how often each position is learned")
    parser.add_argument("--kept", type=float, default=Course.kept, help="how much later turns correct a table's value")
    parser.add_argument("--explore", type=float, default=Course.explore, help="the share of random moves")
    parser.add_argument("--share", type=float, default=Course.share, help="the share of holes against a rival")
    parser.add_argument("--rival", type=Path, help="the rival's net, a file as this command writes; else it is greedy")
    parser.add_argument("--seed", type=int, default=Course.seed)
    parser.add_argument("--start", type=Path, help="a net to go on from, with as many hidden units")
    parser.add_argument("--into", type=Path, default=book_files.PACKAGE, help="the folder for the net")
    args = parser.parse_args()
    rules = variants.load(args.game).rules
    lay = plan(rules, args.seats, args.hidden)
    start = numbers_of(lay, book_files.load(args.start, NO_NET)) if args.start else blank_numbers(rules, lay, args.seed)
    own = {"net": book_files.load(args.rival, NO_NET)} if args.rival else {}
    rival = rival_named("net" if own else "greedy", rules, args.seats, **own)
    course = Course(**{field.name: getattr(args, field.name) for field in fields(Course)})
    numbers = train(rules, lay, start, rival, course)
    kind = "net" if args.hidden else "linear"
    file = args.into / book_files.file_name(
        args.game, min(args.seats, 3), kind
    )  # what four learn serves three and more
    save(file, net_of(rules, lay, numbers), book_files.edition(rules))
    print(f"{file}: {file.stat().st_size:,} bytes", flush=True)


def save(file: Path, net: Net, edition: str) -> None:
    """Writes the net in half precision."""
    file.parent.mkdir(exist_ok=True)
    halves = {
        name: table.astype(np.float16) if table.dtype == np.float32 else table for name, table in net._asdict().items()
    }
    np.savez_compressed(file, edition=edition, **halves)


if __name__ == "__main__":
    main()
