"""Checks what a guest may do at a table. Refusals are raised as exceptions."""

from collections.abc import Callable, Collection, Mapping
from typing import Any, NamedTuple

from mulligan.game.variants import Variant
from mulligan.players.roster import PLAYERS, now_called
from mulligan.server.wire.base import AWAY_SECONDS, LONG_AWAY_SECONDS, NAME_LENGTH

from .table import Table


class Refusal(ValueError):
    """A refused command: an error code and its parameters, which the client translates."""

    def __init__(self, error: str, **params: Any) -> None:
        super().__init__(error, params)
        self.error = error
        self.params = params


class Caller(NamedTuple):
    """A guest at the door: would like to play under a name, or says that a seat is theirs.

    `person` is the guest who holds that seat, or ""; `yes` and `no` are the guests who have answered so.
    """

    guest: str
    name: str
    person: str = ""
    yes: frozenset[str] = frozenset()
    no: frozenset[str] = frozenset()


class Asker(NamedTuple):
    """The guest who sends a command, the connected guests, a source of 32-byte seeds, and the time.

    `away` returns for how many seconds a guest has been absent, as far as the server knows; 0 if present. `knocks` are
    those at the door, by number.
    `elsewhere` are the connected guests whose pages are all hidden.
    """

    guest: str
    present: Collection[str]
    seed: Callable[[], bytes]
    now: float  # seconds since 1970
    away: Callable[[str], float] = lambda guest: 0.0
    knocks: Mapping[int, Caller] = {}
    elsewhere: Collection[str] = ()
    still: float = 0.0  # seconds since the last move


def must_be_seat(table: Table, seat: int) -> None:
    """Raises Refusal if there is no such seat."""
    if not 0 <= seat < len(table.seats):
        raise Refusal("no_such_seat", seat=seat)


def must_hold(table: Table, asker: Asker, seat: int) -> None:
    """Raises Refusal if the asker does not hold the seat."""
    must_be_seat(table, seat)
    if seat not in table.held_by(asker.guest):
        raise Refusal("not_your_seat", seat=seat)


def must_own(table: Table, asker: Asker) -> None:
    """Raises Refusal if the asker is not the owner of the table."""
    if asker.guest != table.owner:
        raise Refusal("not_owner")


def is_at_home(table: Table, guest: str) -> bool:
    """True if the guest holds a seat or owns the table."""
    return guest == table.owner or bool(table.held_by(guest))


def must_be_seated(table: Table, asker: Asker) -> None:
    """Raises Refusal if the asker holds no seat and is not the owner."""
    if not is_at_home(table, asker.guest):
        raise Refusal("not_seated")


def must_lead(table: Table, asker: Asker) -> None:
    """Raises Refusal if the asker may not lead: only the owner may, or any seated guest while the owner is absent.

    At a table by turns the owner need not be there, and leads all the same.
    """
    if table.owner in asker.present or table.is_by_turns:
        must_own(table, asker)
    else:
        must_be_seated(table, asker)


def must_be_long_away(table: Table, asker: Asker) -> None:
    """Raises Refusal unless a seated guest may become the owner in place of one who is away."""
    is_needed = table.held_by(table.owner) and not is_between_matches(table)
    if asker.away(table.owner) < (LONG_AWAY_SECONDS if is_needed else AWAY_SECONDS):
        raise Refusal("host_not_gone", minutes=AWAY_SECONDS // 60, hours=LONG_AWAY_SECONDS // 3600)


def is_here(asker: Asker, guest: str) -> bool:
    """True if the guest is connected and has a page in front."""
    return guest in asker.present and guest not in asker.elsewhere


def is_between_matches(table: Table) -> bool:
    return table.phase in ("lobby", "over")


def must_be_full(table: Table) -> None:
    """Raises Refusal if a seat is open."""
    if empty := [number for number, seat in enumerate(table.seats) if seat.kind == "open" and not seat.lent]:
        raise Refusal("seats_open", seats=empty)


def raise_seat_count(variant: Variant, seats: int) -> None:
    """Raises Refusal: the game does not allow this number of players."""
    raise Refusal("wrong_seat_count", least=variant.seats[0], most=variant.seats[-1], seats=seats)


def must_be_player(name: str) -> None:
    """Raises Refusal if there is no such computer player."""
    if now_called(name) not in PLAYERS:
        raise Refusal("no_such_player", player=name[:NAME_LENGTH])


def may_be_advised(table: Table) -> bool:
    """True if hints are allowed: one person plays against computer players only, from the first deal on."""
    computers = sum(seat.kind == "computer" for seat in table.seats)
    return table.is_playing and not table.together and table.people == 1 and computers == len(table.seats) - 1
