"""The games of every environment become records: the referee takes them, and so does the analysis."""

import copy
import json
import pickle
from pathlib import Path

import numpy as np
import pytest

import mulligan
from mulligan.envs.learning_table import Table
from mulligan.envs.setup import Setup

gymnasium = pytest.importorskip("gymnasium", reason="needs pip install '.[envs]'")
pettingzoo = pytest.importorskip("pettingzoo", reason="needs pip install '.[envs]'")
pyspiel = pytest.importorskip("pyspiel", reason="needs pip install '.[envs]'")

import mulligan.envs  # noqa: E402

pytestmark = pytest.mark.long
MINI = Path(__file__).parents[1] / "variants/mini_rows.toml"
SETUPS = [
    {"game": "play_nine"},
    {"game": "nine_card", "seats": 3, "opponents": ["greedy"]},
    {"game": "six_card", "seats": 4, "opponents": [None, "random"], "house_rules": {"jokers": -5, "knock": "any"}},
    {"game": "four_card", "seats": 3, "whole_match": True, "opponents": ["random"]},
    {"game": "twelve_card", "whole_match": True, "house_rules": {"holes": 3}},
    {"game": str(MINI), "seats": 2, "whole_match": True},
]
some_setups = pytest.mark.parametrize("setup", SETUPS, ids=lambda setup: Path(setup["game"]).stem)


def legal(mask, chance):
    return int(chance.choice(np.flatnonzero(mask)))


def play(table, seed):
    """Plays a game to its end at random, and returns how it ended."""
    table.reset(seed)
    chance, moved = np.random.default_rng(seed), None
    while not moved or not (moved.terminated or moved.truncated):
        moved = table.step(legal(table.mask, chance))
    return moved


def refereed(record, setup):
    """The match as the referee sees it, after a journey through a file."""
    variant = mulligan.load_game(setup["game"]) if setup["game"].endswith(".toml") else None
    return mulligan.replay(json.loads(json.dumps(record)), variant)


@some_setups
def test_the_referee_takes_the_games_of_a_table(setup):
    table = Table(Setup(**setup, reward="points", recorded=True))
    for seed in range(3):
        play(table, seed)
        game = refereed(table.record(), setup)
        whole = setup.get("whole_match", False)
        totals = table.match.totals if whole else -table.rewards
        assert game.totals == [int(total) for total in totals[: table.setup.seats]]
        assert whole or len(game.holes) == 1
        assert [name.split()[0] for name in game.players] == table.setup.names


@some_setups
def test_recorded_or_not_the_game_is_the_same(setup):
    kept, unkept = Table(Setup(**setup, recorded=True)), Table(Setup(**setup))
    assert play(kept, 5) == play(unkept, 5)
    assert kept.observe(0)[0].tolist() == unkept.observe(0)[0].tolist()


def test_every_environment_gives_the_record_of_the_table():
    setup = {"seats": 3, "opponents": ["greedy", None], "recorded": True}
    table = Table(Setup("nine_card", **setup))
    play(table, 4)
    assert in_gymnasium(setup, 4) == in_pettingzoo(setup, 4) == table.record()
    for mode in ("NextStep", "SameStep", "Disabled"):
        assert among_many(setup, 4, mode) == table.record()


def in_gymnasium(setup, seed):
    env, chance, over = gymnasium.make("mulligan/nine_card-v0", **setup), np.random.default_rng(seed), False
    _, info = env.reset(seed=seed)
    while not over:
        *_, terminated, truncated, info = env.step(legal(info["action_mask"], chance))
        over = terminated or truncated
    return env.unwrapped.record()


def in_pettingzoo(setup, seed):
    env, chance = pettingzoo.make("aec", "mulligan/nine_card-v0", **setup), np.random.default_rng(seed)
    env.reset(seed=seed)
    for _ in env.agent_iter():
        *_, terminated, truncated, info = env.last()
        env.step(None if terminated or truncated else legal(info["action_mask"], chance))
    return env.unwrapped.record()


def among_many(setup, seed, mode):
    """At the last of three tables; where the next game begins at once, it is played a little."""
    tables = gymnasium.make_vec("mulligan/nine_card-v0", 3, autoreset_mode=mode, **setup)
    chance, over = np.random.default_rng(seed), np.zeros(3, bool)
    _, info = tables.reset(seed=[None, None, seed])
    while not over[2]:
        if mode == "Disabled" and over.any():
            _, info = tables.reset(options={"reset_mask": over})
            masks = tables._shown.masks
        else:
            masks = info["action_mask"]
        moves = masks.argmax(1)
        moves[2] = legal(masks[2], chance)
        *_, terminated, truncated, info = tables.step(moves)
        over = terminated | truncated
    if mode == "SameStep":
        tables.step(info["action_mask"].argmax(1))
    return tables.record(2)


def test_so_does_a_hole_of_openspiel():
    game, chance = pyspiel.load_game("mulligan_six_card(players=3,house_rules=jokers:-5)"), np.random.default_rng(2)
    state = game.new_initial_state()
    with pytest.raises(ValueError, match="the hole is not over yet"):
        state.record()
    while not state.is_terminal():
        actions = [action for action, _ in state.chance_outcomes()] if state.is_chance_node() else state.legal_actions()
        state.apply_action(int(chance.choice(actions)))
    found = refereed(state.record(), {"game": "six_card"})
    points = np.array(found.totals)
    assert state.returns() == pytest.approx(((points.sum() - points) / 2 - points).tolist())
    assert state.record()["match"] == {"jokers": -5, "holes": 1}


def test_the_analysis_takes_it():
    table = Table(Setup("play_nine", ["greedy"], recorded=True))
    play(table, 1)
    found = mulligan.analyse(table.record())
    assert len(found.holes) == 1


@pytest.mark.parametrize("copied", [copy.deepcopy, lambda table: pickle.loads(pickle.dumps(table))])
def test_a_copy_in_the_middle_goes_on_with_the_steps_before(copied):
    table = Table(Setup("play_nine", recorded=True))
    table.reset(3)
    for _ in range(9):
        table.step(int(np.flatnonzero(table.mask)[0]))
    other = copied(table)
    for one in (other, table):
        chance = np.random.default_rng(1)
        while not one.step(legal(one.mask, chance)).terminated:
            pass
    assert other.record() == table.record()


def test_where_there_is_no_record_one_sentence_says_why():
    with pytest.raises(ValueError, match=r"made with recorded=True\.$"):
        Table(Setup("play_nine")).record()
    table = Table(Setup("play_nine", turn_limit=1, recorded=True))
    with pytest.raises(ValueError, match="no game is over yet"):
        table.record()
    assert play(table, 1).truncated
    with pytest.raises(ValueError, match="the turn limit ended the hole before anyone closed"):
        table.record()
    table.reset()
    table.step(15)
    with pytest.raises(ValueError, match="an illegal move ended the game"):
        table.record()
    with pytest.raises(ValueError, match="from 0 to 2, not 3"):
        gymnasium.make_vec("mulligan/play_nine-v0", 3, recorded=True).record(3)
    hole = pyspiel.load_game("mulligan_play_nine(turn_limit=1)").new_initial_state()
    while not hole.is_terminal():
        hole.apply_action(hole.legal_actions()[0])
    with pytest.raises(ValueError, match="the turn limit ended the hole"):
        hole.record()
