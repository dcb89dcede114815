"""Chooses another game for a table between two matches: people, computer players, links and wins stay."""

from collections.abc import Iterator

from mulligan.game.variants import Variant
from mulligan.server.wire.commands import Next
from mulligan.server.wire.events import GameChosen, SeatGone

from .house_rules import variant_entered
from .log_entries import Entry, Ruled
from .rights import Asker, Refusal, is_between_matches, must_own, raise_seat_count
from .table import Table


def choose_game(table: Table, asker: Asker, command: Next) -> Iterator[Entry]:
    """Chooses a game, house rules and a number of holes. Raises Refusal."""
    must_own(table, asker)
    if table.position or table.real_cards:
        raise Refusal("practice_only" if table.position else "real_cards")
    if not is_between_matches(table):
        raise Refusal("not_now", phase=table.phase)
    variant = variant_entered(command.game, command.house_rules, table.language)
    for seat in surplus(table, variant):
        yield SeatGone(seat=seat)
    yield Ruled(rules=variant.text)
    yield GameChosen(game=variant.name, house_rules=dict(variant.match), holes=command.holes)


def surplus(table: Table, variant: Variant) -> list[int]:
    """Returns the seats that are too many for a game, the last first: open ones, then computer players'.

    Raises Refusal if there are too few seats, or too many people.
    """
    count = len(table.seats) - variant.seats[-1]
    kinds = ("open", "computer")
    spare = [at for kind in kinds for at, seat in reversed([*enumerate(table.seats)]) if seat.kind == kind]
    if count > len(spare) or len(table.seats) < variant.seats[0]:
        raise_seat_count(variant, len(table.seats) - (len(spare) if count > 0 else 0))
    return sorted(spare[: max(0, count)], reverse=True)
