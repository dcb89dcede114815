"""The player that a net practises against."""

from typing import Any, NamedTuple

from mulligan.engine.chance import many_dice
from mulligan.engine.compiled import address, fresh
from mulligan.engine.match import MATCH
from mulligan.engine.state import STATE
from mulligan.players import PLAYERS, book_files
from mulligan.players.values.bundle import Books


class Rival(NamedTuple):
    place: int  # the address of its `choose`, for `call`
    books: Books


def rival_named(name: str, rules: Any, seats: int, **books: Any) -> Rival:
    """One of our players, with the books of these rules, or with those given."""
    kind = PLAYERS[name].book
    known = book_files.books(rules, seats, [kind] if kind else [])._replace(**books)
    arguments = (rules, fresh(MATCH), fresh(STATE), many_dice(0, 1)[0], known)
    return Rival(address(PLAYERS[name].choose, arguments), known)
