"""Rebuilds a finished match from its table's log: the score card, the record and every position."""

from collections.abc import Iterable, Iterator
from typing import Any

from mulligan.server.wire.events import Dealt, Event, HoleOver, MatchOver, Resumed, Revealed, Started, TookBack
from mulligan.server.wire.finished import FinishedGame, FinishedHole, FinishedSeat, Frame, HoleReplay
from mulligan.server.wire.view import Step

from .log_entries import Entry
from .shuffles import Notes, record_of
from .table import Table
from .view import view


def read(
    entries: Iterable[Entry], match: int, start: Table | None = None
) -> tuple[FinishedGame, dict[str, Any]] | None:
    """Returns the score card and the record of a match, or None if it is not finished.

    The entries begin where the match starts if `start` is the table there, else with the log.
    """
    table = start or Table()
    notes = Notes(table)
    holes: list[int] = []
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
        elif isinstance(entry, MatchOver):
            shuffles = {} if table.real_cards else {"shuffles": record_of(notes, entry.game)}
            return card_of(table, entry, holes), table.record() | {"id": entry.game} | shuffles
    return None


def card_of(table: Table, over: MatchOver, frames: list[int]) -> FinishedGame:
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
            FinishedHole(hole=number, playoff=table.playoff(number), frames=count)
            for number, count in enumerate(frames, 1)
        ],
        practice=table.position.practice if table.position else None,
        real_cards=table.real_cards,
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


def scenes(entries: Iterable[Entry], table: Table) -> Iterator[tuple[Table, list[Event]]]:
    """Yields the table after each group of events; the same table object is then changed further."""
    what: list[Event] = []
    for entry in entries:
        if isinstance(entry, Dealt | Step | TookBack | Started) and what:
            yield table, what
            what = []
        table.apply(entry)
        if isinstance(entry, Dealt | Resumed | Step | TookBack | Revealed | HoleOver | MatchOver):
            what.append(entry)
    if what:
        yield table, what
