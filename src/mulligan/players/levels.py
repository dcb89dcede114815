"""Levels for people: computer players with human weaknesses, from a beginner upwards.

No level rolls dice. Each weaker level has a human reason to play worse: it does not look as far ahead, forgets
which cards are gone, is impatient, or ignores the other players. The same weakness costs more in some games than in
others, so how impatient and hopeful a level is, and what it may overlook, depends on the layout; `bench/strength.py`
measures the steps. Players of one level differ a little in taste.
"""

from typing import NamedTuple

import numpy as np

from mulligan.engine.compiled import compiled, compiled_with_arrays
from mulligan.engine.rules import lines_cross
from mulligan.engine.state import MOVES
from mulligan.players.values.net import is_trained

from .look_ahead import Traits, choose_by
from .net_turn import NEVER, best_of, weigh
from .positions import first_twin
from .tastes import taste_of

SIZES = (4, 6, 8, 9, 10, 12)  # cards in a layout; after these come layouts whose lines cross


class Level(NamedTuple):
    """`haste`, `optimism` and `oversight` by layout, in the order of SIZES; the first two replace those of the traits.

    `oversight` is what the player's worst mistake may cost, in strokes by the net's judgement.
    """

    traits: Traits
    haste: tuple[float, ...]
    optimism: tuple[float, ...]
    oversight: tuple[float, ...]


BEGINNER = Level(
    Traits(memory=0.0, foresight=0.0, choosy=0.0, haste=0.0, bonus=0.0, optimism=0.0, eyes=0.0),
    haste=(5.0, 4.75, 2.75, 1.25, 3.6, 0.2, 4.5),
    optimism=(0.4, 0.1, 0.1, 0.2, 0.1, 0.4, 0.2),
    oversight=(NEVER, NEVER, NEVER, NEVER, NEVER, 6.0, NEVER),
)
WEEKEND = Level(
    Traits(memory=0.0, foresight=0.0, choosy=0.5, haste=0.0, bonus=0.0, optimism=0.0, eyes=0.0),
    haste=(5.0, 4.0, 2.15, 0.3, 2.75, 0.3, 4.8),
    optimism=(0.2, 0.1, 0.1, 0.3, 0.17, 0.3, 0.2),
    oversight=(NEVER, NEVER, NEVER, NEVER, NEVER, 2.65, NEVER),
)
REGULAR = Level(
    Traits(memory=1.0, foresight=0.0, choosy=3.0, haste=0.0, bonus=1.0, optimism=0.0, eyes=0.0),
    haste=(4.5, 0.5, 0.0, 0.0, 0.0, 0.5, 0.0),
    optimism=(0.1, 0.1, 0.02, 0.5, 0.08, 0.4, 0.2),
    oversight=(NEVER, NEVER, NEVER, 8.0, NEVER, 2.8, NEVER),
)
CLUB = Level(
    Traits(memory=1.0, foresight=1.0, choosy=0.0, haste=0.0, bonus=1.0, optimism=0.0, eyes=0.0),
    haste=(1.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0),
    optimism=(0.42, 0.2, 0.22, 0.5, 0.3, 0.3, 0.1),
    oversight=(NEVER, NEVER, NEVER, 1.7, NEVER, 1.2, NEVER),
)
PRO = Level(
    Traits(memory=2.0, foresight=1.0, choosy=0.0, haste=0.0, bonus=1.0, optimism=0.0, eyes=1.0, wary=1.0),
    haste=(0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0),
    optimism=(0.5, 0.3, 0.3, 0.3, 0.3, 0.3, 0.3),
    oversight=(NEVER, NEVER, 2.25, 0.98, 1.5, 0.7, 2.5),
)

LEVELS = {"beginner": BEGINNER, "weekend": WEEKEND, "regular": REGULAR, "club": CLUB, "pro": PRO}  # the weakest first


def player_of(level):
    """The player of this level. A move that it would regret, by the net's judgement, gives way to the best one."""

    @compiled_with_arrays
    def choose(rules, match, state, dice, brain):
        move = choose_by(traits_in(level, rules, taste_of(rules, match, state)), rules, state)
        if has_regrets(level, rules) and is_trained(brain.net, state.seats):
            move_values = np.zeros(MOVES)
            best = weigh(rules, brain.net, state, move_values)
            if move_values[first_twin(rules, state, move)] > best + level.oversight[layout_number(rules)]:
                return best_of(move_values)
        return move

    return choose


@compiled
def has_regrets(level, rules):
    """Whether the net keeps players of this level from mistakes in the game with these rules."""
    return level.oversight[layout_number(rules)] < NEVER


@compiled
def traits_in(level, rules, taste):
    """The traits of a level in the game with these rules. Where a beaten closer pays double, everyone is wary."""
    usual, layout = level.traits, layout_number(rules)
    return Traits(
        usual.memory,
        usual.foresight,
        usual.choosy,
        level.haste[layout],
        usual.bonus,
        level.optimism[layout],
        usual.eyes,
        1.0 if rules.penalty_factor > 1 else usual.wary,
        usual.bar,
        taste.daring,
        float(taste.first),
    )


@compiled
def layout_number(rules):
    """The place in SIZES of the layouts in this game; of a size that is not there, the next smaller one."""
    if lines_cross(rules):
        return len(SIZES)
    number = 0
    for nth in range(len(SIZES)):
        if SIZES[nth] <= rules.slots:
            number = nth
    return number
