"""Who is who at a table: what clients mute by, which no name and no other device changes, and which tells nothing."""

import msgspec
import pytest
from tables import GUESTS, TableDriver, wish

from mulligan.server.table.erasing import erased
from mulligan.server.table.log_entries import encode
from mulligan.server.table.table import Table
from mulligan.server.table.view import view
from mulligan.server.wire.commands import FillSeat, HandOver, Leave, MoveHere, Offer, Sit

KEY = "0123456789abcdef" * 2


def seated(code="BCDFGHJKL"):
    driver = TableDriver(seats=[wish("me", "Ann"), wish("friend"), wish("friend")])
    driver.log[0] = msgspec.structs.replace(driver.log[0], table=code)
    driver.table = Table(driver.log)
    driver.do(Sit, "ben", seat=1, name="Ben")
    return driver


def whos(driver):
    assert view(Table(driver.log)) == view(driver.table), "after a restart too"
    return [seat.who for seat in view(driver.table).seats]


def test_a_guest_stays_who_they_are_under_another_name_at_another_seat_and_on_another_device():
    driver = seated()
    ann, ben, nobody = whos(driver)
    assert nobody == ""
    assert len({ann, ben}) == 2
    driver.do(Leave, "ben", seat=1)
    driver.do(Sit, "cyd", seat=1, name="Ben")
    driver.do(Sit, "ben", seat=2, name="Ben.Ben")
    assert whos(driver)[2] == ben != whos(driver)[1]
    driver.do(Offer, "ben", key=KEY)
    driver.do(MoveHere, "dee", key=KEY)
    assert whos(driver)[2] == ben
    driver.do(HandOver, seat=2)
    assert whos(driver)[::2] == [ann, ben]


def test_who_moves_to_a_guest_that_is_there_already_does_not_change_them():
    driver = seated()
    ann, ben, _ = whos(driver)
    driver.do(Offer, "ann", key=KEY)
    driver.do(MoveHere, "ben", key=KEY)
    assert whos(driver)[:2] == [ben, ben] != [ann, ann]


def test_it_is_another_at_another_table_and_computer_players_have_none():
    driver, other = seated(), seated("ZZZZZZZZZ")
    assert not set(whos(driver)) & set(whos(other)) - {""}
    driver.do(FillSeat, seat=2, player="random")
    assert whos(driver)[2] == ""


@pytest.mark.parametrize("guest", ["ann", "ben"])
def test_the_others_stay_who_they_are_when_somebody_is_deleted(guest):
    driver = seated()
    driver.do(Sit, "cyd", seat=2, name="Cyd")
    before = whos(driver)
    driver.log, nobody = list(erased(driver.log, guest, "n1")), list(erased(driver.log, guest, "n2"))
    driver.table = Table(driver.log)
    gone = ["ann", "ben"].index(guest)
    after = whos(driver)
    assert after[gone] != before[gone]
    assert after[:gone] + after[gone + 1 :] == before[:gone] + before[gone + 1 :]
    driver.log = list(erased(driver.log, "cyd", "n3"))
    driver.table = Table(driver.log)
    assert whos(driver)[:2] == after[:2]  # also when another one is
    assert view(Table(nobody)).seats[gone].who not in (before[gone], after[gone])


def test_it_does_not_tell_the_guest():
    shown = msgspec.json.encode(view(seated().table)).decode()
    assert not [guest for guest in GUESTS if f'"{guest}"' in shown]
    assert b'"ann"' in encode(seated().log[0])  # as they are known to the log
