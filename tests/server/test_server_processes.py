"""Two server processes over one database: everything works at both, wherever a proxy leads."""

from dataclasses import replace

import postgres
import pytest
from served import COMPUTER, FRIEND, ME, Browser, play_on, served

from mulligan.server.limits import Limits

pytestmark = pytest.mark.long


@pytest.fixture
def both(tmp_path, client_folder):
    """A browser at one process, and one at another."""
    store, limits = postgres.shared_cluster().database(), replace(Limits(), tables=2, tables_per_second=0.001)
    with (
        served(tmp_path / "a", client_folder, store=store, limits=limits) as one,
        served(tmp_path / "b", client_folder, store=store, limits=limits) as two,
    ):
        yield Browser(one), Browser(two)


def test_a_table_opened_at_one_process_is_played_at_another_and_its_game_and_cards_are_shown_at_both(both):
    ann, elsewhere = both
    codes = ann.open(ME, COMPUTER, holes=1)
    elsewhere.http.cookies.update(ann.http.cookies)
    with elsewhere.at(codes["table"]) as table:
        assert table.do("Start")["is"] == "Accepted"
        play_on(table, until=lambda view: view["phase"] == "over" and view["finished"])
        (game,) = table.view["finished"]
    for path in (f"/api/games/{game}", f"/api/games/{game}/record", f"/api/games/{game}/holes/1", "/api/frequencies"):
        here, there = (browser.http.get(path) for browser in both)
        assert here.status_code == there.status_code == 200
        assert here.json() == there.json()
    assert [one["holes"] for one in here.json() if one["game"] == "play_nine"] == [1]


def test_the_coach_answers_wherever_the_table_is(both):
    for opener, other in (both, both[::-1]):
        codes = opener.open(ME, COMPUTER)
        other.http.cookies.update(opener.http.cookies)
        with other.at(codes["table"]) as table:
            assert table.do("Start")["is"] == "Accepted"
            play_on(table, until=lambda view: view["turn"] == 0 and view["phase"] != "draw")
            answer = other.http.post(f"/api/tables/{codes['table']}/hint", json={"seat": 0})
            assert answer.status_code == 200, answer.text


def test_each_process_limits_the_new_tables_of_an_address(both):
    for browser in both:
        asked = [
            browser.http.post("/api/tables", json={"game": "play_nine", "seats": [ME, FRIEND]}).status_code
            for _ in range(3)
        ]
        assert asked == [201, 201, 429]
