"""What a page gets from the server so that its own engine plays without it: the records of the games, and the nets."""

import gzip
import io
from base64 import b64decode
from dataclasses import replace

import numpy as np
import pytest
from served import Browser, served

from mulligan.coach import calibration, par
from mulligan.engine.rules import RULES
from mulligan.game.variants import for_match, for_seats, games, load
from mulligan.machine_code import browser_layout
from mulligan.players import net_files
from mulligan.players.levels import has_regrets
from mulligan.players.roster import LEVELS
from mulligan.server.limits import Limits
from mulligan.server.services import engine_games


def asked(browser, game, **params):
    answer = browser.http.get(f"/api/engine/{game}", params=params)
    assert answer.status_code == 200, answer.text
    assert answer.headers["cache-control"] == "no-cache"
    assert (answer.json()["game"], answer.json()["layout"]) == (game, browser_layout())
    return answer.json()["sizes"]


def record_in(size):
    return np.frombuffer(b64decode(size["rules"]), RULES)[0]


@pytest.mark.parametrize("game", games())
def test_a_game_comes_with_all_its_sizes(ann, game):
    variant = load(game)
    sizes = asked(ann, game)
    assert [size["seats"] for size in sizes] == [*variant.seats]
    for size in sizes:
        seats = size["seats"]
        rules, brain = for_seats(variant, seats).rules, net_files.coach_brain(for_seats(variant, seats).rules, seats)
        assert record_in(size).tobytes() == rules.tobytes()
        assert size["par"] == par.par(variant, seats)
        net = ann.http.get(f"/{size['net']}")
        assert len(net.content) == size["net_bytes"]
        with np.load(io.BytesIO(net.content)) as arrays:
            assert (net_files.unpacked(arrays).rows == brain.net.rows).all()
        corrections = calibration.corrections(rules, brain, seats)
        assert size["corrections"] == {stage: [*each[:3]] for stage, each in corrections.items()}
        careful = [name for name, player in LEVELS.items() if player.level and has_regrets(player.level, rules)]
        assert size["needing"] == [*careful, "search"]
    assert sizes[0]["corrections"]


def test_a_game_with_house_rules_comes_with_its_own_record_and_without_a_net_of_other_rules(ann):
    (size,) = asked(ann, "nine_card", chosen="jokers=-5,twos=2", seats=4)
    rules = for_match(load("nine_card"), {"jokers": -5, "twos": 2}).rules
    assert record_in(size).tobytes() == rules.tobytes() != load("nine_card").rules.tobytes()
    assert (size["seats"], size["net"], size["net_bytes"], size["needing"], size["corrections"]) == (4, "", 0, [], {})
    assert size["par"] == pytest.approx(
        par.play(for_match(load("nine_card"), {"jokers": -5, "twos": 2}), 4, 500).mean()
    )
    (short,) = asked(ann, "play_nine", chosen="holes=3", seats=2)
    (whole,) = asked(ann, "play_nine", seats=2)
    assert record_in(short)["holes"] == 3
    assert short | {"rules": ""} == whole | {"rules": ""}  # the length of a match changes nothing else


@pytest.mark.parametrize(
    ("game", "params", "error"),
    [
        ("poker", {}, "no_such_game"),
        ("nine_card", {"chosen": "jokers=7"}, "bad_house_rules"),
        ("nine_card", {"chosen": "jokers"}, "bad_house_rules"),
        ("play_nine", {"seats": 7}, "wrong_seat_count"),
        ("play_nine", {"seats": -1}, "wrong_seat_count"),
        ("play_nine", {"seats": "two"}, "bad_request"),
    ],
)
def test_what_cannot_be_played_is_refused_with_a_code(ann, game, params, error):
    answer = ann.http.get(f"/api/engine/{game}", params=params)
    assert (answer.status_code, answer.json()["error"]) == (400, error)


def test_par_of_new_house_rules_counts_as_a_question_and_is_measured_once(tmp_path, client_folder, monkeypatch):
    monkeypatch.setattr(engine_games, "known", {})
    with served(tmp_path, client_folder, limits=replace(Limits(), questions=2, questions_per_second=0.001)) as config:
        ann = Browser(config)
        for chosen in ("jokers=-1", "jokers=-2", "jokers=-2", "jokers=-1"):
            asked(ann, "eight_card", chosen=chosen, seats=2)
        assert asked(ann, "eight_card")
        answer = ann.http.get("/api/engine/eight_card", params={"chosen": "jokers=-2", "seats": 3})
        assert answer.json()["error"] == "too_fast"


def test_only_so_many_sizes_are_kept(monkeypatch):
    monkeypatch.setattr(engine_games, "known", {})
    monkeypatch.setattr(engine_games, "MOST_KEPT", 3)
    engine_games.engine_game(load("play_nine"))
    assert [seats for _, _, seats in engine_games.known] == [4, 5, 6]


def test_a_net_is_kept_for_ever_and_has_another_path_when_it_changes(ann, tmp_path, monkeypatch):
    path = asked(ann, "play_nine", seats=2)[0]["net"]
    net = ann.http.get(f"/{path}")
    assert net.headers["cache-control"] == "public, max-age=31536000, immutable"
    assert "content-encoding" not in net.headers  # the file itself is compressed
    assert len(gzip.compress(net.content)) > 0.95 * len(net.content)
    for wrong in ("nets/play_nine-2-00000000.npz", "nets/play_nine-2-net.npz", "nets/..%2Fpar.json"):
        answer = ann.http.get(f"/{wrong}")
        assert (answer.status_code, answer.json()["error"]) == (404, "not_found"), wrong
    folder = tmp_path / "nets"
    folder.mkdir()
    file = folder / "größe #1-2-net.npz"
    net_files.save(file, net_files.load(net_files.PACKAGE / "play_nine-2-net.npz"), "0" * 16, {})
    monkeypatch.setattr(net_files, "catalogue", lambda: [("0" * 16, 2, file)])
    first = engine_games.net_path(file)
    assert ann.http.get(f"/{first}").content == file.read_bytes()
    net_files.save(file, net_files.load(net_files.PACKAGE / "play_nine-2-net.npz"), "1" * 16, {})
    second = engine_games.net_path(file)
    assert first != second
    assert ann.http.get(f"/{first}").status_code == 404
    assert ann.http.get(f"/{second}").content == file.read_bytes()


def test_a_net_that_knows_too_few_players_is_not_offered(tmp_path, monkeypatch):
    """A user may have trained one for two only: with more, everyone plays as without it."""
    file = net_files.PACKAGE / "play_nine-2-net.npz"
    edition = net_files.edition(load("play_nine").rules)
    monkeypatch.setattr(net_files, "catalogue", lambda: [(edition, 2, file)])
    two, three = (engine_games.read_size(load("play_nine"), seats) for seats in (2, 3))
    assert (two.net, bool(two.needing)) == (engine_games.net_path(file), True)
    assert (three.net, three.needing, three.corrections) == ("", [], {})
