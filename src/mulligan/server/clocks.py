"""How long a table waits for somebody, so that nobody who has gone away holds up the others.

Three clocks run apart: whether a socket is alive (live.py), whether its person counts as present, and
what happens to the turn of somebody absent or slow.
"""

from collections.abc import Collection
from typing import NamedTuple

from .messages import ClockWhy, Tempo
from .table import Table


class Clocks(NamedTuple):
    """Seconds; None waits for ever."""

    presence: float  # until somebody whose line broke counts as absent
    absent: float  # until a computer player takes the turn of somebody absent
    turn: float | None  # the same for somebody present
    hole: float | None  # until the next hole is dealt


CLOCKS: dict[Tempo, Clocks] = {
    "family": Clocks(presence=8.0, absent=120.0, turn=None, hole=None),
    "quick": Clocks(presence=4.0, absent=20.0, turn=45.0, hole=45.0),
}


class Wait(NamedTuple):
    """What the table waits for: a seat's turn, or, with no seat, that somebody goes on to the next hole."""

    why: ClockWhy
    seat: int | None
    seconds: float


def wait_of(table: Table, present: Collection[str], clocks: Clocks) -> Wait | None:
    """What is to end by itself, or None. No clock runs while nobody else who plays is there to wait."""
    people = {seat.guest for seat in table.seats if seat.kind == "person" and seat.guest in present}
    if table.phase in ("draw", "reckoning"):
        return Wait("hole", None, clocks.hole) if clocks.hole and len(people) > 1 else None
    turn = table.turn
    if turn is None or table.computer_on_turn:
        return None
    guest = table.seats[turn].guest
    if not people - {guest}:
        return None
    if guest not in people:
        return Wait("absent", turn, clocks.absent)
    return Wait("turn", turn, clocks.turn) if clocks.turn else None
