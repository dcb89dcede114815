"""What our adapter uses of TextArena 0.7.4, for where it is not installed: `import textarena` then gives this module.

TextArena brings a client for language models and much else, so it is not among the packages for tests. Each function
here does what the one of that name does there.
"""

import sys
from enum import Enum
from types import ModuleType
from typing import Any

ObservationType = Enum("ObservationType", ["PROMPT", "PLAYER_ACTION", "GAME_BOARD", "GAME_ADMIN"])
GAME_ID = -1
registered: dict[str, Any] = {}


class Env:
    state: Any

    def get_observation(self) -> tuple[int, list[Any]]:
        return self.state.current_player_id, self.state.get_current_player_observation()

    def close(self) -> Any:
        return self.state.rewards, self.state.game_info


class FFAMultiPlayerState:
    def __init__(self, num_players: int) -> None:
        self.num_players, self.current_player_id, self.error_allowance = num_players, 0, 1

    def reset(self, game_state: Any, player_prompt_function: Any) -> None:
        self.done, self.rewards, self.error_count, self.made_invalid_move = False, None, 0, False
        self.game_info: dict[int, dict[str, Any]] = {
            player: {"invalid_move": False} for player in range(self.num_players)
        }
        self.observations: dict[int, list[Any]] = {player: [] for player in range(self.num_players)}
        for player in range(self.num_players):
            prompt = player_prompt_function(player_id=player, game_state=game_state)
            self.add_observation(prompt, ObservationType.PROMPT, to_id=player)

    def add_observation(self, message: str, observation_type: Any, from_id: int = GAME_ID, to_id: int = -1) -> None:
        for player in self.observations if to_id == -1 else [to_id]:
            self.observations[player].append((from_id, message, observation_type))

    def get_current_player_observation(self) -> list[Any]:
        seen, self.observations[self.current_player_id] = self.observations[self.current_player_id], []
        return seen

    def manually_set_current_player_id(self, new_player_id: int) -> None:
        if not self.made_invalid_move:
            self.current_player_id, self.error_count = new_player_id, 0

    def set_invalid_move(self, reason: str) -> bool:
        self.made_invalid_move = True
        if self.error_allowance > self.error_count:
            self.error_count += 1
            self.add_observation(reason, ObservationType.GAME_ADMIN, to_id=self.current_player_id)
            return False
        self.game_info[self.current_player_id]["invalid_move"] = True
        return True

    def set_game_outcome(self, reward_dict: dict[int, float], reason: str) -> None:
        self.rewards, self.done = reward_dict, True
        for player in self.game_info:
            self.game_info[player]["reason"] = reason

    def step(self, rotate_player: bool) -> tuple[bool, dict[str, Any]]:
        if not self.made_invalid_move:
            self.error_count = 0
        if not self.done:
            self.made_invalid_move = False
        return self.done, {}


def register(id: str, entry_point: Any, default_wrappers: Any, **given: Any) -> None:
    registered[id] = (entry_point, given)


def make(env_id: str, **more: Any) -> Any:
    entry_point, given = registered[env_id]
    return entry_point(**given, **more)


def install() -> None:
    """Stands in for TextArena if it is not installed."""
    try:
        import textarena  # noqa: F401
    except ImportError:
        wrappers = ModuleType("textarena.wrappers")
        wrappers.ActionFormattingWrapper = wrappers.LLMObservationWrapper = object  # type: ignore[attr-defined]
        sys.modules.update({"textarena": sys.modules[__name__], "textarena.wrappers": wrappers})
