"""Thousands of tables at once are, step by step, the same as single ones."""

import numpy as np
import pytest

gymnasium = pytest.importorskip("gymnasium", reason="needs pip install '.[envs]'")

import mulligan.envs  # noqa: E402, F401

pytestmark = pytest.mark.long
GAME = "mulligan/play_nine-v0"
MODES = ["NextStep", "SameStep", "Disabled"]
SETTINGS = {
    "one opponent": {"opponents": ["greedy"]},
    "every seat, cut short": {"seats": 3, "turn_limit": 8},
    "named arrays": {"opponents": ["random"], "named": True, "game": "nine_card"},
    "matches": {"seats": 2, "whole_match": True, "game": "four_card"},
}


def make_both(setting, mode, tables=7):
    ours = gymnasium.make_vec(GAME, tables, **setting, autoreset_mode=mode)
    theirs = gymnasium.make_vec(GAME, tables, "sync", {"autoreset_mode": mode}, **setting)
    return ours, theirs


def same(one, other):
    """Whether two results are equal, and of the same types."""
    if isinstance(one, dict):
        return one.keys() == other.keys() and all(same(one[name], other[name]) for name in one)
    if isinstance(one, (tuple, list)):
        return len(one) == len(other) and all(map(same, one, other))
    if one is None or other is None:
        return one is other
    if one.dtype == object:
        return same(list(one), list(other))
    return one.dtype == other.dtype and np.array_equal(one, other)


def some_moves(info, chance):
    """Legal moves, with an illegal one now and then; anything where the game is over."""
    legal = [np.flatnonzero(mask) for mask in info["action_mask"]]
    moves = [chance.choice(moves) if len(moves) else 0 for moves in legal]
    return np.where(chance.random(len(moves)) < 0.004, 15, moves)


@pytest.mark.parametrize("mode", MODES)
@pytest.mark.parametrize("setting", SETTINGS)
def test_it_equals_single_tables_step_by_step(setting, mode):
    ours, theirs = make_both(SETTINGS[setting], mode)
    assert ours.observation_space == theirs.observation_space
    assert ours.action_space == theirs.action_space
    result, expected = ours.reset(seed=11), theirs.reset(seed=11)
    chance, games = np.random.default_rng(2), 0
    for _ in range(250):
        assert same(result, expected)
        over = np.logical_or(*result[2:4]) if len(result) == 5 else np.zeros(7, bool)
        games += over.sum()
        if mode == "Disabled" and over.any():
            result = ours.reset(options={"reset_mask": over.copy()})
            expected = theirs.reset(options={"reset_mask": over.copy()})
            assert same(result, expected)
        masks = {"action_mask": np.array([env.unwrapped.action_masks() for env in theirs.envs])}
        moves = some_moves(masks, chance)
        result, expected = ours.step(moves), theirs.step(moves)
    assert games > 7
    assert ours.metadata["autoreset_mode"] == theirs.metadata["autoreset_mode"]


@pytest.mark.parametrize("mode", MODES)
def test_so_does_a_single_one(mode):
    """All of its games end in one step."""
    ours, theirs = make_both(SETTINGS["one opponent"], mode, tables=1)
    result, expected = ours.reset(seed=3), theirs.reset(seed=3)
    over = False
    while not over:
        assert same(result, expected)
        move = some_moves(result[-1], np.random.default_rng(1))
        result, expected = ours.step(move), theirs.step(move)
        over = result[2][0] or result[3][0]
    assert same(result, expected)


@pytest.mark.parametrize("mode", MODES)
def test_a_policy_can_choose_a_move_for_every_row_also_where_the_game_is_over(mode):
    """A categorical distribution over no move at all is an error, for one in PyTorch."""
    tables = gymnasium.make_vec(GAME, 6, opponents=["greedy"], autoreset_mode=mode)
    _, info = tables.reset(seed=1)
    over = np.zeros(6, bool)
    while not over.any():
        assert info["action_mask"].any(axis=1).all()
        _, _, terminated, truncated, info = tables.step(info["action_mask"].argmax(axis=1))
        over = terminated | truncated
    last = info["final_info"]["action_mask"] if mode == "SameStep" else info["action_mask"]
    assert info["action_mask"].any(axis=1).all()
    assert last[over].all()
    assert not info["action_mask"][~over].all(axis=1).any()


def test_some_tables_can_have_seeds_of_their_own():
    ours, theirs = make_both(SETTINGS["one opponent"], "NextStep", tables=3)
    assert same(ours.reset(seed=[4, 5, 4]), theirs.reset(seed=[4, 5, 4]))
    assert same(ours.reset(seed=[None, 5, None]), theirs.reset(seed=[None, 5, None]))


def test_results_are_copies_unless_copies_are_declined():
    for copy in (True, False):
        tables = gymnasium.make_vec(GAME, 2, opponents=["random"], copy=copy)
        tables.reset(seed=1)
        chance = np.random.default_rng(1)
        seen, *_, info = tables.step(np.array([0, 0]))
        kept, mask = seen.copy(), info["action_mask"].copy()
        tables.step(some_moves(info, chance))
        assert np.array_equal(seen, kept) is copy
        assert copy or not np.array_equal(info["action_mask"], mask)


def test_without_a_seed_every_table_has_its_own_cards():
    tables = gymnasium.make_vec(GAME, 8)
    seen, _ = tables.reset()
    again, _ = gymnasium.make_vec(GAME, 8).reset()
    assert len(np.unique(seen, axis=0)) > 1
    assert not np.array_equal(seen, again)


@pytest.mark.parametrize(
    ("call", "told"),
    [
        (lambda tables: tables.step(np.zeros(3, int)), "one move for each of 4 tables"),
        (lambda tables: tables.reset(seed=[1, 2]), "one seed for each of 4 tables"),
        (lambda tables: tables.reset(options={"reset_mask": [True] * 4}), "bool array of shape"),
    ],
)
def test_wrong_shapes_are_refused_in_one_sentence(call, told):
    tables = gymnasium.make_vec(GAME, 4, autoreset_mode="Disabled")
    tables.reset(seed=1)
    with pytest.raises(ValueError, match=told):
        call(tables)


def test_a_finished_game_waits_for_a_reset_where_nobody_else_resets_it():
    tables = gymnasium.make_vec(GAME, 2, autoreset_mode="Disabled")
    tables.reset(seed=1)
    tables.step(np.array([15, 0]))
    with pytest.raises(gymnasium.error.ResetNeeded, match="reset_mask"):
        tables.step(np.array([0, 0]))
