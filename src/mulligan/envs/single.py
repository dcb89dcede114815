"""One table for Gymnasium (docs/environments.md)."""

from typing import Any

import gymnasium
import numpy as np

from mulligan.game import variants

from .learning_table import Table
from .setup import Setup
from .spaces import action_space, check_render_mode, observation_space

RENDER_MODES = ["ansi", "rgb_array"]


class GolfEnv(gymnasium.Env[Any, Any]):
    """A learner against computer players, or a learner who plays every seat.

    named: whether an observation is a dict of named arrays instead of a flat one.
    setup: what is played, see `Setup`.

    The observation is that of the player to move. The reward is what the move earned the player who made it.
    `info` has the int8 `action_mask` of shape `(16,)`, all 1 once the game is over, the `player` to move, whether the
    move was `illegal`, and the `rewards` of all players, float64 of shape `(seats,)`.
    """

    metadata = {"render_modes": RENDER_MODES, "render_fps": 2}  # noqa: RUF012  as Gymnasium declares it

    def __init__(self, game: str, *, named: bool = False, render_mode: str | None = None, **setup: Any) -> None:
        check_render_mode(render_mode, RENDER_MODES)
        self.table = Table(Setup(game, **setup))
        self.named = named
        self.render_mode = render_mode
        self.observation_space = observation_space(self.table.setup.layout, named)
        self.action_space = action_space()
        self._over = True

    def reset(self, *, seed: int | None = None, options: dict[str, Any] | None = None) -> tuple[Any, dict[str, Any]]:
        super().reset(seed=seed)
        self.table.reset(seed)
        self._over = False
        return self._look(illegal=False)

    def step(self, action: Any) -> tuple[Any, float, bool, bool, dict[str, Any]]:
        """Plays a move, see `Table.step`. Raises ResetNeeded once the game is over."""
        if self._over:
            raise gymnasium.error.ResetNeeded("The game is over: call reset() before the next move.")
        mover = self.table.player
        moved = self.table.step(action)
        self._over = moved.terminated or moved.truncated
        seen, info = self._look(moved.illegal)
        return seen, float(info["rewards"][mover]), moved.terminated, moved.truncated, info

    def _look(self, illegal: bool) -> tuple[Any, dict[str, Any]]:
        table = self.table
        seen, mask = table.observe(table.player)
        info = {"action_mask": self._mask(mask), "player": table.player, "illegal": illegal, "rewards": table.rewards}
        return table.setup.layout.named(seen) if self.named else seen, info

    def record(self) -> dict[str, Any]:
        """See `Table.record`."""
        return self.table.record()

    def action_masks(self) -> np.ndarray:
        """Returns the mask as bools, under the name that Stable-Baselines3 looks for."""
        return self._mask(self.table.observe(self.table.player)[1]).astype(bool)

    def _mask(self, legal: np.ndarray) -> np.ndarray:
        """Returns the mask: all 1 once the game is over, when no move counts, for policies that choose one anyway."""
        return np.ones_like(legal) if self._over else legal

    def render(self) -> Any:
        from .picture import render

        return render(self.table, self.render_mode)


def register() -> None:
    """Tells Gymnasium of every game, under the id `mulligan/NAME-v0`."""
    for game in variants.games():
        gymnasium.register(
            f"mulligan/{game}-v0",
            entry_point="mulligan.envs.single:GolfEnv",
            vector_entry_point="mulligan.envs.vector:VectorGolfEnv",
            kwargs={"game": game},
        )
