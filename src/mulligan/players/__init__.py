"""Computer players. Each is one function, `choose(rules, match, state, dice, books) -> move`, in a file of its own.

`match` is a MATCH, as it stands before this hole; with no players in it, the hole is played by itself. `books` is what
`book_files.books_for` found, or None if nobody at the table needs a book.

A new player needs its file and its line in PLAYERS; programs may add players of their own. Only the players at the
table are compiled.
"""

from collections.abc import Callable
from typing import Any, NamedTuple

from . import book, greedy, levels, net_player, plain_book, random, search


class Player(NamedTuple):
    choose: Callable[..., Any]
    book: str = ""  # the kind of book it needs
    level: levels.Level | None = None  # of a player who judges for itself, and may need the book in some games only


LEVELS = {  # for people to play against, the weakest first
    "beginner": Player(levels.player_of(levels.BEGINNER), "net", levels.BEGINNER),
    "weekend": Player(levels.player_of(levels.WEEKEND), "net", levels.WEEKEND),
    "regular": Player(levels.player_of(levels.REGULAR), "net", levels.REGULAR),
    "club": Player(levels.player_of(levels.CLUB), "net", levels.CLUB),
    "pro": Player(levels.player_of(levels.PRO), "net", levels.PRO),
    "search": Player(search.choose, "net"),
}
PLAYERS = {
    "random": Player(random.choose),
    "greedy": Player(greedy.choose),
    **LEVELS,
    "plain_book": Player(plain_book.choose, "plain"),
    "book": Player(book.choose, "book"),
    "net": Player(net_player.choose, "net"),
}
STAND_IN = "pro"  # plays for people who are away: the strongest that need not be waited for
FORMER = {"eye": "net", "linear": "net", "threshold": "greedy", "patient": "greedy"}  # names in stored games


def now_called(name: str) -> str:
    """The player that plays for one of an earlier version; any other name is returned as it is."""
    return FORMER.get(name, name)
