"""Who is here, who looks at something else and who is away, and how soon the others learn it. All in virtual time."""

import json
from contextlib import suppress

import pytest
from tables import TableDriver, refused, wish
from test_server_live_table import Clock, Disk, Ear, live_of
from test_server_noninterference import Half, token

from mulligan.game import referee
from mulligan.server.rooms import turn_clock
from mulligan.server.rooms.listeners import PRESENCE_PAUSE
from mulligan.server.table.commands import happen
from mulligan.server.table.finished import MOST_FRAMES, meanwhile
from mulligan.server.table.log_entries import Done
from mulligan.server.table.seating import come_back, stand_in
from mulligan.server.table.table import Table
from mulligan.server.table.time_limits import CLOCKS, Wait
from mulligan.server.table.view import view
from mulligan.server.web.sockets import HIDDEN_TIMEOUT, VISIBLE_TIMEOUT
from mulligan.server.wire import base, commands
from mulligan.server.wire.commands import GiveBack, Lend, MoveHere, NextHole, Offer, Play, PlayOn, Sit, TakeBack
from mulligan.server.wire.events import Agreed, GaveBack, HereAgain, Lent
from mulligan.server.wire.replies import Presence
from mulligan.server.wire.view import Step

PINGING = 4.0  # seconds, as a page does


class House(Half):
    """A server with Ann and Ben at a table; Ann's page stays in front and pings."""

    def __init__(self):
        super().__init__("play_nine", 2)
        self.tabs = 0
        for guest in ("ann", "ben"):
            self.come(guest)
        self.give("ben", "Sit", seat=1, name="Ben")
        self.pass_time(2.0)

    def come(self, guest, visible=True):
        self.tabs += 1
        pipe = self.site.connect(self.ears[guest], f"/ws/t/{self.code}", token(guest), 0.01)
        self.pipes[guest] = pipe
        hello = {"client_version": base.WIRE_VERSION, "last_event": 0, "tab": f"{self.tabs}", "visible": visible}
        self.say(guest, {"is": "Hello", **hello})
        return pipe

    def wait(self, seconds, *pinging):
        """Lets time pass, in which these guests' pages ping, as all pages in front do."""
        end = self.timeline.now + seconds
        while self.timeline.now < end:
            for guest in ("ann", *pinging):
                self.say(guest, {"is": "Ping", "n": 1})
            self.pass_time(min(PINGING, end - self.timeline.now))

    def seen(self, where, within):
        """After how many seconds Ann is told that Ben is there."""
        since, known = self.timeline.now, len(self.heard)
        self.wait(within)
        for when, guest, text in self.heard[known:]:
            if guest == "ann" and isinstance(text, str):
                message = json.loads(text)
                if message["is"] == "Presence" and message["present"][1] == where:
                    return when - since
        return float("inf")


@pytest.fixture
def house():
    house = House()
    yield house
    house.site.bury()


def test_a_lost_network_is_seen_by_the_others_within_twelve_seconds(house):
    house.wait(30.0, "ben")
    house.say("ben", {"is": "Ping", "n": 1})
    assert VISIBLE_TIMEOUT <= house.seen("away", 30.0) <= VISIBLE_TIMEOUT + PRESENCE_PAUSE + 0.5 < 12.0


def test_any_message_is_a_sign_of_life(house):
    for _ in range(10):
        house.give("ben", "React", seat=1, reaction="clap")
        house.wait(VISIBLE_TIMEOUT - 1.0)
    assert "ben" in house.pipes


def test_a_hidden_page_is_seen_at_once_and_may_be_silent_for_longer(house):
    house.say("ben", {"is": "Here", "visible": False})
    assert house.seen("elsewhere", 5.0) <= PRESENCE_PAUSE + 0.5
    assert house.seen("away", HIDDEN_TIMEOUT - 10.0) == float("inf")
    assert house.seen("away", 12.0) < 12.0


def test_a_page_in_front_again_is_here_at_once_and_must_not_be_silent_any_more(house):
    house.say("ben", {"is": "Here", "visible": False})
    house.wait(30.0)
    house.say("ben", {"is": "Here", "visible": True})
    assert house.seen("here", 3.0) < 2.0
    assert house.seen("away", 12.0) < 12.0


def test_a_guest_is_here_while_one_of_several_pages_is_in_front(house):
    first = house.pipes["ben"]
    house.come("ben", visible=False)
    assert house.seen("elsewhere", 4.0) == float("inf")
    first.say(json.dumps({"is": "Here", "visible": False}))
    assert house.seen("elsewhere", 4.0) < 2.0
    house.come("ben")
    assert house.seen("here", 4.0) < 2.0


def test_a_page_that_is_closed_has_time_to_come_back(house):
    house.pipes.pop("ben").hang_up()
    assert CLOCKS["quick"].presence - 0.5 <= house.seen("away", 12.0) <= CLOCKS["quick"].presence + 2.0
    house.come("ben")
    house.pass_time(1.0)
    house.pipes.pop("ben").hang_up()
    house.wait(2.0)
    house.come("ben")
    assert house.seen("away", 9.0) == float("inf")


def test_a_spectator_may_be_silent_for_longer(house):
    pipe = house.site.connect(house.ears["eve"], f"/ws/w/{house.watch}", token("eve"), 0.01)
    house.pipes["eve"] = pipe
    house.say("eve", {"is": "Hello", "client_version": base.WIRE_VERSION})
    house.wait(HIDDEN_TIMEOUT - 5.0)
    assert "eve" in house.pipes
    house.wait(10.0)
    assert "eve" not in house.pipes


# Seats that a computer player has meanwhile, at a table without sockets


def table_of_two():
    driver = TableDriver(seats=[wish("me", "Ann"), wish("friend")])
    driver.do(Sit, "ben", seat=1, name="Ben")
    driver.play_to("take")
    return driver


async def test_a_page_in_the_background_does_not_take_a_seat_back_and_one_in_front_does():
    driver = table_of_two()
    driver.present = {"ann"}
    driver.do(Lend, "ann", seat=1)
    live = live_of(driver, Disk(), Clock(most=1))
    ann, ben = Ear("ann"), Ear("ben")
    ben.visible = False
    await live.join(ann, 0)
    await live.join(ben, 0)
    assert driver.table.seats[1].lent
    assert presence_of(ann)[-1] == ["here", "away"]  # the rest waits for the end of the pause
    assert live.listeners.view().seats[1].present == "elsewhere"
    ben.visible = True
    await live.look(ben)
    assert not driver.table.seats[1].lent
    assert GaveBack(seat=1) in [what for message in ann.heard for what in getattr(message, "what", [])]
    live.rest()


async def test_a_seat_that_its_person_lent_stays_lent_when_the_page_comes_back():
    driver = table_of_two()
    driver.do(Lend, "ben", seat=1)
    live = live_of(driver, Disk(), Clock(most=1))
    ben = Ear("ben")
    await live.join(ben, 0)
    for ben.visible in (False, True):
        await live.look(ben)
    assert driver.table.seats[1].lent
    live.rest()


def presence_of(ear):
    return [message.present for message in ear.heard if isinstance(message, Presence)]


# Playing on without someone

BEN = 1


def table_of_five(**changes):
    """Ann owns the table, and it is the turn of Ben, who looks at something else."""
    driver = TableDriver(seats=[wish("me", "Ann"), *[wish("friend")] * 4], **changes)
    for seat, guest in enumerate(("ben", "cyd", "dee", "eve"), 1):
        driver.do(Sit, guest, seat=seat, name=guest.capitalize())
    driver.present = {"ann", "ben", "cyd", "dee", "eve"}
    driver.play_to("take")
    while driver.table.turn != BEN or driver.table.phase != "take":
        driver.go_on()
    driver.elsewhere = {"ben"}
    return driver


def without_done(entries):
    return [entry for entry in entries if not isinstance(entry, Done)]


LENT = Lent(seat=BEN, player="pro", why="agreed")


def test_the_owner_alone_decides_to_play_on():
    driver = table_of_five()
    assert without_done(driver.do(PlayOn, "ann", seat=BEN)) == [Agreed(seat=BEN, by=0), LENT]
    assert driver.table.agreed == {}
    driver = table_of_five()
    driver.present.discard("ben")  # nor is there anything to wait for if he is away
    driver.elsewhere.clear()
    assert LENT in driver.do(PlayOn, "ann", seat=BEN)


def test_without_the_owner_it_takes_more_than_half_of_those_who_are_here():
    driver = table_of_five()
    assert without_done(driver.do(PlayOn, "cyd", seat=BEN)) == [Agreed(seat=BEN, by=2)]
    assert view(driver.table).agreed == {BEN: [2]}
    assert driver.do(PlayOn, "cyd", seat=BEN) == []
    assert without_done(driver.do(PlayOn, "dee", seat=BEN)) == [Agreed(seat=BEN, by=3)]  # two of four
    assert without_done(driver.do(PlayOn, "eve", seat=BEN)) == [Agreed(seat=BEN, by=4), LENT]


def test_only_those_count_who_are_here_when_it_is_decided():
    driver = table_of_five()
    driver.do(PlayOn, "cyd", seat=BEN)
    driver.elsewhere |= {"ann", "cyd"}  # her word no longer counts
    assert without_done(driver.do(PlayOn, "dee", seat=BEN)) == [Agreed(seat=BEN, by=3)]
    driver.present.discard("eve")
    assert without_done(driver.do(PlayOn, "dee", seat=BEN)) == [LENT]


def test_nobody_plays_on_without_a_person_who_is_here_and_plays():
    driver = table_of_five()
    driver.elsewhere.clear()
    driver.still = base.STILL_SECONDS - 1
    for guest in ("ann", "cyd", "ben"):
        assert refused(driver, PlayOn, guest, seat=BEN)[0] == "not_absent"
    driver.still = base.STILL_SECONDS
    assert refused(driver, PlayOn, "ann", seat=2)[0] == "not_absent"  # it is not her turn
    assert refused(driver, PlayOn, "ben", seat=BEN)[0] == "not_absent"
    assert LENT in driver.do(PlayOn, "ann", seat=BEN)
    assert refused(driver, PlayOn, "ann", seat=BEN)[0] == "seat_taken"
    assert refused(driver, PlayOn, "ann", seat=9)[0] == "no_such_seat"


def test_there_is_nothing_to_agree_on_before_and_after_a_match():
    driver = TableDriver(seats=[wish("me", "Ann"), wish("friend"), wish("computer", "Rob", "random")])
    driver.do(Sit, "ben", seat=1, name="Ben")
    driver.elsewhere = {"ben"}
    assert refused(driver, PlayOn, "ann", seat=1)[0] == "not_now"
    driver.play_to("take")
    assert refused(driver, PlayOn, "ann", seat=2)[0] == "seat_taken"
    driver.play_to("over")
    assert refused(driver, PlayOn, "ann", seat=1)[0] == "not_now"


@pytest.mark.parametrize("ends", ["plays", "takes back", "lends", "agrees and leaves", "leaves"])
def test_what_was_agreed_is_forgotten_when_it_is_about_nothing_any_more(ends):
    driver = table_of_five()
    if ends == "takes back":
        driver.do(Play, "ben", seat=BEN, move="D")
    driver.do(PlayOn, "cyd", seat=BEN)
    match ends:
        case "plays":
            driver.do(Play, "ben", seat=BEN, move="S")
        case "takes back":
            driver.do(TakeBack, "ben", seat=BEN)
        case "lends":
            driver.do(Lend, "ben", seat=BEN)
            driver.do(GiveBack, "ben", seat=BEN)
        case "agrees and leaves":
            driver.do(commands.Leave, "cyd", seat=2)
        case "leaves":
            driver.do(commands.Leave, "ben", seat=BEN)
    assert driver.table.agreed == {} == view(Table(driver.log)).agreed


def test_who_moved_to_another_device_is_the_same_person():
    driver = table_of_five()
    driver.do(PlayOn, "cyd", seat=BEN)
    driver.do(Offer, "cyd", key="0" * 32)
    driver.do(MoveHere, "fay", key="0" * 32)
    driver.present.add("fay")
    assert driver.do(PlayOn, "fay", seat=BEN) == []
    driver.elsewhere |= {"ann", "dee"}
    assert LENT in driver.do(PlayOn, "eve", seat=BEN)


async def test_who_comes_back_is_given_what_was_agreed_away_and_ends_what_is_being_agreed():
    driver = table_of_five()
    live = live_of(driver, Disk(), Clock(most=1))
    ears = {guest: Ear(guest) for guest in ("ann", "ben", "cyd", "dee", "eve")}
    ears["ben"].visible = False
    for ear in ears.values():
        await live.join(ear, 0)
    await live.command(ears["cyd"], PlayOn(id="cyd", seat=BEN))
    assert driver.table.agreed == {BEN: [2]}
    await show(live, ears["ben"])
    assert driver.table.agreed == {}
    await hide(live, ears["ben"])
    await live.command(ears["ann"], PlayOn(id="ann", seat=BEN))
    assert driver.table.seats[BEN].lent
    await show(live, ears["ben"])
    assert not driver.table.seats[BEN].lent
    told = [what for message in ears["eve"].heard for what in getattr(message, "what", [])]
    assert told == [
        Agreed(seat=BEN, by=2),
        HereAgain(seat=BEN),
        Agreed(seat=BEN, by=0),
        LENT,
        GaveBack(seat=BEN),
    ]
    live.rest()


async def test_who_is_here_all_the_time_takes_the_seat_back_by_their_own_word(monkeypatch):
    time = 1000.0
    monkeypatch.setattr(turn_clock, "now", lambda loop: time)
    driver = table_of_five()
    live = live_of(driver, Disk(), Clock(most=1))
    ann, ben = Ear("ann"), Ear("ben")
    for ear in (ann, ben):
        await live.join(ear, 0)
    time += base.STILL_SECONDS - 1
    await live.command(ann, PlayOn(id="early", seat=BEN))
    assert (ann.names[-1], driver.table.agreed) == ("Refused", {})
    time += 1
    await live.command(ann, PlayOn(id="late", seat=BEN))
    assert driver.table.seats[BEN].lent
    await live.join(ben, 0)
    await live.look(ben)
    assert driver.table.seats[BEN].lent, "a page that connects again has not been touched"
    await live.command(ben, GiveBack(id="mine", seat=BEN))
    assert not driver.table.seats[BEN].lent
    live.rest()


async def test_who_has_just_come_back_has_time_to_think(monkeypatch):
    time = 1000.0
    monkeypatch.setattr(turn_clock, "now", lambda loop: time)
    driver = table_of_five()
    live = live_of(driver, Disk(), Clock(most=1))
    ann, ben = Ear("ann"), Ear("ben")
    await live.join(ann, 0)
    time += 100_000
    await live.join(ben, 0)
    await live.command(ann, PlayOn(id="at once", seat=BEN))
    assert ann.heard[-1].error == "not_absent"
    live.rest()


async def show(live, ear):
    ear.visible = True
    await live.look(ear)


async def hide(live, ear):
    ear.visible = False
    await live.look(ear)


# What a computer player did meanwhile


def absent_for(driver, turns, ends=True):
    """Ben's seat is lent in his absence until a computer player has taken so many turns for him."""
    driver.log += happen(driver.table, stand_in(driver.table, Wait("absent", BEN, 0.0)))
    while driver.table.seats[BEN].stood_in < turns:
        driver.go_on()
    while driver.table.turn == BEN:
        driver.go_on()
    if ends:
        driver.log += happen(driver.table, come_back(driver.table, BEN, was_here=False))


def test_who_comes_back_is_told_how_many_turns_were_taken_until_their_next_move():
    driver = table_of_five()
    absent_for(driver, 2, ends=False)
    assert view(driver.table).stood_in == {}  # it goes on
    driver.log += happen(driver.table, come_back(driver.table, BEN, was_here=False))
    assert view(driver.table).stood_in == {BEN: 2} == view(Table(driver.log)).stood_in
    while driver.table.turn != BEN:
        driver.go_on()
    assert view(driver.table).stood_in == {BEN: 2}
    driver.move()
    assert view(driver.table).stood_in == {}


def test_a_turn_that_the_person_began_counts_too_and_one_that_was_asked_for_does_not():
    driver = table_of_five()
    driver.do(Play, "ben", seat=BEN, move="S")
    absent_for(driver, 1)
    assert view(driver.table).stood_in == {BEN: 1}
    driver = table_of_five()
    driver.do(Lend, "ben", seat=BEN)
    while driver.table.turn == BEN:
        driver.go_on()
    driver.do(GiveBack, "ben", seat=BEN)
    assert view(driver.table).stood_in == {}


def table_before_bens_turn():
    driver = table_of_five()
    while driver.table.turn != BEN or driver.table.phase != "take":
        driver.go_on()
    return driver


def seen_meanwhile(driver, seat=BEN):
    """The frames, which must be positions as everyone saw them when they were the latest."""
    frames = meanwhile(driver.log, driver.table.match, seat)
    table, public = Table(), []
    for entry in driver.log:
        table.apply(entry)
        with suppress(KeyError):  # between the last step and the scoring nobody is told anything
            public.append(view(table))
    assert all(frame.view in public for frame in frames)
    return frames


def steps_in(frames):
    return [event for frame in frames for event in frame.what if isinstance(event, Step)]


def steps_since(driver, number):
    return [entry for entry in driver.log[number:] if isinstance(entry, Step)]


def test_the_replay_has_what_all_did_since_the_persons_last_turn_with_those_taken_for_them():
    driver = table_before_bens_turn()
    driver.move()
    while driver.table.turn == BEN:
        driver.move()
    since = len(driver.log)
    absent_for(driver, 3)
    frames = seen_meanwhile(driver)
    assert steps_in(frames) == steps_since(driver, since)
    assert {step.seat for step in steps_in(frames)} > {BEN}
    assert (frames[0].what, frames[0].view.latest.seat) == ([], BEN), "it begins where the person has left it"
    assert frames[-1].view.seats[BEN].layout == view(driver.table).seats[BEN].layout


def test_while_the_person_moves_it_shows_what_was_before_and_then_what_comes_after():
    driver = table_before_bens_turn()
    before = steps_in(seen_meanwhile(driver))
    assert before
    assert BEN not in {step.seat for step in before}
    while driver.table.turn == BEN:
        driver.move()
        assert steps_in(seen_meanwhile(driver)) == before
    since = len(driver.log)
    driver.go_on()
    assert steps_in(seen_meanwhile(driver)) == steps_since(driver, since)


def test_a_step_that_was_taken_back_is_not_in_it():
    driver = table_before_bens_turn()
    driver.do(Play, "ben", seat=BEN, move="D")
    frames = seen_meanwhile(driver, seat=2)
    driver.do(TakeBack, "ben", seat=BEN)
    assert steps_in(seen_meanwhile(driver, seat=2)) == steps_in(frames)[:-1]


def test_it_goes_back_no_further_than_to_the_hole_before_and_has_an_end():
    driver = table_of_five()
    driver.do(Lend, "ann", seat=0)
    absent_for(driver, 1, ends=False)
    for _ in range(3):
        driver.play_to("hole_over")
        driver.all_do(NextHole)
    frames = seen_meanwhile(driver)
    assert len(frames) <= MOST_FRAMES
    assert {frame.view.hole for frame in frames} <= {3, 4}


def test_nobody_has_moved_yet():
    assert meanwhile(TableDriver().log, 1, 0) == []


def test_holes_in_which_a_computer_player_decided_are_marked():
    driver = table_of_five()
    absent_for(driver, 1)
    driver.play_to("hole_over")
    driver.go_on()
    driver.play_to("hole_over")
    assert [line.stand_ins for line in driver.table.card] == [[BEN], []]
    assert [line.stand_ins for line in Table(driver.log).card] == [[BEN], []]
    driver.go_on()
    driver.do(Lend, "cyd", seat=2)  # also what was asked for
    driver.play_to("hole_over")
    assert driver.table.card[-1].stand_ins == [2]


def test_the_record_marks_them_too_and_passes_the_referee():
    driver = table_of_five(holes=2)
    absent_for(driver, 1)
    driver.play_to("over")
    record = driver.table.record()
    assert [hole.get("stand_ins") for hole in record["holes"]][:2] == [[BEN], None]
    referee.replay(record)


def test_a_page_asks_for_what_happened_meanwhile(house):
    house.give("ann", "Start")
    house.wait(20.0, "ben")
    house.give("ann", "NextHole")
    house.give("ben", "NextHole")
    view = house.ears["ann"].view
    for _ in range(400):
        house.wait(1.0)
        view = house.ears["ann"].view
        if view["turn"] == 0:
            house.give("ann", "Play", seat=0, move=view["legal"][0])
        if view["phase"] not in ("draw", "tee_off") and view["seats"][1]["lent"] and view["turn"] == 0:
            break
    assert view["seats"][1]["lent"]
    house.come("ben")
    house.wait(2.0, "ben")
    assert house.ears["ben"].view["stood_in"]["1"] >= 1
    for seat in (1, 2):
        house.ask("GET", f"/api/tables/{house.code}/meanwhile?seat={seat}")
        house.wait(3.0)
    (_, _, _, answer, _), (_, _, _, refusal, _) = [one for one in house.heard if len(one) == 5][-2:]
    frames = json.loads(answer)
    assert json.loads(refusal)["error"] == "no_such_seat"
    assert 1 in {event.get("seat") for frame in frames for event in frame["what"]}
    assert frames[-1]["view"]["seats"][1]["layout"] == house.ears["ben"].view["seats"][1]["layout"]
