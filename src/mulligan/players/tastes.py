"""What tells two players of one level apart: a small taste, which decides between moves that are nearly equal.

A taste belongs to a player's place at the table, so it stays for the whole match, and the same position always gets
the same move.
"""

from typing import NamedTuple

from mulligan.engine.compiled import compiled
from mulligan.engine.match import player_at

DARING = (0.0, 0.1, -0.1, 0.05, -0.05, 0.08, -0.08, 0.03)  # by player
STRIDE = 5  # slots from where one player begins to look to where the next one does


class Taste(NamedTuple):
    daring: float  # strokes that an unknown card seems to save beyond its mean
    first: int  # the slot where the player begins to look: of equal ones the first is chosen


NO_TASTE = Taste(0.0, 0)


@compiled
def taste_of(rules, match, state):
    """The taste of the player to move. In a hole that is played by itself the seats are the players."""
    player = player_at(match, state.turn) if match.players else int(state.turn)
    return Taste(DARING[player], STRIDE * player % rules.slots)
