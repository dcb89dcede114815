"""A step that is no step of the hole is not taken, whatever numbers stand in it."""

from itertools import product

import minis
import pytest
from holes import a_hole, go_on
from table import restore

from mulligan.engine.chance import stock_bag
from mulligan.engine.state import DISCARD, DISCARD_DRAWN, HIDDEN, PASS, STOCK
from mulligan.game.hole import Hole
from mulligan.game.notation import Step, as_array

NUMBERS = [-128, -100, -3, -2, *range(-1, 17), 100, 127]
PHASES = range(-1, 8)


@pytest.mark.parametrize("game", ["play_nine", "nine_card", "mini_columns"])
@pytest.mark.parametrize("seed", range(3))
def test_only_what_may_come_is_taken(game, seed):
    hole, rng = a_hole(game, seed)
    for _ in range(6):
        for _ in range(rng.randrange(1, 25)):
            if not hole.is_over:
                go_on(hole, rng)
        before, as_it_lies, taken = hole.state.copy(), hole.state.tobytes(), set()
        others = [(rng.choice(PHASES), rng.choice(NUMBERS), rng.choice(NUMBERS)) for _ in range(200)]
        for phase, move, face in [*product([int(before.phase)], NUMBERS, NUMBERS), *others]:
            if hole.take(as_array([Step(0, phase, move, face)])):
                taken.add((phase, move, face))
                restore(hole, before)
            assert hole.state.tobytes() == as_it_lies
        assert taken == steps_by_the_book(hole)


def steps_by_the_book(hole: Hole) -> set[tuple[int, int, int]]:
    """Each choice or awaited card, with each card that can be there."""
    state = hole.state
    moves = [int(state.awaited)] if hole.awaits_card else hole.legal_moves()
    return {(int(state.phase), move, face) for move in moves for face in cards_there(hole, move)}


def cards_there(hole: Hole, move: int) -> list[int]:
    state = hole.state
    if move == STOCK:
        return [face for face, count in enumerate(stock_bag(state).tolist()) if count]
    if move in (DISCARD, DISCARD_DRAWN, PASS):
        return [int({DISCARD: state.discard, DISCARD_DRAWN: state.held, PASS: HIDDEN}[move])]
    lying = int(state.players[hole.turn].layout[move])
    if lying != HIDDEN:
        return [lying]
    return [face for face, count in enumerate(state.unseen.tolist()) if count]


def test_steps_are_taken_as_far_as_they_go():
    hole = Hole(minis.load("mini_columns"), 2, 0)
    good = [Step(0, 0, STOCK, 1), Step(0, 1, 0, 2), Step(0, 1, 3, 1)]
    assert hole.take(as_array([*good, Step(0, 1, 0, 1), Step(0, 2, STOCK, 0)])) == 3
    assert [step.seat for step in hole.steps] == [0, 1, 0], "whose they are is written in"
    assert hole.take(as_array([Step(1, 2, DISCARD, 1)])) == 1
