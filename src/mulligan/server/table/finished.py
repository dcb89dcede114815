"""Rebuilds a finished match from its table's log: the score card, the record and every position."""

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from typing import Any

from mulligan.server.wire.events import (
    Dealt,
    Event,
    GameChosen,
    HoleOver,
    MatchOver,
    Resumed,
    Revealed,
    SeatGone,
    Started,
    TookBack,
)
from mulligan.server.wire.finished import FinishedGame, FinishedHole, FinishedSeat, Frame, HoleReplay
from mulligan.server.wire.view import Step

from .log_entries import Entry
from .shuffles import Notes, record_of
from .table import Table
from .view import view

MOST_FRAMES = 100  # of what happened meanwhile, the latest


def read(
    entries: Iterable[Entry], match: int, start: Table | None = None
) -> tuple[FinishedGame, dict[str, Any]] | None:
    """Returns the score card and the record of a match, or None if it is not finished.

    The entries begin where the match starts if `start` is the table there, else with the log.
    """
    table = start or Table()
    notes = Notes(table)
    holes: list[int] = []
    equal: list[list[int | None]] = []
    for entry in entries:
        table.apply(entry)
        notes.take(table, entry)
        if table.match != match:
            continue
        if isinstance(entry, Dealt):
            holes.append(0)
        if isinstance(entry, Dealt | Step):
            holes[-1] += 1
        elif isinstance(entry, TookBack):
            holes[-1] -= 1
        elif isinstance(entry, HoleOver):
            equal.append(most_equal(table))
        elif isinstance(entry, MatchOver):
            shuffles = {} if table.real_cards else {"shuffles": record_of(notes, entry.game)}
            return card_of(table, entry, holes, equal), table.record() | {"id": entry.game} | shuffles
    return None


def most_equal(table: Table) -> list[int | None]:
    """Returns how many cards of one face each seat has at most at the end of a hole, or None if they sat it out."""
    assert table.hole
    assert table.dealt
    most: list[int | None] = [None] * len(table.seats)
    for place, seat in enumerate(table.dealt.seats):
        layout = table.hole.sight.layouts[place][: len(table.variant.slots)]
        most[seat] = max(Counter(layout).values())
    return most


def card_of(table: Table, over: MatchOver, frames: list[int], equal: list[list[int | None]]) -> FinishedGame:
    return FinishedGame(
        id=over.game,
        game=table.variant.name,
        watch=table.watch,
        match=table.match,
        length=int(table.rules.holes),
        seats=[
            FinishedSeat(name=seat.name, kind=seat.kind, player=seat.player, total=total)
            for seat, total in zip(table.seats, over.totals, strict=True)
        ],
        card=list(table.card),
        totals=over.totals,
        winners=over.winners,
        holes=[
            FinishedHole(hole=number, playoff=table.playoff(number), frames=count, equal=most)
            for number, (count, most) in enumerate(zip(frames, equal, strict=True), 1)
        ],
        practice=table.position.practice if table.position else None,
        real_cards=table.real_cards and not table.on_device,
        on_device=table.on_device,
        house_rules=table.house_rules,
        facts=table.facts,
    )


def replay(entries: Iterable[Entry], game: str, match: int, hole: int, start: Table | None = None) -> HoleReplay | None:
    """Returns every position of one hole, from the deal to the scoring, or None if it was not finished."""
    frames: list[Frame] = []
    for table, what in scenes(entries, start or Table()):
        if table.match == match and table.dealt and table.dealt.hole == hole:
            if isinstance(what[0], TookBack):
                frames.pop()
            else:
                frames.append(Frame(what=what, view=view(table)))
            if any(isinstance(event, HoleOver) for event in what):
                return HoleReplay(id=game, hole=hole, frames=frames)
    return None


def meanwhile(entries: Sequence[Entry], match: int, seat: int, start: Table | None = None) -> list[Frame]:
    """Returns what happened between the last two turns of a seat's person, or since the last one if others have moved:
    the position before, then those after each step, of this hole and the one before at most.

    What a computer player does for a person in their absence is no move of theirs.
    """
    frames: list[Frame] = []
    mine: Frame | None = None  # after the person's last step, if nobody has moved since
    earlier = sum(isinstance(entry, Dealt) for entry in entries) - 2  # holes, before those that may be shown
    for table, what in scenes(entries, start or Table()):
        is_dealt = isinstance(what[0], Dealt)
        earlier -= is_dealt
        if table.match != match or earlier >= 0:
            continue
        if isinstance(what[0], Step | TookBack) and what[0].seat == seat and not table.seats[seat].stood_in:
            mine = Frame(what=[], view=view(table))
        elif isinstance(what[0], TookBack):
            frames = frames[:-1]
        else:
            frames, mine = [mine] if mine else frames, None
            frames.append(Frame(what=what, view=view(table)))
    return frames[-MOST_FRAMES:]


def scenes(entries: Iterable[Entry], table: Table) -> Iterator[tuple[Table, list[Event]]]:
    """Yields the table after each group of events; the same table object is then changed further."""
    what: list[Event] = []
    for entry in entries:
        if isinstance(entry, Dealt | Step | TookBack | Started | SeatGone | GameChosen) and what:
            yield table, what
            what = []
        table.apply(entry)
        if isinstance(entry, Dealt | Resumed | Step | TookBack | Revealed | HoleOver | MatchOver):
            what.append(entry)
    if what:
        yield table, what
