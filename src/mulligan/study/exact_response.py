"""Exact values in games small enough to write down every position of a hole: the best response to a player, and the
value if two players both play best."""

from typing import NamedTuple

import numpy as np

from mulligan.engine import calls
from mulligan.engine.chance import bag
from mulligan.engine.moves import abandon, is_too_long
from mulligan.engine.state import NOTHING, Phase
from mulligan.game.hole import Hole
from mulligan.game.variants import Variant, for_seats

from .contestants import Contestant
from .strokes import against_the_field

MOST_POSITIONS = 200_000
NEVER_ENDS = 1000.0  # strokes that a hole costs as long as it may go on for ever
NEAR = 1e-9  # strokes by which the last step may change a value
DICE = np.ones(1, np.int64)


class TooLarge(ValueError):
    """There are more positions than fit."""


class ExactResponse(NamedTuple):
    """The best response from every seat, to one player in all others."""

    gain: float  # strokes against the field that it wins a hole, on average over the seats
    by_seat: list[float]  # the same by seat, the dealer first
    positions: int
    moves: list[dict[bytes, int]]  # by seat: the best move of each position (`key_of`)


def exact_response(variant: Variant, seats: int, player: Contestant, most: int = MOST_POSITIONS) -> ExactResponse:
    """Solves the holes that player 0 deals. Raises TooLarge, PlayerError, or ValueError for a player who rolls dice.

    The player has to play the same in the same position, whatever the number of the turn.
    """
    trees = [Tree(variant, seats, me, player, most) for me in range(seats)]
    values = [tree.solve() for tree in trees]
    return ExactResponse(
        gain=-float(np.mean([value[0] for value in values])),
        by_seat=[-float(value[0]) for value in values],
        positions=sum(len(tree.keys) for tree in trees),
        moves=[tree.best_moves(value) for tree, value in zip(trees, values, strict=True)],
    )


def exact_value(variant: Variant, turn_limit: int, most: int = MOST_POSITIONS) -> float:
    """Returns by how many strokes the dealer of a hole beats the other of two players if both play best.

    A hole in which nobody closes within so many turns per player is revealed, as in `mulligan.envs`. Raises TooLarge.
    """
    tree = Tree(for_seats(variant, 2), 2, 0, None, most, 2 * turn_limit)
    return -float(tree.solve()[0])


class Tree:
    """Every position that may come about, and what may follow it: a card, my move, or the player's.

    player: who plays the other seats; None for one who plays best against me.
    limit: the turns after which a hole in which nobody has closed is revealed; 0 for none.
    """

    def __init__(
        self, variant: Variant, seats: int, me: int, player: Contestant | None, most: int, limit: int = 0
    ) -> None:
        """Raises TooLarge for more than `most` positions."""
        self.variant, self.me, self.player, self.limit = variant, me, player, limit
        self.keys: dict[bytes, int] = {}
        self.holes = [Hole(variant, seats, 0)]
        self.keys[key_of(self.holes[0])] = 0
        self.ends: dict[int, float] = {}  # what finished holes cost me against the field
        self.starts, self.children, self.chances, self.tried = [0], list[int](), list[float](), list[int]()
        self.is_mine: list[bool] = []
        self.is_theirs: list[bool] = []  # the move of one who plays best
        number = 0
        while number < len(self.holes):
            hole = self.holes[number]
            self.holes[number] = None  # type: ignore[call-overload]  # its position is not needed any more
            self.expand(number, hole)
            self.starts.append(len(self.children))
            if len(self.holes) > most:
                raise TooLarge(f"{variant.title} has more than {most:,} positions.")
            number += 1

    def expand(self, number: int, hole: Hole) -> None:
        """Notes what may follow a position. Raises ValueError if the player rolls dice."""
        self.is_mine.append(False)
        self.is_theirs.append(False)
        if hole.is_over:
            self.ends[number] = against_the_field(hole.points)[self.me]
        elif hole.awaits_card:
            counts = bag(hole.state)
            total = int(counts.sum())
            for face in np.flatnonzero(counts):
                self.follow(hole, int(face), int(counts[face]) / total)
        elif hole.turn == self.me or self.player is None:
            (self.is_mine if hole.turn == self.me else self.is_theirs)[-1] = True
            for move in hole.legal_moves():
                self.follow(hole, move, 1.0)
        else:
            dice = DICE.copy()
            move = self.player.choose(hole, dice)
            if dice != DICE:
                raise ValueError(f"{self.player.name} rolls dice, so there is no exact response to that player.")
            self.follow(hole, move, 1.0)

    def follow(self, hole: Hole, option: int, chance: float) -> None:
        """Adds the position after a move or a card."""
        after = hole.copy()
        take = calls.play if hole.sight.awaited == NOTHING else calls.turn_up
        take(after._rules, after._state, option)
        after.changed()
        if self.limit and is_too_long(after.state, self.limit):
            abandon(after.variant.rules, after.state)
            after.changed()
        key = key_of(after) + (after.sight.turns.to_bytes(4) if self.limit else b"")
        if key not in self.keys:
            self.keys[key] = len(self.holes)
            self.holes.append(after)
        self.children.append(self.keys[key])
        self.chances.append(chance)
        self.tried.append(option)

    def solve(self) -> np.ndarray:
        """My strokes in every position if I play best: value iteration from above."""
        starts, children, chances = np.array(self.starts[:-1]), np.array(self.children), np.array(self.chances)
        mine, theirs, ends = np.array(self.is_mine), np.array(self.is_theirs), np.array(sorted(self.ends))
        going = np.setdiff1d(np.arange(len(starts)), ends)
        values = np.full(len(starts), NEVER_ENDS)
        values[ends] = [self.ends[number] for number in ends]
        while True:
            after = values[children]
            means = np.add.reduceat(after * chances, starts[going])
            least = np.minimum.reduceat(after, starts[going])
            most = np.maximum.reduceat(after, starts[going])
            new = np.where(mine[going], least, np.where(theirs[going], most, means))
            change = np.abs(new - values[going]).max()
            values[going] = new
            if change < NEAR:
                return values

    def best_moves(self, values: np.ndarray) -> dict[bytes, int]:
        best = {}
        for key, number in self.keys.items():
            if self.is_mine[number]:
                options = slice(self.starts[number], self.starts[number + 1])
                best[key] = self.tried[options][int(np.argmin(values[self.children[options]]))]
        return best


def key_of(hole: Hole) -> bytes:
    """What matters in a position: everything but the number of the turn."""
    state, sight = hole.state, hole.sight
    came_from = sight.held_from_stock if sight.phase == Phase.PLACE else 0
    rest = (sight.awaited, sight.phase, sight.turn, sight.closer, sight.discard, sight.held, came_from, sight.renewed)
    cards = (state[field].tobytes() for field in ("unseen", "stock"))
    return b"".join((state["players"]["layout"][: sight.seats].tobytes(), *cards, np.array(rest, np.int8).tobytes()))
