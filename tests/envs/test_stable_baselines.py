"""Many tables for Stable-Baselines3 are those of the vector environment."""

import re
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest
import stand_in_stable_baselines

import mulligan

gymnasium = pytest.importorskip("gymnasium", reason="needs pip install '.[envs]'")
stand_in_stable_baselines.install()

from mulligan.envs import GolfVecEnv  # noqa: E402

pytestmark = pytest.mark.long
EXAMPLE = Path(__file__).parents[2] / "docs/examples/maskable_ppo.py"
GIVEN = {"opponents": ["greedy"], "seats": 3}


@pytest.mark.parametrize("more", [{}, {"turn_limit": 5}, {"named": True}], ids=str)
def test_step_by_step_they_are_those_of_the_vector_environment(more):
    ours = GolfVecEnv(5, "six_card", **GIVEN, **more)
    theirs = gymnasium.make_vec("mulligan/six_card-v0", 5, autoreset_mode="SameStep", **GIVEN, **more)
    ours.seed(3)
    seen, (expected, info) = ours.reset(), theirs.reset(seed=3)
    chance, ended = np.random.default_rng(1), 0
    for _ in range(150):
        assert str(seen) == str(expected)
        masks = ours.action_masks()
        assert masks.dtype == bool
        assert np.array_equal(masks, info["action_mask"])
        assert np.array_equal(masks, ours.env_method("action_masks"))
        moves = np.argmax(masks * chance.random(masks.shape), axis=1)
        seen, rewards, over, infos = ours.step(moves)
        expected, earned, terminated, truncated, info = theirs.step(moves)
        assert (rewards.dtype, rewards.tolist()) == (np.float32, earned.astype(np.float32).tolist())
        assert over.tolist() == (terminated | truncated).tolist()
        for place, told in enumerate(infos):
            assert told["action_mask"].tolist() == info["action_mask"][place].tolist()
            assert ("terminal_observation" in told) == over[place]
            if over[place]:
                assert str(told["terminal_observation"]) == str(info["final_obs"][place])
                assert told["TimeLimit.truncated"] is False
        ended += over.sum()
    assert ended > 5


def test_a_seed_counts_for_one_reset():
    tables = GolfVecEnv(2, "play_nine", opponents=["greedy"])
    games = []
    for seed in (4, None, 4):
        if seed is not None:
            tables.seed(seed)
        games.append(tables.reset().tolist())
    assert games[0] == games[2] != games[1]


def test_learners_find_the_masks_and_nothing_that_there_is_not():
    tables = GolfVecEnv(3, "play_nine", opponents=["greedy"])
    tables.reset()
    assert tables.has_attr("action_masks")
    assert not tables.has_attr("birdie")
    assert len(tables.env_method("action_masks", indices=[0, 2])) == 2
    with pytest.raises(AttributeError, match="no method birdie"):
        tables.env_method("birdie")
    with pytest.raises(AttributeError, match="by one setup"):
        tables.set_attr("limit", 3)


def test_its_games_become_records():
    tables = GolfVecEnv(2, "play_nine", opponents=["greedy"], recorded=True)
    tables.seed(1)
    tables.reset()
    chance, over, rewards = np.random.default_rng(1), np.zeros(2, bool), None
    while not over[1]:
        moves = np.argmax(tables.action_masks() * chance.random((2, 16)), axis=1)
        _, rewards, over, _ = tables.step(moves)
    mine, other = mulligan.replay(tables.record(1)).totals
    assert rewards[1] == other - mine
    assert tables.env_method("record", indices=1) == [tables.record(1)]


def test_it_needs_opponents():
    with pytest.raises(ValueError, match=r"Stable-Baselines3 plays with one learner at a table: name the opponents"):
        GolfVecEnv(2, "play_nine")


def test_the_example_learns(tmp_path):
    """More than random moves gain: each figure has a 95 % interval of about half a stroke."""
    pytest.importorskip("sb3_contrib", reason="needs pip install stable-baselines3 sb3-contrib")
    record = tmp_path / "hole.jsonl"
    play = ("--game", "four_card", "--holes", "1024", "--record", record)
    learn = ("--tables", "64", "--length", "32", "--steps", "100000")
    done = subprocess.run([sys.executable, EXAMPLE, *play, *learn], check=True, capture_output=True, text=True)
    found = re.search(r"^(\S+) ± \S+ strokes per hole over greedy, 1,024 holes$", done.stdout, re.M)
    assert float(found[1]) > random_gain("four_card") + 2
    with record.open("rb") as file:
        assert [mulligan.replay(one).is_over for _, one in mulligan.read_records(file)] == [True]


def random_gain(game):
    """What random moves gain over greedy, in strokes per hole: the mean of the first holes of 1,024 tables."""
    tables = GolfVecEnv(1024, game, opponents=["greedy"])
    tables.seed(10**6)
    tables.reset()
    chance, gained = np.random.default_rng(1), np.full(1024, np.nan)
    while np.isnan(gained).any():
        masks = tables.action_masks()
        _, rewards, over, _ = tables.step(np.argmax(masks * chance.random(masks.shape), axis=1))
        first = over & np.isnan(gained)
        gained[first] = rewards[first]
    return gained.mean()
