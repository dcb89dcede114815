"""Someone at the door of a table asks to play in place of a computer player, or says which seat is theirs.

Those who lead the table answer. A seat goes to its person's other device if the owner says yes or, while the owner is
away or has lost the seat themselves, more than half of the players who are here.
"""

from collections.abc import Iterator

from mulligan.server.wire.base import AWAY_SECONDS
from mulligan.server.wire.commands import AnswerKnock, Knock
from mulligan.server.wire.events import Left, Sat

from .log_entries import Entry, Held, Moved
from .names import check_name, free_name
from .rights import Asker, Caller, Refusal, is_here, must_be_seat, must_lead
from .seating import come_back, names_of
from .table import Table


def at_door(table: Table, asker: Asker, command: Knock) -> Caller:
    """Returns who knocks, with a cleaned name. Raises Refusal if they need not or may not."""
    guest = asker.guest
    if guest in table.removed:
        raise Refusal("removed")
    if command.seat is not None:
        must_be_seat(table, command.seat)
    is_full = all(seat.kind != "open" for seat in table.seats)
    if table.held_by(guest) or (command.seat is None and not is_full):
        raise Refusal("not_now", phase=table.phase)
    if command.seat is None:
        return Caller(guest, check_name(command.name, names_of(table)))
    seat = table.seats[command.seat]
    if seat.kind != "person":
        raise Refusal("not_now", phase=table.phase)
    must_be_for_others(table, asker, seat.guest)
    return Caller(guest, seat.name, person=seat.guest)


def must_be_for_others(table: Table, asker: Asker, person: str) -> None:
    """Raises Refusal if a person is present, or too shortly away for a single other player to give their seat away.

    At a table by turns only its owner can.
    """
    if person in asker.present:
        raise Refusal("seat_taken", seat=table.held_by(person)[0])
    is_alone = not table.is_by_turns and table.owner not in asker.present and len(players_here(table, asker)) < 2
    if is_alone and asker.away(person) < AWAY_SECONDS:
        raise Refusal("claim_too_early", minutes=AWAY_SECONDS // 60)


def players_here(table: Table, asker: Asker) -> set[str]:
    return {seat.guest for seat in table.seats if seat.kind == "person" and is_here(asker, seat.guest)}


def answer_knock(table: Table, asker: Asker, command: AnswerKnock) -> Iterator[Entry]:
    """Seats someone who knocks, if the answer is yes and decides. Raises Refusal."""
    caller = asker.knocks.get(command.knock)
    if caller and caller.guest == asker.guest and not command.yes:
        return  # they take it back
    must_lead(table, asker)
    if not caller or caller.guest in table.removed or table.held_by(caller.guest):
        raise Refusal("no_such_knock")
    if caller.person and not table.held_by(caller.person):
        raise Refusal("no_such_knock")
    if not decided(table, asker, caller, command.yes):
        return
    if caller.person:
        yield from give_seat(table, asker, caller)
    else:
        yield from make_room(table, caller)


def decided(table: Table, asker: Asker, caller: Caller, yes: bool) -> bool | None:
    """Returns what becomes of someone who knocks after this answer; None if others have to answer as well."""
    if not caller.person or asker.guest == table.owner:
        return yes
    here = players_here(table, asker) | {asker.guest}
    answers = answered(caller, asker.guest, yes)
    if 2 * len(answers.yes & here) > len(here):
        return True
    return False if 2 * len(answers.no & here) >= len(here) else None


def answered(caller: Caller, guest: str, yes: bool) -> Caller:
    """Returns the caller with one more answer, in place of the guest's earlier one."""
    others = caller._replace(yes=caller.yes - {guest}, no=caller.no - {guest})
    return others._replace(yes=others.yes | {guest}) if yes else others._replace(no=others.no | {guest})


def give_seat(table: Table, asker: Asker, caller: Caller) -> Iterator[Entry]:
    """Moves a person's seats and rights at this table to the one who says that they are this person. Raises Refusal."""
    must_be_for_others(table, asker, caller.person)
    yield Moved(guest=caller.person, to=caller.guest)
    if is_here(asker, caller.guest):
        for seat in table.held_by(caller.guest):
            yield from come_back(table, seat, was_here=False)


def make_room(table: Table, caller: Caller) -> Iterator[Entry]:
    """Seats a guest on an open seat, or on a computer player's. Raises Refusal."""
    free = [at for kind in ("open", "computer") for at, seat in enumerate(table.seats) if seat.kind == kind]
    if not free:
        raise Refusal("table_full")
    seat = table.seats[free[0]]
    if seat.kind == "computer":
        yield Left(seat=free[0], name=seat.name)
    yield Held(seat=free[0], guest=caller.guest)
    yield Sat(seat=free[0], name=free_name(caller.name, names_of(table)), kind="person")
