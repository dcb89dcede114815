"""A refusal names the rule, and the player, the slot and the cards that it is about."""

import pytest
from table import fresh_table, table

from mulligan.engine.state import DISCARD
from mulligan.game.words import Words

WORDS = Words("en")

P = ("7 3 1 ? / ? ? ? ?", "7 3 1 2 / ? ? ? ?")
N = ("7 3 A / ? ? ? / ? ? ?", "7 3 A / ? ? ? / ? ? ?")

REFUSALS = [
    ("play_nine", P, "D9-", "3.5", "discard pile"),
    ("play_nine", P, "S9-", "3.4", "turned up"),
    ("play_nine", P, "S9-a1=7", "3.3", "a1", "face up"),
    ("play_nine", P, "D5>a1x7", "3.1", "9", "5"),
    ("play_nine", P, "D9>a1x8", "3.2", "a1", "7", "8"),
    ("play_nine", P, "a2=4", "3.1", "Ann", "teed off"),
    ("nine_card", N, "S9-", "3.3", "must be placed"),
    ("nine_card", N, "D9-", "3.3", "must be placed"),
    ("nine_card", N, "D9>a1x8", "3.2", "a1", "7", "8"),
]


@pytest.mark.parametrize("case", REFUSALS, ids=lambda case: f"{case[0]} {case[2]}")
def test_the_reason_says_who_what_and_why(case):
    game, layouts, move, rule, *words = case
    reason = table(game, *layouts, discards="4 9").refused(move, rule)
    for word in words:
        assert word in reason
    assert reason.endswith(".")
    assert reason.count("\n") == 0


def test_on_a_last_turn_nothing_is_turned_up():
    told = table("play_nine", "7 3 1 2 / 4 6 8 5", *P, discards="9", turn=1, closer=0)
    told.refused("S3-a2=4", "4.2")
    told.play("S3-")
    told.refused("S3-d2=4", "4.2")


def test_only_a_last_turn_is_declined():
    told = table("nine_card", *N, discards="9")
    assert WORDS("cardboard_wrong_only_last_turn", player="Ann") in told.refused("-", "4.2")


def test_a_game_in_which_nobody_declines():
    told = table("play_nine", "7 3 1 2 / 4 6 8 5", *P, discards="9", turn=1, closer=0)
    assert WORDS("cardboard_wrong_must_play", player="Ben") in told.refused("-", "4.2")
    assert "Ann" in table("play_nine", *P, discards="9").refused("-", "4.2")


def test_who_holds_a_card_does_not_decline():
    told = table("nine_card", "7 3 A / 7 4 2 / 4 5 8", *N, discards="9", turn=1, closer=0)
    told.hole.play(DISCARD)
    told.refused("-", "3.2")


def test_teeing_off():
    told = fresh_table("play_nine", 2)
    told.hole.turn_up(3)
    assert "Ben tees off first" in told.refused("S3>a1x4", "2.4")
    told.play("a1=4")
    assert "a1" in told.refused("a1=4", "2.4")


def test_nothing_comes_after_the_end():
    told = table("play_nine", "7 3 1 2 / 4 6 8 5", "7 3 1 2 / 4 6 8 ?", discards="9", turn=1, closer=0)
    told.play("S9-")
    told.refused("S9-", "4.2")
    told.reveal(1, ["d2=4"])
    told.refused("S9-", "4.3")


def test_in_a_play_off_the_player_is_named_not_the_seat():
    told = table("play_nine", *P, discards="9")
    told.game.players = ["Zoe", "Yan", "Xia"]
    told.game.match.players = 3
    told.game.match.at_table[0], told.game.match.at_table[2] = 0, 1
    assert "Yan" in told.refused("-", "4.2")
    told.play("D9>a1x7")
    with told.as_a_try():
        told.hole.state.turn = 1
        assert "Xia" in told.refused("-", "4.2")
