"""A game at the table: its holes, step by step, and the record it leaves."""

from collections.abc import Iterable, Sequence
from typing import Any, NamedTuple

import numpy as np

from .engine import match as matches
from .engine.compiled import fresh
from .engine.match import MATCH
from .engine.moves import deal, is_legal, legal_moves, play, turn_up
from .engine.replay import face_shown, replay
from .engine.state import MOVES, NOTHING, STATE, Phase
from .notation import Step, write_face, write_moves, write_reveal
from .variants import Variant


class Sight(NamedTuple):
    """A state in numbers of Python's own, which can be read far quicker than the fields of the state."""

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
    turn: int
    closer: int
    turns: int


def look_at(state: Any) -> Sight:
    players = state["players"]
    _, _, _, *rest = state.item()
    return Sight(players["layout"].tolist(), players["hidden"].tolist(), players["points"].tolist(), *rest)


class Hole:
    """One hole: the state all can see, and the steps that led there.

    A choice is made with `play`; while a card is awaited, it is about to be shown, and `turn_up`
    names it.
    """

    _sight: Sight | None = None
    _legal: list[int] | None = None

    def __init__(self, variant: Variant, seats: int, dealer: int) -> None:
        self.variant = variant
        self.state: Any = fresh(STATE)
        self.steps: list[Step] = []
        deal(variant.rules, self.state, seats, dealer)

    @property
    def is_over(self) -> bool:
        return self.sight.phase == Phase.OVER

    @property
    def awaits_card(self) -> bool:
        return self.sight.awaited != NOTHING

    @property
    def turn(self) -> int:
        """The seat whose turn it is; in the reveal, whose cards are turned up."""
        return self.sight.turn

    @property
    def points(self) -> list[int]:
        """What the hole cost each seat, once it is over."""
        return self.sight.points[: self.sight.seats]

    @property
    def sight(self) -> Sight:
        """The state as it is now."""
        if self._sight is None:
            self._sight = look_at(self.state)
        return self._sight

    def legal_moves(self) -> list[int]:
        """The moves the player on turn may choose from; none while a card is awaited."""
        if self._legal is None:
            moves = legal_moves(self.variant.rules, self.state)
            self._legal = [move for move in range(MOVES) if moves >> move & 1]
        return self._legal

    def changed(self) -> None:
        self._sight = self._legal = None

    def play(self, move: int) -> None:
        """Plays a legal move. Raises ValueError on any other."""
        if not is_legal(self.variant.rules, self.state, move):
            raise ValueError(f"move {move} is not legal now; legal are {self.legal_moves()}")
        step = Step(self.turn, self.sight.phase, move, int(face_shown(self.state, move)))
        play(self.variant.rules, self.state, move)
        self.changed()
        if not self.awaits_card or self.sight.phase != step.phase:
            self.steps.append(step)

    def turn_up(self, face: int) -> None:
        """Shows the awaited card, which is that face."""
        self.steps.append(Step(self.turn, self.sight.phase, self.sight.awaited, face))
        turn_up(self.variant.rules, self.state, face)
        self.changed()

    def take(self, steps: np.ndarray) -> int:
        """Plays an array of STEP records as far as they can be, and returns how many that was."""
        taken = int(replay(self.variant.rules, self.state, steps))
        self.changed()
        self.steps += [Step(*step) for step in steps[:taken].tolist()]
        return taken


class Game:
    """A match from the first deal to the winner: `deal`, play `hole` to its end, `finish_hole`, and again."""

    def __init__(self, variant: Variant, players: Sequence[str], dealer: int) -> None:
        self.variant = variant
        self.players = list(players)
        self.match: Any = fresh(MATCH)
        matches.begin_match(variant.rules, self.match, len(players))
        self.match.dealer = dealer
        self.holes: list[dict[str, Any]] = []
        self.hole: Hole | None = None

    @property
    def at_table(self) -> list[int]:
        """The players who sit at the table, in the order of the seats: in a play-off not all (6.3)."""
        return [player for player in range(len(self.players)) if self.match.at_table[player]]

    @property
    def dealer(self) -> int:
        return int(self.match.dealer)

    @property
    def is_over(self) -> bool:
        return bool(self.match.over)

    @property
    def totals(self) -> list[int]:
        return [int(total) for total in self.match.totals[: len(self.players)]]

    @property
    def winners(self) -> list[int]:
        return self.at_table if self.is_over else []

    def deal(self) -> Hole:
        """Deals the next hole."""
        self.hole = Hole(self.variant, len(self.at_table), self.at_table.index(self.dealer))
        return self.hole

    def finish_hole(self) -> None:
        """Enters the finished hole on the score card."""
        assert self.hole is not None
        assert self.hole.is_over
        self.holes.append(record_hole(self.variant, self.hole.steps, self.dealer, self.at_table, self.hole.points))
        matches.finish_hole(self.variant.rules, self.match, self.hole.state)
        self.hole = None

    def record(self) -> dict[str, Any]:
        """The record of a finished game (docs/notation.md)."""
        return {
            "format": 1,
            "game": self.variant.name,
            "players": self.players,
            "holes": self.holes,
            "totals": self.totals,
            "winners": self.winners,
        }


def record_hole(
    variant: Variant, steps: Iterable[Step], dealer: int, seats: list[int], points: list[int]
) -> dict[str, Any]:
    """A finished hole as it stands in a record; dealer, seats and reveal by the players' numbers."""
    steps = list(steps)
    return {
        "dealer": dealer,
        "seats": seats,
        "first_discard": write_face(variant, steps[0].face),
        "moves": write_moves(variant, steps),
        "reveal": {str(seats[seat]): cards for seat, cards in write_reveal(variant, steps).items()},
        "points": points,
    }
