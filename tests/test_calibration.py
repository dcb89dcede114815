"""Losses are corrected by the measured error of the net, and tell how sure they are."""

import json
from pathlib import Path

import numpy as np
import pytest
from calibration_report import Rows, figures, fit, pages, read_groups, rows_of
from commands import mulligan

from mulligan.cli.coach_views import analysis_as_data
from mulligan.coach import calibration
from mulligan.coach.advice import advise
from mulligan.coach.analysis import analyse
from mulligan.coach.calibration import FILE, Correction, corrected, corrections, is_equal, refined, stage_of, unbiased
from mulligan.coach.coach_words import advice_in_words
from mulligan.coach.findings import Loss, Rollouts, as_data, only
from mulligan.game import variants
from mulligan.game.hole import Hole
from mulligan.game.position import set_table
from mulligan.game.words import Words
from mulligan.players import net_files

pytestmark = pytest.mark.long
GAMES = Path(__file__).parent / "games" / "play_nine.jsonl"
PLAY_NINE = variants.load("play_nine")
TABLE = ("7 ? 1 ? / ? ? ? 5", "? ? 3 ? / ? ? ? 9")
ALL = {"scale": 1.0, "excess": 1.0, "spread": 0.5, "bias": 0.1, "rest": 0.2}


def brain(seats=2):
    return net_files.coach_brain(PLAY_NINE.rules, seats)


@pytest.fixture
def measured(monkeypatch):
    """The net of Play Nine was measured: every stage overstates by up to 1 stroke, and 0.5 strokes are left."""
    stages = {stage: [*ALL.values()] for stage in ("tee_off", "take", "place", "flip", "last")}
    entry = {"seats": 2, "net": calibration.digest_of_net(brain()), "stages": stages}
    monkeypatch.setattr(calibration, "measured", lambda: {net_files.edition(PLAY_NINE.rules): [entry]})


def test_a_small_loss_nearly_vanishes_and_a_large_one_loses_the_excess():
    losses = [corrected(stated, Correction(**ALL)) for stated in (0.0, 0.1, 1.0, 3.0, 40.0)]
    assert [loss.loss for loss in losses] == sorted(loss.loss for loss in losses)
    assert losses[0] == Loss(0.0, None, None)
    assert losses[1].loss < 0.01
    assert losses[4].loss == pytest.approx(39, abs=0.05)
    assert [is_equal(loss) for loss in losses] == [True, True, True, False, False]
    assert losses[3].high - losses[3].loss == pytest.approx(1.96 * 0.5)


def test_a_net_that_says_too_little_is_corrected_upwards():
    assert corrected(2.0, Correction(1.5, 0.0)).loss == 3.0


def test_without_a_measurement_there_is_no_interval():
    assert corrected(0.7, None) == Loss(0.7, None, None)
    assert [is_equal(corrected(stated, None)) for stated in (0.04, 0.7)] == [True, False]
    assert as_data(Loss(0.7, None, None)) == {"loss": 0.7, "low": None, "high": None}


def rollouts(loss: float, low: float, high: float) -> Rollouts:
    return Rollouts(100, "net", loss, low, high)


def test_playing_a_move_out_narrows_the_interval():
    before = corrected(2.0, Correction(**ALL))
    after = refined(before, rollouts(0.5, 0.1, 0.9))
    assert 0.5 < after.loss < before.loss
    assert after.high - after.low < min(before.high - before.low, 0.8)
    assert refined(before, rollouts(-3.0, -3.1, -2.9)).loss == 0
    assert refined(Loss(0.7, None, None), rollouts(0.5, 0.1, 0.9)) == Loss(0.5, 0.1, 0.9)


def test_the_net_moves_what_rollouts_found_by_one_standard_error_at_most():
    found = rollouts(3.0, 3.0 - 1.96 * 0.5, 3.0 + 1.96 * 0.5)
    for loss in (0.0, 6.0):
        after = refined(Loss(loss, loss - 0.1, loss + 0.1), found)
        assert after.loss == pytest.approx(2.5 if loss < 3 else 3.5)
        assert after.high - after.loss == pytest.approx(1.96 * 0.5)


def test_what_truncated_rollouts_overstate_is_taken_off_and_what_is_left_widens_their_interval():
    found = unbiased(rollouts(1.0, 0.412, 1.588), Correction(1.0, 1.0, bias=0.2, rest=0.4))
    assert found.loss == 0.8
    assert (found.low, found.high) == pytest.approx((0.8 - 1.96 * 0.5, 0.8 + 1.96 * 0.5))


def test_only_the_net_that_was_measured_is_corrected(measured):
    assert corrections(PLAY_NINE.rules, brain(), 2)["take"] == Correction(**ALL)
    changed = brain()._replace(net=brain(4).net)
    assert corrections(PLAY_NINE.rules, changed, 2) == {}


def test_the_stage_of_a_turn_after_somebody_has_closed_is_the_last():
    assert stage_of(set_table(PLAY_NINE, TABLE, "4")) == "take"
    assert stage_of(set_table(PLAY_NINE, TABLE, "4", held="2")) == "place"
    assert stage_of(set_table(PLAY_NINE, ("7 ? 1 ? / ? ? ? 5", "9 9 3 1 / 9 9 2 2"), "4")) == "last"


def test_advice_says_which_moves_are_about_equal_and_how_sure_the_others_are(measured):
    state = set_table(PLAY_NINE, ("11 ? 1 ? / ? 9 ? 4", "4 ? 3 5 / ? 3 ? 9"), "12", held="2")
    ranked = advise(Hole.at(PLAY_NINE, state))
    for one in ranked:
        assert only(Loss, one) == corrected(one.worth - ranked[0].worth, Correction(**ALL))
    said = list(advice_in_words(Words("en"), PLAY_NINE, state, ranked, ["Ann", "Ben"]))
    for one, (head, reason) in zip(ranked[1:], said[1:], strict=True):
        assert head.startswith("    ≈") == one.equal
        assert ("–" in reason.rpartition("(")[2]) != one.equal
    assert any(one.equal for one in ranked[1:])
    assert any(not one.equal for one in ranked)


def test_moves_that_cannot_be_told_apart_are_no_mistakes(measured):
    told = analyse(json.loads(GAMES.read_text().splitlines()[0]))
    equal, worse = 0, 0
    for hole in told.holes:
        for seat in hole.seats:
            for move in seat.moves:
                stated = move.worth - move.ranked[0].worth
                assert move.loss == pytest.approx(corrected(stated, Correction(**ALL)).loss, abs=1e-6)
                assert move.equal == (move.low is None or move.low <= 0) == (move.why is None)
                equal += stated > 0.05 and move.equal
                worse += not move.equal
            assert seat.mistakes == pytest.approx(sum(move.loss for move in seat.moves), abs=1e-6)
            assert seat.points == pytest.approx(seat.at_deal + seat.luck + seat.mistakes, abs=1e-6)
            assert seat.errors == len({move.turn for move in seat.moves if not move.equal})
    assert equal
    listed = analysis_as_data(Words("en"), PLAY_NINE, told)["mistakes"]
    assert len(listed) == min(20, worse) > 0


def test_the_command_tells_the_interval_of_each_mistake(measured, tmp_path):
    file = tmp_path / "game.jsonl"
    file.write_text(GAMES.read_text().splitlines()[0] + "\n")
    first = json.loads(mulligan("analyse", file, "--json").stdout)["mistakes"][0]
    amount = f"{first['loss']:.1f}\u00a0strokes ({first['low']:.1f}–{first['high']:.1f})"
    assert amount in first["sentence"]


def test_the_correction_makes_the_mistakes_cost_what_they_cost_when_played_out():
    for group in read_groups():
        mistakes, near = rows_of(group)
        correction = fit(mistakes, near)
        told = sum(corrected(float(stated), correction).loss for stated in mistakes.stated)
        if correction.excess < 19:
            assert told == pytest.approx(mistakes.played.sum(), rel=0.01)
        assert correction.spread > 0
        assert correction.rest > 0
        assert mistakes.truncated.mean() - correction.bias == pytest.approx(mistakes.played.mean())


def test_an_error_that_may_hide_in_the_noise_of_the_playouts_is_not_taken_for_none():
    stated, played, none = np.full(20, 2.0), np.linspace(0.0, 4.0, 20), np.zeros(20)
    few = Rows(*[none[:0]] * 5)
    exact, noisy = (fit(Rows(stated, played, np.full(20, error), stated, none), few) for error in (0.0, 2.0))
    assert exact.spread == pytest.approx(played.std())
    assert exact.rest == pytest.approx(played.std())
    assert min(noisy.spread, noisy.rest) > 0.3


def test_the_page_and_the_figures_are_what_the_script_writes():
    groups = read_groups()
    for file, text in {**pages(groups), FILE: figures(groups)}.items():
        assert file.read_text(encoding="utf-8") == text, "run python bench/calibration.py --report"
