"""The computer players. Each is one function, `choose(rules, match, state, dice, brain) -> move`, in a file of its own.

`match` is a MATCH, as it stands before this hole; with no players in it, the hole is played by itself. `brain` is what
`net_files.brain_for` found, or None if nobody at the table needs a net.

A new player needs its file and its line in PLAYERS; programs may add players of their own. Only the players at the
table are compiled.
"""

from collections.abc import Callable
from typing import Any, NamedTuple

from . import greedy, levels, net_player, random, search


class Player(NamedTuple):
    choose: Callable[..., Any]
    needs_net: bool = False
    level: levels.Level | None = None  # of a player who judges for itself, and may need the net in some games only


LEVELS = {  # for people to play against, the weakest first
    **{name: Player(levels.player_of(level), True, level) for name, level in levels.LEVELS.items()},
    "search": Player(search.choose, True),
}
PLAYERS = {
    "random": Player(random.choose),
    "greedy": Player(greedy.choose),
    **LEVELS,
    "net": Player(net_player.choose, True),
}
STAND_IN = "pro"  # plays for people who are away: the strongest that need not be waited for
FORMER = {  # names in stored games, and who plays on for them: the nearest in strength
    "eye": "net",
    "linear": "net",
    "book": "net",
    "plain_book": "pro",
    "threshold": "greedy",
    "patient": "greedy",
}


def now_called(name: str) -> str:
    """The player that plays for one of an earlier version; any other name is returned as it is."""
    return FORMER.get(name, name)
