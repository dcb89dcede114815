"""The load generator on a machine that is too slow for it: it ends by itself, and says why."""

import asyncio
import re
import socket
import time
from types import SimpleNamespace

import load_crowd
import pytest
from load import Process, must_keep_up
from load_crowd import Crowd
from load_flood import Flood


def test_tables_that_are_not_ready_in_time_end_the_measurement(monkeypatch):
    monkeypatch.setattr(load_crowd, "PREPARING", 0.1)

    async def story():
        with socket.create_server(("127.0.0.1", 0)) as silent:  # takes connections and answers nothing
            await Crowd("127.0.0.1", silent.getsockname()[1]).take_seats(2)

    with pytest.raises(SystemExit, match="too slow: 0 of 2 tables were ready in"):
        asyncio.run(story())


def test_an_overload_is_not_measured_where_half_the_rate_is_too_much():
    must_keep_up(2250, 2240)
    with pytest.raises(SystemExit, match="too slow: 700 of 2250 moves per second"):
        must_keep_up(2250, 700)


@pytest.mark.long
def test_a_server_that_cannot_start_says_why(tmp_path):
    file = tmp_path / "data"
    file.write_text("no folder")
    with pytest.raises(SystemExit, match=f"The server did not start: .*{re.escape(str(file))}"):
        Process(["-m", "mulligan", "serve", "--port", "0", "--data", str(file)])


async def test_players_who_wait_meanwhile_are_not_dropped_for_their_silence(monkeypatch):
    monkeypatch.setattr(load_crowd, "SILENCE", 0.0)

    crowd = Crowd("127.0.0.1", 0)
    crowd.gather(1)
    told = []
    for player in crowd.players:
        player.wire = SimpleNamespace(tell=told.append)
    async with crowd.preparing(lambda table: True):
        while len(told) < len(crowd.players):
            await asyncio.sleep(0.01)


async def test_an_answer_that_comes_too_late_is_no_error():
    crowd = Crowd("127.0.0.1", 0)
    crowd.gather(1)
    crowd.answers["1"] = asyncio.get_running_loop().create_future()
    crowd.answers["1"].cancel()
    crowd.players[0].hear(b'{"is":"Accepted","id":"1"}')


async def test_a_flood_that_the_machine_cannot_send_lets_the_players_move(monkeypatch):
    flood, started = Flood(Crowd("127.0.0.1", 0)), []

    def start(coroutine):
        coroutine.close()
        started.append(coroutine)
        assert len(started) < 100, "nothing else runs beside the flood"
        time.sleep(0.005)  # four of them take longer than the pause until the next four

    monkeypatch.setattr(flood, "start", start)
    monkeypatch.setattr(flood, "watched", ["WATCHWXZ"])
    monkeypatch.setattr(flood, "players", [None])
    flooding = asyncio.create_task(flood.run(100))
    await asyncio.sleep(0.1)
    flooding.cancel()
    await asyncio.wait([flooding])
    assert flooding.cancelled()
    assert started
