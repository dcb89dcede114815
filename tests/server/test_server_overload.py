"""An overloaded server refuses other requests first and moves last, and says when to try again."""

import json
import math
import re
import socket
import time
from contextlib import suppress
from dataclasses import replace

import pytest
from served import FRIEND, ME, PATIENCE, Browser, served
from websockets.exceptions import ConnectionClosed

from mulligan.server.limits import Limits
from mulligan.server.metrics import TICK, Metrics
from mulligan.server.overload import FROM, LASTING, LONGEST, RETRY, Overload
from mulligan.server.web.gate import TRY_LATER
from mulligan.server.web.rejections import Asked
from mulligan.server.web.request_head import read_head

pytestmark = pytest.mark.long
ORDER = ["refining", "tables", "spectators", "reads", "coach", "replays", "moves"]


def measured(*delays, overload=None):
    """An overload that has seen these delays, one at each tick."""
    overload = overload or Overload()
    for number, delay in enumerate(delays, 1):
        overload.see(number * TICK, delay)
    return overload


def test_the_longer_the_delay_the_more_is_refused_and_moves_come_last():
    assert sorted(FROM, key=FROM.__getitem__) == ORDER
    for place, kind in enumerate(ORDER):
        overload = measured(*[FROM[kind]] * 20)
        assert [overload.refuses(one) for one in ORDER] == [True] * (place + 1) + [False] * (len(ORDER) - place - 1)


def test_what_is_not_named_is_never_refused():
    assert not measured(*[9.0] * 20).refuses("")


def test_a_pause_is_no_overload():
    assert not measured(*[0.01] * 8, 5.0, *[0.01] * 3).refuses("tables")
    assert not measured(5.0, 5.0).refuses("tables")


def test_an_overload_with_short_breaks_goes_on():
    assert measured(*[0.0, 9.0, 9.0] * 7).refuses("replays")


def test_an_overload_that_is_over_is_forgotten_within_a_second():
    overload = measured(*[9.0] * 20)
    for number in range(2):
        overload.see(20 * TICK + LASTING + number * TICK, 0.0)
    assert not any(map(overload.refuses, ORDER))


def test_the_pause_between_two_moves_grows_as_long_as_it_is_too_short_and_then_shrinks():
    overload = measured(*[0.1] * 20)
    assert overload.wait(100.0, 100.0) == 0.0
    pauses = []
    for number in range(21, 60):
        overload.see(number * TICK, 1.0)
        pauses.append(overload.wait(100.0, 100.0))
    assert pauses == sorted(pauses)
    assert pauses[-1] == LONGEST
    assert overload.wait(100.0, 100.0 - LONGEST) == 0.0  # a player who thought that long does not wait
    for number in range(60, 200):
        overload.see(number * TICK, 0.0)
    assert overload.wait(100.0, 100.0) == 0.0


class Feigned(Overload):
    """Sees the same delay at each measurement."""

    feigned = 0.0

    def see(self, now, delay):
        super().see(now, self.feigned)


@pytest.fixture
def overload():
    return Feigned()


@pytest.fixture
def server(tmp_path, client_folder, overload):
    metrics = Metrics()
    metrics.overload = overload
    with served(tmp_path, client_folder, metrics=metrics) as config:
        yield config


def feign(overload, kind):
    """From now on, the delay is one from which requests of this kind are refused."""
    overload.feigned = FROM[kind]
    while overload.delay != overload.feigned:
        time.sleep(0.01)


def test_no_move_is_played_out_for_a_finished_game_once_the_server_is_late(server, overload):
    ann = Browser(server)
    path = "/api/games/WATCHWXZ-1/analysis/1"
    assert ann.http.get(path).json()["error"] == "game_gone"
    feign(overload, "refining")
    assert ann.http.get(path).json()["error"] == "overloaded"


def test_new_tables_are_refused_with_the_time_to_try_again(server, overload):
    ann, ben = Browser(server), Browser(server)
    codes = ann.open(ME, FRIEND)
    feign(overload, "tables")
    refused = ben.http.post("/api/tables", json={"game": "play_nine", "seats": [ME, FRIEND]})
    assert refused.status_code == 503
    assert refused.json() == {"error": "overloaded", "params": {"seconds": RETRY}}
    assert refused.headers["retry-after"] == str(RETRY)
    with ann.at(codes["table"]) as table, ben.at(codes["table"]) as other, ben.at(codes["watch"], watching=True):
        assert other.do("Sit", seat=1, name="Ben")["is"] == "Accepted"
        assert table.do("Start")["is"] == "Accepted"


@pytest.mark.parametrize(
    ("kind", "method", "path"),
    [
        ("reads", "GET", "/api/games/WATCHWXZ-1"),
        ("reads", "GET", "/api/frequencies"),
        ("reads", "GET", "/api/house-rules/play_nine"),
        ("reads", "GET", "/api/tables/BCDFGHJK/qr.svg"),
        ("coach", "GET", "/api/games/WATCHWXZ-1/analysis"),
        ("replays", "GET", "/api/games/WATCHWXZ-1/holes/1"),
    ],
)
def test_each_kind_of_request_has_its_turn(server, overload, kind, method, path):
    ann = Browser(server)
    feign(overload, ORDER[ORDER.index(kind) - 1])
    assert "overloaded" not in ann.http.request(method, path, json={}).text
    feign(overload, kind)
    assert ann.http.request(method, path, json={}).json()["error"] == "overloaded"
    assert ann.http.get("/api/health").status_code == 200


def exchange(config, *pieces, until=b""):
    """All that the server sends on one connection, for pieces that are sent one after the other."""
    with socket.create_connection(("127.0.0.1", config.port), PATIENCE) as connection:
        received = b""
        for piece in pieces:
            connection.sendall(piece)
            if until and not received:
                while until not in received:
                    part = connection.recv(4096)
                    assert part, f"closed after {received!r}"
                    received += part
            time.sleep(0.02)  # they should arrive one after the other, and are answered the same if they do not
        while more := connection.recv(4096):
            received += more
        return received


READ = b"GET /api/games/WATCHWXZ-1 HTTP/1.1\r\nhost: localhost\r\n"
POST = b"POST /api/tables HTTP/1.1\r\nhost: localhost\r\ncontent-type: application/json\r\n"


@pytest.mark.parametrize(
    "pieces",
    [
        [READ + b"\r\n"],
        [READ, b"connection: close\r\n\r\n"],
        [READ.replace(b"games", b"g%61mes") + b"connection: close\r\n\r\n"],
        [POST + b"content-length: 2\r\n\r\n{}"],
        [POST + b"connection: close\r\ncontent-length: 2\r\n\r\n", b"{}"],
        [POST + b"connection: close\r\ntransfer-encoding: chunked\r\n\r\n", b"2\r\n{}\r\n0\r\n\r\n"],
    ],
)
def test_a_refusal_is_the_same_however_the_request_arrives(server, overload, pieces):
    feign(overload, "replays")
    head, _, body = exchange(server, *pieces).partition(b"\r\n\r\n")
    assert head.startswith(b"HTTP/1.1 503 Service Unavailable\r\n")
    headers = dict(line.lower().split(b": ") for line in head.split(b"\r\n")[1:])
    assert headers[b"retry-after"] == str(RETRY).encode()
    assert headers[b"connection"] == b"close"
    assert headers[b"x-content-type-options"] == b"nosniff"
    assert json.loads(body) == {"error": "overloaded", "params": {"seconds": RETRY}}


def test_a_later_request_on_the_same_connection_is_refused_as_well(server, overload):
    feign(overload, "replays")
    health = b"GET /api/health HTTP/1.1\r\nhost: localhost\r\n\r\n"
    received = exchange(server, health, READ + b"\r\n", until=b"}")
    assert re.findall(rb"HTTP/1.1 (\d+)", received) == [b"200", b"503"]


SOCKET = b"GET /ws/w/WATCHWXZ HTTP/1.1\r\nUpgrade: WebSocket\r\nSec-WebSocket-Key: bXVsbGlnYW4=\r\n\r\n"


def test_a_complete_request_is_recognized_without_a_parser():
    asked = Asked("GET", "/api/games/WATCHWXZ-1")
    assert read_head(READ + b"Cookie: a=b\r\n\r\n", "") == (asked, b"", b"a=b")
    assert read_head(READ.replace(b" HTTP", b"?hole=1 HTTP") + b"\r\n", "/golf") == (asked, b"", b"")
    assert read_head(READ.replace(b"/api", b"/golf/api") + b"Accept-Language:de\r\n\r\n", "/golf") == (
        asked._replace(languages="de"),
        b"",
        b"",
    )
    assert read_head(POST + b"Content-Length: 2\r\n\r\n{}", "") == (Asked("POST", "/api/tables"), b"", b"")
    assert read_head(SOCKET, "") == (Asked("", "/ws/w/WATCHWXZ"), b"bXVsbGlnYW4=", b"")


@pytest.mark.parametrize(
    "data",
    [
        READ,
        READ + b"\r\n" + READ,
        READ.replace(b"GET", b"HEAD") + b"\r\n",
        READ.replace(b"1.1", b"2.0") + b"\r\n",
        POST + b"content-length: 2\r\n\r\n{",
        POST + b"content-length: 2\r\n\r\n{}{}",
        POST + b"transfer-encoding: chunked\r\n\r\n2\r\n{}\r\n",
        b"\x16\x03\x01",
    ],
)
def test_any_other_data_is_left_to_the_parser(data):
    assert read_head(data, "") is None


@pytest.mark.parametrize("proxy", ["/golf", ""], ids=["keeps the path", "removes the path"])
def test_below_a_base_path_and_behind_a_proxy_the_same_is_refused(tmp_path, client_folder, overload, proxy):
    metrics = Metrics()
    metrics.overload = overload
    with served(tmp_path, client_folder, metrics=metrics, base_path="/golf", behind=("127.0.0.1",)) as config:
        ann = Browser(config)
        feign(overload, "replays")
        assert ann.http.get(f"{proxy}/api/games/WATCHWXZ-1").json()["error"] == "overloaded"
        assert ann.http.get(f"{proxy}/api/health").status_code == 200


def test_a_limit_that_is_reached_comes_first(tmp_path, client_folder, overload):
    metrics = Metrics()
    metrics.overload = overload
    limits = replace(Limits(), credit=50, credit_per_second=0.001, guesses=math.inf)
    with served(tmp_path, client_folder, metrics=metrics, limits=limits) as config:
        ann = Browser(config)
        while (answer := ann.http.get("/api/games/WATCHWXZ-1")).status_code == 404:
            pass
        feign(overload, "replays")
        again = ann.http.get("/api/games/WATCHWXZ-1")
        assert (answer.json()["error"], again.json()["error"]) == ("too_fast", "too_fast")
        assert int(again.headers["retry-after"]) > RETRY


def test_a_server_without_limits_puts_nobody_off(tmp_path, client_folder, overload):
    metrics = Metrics()
    metrics.overload = overload
    with served(tmp_path, client_folder, metrics=metrics, limits=Limits.none()) as config:
        ann = Browser(config)
        feign(overload, "replays")
        with ann.at(ann.open(ME, FRIEND)["watch"], watching=True) as table:
            assert table.welcome["is"] == "Welcome"


def test_a_refused_spectator_is_told_why_and_may_say_hello_meanwhile(server, overload):
    ann = Browser(server)
    feign(overload, "spectators")
    with ann.socket("/ws/w/WATCHWXZ") as watching:
        with suppress(ConnectionClosed):
            watching.send('{"is":"Hello"}')
        assert json.loads(watching.recv(PATIENCE))["params"] == {"seconds": RETRY}
        with pytest.raises(ConnectionClosed):
            watching.recv(PATIENCE)
        assert watching.close_code == TRY_LATER


def test_a_spectator_is_refused_on_the_socket_and_a_player_comes_back(server, overload):
    ann = Browser(server)
    codes = ann.open(ME, FRIEND)
    feign(overload, "spectators")
    with ann.socket(f"/ws/w/{codes['watch']}") as socket:
        assert '"overloaded"' in socket.recv(10)
    with ann.at(codes["table"]):
        pass


def test_a_refused_move_counts_when_it_is_sent_again(server, overload):
    ann = Browser(server)
    codes = ann.open(ME, FRIEND)
    with ann.at(codes["table"]) as table:
        feign(overload, "moves")
        while (answer := table.do("SetOptions", options={"chat": True}))["is"] == "Accepted":
            table.do("SetOptions", options={"chat": False})
        assert answer["error"] == "overloaded"
        assert 1 <= answer["params"]["seconds"] <= LONGEST
        overload.feigned = 0.0
        while overload.pause:
            time.sleep(0.01)
        assert table.do("SetOptions", answer["id"], options={"chat": True})["is"] == "Accepted"
