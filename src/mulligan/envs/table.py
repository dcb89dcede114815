"""A table at which learners and computer players play a game."""

from typing import Any, NamedTuple

import numpy as np

from mulligan.engine.chance import many_dice
from mulligan.engine.state import MOVES

from .playing import TABLE, look_at, move_one, start_one
from .setup import Setup


class Moved(NamedTuple):
    """What a move led to."""

    player: int  # the learner on turn; once the game is over, the one who moved last
    terminated: bool
    truncated: bool
    illegal: bool


class Table:
    """One table. `reset` starts a game, `step` makes the move of the player on turn.

    Players are numbered clockwise; where there are opponents, the learner is number 0.
    """

    def __init__(self, setup: Setup) -> None:
        self.setup = setup
        self.player = 0
        self._tables = np.zeros(1, TABLE)
        self._dice = many_dice(0, 1)[0]

    def reset(self, seed: int | None = None) -> None:
        """Starts a game; with a seed, with new dice. A seed is a whole number from 0 upward."""
        if seed is not None:
            self._dice = many_dice(seed, 1)[0]
        self.player = start_one(*self._told(), self._tables, self._dice)

    def step(self, move: int) -> Moved:
        """Plays a move. An illegal one ends the game, and costs the player `rewards.ILLEGAL`."""
        player, terminated, truncated, illegal = move_one(*self._told(), self._tables, self._dice, int(move))
        self.player = player
        return Moved(player, bool(terminated), bool(truncated), bool(illegal))

    def observe(self, player: int) -> tuple[np.ndarray, np.ndarray]:
        """Returns what a player sees: the flat observation, and the mask of their legal moves (0 if not on turn)."""
        seen, mask = np.empty(self.setup.layout.size, np.int16), np.empty(MOVES, np.int8)
        look_at(self.setup.rules, self._tables, player, seen, mask)
        return seen, mask

    @property
    def rewards(self) -> np.ndarray:
        """What the last move earned each player: a float64 array by player."""
        return self._tables["rewards"][0, : self.setup.seats].copy()

    @property
    def state(self) -> Any:
        """The STATE record of the hole."""
        return self._tables[0].state

    @property
    def match(self) -> Any:
        """The MATCH record."""
        return self._tables[0].match

    @property
    def seated(self) -> list[int]:
        """The player in each seat of the hole."""
        return [int(player) for player in self._tables["seated"][0, : int(self.state.seats)]]

    def _told(self) -> tuple[Any, ...]:
        setup = self.setup
        return setup.rules, setup.kind, setup.limit, setup.chairs, setup.books
