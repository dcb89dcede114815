"""Take a mulligan: a table for practice plays on from a position of a finished game.

The cards that lay open lie open again. Those nobody had seen are shuffled anew, so what comes is as
likely as it was then, and nobody learns what lay there. The match is that one hole, as often as
somebody likes. No pack was sealed for it: there is no shuffle to check, and nothing is counted.
"""

from collections.abc import Callable, Iterable, Iterator

from ..players import STAND_IN
from .coaching import MulliganWish
from .entries import Entry, Opened, Position, Secret
from .messages import (
    DealerDrawn,
    Dealt,
    HoleOver,
    Practice,
    Resumed,
    SeatWish,
    Started,
    Step,
    TableOptions,
    TookBack,
)
from .rights import Refusal, must_be_player
from .table import Table


def begin(table: Table, seed: Callable[[], bytes]) -> Iterator[Entry]:
    """Once more from that position: the hole is led up to it, and only then shuffled."""
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


def opened(source: Iterable[Entry], game: str, match: int, wish: MulliganWish, guest: str) -> Opened:
    """The first entry of a table that plays on from that position of that match; its codes are still to come.

    Raises Refusal where there is no such position, or no such seat in it.
    """
    table, dealt, steps = position_of(source, match, wish.hole, wish.step)
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
            seats.append(SeatWish(kind="me", name=seat.name))
        else:
            computer = seat.player if seat.kind == "computer" else wish.player or STAND_IN
            seats.append(SeatWish(kind="computer", name=seat.name, player=computer))
    return Opened(
        table="",
        watch="",
        game=table.variant.name,
        owner=guest,
        seats=seats,
        options=TableOptions(pace=wish.pace),
        rules=table.variant.text,
        position=Position(
            practice=practice,
            dealer=place[dealt.dealer],
            first_discard=dealt.first_discard,
            steps=[replaced(step, place[step.seat]) for step in steps],
        ),
    )


def replaced(step: Step, seat: int) -> Step:
    return Step(seat, step.phase, step.move, step.face, step.went, step.from_hidden, step.closed, step.renewed)


def position_of(source: Iterable[Entry], match: int, hole: int, step: int) -> tuple[Table, Dealt, list[Step]]:
    """The table as that hole ended, its deal, and so many of its steps. Raises Refusal."""
    table = Table([])
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
