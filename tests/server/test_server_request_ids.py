"""A request can be found in the log by its id."""

import asyncio
import logging

import pytest
from served import FRIEND, ME, Browser, served
from test_server_live_table import Clock, Disk, Ear, live_of, until
from test_server_time_limits import two_at

from mulligan.server.log import log
from mulligan.server.web.request_ids import RequestIds
from mulligan.server.wire.commands import NextHole

PROXY, STRANGER = "10.0.0.1", "10.0.0.2"


def answered(client, number, caplog):
    """The id in the response and the id in the log, for a request with the id `number`."""
    sent = []

    async def app(scope, receive, send):
        log.warning("refused", why="too_fast")
        await send({"type": "http.response.start", "status": 200, "headers": []})

    async def send(message):
        sent.append(message)

    scope = {"type": "http", "client": (client, 1), "scheme": "http", "headers": [(b"x-request-id", number)]}
    asyncio.run(RequestIds(app, [PROXY])(scope, None, send))
    return dict(sent[0]["headers"])[b"x-request-id"].decode(), caplog.records[-1].msg["request"]


def test_a_trusted_proxy_chooses_the_id(caplog):
    assert answered(PROXY, b"b7-01.x", caplog) == ("b7-01.x", "b7-01.x")


@pytest.mark.parametrize(
    ("client", "number"), [(STRANGER, b"b7-01.x"), (PROXY, b"x" * 65), (PROXY, b"a\x1b[2J"), (PROXY, b"")]
)
def test_others_do_not_and_odd_ids_are_replaced(client, number, caplog):
    told, logged = answered(client, number, caplog)
    assert told == logged
    assert told != number.decode()
    assert len(told) == 16


def test_a_page_an_answer_and_a_socket_have_different_ids(tmp_path, client_folder):
    with served(tmp_path, client_folder) as config:
        ann = Browser(config)
        ids = [
            ann.http.get(path, headers={"x-request-id": "mine"}).headers["x-request-id"] for path in ("/", "/api/facts")
        ]
        ids.append(ann.http.get("/api/facts", headers={"host": "evil.example"}).headers["x-request-id"])
        with ann.at(ann.open(ME, FRIEND)["table"]) as table:
            ids.append(table.socket.response.headers["x-request-id"])
    assert len(set(ids)) == 4
    assert "mine" not in ids


def test_behind_a_proxy_its_id_is_kept(tmp_path, client_folder):
    with served(tmp_path, client_folder, behind=("127.0.0.1",)) as config:
        ann = Browser(config)
        assert ann.http.get("/api/facts", headers={"x-request-id": "b7"}).headers["x-request-id"] == "b7"
        socket = ann.socket(f"/ws/t/{ann.open(ME, FRIEND)['table']}", more={"x-request-id": "b8"})
        with socket:
            assert socket.response.headers["x-request-id"] == "b8"


def test_the_computer_players_belong_to_no_request(caplog):
    """They play on for minutes after the request that woke them."""

    async def play(scope, receive, send):
        driver = two_at("hole_over")
        live, ann, ben = live_of(driver, Disk(), Clock()), Ear("ann"), Ear("ben")
        await live.join(ann, 0)
        await live.join(ben, 0)
        live.game_loop.go_further = further
        await live.command(ann, NextHole(id="1"))
        live.listeners.remove(ben)
        live.count_present()
        await until(lambda: any(line.msg["event"] == "table_stopped" for line in caplog.records))

    async def further(moment):
        raise RuntimeError("a bug")

    caplog.set_level(logging.INFO)
    asyncio.run(RequestIds(play, [])({"type": "http", "client": None, "headers": []}, None, None))
    (line,) = [line for line in caplog.records if line.msg["event"] == "table_stopped"]
    assert "request" not in line.msg
