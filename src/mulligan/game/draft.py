"""Reads an unfinished record of a game played with real cards: moves and pieces of moves.

Players with real cards write a move down in pieces: `S7` when they draw the card, `>b2x9` when they place it,
or `-` and `a2=5`. The pieces of a move, joined, are the move (docs/notation.md). `.` leaves the last card face
down, and `-` before any card is drawn declines a last turn. The first impossible piece is an error that names
the rule, as in the referee.
"""

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any, NamedTuple

from mulligan.engine.state import DISCARD_DRAWN, HIDDEN, NOBODY, PASS, STOCK, Phase

from .error_sentences import Params, Problem
from .hole import Game, Hole, Outcome, Sight
from .notation import (
    CHOICES,
    FACE,
    MOVE_TEXT,
    SLOT,
    NotationError,
    Step,
    read_face,
    read_move,
    read_slot,
    write_slot,
)
from .objections import object_to
from .referee import Fault, as_fault, expect, first_dealer, shorten, take, take_players, take_texts, variant_of
from .safe_text import printable
from .typed_text import joined
from .variants import Variant

TAKING = re.compile(rf"([sd])({FACE})")
PLACING = re.compile(rf">({SLOT})x({FACE})")
PASSING = Step(NOBODY, Phase.FLIP, PASS, HIDDEN)


class Wrong(Problem):
    """A mistake in an unfinished record.

    `hole` and `number` count from 1; number 0 is the first card of the discard pile.
    """

    def __init__(self, hole: int, number: int, text: str, key: str, params: Params) -> None:
        super().__init__(key, "wrong", **params)
        self.hole, self.number, self.text = hole, number, text
        if number and text:
            self.at("terminal_at_move", number=number, text=shorten(text))
        elif number:
            self.at("terminal_at_move_number", number=number)
        else:
            self.at("terminal_at_field", field="first_discard")
        self.at("terminal_at_hole", hole=hole)


class HoleWritten(NamedTuple):
    """A hole as recorded so far; the keys of `reveal` are the players' numbers, as texts."""

    first_discard: str | None
    moves: Sequence[str]
    reveal: Mapping[str, Sequence[str]]


class Moment(NamedTuple):
    """A step, its outcome and its hole. `text` is the number of the written move, from 1; 0 is the deal."""

    number: int
    hole: Hole
    outcome: Outcome
    text: int


def follow(game: Game, holes: Iterable[HoleWritten], before: int | None = None) -> Iterator[Moment]:
    """Replays a game as far as it is recorded and scores each finished hole; the last hole may be incomplete.

    `before` stops before that move of the last hole. Raises Wrong.
    """
    written = list(holes)
    for number, entered in enumerate(written, 1):
        if game.is_over:
            raise Wrong(number, 0, "", "match_over", {})
        if entered.first_discard is None:
            if entered.moves or entered.reveal or number < len(written):
                raise Wrong(number, 0, "", "not_first_discard", {})
            return
        yield from follow_hole(game, number, entered, before if number == len(written) else None)
        assert game.hole is not None
        if game.hole.is_over:
            game.finish_hole()
        elif number < len(written):
            raise Wrong(number, len(entered.moves), "", "hole_unfinished", {})


def follow_hole(game: Game, number: int, entered: HoleWritten, before: int | None) -> Iterator[Moment]:
    """Replays the steps of a hole as far as they are recorded. Raises Wrong."""
    variant, hole = game.variant, game.deal()
    place = 0, str(entered.first_discard)

    def go(step: Step, name: str) -> Iterator[Moment]:
        outcome = hole.take_step(step)
        if outcome is None:
            against = object_to(variant, hole.state, step, name)
            raise Wrong(number, *place, against.key, against.params)
        yield Moment(number, hole, outcome, place[0])

    def read(text: str) -> list[Step]:
        try:
            return pieces_of(variant, hole.sight, text)
        except NotationError as error:
            raise Wrong(number, *place, error.key, error.params) from None

    try:
        yield from go(Step(NOBODY, Phase.DEAL, STOCK, read_face(variant, str(entered.first_discard))), "")
    except NotationError as error:
        raise Wrong(number, *place, error.key, error.params) from None
    for count, text in enumerate(entered.moves, 1):
        place = count, text
        steps = read(text)
        if is_left(hole) and steps[0].phase != Phase.FLIP:
            yield from go(PASSING, "")  # `S11-` left the last card face down, because another move follows (3.4)
            steps = read(text)
        if count == before:
            return
        name = name_of(game, hole)
        for step in steps:
            yield from go(held(hole, step), name)
    while hole.sight.phase == Phase.REVEAL:
        player = str(game.at_table[hole.turn])
        slot = write_slot(variant, hole.sight.awaited)
        shown = next((text for text in entered.reveal.get(player, ()) if joined(text).startswith(f"{slot}=")), None)
        if shown is None:
            return
        place = len(entered.moves), shown
        for step in read(shown):
            yield from go(step, name_of(game, hole))


def name_of(game: Game, hole: Hole) -> str:
    """Returns the name of the player to move, safe to print; empty if it is nobody's turn."""
    return "" if hole.turn == NOBODY else printable(game.players[game.at_table[hole.turn]])


def is_left(hole: Hole) -> bool:
    """Returns whether a card was just discarded and the last face-down card may stay face down (3.4)."""
    return hole.sight.phase == Phase.FLIP and PASS in hole.legal_moves()


def held(hole: Hole, step: Step) -> Step:
    """Fills in the face of the card in hand if the step is `-` alone, which discards it."""
    if step.move == DISCARD_DRAWN and step.face == HIDDEN:
        return step._replace(face=hole.sight.held)
    return step


def pieces_of(variant: Variant, now: Sight, text: str) -> list[Step]:
    """Returns the steps of a move or a piece of one in the current position. Raises NotationError."""
    written = joined(text)
    if match := TAKING.fullmatch(written):
        return [Step(NOBODY, Phase.TAKE, CHOICES[match[1]], read_face(variant, match[2]))]
    if match := PLACING.fullmatch(written):
        return [Step(NOBODY, Phase.PLACE, read_slot(variant, match[1]), read_face(variant, match[2]))]
    if written == MOVE_TEXT[DISCARD_DRAWN] and now.phase != Phase.TAKE:  # in TAKE, `-` declines a last turn (4.2)
        return [Step(NOBODY, Phase.PLACE, DISCARD_DRAWN, HIDDEN)]
    if written == MOVE_TEXT[PASS]:
        return [PASSING]
    steps = read_move(variant, text)
    if len(steps) == 1 and now.phase in (Phase.FLIP, Phase.REVEAL):
        return [steps[0]._replace(phase=now.phase)]
    return steps


def position_in(
    record: dict[str, Any], variant: Variant | None, hole: int | None, move: int | None
) -> tuple[Game, Hole]:
    """Returns the game of a record and its hole before that move, or at the end of the record. Raises Fault.

    Unlike in the referee, the last hole of the record may be incomplete.
    """
    variant = variant_of(record, variant)
    players = take_players(record, variant)
    holes = take(record, "holes", list)
    number = len(holes) if hole is None else hole
    if not holes:
        raise Fault("no_hole")
    if not 1 <= number <= len(holes):
        raise Fault("terminal_no_hole", hole=number, last=len(holes))
    entered = [hole_written(one, at) for at, one in enumerate(holes[:number], 1)]
    if move is not None and not 1 <= move <= len(entered[-1].moves):
        raise Fault("terminal_no_move", hole=number, move=move)
    game = Game(variant, players, first_dealer(holes, len(players)))
    try:
        played = None
        for moment in follow(game, entered, move):
            played = moment.hole
            check_deal(game, moment, holes[moment.number - 1])
    except Wrong as wrong:
        raise as_fault(wrong) from None
    if played is None or game.hole is None:
        raise Fault("hole_over", hole=number)
    if not played.legal_moves():
        raise Fault("only_reveal", hole=number)
    return game, played


def hole_written(record: Any, number: int) -> HoleWritten:
    """Reads a hole of a record. Raises Fault."""
    try:
        if not isinstance(record, dict):
            raise Fault("not_object")
        first = take(record, "first_discard", str)
        reveal = take(record, "reveal", dict) if "reveal" in record else {}
        return HoleWritten(
            first, take_texts(record, "moves"), {player: take_texts(reveal, player) for player in reveal}
        )
    except Fault as fault:
        raise fault.at("terminal_at_hole", hole=number) from None


def check_deal(game: Game, moment: Moment, record: dict[str, Any]) -> None:
    """Checks dealer and seats against the rules if the record contains them. Raises Fault."""
    if moment.outcome.step.phase != Phase.DEAL:
        return
    try:
        if "dealer" in record and take(record, "dealer", int) != game.dealer:
            raise Fault("dealer", right=int(game.dealer))
        if "seats" in record:
            expect(record, "seats", game.at_table, "6.1, 6.3")
    except Fault as fault:
        raise fault.at("terminal_at_hole", hole=moment.number) from None
