"""An agent from outside plays through every interface, and sees the same games."""

import numpy as np
import pytest

from mulligan.engine.state import STOCK, Phase
from mulligan.envs.learning_table import Table
from mulligan.envs.setup import Setup

gymnasium = pytest.importorskip("gymnasium", reason="needs pip install '.[envs]'")
pettingzoo = pytest.importorskip("pettingzoo", reason="needs pip install '.[envs]'")
pyspiel = pytest.importorskip("pyspiel", reason="needs pip install '.[envs]'")

import mulligan.envs  # noqa: E402, F401

pytestmark = pytest.mark.long
GAMES = [("play_nine", 2), ("nine_card_square", 3), ("twelve_card", 2), ("four_card", 4)]
SEEDS = range(3)


class Agent:
    """Chooses by what it sees alone, and keeps everything."""

    def __init__(self):
        self.kept = []

    def choose(self, player, seen, mask):
        seen, legal = [int(number) for number in seen], [int(move) for move in np.flatnonzero(mask)]
        move = legal[sum(place * number for place, number in enumerate(seen)) % len(legal)]
        self.kept.append((int(player), seen, legal, move))
        return move

    def earn(self, rewards):
        self.kept.append([round(float(reward), 9) for reward in rewards])
        return self.kept


def at_a_table(game, seats, seed):
    agent, table = Agent(), Table(Setup(game, seats=seats))
    table.reset(seed)
    over = False
    while not over:
        moved = table.step(agent.choose(table.player, *table.observe(table.player)))
        over = moved.terminated or moved.truncated
    return agent.earn(table.rewards)


def in_gymnasium(game, seats, seed):
    agent, env = Agent(), gymnasium.make(f"mulligan/{game}-v0", seats=seats)
    seen, info = env.reset(seed=seed)
    over = False
    while not over:
        seen, _, terminated, truncated, info = env.step(agent.choose(info["player"], seen, info["action_mask"]))
        over = terminated or truncated
    return agent.earn(info["rewards"])


def among_many_tables(game, seats, seed):
    """The agent plays at the last of three tables."""
    agent, tables = Agent(), gymnasium.make_vec(f"mulligan/{game}-v0", 3, seats=seats)
    seen, info = tables.reset(seed=[None, None, seed])
    over = False
    while not over:
        moves = info["action_mask"].argmax(1)
        moves[2] = agent.choose(info["player"][2], seen[2], info["action_mask"][2])
        seen, _, terminated, truncated, info = tables.step(moves)
        over = terminated[2] or truncated[2]
    return agent.earn(info["rewards"][2])


def in_pettingzoo(game, seats, seed):
    agent, env = Agent(), pettingzoo.make("aec", f"mulligan/{game}-v0", seats=seats)
    env.reset(seed=seed)
    earned = dict.fromkeys(env.possible_agents, 0.0)
    for name in env.agent_iter():
        seen, reward, terminated, truncated, _ = env.last()
        earned[name] += reward
        over = terminated or truncated
        player = env.possible_agents.index(name)
        env.step(None if over else agent.choose(player, seen["observation"], seen["action_mask"]))
    return agent.earn(earned.values())


def in_parallel(game, seats, seed):
    agent, env = Agent(), pettingzoo.make("parallel", f"mulligan/{game}-v0", seats=seats)
    seen, _ = env.reset(seed=seed)
    earned = dict.fromkeys(env.possible_agents, 0.0)
    while env.agents:
        on_turn = next(name for name in env.agents if seen[name]["action_mask"].any())
        player = env.possible_agents.index(on_turn)
        move = agent.choose(player, seen[on_turn]["observation"], seen[on_turn]["action_mask"])
        seen, rewards, _, _, _ = env.step(dict.fromkeys(env.agents, move))
        for name, reward in rewards.items():
            earned[name] += reward
    return agent.earn(earned.values())


def in_openspiel(game, seats, seed):
    """Chance deals the cards of a table with that seed."""
    agent, table = Agent(), Table(Setup(game, seats=seats))
    table.reset(seed)
    state = pyspiel.load_game(f"mulligan_{game}(players={seats})").new_initial_state()
    while not state.is_terminal():
        if state.is_chance_node():
            state.apply_action(card_shown(state.table.state, table) if state.dealt else int(table.match.dealer))
        else:
            player = state.current_player()
            mask = np.zeros(16, bool)
            mask[state.legal_actions()] = True
            move = agent.choose(player, state.observation_tensor(player), mask)
            table.step(move)
            state.apply_action(move)
    return agent.earn(state.returns())


def card_shown(awaiting, table):
    """The card that the table showed where this position waits for it."""
    if awaiting.awaited != STOCK and awaiting.phase != Phase.PLACE:
        return int(table.state.players[awaiting.turn].layout[awaiting.awaited])
    return int(table.state.held if awaiting.phase == Phase.TAKE else table.state.discard)


@pytest.mark.parametrize("interface", [in_gymnasium, among_many_tables, in_pettingzoo, in_parallel, in_openspiel])
@pytest.mark.parametrize(("game", "seats"), GAMES)
def test_an_agent_sees_the_same_games_in(interface, game, seats):
    for seed in SEEDS:
        assert interface(game, seats, seed) == at_a_table(game, seats, seed)


def end_of_table():
    table, moved = Table(Setup("six_card", seats=3, turn_limit=2)), None
    table.reset(1)
    while not (moved and (moved.terminated or moved.truncated)):
        moved = table.step(np.flatnonzero(table.observe(table.player)[1])[0])
    return table, table.rewards, (moved.terminated, moved.truncated)


def end_in_gymnasium():
    env = gymnasium.make("mulligan/six_card-v0", seats=3, turn_limit=2)
    _, info = env.reset(seed=1)
    over = (False, False)
    while not any(over):
        _, _, *over, info = env.step(info["action_mask"].argmax())
    return env.unwrapped.table, info["rewards"], tuple(over)


def end_among_many_tables():
    tables = gymnasium.make_vec("mulligan/six_card-v0", 2, seats=3, turn_limit=2)
    _, info = tables.reset(seed=1)
    over = (False, False)
    while not any(over):
        _, _, terminated, truncated, info = tables.step(info["action_mask"].argmax(1))
        over = bool(terminated[0]), bool(truncated[0])
    return Table(tables.setup, tables._tables[:1]), info["rewards"][0], over


def end_in_pettingzoo():
    env = pettingzoo.make("aec", "mulligan/six_card-v0", seats=3, turn_limit=2)
    env.reset(seed=1)
    while not (any(env.terminations.values()) or any(env.truncations.values())):
        env.step(env.observe(env.agent_selection)["action_mask"].argmax())
    ends = {(env.terminations[agent], env.truncations[agent]) for agent in env.agents}
    return env.unwrapped.table, [env.rewards[f"player_{player}"] for player in range(3)], *ends


def end_in_openspiel():
    state = pyspiel.load_game("mulligan_six_card(players=3,turn_limit=2)").new_initial_state()
    while not state.is_terminal():
        state.apply_action(state.chance_outcomes()[0][0] if state.is_chance_node() else state.legal_actions()[0])
    return state.table, state.returns(), (False, True)  # OpenSpiel tells no difference


ENDS = [end_of_table, end_in_gymnasium, end_among_many_tables, end_in_pettingzoo, end_in_openspiel]


@pytest.mark.parametrize("end", ENDS)
def test_a_hole_that_nobody_closes_is_truncated_and_paid_in_full(end):
    table, earned, over = end()
    assert table.state.phase == Phase.OVER
    assert over == (False, True)
    points = {player: int(table.state.players[seat].points) for seat, player in enumerate(table.seated)}
    field = [(sum(points.values()) - points[player]) / 2 - points[player] for player in range(3)]
    assert list(earned) == pytest.approx(field)
    assert any(field)


ONES = [0, np.int64(0), np.int8(0), np.array(0), np.array([0]), np.array([[0]])]
NONE = [0.0, "0", [0, 1], np.array([0.0]), np.array([0, 1]), np.bool_(True)]


def golf_env():
    env = gymnasium.make("mulligan/play_nine-v0")
    env.reset(seed=1)
    return env.step


def zoo(kind):
    env = pettingzoo.make(kind, "mulligan/play_nine-v0")
    env.reset(seed=1)
    return env.step if kind == "aec" else lambda move: env.step(dict.fromkeys(env.agents, move))


def raw_zoo():
    env = pettingzoo.make("aec", "mulligan/play_nine-v0").unwrapped
    env.reset(seed=1)
    return env.step


def one_of_many():
    env = gymnasium.make_vec("mulligan/play_nine-v0", 1)
    env.reset(seed=1)
    return lambda move: env.step(np.array([move]) if np.ndim(move) == 0 else move)


STEPS = {"gymnasium": golf_env, "many": one_of_many, "aec": lambda: zoo("aec"), "raw": raw_zoo}
STEPS["parallel"] = lambda: zoo("parallel")


@pytest.mark.parametrize("interface", STEPS)
def test_a_move_is_a_whole_number_of_any_kind_or_an_array_of_one(interface):
    for move in ONES:
        STEPS[interface]()(move)
    for wrong in NONE:
        with pytest.raises(ValueError, match=r"whole number|one move for each"):
            STEPS[interface]()(wrong)
