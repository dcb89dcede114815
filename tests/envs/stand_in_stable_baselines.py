"""What our adapter uses of Stable-Baselines3 2.9, for where it is not installed.

It needs PyTorch, which is too large to be among the packages for tests. Each function here does what the one of that
name does there.
"""

import sys
from types import ModuleType
from typing import Any


class VecEnv:
    def __init__(self, num_envs: int, observation_space: Any, action_space: Any) -> None:
        self.num_envs, self.observation_space, self.action_space = num_envs, observation_space, action_space
        self._seeds: list[int | None] = [None] * num_envs
        self.render_mode = self.get_attr("render_mode")[0]

    def get_attr(self, attr_name: str) -> list[Any]:
        raise NotImplementedError

    def has_attr(self, attr_name: str) -> bool:
        try:
            self.get_attr(attr_name)
            return True
        except AttributeError:
            return False

    def seed(self, seed: int) -> list[int | None]:
        self._seeds = [seed + place for place in range(self.num_envs)]
        return self._seeds

    def step(self, actions: Any) -> Any:
        self.step_async(actions)
        return self.step_wait()

    def _reset_seeds(self) -> None:
        self._seeds = [None] * self.num_envs

    def _reset_options(self) -> None:
        pass


def install() -> None:
    """Stands in for Stable-Baselines3 if it is not installed."""
    try:
        import stable_baselines3  # noqa: F401
    except ImportError:
        names = ("stable_baselines3", "stable_baselines3.common", "stable_baselines3.common.vec_env")
        sys.modules.update({name: ModuleType(name) for name in names})
        sys.modules[names[-1]].VecEnv = VecEnv  # type: ignore[attr-defined]
