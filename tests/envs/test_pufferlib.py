"""The games in PufferLib: many tables played in place, each as a single one."""

import numpy as np
import pytest

vector = pytest.importorskip("pufferlib.vector", reason="needs pip install pufferlib-core")

from mulligan.engine.state import MOVES  # noqa: E402
from mulligan.envs.learning_table import Table  # noqa: E402
from mulligan.envs.puffer import PufferGolfEnv  # noqa: E402
from mulligan.envs.setup import Setup  # noqa: E402

pytestmark = pytest.mark.long
GIVEN = {"game": "play_nine", "opponents": ["greedy", "random"]}


@pytest.mark.parametrize("given", [GIVEN, GIVEN | {"turn_limit": 3}], ids=["to the end", "cut short"])
def test_its_first_table_is_that_of_the_same_seed(given):
    many, one, chance = PufferGolfEnv(tables=5, **given), Table(Setup(**given)), np.random.default_rng(1)
    many.reset(seed=3)
    one.reset(3)
    games = 0
    while games < 3:
        seen, mask = one.observe(0)
        assert many.observations[0].tolist() == [*seen, *mask]
        moves = [int(chance.choice(np.flatnonzero(row[-MOVES:]))) for row in many.observations]
        _, rewards, terminals, truncations, infos = many.step(np.array(moves, np.int32))
        moved = one.step(moves[0])
        assert (terminals[0], truncations[0]) == (moved.terminated, moved.truncated)
        assert rewards[0] == np.float32(one.rewards[0])
        assert bool(infos) == bool((terminals | truncations).any())
        if moved.terminated or moved.truncated:
            games += 1
            one.reset()


def test_its_games_become_records():
    many, one = PufferGolfEnv(tables=2, recorded=True, **GIVEN), Table(Setup(recorded=True, **GIVEN))
    chance = np.random.default_rng(1)
    many.reset(seed=3)
    one.reset(3)
    over = False
    while not over:
        moves = [int(chance.choice(np.flatnonzero(row[-MOVES:]))) for row in many.observations]
        many.step(np.array(moves, np.int32))
        moved = one.step(moves[0])
        over = moved.terminated or moved.truncated
    assert many.record(0) == one.record()


def test_it_writes_to_the_arrays_of_a_vector_of_environments():
    all_of_them = vector.make(PufferGolfEnv, env_kwargs=GIVEN | {"tables": 4}, backend=vector.Serial, num_envs=3)
    seen, _ = all_of_them.reset(seed=1)
    assert len({row.tobytes() for row in seen}) > 6
    for _ in range(100):
        seen = all_of_them.step(np.argmax(seen[:, -MOVES:], axis=1).astype(np.int32))[0]
        assert all_of_them.single_observation_space.contains(seen[0])
        assert seen[:, -MOVES:].any(axis=1).all()
    all_of_them.close()


@pytest.mark.parametrize("wrong", [np.zeros(2, int), np.zeros(3), 0, [None] * 3])
def test_wrong_moves_are_refused_in_one_sentence(wrong):
    many = PufferGolfEnv(tables=3, **GIVEN)
    many.reset(seed=1)
    with pytest.raises(ValueError, match=r"one move for each of 3 tables|whole numbers from 0 to 15"):
        many.step(wrong)


def test_it_needs_opponents():
    with pytest.raises(ValueError, match=r"one learner at a table: name the opponents, such as \['greedy'\]"):
        PufferGolfEnv("play_nine")
