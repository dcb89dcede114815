"""Who sits where: sitting down, leaving, lending a seat and filling it."""

from collections.abc import Iterator

from ..players import STAND_IN
from .clocks import Wait
from .entries import Entry, Held
from .messages import FillSeat, GaveBack, GiveBack, Leave, Left, Lend, Lent, Remove, Sat, SeatGone, Sit
from .names import check_name, free_name
from .rights import (
    Asker,
    Refusal,
    must_be_player,
    must_be_seat,
    must_hold,
    must_lead,
    must_own,
    raise_seat_count,
)
from .table import Table


def sit(table: Table, asker: Asker, command: Sit) -> Iterator[Entry]:
    seat = command.seat
    if seat == -1:
        seat = next((number for number, other in enumerate(table.seats) if other.kind == "open"), -1)
        if seat == -1:
            raise Refusal("table_full")
    must_be_seat(table, seat)
    if table.seats[seat].kind != "open":
        full = all(other.kind != "open" for other in table.seats)
        raise Refusal("table_full") if full else Refusal("seat_taken", seat=seat)
    name = check_name(command.name, [other.name for other in table.seats])
    yield Held(seat=seat, guest=asker.guest)
    yield Sat(seat=seat, name=name, kind="person")


def leave(table: Table, asker: Asker, command: Leave) -> Iterator[Entry]:
    must_hold(table, asker, command.seat)
    yield Left(seat=command.seat, name=table.seats[command.seat].name)


def remove(table: Table, asker: Asker, command: Remove) -> Iterator[Entry]:
    must_own(table, asker)
    must_be_seat(table, command.seat)
    if table.seats[command.seat].kind != "open":
        yield Left(seat=command.seat, name=table.seats[command.seat].name)
        return
    if table.phase != "lobby":
        raise Refusal("not_now", phase=table.phase)
    if len(table.seats) <= table.rules.least_seats:
        raise_seat_count(table.variant, len(table.seats) - 1)
    yield SeatGone(seat=command.seat)


def fill_seat(table: Table, asker: Asker, command: FillSeat) -> Iterator[Entry]:
    must_lead(table, asker)
    must_be_seat(table, command.seat)
    must_be_player(command.player)
    if table.seats[command.seat].kind != "open":
        raise Refusal("seat_taken", seat=command.seat)
    taken = [seat.name for seat in table.seats]
    name = check_name(command.name, taken) if command.name else computer_name(table, command.player)
    yield Sat(seat=command.seat, name=name, kind="computer", player=command.player)


def lend(table: Table, asker: Asker, command: Lend) -> Iterator[Entry]:
    """Anybody may lend his own seat; who leads the table, the seat of somebody absent."""
    must_be_seat(table, command.seat)
    seat = table.seats[command.seat]
    player = command.player or STAND_IN
    must_be_player(player)
    if seat.kind != "person" or seat.lent:
        raise Refusal("seat_taken", seat=command.seat)
    if seat.guest != asker.guest:
        must_lead(table, asker)
        if seat.guest in asker.present:
            raise Refusal("not_absent", seat=command.seat)
    yield Lent(seat=command.seat, player=player)


def stand_in(table: Table, wait: Wait) -> Iterator[Entry]:
    """The time is up, and a computer player plays for who is absent or slow."""
    assert wait.seat is not None
    yield Lent(seat=wait.seat, player=STAND_IN, why="absent" if wait.why == "absent" else "clock")


def give_back(table: Table, asker: Asker, command: GiveBack) -> Iterator[Entry]:
    must_be_seat(table, command.seat)
    seat = table.seats[command.seat]
    if seat.guest != asker.guest:
        must_own(table, asker)
    if not seat.lent:
        raise Refusal("seat_taken", seat=command.seat)
    yield GaveBack(seat=command.seat)


def computer_name(table: Table, player: str) -> str:
    """A name nobody else has at this table: Greedy, Greedy 2, …"""
    return free_name(player.capitalize(), [seat.name for seat in table.seats])
