"""A server that is to end lets people play on for a while, and then does not send them all away at once."""

import json
import signal
from random import Random
from types import SimpleNamespace

import pytest
from served import COMPUTER, FRIEND, ME, Browser, served
from test_server_run import WITH_SIGNALS, running

from mulligan.server.web.ending import Ending, waves

pytestmark = pytest.mark.long
LONG = 600  # seconds, longer than any test


def events(process, status=0):
    _, logged = process.communicate(timeout=20)
    assert process.returncode == status
    return [json.loads(line)["event"] for line in logged.splitlines()]


def wait_until_draining(browser):
    while browser.http.get("/api/ready").json()["status"] != "draining":
        pass


@WITH_SIGNALS
def test_people_play_on_until_the_last_one_has_gone(tmp_path):
    with running(tmp_path, "--drain", str(LONG)) as (process, ann):
        code = ann.open(ME, COMPUTER)["table"]
        with ann.at(code) as table:
            process.send_signal(signal.SIGTERM)
            wait_until_draining(ann)
            assert table.do("Start")["is"] == "Accepted"
            with ann.at(code) as again:
                assert again.do("NextHole")["is"] == "Accepted"
        logged = events(process)
        assert "draining" in logged
        assert logged[-2:] == ["closing", "closed"]


@WITH_SIGNALS
def test_when_the_time_is_over_sockets_are_told_to_come_back(tmp_path):
    with running(tmp_path, "--drain", "0.2") as (process, ann), ann.at(ann.open(ME, FRIEND)["table"]) as table:
        process.send_signal(signal.SIGTERM)
        assert table.hear_the_end() == 1012
        assert events(process)[-3:] == ["draining", "closing", "closed"]


@WITH_SIGNALS
def test_a_second_signal_ends_the_draining_at_once(tmp_path):
    with running(tmp_path, "--drain", str(LONG)) as (process, ann), ann.at(ann.open(ME, FRIEND)["table"]):
        process.send_signal(signal.SIGTERM)
        wait_until_draining(ann)
        process.send_signal(signal.SIGTERM)
        assert process.wait(20) == -signal.SIGTERM


@WITH_SIGNALS
def test_ctrl_c_does_not_drain(tmp_path):
    with running(tmp_path, "--drain", str(LONG)) as (process, ann), ann.at(ann.open(ME, FRIEND)["table"]) as table:
        process.send_signal(signal.SIGINT)
        assert table.hear_the_end() == 1012
        assert "draining" not in events(process, status=130)


def test_while_it_drains_it_is_alive_but_takes_no_new_tables(tmp_path, client_folder):
    ending = Ending()
    with served(tmp_path, client_folder, ending=ending, drain=LONG) as config:
        ann = Browser(config)
        code = ann.open(ME, FRIEND)["table"]
        with ann.at(code):  # else it would be drained at once
            ending.is_draining = True
            health, ready = ann.http.get("/api/health"), ann.http.get("/api/ready")
            assert (health.status_code, health.json()["status"]) == (200, "draining")
            assert (ready.status_code, ready.json()["status"]) == (503, "draining")
            refused = ann.http.post("/api/tables", json={"game": "play_nine", "seats": [ME, FRIEND]})
            assert (refused.status_code, refused.json()["error"]) == (503, "restarting")
            assert refused.headers["retry-after"] == "5"
            assert ann.http.get(f"/api/tables/{code}").status_code == 200


# How sockets are closed


def sockets(tables, people):
    return [SimpleNamespace(path=f"/ws/t/{table}") for _ in range(people) for table in range(tables)]


def test_the_people_of_a_table_leave_together_and_the_tables_one_after_another():
    closed = [[one.path for one in table] for table, _ in waves(sockets(50, 4), Random(1))]
    assert sorted(closed) == sorted([f"/ws/t/{table}"] * 4 for table in range(50))
    assert closed != sorted(closed)


@pytest.mark.parametrize(("tables", "seconds"), [(0, 0.0), (1, 0.02), (100, 2.0), (250, 5.0), (5000, 5.0)])
def test_a_few_go_quickly_and_thousands_within_five_seconds(tables, seconds):
    assert sum(pause for _, pause in waves(sockets(tables, 4), Random(1))) == pytest.approx(seconds)
