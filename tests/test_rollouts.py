"""Playing moves out: the luck that is known is taken out of the results."""

from math import hypot

import minis
import numpy as np
import pytest
from table import table

from mulligan.coach import rollouts
from mulligan.coach.rollouts import FULL, TRUNCATED, Doubt, PlayOuts, play_out_less_luck, play_out_with_luck, roll_out
from mulligan.engine.chance import many_dice
from mulligan.engine.compiled import fresh
from mulligan.engine.moves import deal, turn_up
from mulligan.engine.state import DISCARD, STATE, STOCK
from mulligan.game import variants
from mulligan.game.hole import Hole
from mulligan.players import book_files, net_player
from mulligan.training.net.parameters import blank_numbers, net_of, plan

SURE = 1.96  # standard deviations on either side of an interval


def doubt_after(steps, seats):
    """The best move and another one after so many steps of each seat in a hole of Play Nine."""
    hole, dice = Hole(variants.load("play_nine"), seats, 0), many_dice(3, 1)[0]
    rules, books = hole.variant.rules, book_files.books(hole.variant.rules, seats)
    while len(hole.steps) < steps * seats or hole.awaits_card:
        if hole.awaits_card:
            hole.draw_card(dice)
        else:
            hole.play(net_player.choose_by(rules, hole.state, books.net))
    best = net_player.choose_by(rules, hole.state, books.net)
    return Doubt(rules, books, hole.state, next(move for move in hole.legal_moves() if move != best), best)


def error_of(found):
    return (found.high - found.low) / 2 / SURE


@pytest.mark.parametrize("seats", [2, 4])
def test_taking_the_luck_out_leaves_the_mean(seats):
    """Playouts of two moves, as they fall and less their luck: the same difference, but much less scatter."""
    doubt = doubt_after(14, seats)
    found = roll_out([doubt])[0]
    raw = np.zeros((2, 3000))
    for move, ends in zip((doubt.move, doubt.best), raw, strict=True):
        dice = many_dice(8, len(ends))
        play_out_with_luck(doubt.rules, doubt.state, np.zeros(1, STATE), move, doubt.books.net, dice, ends)
    gaps = raw[0] - raw[1]
    assert abs(gaps.mean() - found.loss) < 4 * hypot(gaps.std() / len(gaps) ** 0.5, error_of(found))
    assert error_of(found) * FULL.playouts**0.5 < 0.4 * gaps.std()


@pytest.mark.parametrize("seats", [2, 4])
def test_truncated_rollouts_have_the_same_mean_and_less_scatter(seats):
    """After two rounds the net judges the table, and errs by some tenths of a stroke."""
    doubt = doubt_after(8, seats)
    full, truncated = (roll_out([doubt], effort._replace(playouts=200))[0] for effort in (FULL, TRUNCATED))
    assert error_of(truncated) < 0.8 * error_of(full)
    assert abs(truncated.loss - full.loss) < 0.5 + 4 * hypot(error_of(full), error_of(truncated))


@pytest.mark.parametrize("seats", [2, 3])
def test_the_mean_is_right_however_wrong_the_net(seats):
    rules = minis.load("mini_columns").rules
    lay = plan(rules, seats, 3)
    net = net_of(rules, lay, blank_numbers(rules, lay, 1))
    net.rows[..., 0] += 0.5  # each row: strokes that nobody wins
    state = fresh(STATE)
    deal(rules, state, seats, 0)
    turn_up(rules, state, 0)
    means = []
    for play_out, rounds in ((play_out_less_luck, [FULL.rounds]), (play_out_with_luck, [])):
        ends = np.zeros(20_000)
        play_out(rules, state.copy(), np.zeros(1, STATE), 0, net, many_dice(5, len(ends)), *rounds, ends)
        means.append((ends.mean(), ends.std() / len(ends) ** 0.5))
    (less, error), (raw, other_error) = means
    assert abs(less - raw) < 4 * hypot(error, other_error)


@pytest.mark.parametrize("move", [STOCK, DISCARD])
def test_a_last_turn_counts_the_closers_penalty_as_often_as_it_is_due(move):
    """An estimate of that chance was off by up to six strokes here, and so was all that was played out."""
    told = table(
        "twelve_card", "A 2 5 K / K 4 2 A / 3 5 A 2", "? 2 3 K / 2 7 K A / K 2 6 A", discards="K", turn=1, closer=0
    )
    rules, state = told.variant.rules, told.hole.state
    net, less, raw = book_files.books(rules, 2).net, np.zeros(50), np.zeros(20_000)
    for play_out, rounds, ends in ((play_out_less_luck, [FULL.rounds], less), (play_out_with_luck, [], raw)):
        play_out(rules, state.copy(), np.zeros(1, STATE), move, net, many_dice(5, len(ends)), *rounds, ends)
    assert less.std() < 1e-9
    assert abs(less.mean() - raw.mean()) <= 4 * raw.std() / len(raw) ** 0.5 + 1e-9


def test_pieces_of_one_move_play_from_positions_of_their_own(monkeypatch):
    """They run at the same time, and a position changes for a moment while its moves are weighed."""
    position, books = fresh(STATE), book_files.books(variants.load("play_nine").rules, 2)

    def weigh(rules, start, *others):
        start.turns += 1

    monkeypatch.setattr(rollouts, "play_out", weigh)
    PlayOuts([Doubt(variants.load("play_nine").rules, books, position, 0, 1)], FULL)((0, 0))
    assert position.turns == 0
