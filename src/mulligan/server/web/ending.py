"""How a server ends: it may drain first, then it closes its sockets, many of them not all at once."""

from collections.abc import Iterable, Iterator
from itertools import groupby
from random import Random
from typing import Protocol, TypeVar

LONGEST = 5.0  # seconds to close all sockets after draining …
FEWEST = 200.0  # … but at least this many in a second
COME_BACK = 5  # seconds after which someone who wanted a new table should try again


class Ending:
    """Whether the server drains: it plays on, but takes no new tables. And whether it closes."""

    def __init__(self) -> None:
        self.is_draining = False
        self.is_closing = False


class OfTable(Protocol):
    """A socket; `path` names its table."""

    @property
    def path(self) -> str: ...


Socket = TypeVar("Socket", bound=OfTable)


def waves(sockets: Iterable[Socket], dice: Random) -> Iterator[tuple[list[Socket], float]]:
    """Yields the sockets of each table, in random order, with the seconds until the next: tables move as a whole."""
    tables = [list(group) for _, group in groupby(sorted(sockets, key=path_of), key=path_of)]
    dice.shuffle(tables)
    pause = min(1 / FEWEST, LONGEST / max(1, sum(map(len, tables))))
    for table in tables:
        yield table, pause * len(table)


def path_of(socket: OfTable) -> str:
    return socket.path
