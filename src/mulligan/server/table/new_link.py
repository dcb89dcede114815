"""Gives a table new links; old ones then work only for seated guests and the owner, and not for spectators."""

from collections.abc import Callable, Iterator

from mulligan.server.wire.commands import NewLink

from .codes import ROUTE, WATCH_LENGTH, code_of_seed
from .log_entries import Entry, Linked, WatchLinked
from .rights import Asker, Refusal, must_own
from .table import Table

MOST = 5  # new links per table, of each kind


def new_link(table: Table, asker: Asker, command: NewLink) -> Iterator[Entry]:
    """Gives the table new codes for players and perhaps for spectators. Raises Refusal."""
    must_own(table, asker)
    must_have_links_left(table, command.watch)
    yield from linked(table, asker.seed, command.watch)


def must_have_links_left(table: Table, watch: bool) -> None:
    """Raises Refusal if the table had too many links."""
    if len(table.links) > MOST or (watch and len(table.watches) > MOST):
        raise Refusal("too_many_links", most=MOST)


def linked(table: Table, seed: Callable[[], bytes], watch: bool) -> Iterator[Entry]:
    """Yields a new code for players, which begins like the old one, and perhaps one for spectators."""
    yield Linked(code=table.code[:ROUTE] + code_of_seed(seed())[ROUTE:])
    if watch:
        yield WatchLinked(code=code_of_seed(seed())[:WATCH_LENGTH])
