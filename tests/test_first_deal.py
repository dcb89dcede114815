"""The draw for the first deal (2.1)."""

import numpy as np
import pytest
from casebook import read_cases

from mulligan.engine.chance import many_dice
from mulligan.engine.compiled import fresh
from mulligan.engine.match import MATCH, begin_match, compare_draw, draw_for_deal
from mulligan.engine.state import NOBODY
from mulligan.game import variants


@pytest.mark.parametrize("game", ["play_nine", "nine_card"])
def test_each_draw_is_from_the_whole_pack_among_those_level(game):
    rules = variants.load(game).rules
    match = fresh(MATCH)
    dice = many_dice(21, 1)[0]
    draws = []
    for _ in range(400):
        players = int(rules.most_seats)
        begin_match(rules, match, players)
        rounds = 0
        while match.dealer == NOBODY:
            drawing = [player for player in range(players) if match.at_table[player]]
            assert len(drawing) > 1
            draw_for_deal(rules, match, dice)
            drawn = [int(match.drawn[player]) for player in drawing]
            left = rules.copies.astype(int) - np.bincount(drawn, minlength=len(rules.copies))
            assert left.min() >= 0
            assert match.unseen.tolist() == left.tolist()
            compare_draw(rules, match)
            points = [int(rules.points[face]) for face in drawn]
            lowest = [player for player, move_value in zip(drawing, points, strict=True) if move_value == min(points)]
            if len(lowest) > 1:
                assert [player for player in range(players) if match.at_table[player]] == lowest
            else:
                assert match.dealer == lowest[0]
            rounds += 1
        assert match.at_table[:players].all(), "everyone sits down to the first hole"
        draws.append(rounds)
    assert max(draws) > 1, "among six or eight some are level sooner or later"


def test_the_cases_of_the_draw_are_many():
    assert sum(case.kind == "match" for case in read_cases() if case.rule == "2.1") >= 10
