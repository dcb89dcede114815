"""The timeouts of a table: presence, turns, the next hole and the next match.

Three independent timers: the connection's heartbeat (sockets.py), the presence of a person, and the
turn of a player who is absent or slow. At a table by turns the last one takes days: housekeeping counts its hours.
"""

from collections.abc import Collection
from typing import NamedTuple

from mulligan.server.wire.base import TURN_HOURS, ClockWhy, Tempo

from .by_turns import hours_of
from .table import Table


class Clocks(NamedTuple):
    """Timeouts in seconds; None means no timeout."""

    presence: float  # after a lost connection, until its guest counts as absent
    absent: float  # until a computer player takes the turn of an absent player
    turn: float | None  # the same for a present player
    hole: float | None  # until the next hole is dealt
    ready: float = 30.0  # the same once one player is ready
    match: float = 60.0  # until the next match begins, once one player wants to play again
    seeds: float = 1.5  # at most, before a deal, for the seeds of all present players


CLOCKS: dict[Tempo, Clocks] = {
    "family": Clocks(presence=8.0, absent=120.0, turn=None, hole=None),
    "quick": Clocks(presence=4.0, absent=20.0, turn=45.0, hole=45.0, ready=15.0, match=30.0),
    **dict.fromkeys(TURN_HOURS, Clocks(presence=8.0, absent=120.0, turn=None, hole=30.0)),
}


def not_ready(table: Table, present: Collection[str]) -> set[str]:
    """Returns the guests who hold a seat, are present, and are not ready for the next hole or match."""
    return {
        seat.guest
        for number, seat in enumerate(table.seats)
        if seat.kind == "person" and not seat.lent and seat.guest in present and number not in table.ready
    }


def seat_left(table: Table) -> int | None:
    """Returns the first seat that its player left for good and no computer player plays for, or None."""
    return next((number for number, seat in enumerate(table.seats) if seat.kind == "open" and not seat.lent), None)


class Wait(NamedTuple):
    """A running timeout: its reason, the seat it concerns (None: all players), and its length in seconds."""

    why: ClockWhy
    seat: int | None
    seconds: float


def wait_of(table: Table, present: Collection[str], clocks: Clocks) -> Wait | None:
    """Returns the timeout to run now, or None. No timeout runs unless another present person is playing, or the table
    plays by turns.
    """
    people = {seat.guest for seat in table.seats if seat.kind == "person" and seat.guest in present}
    phase = table.phase
    if phase == "over":
        return Wait("match", None, clocks.match) if table.ready and len(people) > 1 else None
    if phase in ("draw", "hole_over") and len(people) > (not table.is_by_turns):
        if table.ready:
            return Wait("hole", None, clocks.ready)
        if clocks.hole:
            return Wait("hole", None, clocks.hole)
    left = seat_left(table)
    if left is not None and (people or table.is_by_turns) and phase != "lobby":
        return Wait("left", left, clocks.absent)
    turn = table.turn
    if turn is None or table.seats[turn].computer:
        return None
    if table.is_by_turns:
        return Wait("days", turn, hours_of(table) * 3600.0)
    guest = table.seats[turn].guest
    if not people - {guest}:
        return None
    if guest not in people:
        return Wait("absent", turn, clocks.absent)
    return Wait("turn", turn, clocks.turn) if clocks.turn else None
