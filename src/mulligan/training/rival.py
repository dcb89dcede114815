"""Other players in the games that a net learns from."""

from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np

from mulligan.engine.chance import many_dice
from mulligan.engine.compiled import address, fresh
from mulligan.engine.match import MATCH
from mulligan.engine.state import STATE
from mulligan.players import net_files
from mulligan.players.roster import PLAYERS
from mulligan.players.values.brain import UNTRAINED, Brain

OPENERS = ("beginner", "weekend", "regular", "club", "greedy")  # begin holes, so that a net knows tables of their kind


class Rival(NamedTuple):
    """A player who does not learn."""

    name: str
    brain: Brain


def rival_named(name: str, rules: Any, seats: int) -> Rival:
    """One of our players, with the net of these rules if it needs one."""
    return Rival(name, net_files.brain_for([name], rules, seats) or UNTRAINED)


def places_of(names: Sequence[str], rules: Any, brain: Brain) -> np.ndarray:
    """The addresses of the players' `choose` in this process, for `call`: int64 [player]."""
    arguments = (rules, fresh(MATCH), fresh(STATE), many_dice(0, 1)[0], brain)
    return np.array([address(PLAYERS[name].choose, arguments) for name in names])
