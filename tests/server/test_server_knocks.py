"""Someone at the door of a full table: asks, is let in or not, and is no burden to those who play."""

import pytest
from tables import TableDriver, refused, wish
from test_server_live_table import Clock, Disk, Ear, live_of

from mulligan.server.rooms import knocks
from mulligan.server.table.rights import Caller
from mulligan.server.wire.base import AWAY_SECONDS
from mulligan.server.wire.commands import AnswerKnock, FillSeat, HandOver, Knock, Leave, Lend, Play, Remove, Sit
from mulligan.server.wire.replies import AtDoor, Refused, Welcome, YourKnock


def full():
    """Ann owns the table, where Ben and a computer player sit as well."""
    driver = TableDriver(seats=[wish("me", "Ann"), wish("friend"), wish("computer", "Rob", "random")])
    driver.do(Sit, "ben", seat=1, name="Ben")
    return driver


async def door(driver, *guests):
    live, ears = live_of(driver, Disk(), Clock(most=1)), [Ear(guest) for guest in guests]
    for ear in ears:
        await live.join(ear, 0)
    return live, *ears


def at_door(ear):
    """Who knocks, as it was last told; None if nothing was."""
    told = [message for message in ear.heard if isinstance(message, AtDoor)]
    return [one.name for one in told[-1].knocks] if told else None


def answers(ear):
    """What became of what they asked; that they wait is no answer."""
    told = [message for message in ear.heard if isinstance(message, YourKnock | Refused)]
    return [one for one in told if getattr(one, "state", "") != "waiting"]


async def test_yes_seats_the_one_who_knocked_in_mid_match():
    driver = full()
    driver.play_to("take")
    before = [list(seat) for seat in driver.table.playing.sight.layouts]
    live, ann, ben, eve, dee = await door(driver, "ann", "ben", "eve", "dee")
    event = driver.table.event
    await live.command(eve, Knock(id="k", name=" Eve\u202e"))
    assert driver.table.event == event, "nothing is in the log"
    assert [at_door(ear) for ear in (ann, ben, eve, dee)] == [["Eve"], None, None, None]
    await live.command(ann, AnswerKnock(id="y", knock=1, yes=True))
    seat = driver.table.seats[2]
    assert (seat.kind, seat.name, seat.guest) == ("person", "Eve", "eve")
    assert [message for message in eve.heard if isinstance(message, Welcome)][-1].you == [2]
    assert [list(seat) for seat in driver.table.playing.sight.layouts] == before
    assert (at_door(ann), answers(eve)) == ([], [])
    live.rest()


async def test_no_is_told_to_the_one_who_knocked():
    live, ann, eve = await door(full(), "ann", "eve")
    await live.command(eve, Knock(id="k", name="Eve"))
    await live.command(ann, AnswerKnock(id="n", knock=1, yes=False))
    assert [one.state for one in answers(eve)] == ["no"]
    assert at_door(ann) == []
    await live.command(ann, AnswerKnock(id="again", knock=1, yes=True))
    assert answers(ann)[-1].error == "no_such_knock"
    live.rest()


async def test_while_the_host_is_away_the_players_are_told_and_may_answer():
    driver = full()
    live, ann, ben, eve = await door(driver, "ann", "ben", "eve")
    await live.command(eve, Knock(id="k", name="Eve"))
    await live.command(ben, AnswerKnock(id="b", knock=1, yes=True))
    assert answers(ben)[-1].error == "not_owner"
    live.part(ann)
    live.count_present()
    assert at_door(ben) == ["Eve"]
    late = Ear("ann")
    await live.join(late, 0)
    assert (at_door(ben), at_door(late)) == ([], ["Eve"])
    await live.command(late, HandOver(id="h", seat=1))
    assert (at_door(ben), at_door(late)) == (["Eve"], [])
    await live.command(ben, AnswerKnock(id="b2", knock=1, yes=True))
    assert driver.table.seats[2].guest == "eve"
    live.rest()


async def test_it_ends_with_the_socket_with_a_seat_and_with_time():
    driver = full()
    live, ann, eve = await door(driver, "ann", "eve")
    await live.command(eve, Knock(id="k1", name="Eve"))
    live.part(eve)
    assert at_door(ann) == []
    await live.join(eve, 0)
    await live.command(eve, Knock(id="k2", name="Eve"))
    assert at_door(ann) == ["Eve"]
    await live.command(ann, Remove(id="r", seat=2))  # the seat is open now, for anyone
    await live.command(eve, Sit(id="s", seat=-1, name="Eve"))
    assert (at_door(ann), answers(eve)) == ([], [])
    await live.knocks.add(Ear("dee"), Caller("dee", "Dee"))
    live.knocks.end(live.knocks.number, "unanswered")
    assert at_door(ann) == []
    live.rest()


async def test_few_knock_at_one_time_and_nobody_again_and_again():
    live, ann, *others = await door(full(), "ann", *(f"guest {number}" for number in range(knocks.MOST + 1)))
    for number, ear in enumerate(others):
        await live.command(ear, Knock(id="k", name=f"Guest {number}"))
    assert len(at_door(ann)) == knocks.MOST
    assert answers(others[-1])[-1].error == "knocked_enough"
    for number in range(knocks.MOST_TIMES - 1):
        await live.command(others[0], Knock(id=f"again {number}", name="Zoe"))
        assert at_door(ann).count("Zoe") == 1
        assert len(at_door(ann)) == knocks.MOST
    await live.command(others[0], Knock(id="too often", name="Zoe"))
    assert answers(others[0])[-1].error == "knocked_enough"
    live.rest()


@pytest.mark.parametrize(("name", "error"), [("ben", "name_taken"), ("", "name_empty"), ("x" * 21, "name_too_long")])
def test_a_name_is_checked_at_the_door(name, error):
    assert refused(full(), Knock, "eve", name=name)[0] == error


def test_who_was_removed_does_not_knock_and_who_can_sit_need_not():
    driver = full()
    driver.do(Remove, seat=1)
    assert refused(driver, Knock, "eve", name="Eve")[0] == "not_now"
    driver.do(Sit, "cyd", seat=1, name="Cyd")
    assert refused(driver, Knock, "ben", name="Ben")[0] == "removed"


def test_a_table_without_a_computer_player_has_no_room():
    driver = TableDriver(seats=[wish("me", "Ann"), wish("here", "Bea")])
    driver.knocks[1] = Caller("eve", "Eve")
    assert refused(driver, AnswerKnock, knock=1, yes=True)[0] == "table_full"


def test_two_of_one_name_are_told_apart():
    driver = TableDriver(seats=[wish("me", "Ann"), *[wish("computer", f"Bot{letter}", "random") for letter in "XY"]])
    driver.knocks |= {1: Caller("eve", "Eve"), 2: Caller("dee", "Eve")}
    for knock in (1, 2):
        driver.do(AnswerKnock, knock=knock, yes=True)
    assert [seat.name for seat in driver.table.seats] == ["Ann", "Eve", "Eve 2"]


# "That is my seat": someone who lost their cookie


def friends(*names, away=()):
    """Ann owns a table with these others, in mid-match; some are away for a minute."""
    driver = TableDriver(seats=[wish("me", "Ann"), *[wish("friend") for _ in names]])
    for seat, name in enumerate(names, 1):
        driver.do(Sit, name, seat=seat, name=name.capitalize())
    driver.play_to("take")
    driver.present -= set(away)
    driver.left |= dict.fromkeys(away, 60.0)
    return driver


def claim(driver, seat, guest="eve"):
    """Someone says that this seat is theirs."""
    driver.do(Knock, guest, seat=seat)
    driver.knocks[1] = Caller(guest, driver.table.seats[seat].name, person=driver.table.seats[seat].guest)


def guests(driver):
    return [seat.guest for seat in driver.table.seats]


async def test_the_host_gives_an_absent_players_seat_to_their_new_device_which_plays_on():
    driver = friends("ben", "cyd")
    while driver.table.turn != 1:
        driver.move()
    live, ann, cyd, ben = await door(driver, "ann", "cyd", "ben")
    live.part(ben, is_silent=True)
    await live.command(ann, Lend(id="l", seat=1))
    eve, event = Ear("eve"), driver.table.event
    await live.join(eve, 0)
    await live.command(eve, Knock(id="k", seat=1))
    assert driver.table.event == event, "nothing is in the log"
    told = [message for message in ann.heard if isinstance(message, AtDoor)][-1].knocks
    assert [(one.name, one.seat, one.yes) for one in told] == [("Ben", 1, [])]
    assert at_door(cyd) is None
    await live.command(cyd, AnswerKnock(id="y", knock=1, yes=True))
    assert answers(cyd)[-1].error == "not_owner"
    await live.command(ann, AnswerKnock(id="y", knock=1, yes=True))
    assert guests(driver) == ["ann", "eve", "cyd"]
    assert not driver.table.seats[1].lent
    assert (at_door(ann), answers(eve)) == ([], [])
    await live.command(eve, Play(id="p", seat=1, move="S"))
    assert driver.table.seats[1].name == "Ben"
    assert driver.table.phase == "place"
    await live.join(ben, 0)
    assert [(one.you, one.moved) for one in ben.heard if isinstance(one, Welcome)][-1] == ([], True)
    assert not [one for one in cyd.heard if isinstance(one, Welcome) and one.moved]
    live.rest()


async def test_more_than_half_of_the_others_here_give_the_lost_hosts_seat_with_its_rights():
    driver = friends("ben", "cyd", "dee", "fay")
    live, ben, cyd, dee, eve = await door(driver, "ben", "cyd", "dee", "eve")
    fay = Ear("fay", visible=False)
    await live.join(fay, 0)
    await live.command(eve, Knock(id="k", seat=0))
    for ear, yes in ((ben, True), (cyd, False), (ben, True)):  # the same one twice counts once
        await live.command(ear, AnswerKnock(id=f"{len(ear.heard)}", knock=1, yes=yes))
        assert (driver.table.owner, guests(driver)[0]) == ("ann", "ann")
    told = [message for message in dee.heard if isinstance(message, AtDoor)][-1].knocks
    assert [(one.name, one.yes) for one in told] == [("Ann", [1])]
    await live.command(dee, AnswerKnock(id="y", knock=1, yes=True))
    assert (driver.table.owner, guests(driver)[0]) == ("eve", "eve")
    assert [message for message in eve.heard if isinstance(message, Welcome)][-1].owner
    live.rest()


async def test_half_of_the_others_keep_it_from_happening_and_the_last_word_of_each_counts():
    driver = friends("ben", "cyd", "dee", "fay")
    live, ben, cyd, dee, _fay, eve = await door(driver, "ben", "cyd", "dee", "fay", "eve")
    await live.command(eve, Knock(id="k", seat=0))
    for ear, yes in ((ben, True), (cyd, True), (ben, False)):
        await live.command(ear, AnswerKnock(id=f"{len(ear.heard)}", knock=1, yes=yes))
    assert (guests(driver)[0], answers(eve)) == ("ann", [])
    await live.command(dee, AnswerKnock(id="n", knock=1, yes=False))
    assert (guests(driver)[0], [one.state for one in answers(eve)]) == ("ann", ["no"])
    live.rest()


async def test_who_holds_the_seat_says_no_by_being_there():
    driver = friends("ben", "cyd")
    live, ann, _ben, eve = await door(driver, "ann", "ben", "eve")
    await live.command(eve, Knock(id="k", seat=1))
    assert answers(eve)[-1].error == "seat_taken"
    await live.command(eve, Knock(id="k2", seat=2))
    assert at_door(ann) == ["Cyd"]
    hidden = Ear("cyd", visible=False)
    await live.join(hidden, 0)
    assert (at_door(ann), [one.state for one in answers(eve)[1:]]) == ([], ["no"])
    live.rest()


def test_one_player_alone_gives_no_seat_away_before_its_person_is_long_away():
    driver = friends("ben", away=["ann"])
    assert refused(driver, Knock, "eve", seat=0) == ("claim_too_early", {"minutes": AWAY_SECONDS // 60})
    driver.knocks[1] = Caller("eve", "Ann", person="ann")
    assert refused(driver, AnswerKnock, "ben", knock=1, yes=True)[0] == "claim_too_early"
    assert guests(driver) == ["ann", "ben"]
    driver.left["ann"] = AWAY_SECONDS
    claim(driver, 0)
    driver.do(AnswerKnock, "ben", knock=1, yes=True)
    assert (driver.table.owner, guests(driver)) == ("eve", ["eve", "ben"])


def test_only_a_persons_seat_is_claimed_and_only_by_someone_without_one():
    driver = friends("ben", "cyd", "dee", away=["dee"])
    driver.do(Leave, "cyd", seat=2)
    assert refused(driver, Knock, "eve", seat=2)[0] == "not_now"
    driver.do(FillSeat, seat=2, player="random")
    assert refused(driver, Knock, "eve", seat=2)[0] == "not_now"
    assert refused(driver, Knock, "ben", seat=3)[0] == "not_now"
    driver.do(Remove, seat=1)
    assert refused(driver, Knock, "ben", seat=3)[0] == "removed"
    claim(driver, 3)  # with an open seat as well


def test_a_seat_that_changed_hands_meanwhile_is_not_given_away():
    driver = friends("ben", "cyd", away=["cyd"])
    claim(driver, 2)
    driver.do(Remove, seat=2)
    driver.do(Sit, "dee", seat=2, name="Dee")
    assert refused(driver, AnswerKnock, knock=1, yes=True)[0] == "no_such_knock"
    driver.present.add("cyd")
    driver = friends("ben", "cyd", away=["cyd"])
    claim(driver, 2)
    driver.present.add("cyd")
    assert refused(driver, AnswerKnock, knock=1, yes=True)[0] == "seat_taken"


def test_two_people_of_one_device_move_together_and_are_not_counted_twice():
    driver = TableDriver(seats=[wish("me", "Ann"), wish("friend"), wish("friend"), wish("friend"), wish("friend")])
    for seat, guest in ((1, "ben"), (2, "ben"), (3, "cyd"), (4, "cyd")):
        driver.do(Sit, guest, seat=seat, name=f"{guest} {seat}")
    driver.present.discard("ann")
    claim(driver, 0)
    assert driver.do(AnswerKnock, "ben", knock=1, yes=True) == [], "one of two, with two seats"
    driver.present |= {"ann"}
    driver.present -= {"ben"}
    claim(driver, 2)
    driver.do(AnswerKnock, knock=1, yes=True)
    assert guests(driver) == ["ann", "eve", "eve", "cyd", "cyd"]
