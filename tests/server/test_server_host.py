"""A host who is gone: others take over, but not from one who will be back in a moment."""

from contextlib import closing

from tables import TableDriver, refused, wish
from test_server_live_table import Clock, Disk, Ear, live_of

from mulligan.server.store.sqlite import SqliteStore
from mulligan.server.table.log_entries import encode
from mulligan.server.table.table import Table
from mulligan.server.table.view import view
from mulligan.server.wire.base import AWAY_SECONDS, LONG_AWAY_SECONDS
from mulligan.server.wire.commands import (
    GiveBack,
    GiveUp,
    HandOver,
    Leave,
    NewLink,
    Rematch,
    Remove,
    Sit,
    Start,
    TakeOver,
)


def three(**given):
    """Ann owns the table, where Ben and Cyd sit as well."""
    driver = TableDriver(seats=[wish("me", "Ann"), wish("friend"), wish("friend")], **given)
    driver.do(Sit, "ben", seat=1, name="Ben")
    driver.do(Sit, "cyd", seat=2, name="Cyd")
    return driver


def test_the_host_hands_the_table_over():
    driver = three()
    driver.do(HandOver, seat=1)
    assert [seat.owner for seat in view(driver.table).seats] == [False, True, False]
    assert refused(driver, NewLink)[0] == "not_owner"
    assert driver.do(NewLink, "ben")
    assert Table(driver.log).owner == "ben", "after a restart too"


def test_only_a_person_becomes_host():
    driver = TableDriver(seats=[wish("me", "Ann"), wish("friend"), wish("computer", "Rob", "random")])
    for seat in (1, 2):
        assert refused(driver, HandOver, seat=seat)[0] == "not_seated"
    assert driver.do(HandOver, seat=0) == []


def test_how_long_a_host_has_to_be_away():
    driver = three()
    assert refused(driver, TakeOver, "ben") == ("host_not_gone", {"minutes": 10, "hours": 24})
    driver.present.discard("ann")
    for phase, seconds in (("lobby", AWAY_SECONDS), ("take", LONG_AWAY_SECONDS), ("hole_over", LONG_AWAY_SECONDS)):
        driver.play_to(phase)
        driver.left["ann"] = seconds - 1.0
        assert refused(driver, TakeOver, "ben")[0] == "host_not_gone", phase
        driver.left["ann"] = float(seconds)
        assert refused(driver, TakeOver, "eve")[0] == "not_seated", phase
        copy = Table(driver.log)
        assert driver.do(TakeOver, "ben"), phase
        assert driver.table.owner == "ben"
        driver.log = driver.log[: copy.event]
        driver.table = copy
    driver.do(GiveUp, "ben")
    driver.left["ann"] = AWAY_SECONDS
    driver.do(TakeOver, "ben")
    assert driver.do(TakeOver, "ben") == [], "they are already"


def test_a_host_without_a_seat_is_missed_for_ten_minutes():
    driver = three()
    driver.do(Start)
    driver.do(Leave, seat=0)
    assert refused(driver, TakeOver, "ben")[0] == "host_not_gone"  # still looking on
    driver.present.discard("ann")
    driver.left["ann"] = AWAY_SECONDS - 1.0
    assert refused(driver, TakeOver, "ben")[0] == "host_not_gone"  # perhaps their page only sleeps
    driver.left["ann"] = AWAY_SECONDS
    driver.do(TakeOver, "ben")
    for command in (Remove, GiveBack):
        assert refused(driver, command, "ann", seat=2)[0] == "not_owner"
    assert driver.do(Remove, "ben", seat=2)


def test_who_was_absent_from_the_start_wins_nothing():
    driver = three(seed=4)
    driver.do(Start)
    driver.do(GiveUp)
    driver.present.discard("ann")
    driver.all_do(Rematch)
    assert [seat.substitute for seat in view(driver.table).seats] == [True, False, False]
    finished = Table(driver.log)
    for seed in range(20):  # until the computer player wins
        driver.dice.seed(seed)
        driver.play_to("over")
        if driver.table.winners == [0]:
            break
        driver.log, driver.table = driver.log[: finished.event], Table(driver.log[: finished.event])
    assert driver.table.winners == [0]
    assert [seat.wins for seat in driver.table.seats] == [0, 0, 0]
    driver.do(GiveBack, seat=0)
    assert not driver.table.seats[0].substitute


async def test_everyone_is_told_who_is_the_host_and_for_how_long_the_host_is_gone():
    driver = three()
    clock = Clock(most=1)
    live = live_of(driver, Disk(), clock)
    ann, ben, cyd = Ear("ann"), Ear("ben"), Ear("cyd")
    for ear in (ann, ben, cyd):
        await live.join(ear, 0)
    assert (ann.heard[0].owner, ben.heard[0].owner, cyd.heard[0].host_away) == (True, False, 0.0)
    await live.command(ann, HandOver(id="x1", seat=1))
    welcomes = [[one for one in ear.heard if hasattr(one, "owner")][-1] for ear in (ann, ben)]
    assert [one.owner for one in welcomes] == [False, True]
    live.listeners.remove(ben)
    live.count_present()
    await live.join_again(cyd, 0)
    assert cyd.heard[-1].host_away > 0
    live.listeners.left["ben"] = live.listeners.loop.time() - AWAY_SECONDS
    await live.command(cyd, TakeOver(id="x2"))
    assert driver.table.owner == "cyd"
    live.rest()


async def test_a_host_counts_as_away_since_before_the_table_was_loaded():
    driver = three()
    live = live_of(driver, Disk(), Clock(most=1), host_left=3600.0 * 30)
    ben = Ear("ben")
    await live.join(ben, 0)
    assert ben.heard[0].host_away >= 3600 * 30
    await live.command(ben, TakeOver(id="x1"))
    assert driver.table.owner == "ben"
    live.rest()


def test_the_hours_without_the_host_are_hours_of_running_time(tmp_path):
    driver = three()
    with closing(SqliteStore(tmp_path)) as store:
        code = driver.table.code
        store.open_table(code, driver.table.watch, "play_nine", 0.0, [encode(driver.log[0])]).result(10)
        for _ in range(30):
            store.count_hour(0.0).result(10)
        store.touch(code).result(10)
        assert store.hours_without_host(code) == 28  # at least: the first and the last may have been moments
        store.touch(code, True).result(10)
        assert store.hours_without_host(code) == 0
        assert store.hours_without_host("nothing") == 0
