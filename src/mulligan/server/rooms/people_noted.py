"""Notes, together with a table's log, who has a seat there, was let in, and played which match."""

from collections.abc import Callable, Iterable, Sequence

from mulligan.server.store.knocks import knock_ends
from mulligan.server.store.people import Played, moves, plays, sits
from mulligan.server.store.ways import has_other_host, lets_in
from mulligan.server.store.writer import Work
from mulligan.server.table.log_entries import Done, Entry, Held, Moved, Opened
from mulligan.server.table.table import Table
from mulligan.server.wire.events import HostChanged, MatchOver

NOTED = frozenset((Opened, Held, Moved, MatchOver, HostChanged))


def people_in(table: Table, entries: Sequence[Entry], clock: Callable[[], float]) -> Work:
    """Returns what notes the people of entries that have just been applied to a table."""
    work: Work = []
    for entry in entries:
        if type(entry) in NOTED:  # for most moves, nothing
            work += people_of(table, entry, clock()) + door_of(table, entry, entries)
    return work


def door_of(table: Table, entry: Entry, entries: Sequence[Entry]) -> Work:
    """Returns what an entry is to those at the door of a table, and to whom they ask."""
    match entry:
        case Held(guest=guest) | Moved(to=guest):
            did_it = any(isinstance(one, Done) and one.guest == guest for one in entries)
            return knock_ends(table.code, guest) if did_it else lets_in(table.code, guest)
        case HostChanged():
            return has_other_host(table.code, table.owner)
    return []


def people_of(table: Table, entry: Entry, now: float) -> Work:
    match entry:
        case Opened():
            return sits(entry.owner, table.code)
        case Held():
            return sits(entry.guest, table.code)
        case Moved():
            return moves(entry.guest, entry.to, table.code)
        case MatchOver() if not table.position:
            return [
                statement
                for number, seat in enumerate(table.seats)
                if seat.kind == "person" and seat.guest
                for statement in plays(seat.guest, Played(table.code, entry.game, number, now))
            ]
    return []


def people_of_log(entries: Iterable[Entry], opened: float) -> Work:
    """Returns the same of a whole log, whose matches count as played when the table was opened. Raises BrokenLog."""
    table = Table()
    work: Work = []
    for entry in entries:
        table.let_happen(entry)
        if type(entry) in NOTED:
            work += people_of(table, entry, opened)
    return work
