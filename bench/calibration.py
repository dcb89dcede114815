"""How true the losses are that the coach states: it plays moves out to the end of the hole and compares.

    python bench/calibration.py [--moves 100] [--only play_nine-2] [--seed 1] [--on ray] [--journal FILE]
    python bench/calibration.py --report        writes the page and the figures again

Players of every level play single holes of every game that has a net. The moves that the coach calls mistakes are
compared with the best ones, and some of the moves near the best ones with these: both are played out by our strongest
fast player, with the same dice and less the luck that is known (coach/rollouts.py). The truncated rollouts by which the
page refines an analysis are compared too. `--moves` is the number of mistakes for each game, number of seats and stage;
moves near the best are fewer. The same seed gives the same rows, and a run with a journal can be
interrupted.

The rows are kept in docs/calibration.jsonl. From them come docs/calibration-tables.md, the chart of docs/analysis.md,
and src/mulligan/coach/calibration.json, by which the coach corrects its losses. Run it again whenever a net changes.
"""

import argparse
import json
import os
import sys
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from calibration_report import KEPT, read_groups, write_all
from figures import commit, machine

from mulligan.cli.common import progress
from mulligan.coach.analysis import HoleAnalysis
from mulligan.coach.calibration import SURE, digest_of_net, stage_of
from mulligan.coach.findings import Rollouts
from mulligan.coach.rollouts import FULL, Doubt, Effort, roll_out, truncated
from mulligan.compute.pieces import LOCAL
from mulligan.engine.chance import many_dice
from mulligan.engine.state import Phase
from mulligan.game import variants
from mulligan.game.hole import Hole
from mulligan.game.variants import Variant, for_seats
from mulligan.players import net_files
from mulligan.players.roster import LEVELS, PLAYERS
from mulligan.players.values.net import is_trained
from mulligan.study.contestants import OwnPlayer

SEATS = (2, 4)
PLAYOUTS = 50
PLAYOUTS_NEAR = {2: 50, 4: 200}  # near the best, by number of seats: noise would hide how little the coach errs
SHOWN = 0.2  # strokes; a move that seems to cost more counts as a mistake that people are shown
NEAR = 1.0  # strokes; moves that seem to cost less than that are near the best
A_HOLE = {"mistakes": 3, "near": 1}  # so many rows of a stage come from one hole at most
HOLES = 3  # most holes that are played for a mistake: some stages of some games have few
THINK = "0.02"  # seconds of `search` for a move


class Row(NamedTuple):
    """A move to be compared with the best one: its stage, what it is a row of, and what the net says it costs."""

    stage: str
    kind: str  # mistakes or near
    stated: float
    doubt: Doubt


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--moves", type=int, default=100)
    parser.add_argument("--only", default="")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--on", default=LOCAL)
    parser.add_argument("--journal", type=Path)
    parser.add_argument("--threads", type=int, default=0)
    parser.add_argument("--report", action="store_true")
    wanted = parser.parse_args()
    os.environ.setdefault("MULLIGAN_THINK", THINK)
    if not wanted.report:
        try:
            for variant, seats in trained():
                if wanted.only in f"{variant.name}-{seats}":
                    keep(measure(variant, seats, wanted))
        except KeyboardInterrupt:
            sys.exit("Stopped.")
        except (ValueError, OSError) as error:
            sys.exit(str(error))
    write_all()


def trained() -> Iterator[tuple[Variant, int]]:
    """Yields every game with a net, at each number of seats."""
    for name in variants.games():
        for seats in SEATS:
            variant = for_seats(variants.load(name), seats)
            if is_trained(net_files.coach_brain(variant.rules, seats).net, seats):
                yield variant, seats


def measure(variant: Variant, seats: int, wanted: argparse.Namespace) -> list[dict[str, Any]]:
    """Plays rows out. Returns a group for each stage.

    A row is what the net says, what it cost and the error of that, and the same two for truncated rollouts.
    """
    playouts = {"mistakes": PLAYOUTS, "near": PLAYOUTS_NEAR[seats]}
    rows = sorted(collect(variant, seats, wanted.moves, wanted.seed), key=lambda row: row.kind)
    name = f"{variant.name}-{seats}"
    full = []
    for kind, count in playouts.items():
        doubts = [row.doubt for row in rows if row.kind == kind]
        full += play_out(doubts, FULL._replace(playouts=count), f"{name}-{kind}", wanted)
    short = play_out([row.doubt for row in rows], truncated(seats), f"{name}-truncated", wanted)
    facts = {
        "game": variant.name,
        "seats": seats,
        "edition": net_files.edition(variant.rules),
        "net": digest_of_net(net_files.coach_brain(variant.rules, seats)),
        "seed": wanted.seed,
        "playouts": playouts,
    }
    groups: dict[str, dict[str, Any]] = {}
    for row, played, ahead in zip(rows, full, short, strict=True):
        group = groups.setdefault(row.stage, facts | {"stage": row.stage, "mistakes": [], "near": []})
        group[row.kind].append([round(row.stated, 3), *loss_and_error(played), *loss_and_error(ahead)])
    return list(groups.values())


def play_out(doubts: list[Doubt], effort: Effort, name: str, wanted: argparse.Namespace) -> list[Rollouts]:
    journal = wanted.journal and wanted.journal.with_name(f"{wanted.journal.name}-{name}")
    with progress(1, name) as advance:
        return roll_out(doubts, effort, wanted.on, wanted.threads, lambda n, of: advance(n, total=of), journal)


def loss_and_error(found: Rollouts) -> tuple[float, float]:
    return round(found.loss, 3), round((found.high - found.low) / 2 / SURE, 3)


def collect(variant: Variant, seats: int, moves: int, seed: int) -> list[Row]:
    """Plays holes until there are enough rows of each stage, or no more come."""
    wanted = {"mistakes": moves, "near": moves // 2}
    counts: Counter[tuple[str, str]] = Counter()
    rows: list[Row] = []
    for number in range(HOLES * moves):
        if number > moves and all(count == wanted[kind] for (_, kind), count in counts.items()):
            break
        draw = np.random.default_rng([seed, seats, number])
        of_hole: Counter[tuple[str, str]] = Counter()
        found = list(rows_of(hole_of_levels(variant, seats, draw, number % seats), number % seats, draw))
        for nth in draw.permutation(len(found)):
            sort = found[nth].stage, found[nth].kind
            if counts[sort] < wanted[sort[1]] and of_hole[sort] < A_HOLE[sort[1]]:
                rows.append(found[nth])
                counts[sort] += 1
                of_hole[sort] += 1
    return rows


def hole_of_levels(variant: Variant, seats: int, draw: np.random.Generator, dealer: int) -> Hole:
    """Plays a hole with a level drawn for each seat."""
    hole, dice = Hole(variant, seats, dealer), many_dice(draw.integers(1 << 30), 1)[0]
    players = [level(str(name), variant, seats) for name in draw.choice(list(LEVELS), seats)]
    hole.play_out(lambda: players[hole.turn].choose(hole, dice), dice)
    return hole


def level(name: str, variant: Variant, seats: int) -> OwnPlayer:
    return OwnPlayer(name, PLAYERS[name].choose, variant, net_files.brain_for([name], variant.rules, seats))


def rows_of(hole: Hole, dealer: int, draw: np.random.Generator) -> Iterator[Row]:
    """Yields the mistakes of a hole, and for each decision one of the moves near the best, if there is one."""
    analysis = HoleAnalysis(1, hole, dealer, list(range(hole.sight.seats)))
    for number, step in enumerate(hole.steps):
        if step.phase in (Phase.DEAL, Phase.REVEAL):
            continue
        values = analysis.traces.move_values[number, :, step.seat]
        best = int(values.argmin())
        state = analysis.traces.states[number : number + 1].copy()[0]
        stage = stage_of(state)
        doubt = Doubt(hole.variant.rules, analysis.brain, state, step.move, best)
        if values[step.move] - values[best] > SHOWN:
            yield Row(stage, "mistakes", float(values[step.move] - values[best]), doubt)
        near = np.flatnonzero((values > values[best]) & (values < values[best] + NEAR))
        if len(near):
            other = int(draw.choice(near))
            yield Row(stage, "near", float(values[other] - values[best]), doubt._replace(move=other))


def keep(groups: list[dict[str, Any]]) -> None:
    """Stores the groups with commit and machine, in place of older ones of the same game, number of seats and stage."""
    origin = {"commit": commit(), "machine": machine()}
    kept = {name_of(group): group for group in [*read_groups(), *(group | origin for group in groups)]}
    KEPT.write_text("".join(json.dumps(kept[name]) + "\n" for name in sorted(kept)), encoding="utf-8")


def name_of(group: dict[str, Any]) -> tuple[str, int, str]:
    return group["game"], group["seats"], group["stage"]


if __name__ == "__main__":
    main()
