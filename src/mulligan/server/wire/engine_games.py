"""HTTP: what the engine in a page needs to play a game without the server."""

from .base import Thing


class EngineSize(Thing):
    """A game for so many players. The coach judges by the net, and where there is none as the players without one do.

    `needing` are the computer players to choose that look into the net here, in the order of the list; the others play
    without it. `corrections` has the coach's `scale`, `excess` and `spread` by the stage of a decision
    (coach/calibration.py).
    """

    seats: int
    rules: str  # a record of RULES, in base64
    net: str  # its file below the base path, with a digest in its name; empty if there is none
    net_bytes: int  # to download
    needing: list[str]
    par: float
    corrections: dict[str, list[float]]


class EngineGame(Thing):
    """A game, also one with house rules, for each number of players that was asked for."""

    game: str
    layout: str  # of the records: a page that knows another one must not use them
    sizes: list[EngineSize]
