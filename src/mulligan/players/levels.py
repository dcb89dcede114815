"""Levels for people: computer players with human weaknesses, from a beginner upwards.

No level rolls dice. Each weaker level has a human reason to play worse: it does not look as far ahead, forgets
which cards are gone, is impatient, or ignores the other players.
"""

from mulligan.engine.compiled import compiled
from mulligan.players.values.layout_table import is_written

from .book import choose_by as choose_by_book
from .look_ahead import Traits, choose_by

BEGINNER = Traits(memory=0.0, foresight=0.0, choosy=0.0, haste=2.5, bonus=0.0, optimism=0.0, eyes=0.0)
WEEKEND = Traits(memory=0.0, foresight=0.0, choosy=0.5, haste=1.5, bonus=0.0, optimism=0.0, eyes=0.0)
REGULAR = Traits(memory=1.0, foresight=0.0, choosy=3.0, haste=0.0, bonus=1.0, optimism=0.0, eyes=0.0)
CLUB = Traits(memory=1.0, foresight=1.0, choosy=0.0, haste=0.0, bonus=1.0, optimism=0.2, eyes=0.0)
PRO = Traits(memory=2.0, foresight=1.0, choosy=0.0, haste=0.0, bonus=1.0, optimism=0.3, eyes=1.0)


def level(traits):
    """The player with these traits."""

    @compiled
    def choose(rules, match, state, dice, books):
        return choose_by(traits, rules, state)

    return choose


@compiled
def choose_as_pro(rules, match, state, dice, books):
    """A pro plays by the book if there is one."""
    if is_written(books.book):
        return choose_by_book(rules, state, books.book)
    return choose_by(PRO, rules, state)
