"""Every case filed under a rule's number holds."""

import pytest
from casebook import read_cases, try_case

CASES = list(read_cases())


@pytest.mark.parametrize("case", CASES, ids=str)
def test_case(case):
    try_case(case)


def test_every_file_has_cases_for_both_games():
    games = {}
    for case in CASES:
        games.setdefault(case.rule, set()).add(case.game)
    assert games.pop("3.7") == {"mini_clear", "twelve_card"}  # rules of other games
    assert games.pop("3.8") == {"mini_knock"}
    assert [rule for rule, told in games.items() if not told >= {"play_nine", "nine_card"}] == []
