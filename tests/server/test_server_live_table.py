"""A live table without sockets: computer players at their pace, spectators, and a disk that fails."""

import asyncio
from concurrent.futures import Future

import msgspec
import pytest
from served import SHORT
from tables import TableDriver, wish

from mulligan.engine.chance import many_dice
from mulligan.server.rooms.followed_table import FollowedTable
from mulligan.server.rooms.live_table import LiveTable
from mulligan.server.rooms.registry import Registry
from mulligan.server.store.errors import LeaseLost, StoreError
from mulligan.server.store.sqlite import SqliteStore
from mulligan.server.table.log_entries import decode, encode
from mulligan.server.table.preview import preview
from mulligan.server.table.table import Table
from mulligan.server.wire import base
from mulligan.server.wire.commands import (
    AddSeed,
    Chat,
    FillSeat,
    NextHole,
    Offer,
    Readmit,
    Remove,
    Say,
    SetOptions,
    Sit,
    Start,
)
from mulligan.server.wire.replies import Accepted, ServerMessage
from mulligan.server.wire.tables import TableOptions

NO_SEEDS = {tempo: clocks._replace(seeds=0.0) for tempo, clocks in SHORT.items()}  # waits for none
COMPUTERS = [wish("computer", "Rob", "greedy"), wish("computer", "Bot", "random")]


class Disk:
    """A store that keeps what it is given, until it fails."""

    def __init__(self):
        self.kept = []
        self.failure = None

    def append(self, code, first, entries, dealt=None, link="", lease=None, start=None, also=(), watch=""):
        future = Future()
        if self.failure:
            future.set_exception(self.failure)
        else:
            self.kept += entries
            future.set_result(None)
        return future

    def touch(self, *_):
        return self.append("", 0, [])


class Ear:
    """Someone who listens."""

    def __init__(self, guest="ann", watching=False, code="BCDFGHJKL", visible=True):
        self.guest, self.tab, self.watching, self.seats, self.code = guest, "", watching, [], code
        self.visible = visible
        self.heard, self.closed = [], None

    def tell(self, *messages):
        self.heard += [msgspec.json.decode(message, type=ServerMessage) for message in messages]

    def close(self, code):
        self.closed = code

    def turn_away(self, refusal):
        self.closed = refusal.error

    @property
    def names(self):
        return [type(message).__name__ for message in self.heard]


async def test_who_has_no_seat_hears_no_chat():
    """A finished match's address has the spectators' code, and was perhaps sent to many; so was the players' link."""

    driver = TableDriver(seats=[wish("me", "Ann"), wish("friend"), wish("friend")])
    driver.do(Sit, "ben", seat=1, name="Ben")
    driver.do(Sit, "cyd", seat=2, name="Cyd")
    driver.do(SetOptions, options=TableOptions(chat=True))
    driver.do(Chat, seat=0, text="before")
    driver.do(Remove, seat=2)
    live = live_of(driver, Disk(), Clock(most=1))
    ann, ben, gone, watcher = Ear("ann"), Ear("ben"), Ear("cyd"), Ear("cyd", watching=True)
    stranger = Ear("dee")  # or someone who was removed, without their cookie
    for ear in (ann, ben, gone, watcher, stranger):
        await live.join(ear, 0)
    await live.command(ann, Chat(id="1", seat=0, text="only for us"))
    await live.command(ann, Say(id="2", seat=0, phrase="nice"))
    again = Ear("eve", watching=True)
    await live.join(again, driver.table.event - 3)  # it missed the chat, and does not get it now
    for ear in (ann, ben):
        assert "before" in str(ear.heard)
        assert "only for us" in str(ear.heard)
    for ear in (gone, watcher, stranger, again):
        assert "before" not in str(ear.heard)
        assert "only for us" not in str(ear.heard)
        assert "nice" in str(ear.heard)  # phrases are for all
    await live.command(stranger, Sit(id="sit", seat=2, name="Dee"))
    await live.command(ann, Chat(id="more", seat=0, text="for the three of us"))
    assert "for the three of us" in str(stranger.heard)
    live.rest()


def test_what_anyone_is_shown_while_the_server_starts_is_without_the_chat():
    driver = TableDriver(seats=[wish("me", "Ann"), wish("friend")])
    driver.do(SetOptions, options=TableOptions(chat=True))
    driver.do(Chat, seat=0, text="only for us")
    driver.do(Say, seat=0, phrase="nice")
    shown = preview(driver.table)
    for watching in (True, False):
        said = str(shown.welcome_for("eve", watching))
        assert "only for us" not in said
        assert "nice" in said


async def test_a_flood_of_commands_does_not_push_out_what_another_guest_sent():
    """A move that comes again late is known, and one that was refused stays refused."""
    driver = TableDriver(seats=[wish("me", "Ann"), wish("friend"), wish("friend")])
    driver.do(Sit, "ben", seat=1, name="Ben")
    driver.do(SetOptions, options=TableOptions(chat=True))
    said = Chat(id="said", seat=0, text="Good driver")
    assert driver.send(said, "ann")
    for number in range(5000):
        driver.do(Offer, "ben", key=f"{number:032x}")
    assert driver.send(said, "ann") == []

    live = LiveTable(driver.table, Disk(), driver.seed, many_dice(1, 1)[0], clocks=SHORT)
    ann, ben = Ear("ann"), Ear("ben")
    await live.join(ann, 0)
    await live.join(ben, 0)
    await live.command(ann, NextHole(id="late"))
    for number in range(1000):
        await live.command(ben, NextHole(id=f"flood {number}"))
    driver.do(FillSeat, seat=2, player="greedy")
    driver.do(Start)
    await live.command(ann, NextHole(id="late"))
    assert ann.names[-1] == "Refused"
    live.rest()


async def test_a_command_that_changes_nothing_writes_nothing_and_is_answered():
    """Also when it comes again after it would change something."""
    driver = TableDriver(seats=[wish("me", "Ann"), wish("friend")])
    driver.do(Sit, "ben", seat=1, name="Ben")
    chat, none = TableOptions(chat=True), TableOptions(pace="instant")

    disk = Disk()
    live = LiveTable(driver.table, disk, driver.seed, many_dice(1, 1)[0], clocks=NO_SEEDS)
    ann, ben = Ear("ann"), Ear("ben")
    await live.join(ann, 0)
    await live.join(ben, 0)
    before = driver.table.event
    await live.command(ann, SetOptions(id="same", options=none))
    await live.command(ann, Readmit(id="nobody"))
    await live.command(ann, AddSeed(id="other pack", seat=0, seed="0" * 32, commitment="0" * 64))
    await live.command(ann, AddSeed(id="no seed", seat=0, seed="0"))
    await live.command(ben, SetOptions(id="not mine", options=chat))
    assert (disk.kept, driver.table.event) == ([], before)
    assert [message.id for message in ann.heard if isinstance(message, Accepted)] == [
        "same",
        "nobody",
        "other pack",
    ]
    await live.command(ann, SetOptions(id="chat", options=chat))
    await live.command(ann, SetOptions(id="same", options=none))
    assert ann.names[-1] == "Accepted"
    assert driver.table.options.chat
    await live.command(ann, Start(id="start"))
    await live.command(ann, NextHole(id="ready"))
    kept = len(disk.kept)
    await live.command(ann, NextHole(id="ready again"))
    assert (ann.names[-1], len(disk.kept)) == ("Accepted", kept)
    live.rest()


class Clock:
    """Time that passes only when someone sleeps."""

    def __init__(self, most=10_000):
        self.slept, self.most = [], most

    async def sleep(self, seconds):
        self.slept.append(seconds)
        if len(self.slept) >= self.most:
            await asyncio.Event().wait()
        await asyncio.sleep(0)


def live_of(driver, disk, clock, **more):
    return LiveTable(
        driver.table, disk, lambda: bytes(32), many_dice(1, 1)[0], lambda: 0.0, NO_SEEDS, clock.sleep, **more
    )


async def until(is_so):
    async with asyncio.timeout(30):
        while not is_so():
            await asyncio.sleep(0.001)


@pytest.mark.parametrize(("pace", "factor"), [("slow", 1.8), ("normal", 1.0), ("fast", 0.4)])
async def test_computer_players_move_at_the_pace_that_was_set(pace, factor):
    driver, clock, ear = TableDriver(seats=COMPUTERS), Clock(), Ear()
    live = live_of(driver, Disk(), clock)
    await live.join(ear, 0)
    await live.command(ear, SetOptions(id="1", options=TableOptions(pace=pace)))
    await live.command(ear, Start(id="2"))
    await until(lambda: driver.table.phase == "take")
    live.game_loop.mover.cancel()
    rounds = len(driver.table.draws) - 1
    assert clock.slept[0] == pytest.approx((base.DRAW_SECONDS + rounds * base.ROUND_SECONDS) * factor)
    assert clock.slept[1:5] == pytest.approx([0.8 * factor] * 4)


async def test_nobody_plays_while_nobody_looks():
    driver, clock, ear = TableDriver(seats=COMPUTERS), Clock(), Ear()
    live = live_of(driver, Disk(), clock)
    await live.join(ear, 0)
    await live.command(ear, Start(id="1"))
    await until(lambda: driver.table.phase == "place")
    live.part(ear)
    await until(lambda: live.game_loop.mover.done())
    steps = driver.table.event
    for _ in range(100):  # pauses take no time here, so any move would have come by now
        await asyncio.sleep(0)
    assert driver.table.event == steps
    await live.join(Ear("eve", watching=True), 0)
    await until(lambda: driver.table.event > steps + 5)
    live.game_loop.mover.cancel()


async def test_a_hole_s_result_waits_for_people_and_not_for_computer_players():
    driver, ear = TableDriver(seats=COMPUTERS), Ear()
    live = live_of(driver, Disk(), Clock())
    await live.join(ear, 0)
    await live.command(ear, Start(id="1"))
    await until(lambda: len(driver.table.card) == 2)
    live.game_loop.mover.cancel()
    driver = TableDriver(seats=[wish("me", "Ann"), wish("computer", "Rob", "greedy")])
    driver.play_to("hole_over")
    live = live_of(driver, Disk(), Clock())
    await live.join(ear, 0)
    assert live.game_loop.mover is None


async def test_nothing_is_told_before_it_is_on_disk_and_a_full_disk_ends_the_talk():
    driver, disk, ear, other = TableDriver(), Disk(), Ear(), Ear("eve")
    before = driver.table.event
    live = live_of(driver, disk, Clock(most=1))
    await live.join(ear, 0)
    await live.join(other, 0)
    await live.command(ear, Start(id="1"))
    assert ear.names[-2:] == ["Happened", "Accepted"]
    kept = len(disk.kept)
    assert kept == driver.table.event - before
    disk.failure = StoreError("The disk is full.")
    ear.heard, other.heard = [], []
    await live.command(ear, NextHole(id="2"))
    assert [message.error for message in ear.heard] == ["server_fault"]
    assert other.heard == []
    await asyncio.sleep(0)
    assert (ear.closed, other.closed, len(disk.kept)) == (1011, 1011, kept)
    disk.failure = None
    await live.command(ear, NextHole(id="3"))
    assert ear.heard[-1].error == "server_fault"  # the table is to be read again from disk
    assert len(disk.kept) == kept
    live.game_loop.mover.cancel()


async def test_spectators_who_read_a_log_at_the_same_time_see_every_entry_once():
    driver = TableDriver(seats=[wish("me", "Ann"), wish("friend")])
    seen = Table(map(decode, map(encode, driver.log)))
    driver.do(Sit, "ben", seat=1, name="Ben")
    written = [encode(entry) for entry in driver.log]

    class Log:
        def entries(self, code, after):
            return written[after:]

    followed = FollowedTable(seen, Log(), leases=None, lease=None)
    await asyncio.gather(followed.read(), followed.read())
    assert followed.table.event == driver.table.event


async def test_a_banned_guest_loses_their_seats_even_if_another_process_took_one_table_over_meanwhile(tmp_path):
    registry = Registry(SqliteStore(tmp_path))
    drivers = [TableDriver(seats=[wish("me", "Ann"), wish("friend")]) for _ in range(2)]
    disks = [Disk(), Disk()]
    for number, (driver, disk) in enumerate(zip(drivers, disks, strict=True)):
        driver.do(Sit, "ben", seat=1, name="Ben")
        registry.tables[str(number)] = live_of(driver, disk, Clock(most=1))
    disks[0].failure = LeaseLost("Another process has the table.")
    await registry.shut_out("ben")
    assert registry.tables["0"].is_broken
    assert not registry.tables["1"].table.held_by("ben")
    await registry.close()
