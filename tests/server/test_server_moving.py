"""Playing on from another device: a key made up on the one is shown on the other, once and in time."""

import msgspec
from tables import TableDriver, refused, wish

from mulligan.server.table.log_entries import Moved, Offered, is_public
from mulligan.server.table.table import Table
from mulligan.server.wire.commands import MoveHere, Offer, Sit

KEY, OTHER_KEY = "0123456789abcdef" * 2, "f" * 32


def table_of_two():
    driver = TableDriver(seats=[wish("me", "Ann"), wish("here", "Bea"), wish("friend")])
    driver.do(Sit, "ben", seat=2, name="Ben")
    return driver


def test_all_that_was_mine_is_mine_on_the_other_device():
    driver = table_of_two()
    driver.play_to("take")
    driver.do(Offer, key=KEY)
    driver.do(MoveHere, "ann on her phone", key=KEY)
    table = driver.table
    assert table.owner == "ann on her phone"
    assert table.held_by("ann on her phone") == [0, 1]
    assert (table.held_by("ann"), table.held_by("ben")) == ([], [2])
    assert Table(driver.log).held_by("ann on her phone") == [0, 1]
    driver.play_to("hole_over")


def test_a_key_opens_once():
    driver = table_of_two()
    driver.do(Offer, "ben", key=KEY)
    driver.do(MoveHere, "ben on his phone", key=KEY)
    assert refused(driver, MoveHere, "mallory", key=KEY)[0] == "no_such_offer"
    assert driver.table.held_by("ben on his phone") == [2]


def test_a_later_key_voids_the_earlier_one():
    driver = table_of_two()
    driver.do(Offer, "ben", key=KEY)
    driver.do(Offer, "ben", key=OTHER_KEY)
    assert refused(driver, MoveHere, "mallory", key=KEY)[0] == "no_such_offer"
    driver.do(MoveHere, "ben on his phone", key=OTHER_KEY)


def test_a_key_that_another_made_up_too_is_nobody_elses():
    driver = table_of_two()
    driver.do(Offer, "ben", key=KEY)
    assert refused(driver, Offer, "ann", key=KEY)[0] == "no_such_offer"
    driver.do(MoveHere, "ben on his phone", key=KEY)
    assert driver.table.held_by("ann") == [0, 1]


def test_a_key_is_good_for_an_hour():
    driver = table_of_two()
    driver.do(Offer, "ben", key=KEY)
    driver.now += 3600
    assert refused(driver, MoveHere, "ben on his phone", key=KEY)[0] == "no_such_offer"


def test_who_has_nothing_here_has_nothing_to_move_and_no_key_is_guessed():
    driver = table_of_two()
    assert refused(driver, Offer, "mallory", key=KEY)[0] == "not_seated"
    assert refused(driver, Offer, key="too short")[0] == "no_such_offer"
    driver.do(Offer, "ben", key=KEY)
    for key in ("", "0" * 32, KEY.upper(), KEY + "0", "\ud800" * 32):
        assert refused(driver, MoveHere, "mallory", key=key)[0] == "no_such_offer"


def test_the_log_keeps_the_key_as_a_hash_and_tells_nobody_of_it():
    driver = table_of_two()
    driver.do(Offer, "ben", key=KEY)
    driver.do(MoveHere, "ben on his phone", key=KEY)
    assert KEY.encode() not in b"".join(msgspec.json.encode(entry) for entry in driver.log)
    assert not [entry for entry in driver.log if isinstance(entry, Offered | Moved) and is_public(entry)]
