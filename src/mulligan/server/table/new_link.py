"""Gives a table a new link; old links then work only for seated guests and the owner."""

from collections.abc import Iterator

from .codes import ROUTE, code_of_seed
from .log_entries import Entry, Linked
from .rights import Asker, Refusal, must_own
from .table import Table

MOST = 5  # new links per table


def new_link(table: Table, asker: Asker) -> Iterator[Entry]:
    """Gives the table a new code, which begins like the old one. Raises Refusal."""
    must_own(table, asker)
    if len(table.links) > MOST:
        raise Refusal("too_many_links", most=MOST)
    yield Linked(code=table.code[:ROUTE] + code_of_seed(asker.seed())[ROUTE:])
