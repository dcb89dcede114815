"""A room without sockets: computer players at their pace, and a disk that fails."""

import asyncio
from concurrent.futures import Future

import msgspec
import pytest
from served import SHORT
from tables import Evening, wish

from mulligan.engine.chance import many_dice
from mulligan.server import bots
from mulligan.server.messages import NextHole, ServerMessage, SetOptions, Start, TableOptions
from mulligan.server.room import Room
from mulligan.server.store import StoreError

COMPUTERS = [wish("computer", "Rob", "greedy"), wish("computer", "Bot", "random")]


class Disk:
    """A store that keeps what it is given, until it fails."""

    def __init__(self):
        self.kept = []
        self.is_full = False

    def append(self, code, first, entries, dealt=None):
        future = Future()
        if self.is_full:
            future.set_exception(StoreError("The disk is full."))
        else:
            self.kept += entries
            future.set_result(None)
        return future


class Ear:
    """Somebody who listens."""

    def __init__(self, guest="ann", watching=False):
        self.guest, self.watching, self.seats = guest, watching, []
        self.heard, self.closed = [], None

    def tell(self, message):
        self.heard.append(msgspec.json.decode(message, type=ServerMessage))

    def close(self, code):
        self.closed = code

    @property
    def names(self):
        return [type(message).__name__ for message in self.heard]


class Clock:
    """Time that passes only when somebody sleeps."""

    def __init__(self, most=10_000):
        self.slept, self.most = [], most

    async def sleep(self, seconds):
        self.slept.append(seconds)
        if len(self.slept) >= self.most:
            await asyncio.Event().wait()
        await asyncio.sleep(0)


def room_of(evening, disk, clock):
    return Room(evening.table, disk, lambda: bytes(32), many_dice(1, 1)[0], lambda: 0.0, SHORT, clock.sleep)


async def until(is_so):
    async with asyncio.timeout(30):
        while not is_so():
            await asyncio.sleep(0.001)


@pytest.mark.parametrize(("pace", "factor"), [("slow", 1.8), ("normal", 1.0), ("fast", 0.4)])
def test_computer_players_move_at_the_pace_that_was_set(pace, factor):
    async def story():
        evening, clock, ear = Evening(seats=COMPUTERS), Clock(), Ear()
        room = room_of(evening, Disk(), clock)
        await room.join(ear, 0)
        await room.command(ear, SetOptions(id="1", options=TableOptions(pace=pace)))
        await room.command(ear, Start(id="2"))
        await until(lambda: evening.table.phase == "take")
        room.mover.cancel()
        rounds = len(evening.table.draws) - 1
        assert clock.slept[0] == pytest.approx((bots.DRAW_SECONDS + rounds * bots.ROUND_SECONDS) * factor)
        assert clock.slept[1:5] == pytest.approx([0.8 * factor] * 4)

    asyncio.run(story())


def test_nobody_plays_while_nobody_looks():
    async def story():
        evening, clock, ear = Evening(seats=COMPUTERS), Clock(), Ear()
        room = room_of(evening, Disk(), clock)
        await room.join(ear, 0)
        await room.command(ear, Start(id="1"))
        await until(lambda: evening.table.phase == "place")
        room.part(ear)
        await until(lambda: room.mover.done())
        steps = evening.table.event
        await asyncio.sleep(0.01)
        assert evening.table.event == steps
        await room.join(Ear("eve", watching=True), 0)
        await until(lambda: evening.table.event > steps + 5)
        room.mover.cancel()

    asyncio.run(story())


def test_a_reckoning_waits_for_people_and_not_for_computer_players():
    async def story():
        evening, ear = Evening(seats=COMPUTERS), Ear()
        room = room_of(evening, Disk(), Clock())
        await room.join(ear, 0)
        await room.command(ear, Start(id="1"))
        await until(lambda: len(evening.table.card) == 2)
        room.mover.cancel()
        evening = Evening(seats=[wish("me", "Ann"), wish("computer", "Rob", "greedy")])
        evening.play_to("reckoning")
        room = room_of(evening, Disk(), Clock())
        await room.join(ear, 0)
        assert room.mover is None

    asyncio.run(story())


def test_nothing_is_told_before_it_is_on_disk_and_a_full_disk_ends_the_talk():
    async def story():
        evening, disk, ear, other = Evening(), Disk(), Ear(), Ear("eve")
        before = evening.table.event
        room = room_of(evening, disk, Clock(most=1))
        await room.join(ear, 0)
        await room.join(other, 0)
        await room.command(ear, Start(id="1"))
        assert ear.names[-2:] == ["Happened", "Accepted"]
        kept = len(disk.kept)
        assert kept == evening.table.event - before
        disk.is_full = True
        ear.heard, other.heard = [], []
        await room.command(ear, NextHole(id="2"))
        assert [message.error for message in ear.heard] == ["server_fault"]
        assert other.heard == []
        await asyncio.sleep(0)
        assert (ear.closed, other.closed, len(disk.kept)) == (1011, 1011, kept)
        disk.is_full = False
        await room.command(ear, NextHole(id="3"))
        assert ear.heard[-1].error == "server_fault"  # the table is to be read again from disk
        assert len(disk.kept) == kept
        room.mover.cancel()

    asyncio.run(story())
