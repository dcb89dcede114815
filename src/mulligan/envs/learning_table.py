"""A table at which learners and computer players play a game."""

from copy import copy, deepcopy
from functools import cache
from operator import index
from typing import Any, NamedTuple

import numpy as np

from mulligan.engine.chance import many_dice
from mulligan.engine.state import MOVES
from mulligan.game.hole import Hole
from mulligan.game.position_text import position_in_words, read_move
from mulligan.game.safe_text import printable
from mulligan.game.typed_text import one_of

from .game_logs import GameLogs
from .playing import TABLE, look_at, move_one, start_one
from .setup import Setup

ONE = np.ones(1, bool)


class Moved(NamedTuple):
    """What a move led to."""

    player: int  # the learner to move; once the game is over, the one who moved last
    terminated: bool
    truncated: bool
    illegal: bool


def move_in(action: Any) -> int:
    """Returns the move in a whole number or in an array of one. Raises ValueError."""
    try:
        return index(action)
    except TypeError:
        if getattr(action, "shape", ()) in ((1,), (1, 1)):
            return move_in(action.item())
        found = printable(str(action), 40)
        raise ValueError(f"A move is a whole number from 0 to {MOVES - 1}, or an array of one, not {found}.") from None


class Table:
    """One table. `reset` starts a game, `step` makes the move of the player whose turn it is.

    Players are numbered clockwise; where there are opponents, the learner is number 0.
    """

    def __init__(self, setup: Setup, records: np.ndarray | None = None, dice: np.ndarray | None = None) -> None:
        """`records` is an array with the one TABLE to play on, if not a new one; without `dice` they are random."""
        self.setup = setup
        self.records = np.zeros(1, TABLE) if records is None else records
        self.player = int(self.records["player"][0])
        self._dice = many_dice(None, 1)[0] if dice is None else dice
        self._games = GameLogs(setup, 1)

    def __deepcopy__(self, copies: dict[int, Any]) -> "Table":
        other = copy(self)
        other.records = self.records.view(np.uint8).copy().view(TABLE)  # field by field takes much longer
        other._dice = self._dice.copy()
        other._games = deepcopy(self._games, copies)
        return other

    def reset(self, seed: int | None = None) -> None:
        """Starts a game. A seed, a whole number from 0 upward, gives new dice."""
        if seed is not None:
            self._dice = many_dice(seed, 1)[0]
        self.player = start_one(*self.setup.told, self.records, self._dice, self._games.log)

    def step(self, move: Any) -> Moved:
        """Plays a move, see `move_in`. An illegal one ends the game, and costs the player `rewards.ILLEGAL`."""
        log = self._games.log
        player, terminated, truncated, illegal = move_one(
            *self.setup.told, self.records, self._dice, move_in(move), log
        )
        self.player = player
        if log is not None and (terminated or truncated):
            self._games.end(self.records, ONE)
        return Moved(player, bool(terminated), bool(truncated), bool(illegal))

    def observe(self, player: int) -> tuple[np.ndarray, np.ndarray]:
        """Returns what a player sees: the flat observation, and the mask of legal moves (0 if it is not their turn)."""
        seen, mask = np.empty(self.setup.layout.size, np.int16), np.empty(MOVES, np.int8)
        look_at(self.setup.rules, self.records, player, seen, mask)
        return seen, mask

    def record(self) -> dict[str, Any]:
        """Returns the record of the game that ended last (docs/notation.md); a hole is a match of one.

        Raises ValueError if there is none: the setup is not `recorded`, no game is over yet, or the turn limit or an
        illegal move ended it.
        """
        return self._games.record()

    def text(self) -> str:
        """Returns the position in words, for the player to move: layouts, piles, scores and the legal moves by name."""
        hole, seated = self._hole(), self.seated
        totals = [int(self.match.totals[player]) for player in seated]
        if self.records["truncated"][0]:  # such a hole does not count in the match
            totals = [total + points for total, points in zip(totals, hole.points, strict=True)]
        return position_in_words(hole, [f"player {player}" for player in seated], totals)

    def read_move(self, text: str) -> int:
        """Returns the legal move that a text names, in any case and width. Raises ValueError for any other text."""
        hole = self._hole()
        try:
            return read_move(hole, one_of(text, list(hole.named_moves())) or text)
        except ValueError as error:
            raise ValueError(f"Player {self.player} {error}.") from None

    def _hole(self) -> Hole:
        return Hole.at(self.setup.variant, self.state)

    @property
    def mask(self) -> np.ndarray:
        """The legal moves of the player to move: an int8 array of shape `(16,)`, all 0 once the game is over."""
        return mask_of(self.records["legal"].item()).copy()

    @property
    def rewards(self) -> np.ndarray:
        """What the last move earned each player: a float64 array by player."""
        return self.records["rewards"][0, : self.setup.seats].copy()

    @property
    def state(self) -> Any:
        """The STATE record of the hole."""
        return self.records[0].state

    @property
    def match(self) -> Any:
        """The MATCH record."""
        return self.records[0].match

    @property
    def seated(self) -> list[int]:
        """The player in each seat of the hole."""
        return [int(player) for player in self.records["seated"][0, : int(self.state.seats)]]


@cache
def mask_of(bits: int) -> np.ndarray:
    """The mask of a set of moves. It is not to be written to."""
    return np.array([bits >> move & 1 for move in range(MOVES)], np.int8)
