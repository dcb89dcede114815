"""The games for PettingZoo: `raw_env`, and in PettingZoo's wrappers `env` and `parallel_env` (docs/environments.md)."""

from typing import Any

import numpy as np

from mulligan.engine.state import MOVES
from mulligan.game import shipped
from mulligan.simulation import LEARNER

from .learning_table import Table, move_in
from .missing import missing
from .setup import Setup

try:
    import pettingzoo
    from gymnasium.spaces import Box, Dict, Space
    from pettingzoo.utils import wrappers
    from pettingzoo.utils.conversions import turn_based_aec_to_parallel
except ImportError:
    raise missing("PettingZoo") from None

from .spaces import action_space, check_render_mode, observation_space

RENDER_MODES = ["human", "ansi", "rgb_array"]


def register() -> None:
    """Tells PettingZoo of every game, as `mulligan/NAME-v0` in turns ("aec") and in parallel."""
    for game in shipped.games():
        for kind, entry in (("aec", "env"), ("parallel", "parallel_env")):
            pettingzoo.register(kind, f"mulligan/{game}-v0", f"mulligan.envs.aec:{entry}", kwargs={"game": game})


def env(game: str, **told: Any) -> pettingzoo.AECEnv:
    """Returns a `raw_env` in the wrappers that check the moves and the order of calls.

    The wrapper that ends a game after an illegal move is not needed: `raw_env` does so.
    """
    return wrappers.OrderEnforcingWrapper(ArrayOfOne(wrappers.AssertOutOfBoundsWrapper(raw_env(game, **told))))


def parallel_env(game: str, **told: Any) -> pettingzoo.ParallelEnv:
    """Returns an `env` to which everyone gives a move in each step; the one of the player to move is made."""
    return turn_based_aec_to_parallel(env(game, **told))


class ArrayOfOne(wrappers.BaseWrapper):
    """Takes moves as `move_in` does, of which the wrapper inside refuses some."""

    def step(self, action: Any) -> None:
        super().step(None if action is None else move_in(action))


class raw_env(pettingzoo.AECEnv):  # noqa: N801  as PettingZoo names it
    """A game in turns, in which the learners are the agents.

    named: whether an observation is a dict of named arrays instead of a flat one.
    render_mode: "human" prints the table after each move, "ansi" and "rgb_array" return it.
    setup: what is played, see `Setup`.

    All agents stay until the game is over, also those who are not in a play-off. The info of an agent has their
    `action_mask`, and after an illegal move of theirs `illegal`, true. A copy, or a pickled one, goes on with the same
    cards.
    Raises ValueError for anything that the game or the package does not have.
    """

    def __init__(self, game: str, *, named: bool = False, render_mode: str | None = None, **setup: Any) -> None:
        super().__init__()
        check_render_mode(render_mode, RENDER_MODES)
        self.table = Table(Setup(game, **setup))
        self.named = named
        self.render_mode = render_mode
        chairs, layout = self.table.setup.chairs.tolist(), self.table.setup.layout
        self._player_of = {f"player_{player}": player for player, chair in enumerate(chairs) if chair == LEARNER}
        self._agent_of = {player: agent for agent, player in self._player_of.items()}
        self.possible_agents = list(self._player_of)
        self.agents: list[str] = []
        self.metadata = {
            "name": f"mulligan/{self.table.setup.variant.name}-v0",
            "render_modes": RENDER_MODES,
            "render_fps": 2,
            "is_parallelizable": True,
        }
        self._observation_spaces = {agent: self._space() for agent in self.possible_agents}
        self._action_spaces = {agent: action_space() for agent in self.possible_agents}
        self.state_space = observation_space(layout, named=False)

    def _space(self) -> Space:
        seen = observation_space(self.table.setup.layout, self.named)
        return Dict({"observation": seen, "action_mask": Box(0, 1, (MOVES,), np.int8)})

    def observation_space(self, agent: str) -> Space:
        return self._observation_spaces[agent]

    def action_space(self, agent: str) -> Space:
        return self._action_spaces[agent]

    def reset(self, seed: int | None = None, options: dict[str, Any] | None = None) -> None:
        """Starts a game; with a seed, with new dice. There are no options."""
        self.table.reset(seed)
        self.agents = self.possible_agents.copy()
        self.rewards = dict.fromkeys(self.agents, 0.0)
        self._cumulative_rewards = dict.fromkeys(self.agents, 0.0)
        self.terminations = dict.fromkeys(self.agents, False)
        self.truncations = dict.fromkeys(self.agents, False)
        self.infos: dict[str, dict[str, Any]] = {agent: no_moves() for agent in self.agents}
        self._skip_agent_selection = None
        self.agent_selection = self._agent_of[self.table.player]
        self.infos[self.agent_selection] = {"action_mask": self.table.mask}
        if self.render_mode == "human":
            self.render()

    def step(self, action: Any) -> None:
        """Plays a move of the agent whose turn it is; an illegal one ends the game. Then everyone steps None."""
        agent = self.agent_selection
        if self.terminations[agent] or self.truncations[agent]:
            self._was_dead_step(action)
            return
        self._cumulative_rewards[agent] = 0.0
        moved = self.table.step(action)
        earned = self.table.records["rewards"].tolist()[0]  # faster than `table.rewards`
        if any(earned) or any(self.rewards.values()):
            for other, player in self._player_of.items():
                self.rewards[other] = earned[player]
                self._cumulative_rewards[other] += earned[player]
        self.agent_selection = self._agent_of[moved.player]
        self.infos[agent] = no_moves()
        self.infos[self.agent_selection] = {"action_mask": self.table.mask}
        if moved.terminated or moved.truncated:
            self.terminations = dict.fromkeys(self.agents, moved.terminated)
            self.truncations = dict.fromkeys(self.agents, moved.truncated)
            if moved.illegal:
                self.infos[agent]["illegal"] = True
            self._deads_step_first()
        if self.render_mode == "human":
            self.render()

    def observe(self, agent: str) -> dict[str, Any]:
        """Returns what the agent sees, and the mask of their legal moves (0 if it is not their turn)."""
        seen, mask = self.table.observe(self._player_of[agent])
        return {"observation": self.table.setup.layout.named(seen) if self.named else seen, "action_mask": mask}

    def record(self) -> dict[str, Any]:
        """See `Table.record`."""
        return self.table.record()

    def state(self) -> np.ndarray:
        """Returns what player 0 sees, which is all there is to see: the flat observation."""
        return self.table.observe(0)[0]

    def render(self) -> Any:
        from . import picture

        if self.render_mode == "human":
            return print(picture.text(self.table))
        return picture.render(self.table, self.render_mode)

    def close(self) -> None:
        """There is nothing to close."""


def no_moves() -> dict[str, Any]:
    """The info of an agent whose turn it is not."""
    return {"action_mask": np.zeros(MOVES, np.int8)}
