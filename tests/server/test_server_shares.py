"""One rude client uses up all that an address may do: people at a table there, and those with a right link, go on."""

from contextlib import ExitStack, contextmanager
from dataclasses import replace

import pytest
from served import COMPUTER, FRIEND, ME, Browser, served

from mulligan.server.limits import SHARE, Buckets, Crowd, Limits
from mulligan.server.services.coach import Coach

FILE = "/assets/index-1a2b3c.js"
LOADING = (FILE, "/api/facts", "/rules")  # what a page asks for without the code of its table


@contextmanager
def school(folder, client, **limits):
    """A server whose limits do not recover; everyone has the same address."""
    slow = {f"{name}_per_second": 0.001 for name in limits if name != "sockets_per_address"}
    with served(folder, client, limits=replace(Limits(), **limits, **slow)) as config:
        yield config


def use_up(browser, path="/api/facts", **given):
    """Asks until it is refused."""
    answers = (browser.http.get(path, **given) for _ in range(1000))
    assert next(answer for answer in answers if answer.status_code != 200).json()["error"] == "too_fast"


def statuses(browser, *paths):
    return {browser.http.get(path).status_code for path in paths}


def test_newcomers_with_a_right_link_get_in_when_the_address_has_used_up_its_requests(tmp_path, client_folder):
    with school(tmp_path, client_folder, credit=200, guesses=5) as config:
        ann, ben, cyd, eve = (Browser(config) for _ in range(4))
        codes = ann.open(ME, FRIEND)
        use_up(eve)
        assert statuses(eve, "/", FILE, "/t/BBBBBBBBB", "/t/nonsense", "/w/BBBBBBBB", "/api/tables/BBBBBBBBB") == {429}
        eve.http.cookies.set("mulligan_guest", "x" * 32)
        assert statuses(eve, *LOADING) == {429}
        assert statuses(ben, f"/t/{codes['table']}", *LOADING, f"/api/tables/{codes['table']}") == {200}
        assert statuses(cyd, f"/w/{codes['watch'].lower()}/", *LOADING) == {200}
        with ben.at(codes["table"]) as table, cyd.at(codes["watch"], watching=True):
            assert table.do("Sit", seat=1, name="Ben")["is"] == "Accepted"
        with ann.at(codes["table"]) as table:
            assert table.do("Start")["is"] == "Accepted"


def test_a_rude_player_uses_up_the_share_of_one_table_alone(tmp_path, client_folder):
    with school(tmp_path, client_folder, credit=200) as config:
        ann, ben, eve = (Browser(config) for _ in range(3))
        mine, hers = ann.open(ME, FRIEND)["table"], eve.open(ME, FRIEND)["table"]
        for number in range(2):
            eve.http.cookies.set("mulligan_guest", f"{number:032}")  # it is the table that counts
            use_up(eve, f"/api/tables/{hers}")
        assert statuses(ben, f"/t/{mine}", *LOADING, f"/api/tables/{mine}") == {200}


def test_moves_are_played_while_another_table_sends_too_much(tmp_path, client_folder):
    with school(tmp_path, client_folder, messages=40) as config:
        ann, eve = Browser(config), Browser(config)
        mine, hers = ann.open(ME, COMPUTER)["table"], eve.open(ME, FRIEND)["table"]
        with eve.at(hers) as rude, ann.at(mine) as table:
            while True:
                rude.say("Ping", n=1)
                if rude.hear("Pong", "Refused")["is"] == "Refused":
                    break
            for kind in ("Start", "NextHole"):
                assert table.do(kind)["is"] == "Accepted"
        with ann.at(mine) as table:  # and comes back
            table.say("Ping", n=1)
            assert table.hear("Pong", "Refused")["is"] == "Pong"


def test_the_coach_answers_at_a_table_while_others_ask_too_much(tmp_path, client_folder, monkeypatch):
    async def rank(self, facts, state, seats, admit):
        admit()
        return []

    monkeypatch.setattr(Coach, "rank", rank)
    with school(tmp_path, client_folder, questions=8) as config:
        for browser, answered in [(Browser(config), 8 + 8 // SHARE), (Browser(config), 8 // SHARE)]:
            code = browser.open(ME, COMPUTER)["table"]
            with browser.at(code) as table:
                table.do("Start")
                table.do("NextHole")
                table.wait_for(lambda view: view["turn"] == 0)
                answers = [browser.http.post(f"/api/tables/{code}/hint", json={"seat": 0}) for _ in range(answered + 1)]
            assert [answer.status_code for answer in answers] == [200] * answered + [429]


def test_a_right_link_opens_a_socket_although_one_client_has_opened_all(tmp_path, client_folder):
    with school(tmp_path, client_folder, sockets_per_address=8) as config, ExitStack() as stack:
        ann, ben, eve = (Browser(config) for _ in range(3))
        mine, hers = ann.open(ME, FRIEND)["table"], eve.open(ME, FRIEND)["table"]
        for _ in range(8 + 8 // SHARE):
            stack.enter_context(eve.at(hers))
        with eve.socket(f"/ws/t/{hers}") as socket:
            assert "too_many" in socket.recv(20)
        with ann.at(mine), ben.at(mine) as table:
            assert table.do("Sit", seat=1, name="Ben")["is"] == "Accepted"


@pytest.mark.parametrize("most", [1.0, 60.0, float("inf")])
def test_a_share_is_a_quarter_of_the_limit_and_begins_where_that_ends(most):
    buckets = Buckets(most, 1, lambda: 0.0)
    if most == float("inf"):
        assert not any(buckets.ask("school", 1000, "BCDFGHJKL") for _ in range(10))
        return
    assert not buckets.ask("school", most, "BCDFGHJKL")
    assert buckets.wait("school") == 1
    assert not buckets.wait("school", most / SHARE, "BCDFGHJKL")
    assert not buckets.ask("school", most / SHARE, "BCDFGHJKL")
    assert buckets.ask("school", most / SHARE, "BCDFGHJKL") > 0
    assert not buckets.ask("school", most / SHARE, "CDFGHJKLM")


def test_a_place_in_a_share_is_given_back():
    crowd = Crowd(100, 4)
    for _ in range(3):
        with ExitStack() as stack:
            assert all(stack.enter_context(crowd.visit("school")) for _ in range(4))
            assert not stack.enter_context(crowd.visit("school"))
            assert stack.enter_context(crowd.visit("school", "BCDFGHJKL"))
            assert not stack.enter_context(crowd.visit("school", "BCDFGHJKL"))
    assert (crowd.all, dict(crowd.inside)) == (0, {})
