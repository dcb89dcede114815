"""Games with real cards: whatever people tell of their table becomes the log of a table like any other.

So a position, a hint, a replay and an analysis are those of every game. Nothing is kept of a game that is
still told; one that is handed over to be gone through is kept as any finished game is.
"""

from typing import Any, NamedTuple

from ..engine.chance import stock_bag
from ..engine.state import HIDDEN, NOBODY
from ..engine.state import Phase as Rest
from ..game import Game, Hole, record_hole
from ..notation import write_face, write_slot
from ..positions import TableError, set_table
from ..variants import Variant, load
from ..written import HoleWritten as Told
from ..written import Moment, Wrong, follow, write_pieces
from .entries import Entry, Opened, is_public
from .facts import games
from .kitchen import Awaited, CardboardGame, CardboardPosition, CardboardTable, HoleWritten
from .messages import DealerDrawn, Dealt, HoleOver, MatchOver, Revealed, SeatWish, Started, Step, TableOptions
from .names import check_name
from .rights import Refusal, raise_seat_count
from .table import MOVES, RESTS, Table, match_id
from .view import view

MOST_HOLES = 40  # play-off holes among them
MOST_MOVES = 4000  # in all holes; eight players who never close come to a few hundred a hole
HERE = ("",)  # whoever sits at a real table is there


class Following(NamedTuple):
    """A game followed through: the log it makes, and where in it the last thing told begins."""

    game: Game
    log: list[Entry]
    latest: int
    pieces: list[list[str]]  # by hole


def variant_told(name: str) -> Variant:
    if name not in games():
        raise Refusal("no_such_game", game=name[:20], games=games())
    return load(name)


def follow_told(told: CardboardGame, code: str = "", watch: str = "", holes: int = 0) -> Following:
    """The log of a game told; with `holes` the match is over after so many, and level players share it.

    Raises Refusal, which names the first move that cannot be, and why.
    """
    opened = opening(told, code, watch, holes)
    table = Table([opened])
    log: list[Entry] = [opened, Started(match=1), DealerDrawn(seat=told.dealer)]
    latest, place = len(log), (0, 0)
    pieces: list[list[str]] = []
    game = Game(table.variant, [seat.name for seat in table.seats], told.dealer)
    written = [Told(hole.first_discard, hole.moves, hole.reveal) for hole in told.holes]
    try:
        for moment in follow(game, written):
            if place != (moment.number, moment.text):
                latest, place = len(log), (moment.number, moment.text)
            log.append(entry_of(game, table, moment))
            if moment.number > len(pieces):
                pieces.append([])
            pieces[-1] += write_pieces(game.variant, [moment.step])
            if moment.hole.is_over:
                points = dict(zip(game.at_table, moment.hole.points, strict=True))
                by_seat = [points.get(player) for player in range(len(game.players))]
                log.append(HoleOver(hole=moment.number, playoff=table.playoff(moment.number), points=by_seat))
    except Wrong as wrong:
        raise refusal_of(wrong) from None
    if game.is_over:
        log.append(MatchOver(winners=game.winners, totals=game.totals, game=match_id(watch, 1)))
    return Following(game, log, latest, pieces)


def opening(told: CardboardGame, code: str, watch: str, holes: int) -> Opened:
    """How the table of a game told was set up: real people, who hold no seat of this server. Raises Refusal."""
    variant = variant_told(told.game)
    if len(told.players) not in variant.seats:
        raise_seat_count(variant, len(told.players))
    if not 0 <= told.dealer < len(told.players):
        raise Refusal("no_such_seat", seat=told.dealer)
    if len(told.holes) > MOST_HOLES or sum(len(hole.moves) for hole in told.holes) > MOST_MOVES:
        raise Refusal("game_too_long")
    names: list[str] = []
    for name in told.players:
        names.append(check_name(name, names))
    return Opened(
        table=code,
        watch=watch,
        game=variant.name,
        owner="",
        seats=[SeatWish(kind="me", name=name) for name in names],
        options=TableOptions(),
        rules=variant.text,
        real_cards=True,
        holes=holes,
    )


def refusal_of(wrong: Wrong) -> Refusal:
    """Which move cannot be and why: `why` is a key of what the referee says, with all its sentence names."""
    where = {"hole": wrong.hole, "number": wrong.number, "text": wrong.text[:20]}
    return Refusal("wrong_move", why=wrong.key, **where, **wrong.params)


def entry_of(game: Game, table: Table, moment: Moment) -> Entry:
    """A step as the log of a table tells it."""
    variant, before, after = game.variant, moment.before, moment.hole.sight
    _, phase, move, number = moment.step
    face = None if number == HIDDEN else write_face(variant, number)
    if phase == Rest.DEAL:
        return Dealt(
            hole=moment.number,
            playoff=table.playoff(moment.number),
            dealer=game.dealer,
            seats=game.at_table,
            first_discard=str(face),
        )
    seat = game.at_table[moment.step.seat]
    if phase == Rest.REVEAL:
        return Revealed(seat=seat, slot=write_slot(variant, move), face=str(face))
    placed = phase == Rest.PLACE and 0 <= move < len(variant.slots)
    return Step(
        seat=seat,
        phase=RESTS[phase],
        move=MOVES.get(move) or write_slot(variant, move),
        face=write_face(variant, before.held) if placed else face,
        went=face if phase == Rest.PLACE else None,
        from_hidden=placed and before.layouts[before.turn][move] == HIDDEN,
        closed=before.closer == NOBODY and after.closer != NOBODY,
        renewed=after.stock_left > before.stock_left,
    )


def table_told(told: CardboardGame) -> CardboardTable:
    """The table after all that was told. Raises Refusal."""
    game, log, latest, pieces = follow_told(told)
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
    """An unfinished hole as it would stand in a record."""
    return record_hole(game.variant, hole.steps, game.dealer, game.at_table, []) | {"points": None}


def counts(variant: Variant, bag: Any) -> dict[str, int]:
    """How many of each face there are."""
    return {face: int(bag[number]) for number, face in enumerate(variant.faces)}


def position_told(told: CardboardPosition) -> tuple[Variant, Any]:
    """The state of a table as it lies. Raises Refusal, which says why none can lie like that."""
    variant = variant_told(told.game)
    try:
        return variant, set_table(
            variant,
            told.layouts,
            told.discard,
            told.turn,
            told.held,
            told.taken,
            told.thrown_away,
            told.closer,
            told.gone,
        )
    except TableError as error:
        raise Refusal("impossible_table", why=error.key, **error.params) from None


def deciding(told: CardboardGame) -> tuple[Game, Hole]:
    """The game told, where somebody is to choose a move. Raises Refusal."""
    game = follow_told(told).game
    if game.hole is None or not game.hole.legal_moves():
        raise Refusal("nothing_to_decide")
    return game, game.hole


def kept(told: CardboardGame) -> CardboardGame:
    """What can be gone through of a game told: its finished holes. Raises Refusal where there is none."""
    game = follow_told(told).game
    if not game.holes:
        raise Refusal("no_hole_over")
    over = len(game.holes) if game.is_over else min(len(game.holes), int(game.variant.rules.holes))
    return CardboardGame(told.game, told.players, told.dealer, told.holes[:over])


def log_of(told: CardboardGame, code: str, watch: str) -> list[Entry]:
    """The whole log of a table where that was played; a match that was left early ends with its last hole."""
    log = follow_told(told, code, watch).log
    if not isinstance(log[-1], MatchOver):
        log = follow_told(told, code, watch, len(told.holes)).log
    return log
