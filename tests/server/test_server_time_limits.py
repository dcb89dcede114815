"""Who is away or slow holds up nobody: the clocks of a table, without sockets."""

import asyncio
from types import SimpleNamespace

import pytest
from tables import TableDriver, wish
from test_server_live_table import Clock, Disk, Ear, live_of, until

from mulligan.server.rooms import turn_clock
from mulligan.server.table.time_limits import CLOCKS, wait_of
from mulligan.server.wire.commands import GiveBack, Play, SetOptions, Sit, TakeBack
from mulligan.server.wire.events import GaveBack, Lent
from mulligan.server.wire.replies import Clock as ClockTold
from mulligan.server.wire.tables import TableOptions

TWO = [wish("me", "Ann"), wish("friend")]


@pytest.fixture
def time(monkeypatch):
    """The time by which turns are measured; it stands still unless a test sets it."""
    time = SimpleNamespace(now=1000.0)
    monkeypatch.setattr(turn_clock, "now", lambda loop: time.now)
    return time


def two_at(phase, tempo="family"):
    """Ann and Ben at one table, each with a device."""
    driver = TableDriver(seats=TWO)
    driver.do(Sit, "ben", seat=1, name="Ben")
    driver.do(SetOptions, options=TableOptions(pace="instant", tempo=tempo))
    driver.play_to(phase)
    return driver


def waits(driver, *present):
    return wait_of(driver.table, set(present), CLOCKS[driver.table.options.tempo])


def on_turn(driver):
    """The guest whose turn it is, and the other one."""
    guests = [seat.guest for seat in driver.table.seats]
    mine = guests[driver.table.turn]
    return mine, next(guest for guest in guests if guest != mine)


def test_a_family_table_waits_for_who_is_there_and_not_for_ever_for_who_is_away():
    driver = two_at("take")
    assert waits(driver, "ann", "ben") is None
    assert waits(driver, on_turn(driver)[1]) == ("absent", driver.table.turn, 120.0)


def test_a_quick_table_has_a_clock_for_every_step_and_for_the_next_hole():
    driver = two_at("take", "quick")
    assert waits(driver, "ann", "ben") == ("turn", driver.table.turn, 45.0)
    assert waits(driver, on_turn(driver)[1]) == ("absent", driver.table.turn, 20.0)
    driver.play_to("hole_over")
    assert waits(driver, "ann", "ben") == ("hole", None, 45.0)


@pytest.mark.parametrize("tempo", ["family", "quick"])
def test_no_clock_runs_while_nobody_waits(tempo):
    """Alone at the table, with a spectator, or with everyone gone: the game stays as it is."""
    driver = two_at("take", tempo)
    mine, _ = on_turn(driver)
    for present in [(), (mine,), ("a spectator",)]:
        assert waits(driver, *present) is None
    driver.play_to("hole_over")
    assert waits(driver, "ann") is None


def test_a_lent_seat_and_a_computer_player_need_no_clock():
    driver = TableDriver(seats=[wish("me", "Ann"), wish("computer", "Rob", "greedy")])
    driver.do(SetOptions, options=TableOptions(tempo="quick"))
    driver.play_to("take")
    assert waits(driver, "ann") is None


async def test_a_computer_player_takes_over_from_who_is_away_and_hands_the_seat_back():
    driver = two_at("take")
    mine, other = on_turn(driver)
    seat = driver.table.turn
    ear, back = Ear(other), Ear(mine)
    live = live_of(driver, Disk(), Clock())
    await live.join(ear, 0)
    await until(lambda: driver.table.turn != seat)
    lent = [what for message in ear.heard if hasattr(message, "what") for what in message.what]
    assert lent[0] == Lent(seat=seat, player="pro", why="absent")
    assert driver.table.seats[seat].lent
    await live.join(back, 0)
    assert not driver.table.seats[seat].lent
    happened = [what for message in back.heard if hasattr(message, "what") for what in message.what]
    assert GaveBack(seat=seat) in happened
    assert any(isinstance(message, ClockTold) and message.why == "absent" for message in ear.heard)


async def test_who_let_the_clock_run_out_takes_the_seat_back_when_ready(time):
    driver = two_at("take", "quick")
    mine, other = on_turn(driver)
    seat = driver.table.turn
    ear, slow = Ear(other), Ear(mine)
    clock = Clock()
    live = live_of(driver, Disk(), clock)
    await live.join(ear, 0)
    clock.slept.clear()
    await live.join(slow, 0)
    await until(lambda: driver.table.seats[seat].lent)
    assert max(clock.slept) == 45
    assert driver.table.seats[seat].lent_why == "clock"
    await live.join(slow, 0)
    assert driver.table.seats[seat].lent, "only its person's word ends this"
    await live.command(slow, GiveBack(id="mine", seat=seat))
    assert slow.names[-1] in ("Accepted", "Clock")


async def test_who_comes_back_within_the_turn_that_ran_out_has_all_of_its_time_again(time):
    driver = two_at("take", "quick")
    mine, other = on_turn(driver)
    seat = driver.table.turn
    live = live_of(driver, Disk(), Clock())
    live.game_loop.sleep = live.game_loop.turn_clock.sleep = asyncio.sleep
    clocks, all_clocks = live.game_loop.clocks, live.game_loop.all_clocks
    live.game_loop.all_clocks = {**all_clocks, "quick": clocks._replace(turn=0.1)}
    live.game_loop.think = lambda *question: asyncio.Event().wait()  # the computer player has not moved yet
    ear, slow = Ear(other), Ear(mine)
    await live.join(ear, 0)
    await live.join(slow, 0)
    await until(lambda: driver.table.seats[seat].lent)
    live.game_loop.all_clocks = {**all_clocks, "quick": clocks._replace(turn=600.0)}
    time.now += 600
    await live.command(slow, GiveBack(id="mine", seat=seat))
    assert clocks_of(ear)[-1].seconds == 600
    for _ in range(20):
        await asyncio.sleep(0)
    assert not driver.table.seats[seat].lent
    live.rest()


async def test_a_turn_has_one_time_for_all_its_steps_and_the_next_one_starts_the_clock_anew(time):
    driver = two_at("take", "quick")
    mine, other = on_turn(driver)
    live = live_of(driver, Disk(), Clock(most=1))
    live.game_loop.sleep = live.game_loop.turn_clock.sleep = asyncio.sleep
    ear, player = Ear(other), Ear(mine)
    await live.join(ear, 0)
    await live.join(player, 0)
    turn = driver.table.turn
    assert [(clock.why, clock.seat) for clock in clocks_of(ear)] == [("absent", turn), ("turn", turn)]
    assert clocks_of(ear)[-1].seconds == 45
    for number in range(3):
        await live.command(player, Play(id=f"take {number}", seat=turn, move="D"))
        await live.command(player, TakeBack(id=f"back {number}", seat=turn))
    time.now += 10
    live.part(player)
    await until(lambda: mine not in live.listeners.present)
    await live.join(player, 0)
    assert [(clock.why, clock.seconds) for clock in clocks_of(ear)[2:]] == [("absent", 20), ("turn", 35)]
    await live.command(player, Play(id="take", seat=turn, move="D"))
    await live.command(player, Play(id="place", seat=turn, move="a1"))
    assert clocks_of(ear)[-1].seat != turn
    assert len(clocks_of(ear)) == 5
    live.rest()


async def test_the_clock_is_told_to_who_comes_and_stops_when_nobody_waits():
    driver = two_at("take", "quick")
    mine, other = on_turn(driver)
    live = live_of(driver, Disk(), Clock(most=1))
    live.game_loop.sleep = live.game_loop.turn_clock.sleep = asyncio.sleep
    ear, player, late = Ear(other), Ear(mine), Ear("eve", watching=True)
    await live.join(ear, 0)
    await live.join(player, 0)
    await live.join(late, 0)
    assert late.heard[-1].why == "turn"
    live.part(player)
    await until(lambda: mine not in live.listeners.present)
    assert clocks_of(ear)[-1].why == "absent"
    live.part(ear)
    await until(lambda: not live.listeners.present)
    assert live.game_loop.turn_clock.timer is None
    assert clocks_of(late)[-1] == ClockTold()
    live.rest()


def clocks_of(ear):
    return [message for message in ear.heard if isinstance(message, ClockTold)]


async def test_a_quick_table_deals_the_next_hole_by_itself():
    driver = two_at("hole_over", "quick")
    live = live_of(driver, Disk(), Clock())
    await live.join(Ear("ann"), 0)
    await live.join(Ear("ben"), 0)
    await until(lambda: driver.table.is_playing)
    assert driver.table.dealt.hole == 2
    live.rest()
