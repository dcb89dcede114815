"""Playing moves out: the luck that is known is taken out of the results."""

from math import hypot

import minis
import numpy as np
import pytest
from table import table

from mulligan import simulation
from mulligan.coach import rollouts
from mulligan.coach.rollouts import FULL, Doubt, PlayOuts, play_out, roll_out, truncated
from mulligan.engine.chance import many_dice
from mulligan.engine.compiled import compiled_with_arrays, fresh
from mulligan.engine.match import MATCH
from mulligan.engine.moves import deal, play, turn_up
from mulligan.engine.replay import STEP
from mulligan.engine.scoring import against_the_field
from mulligan.engine.state import DISCARD, STATE, STOCK
from mulligan.game import variants
from mulligan.game.hole import Hole
from mulligan.players import net_files, net_player
from mulligan.players.positions import copy_state
from mulligan.players.values.brain import UNTRAINED
from mulligan.training.parameters import blank_numbers, net_of, plan

pytestmark = pytest.mark.long
SURE = 1.96  # standard deviations on either side of an interval
TURN_LIMIT = 400


def as_they_fall(rules, start, move, brain, dice):
    """The player's points less the mean of the others in holes that `net` plays on after that move."""
    chairs, _ = simulation.seat_players(["net"], rules, int(start.seats), brain)
    desk = np.zeros(1, MATCH), np.zeros(1, STATE), np.zeros(2, simulation.PACK), np.zeros(0, STEP)
    ends = np.zeros(len(dice))
    play_on(rules, start.copy(), move, chairs, brain, dice, desk, ends)
    return ends


@compiled_with_arrays
def play_on(rules, start, move, chairs, brain, dice, desk, ends):
    matches, states, packs, log = desk
    match, state = matches[0], states[0]
    points, seated = np.zeros(start.seats), np.arange(start.seats)
    for game in range(len(dice)):
        copy_state(start, state)
        play(rules, state, move)
        simulation.put_away(packs)
        simulation.play_hole(rules, match, state, chairs, seated, dice[game], TURN_LIMIT, brain, packs, log, 0)
        for seat in range(state.seats):
            points[seat] = state.players[seat].points
        against_the_field(points)
        ends[game] = points[start.turn]


def less_luck(rules, start, move, brain, dice):
    """The same as the coach plays them out: with the luck of each turn taken out."""
    ends = np.zeros(len(dice))
    play_out(rules, start.copy(), np.zeros(1, STATE), move, brain, dice, FULL.rounds, ends)
    return ends


def just_dealt(rules, seats):
    state = fresh(STATE)
    deal(rules, state, seats, 0)
    turn_up(rules, state, 0)
    return state


def doubt_after(steps, seats):
    """The best move and another one after so many steps of each seat in a hole of Play Nine."""
    hole, dice = Hole(variants.load("play_nine"), seats, 0), many_dice(3, 1)[0]
    rules, brain = hole.variant.rules, net_files.brain(hole.variant.rules, seats)

    def choose():
        return int(net_player.choose(rules, fresh(MATCH), hole.state, dice, brain))

    while len(hole.steps) < steps * seats or hole.awaits_card:
        if hole.awaits_card:
            hole.draw_card(dice)
        else:
            hole.play(choose())
    best = choose()
    return Doubt(rules, brain, hole.state, next(move for move in hole.legal_moves() if move != best), best)


def error_of(found):
    return (found.high - found.low) / 2 / SURE


@pytest.mark.parametrize("seats", [2, 4])
def test_taking_the_luck_out_leaves_the_mean(seats):
    """Playouts of two moves, as they fall and less their luck: the same difference, but much less scatter."""
    doubt = doubt_after(14, seats)
    found = roll_out([doubt])[0]
    raw = [as_they_fall(doubt.rules, doubt.state, move, doubt.brain, many_dice(8, 3000)) for move in doubt[3:]]
    gaps = raw[0] - raw[1]
    assert abs(gaps.mean() - found.loss) < 4 * hypot(gaps.std() / len(gaps) ** 0.5, error_of(found))
    assert error_of(found) * FULL.playouts**0.5 < 0.4 * gaps.std()


@pytest.mark.parametrize("seats", [2, 4])
def test_truncated_rollouts_have_the_same_mean_and_less_scatter(seats):
    """After some rounds the net judges the table, and errs by some tenths of a stroke."""
    doubt = doubt_after(8, seats)
    full, short = (roll_out([doubt], effort._replace(playouts=200))[0] for effort in (FULL, truncated(seats)))
    assert error_of(short) < 0.8 * error_of(full)
    assert abs(short.loss - full.loss) < 0.5 + 4 * hypot(error_of(full), error_of(short))


@pytest.mark.parametrize("seats", [2, 3])
def test_the_mean_is_right_however_wrong_the_net(seats):
    rules = minis.load("mini_columns").rules
    lay = plan(rules, seats, 3)
    net = net_of(rules, lay, blank_numbers(rules, lay, 1))
    net.rows[..., 0] += 0.5  # each row: strokes that nobody wins
    state = just_dealt(rules, seats)
    dice, brain = many_dice(5, 10_000), UNTRAINED._replace(net=net)
    less, raw = (play_all(rules, state, 0, brain, dice.copy()) for play_all in (less_luck, as_they_fall))
    assert abs(less.mean() - raw.mean()) < 4 * hypot(less.std(), raw.std()) / len(dice) ** 0.5


def test_without_a_net_moves_are_played_out_as_they_fall():
    rules = minis.load("mini_columns").rules
    state = just_dealt(rules, 2)
    dice = many_dice(5, 10_000)
    found, raw = (play_all(rules, state, 0, UNTRAINED, dice.copy()) for play_all in (less_luck, as_they_fall))
    assert abs(found.mean() - raw.mean()) < 4 * hypot(found.std(), raw.std()) / len(dice) ** 0.5


@pytest.mark.parametrize("move", [STOCK, DISCARD])
def test_a_last_turn_counts_the_closers_penalty_as_often_as_it_is_due(move):
    """An estimate of that chance was off by up to six strokes here, and so was all that was played out."""
    told = table(
        "twelve_card", "A 2 5 K / K 4 2 A / 3 5 A 2", "? 2 3 K / 2 7 K A / K 2 6 A", discards="K", turn=1, closer=0
    )
    rules, state = told.variant.rules, told.hole.state
    brain, dice = net_files.brain(rules, 2), many_dice(5, 20_000)
    less, raw = less_luck(rules, state, move, brain, dice[:50]), as_they_fall(rules, state, move, brain, dice)
    assert less.std() < 1e-9
    assert abs(less.mean() - raw.mean()) <= 4 * raw.std() / len(raw) ** 0.5 + 1e-9


def test_pieces_of_one_move_play_from_positions_of_their_own(monkeypatch):
    """They run at the same time, and a position changes for a moment while its moves are weighed."""
    position, brain = fresh(STATE), net_files.brain(variants.load("play_nine").rules, 2)

    def weigh(rules, start, *others):
        start.turns += 1

    monkeypatch.setattr(rollouts, "play_out", weigh)
    PlayOuts([Doubt(variants.load("play_nine").rules, brain, position, 0, 1)], FULL)((0, 0))
    assert position.turns == 0
