"""What a request demands of the server, as its route declares: what it counts as, and when a busy server refuses it."""

import re
from collections.abc import Iterable
from typing import Any, NamedTuple, get_args

from mulligan.server.wire import commands

from .rejections import Asked

NAME = "demand"  # in the options of a route
COSTLY = 10  # the cost of a request that reads a log, writes to the disk or takes more than a few milliseconds


class Demand(NamedTuple):
    """How many requests one counts as for its address, and its place in the order of shedding (overload.py).

    A request without a place is never refused in an overload: it takes a few milliseconds at most.
    """

    cost: int
    kind: str = ""


FREE = Demand(0)  # for monitoring
PAGE = Demand(1)
READ = Demand(2)
OTHER = Demand(2)  # a request without a route: the answer is an error, or the description of the routes
SOCKETS = (("w", Demand(3, "spectators")), ("t", Demand(3)))

# What each message on a socket demands: as how many messages it counts for its address, and whether a busy server puts
# it off. What may be told to everyone at the table counts once more for each `AUDIENCE` connections there.
AUDIENCE = 25
MOVE, OF_ONE = Demand(1, "moves"), Demand(1)
MESSAGES: dict[type, Demand] = {
    **{one: MOVE if issubclass(one, commands.Command) else OF_ONE for one in get_args(commands.ClientMessage)},
    commands.AddSeed: OF_ONE,  # never put off: without it the shuffle would not be everyone's
}

SLASHES = re.compile("/{2,}")
PARAMETER = re.compile(r"\{\w+:(\w+)\}")


def messages_of(message: object, connections: int) -> int:
    """Returns as how many messages one counts at a table with so many connections. Raises KeyError if it is unknown."""
    demand = MESSAGES[type(message)]
    return demand.cost + (connections // AUDIENCE if demand.kind else 0)


def demands(cost: int, kind: str = "") -> dict[str, Any]:
    """Returns the options that declare what a route demands."""
    return {NAME: Demand(cost, kind)}


class Demands:
    """What each request demands, by method and path."""

    def __init__(self, handlers: Iterable[Any]) -> None:
        """Takes the handlers of all routes. Raises KeyError if one declares nothing."""
        self.routes = [
            (frozenset(handler.http_methods), re.compile(PARAMETER.sub(pattern_of, path)), handler.opt[NAME])
            for handler in handlers
            for path in handler.paths
        ]

    def of(self, asked: Asked) -> Demand:
        path = SLASHES.sub("/", asked.path).rstrip("/") or "/"
        if not asked.method:
            return next((demand for place, demand in SOCKETS if path.startswith(f"/ws/{place}/")), OTHER)
        found = (its for methods, its_path, its in self.routes if asked.method in methods and its_path.fullmatch(path))
        return next(found, OTHER)


def pattern_of(parameter: re.Match[str]) -> str:
    return r"(?!api/|schema/|ws/).*" if parameter[1] == "path" else "[^/]+"
