"""Who owns a table: the owner hands it over, or another player takes it over from an owner who is gone."""

from collections.abc import Iterator

from mulligan.server.wire.commands import HandOver
from mulligan.server.wire.events import HostChanged

from .log_entries import Entry
from .rights import Asker, Refusal, must_be_long_away, must_be_seat, must_own
from .table import Table


def hand_over(table: Table, asker: Asker, command: HandOver) -> Iterator[Entry]:
    """Makes the person of a seat the owner. Raises Refusal."""
    must_own(table, asker)
    must_be_seat(table, command.seat)
    if table.seats[command.seat].kind != "person":
        raise Refusal("not_seated")
    if table.seats[command.seat].guest != table.owner:
        yield HostChanged(seat=command.seat)


def take_over(table: Table, asker: Asker) -> Iterator[Entry]:
    """Makes the asker the owner, if the owner is gone. Raises Refusal."""
    seats = table.held_by(asker.guest)
    if not seats:
        raise Refusal("not_seated")
    if asker.guest != table.owner:
        must_be_long_away(table, asker)
        yield HostChanged(seat=seats[0])
