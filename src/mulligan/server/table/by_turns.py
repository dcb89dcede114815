"""Play by turns: a match over days, in which everyone moves when they have time."""

from collections.abc import Iterator
from typing import NamedTuple

from mulligan.server.wire.base import TURN_HOURS
from mulligan.server.wire.events import GaveBack

from .log_entries import Entry
from .table import Table


class Turn(NamedTuple):
    """A turn at a table by turns. It stays the same turn when the person comes from another device."""

    match: int
    hole: int  # holes that are over
    seat: int | None  # None before a deal
    by_person: bool  # else the table goes on by itself


def turn_at(table: Table) -> Turn | None:
    """Returns what a table by turns waits for, or None if it waits for nothing: also if it does not play by turns."""
    if not table.is_by_turns or table.phase in ("lobby", "over"):
        return None
    return Turn(table.match, len(table.card), table.turn, bool(guest_on_turn(table)))


def guest_on_turn(table: Table) -> str:
    """Returns the guest who has to move, or "" if a computer player does, or nobody has to."""
    turn = table.turn
    return "" if turn is None or table.seats[turn].computer else table.seats[turn].guest


def hours_of(table: Table) -> int:
    """Returns for how many running hours a turn may last."""
    return TURN_HOURS[table.options.tempo]


def give_turn_back(table: Table) -> Iterator[Entry]:
    """Gives seats back to those for whom a computer player has taken the one turn whose time was over."""
    if table.is_by_turns:
        for number, seat in enumerate(table.seats):
            if seat.kind == "person" and seat.lent and seat.lent_why == "clock" and number != table.turn:
                yield GaveBack(seat=number)
