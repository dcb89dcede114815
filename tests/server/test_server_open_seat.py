"""A friend who comes late takes a computer player's seat, and the seat of someone who is gone."""

from tables import TableDriver, refused, wish

from mulligan.server.table.table import Table
from mulligan.server.table.time_limits import CLOCKS, wait_of
from mulligan.server.wire.base import AWAY_SECONDS
from mulligan.server.wire.commands import GiveUp, Leave, OpenSeat, Rematch, Sit, Start


def with_a_computer():
    driver = TableDriver(seats=[wish("me", "Ann"), wish("friend"), wish("computer", "Rob", "random")])
    driver.do(Sit, "ben", seat=1, name="Ben")
    return driver


def test_a_friend_takes_a_computer_s_cards_in_mid_match():
    driver = with_a_computer()
    driver.play_to("take")
    before = [list(seat) for seat in driver.table.playing.sight.layouts]
    driver.do(OpenSeat, seat=2)
    seat = driver.table.seats[2]
    assert (seat.kind, seat.name, seat.left) == ("open", "Rob", True)
    wait = wait_of(driver.table, driver.present, CLOCKS["family"])
    assert (wait.why, wait.seat) == ("left", 2), "nobody comes, and a computer player goes on"
    driver.do(Sit, "cyd", seat=-1, name="Cyd")
    assert [list(seat) for seat in driver.table.playing.sight.layouts] == before
    while driver.table.turn != 2:
        driver.move()
    assert driver.move(), "Cyd plays"


def test_a_person_s_seat_is_opened_between_matches_once_they_have_been_away_for_long():
    driver = with_a_computer()
    assert refused(driver, OpenSeat, seat=1) == ("not_long_absent", {"minutes": 10})
    driver.present.discard("ben")
    driver.left["ben"] = AWAY_SECONDS - 1.0
    assert refused(driver, OpenSeat, seat=1)[0] == "not_long_absent"
    driver.left["ben"] = float(AWAY_SECONDS)
    driver.do(Start)
    assert refused(driver, OpenSeat, seat=1)[0] == "not_now"
    driver.do(GiveUp)
    driver.do(OpenSeat, seat=1)
    assert Table(driver.log).seats[1].left, "after a restart too"
    assert refused(driver, OpenSeat, seat=1)[0] == "seat_taken"
    assert refused(driver, Rematch)[0] == "seats_open"
    driver.do(Sit, "ben", seat=1, name="Ben")  # was not shown the door


def test_nobody_opens_the_host_s_own_seat():
    driver = with_a_computer()
    driver.left["ann"] = 99_999.0
    assert refused(driver, OpenSeat, seat=0)[0] == "not_long_absent"
    driver.do(Leave, seat=0)
    assert driver.do(Sit, seat=0, name="Ann")
