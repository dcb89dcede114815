"""Many tables for PufferLib, played in place (docs/environments.md)."""

from collections.abc import Mapping
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from mulligan.engine.chance import many_dice
from mulligan.engine.state import MOVES

from .game_logs import GameLogs
from .learning_table import Table
from .many import Results, Shown, move_all, moves_in, start_some
from .missing import missing
from .playing import TABLE
from .setup import Setup, check_one_learner

try:
    import pufferlib
    from gymnasium.spaces import Box, Discrete
except ImportError:
    raise missing("PufferLib", "pufferlib-core") from None


class PufferGolfEnv(pufferlib.PufferEnv):
    """One learner at each of many tables; a row of each array is a table.

    tables: how many. buf: the arrays to write to, as PufferLib passes them. setup: what is played, see `Setup`.

    PufferLib knows no masks of moves, so the observation ends with it: int16 of shape `(layout.size + 16,)`. Where a
    game ends, `step` starts the next one. Raises ValueError unless every seat but the learner's has an opponent.
    """

    def __init__(
        self,
        game: str,
        tables: int = 1024,
        *,
        render_mode: str | None = None,
        buf: Mapping[str, np.ndarray] | None = None,
        seed: int | None = None,
        **setup: Any,
    ) -> None:
        self.setup = Setup(game, **setup)
        self.render_mode = render_mode
        check_one_learner(self.setup, "PufferLib")
        layout = self.setup.layout
        low, high = np.append(layout.low, [0] * MOVES), np.append(layout.high, [1] * MOVES)
        self.single_observation_space = Box(low.astype(np.int16), high.astype(np.int16), dtype=np.int16)
        self.single_action_space = Discrete(MOVES)
        self.num_agents = tables
        super().__init__(buf)
        self._tables, self._dice = np.zeros(tables, TABLE), many_dice(seed, tables)
        self._shown = Shown(
            self.observations[:, : layout.size],
            self.observations[:, layout.size :],
            np.zeros((tables, self.setup.seats)),
            np.zeros(tables, np.int64),
            np.zeros(tables, bool),
        )
        self._results = Results(self.rewards, self.terminals, self.truncations)
        self._games = GameLogs(self.setup, tables)
        self._none, self._all = np.zeros(tables, bool), np.ones(tables, bool)
        self._returns = np.zeros(tables)

    def reset(self, seed: int | None = None) -> tuple[np.ndarray, list[dict[str, float]]]:
        """Starts a game at every table; with a seed, with new dice."""
        if seed is not None:
            self._dice = many_dice(seed, self.num_agents)
        for array in (self.rewards, self.terminals, self.truncations, self._returns):
            array[:] = 0
        self._start(self._all)
        return self.observations, []

    def step(self, actions: ArrayLike) -> tuple[np.ndarray, np.ndarray, np.ndarray, np.ndarray, list[dict[str, float]]]:
        """Plays a move at each table. Returns the arrays, and the mean return of the games that ended, if any did."""
        moves = moves_in(actions, self.num_agents)
        told, log = self.setup.told, self._games.log
        move_all(*told, self._tables, self._dice, moves, self._none, self._shown, self._results, log)
        self._returns += self.rewards
        over, infos = self.terminals | self.truncations, []
        if over.any():
            self._games.end(self._tables, over)
            infos = [{"episode_return": float(self._returns[over].mean())}]
            self._returns[over] = 0
            self._start(over)
        return self.observations, self.rewards, self.terminals, self.truncations, infos

    def _start(self, chosen: np.ndarray) -> None:
        start_some(*self.setup.told, self._tables, self._dice, chosen, self._shown, self._games.log)

    def record(self, table: int) -> dict[str, Any]:
        """See `Table.record`: of the game that ended last at a table, also where the next one has begun."""
        return self._games.record(table)

    def render(self) -> Any:
        """Returns the first table as `render_mode` says."""
        from . import picture

        return picture.render(Table(self.setup, self._tables[:1]), self.render_mode)

    def close(self) -> None:
        """There is nothing to close."""
