"""Measures the games for docs/study.md: how large they are, what holes are like, how much is luck, and own points.

    python bench/study.py [--only counted] [--holes 1000] [--deals 200] [--seed 1] [--json]

The same arguments give the same tables. bench/figures.py keeps them, and writes them into the page.
"""

import argparse
import json
from collections.abc import Callable, Iterator
from fractions import Fraction
from math import comb, factorial, log10
from typing import Any, NamedTuple

import numpy as np
from strength_report import BASELINES, TITLES, heading

from mulligan.engine.chance import bag, many_dice
from mulligan.engine.moves import abandon
from mulligan.engine.rules import lines_cross
from mulligan.engine.state import NOBODY, Phase
from mulligan.game import variants
from mulligan.game.hole import Hole
from mulligan.game.variants import Variant, for_seats
from mulligan.players import net_files
from mulligan.simulation import simulate
from mulligan.study.arena import Arena, is_endless
from mulligan.study.contestants import contestants

SEATS = 2
PLAYERS = ("random", "greedy")
PAIRS = (("net", "net"), ("net", "greedy"), ("greedy", "greedy"), ("club", "club"), ("beginner", "beginner"))
SURE = 1.96  # standard errors in half of a 95 % interval


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--holes", type=int, default=1000, help="for the lengths; ten times as many for the points")
    parser.add_argument("--deals", type=int, default=200, help="for the luck; each is played twice")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--only", choices=("counted", "played", "points", "luck"))
    parser.add_argument("--json", action="store_true")
    told = parser.parse_args()
    games = [for_seats(variants.load(name), SEATS) for name in variants.games()]
    trained = [variant for variant in games if variant.name in TITLES]
    tables: dict[str, Callable[[], list[str]]] = {
        "counted": lambda: counted(games),
        "played": lambda: played(games, told.holes, told.seed),
        "points": lambda: points(trained, 10 * told.holes, told.seed),
        "luck": lambda: luck(trained, told.deals, told.seed),
    }
    found = {name: lines() for name, lines in tables.items() if told.only in (None, name)}
    print(json.dumps(found) if told.json else "\n\n".join("\n".join(lines) for lines in found.values()))


def counted(games: list[Variant]) -> list[str]:
    """The table of what can be counted without playing."""
    lines = heading("game", "cards", "faces", "slots", "layouts", "up to symmetry", "positions")
    for variant in games:
        rules = variant.rules
        alike = f"{layouts_up_to_symmetry(rules):,}" if not lines_cross(rules) else ""
        lines.append(
            f"| {variant.title} | {int(copies(rules).sum())} | {rules.faces} | {rules.slots} | {power(layouts(rules))} "
            f"| {alike} | {power(positions(rules, SEATS))} |"
        )
    return lines


def copies(rules: Any) -> np.ndarray:
    return rules.copies[: rules.faces].astype(int)


def power(number: int) -> str:
    """As in `2.6 × 10⁹`."""
    digits = int(log10(number))
    return f"{number / 10**digits:.1f} × {ten_to(digits)}"


def ten_to(exponent: int) -> str:
    return "10" + str(exponent).translate(str.maketrans("0123456789", "⁰¹²³⁴⁵⁶⁷⁸⁹"))


def layouts(rules: Any) -> int:
    """How many layouts one player may have: a face or its back on each slot, no face more often than in the pack."""
    series = backs(int(rules.slots))
    for count in copies(rules):
        series = times(series, [1] * (count + 1))
    return arrangements(series)


def layouts_up_to_symmetry(rules: Any) -> int:
    """How many layouts remain if cards may change places within a line, and lines within the layout.

    Some need more cards of a face than the pack has.
    """
    kinds = comb(int(rules.faces) + int(rules.line_length), int(rules.line_length))
    return comb(kinds + int(rules.lines) - 1, int(rules.lines))


def positions(rules: Any, seats: int) -> int:
    """How many tables there are at the beginning of a turn, at most, while the first stock lasts.

    A table is whose turn it is, the layouts, the top of the discard pile, and how many cards of each face lie under it.
    Some cannot be reached.
    """
    without_top = backs(seats * int(rules.slots))
    with_top = [Fraction(0)] * len(without_top)
    for count in copies(rules):
        left = range(count, -1, -1)  # of this face, if 0, 1, 2 … lie in the layouts
        under = [cards + 1 for cards in left]
        with_top = [a + b for a, b in zip(times(with_top, under), times(without_top, list(left)), strict=True)]
        without_top = times(without_top, under)
    return seats * arrangements(with_top)


# Ways to fill slots are counted with exponential generating functions: the coefficient of x^n is the ways to fill n
# slots, divided by n!.


def backs(slots: int) -> list[Fraction]:
    """Any number of face-down cards."""
    return [Fraction(1, factorial(number)) for number in range(slots + 1)]


def times(series: list[Fraction], ways: list[int]) -> list[Fraction]:
    """The same with one face more, which counts `ways[n]` if it lies on n slots."""
    face = [Fraction(way, factorial(number)) for number, way in enumerate(ways)]
    return [
        sum((series[n - k] * face[k] for k in range(min(n + 1, len(face)))), Fraction(0)) for n in range(len(series))
    ]


def arrangements(series: list[Fraction]) -> int:
    """The ways to fill all slots."""
    return int(series[-1] * factorial(len(series) - 1))


class Counts(NamedTuple):
    """What a hole was like."""

    legal: list[int]  # moves, for each decision
    turns: int  # of all seats, without teeing off
    cards: int  # that were shown
    bits: float  # their entropy
    limited: bool  # nobody closed


def played(games: list[Variant], holes: int, seed: int) -> list[str]:
    """The table of what real holes are like."""
    lines = heading("game", "player", "turns", "decisions", "legal moves", "ways to play", "cards", "bits")
    for variant in games:
        for name in PLAYERS:
            all_holes = list(play(variant, name, holes, seed))
            legal = np.concatenate([hole.legal for hole in all_holes])
            ways = np.mean([np.log10(hole.legal).sum() for hole in all_holes])
            cells = [
                spread([hole.turns / SEATS for hole in all_holes]),
                spread([len(hole.legal) for hole in all_holes]),
                f"{legal.mean():.1f} ({legal.max()})",
                ten_to(round(ways)),
                spread([hole.cards for hole in all_holes]),
                f"{np.mean([hole.bits for hole in all_holes]):.0f}",
            ]
            lines.append(f"| {variant.title} | `{name}` | {' | '.join(cells)} |")
            if limited := sum(hole.limited for hole in all_holes):
                lines[-1] += f" {limited} of {holes:,} holes that nobody closed"
    return lines


def spread(values: list[float]) -> str:
    """The mean, and the 95 % quantile."""
    return f"{np.mean(values):.1f} ({np.quantile(values, 0.95):.0f})"


def play(variant: Variant, name: str, holes: int, seed: int) -> Iterator[Counts]:
    """Plays single holes."""
    (player,) = contestants([name], variant, SEATS, timeout=1.0)
    for number, dice in enumerate(many_dice(seed, holes)):
        hole = Hole(variant, SEATS, number % SEATS)
        legal, turns, cards, bits = [], 0, 0, 0.0
        while not hole.is_over:
            if hole.awaits_card:
                chances = bag(hole.state)[: variant.rules.faces]
                chances = chances[chances > 0] / chances.sum()
                cards += 1
                bits -= float(chances @ np.log2(chances))
                hole.draw_card(dice)
            elif is_endless(hole):
                abandon(variant.rules, hole.state)
                hole.changed()
            else:
                legal.append(len(hole.legal_moves()))
                turns += hole.sight.phase == Phase.TAKE
                hole.play(player.choose(hole, dice))
        yield Counts(legal, turns, cards, bits, hole.sight.closer == NOBODY)


def points(games: list[Variant], holes: int, seed: int) -> list[str]:
    """The table of the points that players get against themselves."""
    lines = heading("player", *[variant.title for variant in games])
    for name in BASELINES:
        if name != "search":  # takes too long
            cells = [own_points(variant, name, holes, seed) for variant in games]
            lines.append(f"| `{name}` | {' | '.join(cells)} |")
    return lines


def own_points(variant: Variant, name: str, holes: int, seed: int) -> str:
    results = simulate(variant, SEATS, [name], seed, holes=holes).summary()
    return f"{results['points_per_hole'][0]:.1f} ± {SURE * results['stderr'][0]:.1f}".replace("-", "−")


def luck(games: list[Variant], deals: int, seed: int) -> list[str]:
    """The table of how much of the variance of a hole goes if the luck of the cards is subtracted."""
    lines = heading("players", *[f"{variant.title}: σ | without luck | share" for variant in games])
    for pair in PAIRS:
        cells = []
        for variant in games:
            of_holes = strokes_of_holes(variant, pair, deals, seed)
            chance = np.random.default_rng(seed)
            again = [share(of_holes[chance.integers(deals, size=deals)]) for _ in range(1000)]
            low, high = np.quantile(again, [0.025, 0.975])
            played, adjusted = of_holes.reshape(-1, 2).std(axis=0, ddof=1)
            sure = f"{100 * share(of_holes):.0f} % ({100 * low:.0f}–{100 * high:.0f})"
            cells += [f"{played:.1f}", f"{adjusted:.1f}", sure]
        lines.append(f"| `{pair[0]}`, `{pair[1]}` | {' | '.join(cells)} |")
    return lines


def strokes_of_holes(variant: Variant, pair: tuple[str, str], deals: int, seed: int) -> np.ndarray:
    """Returns the strokes of the first player, as played and without luck: shape (deals, seatings, 2)."""
    arena = Arena(variant, SEATS, contestants(list(pair), variant, SEATS, timeout=1.0), deals, seed)
    scores = arena.play(net_files.brain(variant.rules, SEATS), threads=0)
    seats = [score.task.players.index(0) for score in scores]
    strokes = [(score.strokes[seat], score.adjusted[seat]) for score, seat in zip(scores, seats, strict=True)]
    return np.array(strokes).reshape(deals, SEATS, 2)


def share(of_holes: np.ndarray) -> float:
    played, adjusted = of_holes.reshape(-1, 2).var(axis=0)
    return float(1 - adjusted / played)


if __name__ == "__main__":
    main()
