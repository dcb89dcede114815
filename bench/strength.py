"""How strong the computer players are: everybody against everybody, and one against a field.

    make strength
    python bench/strength.py [--minutes 60] [--only TEXT] [--without TEXT]   plays, and writes the pages
    python bench/strength.py --report                                        writes the pages again

Each piece (a pair or a field, in one game at one number of seats) gets a share of the time, slow players a larger one,
and is kept as one line of docs/strength.jsonl. `--only` plays only pieces whose name contains the text; `--without
search` skips what takes longest. Seats are swapped from hole to hole and from game to game. The pages are
docs/strength.md, docs/strength-tables.md and the chart.
"""

import argparse
import itertools
import json
import math
import time
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np
import reference_players  # noqa: F401  adds them
from clairvoyant import WIDTH, play_clairvoyant
from strength_report import DOCS, KEPT, pages, read_pieces

from mulligan import simulate
from mulligan.game import variants
from mulligan.players import LEVELS, PLAYERS

GAMES = ("play_nine", "nine_card")
FIELDS = (3, 4, 6)  # seats: one player, and others of one kind
FIELD_PLAYERS = ("greedy", "book")
SLOW = ("search",)
SLOW_SHARE = 8  # times the time of a piece without slow players
FEWEST, MOST = 24, 40_000  # holes of a piece; the first look at the time is after FEWEST
BATCHES = 100  # seeds a piece may use up
CLAIRVOYANT_AGAINST = ("greedy", "book")


@dataclass(frozen=True)
class Piece:
    """`players[0]` against the others, all of them `players[1]`."""

    kind: str  # pair, field or clairvoyant
    game: str
    seats: int
    players: tuple[str, str]

    @property
    def name(self) -> str:
        return f"{self.kind} {self.game} {self.seats} {self.players[0]} {self.players[1]}"

    @property
    def share(self) -> int:
        return SLOW_SHARE if {*self.players} & {*SLOW} or self.kind == "clairvoyant" else 1


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--minutes", type=float, default=60)
    parser.add_argument("--only", default="")
    parser.add_argument("--without")
    parser.add_argument("--threads", type=int, default=0)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--report", action="store_true")
    wanted = parser.parse_args()
    if not wanted.report:
        play_all(wanted)
    for name, text in pages(read_pieces()).items():
        (DOCS / name).write_text(text, encoding="utf-8")


def play_all(wanted: argparse.Namespace) -> None:
    pieces = [piece for piece in all_pieces() if wanted.only in piece.name]
    if wanted.without:
        pieces = [piece for piece in pieces if wanted.without not in piece.name]
    unit = 60 * wanted.minutes / max(1, sum(piece.share for piece in pieces))
    for number, piece in enumerate(pieces, 1):
        result = play_piece(piece, unit * piece.share, wanted.seed, wanted.threads)
        keep({"name": piece.name, "kind": piece.kind, "game": piece.game, "seats": piece.seats} | result)
        print(
            f"{number:4}/{len(pieces)} {piece.name:45} {result['strokes'][0]:+6.2f} ± {result['strokes'][1]:.2f}",
            flush=True,
        )


def all_pieces() -> Iterator[Piece]:
    ranked = [name for name in PLAYERS if name not in LEVELS] + [*LEVELS]
    for game in GAMES:
        for weaker, stronger in itertools.combinations(ranked, 2):
            yield Piece("pair", game, 2, (stronger, weaker))
        for field, player, seats in itertools.product(FIELD_PLAYERS, ranked, FIELDS):
            if field in PLAYERS and player != field:
                yield Piece("field", game, seats, (player, field))
        for other in CLAIRVOYANT_AGAINST:
            if other in PLAYERS:
                yield Piece("clairvoyant", game, 2, ("clairvoyant", other))


def play_piece(piece: Piece, seconds: float, seed: int, threads: int) -> dict[str, Any]:
    """The result of a piece; each figure with half of its 95 % interval."""
    if piece.kind == "clairvoyant":
        return see_through(piece, seconds, seed)
    holes = many(piece, seconds / 2, seed, threads, "holes")
    games = many(piece, seconds / 2, seed, threads, "games")
    return {
        "players": list(piece.players),
        "seed": seed,
        "holes": len(holes),
        "games": len(games),
        "points": [float(holes[:, 0].mean()), float(holes[:, 1].mean())],
        "strokes": with_interval(holes[:, 1] - holes[:, 0]),
        "holes_won": with_interval(holes[:, 2]),
        "games_won": with_interval(games[:, 3]),
    }


def many(piece: Piece, seconds: float, seed: int, threads: int, what: str) -> np.ndarray:
    """Plays batches, each twice as large, as long as the time allows. Returns a row for each game or hole."""
    least = FEWEST if what == "holes" else FEWEST // 4
    variant = variants.load(piece.game)
    chairs = [piece.players[0]] + [piece.players[1]] * (piece.seats - 1)
    simulate.simulate(variant, piece.seats, chairs, seed, threads=1, holes=1)  # compiles, and fetches the books
    rows: list[np.ndarray] = []
    started, count = time.perf_counter(), least
    for batch in itertools.count():
        count -= count % -piece.seats  # everybody has every seat equally often
        simulate.PIECE = max(1, min(256, count // 8))  # keep every core busy with few slow games too
        results = simulate.simulate(
            variant,
            piece.seats,
            chairs,
            BATCHES * seed + batch,
            threads=threads,
            holes=count * (what == "holes"),
            games=count * (what == "games"),
        )
        rows.append(rows_of(results))
        spent, played = time.perf_counter() - started, sum(map(len, rows))
        count = min(2 * count, int(played / spent * (seconds - spent)), MOST - played)
        if count < least:
            return np.concatenate(rows)
    raise AssertionError


def rows_of(results: simulate.Results) -> np.ndarray:
    """For each game: strokes per hole of the first player and mean of the others, shares of holes and of games."""
    mine = results.chair == 0
    points = results.points.mean(axis=1)
    others = np.where(mine, 0, points).sum(axis=1) / (points.shape[1] - 1)
    holes = simulate.shares(results.points == results.points.min(axis=2, keepdims=True)).mean(axis=1)
    games = simulate.shares(results.winners == 1)
    return np.column_stack([points[mine], others, holes[mine], games[mine]])


def see_through(piece: Piece, seconds: float, seed: int) -> dict[str, Any]:
    play_clairvoyant(piece.game, piece.seats, piece.players[1], 1, seed, 1)
    rows: list[np.ndarray] = []
    started = time.perf_counter()
    while time.perf_counter() - started < seconds or len(rows) < 2:
        rows.append(play_clairvoyant(piece.game, piece.seats, piece.players[1], 8, BATCHES * seed + len(rows)))
    points = np.concatenate(rows)
    return {
        "players": list(piece.players),
        "seed": seed,
        "holes": len(points),
        "width": WIDTH,
        "points": points.mean(axis=0).tolist(),
        "strokes": with_interval(points[:, 1] - points[:, 0]),
        "holes_won": with_interval((points[:, 0] < points[:, 1]) + (points[:, 0] == points[:, 1]) / 2),
    }


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
    """Stores the piece, replacing an older one of the same name."""
    pieces = {other["name"]: other for other in read_pieces()} | {piece["name"]: piece}
    KEPT.write_text("".join(json.dumps(pieces[name]) + "\n" for name in sorted(pieces)), encoding="utf-8")


if __name__ == "__main__":
    main()
