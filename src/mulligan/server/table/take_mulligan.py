"""Opens and restarts practice tables, which play on from a position of a finished match.

Known cards keep their places. Unseen cards are shuffled again, so the old hidden cards stay secret. The
match is this one hole and can be repeated. Its pack has no commitment and does not count in statistics.
"""

from collections.abc import Callable, Iterable, Iterator

import msgspec

from mulligan.players.roster import STAND_IN
from mulligan.server.wire.coach import MulliganRequest
from mulligan.server.wire.events import DealerDrawn, Dealt, HoleOver, Resumed, Started, TookBack
from mulligan.server.wire.tables import SeatRequest, TableOptions
from mulligan.server.wire.view import Practice, Step

from .log_entries import Entry, Opened, Position, Secret
from .rights import Refusal, must_be_player
from .table import Table


def begin(table: Table, seed: Callable[[], bytes]) -> Iterator[Entry]:
    """Restarts from the position: replays its steps, then shuffles the unseen cards."""
    position = table.position
    assert position is not None
    yield Started(match=table.match + 1)
    yield DealerDrawn(seat=position.dealer)
    yield Dealt(
        hole=1,
        playoff=0,
        dealer=position.dealer,
        seats=list(range(len(table.seats))),
        first_discard=position.first_discard,
    )
    yield from position.steps
    yield Secret(seed=seed().hex())
    yield Resumed()


def opened(
    source: Iterable[Entry], game: str, match: int, wish: MulliganRequest, guest: str, start: Table | None = None
) -> Opened:
    """Returns the first entry of a practice table for a position of a match, without the table's codes.

    Raises Refusal if there is no such position or no such seat in it.
    """
    table, dealt, steps = position_of(source, start or Table(), match, wish.hole, wish.step)
    if wish.seat not in dealt.seats:
        raise Refusal("no_such_seat", seat=wish.seat)
    if wish.player:
        must_be_player(wish.player)
    place = {player: seat for seat, player in enumerate(dealt.seats)}
    before = table.position.practice if table.position else None
    practice = Practice(
        game=game,
        hole=wish.hole,
        step=wish.step,
        name=before.name if before else dealt.hole,
        playoff=before.playoff if before else dealt.playoff,
    )
    seats = []
    for player in dealt.seats:
        seat = table.seats[player]
        if player == wish.seat:
            seats.append(SeatRequest(kind="me", name=seat.name))
        else:
            computer = seat.player if seat.kind == "computer" else wish.player or STAND_IN
            seats.append(SeatRequest(kind="computer", name=seat.name, player=computer))
    return Opened(
        table="",
        watch="",
        game=table.variant.name,
        owner=guest,
        seats=seats,
        options=TableOptions(pace=wish.pace),
        rules=table.variant.text,
        house_rules=table.house_rules,
        position=Position(
            practice=practice,
            dealer=place[dealt.dealer],
            first_discard=dealt.first_discard,
            steps=[replaced(step, place[step.seat]) for step in steps],
        ),
    )


def replaced(step: Step, seat: int) -> Step:
    return msgspec.structs.replace(step, seat=seat)


def position_of(
    source: Iterable[Entry], table: Table, match: int, hole: int, step: int
) -> tuple[Table, Dealt, list[Step]]:
    """Returns the table at the end of the hole, its deal, and its first `step` steps. Raises Refusal."""
    steps: list[Step] = []
    for entry in source:
        table.apply(entry)
        if table.match != match or table.dealt is None or table.dealt.hole != hole:
            continue
        if isinstance(entry, Dealt):
            steps = []
        elif isinstance(entry, Step):
            steps.append(entry)
        elif isinstance(entry, TookBack):
            steps.pop()
        elif isinstance(entry, HoleOver) and 0 <= step < len(steps):
            return table, table.dealt, steps[:step]
    raise Refusal("no_such_position", hole=hole, step=step)
