"""Thousands of tables for Gymnasium, played by compiled code (docs/environments.md)."""

from collections.abc import Sequence
from typing import Any

import numpy as np
from gymnasium.error import ResetNeeded
from gymnasium.vector import AutoresetMode, VectorEnv
from gymnasium.vector.utils import batch_space

from mulligan.engine.chance import many_dice

from .game_logs import GameLogs
from .learning_table import Table
from .many import Results, Shown, move_all, moves_in, new_results, new_shown, start_some
from .playing import TABLE
from .setup import Setup
from .single import RENDER_MODES, GolfEnv
from .spaces import action_space, check_render_mode, observation_space


class VectorGolfEnv(VectorEnv[Any, np.ndarray, np.ndarray]):
    """Many tables, step by step the same as a `SyncVectorEnv` of `GolfEnv`.

    copy: whether each step returns new arrays. If not, it overwrites those of the step before.
    named, setup: as in `GolfEnv`.
    """

    metadata = GolfEnv.metadata

    def __init__(
        self,
        num_envs: int,
        game: str,
        *,
        named: bool = False,
        render_mode: str | None = None,
        autoreset_mode: AutoresetMode | str = AutoresetMode.NEXT_STEP,
        copy: bool = True,
        **setup: Any,
    ) -> None:
        check_render_mode(render_mode, RENDER_MODES)
        self.setup = Setup(game, **setup)
        self.num_envs, self.named, self.render_mode, self.copy = num_envs, named, render_mode, copy
        self.autoreset_mode = AutoresetMode(autoreset_mode)
        self.metadata = {**self.metadata, "autoreset_mode": self.autoreset_mode}
        self.single_observation_space = observation_space(self.setup.layout, named)
        self.single_action_space = action_space()
        self.observation_space = batch_space(self.single_observation_space, num_envs)
        self.action_space = batch_space(self.single_action_space, num_envs)
        self._tables = np.zeros(num_envs, TABLE)
        self._dice = many_dice(None, num_envs)
        self._shown = new_shown(num_envs, self.setup.layout.size, self.setup.seats)
        self._results = new_results(num_envs)
        self._games = GameLogs(self.setup, num_envs)
        self._all = np.ones(num_envs, bool)
        self._over = self._all

    def reset(
        self, *, seed: int | Sequence[int | None] | None = None, options: dict[str, Any] | None = None
    ) -> tuple[Any, dict[str, Any]]:
        """Starts a game at every table, or where the bool array `options["reset_mask"]` is true.

        Table i gets `seed + i`, or the i-th of a list of seeds. Raises ValueError for wrong shapes.
        """
        super().reset(seed=seed if isinstance(seed, int) else None)
        chosen = self._chosen(options)
        self._roll(seed, chosen)
        self._over = self._over & ~chosen
        self._shown = Shown(*(array.copy() for array in self._shown))
        start_some(*self._told(), chosen, self._shown, self._games.log)
        return self._observations(), self._info(chosen)

    def step(self, actions: np.ndarray) -> tuple[Any, np.ndarray, np.ndarray, np.ndarray, dict[str, Any]]:
        """Plays a move at every table. Where the game ended, `autoreset_mode` says when the next one starts.

        Raises ValueError for wrong moves (see `moves_in`), and ResetNeeded where it is up to the caller to start games.
        """
        moves = moves_in(actions, self.num_envs)
        if self._over.any() and self.autoreset_mode != AutoresetMode.NEXT_STEP:
            raise ResetNeeded('Some games are over: call reset(options={"reset_mask": …}) before the next step.')
        if self.copy:
            self._shown = Shown(*map(np.empty_like, self._shown))
            self._results = Results(*map(np.empty_like, self._results))
        move_all(*self._told(), moves, self._over, self._shown, self._results, self._games.log)
        rewards, terminated, truncated = self._results
        self._over = terminated | truncated
        self._games.end(self._tables, self._over)
        final = {}
        if self.autoreset_mode == AutoresetMode.SAME_STEP and self._over.any():
            final = self._start_over()
        return self._observations(), rewards, terminated, truncated, {**self._info(self._all), **final}

    def _start_over(self) -> dict[str, Any]:
        """Starts a game where one ended, and returns what the ended ones looked like."""
        over, self._over = self._over, ~self._all
        last = np.full(self.num_envs, None, object)
        for place in np.flatnonzero(over):
            seen = self._shown.seen[place].copy()
            last[place] = self.setup.layout.named(seen) if self.named else seen
        final = {"final_obs": last, "_final_obs": over, "final_info": self._info(over), "_final_info": over}
        start_some(*self._told(), over, self._shown, self._games.log)
        return final

    def record(self, table: int) -> dict[str, Any]:
        """See `Table.record`: of the game that ended last at a table, also where the next one has begun."""
        return self._games.record(table)

    def render(self) -> tuple[Any, ...] | None:
        """Returns a picture, or a text, of each table."""
        if self.render_mode is None:
            return None
        from .picture import render

        tables = (Table(self.setup, self._tables[place : place + 1]) for place in range(self.num_envs))
        return tuple(render(table, self.render_mode) for table in tables)

    def _chosen(self, options: dict[str, Any] | None) -> np.ndarray:
        """Raises ValueError for a mask of another shape or type."""
        if options is None or "reset_mask" not in options:
            return self._all
        chosen = options["reset_mask"]
        if not (isinstance(chosen, np.ndarray) and chosen.dtype == bool and chosen.shape == (self.num_envs,)):
            raise ValueError(f'options["reset_mask"] is a bool array of shape ({self.num_envs},), not {chosen!r}.')
        return chosen.copy()

    def _roll(self, seed: int | Sequence[int | None] | None, chosen: np.ndarray) -> None:
        """Gives each chosen table the dice of its seed. Without one, it keeps its dice.

        Raises ValueError for a wrong number of seeds.
        """
        seeds = range(seed, seed + self.num_envs) if isinstance(seed, int) else seed or [None] * self.num_envs
        if len(seeds) != self.num_envs:
            raise ValueError(f"seed needs one seed for each of {self.num_envs} tables, not {len(seeds)}.")
        for place in np.flatnonzero(chosen):
            own = seeds[int(place)]
            if own is not None:
                self._dice[place] = many_dice(own, 1)[0]

    def _observations(self) -> Any:
        return self.setup.layout.named(self._shown.seen) if self.named else self._shown.seen

    def _info(self, chosen: np.ndarray) -> dict[str, Any]:
        """Returns the info of `GolfEnv` as arrays by table, each with a mask of the tables that have it."""
        _, masks, rewards, players, illegal = self._shown
        info = {"action_mask": masks, "player": players, "illegal": illegal, "rewards": rewards}
        if chosen is not self._all:  # copies, also where every game ended: the next ones will overwrite these arrays
            for name, values in info.items():
                info[name] = np.zeros_like(values)
                info[name][chosen] = values[chosen]
        return info | {f"_{name}": chosen.copy() for name in info}

    def _told(self) -> tuple[Any, ...]:
        return *self.setup.told, self._tables, self._dice
