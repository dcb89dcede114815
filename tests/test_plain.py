"""Compiled and left plain, the engine gives the same results to the byte."""

import json
import os
import subprocess
import sys

import pytest

PLAY = """
import json, sys
sys.path.insert(0, {tests!r})
import minis
from mulligan import simulate
from mulligan.engine.compiled import PLAIN
assert PLAIN == {plain}
game, seats, players, seed, games = json.loads({told!r})
for record in simulate.records(minis.load(game), seats, players, seed, games):
    print(json.dumps(record))
results = simulate.simulate(minis.load(game), seats, players, seed, holes=games, threads=1)
print(results.points.tolist(), results.winners.tolist(), results.moves)
"""


def played(plain: bool, *told) -> str:
    program = PLAY.format(tests=os.path.dirname(__file__), plain=plain, told=json.dumps(told))
    kept = os.environ | {"MULLIGAN_PLAIN": "1" if plain else ""}
    run = subprocess.run([sys.executable, "-W", "error", "-c", program], env=kept, capture_output=True, text=True)
    assert run.returncode == 0, run.stderr
    return run.stdout


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
    plain = played(True, *told)
    assert plain == played(False, *told)
    assert plain.count("\n") > 1
