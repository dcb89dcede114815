"""The players of bench/ that others have published."""

import minis
import pytest
import reference_players  # noqa: F401  adds them
from holes import positions
from table import table
from thinking import chosen, holding, think

from mulligan.engine.chance import many_dice
from mulligan.engine.scoring import cost
from mulligan.engine.state import DISCARD_DRAWN, HIDDEN, NOBODY, Phase


def test_the_threshold_player_wants_five_points():
    told = table("play_nine", "12 3 ? ? / 2 ? ? ?", "7 3 1 2 / ? ? ? ?", discards="7")
    assert chosen(told, "threshold") == "discard"
    told = table("play_nine", "12 3 ? ? / 2 ? ? ?", "7 3 1 2 / ? ? ? ?", discards="8")
    assert chosen(told, "threshold") == "stock"
    assert chosen(holding(told, "8"), "threshold") == "-"
    told.hole.play(DISCARD_DRAWN)
    assert chosen(told, "threshold") == "c1"


def test_the_threshold_player_places_what_may_not_be_discarded():
    told = table("nine_card", "Q 3 ? / 2 4 ? / 5 A ?", "7 3 2 / ? ? ? / ? ? ?", discards="J")
    assert chosen(holding(told, "10"), "threshold") == "a1"


def test_the_patient_player_leaves_the_last_card_face_down():
    told = table("play_nine", "9 0 1 2 / 9 0 1 ?", "7 3 1 2 / 3 4 5 ?", discards="12")
    holding(told, "10").hole.play(DISCARD_DRAWN)
    assert chosen(told, "patient") == "pass"


def test_the_patient_player_closes_with_nine_under_par():
    told = holding(table("play_nine", "9 9 1 2 / 9 9 1 ?", "7 3 1 2 / 3 4 5 ?", discards="12"), "2")
    assert chosen(told, "patient") == "d2"


def test_the_patient_player_places_elsewhere():
    told = holding(table("nine_card", "9 4 8 / 3 6 2 / 7 5 ?", "7 3 2 / ? ? ? / ? ? ?", discards="Q"), "A")
    assert chosen(told, "patient") == "a1"


def test_the_patient_player_plays_freely_once_somebody_has_closed():
    told = table("play_nine", "9 0 1 2 / 9 0 1 ?", "7 3 1 2 / 3 4 5 6", discards="12", closer=1)
    assert chosen(holding(told, "2"), "patient") == "d2"


@pytest.mark.long
@pytest.mark.parametrize("game", ["play_nine", "nine_card", "brisk_six"])
def test_the_patient_player_never_closes_early_of_his_own_will(game):
    rules = minis.load(game).rules
    seen = 0
    for hole in positions(game, 3, 30):
        state = hole.state
        player = state.players[hole.turn]
        may_close = player.hidden == 1 and state.closer == NOBODY and state.turns / state.seats < 20
        if state.phase == Phase.PLACE and may_close:
            seen += 1
            move = think("patient", hole, many_dice(1, 1)[0])
            if move < rules.slots and player.layout[move] == HIDDEN:
                after = player.layout.copy()
                after[move] = state.held
                assert cost(rules, after, 0) <= -9
    assert seen > 10
