"""Positions and moves as text, and the games in TextArena."""

from pathlib import Path

import numpy as np
import pytest
import stand_in_textarena

from mulligan.envs.learning_table import Table
from mulligan.envs.rewards import ILLEGAL
from mulligan.envs.setup import Setup
from mulligan.game import shipped

stand_in_textarena.install()

from mulligan.envs import text_arena  # noqa: E402

pytestmark = pytest.mark.long
MINI = str(Path(__file__).parents[1] / "variants/mini_rows.toml")


def legal_in(text):
    """The legal moves of the last position in a text."""
    return text.rsplit("Legal moves: ", 1)[1].splitlines()[0].split(", ")


def test_the_text_of_a_position_says_all_that_a_player_needs():
    table = Table(Setup("play_nine"))
    table.reset(1)
    for slot in (0, 1, 2, 3, 12):
        table.step(slot)
    assert table.text() == TEXT


TEXT = """Play Nine, turn 3: player 0 has to place the card in hand (3.2).
player 0 (21 points open, 0 before): 9 12 ? ? / ? ? ? ?
player 1 (18 points open, 0 before): ? ? 8 10 / ? ? ? ?
Discard pile: 7. In hand: 12 from the stock. Stock: 90 cards.
Legal moves: a1, b1, c1, d1, a2, b2, c2, d2, discard_drawn"""


@pytest.mark.parametrize("setup", [{"game": "nine_card", "seats": 3}, {"game": "four_card", "whole_match": True}])
def test_the_text_has_the_legal_moves_and_they_can_be_read(setup):
    table, chance, over = Table(Setup(**setup)), np.random.default_rng(2), False
    table.reset(2)
    while not over:
        moves = [table.read_move(name) for name in legal_in(table.text())]
        assert moves == np.flatnonzero(table.mask).tolist()
        assert moves == [table.read_move(f" {name.upper()} ") for name in legal_in(table.text())]
        moved = table.step(chance.choice(moves))
        over = moved.terminated or moved.truncated
    points = [int(table.state.players[seat].points) for seat in range(table.setup.seats)]
    for seat, player in enumerate(table.seated):
        told = f"player {player} ({points[seat]} points in the hole, {table.match.totals[player]} in all"
        assert told in table.text()
    assert "Legal moves" not in table.text()


def test_points_of_a_hole_that_was_cut_short_count_as_well():
    table = Table(Setup("play_nine", turn_limit=1))
    table.reset(1)
    while not table.step(int(np.flatnonzero(table.mask)[0])).truncated:
        pass
    points = int(table.state.players[0].points)
    assert f"({points} points in the hole, {points} in all)" in table.text()


@pytest.mark.parametrize("text", ["z9", "", "take the stock", "1", "a1 b1", "x" * 10_000, "[stock"])
def test_any_other_text_gets_one_sentence(text):
    table = Table(Setup("play_nine"))
    table.reset(1)
    with pytest.raises(ValueError, match=r"^Player \d played “.{0,40}”, but the legal moves are a1, b1, .*, d2\.$"):
        table.read_move(text)


@pytest.mark.parametrize(
    ("setup", "players"),
    [
        ({"game": "nine_card"}, 2),
        ({"game": "six_card", "opponents": ["greedy", None]}, 2),
        ({"game": "play_nine", "opponents": ["greedy"], "reward": "points"}, 1),
        ({"game": "four_card", "whole_match": True}, 3),
    ],
)
def test_textarena_plays_the_game_of_the_table(setup, players):
    env, chance = text_arena.TextGolfEnv(**setup), np.random.default_rng(3)
    env.reset(num_players=players, seed=5)
    table = Table(Setup(**{"seats": players} | setup if "opponents" not in setup else setup))
    table.reset(5)
    learners, earned, done = [], np.zeros(table.setup.seats), False
    while not done:
        number, told = env.get_observation()
        assert told[-1][1] == table.text()
        learners = sorted({*learners, table.player})
        assert env._players[number] == table.player
        name = chance.choice(legal_in(told[-1][1]))
        done, _ = env.step(f"Not [a1] or that, but [{name.upper()}]")
        moved = table.step(table.read_move(name))
        earned += table.rewards
        assert done == (moved.terminated or moved.truncated)
    rewards, _ = env.close()
    assert rewards == {number: earned[player] for number, player in enumerate(learners)}
    assert len(learners) == players


def test_each_player_gets_the_rules_once_and_then_their_own_positions():
    env = text_arena.TextGolfEnv("six_card", house_rules={"jokers": -5})
    env.reset(num_players=2, seed=1)
    seen = {0: [], 1: []}
    for _ in range(6):
        number, told = env.get_observation()
        seen[number] += [text for sender, text, _ in told if sender == -1]
        env.step(legal_in(told[-1][1])[0])
    for number, (prompt, *positions) in seen.items():
        assert prompt.startswith(f"You are player {number} of 2")
        assert "### 5.1" in prompt
        assert "−5" in prompt
        assert all(f"player {number} has to" in position for position in positions)


def test_an_illegal_text_may_be_repeated_once():
    env = text_arena.TextGolfEnv("play_nine")
    env.reset(num_players=2, seed=1)
    number, _ = env.get_observation()
    assert env.step("[z9]")[0] is False
    again, told = env.get_observation()
    assert again == number
    assert "played “z9”, but the legal moves are" in told[-1][1]
    assert env.step("[a1]")[0] is False
    number, _ = env.get_observation()
    env.step("[z9]")
    assert env.step("[z9]")[0] is True
    rewards, info = env.close()
    assert rewards == {one: ILLEGAL * (one == number) for one in range(2)}
    assert info[number]["invalid_move"]


def test_every_game_is_registered_and_a_variant_file_can_be_played():
    for game in shipped.games():
        env = text_arena.textarena.make(f"Mulligan-{game}-v0")
        env.reset(num_players=3, seed=1)
        assert "Legal moves: a1" in str(env.get_observation()[1])
    env = text_arena.TextGolfEnv(MINI)
    env.reset(num_players=2)
    assert env.get_observation()[1][0][1].endswith("\nbegin")


def test_a_wrong_number_of_players_gets_one_sentence():
    with pytest.raises(ValueError, match="This setup has 1 learners, not 2"):
        text_arena.TextGolfEnv("play_nine", opponents=["greedy"]).reset(num_players=2)
    with pytest.raises(ValueError, match="is for 2 to 6 players, not 7"):
        text_arena.TextGolfEnv("play_nine").reset(num_players=7)
