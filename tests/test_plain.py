"""Compiled and left plain, the engine gives the same results to the byte."""

import json
import os
import subprocess
import sys

import minis
import pytest

from mulligan import simulate
from mulligan.engine.compiled import PLAIN

PLAY = """
import json, sys
sys.path.insert(0, {tests!r})
import test_plain
assert test_plain.PLAIN
print(test_plain.played(*json.loads({told!r})))
"""


def played(game: str, seats: int, players: list[str], seed: int, games: int) -> str:
    """Games and their results as one text, a line for each."""
    records = simulate.records(minis.load(game), seats, players, seed, games)
    results = simulate.simulate(minis.load(game), seats, players, seed, holes=games, threads=1)
    told = [*records, [results.points.tolist(), results.winners.tolist(), results.moves]]
    return "\n".join(map(json.dumps, told))


def played_plain(*told) -> str:
    program = PLAY.format(tests=os.path.dirname(__file__), told=json.dumps(told))
    plain = os.environ | {"MULLIGAN_PLAIN": "1"}
    run = subprocess.run([sys.executable, "-W", "error", "-c", program], env=plain, capture_output=True, text=True)
    assert run.returncode == 0, run.stderr
    return run.stdout.removesuffix("\n")


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
    assert played_plain(*told) == compiled
    assert compiled.count("\n") > 0
