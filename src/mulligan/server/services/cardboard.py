"""Games with real cards: converts the moves that users enter into the log of a table.

Views, hints, replays and analyses therefore work as for other games. Nothing is stored until the user saves the
game as a finished match.
"""

from typing import Any, NamedTuple

import msgspec

from mulligan.engine.chance import stock_bag
from mulligan.engine.state import Phase
from mulligan.game.draft import HoleWritten as RecordedHole
from mulligan.game.draft import Moment, Wrong, follow
from mulligan.game.hole import Game, Hole, record_hole
from mulligan.game.notation import write_face, write_piece, write_slot
from mulligan.game.position import TableError, set_table
from mulligan.game.variants import Variant, for_seats
from mulligan.server.table.house_rules import variant_with
from mulligan.server.table.log_entries import Entry, Opened, decode, encode, is_public
from mulligan.server.table.names import check_name
from mulligan.server.table.rights import Refusal, must_be_player, raise_seat_count
from mulligan.server.table.steps import PHASE_NAMES, event_of
from mulligan.server.table.table import Table, match_id
from mulligan.server.table.view import view
from mulligan.server.wire.base import MovePhase
from mulligan.server.wire.cardboard import Awaited, CardboardGame, CardboardPosition, CardboardTable, HoleWritten
from mulligan.server.wire.events import DealerDrawn, Dealt, HoleOver, MatchOver, Started
from mulligan.server.wire.tables import SeatRequest, TableOptions

MOST_HOLES = 40  # including play-off holes
MOST_MOVES = 4000  # in all holes; eight players who never close make a few hundred per hole
HERE = ("",)  # players at a real table count as present


class Following(NamedTuple):
    """A game with its log, and the index in the log where the last entered move begins."""

    game: Game
    log: list[Entry]
    latest: int
    pieces: list[list[str]]  # by hole


def follow_entered(entered: CardboardGame, holes: int = 0) -> Following:
    """Returns the log of an entered game, without the table's codes.

    With `holes`, the match ends after that many, and tied players share it.

    Raises Refusal, which names the first impossible move and the reason.
    """
    opened = opening(entered, holes)
    table = Table([opened])
    log: list[Entry] = [opened, Started(match=1), DealerDrawn(seat=entered.dealer)]
    latest, place = len(log), (0, 0)
    pieces: list[list[str]] = []
    game = Game(table.variant, [seat.name for seat in table.seats], entered.dealer)
    written = [RecordedHole(hole.first_discard, hole.moves, hole.reveal) for hole in entered.holes]
    try:
        for moment in follow(game, written):
            if place != (moment.number, moment.text):
                latest, place = len(log), (moment.number, moment.text)
            log.append(entry_of(game, table, moment))
            if moment.number > len(pieces):
                pieces.append([])
            if moment.outcome.step.phase != Phase.DEAL:
                pieces[-1].append(write_piece(game.variant, moment.outcome.step))
            if moment.hole.is_over:
                points = dict(zip(game.at_table, moment.hole.points, strict=True))
                by_seat = [points.get(player) for player in range(len(game.players))]
                log.append(HoleOver(hole=moment.number, playoff=table.playoff(moment.number), points=by_seat))
    except Wrong as wrong:
        raise refusal_of(wrong) from None
    if game.is_over:
        log.append(MatchOver(winners=game.winners, totals=game.totals, game=""))
    return Following(game, log, latest, pieces)


def opening(entered: CardboardGame, holes: int) -> Opened:
    """Returns the first entry of the game's table, whose seats no guest holds. Raises Refusal."""
    variant = variant_with(entered.game, entered.house_rules)
    if len(entered.players) not in variant.seats:
        raise_seat_count(variant, len(entered.players))
    if not 0 <= entered.dealer < len(entered.players):
        raise Refusal("no_such_seat", seat=entered.dealer)
    if len(entered.holes) > MOST_HOLES or sum(len(hole.moves) for hole in entered.holes) > MOST_MOVES:
        raise Refusal("game_too_long")
    names: list[str] = []
    for name in entered.players:
        names.append(check_name(name, names))
    computers = entered.computers or [""] * len(names)
    if len(computers) != len(names):
        raise_seat_count(variant, len(computers))
    for player in filter(None, computers):
        must_be_player(player)
    return Opened(
        table="",
        watch="",
        game=variant.name,
        owner="",
        seats=[
            SeatRequest(kind="computer" if player else "me", name=name, player=player)
            for name, player in zip(names, computers, strict=True)
        ],
        options=TableOptions(),
        rules=variant.text,
        house_rules=dict(variant.match),
        real_cards=True,
        on_device=entered.computers is not None,
        holes=holes,
    )


def refusal_of(wrong: Wrong) -> Refusal:
    """Returns the refusal for an impossible move; `why` is a key of the referee's messages, with its parameters."""
    where = {"hole": wrong.hole, "number": wrong.number, "text": wrong.text[:20]}
    return Refusal("wrong_move", why=wrong.key, **where, **wrong.params)


def entry_of(game: Game, table: Table, moment: Moment) -> Entry:
    """Converts a step into an entry of the log."""
    step = moment.outcome.step
    if step.phase == Phase.DEAL:
        return Dealt(
            hole=moment.number,
            playoff=table.playoff(moment.number),
            dealer=game.dealer,
            seats=game.at_table,
            first_discard=write_face(game.variant, step.face),
        )
    return event_of(game.variant, moment.outcome, game.at_table[step.seat])


def table_entered(entered: CardboardGame) -> CardboardTable:
    """Returns the state of the table after all entered moves. Raises Refusal."""
    game, log, latest, pieces = follow_entered(entered)
    hole, awaited = game.hole, None
    stock: dict[str, int] = {}
    unseen: dict[str, int] = {}
    if hole is not None:
        stock, unseen = counts(game.variant, stock_bag(hole.state)), counts(game.variant, hole.state.unseen)
        if hole.awaits_card:
            awaited = Awaited(seat=game.at_table[hole.turn], slot=write_slot(game.variant, hole.sight.awaited))
    records = [*game.holes, *([] if hole is None else [as_far_as(game, hole)])]
    return CardboardTable(
        view=view(Table(log), HERE),
        what=[entry for entry in log[latest:] if is_public(entry)],
        awaited=awaited,
        stock=stock,
        unseen=unseen,
        dealer=game.dealer,
        seats=game.at_table,
        holes=[HoleWritten(**record, pieces=own) for record, own in zip(records, pieces, strict=True)],
    )


def as_far_as(game: Game, hole: Hole) -> dict[str, Any]:
    """Returns an unfinished hole in the format of a record."""
    return record_hole(game.variant, hole.steps, game.dealer, game.at_table, []) | {"points": None}


def counts(variant: Variant, bag: Any) -> dict[str, int]:
    """Returns how many cards of each face are in a bag."""
    return {face: int(bag[number]) for number, face in enumerate(variant.faces)}


def position_entered(entered: CardboardPosition) -> tuple[Variant, Any]:
    """Returns the variant and state of an entered position. Raises Refusal with the reason if it is impossible."""
    variant = for_seats(variant_with(entered.game, entered.house_rules), len(entered.layouts))
    try:
        return variant, set_table(
            variant,
            entered.layouts,
            entered.discard,
            entered.turn,
            entered.held,
            entered.taken,
            entered.discarded,
            entered.closer,
            entered.gone,
        )
    except TableError as error:
        raise Refusal("impossible_table", why=error.key, **error.params) from None


def deciding(entered: CardboardGame) -> tuple[Game, Hole]:
    """Returns the game and its hole if a player must choose a move. Raises Refusal."""
    game = follow_entered(entered).game
    if game.hole is None or not game.hole.legal_moves():
        raise Refusal("nothing_to_decide")
    return game, game.hole


def phase_of(state: Any) -> MovePhase:
    return PHASE_NAMES[int(state.phase)]


def finished_log(entered: CardboardGame) -> list[Entry]:
    """Returns the complete log of a table with the finished holes, without the table's codes.

    A match ended early ends with its last hole. Raises Refusal if no hole is finished.
    """
    followed = follow_entered(entered)
    game = followed.game
    if not game.holes:
        raise Refusal("no_hole_over")
    if game.is_over:
        return followed.log
    over = min(len(game.holes), int(game.variant.rules.holes))
    return follow_entered(msgspec.structs.replace(entered, holes=entered.holes[:over]), over).log


def under(log: list[bytes], code: str, watch: str) -> list[bytes]:
    """Returns such a log, as it is written, with the codes of its table: the first and the last entry have them."""
    opened, over = decode(log[0]), decode(log[-1])
    assert isinstance(opened, Opened)
    assert isinstance(over, MatchOver)
    named = msgspec.structs.replace(opened, table=code, watch=watch)
    return [encode(named), *log[1:-1], encode(msgspec.structs.replace(over, game=match_id(watch, 1)))]
