"""A table of the environments plays the games of the simulator, and says how they end."""

import pickle

import numpy as np
import pytest

from mulligan.engine.state import DISCARD, DISCARD_DRAWN, STOCK, Phase
from mulligan.envs.learning_table import Table
from mulligan.envs.rewards import ILLEGAL
from mulligan.envs.setup import Setup
from mulligan.game import variants
from mulligan.simulation import simulate


def play_randomly(table: Table, seed: int):
    """Plays a game to its end; returns how it ended, and what each player earned."""
    chance, earned = np.random.default_rng(seed), np.zeros(table.setup.seats)
    while True:
        _, mask = table.observe(table.player)
        moved = table.step(chance.choice(np.flatnonzero(mask)))
        earned += table.rewards
        if moved.terminated or moved.truncated:
            return moved, earned


@pytest.mark.parametrize("seats", [2, 5])
def test_it_plays_the_games_of_the_simulator(seats):
    """With the moves of `greedy`, chosen here, the cards and the points are those of `simulate` with the same dice."""
    variant = variants.for_seats(variants.load("nine_card"), seats)
    for seed in range(3):
        table = Table(Setup("nine_card", seats=seats, reward="points"))
        table.reset(seed)
        moved = None
        while not moved or not moved.terminated:
            moved = table.step(choose_greedily(table))
        points = simulate(variant, seats, ["greedy"], seed, holes=1, threads=1).points[0, 0]
        assert (-table.rewards).tolist() == points.tolist()


def choose_greedily(table: Table) -> int:
    from mulligan.engine.chance import many_dice
    from mulligan.players.greedy import choose

    return int(choose(table.setup.rules[0], table.match, table.state, many_dice(0, 1)[0], None))


def test_opponents_play_between_the_moves_of_the_learner():
    table = Table(Setup("play_nine", ["greedy", "random"]))
    for seed in range(5):
        table.reset(seed)
        assert table.player == 0
        moved, earned = play_randomly(table, seed)
        assert moved.player == 0
        assert moved.terminated
        assert sum(earned) == pytest.approx(0)


def test_opponents_are_dealt_out_in_turn():
    assert len({*Setup("play_nine", ["greedy", "random"], seats=5).chairs.tolist()}) == 3  # and the learner


def test_rewards_against_the_field_and_own_points():
    field, points = Table(Setup("six_card", seats=3)), Table(Setup("six_card", seats=3, reward="points"))
    field.reset(1)
    points.reset(1)
    _, against = play_randomly(field, 1)
    _, own = play_randomly(points, 1)
    assert own.tolist() == [-int(field.state.players[seat].points) for seat in range(3)]
    assert against == pytest.approx([own[player] - (own.sum() - own[player]) / 2 for player in range(3)])


def test_a_match_is_paid_hole_by_hole_or_at_its_end():
    for reward in ("field", "match"):
        table = Table(Setup("four_card", seats=3, reward=reward, whole_match=True))
        table.reset(4)
        moved, earned = play_randomly(table, 4)
        totals = table.match.totals[:3].tolist()
        assert moved.terminated
        if reward == "field":
            assert earned == pytest.approx([(sum(totals) - total) / 2 - total for total in totals])
        else:
            winners = [player for player in range(3) if table.match.at_table[player]]
            assert earned.tolist() == [(player in winners) / len(winners) for player in range(3)]


def test_a_hole_that_nobody_closes_is_revealed_and_truncated():
    table = Table(Setup("six_card", turn_limit=3))
    table.reset(1)
    moved = None
    while not moved or not (moved.truncated or moved.terminated):
        _, mask = table.observe(table.player)
        face_up = np.flatnonzero(table.state.players[int(table.state.turn)].layout != -1)
        patient = [STOCK, DISCARD, DISCARD_DRAWN, face_up[0] if len(face_up) else 0]
        moved = table.step(
            next(move for move in patient if mask[move])
            if table.state.phase != Phase.TEE_OFF
            else int(np.flatnonzero(mask)[0])
        )
    assert moved.truncated
    assert not moved.terminated
    assert table.state.phase == Phase.OVER
    assert sum(table.rewards) == pytest.approx(0)


@pytest.mark.parametrize("move", [-1, 15, 16, 10**9])
def test_an_illegal_move_ends_the_game_with_a_penalty(move):
    table = Table(Setup("play_nine", seats=3))
    table.reset(1)
    player = table.player
    moved = table.step(move)
    assert (moved.terminated, moved.truncated, moved.illegal) == (True, False, True)
    assert table.rewards.tolist() == [ILLEGAL * (seat == player) for seat in range(3)]
    assert not table.observe(player)[1].any()


def test_a_seed_names_the_game_and_none_goes_on_with_the_dice():
    first, second = Table(Setup("play_nine")), Table(Setup("play_nine"))
    first.reset(5)
    second.reset(5)
    deals = []
    for _ in range(3):
        assert first.observe(0)[0].tolist() == second.observe(0)[0].tolist()
        deals.append(first.observe(0)[0].tolist())
        first.reset()
        second.reset()
    assert deals[0] != deals[1] != deals[2]


def test_a_table_is_pickled_with_its_opponents_and_dice():
    table = Table(Setup("play_nine", ["greedy"], reward="points"))
    table.reset(2)
    copy = pickle.loads(pickle.dumps(table))
    assert play_randomly(copy, 1)[1].tolist() == play_randomly(table, 1)[1].tolist()


@pytest.mark.parametrize(
    ("wrong", "sentence"),
    [
        ({"game": "bridge"}, "There is no game “bridge”"),
        ({"seats": 9}, "is for 2 to 6 players, not 9."),
        ({"opponents": ["greedy"] * 3, "seats": 3}, "3 opponents and the learner need 4 seats, not 3."),
        ({"opponents": "greedy"}, "opponents is a list of names, such as ['greedy']."),
        ({"opponents": ["nobody"]}, "There is no player “nobody”"),
        ({"reward": "money"}, "There is no reward “money”; there are field, points, match."),
        ({"turn_limit": 0}, "turn_limit is from 1 to 10,000, not 0."),
        ({"house_rules": {"jokers": 7}}, "jokers"),
    ],
    ids=str,
)
def test_a_wrong_setup_gets_one_sentence(wrong, sentence):
    with pytest.raises(ValueError, match=sentence.replace("[", r"\[").replace("]", r"\]")):
        Setup(**({"game": "play_nine"} | wrong))


@pytest.mark.parametrize("game", ["six_card", "nine_card"])
def test_it_plays_by_house_rules(game):
    """Every option of the game, one at a time."""
    for name, values in variants.load(game).facts.options.items():
        table = Table(Setup(game, house_rules={name: values[1]}))
        table.reset(1)
        play_randomly(table, 1)
        assert table.setup.variant.match == {name: values[1]}
