# /// script
# requires-python = ">=3.11"
# dependencies = ["mulligan"]
#
# [tool.uv.sources]
# mulligan = { path = "../.." }
# ///
"""Temporal differences in fifty lines: `Learner` learns from holes against one computer player.

    python docs/examples/td.py [--game play_nine] [--opponent greedy] [--holes 100000] [--seed 1]
        [--others beginner weekend …]

The value of a table after a move is a sum of weights: one for each line of either player, one for the numbers of
face-down cards. Chance is exact: the learner looks at every card that may come.
"""

import argparse
from collections.abc import Iterator
from typing import NamedTuple

import numpy as np

from mulligan.envs import DISCARD, DISCARD_DRAWN, MOVES, PASS, STOCK, Setup, Table

TRACE = 0.5  # the λ of TD(λ)


class Learner:
    def __init__(self, setup: Setup) -> None:
        rules, self.named = setup.rules[0], setup.layout.named
        self.faces, self.slots = int(rules.faces), int(rules.slots)  # a face-down card is number `faces`
        self.lines = rules.line_slots[: rules.lines, : rules.line_length].astype(int)
        self.digits = (self.faces + 1) ** np.arange(rules.line_length)
        self.stages, self.codes = self.slots + 1, (self.faces + 1) ** int(rules.line_length)
        self.weights = np.zeros(self.stages * (2 * self.codes + self.stages))

    def active(self, own: np.ndarray, other: np.ndarray) -> np.ndarray:
        """Returns which weights count. `own` has any number of layouts, `other` is one."""
        mine, theirs = (own == self.faces).sum(-1, keepdims=True), (other == self.faces).sum()
        stage = np.minimum(mine, theirs)  # how near the end is
        own_lines = own[..., self.lines] @ self.digits + stage * self.codes
        other_lines = other[self.lines] @ self.digits + (self.stages + stage) * self.codes
        face_down = 2 * self.stages * self.codes + self.stages * mine + theirs
        return np.concatenate([own_lines, other_lines, face_down], -1)

    def worth(self, own: np.ndarray, other: np.ndarray, seen: dict[str, np.ndarray]) -> np.ndarray:
        """Returns the value of each move, legal or not."""
        after, slots = np.tile(own, (self.faces, self.slots, 1)), np.arange(self.slots)
        after[:, slots, slots] = np.arange(self.faces)[:, None]  # each face on each slot
        placed, here = (self.weights[self.active(layouts, other)].sum(-1) for layouts in (after, own))
        unseen = seen["unseen"] + seen["stock"]
        turned_up, hidden = unseen / unseen.sum() @ placed, own == self.faces
        discarded = turned_up[hidden].max(initial=here if hidden.sum() < 2 else -np.inf)
        worth = np.empty(MOVES)
        worth[: self.slots] = placed[seen["held"].argmax()] if seen["held"].any() else turned_up
        worth[STOCK] = unseen / unseen.sum() @ np.maximum(placed.max(1), discarded)
        worth[DISCARD], worth[DISCARD_DRAWN], worth[PASS] = placed[seen["discard"].argmax()].max(), discarded, here
        return worth

    def play(self, table: Table) -> tuple[list[np.ndarray], float]:
        """Plays a hole. Returns the active weights after each of its own moves, and the reward."""
        table.reset()
        visited, over = [], False
        while not over:
            flat, mask = table.observe(0)
            own, other = self.named(flat)["layouts"].argmax(-1)
            move = int(np.where(mask, self.worth(own, other, self.named(flat)), -np.inf).argmax())
            moved = table.step(move)
            over = moved.terminated or moved.truncated
            if move < self.slots:
                own[move] = self.named(table.observe(0)[0])["layouts"][0, move].argmax()
                visited.append(self.active(own, other))
        return visited, table.rewards[0]

    def learn(self, visited: list[np.ndarray], goal: float, rate: float) -> None:
        for active in reversed(visited):
            value = self.weights[active].sum()
            self.weights[active] += rate * (goal - value) / len(active)
            goal = TRACE * goal + (1 - TRACE) * value


def train(table: Table, holes: int) -> Iterator[Learner]:
    """Yields the learner before each hole and after the last."""
    learner = Learner(table.setup)
    yield learner
    for hole in range(holes):
        learner.learn(*learner.play(table), rate=0.02 ** (hole / holes))
        yield learner


class Strokes(NamedTuple):
    """The strokes per hole by which the learner beats its opponent, and half of the 95 % interval."""

    mean: float
    half: float

    def __str__(self) -> str:
        return f"{self.mean:+.2f} ± {self.half:.2f} strokes per hole"


def measure(learner: Learner, table: Table, holes: int) -> Strokes:
    table.reset(seed=10**6)
    earned = [learner.play(table)[1] for _ in range(holes)]
    return Strokes(float(np.mean(earned)), 1.96 * float(np.std(earned)) / holes**0.5)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--game", default="play_nine")
    parser.add_argument("--opponent", default="greedy")
    parser.add_argument("--holes", type=int, default=100_000)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--others", nargs="*", default=[], help="also play against these in the end")
    told = parser.parse_args()
    if told.holes < 100:
        parser.error("--holes is 100 or more.")
    table, checks = (Table(Setup(told.game, [told.opponent])) for _ in range(2))
    table.reset(told.seed)
    for hole, learner in enumerate(train(table, told.holes)):
        if hole % (told.holes // 5) == 0:
            print(f"after {hole:7,} holes: {measure(learner, checks, told.holes // 50)} over {told.opponent}")
    for other in told.others:
        print(f"{measure(learner, Table(Setup(told.game, [other])), told.holes // 50)} over {other}")


if __name__ == "__main__":
    main()
