"""Computer players. Each is one function, `choose(rules, …) -> move`, in a file of its own.

A new player is its file, its name in NAMES, and its line in `choose`. Games tell players apart by
their place in NAMES.
"""

from ..engine.compiled import compiled
from . import greedy, random

NAMES = ("random", "greedy")
LEVELS = ("beginner", "weekend", "regular", "club", "pro", "search")  # written, and not seated at tables yet


@compiled
def choose(player, rules, match, state, dice, books):
    """The move of the player of that number, who is on turn.

    `match` is a MATCH, as it stands before this hole; with no players in it, the hole is played by itself.
    `books` is what `shelf.books` found for these rules and this number of seats.
    """
    if player == 0:
        return random.choose(rules, state, dice)
    return greedy.choose(rules, state, dice)
