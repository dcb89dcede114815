"""Another name for someone who sits there: checked as when they sat down, and history keeps the old one."""

import pytest
from tables import TableDriver, refused, wish

from mulligan.server.table import finished
from mulligan.server.table.commands import MOST_TALK
from mulligan.server.table.table import Table
from mulligan.server.wire.commands import Leave, Rename, Sit


@pytest.fixture
def driver():
    driver = TableDriver(
        "nine_card", seats=[wish("me", "Ann"), wish("friend"), wish("computer", "Rob", "random")], holes=1
    )
    driver.do(Sit, "ben", seat=1, name="Ben")
    return driver


def test_a_name_is_checked_as_when_one_sits_down(driver):
    wrong = {"ann": "name_taken", "R\u043eb": "name_taken", " .": "name_empty", "x" * 21: "name_too_long"}
    for name, error in wrong.items():
        assert refused(driver, Rename, "ben", seat=1, name=name)[0] == error
    driver.do(Rename, "ben", seat=1, name=" =BEN\u202e ")
    assert driver.table.seats[1].name == "BEN", "looks like the own one"
    assert driver.do(Rename, "ben", seat=1, name="BEN ") == []
    assert Table(driver.log).seats[1].name == "BEN"
    driver.do(Leave, "ben", seat=1)
    assert driver.do(Sit, "cyd", seat=1, name="Ben"), "it is free again"


def test_history_shows_the_name_of_its_time(driver):
    driver.play_to("over")
    driver.do(Rename, "ben", seat=1, name="Benjamin")
    driver.go_on()
    driver.play_to("over")
    first, second = (finished.read(driver.log, match) for match in (1, 2))
    assert [card.seats[1].name for card, _ in (first, second)] == ["Ben", "Benjamin"]
    assert [record["players"][1] for _, record in (first, second)] == ["Ben", "Benjamin"]


def test_names_are_no_way_to_talk_without_end(driver):
    for number in range(MOST_TALK):
        driver.do(Rename, "ben", seat=1, name=f"Ben {number}")
    assert refused(driver, Rename, "ben", seat=1, name="Ben again")[0] == "too_much_talk"
