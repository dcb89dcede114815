"""Keeps the steps of games in environments, for those who want their records (docs/notation.md)."""

from typing import Any

import numpy as np

from mulligan.engine.replay import STEP
from mulligan.simulation import record_of

from .playing import Log
from .setup import Setup

PLAY_OFFS = 9  # holes of play-offs (6.3) for which there is room


class GameLogs:
    """The games of some tables, if the setup wants them; else `log` is None, and nothing is kept."""

    def __init__(self, setup: Setup, tables: int) -> None:
        self.setup = setup
        self.log = None
        if setup.recorded:  # the system gives memory only to the steps that are written
            self.log = Log(np.zeros((tables, most_steps(setup)), STEP), np.zeros(tables, np.int64))
        self._ended: dict[int, np.ndarray | str] = {}

    def end(self, tables: np.ndarray, over: np.ndarray) -> None:
        """Keeps the games that have just ended: `tables` are TABLE records, `over` says at which of them."""
        if self.log is not None:
            for place in np.flatnonzero(over).tolist():
                self._ended[place] = self._game(tables[place], place)

    def _game(self, table: Any, place: int) -> np.ndarray | str:
        """Returns the steps of a game that is over, or why it has no record."""
        assert self.log is not None
        steps, kept = self.log.steps[place], int(self.log.kept[place])
        if table.illegal:
            return "There is no record: an illegal move ended the game."
        if table.truncated:
            return "There is no record: the turn limit ended the hole before anyone closed."
        if kept > len(steps):
            return f"There is no record: the match had more than {PLAY_OFFS} play-off holes."
        return steps[:kept].copy()

    def record(self, place: int = 0) -> dict[str, Any]:
        """Returns the record of the game that ended last at a table. Raises ValueError if there is none."""
        if self.log is None:
            raise ValueError("Games are recorded where the environment is made with recorded=True.")
        if not 0 <= place < len(self.log.kept):
            raise ValueError(f"Tables are numbered from 0 to {len(self.log.kept) - 1}, not {place}.")
        found = self._ended.get(place, "There is no record: no game is over yet.")
        if isinstance(found, str):
            raise ValueError(found)
        return record_of(self.setup.recorded_variant, self.setup.names, found)


def most_steps(setup: Setup) -> int:
    """Returns how many steps there is room for in a game."""
    rules = setup.rules[0]
    turns = setup.limit + 2 * setup.seats  # the last turns come on top
    hole = 1 + 3 * turns + 2 * int(rules.slots) * setup.seats  # to take, place and turn up; teeing off, the reveal
    return hole * (int(rules.holes) + PLAY_OFFS * int(rules.playoff))
