"""How strong the computer players are: everyone against everyone, and one against a field.

    make strength
    python bench/strength.py [--minutes 60] [--only TEXT] [--without TEXT]   plays, and writes the pages
    python bench/strength.py --ladder --holes 4000                           only each level against the one below
    python bench/strength.py --holes 1000 [--on ray] [--journal FILE]        the same figures on any machine
    python bench/strength.py --report                                        writes the pages again

Each piece (a pair or a field, in one game at one number of seats) gets a share of the time, slow players a larger one,
and is kept as one line of docs/strength.jsonl. `--only` plays only pieces whose name contains the text; `--without
search` skips what takes longest. Seats are swapped from hole to hole and from game to game. The pages are
docs/strength.md, docs/strength-tables.md and the chart.

With `--holes` every piece gets so many holes and a ninth of them as games, whatever time they take. So the same seed
gives the same figures, also on a Ray cluster (docs/many-machines.md).
"""

import argparse
import itertools
import json
import math
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
from clairvoyant import WIDTH, play_clairvoyant
from figures import commit, machine
from strength_pieces import BATCHES, Batches, Piece, batches_of
from strength_report import DOCS, KEPT, LADDER, pages, read_pieces

from mulligan import simulation
from mulligan.cli.common import progress
from mulligan.compute.pieces import LOCAL, run
from mulligan.game import variants
from mulligan.players.roster import LEVELS, PLAYERS

GAMES = ("play_nine", "nine_card")
OTHER_GAMES = tuple(name for name in variants.games() if name not in GAMES)  # few pairs and fields are measured
FIELDS = (3, 4, 6)  # seats: one player, and others of one kind
FIELD_PLAYER = "greedy"
FEWEST, MOST = 24, 40_000  # holes of a piece; the first look at the time is after FEWEST


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--minutes", type=float, default=60)
    parser.add_argument("--holes", type=int, default=0)
    parser.add_argument("--on", default=LOCAL)
    parser.add_argument("--journal", type=Path)
    parser.add_argument("--only", default="")
    parser.add_argument("--without")
    parser.add_argument("--ladder", action="store_true")
    parser.add_argument("--threads", type=int, default=0)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--report", action="store_true")
    wanted = parser.parse_args()
    if wanted.holes < 0:
        parser.error("--holes is a number of holes.")
    if not wanted.holes and (wanted.on != LOCAL or wanted.journal):
        parser.error("--on and --journal need --holes: what is played in a given time differs from machine to machine.")
    if not wanted.report:
        try:
            play_all(wanted)
        except KeyboardInterrupt:
            sys.exit("Stopped.")
        except (ValueError, OSError) as error:
            sys.exit(str(error))
    for name, text in pages(read_pieces()).items():
        (DOCS / name).write_text(text, encoding="utf-8")


def play_all(wanted: argparse.Namespace) -> None:
    offered = ladder_pieces() if wanted.ladder else all_pieces()
    pieces = [piece for piece in offered if wanted.only in piece.name]
    if wanted.without:
        pieces = [piece for piece in pieces if wanted.without not in piece.name]
    played = play_holes(pieces, wanted) if wanted.holes else play_minutes(pieces, wanted)
    for number, (piece, result) in enumerate(zip(pieces, played, strict=True), 1):
        keep({"name": piece.name, "kind": piece.kind, "game": piece.game, "seats": piece.seats} | result)
        print(
            f"{number:4}/{len(pieces)} {piece.name:45} {result['strokes'][0]:+6.2f} ± {result['strokes'][1]:.2f}",
            flush=True,
        )


def play_minutes(pieces: list[Piece], wanted: argparse.Namespace) -> Iterator[dict[str, Any]]:
    unit = 60 * wanted.minutes / max(1, sum(piece.share for piece in pieces))
    for piece in pieces:
        yield play_piece(piece, unit * piece.share, wanted.seed, wanted.threads)


def play_holes(pieces: list[Piece], wanted: argparse.Namespace) -> Iterator[dict[str, Any]]:
    work = Batches(pieces, wanted.seed, wanted.holes)
    batches = [list(batches_of(piece, wanted.seed, wanted.holes)) for piece in pieces]
    todo = list(itertools.chain(*batches))
    with progress(len(todo), "Playing") as advance:
        results = run(work, todo, wanted.on, wanted.threads, wanted.journal, lambda batch: advance(1))
        for piece, own in zip(pieces, batches, strict=True):
            rows: dict[str, list[np.ndarray]] = {"holes": [], "games": []}
            for batch in own:
                rows[batch.what].append(
                    np.frombuffer(next(results)).reshape(-1, 2 if piece.kind == "clairvoyant" else 5)
                )
            yield figures(piece, wanted.seed, *(np.concatenate(part) for part in rows.values() if part))
        next(results, None)  # ends the run, and deletes its journal


def all_pieces() -> Iterator[Piece]:
    ranked = [name for name in PLAYERS if name not in LEVELS] + [*LEVELS]
    for game in GAMES:
        for weaker, stronger in itertools.combinations(ranked, 2):
            yield Piece("pair", game, 2, (stronger, weaker))
        for player, seats in itertools.product(ranked, FIELDS):
            if player != FIELD_PLAYER:
                yield Piece("field", game, seats, (player, FIELD_PLAYER))
        yield Piece("clairvoyant", game, 2, ("clairvoyant", FIELD_PLAYER))
    yield from (piece for piece in ladder_pieces() if piece.game in OTHER_GAMES)
    for variant in map(variants.load, OTHER_GAMES):
        yield Piece("pair", variant.name, 2, ("net", "greedy"))
        for seats in sorted({*FIELDS, variant.seats[-1]}):
            yield Piece("field", variant.name, seats, ("net", "greedy"))


def ladder_pieces() -> Iterator[Piece]:
    """Each level against the one below it, in every game."""
    for game in variants.games():
        for lower, upper in itertools.pairwise(LADDER):
            yield Piece("pair", game, 2, (upper, lower))


def play_piece(piece: Piece, seconds: float, seed: int, threads: int) -> dict[str, Any]:
    """The result of a piece; each figure with half of its 95 % interval."""
    if piece.kind == "clairvoyant":
        return figures(piece, seed, see_through(piece, seconds, seed))
    holes = many(piece, seconds / 2, seed, threads, "holes")
    games = many(piece, seconds / 2, seed, threads, "games")
    return figures(piece, seed, holes, games)


def figures(piece: Piece, seed: int, holes: np.ndarray, games: np.ndarray | None = None) -> dict[str, Any]:
    """What is kept of the rows of a piece; those of the clairvoyant have points only."""
    if games is None:
        return {
            "players": list(piece.players),
            "seed": seed,
            "holes": len(holes),
            "width": WIDTH,
            "points": holes.mean(axis=0).tolist(),
            "strokes": with_interval(holes[:, 1] - holes[:, 0]),
            "holes_won": with_interval((holes[:, 0] < holes[:, 1]) + (holes[:, 0] == holes[:, 1]) / 2),
        }
    return {
        "players": list(piece.players),
        "seed": seed,
        "holes": len(holes),
        "games": len(games),
        "points": [float(holes[:, 0].mean()), float(holes[:, 1].mean())],
        "strokes": with_interval(holes[:, 4]),
        "holes_won": with_interval(holes[:, 2]),
        "games_won": with_interval(games[:, 3]),
    }


def many(piece: Piece, seconds: float, seed: int, threads: int, what: str) -> np.ndarray:
    """Plays batches, each double the one before, as long as the time allows. Returns a row for each game or hole."""
    least = FEWEST if what == "holes" else FEWEST // 4
    piece.play("holes", 1, seed, threads=1)  # compiles, and reads the nets
    rows: list[np.ndarray] = []
    started, count = time.perf_counter(), least
    for batch in itertools.count():
        count -= count % -piece.seats  # everyone has every seat equally often
        simulation.PIECE = max(1, min(256, count // 8))  # keep every core busy with few slow games too
        rows.append(piece.play(what, count, BATCHES * seed + batch, threads))
        spent, played = time.perf_counter() - started, sum(map(len, rows))
        count = min(2 * count, int(played / spent * (seconds - spent)), MOST - played)
        if count < least:
            return np.concatenate(rows)
    raise AssertionError


def see_through(piece: Piece, seconds: float, seed: int) -> np.ndarray:
    play_clairvoyant(piece.game, piece.seats, piece.players[1], 1, seed, 1)
    rows: list[np.ndarray] = []
    started = time.perf_counter()
    while time.perf_counter() - started < seconds or len(rows) < 2:
        rows.append(play_clairvoyant(piece.game, piece.seats, piece.players[1], 8, BATCHES * seed + len(rows)))
    return np.concatenate(rows)


def with_interval(values: np.ndarray) -> list[float]:
    """The mean, and half of its 95 % interval.

    Shares are computed with two more wins and two more losses, so that the interval is not too short if nearly all
    are won (Agresti and Coull 1998).
    """
    half = 1.96 * values.std(ddof=1) / math.sqrt(len(values))
    if values.min() >= 0 and values.max() <= 1:
        share = (values.sum() + 2) / (len(values) + 4)
        half = max(half, 1.96 * math.sqrt(share * (1 - share) / (len(values) + 4)) + abs(share - values.mean()))
    return [float(values.mean()), float(half)]


def keep(piece: dict[str, Any]) -> None:
    """Stores the piece with commit and machine, replacing an older one of the same players."""
    told = piece | {"commit": commit(), "machine": machine()}
    pieces = [other for other in read_pieces() if who(other) != who(piece)] + [told]
    pieces.sort(key=lambda one: one["name"])
    KEPT.write_text("".join(json.dumps(one) + "\n" for one in pieces), encoding="utf-8")


def who(piece: dict[str, Any]) -> tuple[Any, ...]:
    """Of a pair, either may come first."""
    players = sorted(piece["players"]) if piece["kind"] == "pair" else piece["players"]
    return piece["kind"], piece["game"], piece["seats"], *players


if __name__ == "__main__":
    main()
