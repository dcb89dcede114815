"""Who may do what at a table, and how a refusal is put."""

from collections.abc import Callable, Collection
from typing import Any, NamedTuple

from ..players import NAMES
from ..variants import Variant
from .messages import NAME_LENGTH
from .table import Table


class Refusal(ValueError):
    """Why something may not be: a code, and what it speaks of, for the client to put into words."""

    def __init__(self, error: str, **params: Any) -> None:
        super().__init__(error, params)
        self.error = error
        self.params = params


class Asker(NamedTuple):
    """Who gives a command, who is connected just now, where seeds of 32 bytes come from, and the time."""

    guest: str
    present: Collection[str]
    seed: Callable[[], bytes]
    now: float  # seconds since 1970


def must_be_seat(table: Table, seat: int) -> None:
    if not 0 <= seat < len(table.seats):
        raise Refusal("no_such_seat", seat=seat)


def must_hold(table: Table, asker: Asker, seat: int) -> None:
    must_be_seat(table, seat)
    if seat not in table.held_by(asker.guest):
        raise Refusal("not_your_seat", seat=seat)


def must_own(table: Table, asker: Asker) -> None:
    if asker.guest != table.owner:
        raise Refusal("not_owner")


def must_be_seated(table: Table, asker: Asker) -> None:
    """The owner may have no seat, and still lead the table on."""
    if asker.guest != table.owner and not table.held_by(asker.guest):
        raise Refusal("not_seated")


def must_lead(table: Table, asker: Asker) -> None:
    """The owner leads; while he is away, so that nobody waits for ever, anybody seated does."""
    if table.owner in asker.present:
        must_own(table, asker)
    else:
        must_be_seated(table, asker)


def must_be_full(table: Table) -> None:
    if empty := [number for number, seat in enumerate(table.seats) if seat.kind == "open"]:
        raise Refusal("seats_open", seats=empty)


def raise_seat_count(variant: Variant, seats: int) -> None:
    raise Refusal("wrong_seat_count", least=variant.seats[0], most=variant.seats[-1], seats=seats)


def must_be_player(name: str) -> None:
    if name not in NAMES:
        raise Refusal("no_such_player", player=name[:NAME_LENGTH])


def may_be_advised(table: Table) -> bool:
    """Whether there are hints: while one person plays, and only computer players with him, from the first deal on."""
    computers = sum(seat.kind == "computer" for seat in table.seats)
    return table.is_playing and not table.together and table.people == 1 and computers == len(table.seats) - 1
