"""A game as it is being written down at a real table: moves and halves of moves, as far as they go.

Whoever plays with real cards writes a move down piece by piece: `S7` when the card is drawn, `>b2x9` when
it is laid down, or `-` and `a2=5`. The pieces of a move, one after the other, are the move (docs/notation.md);
`.` leaves the last card face down. The first piece that cannot be is named, as the referee does.
"""

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any, NamedTuple

from .engine.state import DISCARD, HIDDEN, NOBODY, PASS, STOCK, THROW_AWAY, Phase
from .game import Game, Hole, Sight
from .inert import inert
from .notation import FACE, SLOT, NotationError, Step, as_array, read_face, read_move, read_slot, write_face, write_slot
from .objections import in_english, object_to
from .referee import Fault, expect, first_dealer, shorten, take, take_players, take_texts, variant_of
from .variants import Variant

TAKING = re.compile(rf"([SD])({FACE})")
PLACING = re.compile(rf">({SLOT})x({FACE})")
PASSING = Step(NOBODY, Phase.FLIP, PASS, HIDDEN)

ENGLISH = {
    "not_first_discard": "The first card of the discard pile has to be named before anybody plays (2.3).",
    "hole_unfinished": "Another hole follows, but this one is not over: some turns are missing (4.2).",
    "match_over": "The match is over already (6.1, 6.2).",
}


class Wrong(ValueError):
    """What is wrong with a game written down, in one sentence; `key` and `params` say it to programs.

    `hole` and `number` count from 1; number 0 is the first card of the discard pile.
    """

    def __init__(self, hole: int, number: int, text: str, key: str, params: Mapping[str, str | int], said: str) -> None:
        where = f"move {number}" + (f" ({shorten(text)})" if text else "") if number else "first_discard"
        super().__init__(f"hole {hole}, {where}: {said}")
        self.hole, self.number, self.text = hole, number, text
        self.key, self.params = key, params


class HoleWritten(NamedTuple):
    """A hole as far as it is written down; `reveal` by the players' numbers."""

    first_discard: str | None
    moves: Sequence[str]
    reveal: Mapping[str, Sequence[str]]


class Moment(NamedTuple):
    """A step, and the table before it, in the hole of that number. `text` counts the moves written; 0 is the deal."""

    number: int
    hole: Hole
    before: Sight
    step: Step
    text: int


def follow(game: Game, holes: Iterable[HoleWritten], before: int | None = None) -> Iterator[Moment]:
    """Plays a game through as far as it is written, entering each finished hole; the last may stop anywhere.

    `before` ends it just before that move of the last hole. Raises Wrong.
    """
    written = list(holes)
    for number, told in enumerate(written, 1):
        if game.is_over:
            raise Wrong(number, 0, "", "match_over", {}, ENGLISH["match_over"])
        if told.first_discard is None:
            if told.moves or told.reveal or number < len(written):
                raise Wrong(number, 0, "", "not_first_discard", {}, ENGLISH["not_first_discard"])
            return
        yield from follow_hole(game, number, told, before if number == len(written) else None)
        assert game.hole is not None
        if game.hole.is_over:
            game.finish_hole()
        elif number < len(written):
            raise Wrong(number, len(told.moves), "", "hole_unfinished", {}, ENGLISH["hole_unfinished"])


def follow_hole(game: Game, number: int, told: HoleWritten, before: int | None) -> Iterator[Moment]:
    variant, hole = game.variant, game.deal()
    place = 0, str(told.first_discard)

    def go(step: Step, name: str) -> Iterator[Moment]:
        sight = hole.sight
        if not hole.take(as_array([step])):
            against = object_to(variant, hole.state, step, name)
            raise Wrong(number, *place, against.key, against.params, in_english(variant, against))
        yield Moment(number, hole, sight, hole.steps[-1], place[0])

    def read(text: str) -> list[Step]:
        try:
            return pieces_of(variant, hole.sight, text)
        except NotationError as error:
            raise Wrong(number, *place, error.key, error.params, str(error)) from None

    try:
        yield from go(Step(NOBODY, Phase.DEAL, STOCK, read_face(variant, str(told.first_discard))), "")
    except NotationError as error:
        raise Wrong(number, *place, error.key, error.params, str(error)) from None
    for count, text in enumerate(told.moves, 1):
        place = count, text
        steps = read(text)
        if is_left(hole) and steps[0].phase != Phase.FLIP:
            yield from go(PASSING, "")  # `S11-` left the last card face down, since something else follows (3.4)
            steps = read(text)
        if count == before:
            return
        name = name_of(game, hole)
        for step in steps:
            yield from go(held(hole, step), name)
    while hole.sight.phase == Phase.REVEAL:
        player = str(game.at_table[hole.turn])
        slot = write_slot(variant, hole.sight.awaited)
        shown = next((text for text in told.reveal.get(player, ()) if text.startswith(f"{slot}=")), None)
        if shown is None:
            return
        place = len(told.moves), shown
        for step in read(shown):
            yield from go(step, name_of(game, hole))


def name_of(game: Game, hole: Hole) -> str:
    """Who is on turn, as a sentence may name him."""
    return "" if hole.turn == NOBODY else inert(game.players[game.at_table[hole.turn]])


def is_left(hole: Hole) -> bool:
    """Whether a card was thrown away, and the last one may stay face down (3.4)."""
    return hole.sight.phase == Phase.FLIP and PASS in hole.legal_moves()


def held(hole: Hole, step: Step) -> Step:
    """`-` alone throws away whatever is in hand."""
    if step.move == THROW_AWAY and step.face == HIDDEN:
        return step._replace(face=hole.sight.held)
    return step


def pieces_of(variant: Variant, now: Sight, text: str) -> list[Step]:
    """The steps of a move or a piece of one, as the table lies now. Raises NotationError."""
    if match := TAKING.fullmatch(text):
        return [Step(NOBODY, Phase.TAKE, STOCK if match[1] == "S" else DISCARD, read_face(variant, match[2]))]
    if match := PLACING.fullmatch(text):
        return [Step(NOBODY, Phase.PLACE, read_slot(variant, match[1]), read_face(variant, match[2]))]
    if text == "-":
        return [Step(NOBODY, Phase.PLACE, THROW_AWAY, HIDDEN)]
    if text == ".":
        return [PASSING]
    steps = read_move(variant, text)
    if len(steps) == 1 and now.phase in (Phase.FLIP, Phase.REVEAL):
        return [steps[0]._replace(phase=now.phase)]
    return steps


def write_pieces(variant: Variant, steps: Iterable[Step]) -> list[str]:
    """What has been played in a hole, a piece for each step after the deal."""
    pieces = []
    for _, phase, move, face in steps:
        shown = write_face(variant, face)
        if phase == Phase.DEAL:
            continue
        if phase == Phase.TAKE:
            pieces.append(("S" if move == STOCK else "D") + shown)
        elif move == THROW_AWAY:
            pieces.append("-")
        elif move == PASS:
            pieces.append(".")
        elif phase == Phase.PLACE:
            pieces.append(f">{write_slot(variant, move)}x{shown}")
        else:
            pieces.append(f"{write_slot(variant, move)}={shown}")
    return pieces


def position_in(
    record: dict[str, Any], variant: Variant | None, hole: int | None, move: int | None
) -> tuple[Game, Hole]:
    """The game of a record and its hole at that move, or as far as the record goes. Raises Fault.

    Other than for the referee, the record need not be whole: its last hole may stop anywhere.
    """
    variant = variant_of(record, variant)
    players = take_players(record, variant)
    holes = take(record, "holes", list)
    number = len(holes) if hole is None else hole
    if not holes:
        raise Fault("the record has no hole yet.")
    if not 1 <= number <= len(holes):
        count = f"{len(holes)} {'hole' if len(holes) == 1 else 'holes'}"
        raise Fault(f"the record has {count}; there is no hole {number}.")
    told = [hole_written(one, at) for at, one in enumerate(holes[:number], 1)]
    if move is not None and not 1 <= move <= len(told[-1].moves):
        raise Fault(f"hole {number} has {len(told[-1].moves)} moves; there is no move {move}.")
    game = Game(variant, players, first_dealer(holes, len(players)))
    try:
        played = None
        for moment in follow(game, told, move):
            played = moment.hole
            check_deal(game, moment, holes[moment.number - 1])
    except Wrong as wrong:
        raise Fault(str(wrong)) from None
    if played is None or game.hole is None:
        raise Fault(f"hole {number} is over, and nobody has anything to decide; say before which --move.")
    if not played.legal_moves():
        raise Fault(f"hole {number} waits for its face-down cards to be turned up, and nobody has a choice (4.3).")
    return game, played


def hole_written(record: Any, number: int) -> HoleWritten:
    try:
        if not isinstance(record, dict):
            raise Fault("is not a JSON object.")
        first = take(record, "first_discard", str)
        reveal = take(record, "reveal", dict) if "reveal" in record else {}
        return HoleWritten(
            first, take_texts(record, "moves"), {player: take_texts(reveal, player) for player in reveal}
        )
    except Fault as fault:
        raise Fault(f"hole {number}, {fault}") from None


def check_deal(game: Game, moment: Moment, record: dict[str, Any]) -> None:
    """What the record says of dealer and seats is what the rules say, where it says so."""
    if moment.step.phase != Phase.DEAL:
        return
    try:
        if "dealer" in record and take(record, "dealer", int) != game.dealer:
            raise Fault(f"dealer should be {game.dealer}: the deal passes to the left (6.1, 6.3).")
        if "seats" in record:
            expect(record, "seats", game.at_table, "6.1, 6.3")
    except Fault as fault:
        raise Fault(f"hole {moment.number}, {fault}") from None
