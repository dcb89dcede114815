"""Many tables for Stable-Baselines3: a `VecEnv` over the vector environment (docs/environments.md)."""

from collections.abc import Iterable
from typing import Any

import numpy as np

from .missing import missing
from .setup import check_one_learner
from .vector import VectorGolfEnv

try:
    from stable_baselines3.common.vec_env import VecEnv
except ImportError:
    raise missing("Stable-Baselines3", "stable-baselines3") from None


class GolfVecEnv(VecEnv):
    """One learner at each of many tables, for MaskablePPO and other learners of Stable-Baselines3.

    Where a game ends, `step` starts the next one; its info then has `terminal_observation`. Every info has the
    `action_mask`. A truncated game counts as ended, because nothing would have come after it (docs/environments.md).

    num_envs, game, told: as in `VectorGolfEnv`; every seat but the learner's needs an opponent, else ValueError.
    """

    def __init__(self, num_envs: int, game: str, **told: Any) -> None:
        self.tables = VectorGolfEnv(num_envs, game, autoreset_mode="SameStep", **told)
        check_one_learner(self.tables.setup, "Stable-Baselines3")
        super().__init__(num_envs, self.tables.single_observation_space, self.tables.single_action_space)

    def reset(self) -> Any:
        seen, info = self.tables.reset(seed=self._seeds)
        self._reset_seeds()
        self._reset_options()
        self.reset_infos = self._infos(info)
        return seen

    def step_async(self, actions: np.ndarray) -> None:
        self._moves = actions

    def step_wait(self) -> tuple[Any, np.ndarray, np.ndarray, list[dict[str, Any]]]:
        seen, rewards, terminated, truncated, info = self.tables.step(self._moves)
        infos, over = self._infos(info), terminated | truncated
        for place in np.flatnonzero(over):
            infos[place] |= {"terminal_observation": info["final_obs"][place], "TimeLimit.truncated": False}
        return seen, rewards.astype(np.float32), over, infos

    def _infos(self, info: dict[str, Any]) -> list[dict[str, Any]]:
        self._masks = info["action_mask"].astype(bool)
        return [{"action_mask": mask} for mask in info["action_mask"]]

    def action_masks(self) -> np.ndarray:
        """Returns which moves are legal: a bool array of shape `(num_envs, 16)`."""
        return self._masks

    def record(self, table: int) -> dict[str, Any]:
        """See `Table.record`: of the game that ended last at a table."""
        return self.tables.record(table)

    def env_method(self, method_name: str, *given: Any, indices: Any = None, **named: Any) -> list[Any]:
        """Returns what a method gives for each table: `action_masks` or `record`. Raises AttributeError for others."""
        if method_name == "action_masks":
            return list(self._masks[self._places(indices)])
        if method_name == "record":
            return [self.record(place) for place in self._places(indices)]
        raise AttributeError(f"The tables have no method {method_name}.")

    def get_attr(self, attr_name: str, indices: Any = None) -> list[Any]:
        """Returns an attribute of this object or of its vector environment, once for each table."""
        found = getattr(self if attr_name == "action_masks" else self.tables, attr_name)
        return [found for _ in self._places(indices)]

    def set_attr(self, attr_name: str, value: Any, indices: Any = None) -> None:
        """Raises AttributeError: nothing of a table changes."""
        raise AttributeError("All tables play by one setup: make a new GolfVecEnv.")

    def env_is_wrapped(self, wrapper_class: Any, indices: Any = None) -> list[bool]:
        return [False for _ in self._places(indices)]

    def get_images(self) -> Any:
        return self.tables.render()

    def close(self) -> None:
        """There is nothing to close."""

    def _places(self, indices: int | Iterable[int] | None) -> list[int]:
        if indices is None:
            return list(range(self.num_envs))
        return [indices] if isinstance(indices, int) else list(indices)
