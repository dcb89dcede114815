"""One table under Gymnasium: its own checks pass, and learners find what they look for."""

import pickle
import warnings
from pathlib import Path

import numpy as np
import pytest

from mulligan.envs.learning_table import Table
from mulligan.game import variants

gymnasium = pytest.importorskip("gymnasium", reason="needs pip install '.[envs]'")

from gymnasium.utils.env_checker import check_env  # noqa: E402
from gymnasium.utils.env_match import check_environments_match  # noqa: E402

import mulligan.envs  # noqa: E402, F401

pytestmark = pytest.mark.long
MINI = Path(__file__).parents[1] / "variants/mini_rows.toml"
SETTINGS = {
    "one opponent": {"opponents": ["greedy"]},
    "every seat": {"seats": 3},
    "named arrays": {"opponents": ["random"], "named": True},
    "a match": {"opponents": ["random"], "whole_match": True, "reward": "match"},
    "house rules": {"opponents": ["random", "greedy"], "house_rules": {"jokers": -5}, "game": "six_card"},
}


def make(setting="one opponent", **more):
    return gymnasium.make("mulligan/play_nine-v0", **SETTINGS[setting] | more)


def play_on(env, seed, moves=None):
    """Plays legal moves by dice of their own until the game ends; returns everything that was seen."""
    chance, seen, info = np.random.default_rng(seed), [], {"action_mask": env.unwrapped.action_masks()}
    while True:
        move = chance.choice(np.flatnonzero(info["action_mask"]))
        told = env.step(move)
        *_, terminated, truncated, info = told
        seen.append((told[0].tolist(), *told[1:4], info["player"]))
        if terminated or truncated:
            return seen


@pytest.mark.parametrize("setting", SETTINGS)
def test_the_checks_of_gymnasium_pass(setting):
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        env = make(setting, render_mode="ansi")
        check_env(env.unwrapped)


@pytest.mark.parametrize("game", variants.games())
def test_every_game_is_registered_and_passes_the_checks(game):
    check_env(gymnasium.make(f"mulligan/{game}-v0").unwrapped, skip_render_check=True)


def test_two_environments_of_one_setting_match():
    check_environments_match(make(), make(), num_steps=200, seed=3, skip_render=True)


def test_a_seed_gives_the_same_game_and_no_seed_another():
    games = []
    for seed in (5, 5, None):
        env = make()
        env.reset(seed=seed)
        games.append(play_on(env, 0))
    assert games[0] == games[1] != games[2]


def test_it_plays_the_same_game_as_the_table():
    env = make("every seat")
    table = Table(env.unwrapped.table.setup)
    seen, info = env.reset(seed=9)
    table.reset(9)
    over = False
    while not over:
        expected, mask = table.observe(table.player)
        assert (seen.tolist(), info["action_mask"].tolist()) == (expected.tolist(), mask.tolist())
        move, mover = int(np.flatnonzero(mask)[-1]), table.player
        seen, reward, terminated, truncated, info = env.step(move)
        assert table.step(move) == (info["player"], terminated, truncated, info["illegal"])
        assert reward == table.rewards[mover]
        over = terminated or truncated


def test_a_game_can_be_pickled_in_the_middle():
    env = make("every seat").unwrapped
    env.reset(seed=1)
    env.step(int(np.flatnonzero(env.action_masks())[0]))
    copy = pickle.loads(pickle.dumps(env))
    assert play_on(copy, 4) == play_on(env, 4)
    assert copy.reset()[0].tolist() == env.reset()[0].tolist()


def test_the_masks_fit_the_space_and_an_illegal_move_ends_the_game():
    env = make()
    _, info = env.reset(seed=2)
    assert env.action_space.sample(mask=info["action_mask"]) in np.flatnonzero(env.unwrapped.action_masks())
    _, reward, terminated, _, info = env.step(int(np.flatnonzero(info["action_mask"] == 0)[0]))
    assert (reward, terminated, info["illegal"]) == (-100, True, True)
    with pytest.raises(gymnasium.error.ResetNeeded, match="call reset"):
        env.step(0)


@pytest.mark.filterwarnings("ignore:.*render_mode")  # Gymnasium's own
@pytest.mark.parametrize(
    ("wrong", "told"),
    [
        ({"opponents": ["nobody"]}, "nobody"),
        ({"opponents": "greedy"}, "list of names"),
        ({"seats": 20}, "20"),
        ({"reward": "fame"}, "field, points, match"),
        ({"house_rules": {"jokers": 99}}, "jokers"),
        ({"render_mode": "cinema"}, "render mode “cinema”; there are ansi, rgb_array"),
    ],
)
def test_what_the_game_does_not_have_is_refused_in_one_sentence(wrong, told):
    with pytest.raises(ValueError, match=told):
        gymnasium.make("mulligan/six_card-v0", **wrong)


def test_a_variant_file_can_be_played():
    env = gymnasium.make("mulligan/play_nine-v0", game=str(MINI))
    env.reset(seed=1)
    assert play_on(env, 1)[-1][2]
