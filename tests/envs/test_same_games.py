"""An agent from outside plays through every interface, and sees the same games."""

import numpy as np
import pytest

from mulligan.engine.state import STOCK, Phase
from mulligan.envs.setup import Setup
from mulligan.envs.table import Table

gymnasium = pytest.importorskip("gymnasium", reason="needs pip install 'mulligan[envs]'")
pettingzoo = pytest.importorskip("pettingzoo", reason="needs pip install 'mulligan[envs]'")
pyspiel = pytest.importorskip("pyspiel", reason="needs pip install 'mulligan[envs]'")

import mulligan.envs  # noqa: E402, F401

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
