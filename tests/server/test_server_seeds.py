"""Before cards are dealt, the table waits a moment for the seeds of everyone present. All in virtual time."""

import asyncio
import sys
import time
from contextlib import ExitStack
from pathlib import Path
from random import Random
from types import SimpleNamespace

import pytest
from served import COMPUTER, FRIEND, ME, SHORT, Browser, served
from tables import TableDriver, wish
from test_server_live_table import Disk, Ear

sys.path.append(str(Path(__file__).parents[1] / "worlds"))

from timeline import Process, Timeline

from mulligan.engine.chance import many_dice
from mulligan.server.rooms.live_table import LiveTable
from mulligan.server.store import writer
from mulligan.server.table import shuffles
from mulligan.server.table.log_entries import decode
from mulligan.server.table.match_flow import MOST_SEEDS, without_seed
from mulligan.server.table.time_limits import CLOCKS
from mulligan.server.web import sockets
from mulligan.server.wire import base
from mulligan.server.wire.commands import AddSeed, GiveUp, Leave, Lend, NextHole, Rematch, SetOptions, Sit, Start
from mulligan.server.wire.events import Dealt, Drew, SeedAdded, Started
from mulligan.server.wire.replies import Refused
from mulligan.server.wire.tables import TableOptions

LATENCY = 0.04  # seconds
GUESTS = ("ann", "ben", "cyd")


class Table:
    """Three people at a table of a server in virtual time, each with a device."""

    def __init__(self, seated=3):
        self.timeline = Timeline(0.0)
        self.process = Process(self.timeline, Random(1))
        self.driver = TableDriver(seats=[wish("me", "Ann"), wish("friend"), wish("friend")])
        for seat, name in enumerate(GUESTS[1:seated], 1):
            self.driver.do(Sit, name, seat=seat, name=name.capitalize())
        self.disk = Disk()
        self.process.call_soon(self.open)
        self.timeline.run_until(self.timeline.now)
        self.ears = [Ear(guest) for guest in GUESTS]
        self.commands = 0

    def open(self):
        self.live = LiveTable(self.driver.table, self.disk, self.driver.seed, many_dice(1, 1)[0], lambda: 0.0, CLOCKS)

    def run(self, story):
        """Plays a story to its end, and returns how many seconds it took."""
        began = self.timeline.now
        task = self.process.create_task(story)
        assert self.timeline.run_until(began + 100, task.done)
        task.result()
        assert self.process.faults == []
        return self.timeline.now - began

    async def sit_down(self):
        for ear in self.ears:
            await self.live.join(ear, 0)

    async def do(self, ear, kind, after=0.0, **fields):
        await asyncio.sleep(after)
        self.commands += 1
        await self.live.command(ear, kind(id=f"live {self.commands}", **fields))
        assert "Accepted" in ear.names[-2:]  # the clock may be told last

    async def add(self, seat, after=LATENCY):
        await self.do(self.ears[seat], AddSeed, after, seat=seat, seed=self.driver.seed().hex()[:32])

    async def deal_hastily(self):
        """Ann's device adds its seed and deals in the same moment; the others answer when they can."""
        late = [asyncio.create_task(self.add(seat)) for seat in (1, 2)]
        await self.add(0, 0.0)
        await self.deal(self.dealing)
        await asyncio.wait(late)

    async def deal(self, kind):
        """The others are ready, and Ann is the last."""
        for ear in [self.ears[0]] if kind is Start else self.ears[::-1]:
            await self.do(ear, kind)

    @property
    def dealing(self):
        return {"lobby": Start, "over": Rematch}.get(self.driver.table.phase, NextHole)

    def play_out(self):
        while self.driver.table.is_playing:
            self.driver.move()

    def kept_since(self, number):
        return [decode(entry) for entry in self.disk.kept[number:]]


@pytest.fixture
def table():
    table = Table()
    yield table
    table.process.bury()


def seed_givers(entries):
    """Whose seeds were in before the first card."""
    first = next(place for place, entry in enumerate(entries) if isinstance(entry, Drew | Dealt))
    return {entry.seat for entry in entries[:first] if isinstance(entry, SeedAdded)}


def test_a_hasty_player_keeps_nobody_else_out_of_the_shuffle(table):
    table.run(table.sit_down())
    for _ in range(100):
        table.play_out()
        kept = len(table.disk.kept)
        seconds = table.run(table.deal_hastily())
        assert seed_givers(table.kept_since(kept)) == {0, 1, 2}
        assert seconds < 3 * LATENCY
    assert table.driver.table.match > 5, "draws for the deal too"


def test_nobody_waits_once_all_seeds_are_in(table):
    async def story():
        await table.sit_down()
        for seat in range(3):
            await table.add(seat, 0.0)
        await table.do(table.ears[0], Start)

    assert table.run(story()) == 0


def test_a_silent_device_delays_the_deal_for_a_moment_and_is_named(table):
    async def story():
        await table.sit_down()
        await table.add(0)
        await table.do(table.ears[0], Start)
        await table.add(1)
        await table.deal(NextHole)

    seconds = table.run(story())
    assert 2 * CLOCKS["family"].seeds <= seconds < 2 * CLOCKS["family"].seeds + 0.3
    happened = table.kept_since(0)
    assert [entry.without_seed for entry in happened if isinstance(entry, Started | Dealt)] == [[1, 2], [0, 2]]
    book = shuffles.read(table.driver.log + happened, 1)
    assert [shuffle.without_seed for shuffle in book.shuffles] == [[1, 2], [0, 2]]


def test_somebody_away_is_not_waited_for(table):
    async def story():
        for ear in table.ears[:2]:
            await table.live.join(ear, 0)
        for seat in range(2):
            await table.add(seat, 0.0)
        await table.do(table.ears[0], Start)

    assert table.run(story()) == 0
    assert next(entry for entry in table.kept_since(0) if isinstance(entry, Started)).without_seed == []


def test_who_leaves_meanwhile_is_not_waited_for(table):
    async def story():
        await table.sit_down()
        for seat in range(2):
            await table.add(seat, 0.0)
        leaving = asyncio.create_task(table.do(table.ears[2], Leave, LATENCY, seat=2))
        await table.do(table.ears[0], Start, fill="greedy")
        await leaving

    assert table.run(story()) < CLOCKS["family"].seeds / 2


def test_a_deal_without_a_command_waits_too(table):
    table.driver.do(SetOptions, options=TableOptions(pace="instant", tempo="quick"))
    table.driver.play_to("hole_over")
    table.run(seeds_after(table, CLOCKS["quick"].hole + LATENCY))
    assert seed_givers(table.kept_since(0)) == {0, 1, 2}


def test_a_deal_among_lent_seats_waits_for_their_people(table):
    table.driver.play_to("hole_over")
    for seat, guest in enumerate(GUESTS):
        table.driver.do(Lend, guest, seat=seat)
    table.driver.do(SetOptions, options=TableOptions(pace="instant"))
    table.run(seeds_after(table, base.RESULT_SECONDS / 10 + LATENCY))
    assert seed_givers(table.kept_since(0)) == {0, 1, 2}


async def seeds_after(table, seconds):
    """Everyone sits down, all devices are that late with their seeds, and the table deals."""
    await table.sit_down()
    await asyncio.wait([asyncio.create_task(table.add(seat, seconds)) for seat in range(3)])
    await asyncio.sleep(0.1)


def test_one_seed_of_each_device_and_not_more_than_the_most():
    """People come and go before the start: the 25th device comes too late, and the deal does not wait for it."""
    driver = TableDriver(seats=[wish("me", "Ann"), wish("friend")])
    guests = [f"guest {number}" for number in range(MOST_SEEDS + 1)]
    driver.present |= set(guests)
    for number, guest in enumerate(guests):
        driver.do(Sit, guest, seat=1, name="Ben")
        driver.do(AddSeed, guest, seat=1, seed=f"{number:032x}")
        if guest != guests[-1]:
            driver.do(Leave, guest, seat=1)
    added = [entry.seed for entry in driver.log if isinstance(entry, SeedAdded)]
    assert MOST_SEEDS == 24
    assert added == [f"{number:032x}" for number in range(24)]
    assert without_seed(driver.table, driver.present) == []
    driver.do(Start)
    assert [given.seed for given in shuffles.read(driver.log, 1).shuffles[0].seeds] == added


def test_a_socket_that_waits_for_seeds_is_still_heard(tmp_path, client_folder):
    """Ann's own seed and her pings come after her "start": they are answered while she waits for Ben's."""
    patient = {tempo: clocks._replace(seeds=60.0) for tempo, clocks in SHORT.items()}
    with served(tmp_path, client_folder, clocks=patient) as config:
        ann, ben = Browser(config), Browser(config)
        codes = ann.open(ME, FRIEND)
        with ann.at(codes["table"]) as first, ben.at(codes["table"]) as second:
            assert second.do("Sit", seat=1, name="Ben")["is"] == "Accepted"
            first.say("Start", id="start")
            assert first.do("AddSeed", seat=0, seed="0" * 32)["is"] == "Accepted"
            first.say("Ping", n=1)
            assert first.hear("Pong", "Accepted")["is"] == "Pong"
            assert first.view["phase"] == "lobby"
            assert second.do("AddSeed", seat=1, seed="1" * 32)["is"] == "Accepted"
            assert first.hear("Accepted")["id"] == "start"
            started = next(event for event in first.heard[-2]["what"] if event["is"] == "Started")
            assert started["without_seed"] == []


def test_who_may_not_start_is_told_so_without_waiting_for_seeds(table):
    """Neither a stranger, nor a player whose turn it is not to start, nor someone who sends it twice."""
    strangers = [Ear("eve"), Ear("ben")]

    async def story():
        await table.sit_down()
        for ear in strangers:
            await table.live.join(ear, 0)
            for number, kind in enumerate((Start, NextHole, Rematch)):
                await table.live.command(ear, kind(id=f"no {number}"))
                assert ear.heard[-1].error in ("not_owner", "not_seated", "not_now")
        for seat in range(3):
            await table.add(seat, 0.0)
        await table.do(table.ears[0], Start)
        await table.live.command(table.ears[0], Start(id=f"live {table.commands}"))  # again: it was done

    assert table.run(story()) == 0


def test_the_last_command_before_a_deal_waits_although_it_came_while_another_was_written(table):
    """On a slow disk, several people are ready in the same moment; none is the last one then."""

    async def story():
        await table.sit_down()
        for dealing in (Start, NextHole):
            async with table.live.log.lock:  # as while something is written
                ready = [
                    asyncio.create_task(table.do(ear, dealing)) for ear in table.ears[: 1 if dealing is Start else 3]
                ]
                await asyncio.sleep(LATENCY)
            late = [asyncio.create_task(table.add(seat)) for seat in range(3)]
            await asyncio.gather(*ready, *late)

    table.run(story())
    assert [entry.without_seed for entry in table.kept_since(0) if isinstance(entry, Started | Dealt)] == [[], []]


def test_a_start_waits_although_the_last_seat_was_taken_while_another_command_was_written():
    table = Table(seated=2)

    async def story():
        await table.sit_down()
        async with table.live.log.lock:
            sitting = asyncio.create_task(table.do(table.ears[2], Sit, seat=2, name="Cyd"))
            await asyncio.sleep(LATENCY)
            starting = asyncio.create_task(table.do(table.ears[0], Start))
            await asyncio.sleep(LATENCY)
        await asyncio.gather(sitting, starting, *[asyncio.create_task(table.add(seat)) for seat in range(3)])

    table.run(story())
    assert next(entry for entry in table.kept_since(0) if isinstance(entry, Started)).without_seed == []
    table.process.bury()


def test_a_match_that_ends_while_a_deal_waits_is_not_dealt(table):
    """Ann is ready twice at once, and gives up before the seeds are in."""

    async def story():
        await table.sit_down()
        for seat in range(3):
            await table.add(seat, 0.0)
        await table.do(table.ears[0], Start)
        for ear in table.ears[:0:-1]:
            await table.do(ear, NextHole)
        commands = [NextHole(id="once"), NextHole(id="twice"), NextHole(id="once")]
        ready = [asyncio.create_task(table.live.command(table.ears[0], command)) for command in commands]
        await table.do(table.ears[0], GiveUp, LATENCY)
        await asyncio.wait(ready)

    table.run(story())
    refused = {message.id: message.error for message in table.ears[0].heard if isinstance(message, Refused)}
    assert refused == {"once": "not_now", "twice": "not_now"}
    assert not any(isinstance(entry, Dealt) for entry in table.kept_since(0))


@pytest.mark.parametrize("people", [1, 2, 3])
def test_devices_that_are_ready_before_they_add_their_seeds_all_have_a_say(
    tmp_path, client_folder, monkeypatch, people
):
    """On a disk that takes a moment. All are ready at once, and their seeds come a moment later on the same sockets."""

    def slowly(commit, jobs, write=writer.write_together):
        time.sleep(0.03)
        return write(commit, jobs)

    monkeypatch.setattr(writer, "write_together", slowly)
    patient = {tempo: clocks._replace(seeds=60.0) for tempo, clocks in SHORT.items()}
    others = [FRIEND] * (people - 1) or [COMPUTER]
    with served(tmp_path, client_folder, clocks=patient) as config, ExitStack() as stack:
        browsers = [Browser(config) for _ in range(people)]
        code = browsers[0].open(ME, *others)["table"]
        tables = [stack.enter_context(browser.at(code)) for browser in browsers]
        for seat, table in enumerate(tables[1:], 1):
            table.do("Sit", seat=seat, name=f"Friend {seat}")
        for kind, event in [("Start", "Started"), ("NextHole", "Dealt"), ("Rematch", "Started"), ("NextHole", "Dealt")]:
            if kind == "Rematch":
                tables[0].do("GiveUp")
            for seat, table in enumerate(tables if kind != "Start" else tables[:1]):
                table.say(kind, id=f"{event} {tables[0].event} {seat}")
            time.sleep(0.02)
            for seat, table in enumerate(tables):
                table.say("AddSeed", id=f"seed {tables[0].event}", seat=seat, seed=f"{seat:032x}")
            while event not in (what := {told["is"]: told for told in tables[0].hear("Happened")["what"]}):
                pass
            assert what[event]["without_seed"] == []


def test_a_command_that_waits_for_seeds_is_carried_out_though_its_socket_closes(tmp_path, client_folder):
    patient = {tempo: clocks._replace(seeds=60.0) for tempo, clocks in SHORT.items()}
    with served(tmp_path, client_folder, clocks=patient) as config:
        ann, ben = Browser(config), Browser(config)
        code = ann.open(ME, FRIEND)["table"]
        with ben.at(code) as second:
            second.do("Sit", seat=1, name="Ben")
            with ann.at(code) as first:
                first.say("Start", id="start")
                first.say("Ping", n=1)
                first.hear("Pong")
            second.do("AddSeed", seat=1, seed="1" * 32)
            second.wait_for(lambda view: view["phase"] == "draw")
        with ann.at(code) as first:
            assert first.do("Start", "start")["is"] == "Accepted"  # it was done


def test_what_came_before_the_server_had_started_does_not_hold_up_what_came_after():
    """A device says that it is ready, then adds its seed: both were sent while the server started."""
    done = []

    async def story():
        seed_is_in, started = asyncio.Event(), asyncio.Event()
        started.set()

        async def command(listener, command):
            if isinstance(command, NextHole):
                await asyncio.wait_for(seed_is_in.wait(), 10)
            else:
                seed_is_in.set()
            done.append(type(command))

        async def command_at_once(listener, given, is_warm):
            if may_begin := not isinstance(given, NextHole):
                await command(listener, given)
            return may_begin

        live = SimpleNamespace(command=command, command_at_once=command_at_once)
        connection, registry = SimpleNamespace(dealing=set()), SimpleNamespace(is_warm=started)
        for early in (NextHole(id="1"), AddSeed(id="2", seat=0, seed="0" * 32)):
            await sockets.take(connection, registry, live, early)
        await asyncio.wait(connection.dealing)

    asyncio.run(story())
    assert done == [AddSeed, NextHole]
