"""The match at a table: the draw for the deal, the holes, and every move."""

from collections.abc import Callable, Iterator
from typing import Any

from .. import shuffle
from ..engine import match as matches
from ..engine.compiled import fresh
from ..engine.match import MATCH
from ..engine.moves import play, turn_up
from ..engine.state import HIDDEN, NOBODY, NOTHING, Phase
from ..notation import write_face, write_slot
from . import practice
from .entries import Entry, Secret
from .messages import (
    AddSeed,
    DealerDrawn,
    Dealt,
    Drew,
    GivenUp,
    HoleOver,
    MatchOver,
    Play,
    Revealed,
    Sat,
    Sealed,
    SeedAdded,
    Start,
    Started,
    Step,
    TakeBack,
    TookBack,
    Unsealed,
)
from .pack import Deal
from .rights import Asker, Refusal, must_be_full, must_be_player, must_be_seated, must_hold, must_lead
from .seats import computer_name
from .table import RESTS, Table, match_id

MOST_SEEDS = 24  # added to one pack


def start(table: Table, asker: Asker, command: Start) -> Iterator[Entry]:
    must_lead(table, asker)
    if table.phase != "lobby":
        raise Refusal("not_now", phase=table.phase)
    if command.fill:
        must_be_player(command.fill)
    else:
        must_be_full(table)
    return start_full(table, asker, command.fill)


def start_full(table: Table, asker: Asker, fill: str) -> Iterator[Entry]:
    for number, seat in enumerate(table.seats):
        if seat.kind == "open":
            yield Sat(seat=number, name=computer_name(table, fill), kind="computer", player=fill)
    yield from begin_match(table, asker.seed)


def rematch(table: Table, asker: Asker) -> Iterator[Entry]:
    must_be_seated(table, asker)
    if table.phase != "over":
        raise Refusal("not_now", phase=table.phase)
    must_be_full(table)
    yield from practice.begin(table, asker.seed) if table.position else begin_match(table, asker.seed)


def begin_match(table: Table, seed: Callable[[], bytes]) -> Iterator[Entry]:
    """Everybody draws for the deal until one alone is lowest, each round from the whole pack (2.1)."""
    yield Started(match=table.match + 1)
    if table.sealed is None:  # a log of wire version 1
        yield from seal(match_id(table.watch, table.match), 0, seed)
    assert table.sealed is not None
    sealed, rules = table.sealed, table.rules
    draw: Any = fresh(MATCH)
    matches.begin_match(rules, draw, len(table.seats))
    round_number = 0
    while draw.dealer == NOBODY:
        round_number += 1
        pack = iter(sealed.shuffled(rules.copies, f"draw {round_number}"))
        for player in range(len(table.seats)):
            if draw.at_table[player]:
                draw.drawn[player] = next(pack)
                face = write_face(table.variant, int(draw.drawn[player]))
                yield Drew(round=round_number, seat=player, face=face)
        matches.compare_draw(rules, draw)
    yield Unsealed(game=sealed.game, hole=0, seed=sealed.seed.hex())
    yield DealerDrawn(seat=int(draw.dealer))
    yield from seal(table.match_id, 1, seed)


def seal(game: str, hole: int, seed: Callable[[], bytes]) -> Iterator[Entry]:
    """The next pack is fixed, and only then may players add to it."""
    secret = seed()
    yield Secret(seed=secret.hex())
    yield Sealed(game=game, hole=hole, commitment=shuffle.commitment(secret))


def must_be_on_turn(table: Table, asker: Asker, seat: int) -> None:
    if not table.is_playing:
        raise Refusal("not_now", phase=table.phase)
    if seat != table.turn:
        raise Refusal("not_your_turn", seat=table.turn)
    must_hold(table, asker, seat)


def play_move(table: Table, asker: Asker, command: Play) -> Iterator[Entry]:
    must_be_on_turn(table, asker, command.seat)
    if table.seats[command.seat].lent:
        raise Refusal("not_your_turn", seat=command.seat)
    if command.move not in table.legal():
        raise Refusal("not_legal", rule=broken_rule(table, command.move), allowed=table.legal(), move=command.move[:8])
    yield from step(table, table.read_move(command.move), asker.seed)


def broken_rule(table: Table, move: str) -> str:
    """The rule that forbids a move here and now."""
    phase = table.playing.sight.phase
    if phase == Phase.TEE_OFF:
        return "2.4"
    if phase == Phase.TAKE:
        return "3.1"
    if phase == Phase.FLIP:
        return "3.4" if move == "." else "3.3"
    if move == "-":
        return "3.5" if table.rules.may_throw_away else "3.3"
    return "3.2"


def step(table: Table, move: int, seed: Callable[[], bytes]) -> Iterator[Entry]:
    """A legal step of the player on turn; the last of a hole brings on the reveal and the reckoning."""
    assert table.game is not None
    assert table.dealt is not None
    hole, seats = table.playing, table.dealt.seats
    before, turn = hole.sight, table.turn
    assert turn is not None
    face, phase = table.next_face(move), before.phase
    after = hole.state.copy()
    play(table.rules, after, move)
    if after["awaited"] != NOTHING and after["phase"] == phase:
        turn_up(table.rules, after, face)
    on_layout = 0 <= move < len(table.variant.slots)
    placed = phase == Phase.PLACE and on_layout
    yield Step(
        seat=turn,
        phase=RESTS[phase],
        move=table.write_move(move),
        face=table.face(before.held if placed else face),
        went=table.face(face) if phase == Phase.PLACE else None,
        from_hidden=placed and before.layouts[before.turn][move] == HIDDEN,
        closed=bool(before.closer == NOBODY and after["closer"] != NOBODY),
        renewed=bool(after["stock_left"] > before.stock_left),
    )
    while hole.sight.phase == Phase.REVEAL:
        slot = write_slot(table.variant, hole.sight.awaited)
        face = table.lying.lying(hole.turn, hole.sight.awaited)
        yield Revealed(seat=seats[hole.turn], slot=slot, face=write_face(table.variant, face))
    if hole.is_over:
        points = dict(zip(seats, hole.points, strict=True))
        yield HoleOver(
            hole=table.dealt.hole,
            playoff=table.dealt.playoff,
            points=[points.get(player) for player in range(len(table.seats))],
        )
        yield from unseal(table)
        if table.game.is_over:
            yield MatchOver(winners=table.game.winners, totals=table.game.totals, game=table.match_id)
            yield from seal_next(table, seed)
        else:
            yield from seal(table.match_id, table.next_hole, seed)


def unseal(table: Table) -> Iterator[Entry]:
    """The seed is shown: of the hole that was dealt, or of the next one where none is being played."""
    sealed = table.sealed or (table.cards.seal if isinstance(table.cards, Deal) else None)
    if sealed:  # logs of wire version 1 sealed nothing
        yield Unsealed(game=sealed.game, hole=sealed.hole, seed=sealed.seed.hex())


def give_up(table: Table, seed: Callable[[], bytes]) -> Iterator[Entry]:
    """The match ends without a winner; what was sealed is shown."""
    yield GivenUp(hole=table.dealt.hole if table.dealt else 0)
    yield from unseal(table)
    yield from seal_next(table, seed)


def seal_next(table: Table, seed: Callable[[], bytes]) -> Iterator[Entry]:
    """The draw for the next match is sealed as this one ends; in practice nobody draws."""
    if table.position is None:
        yield from seal(match_id(table.watch, table.match + 1), 0, seed)


def end_match(table: Table, asker: Asker) -> Iterator[Entry]:
    must_lead(table, asker)
    if table.phase in ("lobby", "over"):
        raise Refusal("not_now", phase=table.phase)
    yield from give_up(table, asker.seed)


def add_seed(table: Table, asker: Asker, command: AddSeed) -> Iterator[Entry]:
    """A player's device adds to the sealed pack; what comes too late or twice is no fault of the player's."""
    must_hold(table, asker, command.seat)
    if not shuffle.ADDED.fullmatch(command.seed):
        raise Refusal("bad_seed")
    sealed = table.sealed
    if sealed and asker.guest not in sealed.stirrers and len(sealed.added) < MOST_SEEDS:
        yield SeedAdded(seat=command.seat, seed=command.seed)


def take_back(table: Table, asker: Asker, command: TakeBack) -> Iterator[Entry]:
    must_be_on_turn(table, asker, command.seat)
    if not table.may_take_back():
        raise Refusal("nothing_to_take_back")
    last = table.playing.steps[-1]
    yield TookBack(seat=command.seat, move=table.write_move(last.move), face=write_face(table.variant, last.face))


def next_hole(table: Table, asker: Asker) -> Iterator[Entry]:
    must_be_seated(table, asker)
    if table.phase not in ("draw", "reckoning"):
        raise Refusal("not_now", phase=table.phase)
    yield from deal(table, asker.seed)


def deal(table: Table, seed: Callable[[], bytes]) -> Iterator[Entry]:
    """The pack is shuffled and the next hole dealt (2.2, 2.3)."""
    assert table.game is not None
    if table.sealed is None:  # a log of wire version 1
        yield from seal(table.match_id, table.next_hole, seed)
    assert table.sealed is not None
    pack = table.sealed.shuffled(table.rules.copies, "pack")
    first_discard = pack[len(table.game.at_table) * int(table.rules.slots)]
    yield Dealt(
        hole=table.next_hole,
        playoff=table.playoff(table.next_hole),
        dealer=table.game.dealer,
        seats=table.game.at_table,
        first_discard=write_face(table.variant, first_discard),
    )
