"""Who is away or slow holds up nobody: the clocks of a table, without sockets."""

import asyncio

import pytest
from tables import Evening, wish
from test_server_room import Clock, Disk, Ear, room_of, until

from mulligan.server.clocks import CLOCKS, wait_of
from mulligan.server.messages import Clock as ClockTold
from mulligan.server.messages import GaveBack, GiveBack, Lent, Play, SetOptions, Sit, TableOptions, TakeBack

TWO = [wish("me", "Ann"), wish("friend")]


def two_at(phase, tempo="family"):
    """Ann and Ben at one table, each with a device."""
    evening = Evening(seats=TWO)
    evening.do(Sit, "ben", seat=1, name="Ben")
    evening.do(SetOptions, options=TableOptions(pace="instant", tempo=tempo))
    evening.play_to(phase)
    return evening


def waits(evening, *present):
    return wait_of(evening.table, set(present), CLOCKS[evening.table.options.tempo])


def on_turn(evening):
    """The guest whose turn it is, and the other one."""
    guests = [seat.guest for seat in evening.table.seats]
    mine = guests[evening.table.turn]
    return mine, next(guest for guest in guests if guest != mine)


def test_a_family_table_waits_for_who_is_there_and_not_for_ever_for_who_is_away():
    evening = two_at("take")
    assert waits(evening, "ann", "ben") is None
    assert waits(evening, on_turn(evening)[1]) == ("absent", evening.table.turn, 120.0)


def test_a_quick_table_has_a_clock_for_every_step_and_for_the_next_hole():
    evening = two_at("take", "quick")
    assert waits(evening, "ann", "ben") == ("turn", evening.table.turn, 45.0)
    assert waits(evening, on_turn(evening)[1]) == ("absent", evening.table.turn, 20.0)
    evening.play_to("reckoning")
    assert waits(evening, "ann", "ben") == ("hole", None, 45.0)


@pytest.mark.parametrize("tempo", ["family", "quick"])
def test_no_clock_runs_while_nobody_waits(tempo):
    """Alone at the table, with a spectator, or with everybody gone: the game stays as it is."""
    evening = two_at("take", tempo)
    mine, _ = on_turn(evening)
    for present in [(), (mine,), ("a spectator",)]:
        assert waits(evening, *present) is None
    evening.play_to("reckoning")
    assert waits(evening, "ann") is None


def test_a_lent_seat_and_a_computer_player_need_no_clock():
    evening = Evening(seats=[wish("me", "Ann"), wish("computer", "Rob", "greedy")])
    evening.do(SetOptions, options=TableOptions(tempo="quick"))
    evening.play_to("take")
    assert waits(evening, "ann") is None


def test_a_computer_player_takes_over_from_who_is_away_and_hands_the_seat_back():
    async def story():
        evening = two_at("take")
        mine, other = on_turn(evening)
        seat = evening.table.turn
        ear, back = Ear(other), Ear(mine)
        room = room_of(evening, Disk(), Clock())
        await room.join(ear, 0)
        await until(lambda: evening.table.turn != seat)
        lent = [what for message in ear.heard if hasattr(message, "what") for what in message.what]
        assert lent[0] == Lent(seat=seat, player="pro", why="absent")
        assert evening.table.seats[seat].lent
        await room.join(back, 0)
        assert not evening.table.seats[seat].lent
        happened = [what for message in back.heard if hasattr(message, "what") for what in message.what]
        assert GaveBack(seat=seat) in happened
        assert any(isinstance(message, ClockTold) and message.why == "absent" for message in ear.heard)

    asyncio.run(story())


def test_who_let_the_clock_run_out_takes_the_seat_back_when_ready():
    async def story():
        evening = two_at("take", "quick")
        mine, other = on_turn(evening)
        seat = evening.table.turn
        ear, slow = Ear(other), Ear(mine)
        clock = Clock()
        room = room_of(evening, Disk(), clock)
        await room.join(ear, 0)
        clock.slept.clear()
        await room.join(slow, 0)
        await until(lambda: evening.table.seats[seat].lent)
        assert max(clock.slept) == pytest.approx(45.0, abs=1)
        assert evening.table.seats[seat].lent_why == "clock"
        await room.join(slow, 0)
        assert evening.table.seats[seat].lent, "only its person's word ends this"
        await room.command(slow, GiveBack(id="mine", seat=seat))
        assert slow.names[-1] in ("Accepted", "Clock")

    asyncio.run(story())


def test_who_comes_back_within_the_turn_that_ran_out_has_all_of_its_time_again():
    async def story():
        evening = two_at("take", "quick")
        mine, other = on_turn(evening)
        seat = evening.table.turn
        room = room_of(evening, Disk(), Clock())
        room.sleep = asyncio.sleep
        room.all_clocks = {**room.all_clocks, "quick": room.clocks._replace(turn=0.2)}
        room.think = lambda *question: asyncio.Event().wait()  # the computer player has not moved yet
        ear, slow = Ear(other), Ear(mine)
        await room.join(ear, 0)
        await room.join(slow, 0)
        await until(lambda: evening.table.seats[seat].lent)
        await room.command(slow, GiveBack(id="mine", seat=seat))
        assert clocks_of(ear)[-1].seconds == pytest.approx(0.2, abs=0.1)
        await asyncio.sleep(0.02)
        assert not evening.table.seats[seat].lent
        room.rest()

    asyncio.run(story())


def test_a_turn_has_one_time_for_all_its_steps_and_the_next_one_starts_the_clock_anew():
    async def story():
        evening = two_at("take", "quick")
        mine, other = on_turn(evening)
        room = room_of(evening, Disk(), Clock(most=1))
        room.sleep = asyncio.sleep
        ear, player = Ear(other), Ear(mine)
        await room.join(ear, 0)
        await room.join(player, 0)
        turn = evening.table.turn
        assert [(clock.why, clock.seat) for clock in clocks_of(ear)] == [("absent", turn), ("turn", turn)]
        assert 44 < clocks_of(ear)[-1].seconds <= 45
        for number in range(3):
            await room.command(player, Play(id=f"take {number}", seat=turn, move="D"))
            await room.command(player, TakeBack(id=f"back {number}", seat=turn))
        room.part(player)
        await until(lambda: mine not in room.present)
        await room.join(player, 0)
        assert room.ends_at - room.began == 45
        assert [clock.why for clock in clocks_of(ear)[2:]] == ["absent", "turn"]
        await room.command(player, Play(id="take", seat=turn, move="D"))
        await room.command(player, Play(id="place", seat=turn, move="a1"))
        assert clocks_of(ear)[-1].seat != turn
        assert len(clocks_of(ear)) == 5
        room.rest()

    asyncio.run(story())


def test_the_clock_is_told_to_who_comes_and_stops_when_nobody_waits():
    async def story():
        evening = two_at("take", "quick")
        mine, other = on_turn(evening)
        room = room_of(evening, Disk(), Clock(most=1))
        room.sleep = asyncio.sleep
        ear, player, late = Ear(other), Ear(mine), Ear("eve", watching=True)
        await room.join(ear, 0)
        await room.join(player, 0)
        await room.join(late, 0)
        assert late.heard[-1].why == "turn"
        room.part(player)
        await until(lambda: mine not in room.present)
        assert clocks_of(ear)[-1].why == "absent"
        room.part(ear)
        await until(lambda: not room.present)
        assert room.timer is None
        assert clocks_of(late)[-1] == ClockTold()
        room.rest()

    asyncio.run(story())


def clocks_of(ear):
    return [message for message in ear.heard if isinstance(message, ClockTold)]


def test_a_quick_table_deals_the_next_hole_by_itself():
    async def story():
        evening = two_at("reckoning", "quick")
        room = room_of(evening, Disk(), Clock())
        await room.join(Ear("ann"), 0)
        await room.join(Ear("ben"), 0)
        await until(lambda: evening.table.is_playing)
        assert evening.table.dealt.hole == 2
        room.rest()

    asyncio.run(story())
