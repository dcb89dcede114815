"""An overloaded server refuses other requests first and moves last, and says when to try again."""

import time

import pytest
from served import FRIEND, ME, Browser, served

from mulligan.server.metrics import TICK, Metrics
from mulligan.server.overload import FROM, LASTING, LONGEST, RETRY, Overload

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


def test_an_overload_that_is_over_is_forgotten_at_the_next_measurement():
    overload = measured(*[9.0] * 20)
    overload.see(20 * TICK + LASTING, 0.0)
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
        ("coach", "POST", "/api/games/WATCHWXZ-1/analysis"),
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
