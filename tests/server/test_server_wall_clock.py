"""A wall clock that is wrong, at the start or while the server runs: no game is deleted, ended or given up for it."""

import asyncio
import json
import os
import signal
import time
from pathlib import Path

import pytest
from served import FRIEND, HERE, ME, ON_POSTGRES, database_of, run_sql, store_in
from test_server_run import is_up, running

from mulligan.game.variants import load
from mulligan.server.rooms import housekeeping
from mulligan.server.rooms.housekeeping import DAY, Housekeeping
from mulligan.server.rooms.registry import Registry
from mulligan.server.table.log_entries import Opened, encode
from mulligan.server.wire.tables import SeatRequest, TableOptions

pytestmark = pytest.mark.long
JUMPS = (0.0, 91 * 86_400.0, -400 * 86_400.0, 3650 * 86_400.0)
CODES = ("BCDFGHJKL", "CDFGHJKLM", "DFGHJKLMN")


class Seat:
    """Someone who looks at a table."""

    guest, tab, watching, code = "ann", "", False, CODES[0]
    visible = True

    def __init__(self):
        self.seats = []

    def tell(self, *messages):
        pass

    def close(self, code):
        pass


class ClockedServer:
    """A registry whose hours and whose wall clock are set by hand."""

    def __init__(self, folder):
        self.clock = 1.8e9
        self.registry = Registry(store_in(folder), clock=lambda: self.clock)
        self.keeping = Housekeeping(self.registry)
        self.logged = []

    def open(self, code):
        seats = [SeatRequest(kind="me", name="Ann"), SeatRequest(kind="friend")]
        opened = Opened(code, f"{code}WW", "play_nine", "ann", seats, TableOptions(), load("play_nine").text)
        self.registry.store.open_table(code, f"{code}WW", "play_nine", self.clock, [encode(opened)]).result(10)

    def pass_hours(self, hours):
        for _ in range(hours):
            written = self.registry.store.count_hour(self.clock)
        written.result(60)

    def tidy(self):
        async def once():
            await self.keeping.look_at_clock()
            await self.keeping.tidy()

        asyncio.run(once())

    @property
    def tables(self):
        return [code for code in CODES if self.registry.store.entries(code)]


@pytest.fixture
def server(tmp_path, monkeypatch):
    server = ClockedServer(tmp_path)
    say = lambda event, **fields: server.logged.append((event, fields))  # noqa: E731
    for level in ("info", "warning", "error"):
        monkeypatch.setattr(housekeeping.log, level, say, raising=False)
    yield server
    server.registry.store.close()


def test_no_clock_however_wrong_makes_a_table_old(server):
    for code, jump in zip(CODES, JUMPS, strict=False):
        server.clock = 1.8e9 + jump
        server.open(code)
    for jump in JUMPS * 3:
        server.clock = 1.8e9 + jump
        server.tidy()
    assert server.tables == list(CODES)
    assert server.registry.store.unseen(1) == server.registry.store.marked(0) == []


def must_be_deleted_in_a_week(server):
    """The only table goes a week after it was marked, and not an hour earlier."""
    server.pass_hours(7 * DAY - 1)
    server.tidy()
    assert server.tables == [CODES[0]]
    server.pass_hours(1)
    server.tidy()
    assert server.tables == []


def test_a_table_is_marked_and_only_deleted_a_week_of_running_later(server):
    server.open(CODES[0])
    server.pass_hours(83 * DAY - 1)
    server.tidy()
    assert server.registry.store.marked(0) == []
    server.pass_hours(1)
    server.tidy()
    assert server.registry.store.marked(0) == server.tables == [CODES[0]]
    must_be_deleted_in_a_week(server)
    assert server.logged[-1] == ("housekeeping", {"looked_after": 0, "removed": 1, "left": 0})


def test_the_host_says_how_long_a_table_is_kept(server):
    server.keeping = Housekeeping(server.registry, keep_days=30)
    server.open(CODES[0])
    server.pass_hours(23 * DAY)
    server.tidy()
    must_be_deleted_in_a_week(server)


def test_the_command_takes_the_number_of_days_from_the_environment(tmp_path, monkeypatch):
    server = ClockedServer(tmp_path)
    for code in CODES[:2]:
        server.open(code)
    server.pass_hours(2 * DAY)
    server.registry.store.touch(CODES[1]).result(10)
    server.registry.store.close()
    monkeypatch.setenv("MULLIGAN_KEEP_DAYS", "9")
    with running(tmp_path) as (process, _):
        hear_of(process, "logs_compressed")
    assert run_sql(tmp_path, "SELECT code FROM tables WHERE marked IS NOT NULL") == [(CODES[0],)]


def test_a_table_that_cannot_be_read_does_not_stop_the_others(server):
    for code in CODES[:2]:
        server.open(code)
    damage = "UPDATE entries SET entry = '{}' WHERE code = ?"
    server.registry.store.put([(damage, (CODES[0],))]).result(10)
    server.pass_hours(30 * DAY)
    server.tidy()
    assert server.keeping.given_up == {CODES[1]}


def test_whoever_comes_back_keeps_a_marked_table(server):
    server.open(CODES[0])
    server.pass_hours(83 * DAY)
    server.tidy()
    server.registry.tables.clear()  # each of these loops is as a new process

    async def come_back():
        live = await server.registry.live_table(CODES[0])
        await live.join(Seat(), 0)

    asyncio.run(come_back())
    server.registry.tables.clear()
    server.pass_hours(7 * DAY)
    server.tidy()
    assert server.registry.store.marked(0) == []
    assert server.tables == [CODES[0]]


def test_a_round_deletes_one_table_in_a_hundred_and_says_how_many_are_left(server):
    for code in CODES:
        server.open(code)
    server.pass_hours(83 * DAY)
    server.tidy()
    server.pass_hours(7 * DAY)
    server.tidy()
    assert server.tables == list(CODES[1:])
    assert server.logged[-1] == ("housekeeping", {"looked_after": 0, "removed": 1, "left": 2})


def test_the_log_tells_of_a_clock_that_jumped_and_of_no_other(server):
    def said():
        events, server.logged = server.logged, []
        return [(event, round(fields["seconds"] / 86_400)) for event, fields in events if event == "clock_jumped"]

    server.tidy()
    server.tidy()
    assert said() == []
    for jump in (91, -400, 0):
        server.clock += jump * 86_400.0
        server.tidy()
        assert said() == [("clock_jumped", jump)] * bool(jump)
    server.pass_hours(1)
    for days, is_told in ((0.5, False), (-0.5, True), (20, True)):  # since the server noted it last
        server.keeping = Housekeeping(server.registry)
        server.clock += days * 86_400.0
        server.tidy()
        assert bool(said()) is is_told
        server.pass_hours(1)


# The real server, under a clock that libfaketime makes up

LIBRARIES = [
    Path(folder, "faketime", "libfaketime.so.1")
    for folder in ("/usr/lib/x86_64-linux-gnu", "/usr/lib/aarch64-linux-gnu", "/usr/lib64", "/usr/lib")
]
LIBRARY = next((str(file) for file in LIBRARIES if file.exists()), "")
IS_NEEDED = bool(os.environ.get("MULLIGAN_NEED_FAKETIME"))
UNDER_ANOTHER_CLOCK = pytest.mark.skipif(
    not (LIBRARY or IS_NEEDED), reason="there is no libfaketime; `apt install faketime` brings it"
)
STEADY_CLOCK_JUMPS = pytest.mark.skipif(
    ON_POSTGRES, reason="libfaketime moves the steady clock too, by which the pool of connections waits when it closes"
)


@pytest.fixture
def set_clock(tmp_path, monkeypatch):
    """Sets the clock of the servers that are started in this test, and of those that run."""
    assert LIBRARY, "libfaketime is missing, and MULLIGAN_NEED_FAKETIME asks for it"
    shown = tmp_path / "clock"
    database_of(tmp_path / "games")  # a database starts by the right clock
    monkeypatch.setenv("LD_PRELOAD", LIBRARY)
    monkeypatch.setenv("FAKETIME_TIMESTAMP_FILE", str(shown))
    monkeypatch.setenv("FAKETIME_NO_CACHE", "1")

    def set_clock(days):
        part = tmp_path / "clock.part"
        part.write_text(f"{days:+}d\n", encoding="utf-8")
        part.replace(shown)

    set_clock(0)
    return set_clock


def stop(process):
    process.send_signal(signal.SIGTERM)
    return [json.loads(line)["event"] for line in process.communicate(timeout=60)[1].splitlines()]


def hear_of(process, event):
    while json.loads(line := process.stderr.readline())["event"] != event:
        pass
    return json.loads(line)


def pass_hour(process, ann, folder, days, set_clock):
    """Every clock jumps so far that the hour of the housekeeping is over."""
    (before,) = run_sql(folder, "SELECT hours FROM life")[0]
    deadline = time.monotonic() + 60
    while run_sql(folder, "SELECT hours FROM life")[0][0] == before:
        assert time.monotonic() < deadline, "the housekeeping did not look"
        set_clock(days)
        days += 0.1  # more, where it was still busy with the hour before
        is_up(ann)  # wakes the server up, which may just close a connection that was idle by its clock
        time.sleep(0.1)


@STEADY_CLOCK_JUMPS
@UNDER_ANOTHER_CLOCK
def test_a_server_started_on_a_wrong_day_keeps_every_table_and_every_match(tmp_path, set_clock):
    games = tmp_path / "games"
    set_clock(-400)
    with running(games) as (process, ann):
        codes = [ann.open(ME, FRIEND)["table"]]
        stop(process)
    set_clock(0)
    with running(games) as (process, ann):
        codes.append(ann.open(ME, HERE)["table"])
        with ann.at(codes[1]) as table:
            table.do("Start")
            table.do("NextHole")
            event = table.event
            pass_hour(process, ann, games, 1, set_clock)
            cookies = ann.http.cookies
        stop(process)
    for days in (-400, 0):
        set_clock(days)
        with running(games) as (process, ben):
            ben.http.cookies = cookies
            assert abs(hear_of(process, "clock_jumped")["seconds"]) > 300
            with ben.at(codes[1], last_event=event) as table:
                assert table.view["phase"] == "tee_off"
                assert not table.view["given_up"]
            assert ben.http.get(f"/api/tables/{codes[0]}").status_code == 200
            pass_hour(process, ben, games, days + 1, set_clock)
            events = stop(process)
        assert not {"housekeeping", "match_given_up"} & set(events)
    assert sorted(run_sql(games, "SELECT code, marked FROM tables")) == sorted((code, None) for code in codes)


@STEADY_CLOCK_JUMPS
@UNDER_ANOTHER_CLOCK
def test_a_clock_that_jumps_while_the_server_runs_deletes_and_ends_nothing(tmp_path, set_clock):
    games = tmp_path / "games"
    with running(games) as (process, ann):
        codes = ann.open(ME, HERE)
        with ann.at(codes["table"]) as table:
            table.do("Start")
            table.do("NextHole")
        for days in (91, 200, 300, 400):  # the last look comes after all others are over
            pass_hour(process, ann, games, days, set_clock)
        with ann.at(codes["table"]) as table:
            assert table.view["phase"] == "tee_off"
        events = stop(process)
    assert not {"housekeeping", "match_given_up"} & set(events)
    assert 4 <= run_sql(games, "SELECT hours FROM life")[0][0] < 100


@UNDER_ANOTHER_CLOCK
def test_a_wall_clock_that_jumps_disturbs_nobody_at_a_table(tmp_path, set_clock, monkeypatch):
    """The steady clock goes on, as it does on a real machine whose date is set."""
    monkeypatch.setenv("FAKETIME_DONT_FAKE_MONOTONIC", "1")
    monkeypatch.setenv("FAKETIME_FORCE_MONOTONIC_FIX", "0")  # else each wait ends at once
    with running(tmp_path / "games") as (process, ann):
        with ann.at(ann.open(ME, HERE)["table"]) as table:
            table.do("Start")
            table.do("NextHole")
            for days in (91, -400, 0):
                set_clock(days)
                table.say("Ping", n=days)
                assert table.hear("Pong")["n"] == days
                move = table.view["legal"][0]
                assert table.do("Play", seat=table.view["turn"], move=move)["is"] == "Accepted"
        assert stop(process)[-2:] == ["closing", "closed"]
