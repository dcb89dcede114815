"""Holes under OpenSpiel: its own checks pass, and the hole is that of the engine."""

import pickle
import random
import re
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

from mulligan.engine.chance import bag
from mulligan.envs.setup import Setup
from mulligan.game import variants
from mulligan.game.hole import Hole
from mulligan.study.exact_response import exact_value

pyspiel = pytest.importorskip("pyspiel", reason="needs pip install '.[envs]'")

from absl import flags  # noqa: E402
from open_spiel.python.algorithms import generate_playthrough, mcts  # noqa: E402
from open_spiel.python.algorithms.minimax import expectiminimax  # noqa: E402
from open_spiel.python.observation import make_observation  # noqa: E402

import mulligan.envs  # noqa: E402, F401

pytestmark = pytest.mark.long
EXAMPLES = Path(__file__).parents[2] / "docs/examples"
GAMES = [f"mulligan_{game}" for game in variants.games()]
THEIR_CHECKS = """
import sys, mulligan.envs
from absl import flags
from absl.testing import absltest
from open_spiel.integration_tests import api_test
flags.FLAGS([sys.argv[0], "--test_only_games=mulligan_(play_nine|nine_card_square|twelve_card)$"])
absltest.main(module=api_test, argv=sys.argv[:1])
"""


def play_randomly(game, seed):
    """Plays a hole; returns its states before each action, the actions, and the last state."""
    chance, state, seen = random.Random(seed), game.new_initial_state(), []
    while not state.is_terminal():
        outcomes = state.chance_outcomes() if state.is_chance_node() else [(move, 1) for move in state.legal_actions()]
        action = chance.choices(*zip(*outcomes, strict=True))[0]
        seen.append((state.clone(), action))
        state.apply_action(action)
    return seen, state


def test_the_checks_of_the_interface_pass():
    done = subprocess.run([sys.executable, "-c", THEIR_CHECKS], capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    assert "Ran 15 tests" in done.stderr


@pytest.mark.parametrize("game", GAMES)
def test_random_play_and_serialising_pass_their_checks(game):
    pyspiel.random_sim_test(pyspiel.load_game(game), num_sims=2, serialize=True, verbose=False)


@pytest.mark.parametrize(
    "name",
    [
        "mulligan_play_nine(players=6,turn_limit=2)",
        "mulligan_six_card(players=3,reward=points,house_rules=jokers:-5;knock:any)",
        "mulligan_nine_card(players=4,reward=match)",
        "mulligan(game=tests/variants/mini_rows.toml)",
        "mulligan(game=tests/variants/largest.toml,players=1)",
    ],
)
def test_so_do_other_numbers_of_players_rewards_house_rules_and_variant_files(name):
    game = pyspiel.load_game(name)
    pyspiel.random_sim_test(game, num_sims=10, serialize=True, verbose=False)


def test_their_playthrough_can_be_written_and_repeated(tmp_path):
    told = generate_playthrough.playthrough("mulligan_four_card(players=3)", None, seed=1)
    assert "PERFECT_INFORMATION" in told
    (tmp_path / "hole.txt").write_text(told)
    flags.FLAGS.mark_as_parsed()  # `replay` asks for the options of a program
    original, again = generate_playthrough.replay(str(tmp_path / "hole.txt"))
    assert again == original


@pytest.mark.parametrize("game", variants.games())
def test_with_any_number_of_players_it_is_the_hole_of_the_engine(game):
    for players in variants.load(game).seats:
        seen, end = play_randomly(pyspiel.load_game(f"mulligan_{game}(players={players},reward=points)"), players)
        hole = Hole(variants.for_seats(variants.load(game), players), players, dealer=seen[0][1])
        for state, action in seen[1:]:
            if state.is_chance_node():
                hole.turn_up(action)
            else:
                assert state.current_player() == hole.turn
                assert state.legal_actions() == hole.legal_moves()
                hole.play(action)
        assert hole.is_over
        assert end.returns() == [-points for points in hole.points]


@pytest.mark.parametrize("game", variants.games())
def test_every_card_is_as_likely_as_the_engine_says(game):
    seen, _ = play_randomly(pyspiel.load_game(f"mulligan_{game}"), 3)
    for state, _ in seen[1:]:
        if state.is_chance_node():
            counts = bag(state.table.state).astype(float)
            told = dict(state.chance_outcomes())
            assert told == pytest.approx({face: n / counts.sum() for face, n in enumerate(counts) if n})
            assert sum(told.values()) == pytest.approx(1)


def test_the_observation_is_that_of_all_environments():
    game = pyspiel.load_game("mulligan_nine_card(players=3)")
    observer = make_observation(game)
    layout = Setup("nine_card", seats=3).layout
    for state, _ in play_randomly(game, 5)[0][1:]:
        for player in range(3):
            observer.set_from(state, player)
            assert observer.tensor.tolist() == state.observation_tensor(player)
            seen = state.table.observe(player)[0]
            assert observer.tensor.tolist() == seen.tolist()
            assert observer.dict.keys() == layout.parts.keys()
            assert np.array_equal(observer.dict["layouts"], layout.named(seen)["layouts"])


def test_every_move_and_every_card_has_a_name():
    game = pyspiel.load_game("mulligan_play_nine")
    for state, action in play_randomly(game, 1)[0]:
        player = state.current_player()
        names = [state.action_to_string(player, move) for move in state.legal_actions()]
        assert len(set(names)) == len(names)
        assert state.action_to_string(player, action) in names


@pytest.mark.parametrize(
    ("parameters", "sentence"),
    [
        ("players=9", "is for 2 to 8 players, not 9."),
        ("house_rules=knock", "“knock” is not an option with its value; write it as jokers:-5."),
        ("house_rules=jokers:7", "jokers"),
        ("reward=money", "There is no reward “money”"),
    ],
)
def test_a_wrong_parameter_gets_one_sentence(parameters, sentence):
    with pytest.raises(ValueError, match=sentence):
        pyspiel.load_game(f"mulligan_six_card({parameters})")


def test_what_cannot_be_played_is_refused():
    state = pyspiel.load_game("mulligan_play_nine").new_initial_state()
    state.apply_action(0)
    state.apply_action(3)
    with pytest.raises(ValueError, match="possible are"):
        state.apply_action(13)


def test_their_search_plays_it():
    game = pyspiel.load_game("mulligan_four_card")
    chance = np.random.RandomState(1)
    bot = mcts.MCTSBot(game, 2, 20, mcts.RandomRolloutEvaluator(1, chance), random_state=chance)
    decisions = [state for state, _ in play_randomly(game, 2)[0] if not state.is_chance_node()]
    for state in decisions[::5]:
        assert bot.step(state) in state.legal_actions()


def test_a_position_seen_is_the_whole_position():
    for state, _ in play_randomly(pyspiel.load_game("mulligan_play_nine"), 4)[0][1::10]:
        assert str(state.resample_from_infostate(0, random.random)) == str(state)


def test_the_text_of_a_position_is_the_whole_position():
    """Their expectimax finds the same value if it looks up by their text the positions it knows already."""
    tiny, turns, values = str(EXAMPLES / "tiny.toml"), 2, {}

    def value(state):
        text = str(state)
        if text not in values:
            values[text] = expectiminimax(state, 1, value, maximizing_player_id=0)[0]
        return values[text]

    start = pyspiel.load_game(f"mulligan(game={tiny},turn_limit={turns})").new_initial_state()
    start.apply_action(0)
    assert value(start) == pytest.approx(exact_value(variants.load(tiny), turns))


def test_games_and_positions_can_be_pickled():
    game = pyspiel.load_game("mulligan_ten_card(players=3,house_rules=jokers:-5)")
    assert str(pickle.loads(pickle.dumps(game))) == str(game)
    for state, action in play_randomly(game, 6)[0][::10]:
        copy = pickle.loads(pickle.dumps(state))
        copy.apply_action(action)
        state.apply_action(action)
        assert str(copy) == str(state)


@pytest.mark.parametrize("name", ["a,b", "a=b", "a(b)", "100% ours, really", "é;ü"])
def test_a_variant_of_your_own_opens_from_any_folder_whatever_its_name(name, tmp_path, monkeypatch):
    """OpenSpiel keeps commas, equals signs and parentheses for itself."""
    monkeypatch.chdir(tmp_path)
    Path(f"{name}.toml").write_text(variants.load("four_card").text, encoding="utf-8")
    game = pyspiel.load_game("mulligan", {"game": f"./{name}.toml"})
    state = game.new_initial_state()
    state.apply_action(0)
    kept, written = pickle.dumps([game, state]), pyspiel.serialize_game_and_state(game, state)
    monkeypatch.chdir("/")
    again, position = pickle.loads(kept)
    assert [str(one) for one in (again, position, pyspiel.load_game(str(game)))] == [str(game), str(state), str(game)]
    assert str(pyspiel.deserialize_game_and_state(written)[1]) == str(state)


def test_their_expectimax_finds_the_value_of_our_solver():
    done = subprocess.run([sys.executable, str(EXAMPLES / "expectimax.py")], capture_output=True, text=True, check=True)
    theirs, ours = re.findall(r"-?\d+\.\d+", done.stdout)
    assert theirs == ours
    assert abs(float(ours)) > 0.1
