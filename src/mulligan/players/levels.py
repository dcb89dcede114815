"""Levels for people: computer players with human weaknesses, from a beginner upwards.

No level rolls dice. Each weaker level has a human reason to play worse: it does not look as far ahead, forgets
which cards are gone, is impatient, or ignores the other players. The same weakness costs more in some games than in
others, so how impatient and how hopeful a level is depends on the layout; `bench/strength.py` measures the steps.
Players of one level differ a little in taste.
"""

from typing import NamedTuple

import numpy as np

from mulligan.engine.compiled import compiled, compiled_with_arrays
from mulligan.engine.rules import lines_cross
from mulligan.engine.state import MOVES
from mulligan.players.values.net import is_trained

from .exact_turn import first_twin
from .look_ahead import Traits, choose_by
from .net_player import NEVER, best_of, weigh
from .tastes import taste_of


class Level(NamedTuple):
    """`haste` and `optimism` by layout, in the order of SIZES; they take the place of those of the traits."""

    traits: Traits
    haste: tuple[float, ...]
    optimism: tuple[float, ...]


SIZES = (4, 6, 8, 9, 10, 12)  # cards in a layout; after these come layouts whose lines cross
BEGINNER = Level(
    Traits(memory=0.0, foresight=0.0, choosy=0.0, haste=0.0, bonus=0.0, optimism=0.0, eyes=0.0),
    haste=(4.0, 4.75, 2.75, 2.5, 3.6, 2.5, 4.5),
    optimism=(0.0, 0.1, 0.1, 0.2, 0.1, 0.2, 0.2),
)
WEEKEND = Level(
    Traits(memory=0.0, foresight=0.0, choosy=0.5, haste=0.0, bonus=0.0, optimism=0.0, eyes=0.0),
    haste=(2.75, 3.75, 2.15, 1.7, 2.75, 2.0, 4.8),
    optimism=(0.0, 0.1, 0.1, 0.2, 0.17, 0.2, 0.2),
)
REGULAR = Level(
    Traits(memory=1.0, foresight=0.0, choosy=3.0, haste=0.0, bonus=1.0, optimism=0.0, eyes=0.0),
    haste=(2.25, 0.5, 0.0, 0.0, 0.0, 2.0, 0.0),
    optimism=(0.1, 0.1, 0.0, 0.15, 0.08, 0.2, 0.2),
)
CLUB = Level(
    Traits(memory=1.0, foresight=1.0, choosy=0.0, haste=0.0, bonus=1.0, optimism=0.0, eyes=0.0),
    haste=(1.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0),
    optimism=(0.3, 0.2, 0.2, 0.5, 0.3, 0.3, 0.1),
)
PRO = Level(
    Traits(memory=2.0, foresight=1.0, choosy=0.0, haste=0.0, bonus=1.0, optimism=0.0, eyes=1.0, wary=1.0),
    haste=(0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0),
    optimism=(0.3, 0.3, 0.3, 0.3, 0.3, 0.3, 0.3),
)
OVERSIGHT = (NEVER, NEVER, 2.25, 1.25, 2.75, NEVER, NEVER)  # strokes of a pro's worst mistakes, in the order of SIZES


def player_of(level):
    """The player of this level."""

    @compiled
    def choose(rules, match, state, dice, books):
        return choose_by(traits_in(level, rules, taste_of(rules, match, state)), rules, state)

    return choose


@compiled_with_arrays
def choose_as_pro(rules, match, state, dice, books):
    """A pro would regret a costly mistake, by the net's judgement, and makes the best move instead."""
    move = choose_by(traits_in(PRO, rules, taste_of(rules, match, state)), rules, state)
    limit = OVERSIGHT[layout_number(rules)]
    if limit < NEVER and is_trained(books.net, state.seats):
        move_values = np.zeros(MOVES)
        best = weigh(rules, books.net, state, move_values)
        if move_values[first_twin(rules, state, move)] > best + limit:
            return best_of(move_values)
    return move


@compiled
def traits_in(level, rules, taste):
    """The traits of a level in the game with these rules. Where a beaten closer pays double, everybody is wary."""
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
