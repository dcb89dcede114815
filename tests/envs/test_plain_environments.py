"""Compiled and left plain, the environments show the same."""

import hashlib
from pathlib import Path

import numpy as np
import pytest
from uncompiled import uncompiled

from mulligan.engine.compiled import PLAIN

gymnasium = pytest.importorskip("gymnasium", reason="needs pip install '.[envs]'")
pyspiel = pytest.importorskip("pyspiel", reason="needs pip install '.[envs]'")

import mulligan.envs  # noqa: E402, F401

pytestmark = pytest.mark.long
MINI = str(Path(__file__).parents[1] / "variants/mini_columns.toml")


def played(options):
    """What a vector of tables and a hole of OpenSpiel show, a text for each step."""
    tables = gymnasium.make_vec("mulligan/six_card-v0", 3, autoreset_mode="SameStep", **options)
    seen, info = tables.reset(seed=1)
    chance, told = np.random.default_rng(2), []
    for step in range(60):
        moves = [chance.choice(np.flatnonzero(mask)) for mask in info["action_mask"]]
        seen, *results, info = tables.step(np.array(moves))
        shown = [seen, *results, *(info[name] for name in ("action_mask", "player", "rewards"))]
        whole = b"".join(np.ascontiguousarray(part).tobytes() for part in shown)
        told.append(f"{step} {hashlib.sha256(whole).hexdigest()}")
    state = pyspiel.load_game("mulligan_six_card(players=3)").new_initial_state()
    while not state.is_terminal():
        actions = [action for action, _ in state.chance_outcomes()] if state.is_chance_node() else state.legal_actions()
        state.apply_action(actions[int(chance.integers(len(actions)))])
        told.append(f"{state} {state.returns()}")
    return told


@pytest.mark.parametrize(
    "options",
    [{"seats": 4}, {"opponents": ["greedy", "random"]}, {"game": MINI, "whole_match": True, "reward": "match"}],
    ids=["every seat", "opponents", "matches"],
)
def test_plain_is_as_compiled(options):
    assert not PLAIN
    compiled = played(options)
    assert uncompiled(played, options) == compiled
    assert len(compiled) > 60
