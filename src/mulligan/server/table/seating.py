"""Seat changes: sitting down, leaving, lending and filling seats."""

from collections.abc import Iterator

from mulligan.players.roster import STAND_IN
from mulligan.server.wire.base import AWAY_SECONDS, STILL_SECONDS
from mulligan.server.wire.commands import FillSeat, GiveBack, Leave, Lend, OpenSeat, PlayOn, Remove, Rename, Sit
from mulligan.server.wire.events import Agreed, GaveBack, HereAgain, Left, Lent, Renamed, Sat, SeatGone

from .log_entries import Entry, Held, Readmitted, Removed
from .names import check_name, free_name
from .new_link import linked, must_have_links_left
from .rights import (
    Asker,
    Refusal,
    is_between_matches,
    is_here,
    must_be_player,
    must_be_seat,
    must_be_seated,
    must_hold,
    must_lead,
    must_own,
    raise_seat_count,
)
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


def rename(table: Table, asker: Asker, command: Rename) -> Iterator[Entry]:
    """Gives a seated person another name; finished matches keep the one they had. Raises Refusal."""
    must_hold(table, asker, command.seat)
    own = table.seats[command.seat]
    name = check_name(command.name, [seat.name for seat in table.seats if seat.kind != "open" and seat is not own])
    if name != own.name:
        yield Renamed(seat=command.seat, name=name)


def leave(table: Table, asker: Asker, command: Leave) -> Iterator[Entry]:
    must_hold(table, asker, command.seat)
    yield Left(seat=command.seat, name=table.seats[command.seat].name)


def remove(table: Table, asker: Asker, command: Remove) -> Iterator[Entry]:
    """Removes a player from the table. Raises Refusal."""
    must_own(table, asker)
    must_be_seat(table, command.seat)
    seat = table.seats[command.seat]
    if seat.kind != "open":
        renew = command.renew and seat.kind == "person"
        if renew:
            must_have_links_left(table, watch=True)
        if seat.kind == "person" and seat.guest != table.owner:
            yield Removed(guest=seat.guest)
        yield Left(seat=command.seat, name=seat.name)
        if renew:
            yield from linked(table, asker.seed, watch=True)
        return
    if table.phase != "lobby":
        raise Refusal("not_now", phase=table.phase)
    if len(table.seats) <= table.rules.least_seats:
        raise_seat_count(table.variant, len(table.seats) - 1)
    yield SeatGone(seat=command.seat)


def open_seat(table: Table, asker: Asker, command: OpenSeat) -> Iterator[Entry]:
    """Opens a seat for someone else, whose guest may sit down again as anyone may. Raises Refusal."""
    must_own(table, asker)
    must_be_seat(table, command.seat)
    seat = table.seats[command.seat]
    if seat.kind == "open":
        raise Refusal("seat_taken", seat=command.seat)
    if seat.kind == "person":
        if not is_between_matches(table):
            raise Refusal("not_now", phase=table.phase)
        if asker.away(seat.guest) < AWAY_SECONDS:
            raise Refusal("not_long_absent", minutes=AWAY_SECONDS // 60)
    yield Left(seat=command.seat, name=seat.name)


def shut_out(table: Table, guest: str) -> Iterator[Entry]:
    """Removes a guest from all their seats; the operator of the server has banned them."""
    yield Removed(guest=guest)
    yield from leave_for_good(table, guest)


def leave_for_good(table: Table, guest: str) -> Iterator[Entry]:
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
    is_mine = seat.guest == asker.guest and not seat.left
    if not is_mine:
        must_lead(table, asker)
        if table.is_by_turns and not seat.left:
            raise Refusal("by_turns")
        if seat.guest in asker.present:
            raise Refusal("not_absent", seat=command.seat)
    yield Lent(seat=command.seat, player=player, why="asked" if is_mine or seat.left else "absent")


def play_on(table: Table, asker: Asker, command: PlayOn) -> Iterator[Entry]:
    """Agrees to play on without a person, and lends their seat when enough do. Raises Refusal."""
    must_be_seated(table, asker)
    must_be_seat(table, command.seat)
    if table.phase in ("lobby", "over"):
        raise Refusal("not_now", phase=table.phase)
    if table.is_by_turns:
        raise Refusal("by_turns")
    seat = table.seats[command.seat]
    if seat.kind != "person" or seat.lent:
        raise Refusal("seat_taken", seat=command.seat)
    is_still = command.seat == table.turn and asker.still >= STILL_SECONDS
    if seat.guest == asker.guest or (is_here(asker, seat.guest) and not is_still):
        raise Refusal("not_absent", seat=command.seat)
    for by in table.held_by(asker.guest):
        if by not in table.agreed.get(command.seat, ()):
            yield Agreed(seat=command.seat, by=by)
    here = {other.guest for other in table.seats if other.kind == "person" and is_here(asker, other.guest)}
    here = here - {seat.guest} | {asker.guest}
    agreed = {table.seats[by].guest for by in table.agreed.get(command.seat, ())} & here
    if asker.guest == table.owner or 2 * len(agreed) > len(here):
        yield Lent(seat=command.seat, player=STAND_IN, why="agreed")


def come_back(table: Table, seat: int, was_here: bool) -> Iterator[Entry]:
    """Gives a person who is here their seat back, unless they lent it themselves; if they were here before, only one
    that was lent in their absence.
    """
    held = table.seats[seat]
    if seat in table.agreed and not was_here:
        yield HereAgain(seat=seat)
    if held.lent and (held.lent_why == "absent" or (held.lent_why != "asked" and not was_here)):
        yield GaveBack(seat=seat)


def stand_in(table: Table, wait: Wait) -> Iterator[Entry]:
    """After a timeout, lets a computer player play for a player who is slow, absent or has left."""
    assert wait.seat is not None
    yield Lent(seat=wait.seat, player=STAND_IN, why="clock" if wait.why in ("turn", "days") else "absent")


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
