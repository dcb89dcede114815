"""Tables with one row per decision, as Parquet files: the position, the move, its value, and the luck that followed.

docs/data.md describes the columns.
"""

import json
from collections.abc import Callable, Iterable
from itertools import chain
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq

from mulligan.coach.analysis import trace
from mulligan.compute.in_order import in_order
from mulligan.engine.rules import MAX_SLOTS
from mulligan.engine.state import MOVES, NOBODY, Phase
from mulligan.game.hole import Game, Hole
from mulligan.game.notation import name_of_move
from mulligan.game.referee import replay
from mulligan.game.variants import Variant
from mulligan.players import net_files
from mulligan.players.values.net import is_trained

from .strokes import against_the_field

PIECE = 20_000  # rows that are in memory before they are written, about
DECISIONS = (Phase.TEE_OFF, Phase.TAKE, Phase.PLACE, Phase.FLIP)

WORD, FLAG, SMALL, NUMBER, STROKES = (
    pa.dictionary(pa.int8(), pa.string()),
    pa.bool_(),
    pa.int8(),
    pa.int32(),
    pa.float32(),
)
POSITION = pa.schema(
    [
        ("phase", WORD),
        ("turns", NUMBER),
        ("layouts", pa.list_(pa.list_(SMALL))),
        ("unseen", pa.list_(SMALL)),
        ("stock", pa.list_(SMALL)),
        ("stock_left", pa.int16()),
        ("discard", SMALL),
        ("held", SMALL),
        ("held_from_stock", FLAG),
        ("closer", SMALL),
        ("totals", pa.list_(NUMBER)),
        ("mask", pa.list_(FLAG)),
    ]
)
DECISION = pa.schema(
    [
        ("game", NUMBER),
        ("hole", pa.int16()),
        ("step", NUMBER),
        ("seat", SMALL),
        ("player", WORD),
        ("dealer", SMALL),
        *POSITION,
        ("move", SMALL),
        ("value", STROKES),
        ("loss", STROKES),
        ("luck", STROKES),
        ("result", STROKES),
    ]
)


class Played(NamedTuple):
    """A finished hole of a game."""

    hole: Hole
    dealer: int  # the player's number
    at_table: list[int]  # the numbers of the players in the hole, by seat
    totals: list[int]  # their points before it


def write_decisions(
    file: Path,
    variant: Variant,
    records: Iterable[dict[str, Any]],
    facts: dict[str, Any],
    threads: int,
    progress: Callable[[int], None] = lambda done: None,
) -> int:
    """Writes the decisions of games to a Parquet file and returns their number.

    The file depends on the records and the facts, not on `threads`. `progress` is called after each game.
    """

    def rows_of(numbered: tuple[int, dict[str, Any]]) -> pa.Table:
        return game_table(variant, *numbered)

    facts = facts | {"evaluator": evaluator(variant, facts["seats"])}
    return write(file, DECISION, variant, facts, in_order(rows_of, enumerate(records), threads), progress)


def write(
    file: Path,
    schema: pa.Schema,
    variant: Variant,
    facts: dict[str, Any],
    tables: Iterable[pa.Table],
    progress: Callable[[int], None],
) -> int:
    """Writes tables in pieces and returns the number of rows."""
    waiting: list[pa.Table] = []
    rows = 0
    schema = schema.with_metadata({"mulligan": json.dumps(legend(variant) | facts)})
    with pq.ParquetWriter(file, schema, compression="zstd") as writer:
        for table in chain(tables, [None]):
            if table is not None:
                waiting.append(table)
                progress(1)
            if waiting and (table is None or sum(map(len, waiting)) >= PIECE):
                piece = pa.concat_tables(waiting).unify_dictionaries().combine_chunks()
                writer.write_table(piece.replace_schema_metadata(schema.metadata), row_group_size=len(piece))
                rows += len(piece)
                waiting.clear()
    return rows


def legend(variant: Variant) -> dict[str, Any]:
    """What the numbers in a table mean."""
    return {
        "game": variant.name,
        "match": dict(variant.match),
        "faces": list(variant.faces),
        "slots": list(variant.slots),
        "moves": [name_of_move(variant, move) if is_move(variant, move) else None for move in range(MOVES)],
    }


def is_move(variant: Variant, move: int) -> bool:
    """Whether the number means anything: layouts are smaller than the largest one."""
    return move < len(variant.slots) or move >= MAX_SLOTS


def evaluator(variant: Variant, seats: int) -> str:
    """The name of what judges positions between two turns."""
    return "net" if is_trained(net_files.coach_brain(variant.rules, seats).net, seats) else "reveal"


def game_table(variant: Variant, number: int, record: dict[str, Any]) -> pa.Table:
    """The decisions of a game, judged as `mulligan analyse` does."""
    holes: list[Played] = []

    def watch(game: Game, move: str) -> None:
        if not move and game.hole:
            at_table = game.at_table
            holes.append(Played(game.hole, game.dealer, at_table, [game.totals[player] for player in at_table]))

    game = replay(record, variant, watch)
    names = [name.rsplit(" ", 1)[0] for name in game.players]
    return pa.concat_tables(hole_table(number, nth, played, names) for nth, played in enumerate(holes, 1))


def hole_table(game: int, number: int, played: Played, names: list[str]) -> pa.Table:
    hole, at_table = played.hole, np.array(played.at_table)
    brain = net_files.coach_brain(hole.variant.rules, len(at_table))
    traces = trace(hole, played.at_table.index(played.dealer), brain)
    decided = np.array([step.phase in DECISIONS for step in hole.steps])
    moves = np.array([step.move for step in hole.steps])[decided]
    seats = np.array([step.seat for step in hole.steps])[decided]
    count, every = len(moves), np.arange(len(moves))
    mine = traces.move_values[decided][every, :, seats]
    best = mine.min(axis=1)
    columns = {
        "game": np.full(count, game),
        "hole": np.full(count, number),
        "step": np.flatnonzero(decided),
        "seat": at_table[seats],
        "player": [names[player] for player in at_table[seats]],
        "dealer": np.full(count, played.dealer),
        **positions(hole.variant, traces.states[decided], np.array(played.totals)),
        "mask": lists(np.isfinite(mine)),
        "move": moves,
        "value": best,
        "loss": mine[every, moves] - best,
        "luck": traces.luck[decided][every, seats],
        "result": against_the_field(hole.points)[seats],
    }
    return as_table(DECISION, columns)


def as_table(schema: pa.Schema, columns: dict[str, Any]) -> pa.Table:
    arrays = []
    for field in schema:
        column = columns[field.name]
        if field.type == WORD:
            arrays.append(pa.array(column, pa.string()).dictionary_encode().cast(WORD))
        else:
            arrays.append((column if isinstance(column, pa.Array) else pa.array(column)).cast(field.type))
    return pa.Table.from_arrays(arrays, schema=schema)


def positions(variant: Variant, states: np.ndarray, totals: np.ndarray) -> dict[str, Any]:
    """The columns of positions in which someone has to decide. Lists by seat begin with who decides."""
    rules, seats, turn = variant.rules, len(totals), states["turn"].astype(int)
    order = (turn[:, None] + np.arange(seats)) % seats
    layouts = states["players"]["layout"][:, :seats, : rules.slots]
    closer = states["closer"].astype(int)
    renewed = states["renewed"] == 1
    return {
        "phase": [Phase(phase).name.lower() for phase in states["phase"]],
        "turns": states["turns"],
        "layouts": lists(np.take_along_axis(layouts, order[:, :, None], axis=1)),
        "unseen": lists(states["unseen"][:, : rules.faces]),
        "stock": pa.array(
            [
                row.tolist() if new else None
                for row, new in zip(states["stock"][:, : rules.faces], renewed, strict=True)
            ],
            pa.list_(SMALL),
        ),
        "stock_left": states["stock_left"],
        "discard": states["discard"],
        "held": states["held"],
        "held_from_stock": states["held_from_stock"] == 1,
        "closer": np.where(closer == NOBODY, NOBODY, (closer - turn) % seats),
        "totals": lists(totals[order]),
    }


def lists(array: np.ndarray) -> pa.Array:
    """An array of two or more dimensions as a column of lists."""
    column = pa.array(np.ascontiguousarray(array).reshape(-1))
    for axis in range(array.ndim - 1, 0, -1):
        length = array.shape[axis]
        count = int(np.prod(array.shape[:axis]))
        column = pa.ListArray.from_arrays(pa.array(np.arange(count + 1) * length, pa.int32()), column)
    return column
