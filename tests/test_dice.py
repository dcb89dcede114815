"""Dice are fair, and the same for a seed."""

from collections import Counter

import numpy as np
import pytest

from mulligan.engine.chance import bag_size, many_dice, next_face, roll
from mulligan.engine.compiled import fresh
from mulligan.engine.moves import deal
from mulligan.engine.state import STATE, STOCK
from mulligan.game.variants import load
from mulligan.simulation import PACK, next_card

RULES = load("play_nine").rules


def chi_square(seen: np.ndarray, expected: np.ndarray) -> float:
    return float(((seen - expected) ** 2 / expected).sum())


@pytest.mark.parametrize("sides", [2, 3, 8, 14, 16, 91, 108])
def test_every_side_comes_as_often(sides):
    dice = many_dice(sides, 1)[0]
    rolls = np.array([roll(dice, sides) for _ in range(20_000)])
    assert rolls.min() == 0
    assert rolls.max() == sides - 1
    expected = np.full(sides, len(rolls) / sides)
    spread = sides - 1 + 4.5 * np.sqrt(2 * (sides - 1))  # beyond it once in some hundred thousand
    assert chi_square(np.bincount(rolls, minlength=sides), expected) < spread


def test_one_roll_says_nothing_of_the_next():
    dice = many_dice(5, 1)[0]
    rolls = np.array([roll(dice, 8) for _ in range(20_000)])
    pairs = np.bincount(rolls[:-1] * 8 + rolls[1:], minlength=64)
    assert chi_square(pairs, np.full(64, (len(rolls) - 1) / 64)) < 63 + 4.5 * np.sqrt(2 * 63)


def test_the_first_rolls_of_neighbouring_dice_are_fair_too():
    """Game after game begins with a first roll: those must not hang together either."""
    for nth in (1, 2, 3):
        rolls = []
        for dice in many_dice(11, 10_000):
            rolls.append([roll(dice, 14) for _ in range(nth)][-1])
        seen = np.bincount(rolls, minlength=14)
        assert chi_square(seen, np.full(14, 10_000 / 14)) < 13 + 4.5 * np.sqrt(26)


def drawn_from(counts, dice):
    """The face of a card that lies face down, of which these are the cards it may be."""
    state = fresh(STATE)
    state.unseen[:] = counts
    state.awaited = 0
    return int(next_face(RULES, state, dice))


def test_a_draw_follows_the_bag():
    dice = many_dice(3, 1)[0]
    counts = np.zeros(16, np.int8)
    counts[[0, 3, 5, 12, 13]] = 1, 8, 3, 2, 4
    assert bag_size(RULES, counts) == 18
    drawn = Counter(drawn_from(counts, dice) for _ in range(20_000))
    assert sorted(drawn) == [0, 3, 5, 12, 13]
    seen = np.array([drawn[face] for face in (0, 3, 5, 12, 13)])
    assert chi_square(seen, np.array([1, 8, 3, 2, 4]) / 18 * 20_000) < 4 + 4.5 * np.sqrt(8)


def test_a_draw_is_the_very_card_that_was_rolled():
    dice = many_dice(3, 1)[0]
    counts = np.zeros(16, np.int8)
    counts[[0, 3, 5, 12, 13]] = 1, 8, 3, 2, 4
    bag = np.repeat(np.arange(16), counts)
    for _ in range(500):
        rolled = roll(dice.copy(), len(bag))
        assert drawn_from(counts, dice) == bag[rolled]


def test_a_bag_of_one_card_gives_that_card():
    dice = many_dice(3, 1)[0]
    for face in range(14):
        counts = np.zeros(16, np.int8)
        counts[face] = 1
        assert drawn_from(counts, dice) == face


def test_dice_are_distinct_and_the_same_for_a_seed():
    dice = many_dice(1, 100_000)
    assert dice.shape == (100_000, 1)
    assert dice.dtype == np.int64
    assert dice.min() > 0
    assert len(np.unique(dice)) == len(dice)
    assert np.array_equal(dice, many_dice(1, 100_000))
    assert np.array_equal(dice[:10], many_dice(1, 10)), "more games begin with the same games"
    assert not np.isin(dice, many_dice(2, 100_000)).any()


def test_dice_stay_good_for_ever():
    dice = many_dice(9, 1)[0]
    states = set()
    for _ in range(50_000):
        roll(dice, 6)
        states.add(int(dice[0]))
        assert dice[0] > 0
    assert len(states) == 50_000


@pytest.mark.long
def test_the_simulator_draws_a_whole_pack_in_any_order():
    rules, state, packs, dice = RULES, fresh(STATE), np.zeros(2, PACK), many_dice(4, 1)[0]
    deal(rules, state, 4, 0)
    copies = np.array(rules.copies, np.int64)
    drawn = np.array([[next_card(rules, state, packs, dice) for _ in range(108)] for _ in range(600)])
    assert all((np.bincount(pack, minlength=len(copies)) == copies).all() for pack in drawn)
    expected = copies[:14] / 108 * len(drawn)
    for place in (0, 1, 32, 54, 106, 107):
        assert chi_square(np.bincount(drawn[:, place], minlength=14), expected) < 13 + 4.5 * np.sqrt(26)
    same = (drawn[:, 1:] == drawn[:, :-1]).mean()  # neighbours know nothing of one another
    assert same == pytest.approx((copies * (copies - 1)).sum() / (108 * 107), abs=0.005)


def test_the_simulator_draws_from_a_renewed_stock_only_what_is_in_it():
    rules, state, packs, dice = RULES, fresh(STATE), np.zeros(2, PACK), many_dice(4, 1)[0]
    deal(rules, state, 4, 0)
    state.unseen[:] = 0
    state.unseen[5] = 2  # face down
    state.stock[3] = state.stock[7] = 4
    state.renewed = 1
    stock = []
    for _ in range(8):
        state.awaited = STOCK
        stock.append(next_card(rules, state, packs, dice))
    assert sorted(stock) == [3] * 4 + [7] * 4
    state.awaited = 0
    assert [next_card(rules, state, packs, dice) for _ in range(2)] == [5, 5]
