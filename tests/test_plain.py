"""Compiled and left plain, the engine gives the same results to the byte."""

import json

import minis
import pytest
from uncompiled import uncompiled

from mulligan import simulation
from mulligan.engine.compiled import PLAIN

pytestmark = pytest.mark.long


def played(game: str, seats: int, players: list[str], seed: int, games: int) -> str:
    """Games and their results as one text, a line for each."""
    records = simulation.records(minis.load(game), seats, players, seed, games)
    results = simulation.simulate(minis.load(game), seats, players, seed, holes=games, threads=1)
    told = [*records, [results.points.tolist(), results.winners.tolist(), results.moves]]
    return "\n".join(map(json.dumps, told))


@pytest.mark.parametrize(
    "told",
    [
        ("play_nine", 2, ["random"], 1, 2),
        ("play_nine", 2, ["greedy", "random"], 2, 1),
        ("nine_card", 3, ["random"], 3, 1),
        ("nine_card", 2, ["greedy"], 4, 1),
        ("mini_columns", 3, ["random"], 5, 20),
        ("mini_rows", 2, ["greedy", "random"], 6, 20),
        ("largest", 3, ["random", "greedy"], 7, 1),
    ],
    ids=lambda told: f"{told[0]}-{told[1]}-{'-'.join(told[2])}",
)
def test_plain_is_as_compiled(told):
    assert not PLAIN
    compiled = played(*told)
    assert uncompiled(played, *told, options=("-W", "error")) == compiled
    assert compiled.count("\n") > 0
