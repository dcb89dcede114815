"""Builds the view message. All clients get the same one, so it contains no hidden card (2.2)."""

from collections.abc import Collection, Iterable
from copy import copy
from functools import lru_cache
from typing import Any
from weakref import WeakKeyDictionary

from mulligan.engine.state import Phase as Rest
from mulligan.game.hole import Hole, Sight
from mulligan.game.notation import write_slot
from mulligan.game.score_parts import Part as Explained
from mulligan.game.score_parts import explain_hole
from mulligan.game.variants import Variant
from mulligan.server.wire.base import PartKind, Phase, Where
from mulligan.server.wire.events import Dealt
from mulligan.server.wire.view import Held, Part, SeatView, View

from .rights import may_be_advised
from .seat import Seat
from .steps import faces_text
from .table import Table

SEATS: WeakKeyDictionary[Table, "Seats"] = WeakKeyDictionary()  # in the latest views
KINDS: dict[str, PartKind] = {"5.1": "cards", "5.2": "line", "5.3": "line", "5.6": "penalty"}


def view(table: Table, present: Collection[str] = (), elsewhere: Collection[str] = ()) -> View:
    """Returns the visible state of the table. `present` contains the connected guests, `elsewhere` those of them whose
    pages are all hidden.
    """
    hole, dealt = table.hole, table.dealt
    sight = hole.sight if hole else None
    phase: Phase = table.phase
    number = dealt.hole if dealt else 0
    closer = dealt.seats[sight.closer] if dealt and sight and sight.closer >= 0 else None
    discards = table.discards[-2:] if hole else []
    return View(
        watch=table.watch,
        game=table.variant.name,
        match=table.match,
        phase=phase,
        hole=number,
        length=table.holes,
        playoff=table.playoff(number),
        dealer=dealt.dealer if dealt else table.game.dealer if table.game else None,
        turn=table.turn,
        closer=closer,
        last_turns=table.is_playing and closer is not None,
        stock_left=sight.stock_left if sight else 0,
        discard=table.face(discards[-1]) if discards else None,
        discard_below=table.face(discards[-2]) if len(discards) > 1 else None,
        held=held(table, sight) if sight and phase == "place" else None,
        may_take_back=table.may_take_back(),
        legal=table.legal(),
        latest=table.latest,
        seats=seats(table, present, elsewhere),
        draws=list(table.draws),
        card=list(table.card),
        winners=list(table.winners),
        given_up=table.given_up,
        finished=list(table.finished),
        options=table.options,
        hints=may_be_advised(table),
        practice=table.position.practice if table.position else None,
        house_rules=table.house_rules,
        stood_in={n: seat.stood_in for n, seat in enumerate(table.seats) if seat.stood_in and not seat.lent},
        agreed={seat: list(by) for seat, by in table.agreed.items()},
    )


def held(table: Table, sight: Sight) -> Held:
    return Held(face=table.variant.faces[sight.held], pile="S" if sight.held_from_stock else "D")


def is_present(seat: Seat, present: Collection[str]) -> bool:
    return seat.kind == "computer" or seat.guest in present


def where(seat: Seat, present: Collection[str], elsewhere: Collection[str]) -> Where:
    if not is_present(seat, present):
        return "away"
    return "elsewhere" if seat.guest in elsewhere else "here"


class Seats:
    """The views of all seats. A step changes the layout of one seat at most, and nothing else of any."""

    def __init__(self, table: Table, present: Collection[str], elsewhere: Collection[str]) -> None:
        self.made_of = made_of(table, present, elsewhere)
        self.views = [view_person(table, number, seat, present, elsewhere) for number, seat in enumerate(table.seats)]
        self.seen: list[Any] = [None] * len(self.views)  # what the layouts were made from

    def look(self, table: Table, hole: Hole, dealt: Dealt) -> None:
        """Makes the layouts that have changed."""
        sight = hole.sight
        is_over = sight.phase == Rest.OVER
        for place, number in enumerate(dealt.seats):
            seen = (sight.layouts[place], sight.hidden[place], is_over)
            if self.seen[number] != seen:
                self.seen[number] = seen
                self.views[number] = seat = copy(self.views[number])
                seat.layout = faces_text(table.variant, seen[0][: len(table.variant.slots)])
                seat.hidden = seen[1]
                seat.so_far = hole.open_cost(place)
                if is_over:
                    seat.points = sight.points[place]
                    seat.score_parts = score_parts(hole, tuple(dealt.seats), number)


def made_of(table: Table, present: Collection[str], elsewhere: Collection[str]) -> tuple[Any, ...]:
    return table.settled, set(present), set(elsewhere)


def seats(table: Table, present: Collection[str], elsewhere: Collection[str]) -> list[SeatView]:
    kept = SEATS.get(table)
    if kept is None or kept.made_of != made_of(table, present, elsewhere):
        kept = SEATS[table] = Seats(table, present, elsewhere)
    if table.hole is not None and table.dealt is not None:
        kept.look(table, table.hole, table.dealt)
    return list(kept.views)


def view_person(
    table: Table, number: int, seat: Seat, present: Collection[str], elsewhere: Collection[str]
) -> SeatView:
    return SeatView(
        name=seat.name,
        kind=seat.kind,
        player=seat.player,
        here=bool(seat.guest) and any(other.guest == seat.guest for other in table.seats if other is not seat),
        owner=bool(seat.guest) and seat.guest == table.owner,
        present=where(seat, present, elsewhere),
        lent=seat.lent,
        left=seat.name if seat.left else "",
        ready=number in table.ready,
        at_table=table.hole is not None and table.dealt is not None and number in table.dealt.seats,
        layout=[],
        hidden=0,
        so_far=None,
        points=None,
        total=sum(line.points[number] or 0 for line in table.card if not line.playoff),
        wins=seat.wins,
        score_parts=None,
        who=table.who(seat.guest),
        substitute=seat.substitute,
    )


@lru_cache(maxsize=1000)  # each entry after a hole makes new views of all seats
def score_parts(hole: Hole, seats: tuple[int, ...], player: int) -> list[Part]:
    """Returns the parts of a player's score in a finished hole."""
    variant, seat = hole.variant, seats.index(player)
    layout = hole.sight.layouts[seat]
    parts = explain_hole(variant, hole.state, seat).parts
    before = sum(part.points for part in parts if part.rule != "5.6")
    return parts_of(variant, layout, parts, beaten_by(hole, seats, player, before))


def parts_of(variant: Variant, layout: list[int], parts: Iterable[Explained], lower: list[int]) -> list[Part]:
    """Converts the parts of a score into messages; `lower` are the players with fewer points than the closer (5.6)."""
    written = []
    for part in parts:
        kind = KINDS.get(part.rule, "bonus")
        faces = [layout[slot] for slot in part.slots] if kind == "cards" else [part.face] * (kind != "penalty")
        written.append(
            Part(
                kind=kind,
                rule=part.rule,
                points=part.points,
                slots=[write_slot(variant, slot) for slot in part.slots],
                faces=[variant.faces[face] for face in faces],
                lines=len(part.lines),
                beaten_by=lower if kind == "penalty" else [],
            )
        )
    return written


def beaten_by(hole: Hole, seats: tuple[int, ...], closer: int, before: int) -> list[int]:
    """Returns the players with fewer points than the closer had before the penalty (5.6)."""
    points = zip(seats, hole.points, strict=True)
    return [player for player, cost in points if player != closer and cost < before]
