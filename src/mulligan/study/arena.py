"""Tournaments with duplicate deals: every group of players plays every deal in every seating, with the same cards."""

from collections.abc import Callable, Iterator
from itertools import combinations
from typing import NamedTuple

import numpy as np

from mulligan.coach.analysis import trace
from mulligan.compute.in_order import in_order
from mulligan.engine import moves
from mulligan.engine.chance import many_dice
from mulligan.engine.state import NOBODY, Phase
from mulligan.game.hole import Hole
from mulligan.game.variants import Variant, for_seats
from mulligan.players import random
from mulligan.players.values.brain import Brain

from .contestants import Contestant
from .deck import Deck
from .player_process import PlayerError
from .strokes import against_the_field

TURN_LIMIT = 200  # turns per seat; who has not closed by then never will
MOST_FAILURES = 5  # of one player, before the arena gives up
MOST_TABLES = 1000


class Task(NamedTuple):
    """A hole to be played: which deal, and who sits where."""

    deal: int
    table: int  # the number of the group of players
    seating: int
    players: tuple[int, ...]  # by seat


class Score(NamedTuple):
    """What a hole cost, by seat."""

    task: Task
    points: np.ndarray
    strokes: np.ndarray  # against the field
    adjusted: np.ndarray  # the same without the luck of the cards


class Failure(NamedTuple):
    player: int
    deal: int
    what: str


class Arena:
    """The players, the deals, and the scores."""

    def __init__(self, variant: Variant, seats: int, players: list[Contestant], deals: int, seed: int) -> None:
        """Raises ValueError for too few players, or too many groups of them."""
        self.variant, self.seats, self.players = for_seats(variant, seats), seats, players
        self.deals, self.seed = deals, seed
        if len(players) < seats:
            raise ValueError(f"{seats} seats need at least {seats} players; name someone twice to fill them.")
        self.tables = list(combinations(range(len(players)), seats))
        if len(self.tables) > MOST_TABLES:
            raise ValueError(f"These are {len(self.tables):,} tables of {seats}, more than {MOST_TABLES:,}.")
        self.failures: list[Failure] = []

    @property
    def holes(self) -> int:
        return self.deals * len(self.tables) * self.seats

    def play(self, brain: Brain, threads: int, progress: Callable[[int], None] = lambda done: None) -> list[Score]:
        """Plays all holes. Raises ValueError when a player has failed too often.

        The scores do not depend on `threads`. Functions and programs are asked by one thread.
        """

        def judge(played: tuple[Task, Hole]) -> Score:
            return self.judge(*played, brain)

        def play_and_judge(task: Task) -> Score:
            return judge((task, self.play_hole(task)))

        if all(player.is_ours for player in self.players):
            scores = in_order(play_and_judge, self.tasks(), threads)
        else:
            scores = in_order(judge, ((task, self.play_hole(task)) for task in self.tasks()), threads)
        finished = []
        for score in scores:
            finished.append(score)
            progress(1)
        return finished

    def tasks(self) -> Iterator[Task]:
        for deal in range(self.deals):
            for number, table in enumerate(self.tables):
                for seating in range(self.seats):
                    yield Task(deal, number, seating, table[seating:] + table[:seating])

    def play_hole(self, task: Task) -> Hole:
        """Plays a hole. A player who fails plays on at random. Raises ValueError at the last failure allowed."""
        hole = Hole(self.variant, self.seats, task.deal % self.seats)
        deck = Deck(self.variant, self.seats, f"arena/{self.seed}/{task.deal}".encode())
        dice = many_dice([self.seed, *task[:3]], self.seats)
        failed: set[int] = set()
        while not hole.is_over:
            if hole.awaits_card:
                deck.turn_up(hole)
            elif is_endless(hole):
                moves.abandon(self.variant.rules, hole.state)
                hole.changed()
            else:
                hole.play(self.move(task, hole, dice[hole.turn], failed))
        for seat, player in enumerate(task.players):
            self.players[player].finish(hole.points[seat:] + hole.points[:seat])
        return hole

    def move(self, task: Task, hole: Hole, dice: np.ndarray, failed: set[int]) -> int:
        seat = hole.turn
        number = task.players[seat]
        if seat not in failed:
            try:
                return self.players[number].choose(hole, dice)
            except PlayerError as error:
                failed.add(seat)
                self.fail(number, task.deal, str(error))
        return int(random.choose(self.variant.rules, None, hole.state, dice, None))

    def fail(self, number: int, deal: int, what: str) -> None:
        """Notes a failure. Raises ValueError at the last one allowed."""
        self.failures.append(Failure(number, deal, what))
        if sum(failure.player == number for failure in self.failures) == MOST_FAILURES:
            raise ValueError(f"{self.players[number].name} failed {MOST_FAILURES} times; the last time it {what}.")

    def judge(self, task: Task, hole: Hole, brain: Brain) -> Score:
        strokes = against_the_field(hole.points)
        seen = hole.copy()
        if hole.sight.closer == NOBODY:  # the cards turned up after the turn limit belong to no turn
            seen.steps = [step for step in hole.steps if step.phase != Phase.REVEAL]
        luck = trace(seen, int(hole.state.dealer), brain).luck.sum(axis=0)
        return Score(task, np.array(hole.points, float), strokes, strokes - luck)


def is_endless(hole: Hole) -> bool:
    sight = hole.sight
    return sight.turns > TURN_LIMIT * sight.seats and sight.phase == Phase.TAKE and sight.closer == NOBODY
