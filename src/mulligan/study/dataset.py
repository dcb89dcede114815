"""A data set of positions with the strongest player's judgement, and its data card: docs/data.md.

Positions come in pieces. Each piece has a seed of its own, so the file is the same on any number of threads.
"""

from collections.abc import Callable
from math import sqrt
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.parquet as pq

from mulligan import __version__
from mulligan.compute.in_order import in_order
from mulligan.engine.chance import many_dice, roll
from mulligan.engine.compiled import fresh
from mulligan.engine.moves import play
from mulligan.engine.state import MOVES, STATE
from mulligan.game.hole import Hole
from mulligan.game.variants import Variant, for_seats
from mulligan.players import net_files, net_turn, playouts, search
from mulligan.players.positions import copy_state
from mulligan.players.roster import PLAYERS
from mulligan.players.values.match_equity import Stakes
from mulligan.players.values.net import is_trained
from mulligan.whole_files import replacing

from .contestants import OwnPlayer, contestants
from .decisions import POSITION, SMALL, STROKES, as_table, lists, positions, write

PIECE = 500  # positions with a seed of their own
SITTING = ["net", "pro", "club", "regular", "weekend"]  # who play the holes, drawn for each seat
STRAY = 20  # one move in so many is random
KEPT = 8  # one decision in so many becomes a position
TURN_LIMIT = 60  # turns per seat in these holes
STRONGEST = "search"

HERE = [field for field in POSITION if field.name != "totals"]
JUDGED = pa.schema([*HERE, ("move", SMALL), ("value", STROKES), ("error", STROKES)])


def write_dataset(
    file: Path,
    variant: Variant,
    seats: int,
    count: int,
    seed: int,
    think: int,
    rollouts: int,
    threads: int,
    progress: Callable[[int], None] = lambda done: None,
) -> Path:
    """Writes so many positions to a Parquet file and their data card beside it, and returns the card's path.

    `think` is the budget for a move, in searched turns; `rollouts` are played for each value.
    """
    maker = Maker(variant, seats, seed, think, rollouts)
    facts = {
        "seats": seats,
        "positions": count,
        "seed": seed,
        "think": think,
        "rollouts": rollouts,
        "evaluator": STRONGEST,
        "version": __version__,
    }
    jobs = ((number, min(PIECE, count - number * PIECE)) for number in range(-(-count // PIECE)))
    with replacing(file) as new:
        write(new, JUDGED, variant, facts, in_order(lambda job: maker.piece(*job), jobs, threads), progress)
    card = file.with_suffix(".md")
    with replacing(card) as new:
        new.write_text(data_card(file, maker.variant, facts), encoding="utf-8")
    return card


class Maker:
    """Plays holes, keeps some of their positions, and judges them."""

    def __init__(self, variant: Variant, seats: int, seed: int, think: int, rollouts: int) -> None:
        self.variant, self.seats, self.seed, self.rollouts = for_seats(variant, seats), seats, seed, rollouts
        self.rules: Any = self.variant.rules
        self.brain = net_files.brain(self.rules, seats)._replace(budget=np.full(1, think))
        self.players = contestants(SITTING, self.variant, seats, 0.0)
        self.strongest = OwnPlayer(STRONGEST, PLAYERS[STRONGEST].choose, self.variant, self.brain)

    def piece(self, number: int, count: int) -> pa.Table:
        """So many positions, from a seed of their own."""
        dice = many_dice([self.seed, number], 1)[0]
        kept: list[Hole] = []
        while len(kept) < count:
            kept += self.holes_of_one(dice)
        kept = kept[:count]
        judged = [self.judge(hole, dice) for hole in kept]
        legal = [hole.legal_moves() for hole in kept]
        columns = {
            **positions(self.variant, np.array([hole.state for hole in kept]), np.zeros(self.seats, int)),
            "mask": lists(np.array([[move in moves for move in range(MOVES)] for moves in legal])),
            **{
                name: np.array(column)
                for name, column in zip(JUDGED.names[-3:], zip(*judged, strict=True), strict=True)
            },
        }
        return as_table(JUDGED, columns)

    def holes_of_one(self, dice: np.ndarray) -> list[Hole]:
        """Plays a hole and returns copies of it at some of its decisions."""
        hole = Hole(self.variant, self.seats, roll(dice, self.seats))
        sitting = [self.players[roll(dice, len(self.players))] for _ in range(self.seats)]
        kept = []
        while not hole.is_over and hole.sight.turns <= TURN_LIMIT * self.seats:
            if hole.awaits_card:
                hole.draw_card(dice)
                continue
            if roll(dice, KEPT) == 0:
                kept.append(hole.copy())
            moves = hole.legal_moves()
            strays = roll(dice, STRAY) == 0
            hole.play(moves[roll(dice, len(moves))] if strays else sitting[hole.turn].choose(hole, dice))
        return kept

    def judge(self, hole: Hole, dice: np.ndarray) -> tuple[int, float, float]:
        """The strongest player's move, the strokes after it, and their standard error."""
        move, state = self.strongest.choose(hole, dice), hole.state
        has_net, looked = is_trained(self.brain.net, self.seats), 0.0
        values, scratch, stakes = np.zeros(self.seats), np.zeros(MOVES), Stakes(np.zeros(self.seats), 0.0, 0.0)
        if has_net:
            net_turn.weigh(self.rules, self.brain.net, state, scratch)
            looked = float(scratch[move])
        found, table, me = np.zeros(self.rollouts), fresh(STATE), int(state.turn)
        for rollout in range(self.rollouts):
            copy_state(state, table)
            play(self.rules, table, move)
            if has_net:  # what the coming turns add to the net's look-ahead, without their luck
                found[rollout], _ = search.playout(
                    self.rules, self.brain.net, table, me, dice, search.DEPTH, stakes, values, scratch
                )
            else:
                found[rollout] = playouts.play_out(self.rules, table, me, dice, values)
        return move, looked + float(found.mean()), float(found.std(ddof=1)) / sqrt(self.rollouts)


def data_card(file: Path, variant: Variant, facts: dict[str, Any]) -> str:
    """What the file holds, how it was made and what it is not, as Markdown."""
    table = pq.read_table(file, columns=["phase", "value", "error", "closer"])
    counts = pc.value_counts(table["phase"].cast(pa.string())).to_pylist()
    phases = ", ".join(f"{entry['counts']:,} {entry['values']}" for entry in counts)
    closed = pc.sum(pc.greater_equal(table["closer"], 0)).as_py()
    value, spread, error = (
        pc.mean(table["value"]).as_py(),
        pc.stddev(table["value"]).as_py(),
        pc.mean(table["error"]).as_py(),
    )
    match = f", with the house rules {dict(variant.match)}" if variant.match else ""
    return f"""# {variant.title}: {facts["positions"]:,} positions with evaluations

Positions of {variant.title} ({variant.name}{match}) with {facts["seats"]} seats, judged by `{STRONGEST}`, the strongest
player of Mulligan {facts["version"]}. For learning policies and values, and for comparing evaluators.

- **Made by** `mulligan dataset`, seed {facts["seed"]}, `--think {facts["think"]}`, `--rollouts {facts["rollouts"]}`.
  The same versions of Mulligan, NumPy, Numba and PyArrow on the same kind of machine give the same bytes, on any
  number of threads.
- **Positions**: one decision in {KEPT} of single holes. Each seat is drawn from {", ".join(SITTING)};
  one move in {STRAY} is random, so that there are positions nobody would choose.
  {phases}; in {closed:,} someone has closed.
- **Evaluation**: `move` is what `{STRONGEST}` plays with a budget of {facts["think"]} searched turns. `value` is the
  expected points at the end of the hole after that move, minus the mean of the others, for the player who decides;
  fewer are better. It is the mean of {facts["rollouts"]} rollouts, `error` its standard error.
  Mean value {value:.2f}, standard deviation {spread:.2f}; mean error {error:.2f}.
- **Columns**: `docs/data.md` of Mulligan. The metadata of the file name faces, slots and moves.
- **Limits**: values share the errors of the player that plays the rollouts; with few rollouts, standard errors are
  themselves uncertain. Positions of one hole stand near one another: split the file in blocks, not row by row. They
  are of single holes, not of matches. No data of people is in it.
"""
