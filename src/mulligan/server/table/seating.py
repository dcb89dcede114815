"""Seat changes: sitting down, leaving, lending and filling seats."""

from collections.abc import Iterator

from mulligan.players.roster import STAND_IN
from mulligan.server.wire.commands import FillSeat, GiveBack, Leave, Lend, Remove, Sit
from mulligan.server.wire.events import GaveBack, Left, Lent, Sat, SeatGone

from .log_entries import Entry, Held, Readmitted, Removed
from .names import check_name, free_name
from .rights import Asker, Refusal, must_be_player, must_be_seat, must_hold, must_lead, must_own, raise_seat_count
from .table import Table
from .time_limits import Wait


def sit(table: Table, asker: Asker, command: Sit) -> Iterator[Entry]:
    """Takes an open seat. Raises Refusal."""
    if asker.guest in table.removed:
        raise Refusal("removed")
    seat = command.seat
    if seat == -1:
        seat = next((number for number, other in enumerate(table.seats) if other.kind == "open"), -1)
        if seat == -1:
            raise Refusal("table_full")
    must_be_seat(table, seat)
    if table.seats[seat].kind != "open":
        full = all(other.kind != "open" for other in table.seats)
        raise Refusal("table_full") if full else Refusal("seat_taken", seat=seat)
    name = check_name(command.name, names_of(table))
    yield Held(seat=seat, guest=asker.guest)
    yield Sat(seat=seat, name=name, kind="person")


def leave(table: Table, asker: Asker, command: Leave) -> Iterator[Entry]:
    must_hold(table, asker, command.seat)
    yield Left(seat=command.seat, name=table.seats[command.seat].name)


def remove(table: Table, asker: Asker, command: Remove) -> Iterator[Entry]:
    """Removes a player from the table. Raises Refusal."""
    must_own(table, asker)
    must_be_seat(table, command.seat)
    seat = table.seats[command.seat]
    if seat.kind != "open":
        if seat.kind == "person" and seat.guest != table.owner:
            yield Removed(guest=seat.guest)
        yield Left(seat=command.seat, name=seat.name)
        return
    if table.phase != "lobby":
        raise Refusal("not_now", phase=table.phase)
    if len(table.seats) <= table.rules.least_seats:
        raise_seat_count(table.variant, len(table.seats) - 1)
    yield SeatGone(seat=command.seat)


def shut_out(table: Table, guest: str) -> Iterator[Entry]:
    """Removes a guest from all their seats; the operator of the server has banned them."""
    yield Removed(guest=guest)
    for seat in table.held_by(guest):
        yield Left(seat=seat, name=table.seats[seat].name)


def readmit(table: Table, asker: Asker) -> Iterator[Entry]:
    must_own(table, asker)
    if table.removed:
        yield Readmitted()


def fill_seat(table: Table, asker: Asker, command: FillSeat) -> Iterator[Entry]:
    """Puts a computer player on an open seat. Raises Refusal."""
    must_lead(table, asker)
    must_be_seat(table, command.seat)
    must_be_player(command.player)
    if table.seats[command.seat].kind != "open":
        raise Refusal("seat_taken", seat=command.seat)
    taken = names_of(table)
    name = check_name(command.name, taken) if command.name else computer_name(table, command.player)
    yield Sat(seat=command.seat, name=name, kind="computer", player=command.player)


def lend(table: Table, asker: Asker, command: Lend) -> Iterator[Entry]:
    """Lets a computer player play for the asker, or for an absent player if the asker leads. Raises Refusal."""
    must_be_seat(table, command.seat)
    seat = table.seats[command.seat]
    player = command.player or STAND_IN
    must_be_player(player)
    if seat.kind == "computer" or seat.lent or (seat.kind == "open" and not seat.left):
        raise Refusal("seat_taken", seat=command.seat)
    if seat.guest != asker.guest or seat.left:
        must_lead(table, asker)
        if seat.guest in asker.present:
            raise Refusal("not_absent", seat=command.seat)
    yield Lent(seat=command.seat, player=player)


def stand_in(table: Table, wait: Wait) -> Iterator[Entry]:
    """After a timeout, lets a computer player play for a player who is slow, absent or has left."""
    assert wait.seat is not None
    yield Lent(seat=wait.seat, player=STAND_IN, why="clock" if wait.why == "turn" else "absent")


def give_back(table: Table, asker: Asker, command: GiveBack) -> Iterator[Entry]:
    """Ends the loan of a seat. Raises Refusal."""
    must_be_seat(table, command.seat)
    seat = table.seats[command.seat]
    if seat.guest != asker.guest:
        must_own(table, asker)
    if not seat.lent:
        raise Refusal("seat_taken", seat=command.seat)
    yield GaveBack(seat=command.seat)


def computer_name(table: Table, player: str) -> str:
    """Returns a computer player's name that is free at this table: Greedy, Greedy 2, …"""
    return free_name(player.capitalize(), names_of(table))


def names_of(table: Table) -> list[str]:
    """Returns the names in use; names of players who left are free."""
    return [seat.name for seat in table.seats if seat.kind != "open"]
