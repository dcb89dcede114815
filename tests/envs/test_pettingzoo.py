"""The games in PettingZoo pass its own suites, unchanged, and are those of a table."""

import copy
import pickle
import subprocess
import sys

import numpy as np
import pytest

pettingzoo = pytest.importorskip("pettingzoo")

from pettingzoo.test import (  # noqa: E402
    api_test,
    parallel_api_test,
    parallel_seed_test,
    render_test,
    save_obs_test,
    seed_test,
    state_test,
)

from mulligan.engine.state import MOVES  # noqa: E402
from mulligan.envs.aec import env, parallel_env, raw_env  # noqa: E402
from mulligan.envs.learning_table import Table  # noqa: E402
from mulligan.envs.rewards import ILLEGAL  # noqa: E402
from mulligan.envs.setup import Setup  # noqa: E402
from mulligan.game import shipped  # noqa: E402

pytestmark = [
    pytest.mark.long,
    pytest.mark.filterwarnings("ignore:Observation space for each agent probably should be"),  # theirs are dicts too
    pytest.mark.filterwarnings("ignore:Observation is not a NumPy array"),
    pytest.mark.filterwarnings("ignore:Action mask numpy array is all zeros"),  # of players who wait for their turn
]
SETUPS = [
    {"game": "play_nine"},
    {"game": "nine_card", "seats": 3},
    {"game": "six_card", "seats": 8, "reward": "points"},
    {"game": "four_card", "seats": 4, "whole_match": True},
    {"game": "twelve_card", "seats": 5, "opponents": ["greedy"]},
    {"game": "eight_card", "seats": 5, "opponents": ["random", None], "whole_match": True, "reward": "match"},
    {"game": "play_nine", "seats": 2, "turn_limit": 2},
]
some_setups = pytest.mark.parametrize("setup", SETUPS, ids=lambda setup: setup["game"])


def chosen(chance, mask) -> int:
    return int(chance.choice(np.flatnonzero(mask)))


def play(environment, seed: int = 1, moves: int = 10_000):
    """Plays at random, until the game is over; returns all that was seen."""
    chance, told = np.random.default_rng(seed), []
    for agent in environment.agent_iter(moves):
        seen, reward, terminated, truncated, info = environment.last()
        assert info["action_mask"].tolist() == seen["action_mask"].tolist()
        told.append((agent, seen["observation"].tolist(), reward, terminated, truncated, info.get("illegal")))
        environment.step(None if terminated or truncated else chosen(chance, seen["action_mask"]))
    return told


@some_setups
def test_the_suites_for_turns(setup, monkeypatch, tmp_path):
    monkeypatch.chdir(tmp_path)
    api_test(env(**setup), num_cycles=200)
    api_test(raw_env(**setup), num_cycles=200)
    seed_test(lambda: env(**setup), num_cycles=50)
    save_obs_test.test_save_obs(env(**setup))


@some_setups
def test_the_suites_for_parallel_play(setup):
    parallel_api_test(parallel_env(**setup), num_cycles=200)
    parallel_seed_test(lambda: parallel_env(**setup), num_cycles=50)
    state_test(env(**setup), parallel_env(**setup))


@pytest.mark.parametrize("wrapped", [env, raw_env])
def test_the_suite_for_pictures(wrapped):
    render_test(lambda **mode: wrapped("nine_card", seats=3, **mode))


@pytest.mark.parametrize("game", shipped.games())
def test_every_game_is_registered(game):
    assert isinstance(pettingzoo.make("aec", f"mulligan/{game}-v0", seats=4), pettingzoo.AECEnv)
    parallel = pettingzoo.make("parallel", f"mulligan/{game}-v0", render_mode="ansi", opponents=["greedy"])
    assert parallel.possible_agents == ["player_0"]
    assert pickle.loads(pickle.dumps(pettingzoo.spec("aec", f"mulligan/{game}-v0"))).kwargs == {"game": game}


@some_setups
def test_it_plays_as_the_table_does(setup):
    environment, table, chance = raw_env(**setup), Table(Setup(**setup)), np.random.default_rng(3)
    environment.reset(seed=7)
    table.reset(7)
    earned = np.zeros(table.setup.seats)
    for agent in environment.agent_iter():
        seen, reward, terminated, truncated, _ = environment.last()
        player = int(agent.removeprefix("player_"))
        assert reward == earned[player]
        if terminated or truncated:
            environment.step(None)
            continue
        expected, mask = table.observe(player)
        assert player == table.player
        assert seen["observation"].tolist() == expected.tolist()
        assert seen["action_mask"].tolist() == mask.tolist()
        assert environment.state().tolist() == table.observe(0)[0].tolist()
        move = chosen(chance, mask)
        environment.step(move)
        moved = table.step(move)
        earned[player] = 0
        earned += table.rewards
    assert (terminated, truncated) == (moved.terminated, moved.truncated)
    assert truncated == ("turn_limit" in setup)


def test_computer_players_sit_between_the_agents():
    environment = raw_env("nine_card", seats=5, opponents=["greedy", None])
    environment.reset(seed=1)
    assert environment.agents == ["player_0", "player_2", "player_4"]
    assert {agent for agent, *_ in play(environment)} == {*environment.possible_agents}


def test_only_the_agent_on_turn_has_legal_moves():
    environment = env("play_nine", seats=4)
    environment.reset(seed=1)
    for agent in environment.agents:
        assert environment.observe(agent)["action_mask"].any() == (agent == environment.agent_selection)


def test_everyones_info_has_their_mask_and_keeps_it():
    environment = parallel_env("play_nine", seats=3, opponents=[None, "greedy"])
    seen, infos = environment.reset(seed=2)
    kept, chance = [], np.random.default_rng(4)
    while environment.agents:
        masks = {agent: info["action_mask"].tolist() for agent, info in infos.items()}
        assert masks == {agent: observed["action_mask"].tolist() for agent, observed in seen.items()}
        assert sum(map(any, masks.values())) == 1
        kept.append((infos, masks))
        moves = {agent: chosen(chance, mask) if any(mask) else 0 for agent, mask in masks.items()}
        seen, _, _, _, infos = environment.step(moves)
    assert all(infos[agent]["action_mask"].tolist() == mask for infos, masks in kept for agent, mask in masks.items())
    assert not any(info["action_mask"].any() for info in infos.values())


@pytest.mark.parametrize("wrapped", [env, raw_env])
def test_an_illegal_move_ends_the_game_and_costs_the_one_who_made_it(wrapped):
    environment = wrapped("play_nine", seats=3)
    environment.reset(seed=1)
    mover = environment.agent_selection
    environment.step(MOVES - 1)
    assert all(environment.terminations.values())
    assert environment.rewards == {agent: ILLEGAL * (agent == mover) for agent in environment.possible_agents}
    for _ in environment.agent_iter(3):
        environment.step(None)
    assert environment.agents == []


def test_the_named_arrays_are_the_flat_ones():
    named, flat = raw_env("nine_card", seats=3, named=True), raw_env("nine_card", seats=3)
    for environment in (named, flat):
        environment.reset(seed=2)
    seen = named.observe("player_1")
    assert named.observation_space("player_1").contains(seen)
    parts = np.concatenate([part.ravel() for part in seen["observation"].values()])
    assert parts.tolist() == flat.observe("player_1")["observation"].tolist()
    api_test(named, num_cycles=50)


@pytest.mark.parametrize("wrapped", [env, raw_env, parallel_env])
def test_copies_go_on_with_the_same_cards(wrapped):
    environment = wrapped("play_nine", opponents=["greedy"])
    environment.reset(seed=3)
    copies = [pickle.loads(pickle.dumps(environment)), copy.deepcopy(environment)]
    if wrapped is not parallel_env:
        first = play(environment)
        assert [play(other) for other in copies] == [first, first]
    else:
        action = {"player_0": 0}
        first = environment.step(action)
        assert [str(other.step(action)) for other in copies] == [str(first)] * 2


def test_an_observation_stays_as_it_was():
    environment = raw_env("six_card")
    environment.reset(seed=1)
    seen = environment.observe("player_0")
    before = seen["observation"].copy()
    play(environment)
    assert seen["observation"].tolist() == before.tolist()


def test_a_person_sees_the_table_after_each_move(capsys):
    environment = env("six_card", render_mode="human")
    environment.reset(seed=1)
    play(environment, moves=2)
    assert capsys.readouterr().out.count("Six-card golf · turn") == 3


@pytest.mark.parametrize(
    ("wrong", "sentence"),
    [
        ({"render_mode": "braille"}, "There is no render mode “braille”; there are human, ansi, rgb_array."),
        ({"seats": 1}, "is for 2 to 6 players, not 1."),
    ],
)
def test_a_wrong_argument_gets_one_sentence(wrong, sentence):
    with pytest.raises(ValueError, match=sentence):
        env("play_nine", **wrong)


@pytest.mark.parametrize(
    ("library", "adapter", "sentence"),
    [
        ("pettingzoo", "aec", "This needs PettingZoo; install it with: pip install '.[envs]' in a clone of Mulligan"),
        ("pufferlib", "puffer", "This needs PufferLib; install it with: pip install 'pufferlib-core'"),
    ],
)
def test_without_the_library_one_sentence_says_how_to_get_it(library, adapter, sentence):
    hidden = f"import sys; sys.modules[{library!r}] = None; import mulligan.envs.{adapter}"
    run = subprocess.run([sys.executable, "-c", hidden], capture_output=True, text=True)
    assert run.stderr.splitlines()[-1].endswith(sentence)
