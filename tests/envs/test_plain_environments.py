"""Compiled and left plain, the environments show the same."""

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

pytest.importorskip("gymnasium", reason="needs pip install 'mulligan[envs]'")

MINI = str(Path(__file__).parents[1] / "variants/mini_columns.toml")
PLAY = """
import hashlib, json, sys
import gymnasium, numpy as np, pyspiel
import mulligan.envs
from mulligan.engine.compiled import PLAIN
assert PLAIN == json.loads(sys.argv[1])
options = json.loads(sys.argv[2])
tables = gymnasium.make_vec("mulligan/six_card-v0", 3, autoreset_mode="SameStep", **options)
seen, info = tables.reset(seed=1)
chance = np.random.default_rng(2)
for step in range(60):
    moves = [chance.choice(np.flatnonzero(mask)) for mask in info["action_mask"]]
    seen, *results, info = tables.step(np.array(moves))
    shown = [seen, *results, *(info[name] for name in ("action_mask", "player", "rewards"))]
    print(step, hashlib.sha256(b"".join(np.ascontiguousarray(part).tobytes() for part in shown)).hexdigest())
state = pyspiel.load_game("mulligan_six_card(players=3)").new_initial_state()
while not state.is_terminal():
    actions = [action for action, _ in state.chance_outcomes()] if state.is_chance_node() else state.legal_actions()
    state.apply_action(actions[int(chance.integers(len(actions)))])
    print(state, state.returns())
"""


def played(plain, options):
    kept = os.environ | {"MULLIGAN_PLAIN": "1" if plain else ""}
    told = [json.dumps(plain), json.dumps(options)]
    run = subprocess.run([sys.executable, "-c", PLAY, *told], env=kept, capture_output=True, text=True)
    assert run.returncode == 0, run.stderr
    return run.stdout.splitlines()


@pytest.mark.parametrize(
    "options",
    [{"seats": 4}, {"opponents": ["greedy", "random"]}, {"game": MINI, "whole_match": True, "reward": "match"}],
    ids=["every seat", "opponents", "matches"],
)
def test_plain_is_as_compiled(options):
    plain = played(True, options)
    assert plain == played(False, options)
    assert len(plain) > 60
