"""Runs the match at a table: the draw for the deal, the holes and every move."""

from collections.abc import Callable, Collection, Iterator
from typing import Any

from mulligan.engine import match as matches
from mulligan.engine.compiled import fresh
from mulligan.engine.match import MATCH
from mulligan.engine.state import NOBODY, Phase
from mulligan.game import shuffle
from mulligan.game.notation import write_choice, write_face
from mulligan.players.roster import STAND_IN
from mulligan.server.wire.commands import AddSeed, NextHole, Play, Rematch, Start, TakeBack
from mulligan.server.wire.events import (
    DealerDrawn,
    Dealt,
    Drew,
    GivenUp,
    HoleOver,
    Lent,
    MatchOver,
    Ready,
    Sat,
    Sealed,
    SeedAdded,
    Started,
    TookBack,
    Unsealed,
)

from . import take_mulligan
from .by_turns import give_turn_back
from .log_entries import Entry, Secret
from .pack import Deal
from .rights import Asker, Refusal, must_be_full, must_be_player, must_be_seated, must_hold, must_lead
from .seating import computer_name
from .table import Table, match_id
from .time_limits import not_ready

MOST_SEEDS = 24  # for one pack


def must_be_dealable(table: Table, asker: Asker, command: Start | NextHole | Rematch) -> None:
    """Raises Refusal if a command that leads to a deal is not allowed now."""
    match command:
        case Start():
            must_be_startable(table, asker, command)
        case NextHole():
            must_be_between_holes(table, asker)
        case Rematch():
            must_be_repeatable(table, asker)


def must_be_startable(table: Table, asker: Asker, command: Start) -> None:
    """Raises Refusal if the asker may not start the match now."""
    must_lead(table, asker)
    if table.phase != "lobby":
        raise Refusal("not_now", phase=table.phase)
    if command.fill:
        must_be_player(command.fill)
    else:
        must_be_full(table)


def must_be_between_holes(table: Table, asker: Asker) -> None:
    """Raises Refusal if the asker may not be ready for the next hole now."""
    must_be_seated(table, asker)
    if table.phase not in ("draw", "hole_over"):
        raise Refusal("not_now", phase=table.phase)


def must_be_repeatable(table: Table, asker: Asker) -> None:
    """Raises Refusal if the asker may not be ready for another match now."""
    must_be_seated(table, asker)
    if table.phase != "over":
        raise Refusal("not_now", phase=table.phase)
    must_be_full(table)


def start(table: Table, asker: Asker, command: Start) -> Iterator[Entry]:
    """Starts the match. Raises Refusal."""
    must_be_startable(table, asker, command)
    return start_full(table, asker, command.fill)


def start_full(table: Table, asker: Asker, fill: str) -> Iterator[Entry]:
    for number, seat in enumerate(table.seats):
        if seat.kind == "open":
            yield Sat(seat=number, name=computer_name(table, fill), kind="computer", player=fill)
    yield from begin_match(table, asker.seed, asker.present)


def rematch(table: Table, asker: Asker) -> Iterator[Entry]:
    """Starts the next match at the same table. Raises Refusal."""
    must_be_repeatable(table, asker)
    if others_are_ready(table, asker):
        yield from play_again(table, asker.seed, asker.present, table.held_by(asker.guest))
    else:
        yield from say_ready(table, asker)


def play_again(
    table: Table, seed: Callable[[], bytes], present: Collection[str], joined: Collection[int] = ()
) -> Iterator[Entry]:
    """Starts another match with the same seats. A computer player plays for each person who has not joined yet, unless
    the table plays by turns.
    """
    for number, seat in enumerate(table.seats):
        has_joined = table.is_by_turns or number in table.ready or number in joined
        if seat.kind == "person" and not seat.lent and not has_joined:
            yield Lent(seat=number, player=STAND_IN, why="absent")
    if table.position:
        yield from take_mulligan.begin(table, seed)
    else:
        yield from begin_match(table, seed, present)


def others_are_ready(table: Table, asker: Asker) -> bool:
    return not not_ready(table, asker.present) - {asker.guest}


def say_ready(table: Table, asker: Asker) -> Iterator[Entry]:
    """Marks the player as ready for the next hole or match. Raises Refusal."""
    seats = table.held_by(asker.guest)
    if not seats:
        raise Refusal("not_seated")
    for seat in seats:
        if seat not in table.ready:
            yield Ready(seat=seat)


def begin_match(table: Table, seed: Callable[[], bytes], present: Collection[str]) -> Iterator[Entry]:
    """Starts a match: players draw until one has the single lowest card, each round from the whole pack (2.1)."""
    yield Started(match=table.match + 1, without_seed=without_seed(table, present))
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
    """Commits to the seed of the next pack; players can add their own seeds only afterwards."""
    secret = seed()
    yield Secret(seed=secret.hex())
    yield Sealed(game=game, hole=hole, commitment=shuffle.commitment(secret))


def must_be_on_turn(table: Table, asker: Asker, seat: int) -> None:
    """Raises Refusal if it is not the seat's turn or the asker does not hold it."""
    if not table.is_playing:
        raise Refusal("not_now", phase=table.phase)
    if seat != table.turn:
        raise Refusal("not_your_turn", seat=table.turn)
    must_hold(table, asker, seat)


def play_move(table: Table, asker: Asker, command: Play) -> Iterator[Entry]:
    """Plays a move. Raises Refusal."""
    must_be_on_turn(table, asker, command.seat)
    if table.seats[command.seat].lent:
        raise Refusal("not_your_turn", seat=command.seat)
    legal = table.legal()
    if command.move not in legal:
        raise Refusal("not_legal", rule=broken_rule(table, command.move), allowed=legal, move=command.move[:8])
    yield from step(table, table.playing.legal_moves()[legal.index(command.move)], asker.seed)


def broken_rule(table: Table, move: str) -> str:
    """Returns the number of the rule that forbids a move in the current phase."""
    phase = table.playing.sight.phase
    if phase == Phase.TEE_OFF:
        return "2.4"
    if phase == Phase.TAKE:
        return "4.2" if move == "." else "3.1"
    if phase == Phase.FLIP:
        return "3.4" if move == "." else "3.3"
    if move == "-":
        return "3.5" if table.rules.may_discard_drawn else "3.3"
    return "3.2"


def step(table: Table, move: int, seed: Callable[[], bytes]) -> Iterator[Entry]:
    """Plays a legal move; after the last one of a hole it also reveals the cards and scores the hole."""
    assert table.game is not None
    assert table.dealt is not None
    yield table.play(move)
    hole = table.playing
    while hole.sight.phase == Phase.REVEAL:
        yield table.play(hole.sight.awaited)
    if hole.is_over:
        points = dict(zip(table.dealt.seats, hole.points, strict=True))
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
    yield from give_turn_back(table)


def unseal(table: Table) -> Iterator[Entry]:
    """Reveals the sealed seed: of the hole that was dealt, or of the next one if no hole is being played."""
    sealed = table.sealed or (table.cards.seal if isinstance(table.cards, Deal) else None)
    if sealed:  # a practice table has no sealed pack
        yield Unsealed(game=sealed.game, hole=sealed.hole, seed=sealed.seed.hex())


def give_up(table: Table, seed: Callable[[], bytes]) -> Iterator[Entry]:
    """Ends the match without a winner and reveals the sealed seed."""
    yield GivenUp(hole=table.dealt.hole if table.dealt else 0)
    yield from unseal(table)
    yield from seal_next(table, seed)


def seal_next(table: Table, seed: Callable[[], bytes]) -> Iterator[Entry]:
    """Seals the draw for the next match as this one ends; practice tables have no draw."""
    if table.position is None:
        yield from seal(match_id(table.watch, table.match + 1), 0, seed)


def end_match(table: Table, asker: Asker) -> Iterator[Entry]:
    """Gives up the match. Raises Refusal."""
    must_lead(table, asker)
    if table.phase in ("lobby", "over"):
        raise Refusal("not_now", phase=table.phase)
    yield from give_up(table, asker.seed)


def add_seed(table: Table, asker: Asker, command: AddSeed) -> Iterator[Entry]:
    """Adds a device's seed to the sealed pack. Ignores late and repeated seeds, and those for another pack.

    Raises Refusal.
    """
    must_hold(table, asker, command.seat)
    if not shuffle.ADDED.fullmatch(command.seed):
        raise Refusal("bad_seed")
    sealed = table.sealed
    if sealed is None or command.commitment not in ("", sealed.commitment):
        return
    if asker.guest not in sealed.seed_givers and len(sealed.added) < MOST_SEEDS:
        yield SeedAdded(seat=command.seat, seed=command.seed)


def without_seed(table: Table, present: Collection[str]) -> list[int]:
    """Returns the seats of present players whose devices have not added a seed to the sealed pack."""
    sealed = table.sealed
    if sealed is None or len(sealed.added) >= MOST_SEEDS:
        return []
    waiting = set(present) - sealed.seed_givers
    return [number for number, seat in enumerate(table.seats) if seat.guest in waiting]


def take_back(table: Table, asker: Asker, command: TakeBack) -> Iterator[Entry]:
    """Takes back the last move if it revealed no card. Raises Refusal."""
    must_be_on_turn(table, asker, command.seat)
    if not table.may_take_back():
        raise Refusal("nothing_to_take_back")
    last, variant = table.playing.steps[-1], table.variant
    yield TookBack(seat=command.seat, move=write_choice(variant, last.move), face=write_face(variant, last.face))


def next_hole(table: Table, asker: Asker) -> Iterator[Entry]:
    """Deals the next hole. Raises Refusal."""
    must_be_between_holes(table, asker)
    if others_are_ready(table, asker):
        yield from deal(table, asker.present)
    else:
        yield from say_ready(table, asker)


def deal(table: Table, present: Collection[str]) -> Iterator[Entry]:
    """Shuffles the sealed pack and deals the next hole (2.2, 2.3)."""
    assert table.game is not None
    assert table.sealed is not None
    pack = table.sealed.shuffled(table.rules.copies, "pack")
    first_discard = pack[len(table.game.at_table) * int(table.rules.slots)]
    yield Dealt(
        hole=table.next_hole,
        playoff=table.playoff(table.next_hole),
        dealer=table.game.dealer,
        seats=table.game.at_table,
        first_discard=write_face(table.variant, first_discard),
        without_seed=without_seed(table, present),
    )
