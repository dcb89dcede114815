"""Plays a hole step by step and a game of several holes, and writes its record."""

from collections.abc import Callable, Iterable, Sequence
from copy import copy
from typing import Any, NamedTuple

import numpy as np

from mulligan.engine import calls
from mulligan.engine import match as matches
from mulligan.engine.chance import many_dice, next_face
from mulligan.engine.compiled import fresh
from mulligan.engine.match import MATCH
from mulligan.engine.moves import deal
from mulligan.engine.rules import MAX_SLOTS
from mulligan.engine.state import DISCARD_DRAWN, HIDDEN, MOVES, NOBODY, NOTHING, STATE, Phase

from .notation import Step, as_array, name_of_move, write_face, write_moves, write_reveal
from .variants import Variant, for_seats, lines_of


class Sight(NamedTuple):
    """A state as plain Python numbers, which Python reads much faster than the fields of the record."""

    layouts: list[list[int]]  # by seat
    hidden: list[int]
    points: list[int]
    renewed: int
    stock_left: int
    discard: int
    held: int
    held_from_stock: int
    awaited: int
    phase: int
    seats: int
    dealer: int
    first: int
    turn: int
    closer: int
    turns: int


def look_at(state: Any) -> Sight:
    """Returns what a STATE record, or an array of one, holds."""
    players, _, _, *rest = state.item()  # fields of a record itself would be read by Python, and slowly
    return Sight(players["layout"].tolist(), players["hidden"].tolist(), players["points"].tolist(), *rest)


class Outcome(NamedTuple):
    """A step and its result. A face is HIDDEN if there is no card."""

    step: Step
    face: int  # the card taken, placed, discarded or turned up
    went: int  # the card that went to the discard pile
    from_hidden: bool  # that card was face down before
    closed: bool  # 4.1
    renewed: bool  # 2.6
    cleared: tuple[int, ...]  # 3.7 the slots whose cards left the layout, all with the face of the step's card


def outcome_of(variant: Variant, step: Step, before: Sight, after: Sight) -> Outcome:
    """Returns the result of a step, from the state before and after it."""
    placed = step.phase == Phase.PLACE and step.move != DISCARD_DRAWN
    return Outcome(
        step,
        before.held if placed else step.face,
        step.face if step.phase == Phase.PLACE else HIDDEN,
        placed and before.layouts[step.seat][step.move] == HIDDEN,
        before.closer == NOBODY and after.closer != NOBODY,
        after.stock_left > before.stock_left,
        cleared_by(variant, step, after),
    )


def cleared_by(variant: Variant, step: Step, after: Sight) -> tuple[int, ...]:
    """Returns the slots of the line that the step completed, if it leaves the layout (3.7)."""
    if not variant.facts.lines_clear or step.phase in (Phase.DEAL, Phase.REVEAL) or step.move not in range(MAX_SLOTS):
        return ()
    layout = after.layouts[step.seat]
    line = next(line for line in lines_of(variant.facts) if step.move in line)
    is_full = layout[step.move] != HIDDEN and len({layout[slot] for slot in line}) == 1
    return tuple(line) if is_full else ()


class Hole:
    """One hole: its public state and its steps so far.

    `play` makes a choice, a number: a slot in the order of `variant.slots`, or a move of those in docs/environments.md.
    If the engine then waits for a card, `turn_up` names its face, a number in the order of `variant.faces`, and
    `draw_card` has a random generator choose it. Seats are numbers from 0, clockwise; `dealer` is one.
    """

    _sight: Sight | None = None
    _legal: list[int] | None = None

    def __init__(self, variant: Variant, seats: int, dealer: int) -> None:
        self.variant = variant
        self._rules, self._state = np.array([variant.rules]), np.zeros(1, STATE)
        self.steps: list[Step] = []
        deal(variant.rules, self.state, seats, dealer)

    @classmethod
    def at(cls, variant: Variant, state: Any) -> "Hole":
        """Returns a hole at a position: a copy of a STATE record, without the steps that led there."""
        hole = cls.__new__(cls)
        hole.variant, hole.steps = variant, []
        hole._rules, hole._state = np.array([variant.rules]), np.array([state])
        return hole

    @property
    def state(self) -> Any:
        """The STATE record."""
        return self._state[0]

    @property
    def is_over(self) -> bool:
        """Whether everyone has had the last turn and the cards are turned up (4.3)."""
        return self.sight.phase == Phase.OVER

    @property
    def awaits_card(self) -> bool:
        """Whether a card is about to be shown: then `turn_up` or `draw_card` comes next, not `play`."""
        return self.sight.awaited != NOTHING

    @property
    def turn(self) -> int:
        """The seat to move; in the reveal, the seat whose cards are turned up."""
        return self.sight.turn

    @property
    def points(self) -> list[int]:
        """The points of each seat, once the hole is over."""
        return self.sight.points[: self.sight.seats]

    @property
    def sight(self) -> Sight:
        """The current state."""
        if self._sight is None:
            self._sight = look_at(self._state)
        return self._sight

    def legal_moves(self) -> list[int]:
        """Returns the legal moves of the player to move; empty while the engine waits for a card."""
        if self._legal is None:
            moves = calls.legal_moves(self._rules, self._state)
            self._legal = [move for move in range(MOVES) if moves >> move & 1]
        return self._legal

    def named_moves(self) -> dict[str, int]:
        """Returns the legal moves by name: a slot, `stock`, `discard`, `discard_drawn` or `pass`."""
        return {name_of_move(self.variant, move): move for move in self.legal_moves()}

    def cards(self, seat: int) -> list[str]:
        """Returns the names of a seat's cards in the order of `variant.slots`, `?` for a face-down one."""
        return [write_face(self.variant, face) for face in self.sight.layouts[seat][: self.variant.rules.slots]]

    def face_shown(self, move: int) -> int:
        """Returns the face of the card that a legal move concerns if it is open already, else HIDDEN."""
        return int(calls.face_shown(self._state, move))

    def open_cost(self, seat: int) -> int:
        """Returns the cost of a seat's open cards, matched lines included (5.1 to 5.5)."""
        return int(calls.open_cost(self._rules, self._state, seat))

    def copy(self) -> "Hole":
        """Returns the same position, to try moves in."""
        other = copy(self)
        other._state, other.steps = self._state.copy(), list(self.steps)
        return other

    def changed(self) -> None:
        """Is told when the state was changed by other functions than these."""
        self._sight = self._legal = None

    def play(self, move: int) -> None:
        """Plays a legal move. Raises ValueError on any other."""
        if not calls.is_legal(self._rules, self._state, move):
            raise ValueError(f"move {move} is not legal now; legal are {self.legal_moves()}")
        step = Step(self.turn, self.sight.phase, move, self.face_shown(move))
        calls.play(self._rules, self._state, move)
        self.changed()
        if not self.awaits_card or self.sight.phase != step.phase:
            self.steps.append(step)

    def turn_up(self, face: int) -> None:
        """Turns up the next card, with that face."""
        self.steps.append(Step(self.turn, self.sight.phase, self.sight.awaited, face))
        calls.turn_up(self._rules, self._state, face)
        self.changed()

    def draw_card(self, dice: np.ndarray) -> None:
        """Turns up the next card, chosen by the random generator."""
        self.turn_up(int(next_face(self.variant.rules, self.state, dice)))

    def play_out(self, choose: Callable[[], int], dice: np.ndarray) -> None:
        """Plays the hole to its end: `choose` returns each move, the random generator chooses the cards."""
        while not self.is_over:
            if self.awaits_card:
                self.draw_card(dice)
            else:
                self.play(choose())

    def take(self, steps: np.ndarray) -> int:
        """Plays an array of STEP records up to the first illegal one and returns how many were played."""
        taken = int(calls.follow(self._rules, self._state, steps))
        self.changed()
        self.steps += map(Step._make, steps[:taken].tolist())
        return taken

    def take_step(self, step: Step) -> Outcome | None:
        """Plays one step and returns its result; returns None and changes nothing if the step is illegal."""
        before = self.sight
        if not self.take(as_array([step])):
            return None
        return outcome_of(self.variant, self.steps[-1], before, self.sight)


class Game:
    """A match from the first deal to the winner: `deal`, play `hole` to its end, `finish_hole`, repeat.

    Players are numbers in the order of their names; `dealer` deals the first hole.
    """

    def __init__(self, variant: Variant, players: Sequence[str], dealer: int) -> None:
        self.variant = for_seats(variant, len(players))
        self.players = list(players)
        self.match: Any = fresh(MATCH)
        matches.begin_match(self.variant.rules, self.match, len(players))
        self.match.dealer = dealer
        self.holes: list[dict[str, Any]] = []
        self.counted = 0  # how many of them count for the totals: all but play-offs (6.3)
        self.hole: Hole | None = None

    @property
    def at_table(self) -> list[int]:
        """The players in the current hole, in seat order; in a play-off not all (6.3)."""
        return [player for player, is_in in enumerate(self.match.at_table[: len(self.players)].tolist()) if is_in]

    @property
    def dealer(self) -> int:
        """The player who deals, or has dealt, the current hole."""
        return int(self.match.dealer)

    @property
    def is_over(self) -> bool:
        """Whether the match is over, play-off included (6.3)."""
        return bool(self.match.over)

    @property
    def totals(self) -> list[int]:
        """The points of each player so far, play-offs left out (6.1)."""
        return [int(total) for total in self.match.totals[: len(self.players)]]

    @property
    def winners(self) -> list[int]:
        """The players who won; several if they share it, none before the end."""
        return self.at_table if self.is_over else []

    def deal(self) -> Hole:
        """Deals the next hole."""
        self.hole = Hole(self.variant, len(self.at_table), self.at_table.index(self.dealer))
        matches.let_closer_start(self.variant.rules, self.match, self.hole.state)
        return self.hole

    def finish_hole(self) -> None:
        """Adds the finished hole to the score card."""
        assert self.hole is not None
        assert self.hole.is_over
        self.holes.append(record_hole(self.variant, self.hole.steps, self.dealer, self.at_table, self.hole.points))
        self.counted += not self.match.playing_off
        matches.finish_hole(self.variant.rules, self.match, self.hole.state)
        self.hole = None

    def record(self) -> dict[str, Any]:
        """Returns the record of a finished match (docs/notation.md)."""
        return {
            "format": 1,
            "game": self.variant.name,
            "players": self.players,
            "holes": self.holes,
            "totals": self.totals,
            "winners": self.winners,
        } | ({"match": dict(self.variant.match)} if self.variant.match else {})


def new_dice(seed: int | None = None) -> np.ndarray:
    """Returns the random generator of one game: an int64 array of shape (1,), the same for a seed, random for None."""
    return np.asarray(many_dice(seed, 1)[0])


def record_hole(
    variant: Variant, steps: Iterable[Step], dealer: int, seats: list[int], points: list[int]
) -> dict[str, Any]:
    """Returns a finished hole as a record holds it; dealer, seats and reveal use the players' numbers."""
    steps = list(steps)
    return {
        "dealer": dealer,
        "seats": seats,
        "first_discard": write_face(variant, steps[0].face),
        "moves": write_moves(variant, steps),
        "reveal": {str(seats[seat]): cards for seat, cards in write_reveal(variant, steps).items()},
        "points": points,
    }
