"""Near the end of a match the strongest player plays for the match, and until then for strokes."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from table import Table, table

from mulligan.engine.chance import many_dice
from mulligan.engine.compiled import fresh
from mulligan.engine.match import MATCH, begin_match
from mulligan.engine.state import DISCARD, STOCK
from mulligan.game import variants
from mulligan.players import net_files, search
from mulligan.players.values.match_equity import Stakes, chance_to_win, stakes_of

RULES = variants.load("play_nine").rules


def match_after(holes: int, *totals: int):
    match = fresh(MATCH)
    begin_match(RULES, match, len(totals))
    match.dealer, match.holes, match.playing_off = 0, holes, holes >= RULES.holes
    match.totals[: len(totals)] = totals
    return match


def last_turn(discard: str, theirs: str) -> Table:
    """Ann's last turn with thirteen points, of which the 12 is the best to be rid of; Ben has closed."""
    return table("play_nine", "1 5 3 0 / 12 5 3 0", theirs, discards=discard, closer=1)


def choice(told: Table, match) -> int:
    brain = net_files.brain(RULES, 2)._replace(budget=np.full(1, 4000))
    return int(search.choose(RULES, match, told.hole.state, many_dice(5, 1)[0], brain))


def test_who_needs_a_miracle_draws_for_it():
    """The 4 leaves five points, the best on average, and three too many to win."""
    told = last_turn("4", "2 7 8 9 / 0 7 8 9")
    assert choice(told, match_after(3, 40, 40)) == DISCARD
    assert choice(told, match_after(8, 40, 40)) == STOCK


def test_who_has_won_with_what_lies_there_takes_it():
    """The stock promises less than six points on average, but six are enough."""
    told = last_turn("5", "7 2 8 9 / 0 2 8 9")
    assert choice(told, match_after(3, 40, 40)) == STOCK
    assert choice(told, match_after(8, 40, 40)) == DISCARD


def test_what_was_led_by_before_counts_but_not_in_a_play_off():
    told = last_turn("4", "2 7 8 9 / 0 7 8 9")
    assert choice(told, match_after(8, 36, 40)) == DISCARD, "five points are enough with four in hand"
    assert choice(told, match_after(9, 36, 40)) == STOCK


@pytest.mark.parametrize(("match", "counts"), [((6, 40, 40), False), ((7, 40, 40), True), ((8, 40, 40), True)])
def test_strokes_count_until_the_last_holes(match, counts):
    told = table("play_nine", "1 ? ? ? / 12 5 3 0", "? ? ? 4 / ? ? ? 9", discards="4")
    assert (stakes_of(RULES, match_after(*match), told.hole.state, 0.0, True).stroke > 0) == counts


def test_where_the_match_is_decided_strokes_count_again():
    told = table("play_nine", "1 ? ? ? / 12 5 3 0", "? ? ? 4 / ? ? ? 9", discards="4")
    for totals in ((10, 110), (110, 10)):
        assert stakes_of(RULES, match_after(8, *totals), told.hole.state, 0.0, True).stroke == 0


def test_without_a_match_strokes_count():
    told = table("play_nine", "1 ? ? ? / 12 5 3 0", "? ? ? 4 / ? ? ? 9", discards="4")
    assert stakes_of(RULES, fresh(MATCH), told.hole.state, 0.0, True).stroke == 0


def test_without_time_to_play_holes_out_strokes_count():
    told = last_turn("4", "2 7 8 9 / 0 7 8 9")
    brain = net_files.brain(RULES, 2)._replace(budget=np.full(1, 30))
    assert search.choose(RULES, match_after(8, 40, 40), told.hole.state, many_dice(5, 1)[0], brain) == DISCARD


@given(st.lists(st.tuples(st.integers(0, 20), st.integers(-10, 10)), min_size=2, max_size=8))
@settings(deadline=None)
def test_somebody_wins(cards):
    """With no hole to come the chances of all make one, and those level for lowest share it."""
    totals, points = (np.array(column, np.float64) for column in zip(*cards, strict=True))
    chances = [chance_to_win(Stakes(totals - totals[me], 0.0, 1.0), points, me) for me in range(len(cards))]
    assert sum(chances) == pytest.approx(1)
    best = (totals + points).min()
    assert all((chance > 0) == (total == best) for chance, total in zip(chances, totals + points, strict=True))


def test_with_holes_to_come_a_lead_may_be_lost_and_two_have_one_chance_between_them():
    behind, points = np.array([0.0, 7.0]), np.array([3.0, 1.0])
    leads = chance_to_win(Stakes(behind, 15.0, 1.0), points, 0)
    trails = chance_to_win(Stakes(behind - 7, 15.0, 1.0), points, 1)
    assert 0.5 < leads < 0.8
    assert leads + trails == pytest.approx(1)
