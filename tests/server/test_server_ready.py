"""Nobody's result is closed by someone else, nobody blocks the others, and who left is still known by name."""

import asyncio

import pytest
from tables import TableDriver, refused, wish
from test_server_live_table import Clock, Disk, Ear, live_of, until
from test_server_time_limits import on_turn, two_at, waits

from mulligan.server.table.log_entries import decode, encode
from mulligan.server.table.table import Table
from mulligan.server.table.view import view
from mulligan.server.wire.commands import FillSeat, Leave, Lend, NextHole, Play, Rematch, Sit
from mulligan.server.wire.events import Dealt, Lent, Ready, Started
from mulligan.server.wire.replies import Happened, Presence


def ready(driver):
    return [seat.ready for seat in view(driver.table).seats]


def again(driver):
    """The same table, read from its log."""
    return Table(decode(encode(entry)) for entry in driver.log)


async def joined(driver):
    """The live table, with Ann and Ben connected."""
    live, ann, ben = live_of(driver, Disk(), Clock()), Ear("ann"), Ear("ben")
    await live.join(ann, 0)
    await live.join(ben, 0)
    return live, ann, ben


# The next hole


def test_one_who_is_ready_closes_nobody_elses_result():
    driver = two_at("hole_over")
    assert driver.do(NextHole)[0] == Ready(seat=0)
    assert (driver.table.phase, ready(driver)) == ("hole_over", [True, False])
    assert view(again(driver)) == view(driver.table)
    assert isinstance(driver.do(NextHole, "ben")[0], Dealt)
    assert ready(driver) == [False, False]


def test_who_is_away_is_not_waited_for():
    driver = two_at("hole_over")
    driver.present = {"ann"}
    assert isinstance(driver.do(NextHole)[0], Dealt)


def test_somebody_alone_with_computers_goes_on_at_once():
    driver = TableDriver(seats=[wish("me", "Ann"), wish("computer", "Rob", "greedy")])
    driver.play_to("hole_over")
    assert isinstance(driver.do(NextHole)[0], Dealt)


@pytest.mark.parametrize(("tempo", "before", "seconds"), [("family", None, 30.0), ("quick", 45.0, 15.0)])
def test_the_first_who_is_ready_starts_a_countdown(tempo, before, seconds):
    driver = two_at("hole_over", tempo)
    assert waits(driver, "ann", "ben") == (None if before is None else ("hole", None, before))
    driver.do(NextHole, "ben")
    assert waits(driver, "ann", "ben") == ("hole", None, seconds)


async def test_the_cards_are_dealt_when_the_countdown_ends():
    driver = two_at("hole_over")
    live, ann, _ = await joined(driver)
    await live.command(ann, NextHole(id="1"))
    assert driver.table.phase == "hole_over"
    await until(lambda: driver.table.phase == "tee_off")


async def test_when_the_last_one_awaited_goes_away_the_cards_are_dealt():
    driver = two_at("hole_over", "quick")
    live, ann, ben = await joined(driver)
    await live.command(ann, NextHole(id="1"))
    live.listeners.remove(ben)
    live.count_present()
    await until(lambda: driver.table.phase == "tee_off")


# Another match


def test_another_match_begins_when_everybody_present_wants_it():
    driver = two_at("over")
    assert driver.do(Rematch, "ben")[0] == Ready(seat=1)
    assert (driver.table.phase, driver.table.match) == ("over", 1)
    assert waits(driver, "ann", "ben") == ("match", None, 60.0)
    assert isinstance(driver.do(Rematch)[0], Started)


async def test_a_computer_player_plays_for_those_who_have_not_joined_until_they_do():
    driver = two_at("over")
    live, ann, ben = await joined(driver)
    await live.command(ann, Rematch(id="1"))
    await until(lambda: driver.table.match == 2)
    assert [seat.lent for seat in driver.table.seats] == [False, True]
    await live.join(ben, 0)
    assert not driver.table.seats[1].lent


def test_who_leaves_after_the_match_ends_the_invitation_to_another():
    driver = two_at("over")
    driver.do(Rematch)
    driver.do(Leave, "ben", seat=1)
    assert ready(driver) == [False, False]
    assert refused(driver, Rematch)[0] == "seats_open"


# Someone left for good


def test_who_left_keeps_the_name_until_somebody_else_sits_down():
    driver = two_at("take")
    driver.do(Leave, "ben", seat=1)
    seat = view(driver.table).seats[1]
    assert (seat.name, seat.kind, seat.left) == ("Ben", "open", "Ben")
    assert view(again(driver)) == view(driver.table)
    driver.do(Sit, "cyd", seat=1, name="Ben")
    seat = view(driver.table).seats[1]
    assert (seat.name, seat.kind, seat.left) == ("Ben", "person", "")


def test_before_the_match_nobody_remembers_who_sat_there():
    driver = two_at("lobby")
    driver.do(Leave, "ben", seat=1)
    assert (driver.table.seats[1].name, driver.table.seats[1].left) == ("", False)


@pytest.mark.parametrize(("tempo", "seconds"), [("family", 120.0), ("quick", 20.0)])
def test_the_countdown_begins_when_somebody_leaves_whoever_is_on_turn(tempo, seconds):
    driver = two_at("take", tempo)
    mine, other = on_turn(driver)
    seat = 1 - driver.table.turn
    driver.do(Leave, other, seat=seat)
    assert waits(driver, mine) == ("left", seat, seconds)
    driver.present = {mine}
    driver.do(Lend, mine, seat=seat)
    assert waits(driver, mine) is None
    assert (driver.table.seats[seat].left, driver.table.seats[seat].lent) == (True, True)


async def test_turns_of_the_others_do_not_start_that_countdown_anew():
    driver = TableDriver(seats=[wish("me", "Ann"), wish("friend"), wish("computer", "Rob", "greedy")])
    driver.do(Sit, "ben", seat=1, name="Ben")
    driver.play_to("take")
    driver.do(Leave, "ben", seat=1)
    clock = Clock()
    live = live_of(driver, Disk(), clock)
    await live.join(Ear("ann"), 0)
    await until(lambda: driver.table.seats[1].lent)
    assert sum(seconds > 100 for seconds in clock.slept) == 1


def test_only_who_leads_the_table_lets_a_computer_play_on():
    driver = TableDriver(seats=[wish("me", "Ann"), wish("friend"), wish("friend")])
    driver.do(Sit, "ben", seat=1, name="Ben")
    driver.do(Sit, "cyd", seat=2, name="Cyd")
    driver.play_to("take")
    driver.do(Leave, "cyd", seat=2)
    assert refused(driver, Lend, "ben", seat=2)[0] == "not_owner"
    driver.do(FillSeat, seat=2, player="greedy")
    assert (driver.table.seats[2].kind, driver.table.seats[2].left) == ("computer", False)


# Who watches, and who plays alone


def watchers_told(ear):
    return [told.watchers for told in ear.heard if isinstance(told, Presence)]


async def test_a_friend_who_sits_down_no_longer_counts_as_a_spectator():
    driver = TableDriver(seats=[wish("me", "Ann"), wish("friend")])
    live, ann, ben = await joined(driver)
    await until(lambda: watchers_told(ann)[-1] == 1)
    await live.command(ben, Sit(id="1", seat=1, name="Ben"))
    await until(lambda: watchers_told(ann)[-1] == 0)


async def test_a_crowd_of_spectators_is_told_as_one_number():
    driver = TableDriver(seats=[wish("me", "Ann"), wish("friend")])
    live, ann, _ = await joined(driver)
    crowd = [Ear(f"guest {number}", watching=True) for number in range(200)]
    for one in crowd:
        await live.join(one, 0)
    assert watchers_told(ann) == [0]
    live.listeners.end_pause()
    assert watchers_told(ann) == [0, 201]
    assert sum(len(watchers_told(one)) for one in crowd) == 200


class Slow(Clock):
    """Nobody waits to the end of a pause unless it is cut short."""

    async def sleep(self, seconds):
        if seconds > 0:
            await asyncio.Event().wait()


@pytest.mark.parametrize(("others", "hurries"), [([], True), (["ben"], False)])
async def test_the_only_person_may_hurry_the_computer_players(others, hurries):
    seats = [
        wish("me", "Ann"),
        wish("friend"),
        wish("computer", "Rob", "greedy"),
        wish("computer", "Eve", "greedy"),
    ]
    driver = TableDriver(seats=seats)
    driver.do(Sit, "ben", seat=1, name="Ben")
    driver.table.options.pace = "slow"
    while driver.table.turn != 2:
        driver.go_on()
    ann = Ear("ann")
    live = live_of(driver, Disk(), Slow())
    await live.join(ann, 0)
    for guest in others:
        await live.join(Ear(guest), 0)
    heard = len(ann.heard)
    live.hurry(ann)
    for _ in range(50):
        await asyncio.sleep(0)
    moves = [told for told in ann.heard[heard:] if isinstance(told, Happened)]
    assert bool(moves) is hurries
    if hurries:
        await until(lambda: driver.table.turn not in (2, 3))
        assert not live.game_loop.is_hurried
    live.rest()


def heard_by(ear: Ear) -> list:
    """Everything that the listener has been told happened."""
    return [what for told in ear.heard if isinstance(told, Happened) for what in told.what]


async def test_a_computer_player_plays_on_for_who_left_when_the_time_is_up():
    driver = two_at("take")
    driver.do(Leave, "ben", seat=1)
    ann = Ear("ann")
    live = live_of(driver, Disk(), Clock())
    await live.join(ann, 0)
    await until(lambda: Lent(seat=1, player="pro", why="absent") in heard_by(ann))
    assert driver.table.seats[1].name == "Ben"


async def test_who_deals_before_the_draw_has_been_shown_does_not_wait_for_the_rest_of_it():
    driver = TableDriver(seats=[wish("me", "Ann"), wish("computer", "Rob", "greedy")])
    driver.play_to("draw")
    ann = Ear("ann")
    live = live_of(driver, Disk(), Slow())
    await live.join(ann, 0)
    await until(lambda: live.game_loop.pausing)
    await live.command(ann, NextHole(id="deal"))
    while driver.table.turn == 0:
        await live.command(ann, Play(id=f"{driver.table.event}", seat=0, move=driver.table.legal()[0]))
    await until(lambda: driver.table.turn == 0)
    live.rest()
