"""A match by turns: nobody needs to be there at the same time, and nobody's card is moved by anyone else in time."""

import asyncio
from contextlib import asynccontextmanager

import pytest
from served import SHORT, store_in
from tables import TableDriver, wish
from test_server_live_table import Ear, until

from mulligan.server.rooms.days import see_to_turns
from mulligan.server.rooms.housekeeping import Housekeeping
from mulligan.server.rooms.registry import Registry
from mulligan.server.store.turns import turn_noted
from mulligan.server.table.commands import happen
from mulligan.server.table.match_flow import play_again
from mulligan.server.table.rights import Refusal
from mulligan.server.wire.base import TURN_HOURS
from mulligan.server.wire.commands import FillSeat, GiveUp, Leave, Lend, NextHole, Play, PlayOn, SetOptions, Sit, Start
from mulligan.server.wire.events import GaveBack, Lent
from mulligan.server.wire.replies import Clock
from mulligan.server.wire.tables import NewTable, TableOptions
from mulligan.server.wire.view import Step

ADD_WAY = """INSERT INTO ways (way, kind, guest, device, keys, since, zone, quiet_from, quiet_until, language, base)
    VALUES (?, 'push', ?, ?, '{}', 0, 'UTC', 0, 0, 'en', '')"""
NO_SEEDS = {tempo: clocks._replace(seeds=0.0) for tempo, clocks in SHORT.items()}


class Server:
    """A registry whose running hours are counted by hand."""

    def __init__(self, store):
        self.registry = Registry(store, clocks=NO_SEEDS)
        self.registry.is_warm.set()
        self.store = self.registry.store
        self.commands = 0

    async def open(self, *seats, tempo="three_days"):
        options = TableOptions(pace="instant", tempo=tempo)
        table = await self.registry.open_table(NewTable(game="play_nine", seats=list(seats), options=options), "ann")
        self.code = table.code
        return await self.live()

    async def live(self):
        return await self.registry.live_table(self.code)

    async def visit(self, guest, *commands):
        """Someone comes, does something and goes again. Returns what they were told."""
        live, ear = await self.live(), Ear(guest, code=(await self.live()).table.link)
        await live.join(ear, 0)
        for kind, fields in commands:
            self.commands += 1
            await live.command(ear, kind(id=str(self.commands), **fields))
        live.part(ear, is_silent=True)
        return ear

    async def pass_hours(self, hours):
        for _ in range(hours):
            await asyncio.wrap_future(self.store.count_hour(0.0))
            await see_to_turns(self.registry)
        await self.settle()

    async def settle(self):
        """Until the table waits for a person, or for nobody."""
        live = await self.live()
        await until(lambda: live.game_loop.wait() is None and not live.log.lock.locked())
        await asyncio.wrap_future(self.store.put([]))

    async def turn(self):
        """The guest whose turn it is takes it, whatever it takes."""
        table = (await self.live()).table
        seat, guest = table.turn, table.seats[table.turn].guest
        while table.turn == seat and table.seats[seat].guest == guest and table.is_playing:
            await self.visit(guest, (Play, {"seat": seat, "move": table.legal()[0]}))
        await self.settle()

    async def rows(self, what):
        def read():
            with self.store.reading() as connection:
                return [tuple(row) for row in connection.execute(what).fetchall()]

        return await asyncio.to_thread(read)

    async def add_way(self, guest):
        await asyncio.wrap_future(self.store.put([(ADD_WAY, (f"https://{guest}", guest, guest))]))

    async def send_all(self):
        await asyncio.wrap_future(self.store.put([("UPDATE outbox SET sent = 1", ())]))


@asynccontextmanager
async def serving(folder):
    server = Server(await asyncio.to_thread(store_in, folder))
    try:
        yield server
    finally:
        await server.registry.close()


@asynccontextmanager
async def two_at_a_table(folder, tempo="three_days"):
    """Ann and Ben, and a computer player between them; a hole is dealt and nobody is there."""
    async with serving(folder) as server:
        await server.open(wish("me", "Ann"), wish("computer", "Rob", "greedy"), wish("friend"), tempo=tempo)
        await server.visit("ben", (Sit, {"seat": 2, "name": "Ben"}))
        await server.visit("ann", (Start, {}))
        await server.settle()
        yield server


def steps_of(live, seat):
    return [event for _, event in live.table.happened if isinstance(event, Step) and event.seat == seat]


async def test_the_table_goes_on_while_nobody_is_there_and_waits_for_whose_turn_it_is(tmp_path):
    async with two_at_a_table(tmp_path) as server:
        live = await server.live()
        assert live.table.is_playing
        assert not live.listeners
        for _ in range(6):
            guest = live.table.seats[live.table.turn].guest
            assert guest in ("ann", "ben")
            assert await server.rows("SELECT guest FROM turns") == [(guest,)]
            await server.turn()
        assert steps_of(live, 1)


async def test_a_whole_match_needs_nobody_to_be_ready_for_the_next_hole(tmp_path):
    async with two_at_a_table(tmp_path) as server:
        live = await server.live()
        while live.table.phase != "over":
            await server.turn()
        assert len(live.table.card) == live.table.holes
        assert await server.rows("SELECT * FROM turns") == []


@pytest.mark.parametrize("tempo", TURN_HOURS)
async def test_a_computer_player_takes_one_turn_once_its_time_is_over_and_not_before(tmp_path, tempo):
    async with two_at_a_table(tmp_path, tempo) as server:
        live = await server.live()
        seat, before = live.table.turn, live.table.event
        await server.pass_hours(TURN_HOURS[tempo])
        assert live.table.event == before
        await server.pass_hours(1)
        happened = [event for number, event in live.table.happened if number > before]
        assert isinstance(happened[0], Lent)
        assert happened[0].why == "clock"
        assert GaveBack(seat=seat) in happened
        assert live.table.turn != seat
        assert not live.table.seats[seat].lent
        assert live.table.seats[seat].stood_in == 1
        assert await server.rows("SELECT hours FROM turns") == [(TURN_HOURS[tempo],)]


async def test_hours_in_which_the_server_was_off_do_not_count_and_a_restart_loses_none(tmp_path):
    async with two_at_a_table(tmp_path) as server:
        code, guest = server.code, (await server.live()).table.turn
        await server.pass_hours(50)
    async with serving(tmp_path) as server:
        server.code = code
        await server.pass_hours(22)
        live = await server.live()
        assert live.table.turn == guest
        ear = await server.visit("cyd")
        clock = next(message for message in ear.heard if isinstance(message, Clock))
        assert (clock.why, clock.seat) == ("days", guest)
        assert 0 <= clock.seconds <= 22 * 3600
        del server.registry.tables[code]  # put away, since nobody is there
        await server.pass_hours(1)
        assert (await server.live()).table.turn != guest


async def test_after_a_kill_the_table_goes_on_where_a_computer_player_was_to_move(tmp_path):
    async with two_at_a_table(tmp_path) as server:
        code, live = server.code, await server.live()
        while not live.table.computer_on_turn:
            live.game_loop.think = lambda *_: asyncio.Event().wait()  # it is killed while the player thinks
            table = live.table
            await server.visit(table.seats[table.turn].guest, (Play, {"seat": table.turn, "move": table.legal()[0]}))
    async with serving(tmp_path) as server:
        server.code = code
        assert await server.rows("SELECT guest FROM turns") == [("",)]
        await Housekeeping(server.registry).keep_house()
        await server.settle()
        assert not (await server.live()).table.computer_on_turn


async def test_nobody_plays_for_anyone_else_or_ends_the_match_but_its_host(tmp_path):
    async with two_at_a_table(tmp_path) as server:
        live = await server.live()
        while live.table.seats[live.table.turn].guest != "ann":
            await server.turn()
        turn = live.table.turn
        for guest, kind, fields, error in (
            ("ben", PlayOn, {"seat": turn}, "by_turns"),
            ("ben", Lend, {"seat": turn}, "not_owner"),
            ("ann", Lend, {"seat": 2}, "by_turns"),
            ("ben", GiveUp, {}, "not_owner"),
            ("ben", FillSeat, {"seat": turn, "player": "greedy"}, "not_owner"),
        ):
            ear = await server.visit(guest, (kind, fields))
            assert [message.error for message in ear.heard if hasattr(message, "error")] == [error], kind
        assert live.table.turn == turn
        await server.visit("ann", (Lend, {"seat": turn}))  # for oneself, as at any table
        await server.settle()
        assert live.table.turn != turn


async def test_who_leaves_for_good_holds_up_nobody(tmp_path):
    async with serving(tmp_path) as server:
        live = await server.open(wish("me", "Ann"), wish("friend"))
        await server.visit("ben", (Sit, {"seat": 1, "name": "Ben"}))
        await server.visit("ann", (Start, {}))
        await server.settle()
        await server.visit("ben", (Leave, {"seat": 1}))
        assert not live.is_idle  # it stays in memory until a computer player has taken over
        await live.game_loop.run_out(live.game_loop.turn_clock.wait)
        await server.settle()
        assert live.table.seats[live.table.turn].guest == "ann"


async def test_a_rematch_lends_no_seat_of_who_is_not_there():
    driver = TableDriver(seats=[wish("me", "Ann"), wish("friend")])
    driver.do(Sit, "ben", seat=1, name="Ben")
    driver.do(SetOptions, options=TableOptions(pace="instant", tempo="week", holes=1))
    driver.play_to("over")
    driver.present = {"ann"}
    happened = happen(driver.table, play_again(driver.table, driver.seed, {"ann"}, [0]))
    assert not any(isinstance(entry, Lent) for entry in happened)


async def test_who_is_to_be_told_is_written_with_the_move_and_reminded_once_at_half_of_the_time(tmp_path):
    async with two_at_a_table(tmp_path) as server:
        outbox = "SELECT way, kind, number, sent FROM outbox ORDER BY way"
        await server.add_way("ann")
        await server.add_way("ben")
        live = await server.live()
        await server.turn()
        guest, number = live.table.seats[live.table.turn].guest, live.log.turns.number
        assert await server.rows(outbox) == [(f"https://{guest}", "turn", number, 0)]
        await server.send_all()
        await server.pass_hours(36)
        assert await server.rows(outbox) == [(f"https://{guest}", "turn", number, 1)]
        await server.pass_hours(1)
        assert await server.rows(outbox) == [(f"https://{guest}", "reminder", number, 2)]
        await server.send_all()
        await server.pass_hours(5)
        assert await server.rows(outbox) == [(f"https://{guest}", "reminder", number, 1)]
        await server.visit(guest)  # who has come needs to be told no more, and may be told of the next turn
        await server.settle()
        assert await server.rows(outbox) == []


async def test_who_did_not_come_is_not_told_of_another_turn(tmp_path):
    async with two_at_a_table(tmp_path, "day") as server:
        await server.add_way("ann")
        live = await server.live()
        while live.table.seats[live.table.turn].guest != "ann":
            await server.turn()
        await server.send_all()
        await server.pass_hours(13)
        await server.send_all()  # the reminder
        await server.pass_hours(12)  # a computer player takes the turn
        while live.table.seats[live.table.turn].guest != "ann":
            await server.turn()
        assert await server.rows("SELECT sent FROM outbox") == [(1,)]


async def test_a_table_that_becomes_one_by_turns_in_mid_match_counts_from_then(tmp_path):
    async with two_at_a_table(tmp_path, "family") as server:
        assert await server.rows("SELECT * FROM turns") == []
        options = TableOptions(pace="instant", tempo="day")
        await server.visit("ann", (SetOptions, {"options": options}))
        await server.settle()
        assert await server.rows("SELECT hours FROM turns") == [(24,)]
        assert (await asyncio.to_thread(turn_noted, server.store, server.code)).passed == 0
        await server.visit("ann", (SetOptions, {"options": TableOptions(tempo="family")}))
        await asyncio.wrap_future(server.store.put([]))
        assert await server.rows("SELECT * FROM turns") == []


async def test_who_looks_at_a_result_has_time_for_it_and_may_go_on_at_once(tmp_path):
    driver = TableDriver(seats=[wish("me", "Ann"), wish("friend")])
    driver.do(Sit, "ben", seat=1, name="Ben")
    driver.do(SetOptions, options=TableOptions(pace="instant", tempo="day"))
    driver.play_to("hole_over")
    driver.present = {"ann"}
    driver.do(NextHole)
    assert driver.table.is_playing
    with pytest.raises(Refusal):
        driver.do(NextHole)
