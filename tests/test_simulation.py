"""Batches of games: repeatable, fair to the seats, and counted right."""

import minis
import numpy as np
import pytest
from effort import tries
from reference_players import PLAYERS

from mulligan import simulation
from mulligan.game import referee, variants

pytestmark = pytest.mark.long
GAMES = ["play_nine", "nine_card"]
TABLES = [(game, seats) for game in GAMES for seats in variants.load(game).seats]


def same(one, other) -> bool:
    return all(
        np.array_equal(getattr(one, sheet), getattr(other, sheet)) for sheet in ("chair", "points", "winners")
    ) and (one.moves, one.playoffs, one.abandoned) == (other.moves, other.playoffs, other.abandoned)


@pytest.mark.parametrize("game", GAMES)
@pytest.mark.parametrize("how", [{"games": 600}, {"holes": 1000}], ids=["games", "holes"])
def test_the_same_seed_gives_the_same_whatever_the_threads(game, how):
    variant = variants.load(game)
    told = [simulation.simulate(variant, 3, ["random"], 7, threads=threads, **how) for threads in (1, 2, 5, 0)]
    assert all(same(told[0], other) for other in told[1:])
    assert not same(told[0], simulation.simulate(variant, 3, ["random"], 8, **how))


@pytest.mark.parametrize(("game", "seats"), TABLES)
@pytest.mark.parametrize("players", [["random"], ["greedy"], ["greedy", "random"]], ids="-".join)
def test_records_are_of_the_games_that_were_counted(game, seats, players):
    variant = variants.load(game)
    results = simulation.simulate(variant, seats, players, 11, games=3, threads=1)
    records = list(simulation.records(variant, seats, players, 11, 3))
    assert len(records) == 3
    played = 0
    for number, record in enumerate(records):
        referee.replay(record)
        holes = record["holes"]
        played += len(holes)
        assert [hole["points"] for hole in holes[:9]] == results.points[number].tolist()
        assert record["totals"] == results.points[number].sum(axis=0).tolist()
        assert record["winners"] == np.flatnonzero(results.winners[number]).tolist()
        kinds = [players[chair % len(players)] for chair in results.chair[number]]
        assert [name.rsplit(" ", 1)[0] for name in record["players"]] == kinds
    assert results.playoffs == played - 27


@pytest.mark.parametrize("seats", [2, 3, 4, 5])
def test_everybody_sits_everywhere_as_often(seats):
    results = simulation.simulate(variants.load("nine_card"), seats, ["greedy", "random"], 1, holes=60, threads=1)
    for seat in range(seats):
        chairs = np.bincount(results.chair[:, seat], minlength=seats)
        assert chairs.tolist() == [60 // seats] * seats
    assert (np.sort(results.chair, axis=1) == np.arange(seats)).all()


MIXED = [(2, ["random"]), (3, ["greedy", "random"]), (4, ["greedy", "random"]), (6, ["random", "greedy", "random"])]


@pytest.mark.parametrize(("seats", "players"), MIXED)
def test_the_summary_adds_up(seats, players):
    results = simulation.simulate(variants.load("play_nine"), seats, players, 5, games=40, threads=1)
    told = results.summary()
    assert told["game"] == "play_nine"
    assert told["seats"] == seats
    assert told["players"] == players
    assert told["games"] == 40
    assert told["holes"] == 360
    assert told["moves"] == results.moves > 0
    assert told["moves_per_second"] == pytest.approx(told["moves"] / told["seconds"])
    assert sum(told["hole_wins"]) == pytest.approx(360)
    assert sum(told["game_wins"]) == pytest.approx(40)
    for player in range(len(players)):
        mine = results.chair % len(players) == player
        points = [results.points[game, :, seat].mean() for game, seat in zip(*np.nonzero(mine), strict=True)]
        assert told["points_per_hole"][player] == pytest.approx(np.mean(points))
        assert 0 < told["stderr"][player] < 3


def test_the_standard_error_is_of_the_mean_over_holes():
    results = simulation.simulate(variants.load("play_nine"), 2, ["greedy", "random"], 5, holes=400, threads=1)
    greedy = np.where(results.chair == 0, results.points[:, 0, :], 0).sum(axis=1)
    told = results.summary()
    assert told["points_per_hole"][0] == pytest.approx(greedy.mean())
    assert told["stderr"][0] == pytest.approx(greedy.std(ddof=1) / 20)
    assert told["games"] == 0
    assert told["holes"] == 400
    assert told["game_wins"] == [0.0, 0.0]


def test_a_hole_in_which_nobody_closes_ends_and_is_reported(monkeypatch):
    monkeypatch.setattr(simulation, "TURN_LIMIT", 3)
    variant = variants.load("nine_card")
    results = simulation.simulate(variant, 2, ["random"], 1, games=20, threads=1)
    assert results.abandoned == 180, "nobody closes nine cards in three turns"
    assert results.summary()["turn_limit_hit"] == 180
    assert results.summary()["turn_limit"] == 3
    assert list(simulation.records(variant, 2, ["random"], 1, 20)) == []


def test_the_turn_limit_lets_those_close_who_can(monkeypatch):
    """One who has closed within the limit must not be cut off in the others' last turns."""
    variant = variants.load("play_nine")
    free = simulation.simulate(variant, 2, ["random"], 1, holes=300, threads=1)
    assert free.abandoned == 0
    monkeypatch.setattr(simulation, "TURN_LIMIT", 12)
    limited = simulation.simulate(variant, 2, ["random"], 1, holes=300, threads=1)
    assert 0 < limited.abandoned < 300
    alike = (limited.points == free.points).all(axis=(1, 2)).sum()
    assert 300 - alike <= limited.abandoned


@pytest.mark.parametrize(("game", "seats"), [*TABLES, ("mini_rows", 3), ("mini_columns", 3), ("brisk_six", 7)])
def test_no_player_waits_for_ever(game, seats):
    """However good it would be to leave the stock alone, each hole is closed by someone."""
    for player in PLAYERS:
        results = simulation.simulate(minis.load(game), seats, [player], 11, holes=tries(20, 200), threads=1)
        assert results.abandoned == 0, player


def test_progress_is_told_in_pieces():
    done = []
    simulation.simulate(variants.load("nine_card"), 2, ["random"], 1, holes=1000, threads=2, progress=done.append)
    assert sum(done) == 1000
    assert len(done) > 1


def test_an_unknown_player_is_told_the_known_ones():
    with pytest.raises(ValueError, match="random, greedy"):
        simulation.simulate(variants.load("nine_card"), 2, ["smart"], 1, holes=1)


def test_a_long_game_is_recorded_whole(monkeypatch):
    monkeypatch.setattr(simulation, "LOG_STEPS", 100)
    variant = variants.load("play_nine")
    short = list(simulation.records(variant, 3, ["random"], 1, 2))
    monkeypatch.undo()
    assert short == list(simulation.records(variant, 3, ["random"], 1, 2))


def test_the_first_games_are_the_same_however_many_are_played():
    variant = variants.load("play_nine")
    few, many = (simulation.simulate(variant, 2, ["random"], 3, games=games) for games in (10, 700))
    assert np.array_equal(few.points, many.points[:10])


def test_the_first_deal_falls_to_everybody_alike():
    """2.1 by lot: of 600 games each of three players begins with the deal in some 200."""
    records = simulation.records(minis.load("mini_columns"), 3, ["random"], 2, 600)
    dealers = np.bincount([record["holes"][0]["dealer"] for record in records], minlength=3)
    assert dealers.sum() == 600
    assert (abs(dealers - 200) < 50).all()
