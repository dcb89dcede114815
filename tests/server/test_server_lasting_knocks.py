"""Someone knocks at a table by turns, where the host is seldom there: it lasts, and both are told of it elsewhere."""

import asyncio

import pytest
from served import COMPUTER, ME, Browser, run_sql, served
from test_server_by_turns import serving, two_at_a_table
from test_server_live_table import Ear
from test_server_postman import ANN, BEN, CODE, House

from mulligan.server.rooms import knocks
from mulligan.server.rooms.days import see_to_knocks
from mulligan.server.services.letters import words
from mulligan.server.store.knocks import KNOCK_HOURS, NotedKnock
from mulligan.server.store.knocks import knocks as knocks_work
from mulligan.server.store.ways import lets_in, tells_host
from mulligan.server.wire.commands import AnswerKnock, HandOver, Knock, Leave, OpenSeat, SetOptions, Sit
from mulligan.server.wire.replies import AtDoor, Refused, YourKnock
from mulligan.server.wire.tables import TableOptions

ROWS = "SELECT guest, refused FROM knocks ORDER BY guest"
MESSAGES = "SELECT way, about, kind, sent FROM outbox WHERE about = 'door' ORDER BY way"
EVE, DEE = (Knock, {"name": "Eve"}), (Knock, {"name": "Dee"})


def last(ear, kind):
    return next((message for message in ear.heard[::-1] if isinstance(message, kind)), None)


def at_door(ear):
    told = last(ear, AtDoor)
    return [(one.name, one.seat) for one in told.knocks] if told else None


def state_of(ear):
    told = last(ear, YourKnock)
    return told and told.state


def error_of(ear):
    told = last(ear, Refused)
    return told and told.error


async def number_of(server, guest="eve"):
    return (await server.rows(f"SELECT number FROM knocks WHERE guest = '{guest}'"))[0][0]


async def answer(server, yes, guest="eve", host="ann"):
    return await server.visit(host, (AnswerKnock, {"knock": await number_of(server, guest), "yes": yes}))


async def pass_hours(server, hours):
    for _ in range(hours):
        await asyncio.wrap_future(server.store.count_hour(0.0))
    await see_to_knocks(server.registry)


async def test_it_waits_through_a_restart_until_the_host_says_yes_and_nobody_need_be_there(tmp_path):
    async with two_at_a_table(tmp_path) as server:
        code, table = server.code, (await server.live()).table
        event = table.event
        ear = await server.visit("eve", EVE)
        assert (state_of(ear), error_of(ear)) == ("waiting", None)
        assert (table.event, await server.rows(ROWS)) == (event, [("eve", 0)]), "in the database, and not in the log"
    async with serving(tmp_path) as server:
        server.code, server.commands = code, 100
        await server.add_way("eve")
        assert state_of(await server.visit("eve")) == "waiting"
        assert at_door(await server.visit("ben")) is None
        assert at_door(await server.visit("ann")) == [("Eve", None)]
        assert error_of(await answer(server, yes=True, host="ben")) == "not_owner"
        assert at_door(await answer(server, yes=True)) == []
        await server.settle()
        seat = (await server.live()).table.seats[1]
        assert (seat.kind, seat.name, seat.guest) == ("person", "Eve", "eve")
        assert await server.rows(ROWS) == []
        assert await server.rows(MESSAGES) == [("https://eve", "door", "let_in", 0)]
        await server.visit("eve")
        await server.settle()
        assert await server.rows(MESSAGES) == []


async def test_who_was_refused_sees_it_later_and_does_not_ask_again_for_days(tmp_path):
    async with two_at_a_table(tmp_path) as server:
        await server.visit("eve", EVE)
        await answer(server, yes=False)
        assert state_of(await server.visit("eve")) == "no"
        code = server.code
    async with serving(tmp_path) as server:
        server.code, server.commands = code, 100
        ear = await server.visit("eve", EVE)
        assert (state_of(ear), error_of(ear)) == ("no", "knocked_enough")
        await pass_hours(server, KNOCK_HOURS)
        assert error_of(await server.visit("eve", EVE)) == "knocked_enough"
        await pass_hours(server, 1)
        ear = await server.visit("eve", EVE)
        assert (state_of(ear), error_of(ear)) == ("waiting", None)


async def test_nobody_has_answered_after_three_days_in_which_the_server_ran(tmp_path):
    async with two_at_a_table(tmp_path) as server:
        live, ear = await server.live(), await server.visit("eve", EVE)
        await live.join(ear, 0)
        await pass_hours(server, KNOCK_HOURS)
        assert state_of(ear) == "waiting"
        await pass_hours(server, 1)
        assert (state_of(ear), await server.rows(ROWS)) == ("unanswered", [])
        assert at_door(await server.visit("ann")) is None


async def test_who_knocks_takes_it_back_and_nobody_else_does(tmp_path):
    async with two_at_a_table(tmp_path) as server:
        await server.add_way("ann")
        await server.visit("eve", EVE)
        no = (AnswerKnock, {"knock": await number_of(server), "yes": False})
        assert error_of(await server.visit("dee", no)) == "not_owner"
        yes = (AnswerKnock, no[1] | {"yes": True})
        assert error_of(await server.visit("eve", yes)) == "not_owner"
        assert error_of(await server.visit("eve", no)) is None
        assert await server.rows(ROWS) == []
        assert at_door(await server.visit("ann")) is None
        ear = await server.visit("eve", EVE, EVE)  # and may ask again, as often as anywhere
        assert (error_of(ear), len(await server.rows(ROWS))) == (None, 1)
        assert error_of(await server.visit("eve", EVE)) == "knocked_enough"


async def test_the_host_is_told_once_until_they_come_beside_their_turn(tmp_path):
    async with two_at_a_table(tmp_path) as server:
        live = await server.live()
        while live.table.seats[live.table.turn].guest != "ben":
            await server.turn()
        for guest in ("ann", "ben", "eve"):
            await server.add_way(guest)
        await server.visit("eve", EVE)
        assert await server.rows(MESSAGES) == [("https://ann", "door", "knock", 0)]
        await server.send_all()
        await server.visit("dee", DEE)
        assert await server.rows(MESSAGES) == [("https://ann", "door", "knock", 1)]
        await server.turn()
        while live.table.seats[live.table.turn].guest != "ann":
            await server.turn()
        about = "SELECT about, sent FROM outbox WHERE way = 'https://ann' ORDER BY about"
        assert await server.rows(about) == [("door", 1), ("turn", 0)], "a knock takes the place of no turn"
        assert at_door(await server.visit("ann")) == [("Eve", None), ("Dee", None)]
        await server.settle()
        assert await server.rows(MESSAGES) == []


async def test_after_a_no_the_host_is_told_of_nobody_for_days(tmp_path):
    async with two_at_a_table(tmp_path) as server:
        await server.add_way("ann")
        await server.visit("eve", EVE)
        await answer(server, yes=False)
        await server.settle()
        await server.visit("dee", DEE)
        assert await server.rows(MESSAGES) == []
        assert at_door(await server.visit("ann")) == [("Dee", None)]
        await pass_hours(server, KNOCK_HOURS + 1)
        await server.visit("dee", DEE)
        assert await server.rows(MESSAGES) == [("https://ann", "door", "knock", 0)]


async def test_another_host_is_told_of_those_who_knock(tmp_path):
    async with two_at_a_table(tmp_path) as server:
        await server.visit("eve", EVE)
        for guest in ("ann", "ben"):
            await server.add_way(guest)
        await server.visit("ann", (HandOver, {"seat": 2}))
        assert await server.rows(MESSAGES) == [("https://ben", "door", "knock", 0)]
        assert error_of(await answer(server, yes=True)) == "not_owner"
        await answer(server, yes=True, host="ben")
        assert (await server.live()).table.seats[1].guest == "eve"


async def test_few_wait_at_one_table(tmp_path):
    async with two_at_a_table(tmp_path) as server:
        for number in range(knocks.MOST):
            await server.visit(f"guest {number}", (Knock, {"name": f"Guest {number}"}))
        assert error_of(await server.visit("eve", EVE)) == "knocked_enough"
        await server.visit("guest 0", (Knock, {"name": "Zoe"}))  # in place of the first
        assert len(await server.rows(ROWS)) == knocks.MOST
        assert at_door(await server.visit("ann"))[-1] == ("Zoe", None)


async def test_who_finds_a_free_seat_knocks_no_more_and_is_told_nothing(tmp_path):
    async with two_at_a_table(tmp_path) as server:
        await server.add_way("eve")
        await server.visit("eve", EVE)
        await server.visit("ann", (OpenSeat, {"seat": 1}))
        await server.visit("eve", (Sit, {"seat": 1, "name": "Eve"}))
        assert (await server.live()).table.seats[1].guest == "eve"
        assert (await server.rows(ROWS), await server.rows(MESSAGES)) == ([], [])
        await server.visit("eve", (Leave, {"seat": 1}))
        assert at_door(await server.visit("ann")) is None


async def test_a_seat_that_is_said_to_be_ones_own_waits_for_the_host_too(tmp_path):
    async with two_at_a_table(tmp_path) as server:
        ear = await server.visit("eve", (Knock, {"seat": 2}))  # while nobody is there
        assert (state_of(ear), error_of(ear)) == ("waiting", None)
        assert at_door(await server.visit("ann")) == [("Ben", 2)]
        await answer(server, yes=True)
        assert (await server.live()).table.seats[2].guest == "eve"
        assert await server.rows(ROWS) == []
        await server.visit("ben", (Knock, {"seat": 2}))
        await server.visit("eve")  # the seat's person says no by being there
        await server.settle()
        assert (await server.rows(ROWS), at_door(await server.visit("ann"))) == ([], None)


async def test_a_banned_guest_and_one_who_is_someone_else_now_knock_nowhere(tmp_path):
    async with two_at_a_table(tmp_path) as server:
        registry = server.registry
        await server.visit("eve", EVE)
        await server.visit("dee", DEE)
        await registry.bans.add("eve", 0.0, "")
        await registry.shut_out("eve")
        await registry.knock_nowhere("dee")
        assert await server.rows(ROWS) == []
        assert at_door(await server.visit("ann")) is None


async def test_at_another_tempo_it_ends_with_the_socket_as_before(tmp_path):
    async with two_at_a_table(tmp_path) as server:
        await server.visit("ann", (SetOptions, {"options": TableOptions(tempo="family")}))
        await server.visit("eve", EVE)
        assert await server.rows(ROWS) == []
        assert state_of(await server.visit("eve")) is None


async def test_a_knock_that_is_not_on_disk_is_refused(tmp_path):
    async with two_at_a_table(tmp_path) as server:
        live, ear = await server.live(), Ear("eve", code=server.code)
        await live.join(ear, 0)
        await asyncio.wrap_future(server.store.put([("ALTER TABLE knocks RENAME TO gone", ())]))
        await live.command(ear, Knock(id="k", name="Eve"))
        assert (error_of(ear), live.knocks.waiting) == ("server_fault", {})


# What is sent


@pytest.fixture
def house(tmp_path):
    house = House(tmp_path)
    yield house
    house.store.close()


async def knock(house, number, guest=BEN):
    await house.put(knocks_work(NotedKnock(CODE, guest, number, "Secret Name", "")), tells_host(CODE, ANN))


async def test_a_message_says_that_someone_asks_in_the_hosts_language_and_no_name(house):
    await house.open()
    await house.add_way(language="de")
    await knock(house, 7)
    await house.look()
    (letter,) = house.sender.letters
    assert (letter["kind"], letter["number"], letter["title"]) == ("knock", 7, words("de")["knock"])
    assert (letter["topic"], letter["ttl"]) == (f"{CODE[3:]}WW-door", KNOCK_HOURS * 3600)
    assert "Secret" not in str(letter)
    await knock(house, 8, guest="c" * 64)
    await house.look()
    assert house.numbers == [7]


async def test_who_waits_keeps_their_way_and_is_told_that_they_may_play(house):
    await house.open()
    await house.add_way(guest=BEN)
    await knock(house, 7)
    house.now += 3 * 86_400
    await house.look()  # and tidies up: Ben has no table yet
    await house.put(lets_in(CODE, BEN))
    await house.look()
    assert [(letter["kind"], letter["title"]) for letter in house.sender.letters] == [("let_in", words("en")["let_in"])]


async def test_of_a_knock_that_was_answered_meanwhile_nobody_is_told(house):
    await house.open()
    await house.add_way(quiet={"zone": "UTC", "quiet_from": 11, "quiet_until": 13})
    await knock(house, 7)
    await house.look()
    await house.put([("DELETE FROM knocks", ())])
    house.now += 2 * 3600
    await house.look()
    assert (house.numbers, await house.seen_rows()) == ([], [])


# Over HTTP


def test_my_tables_say_that_someone_asks_and_all_of_it_can_be_taken_along_and_deleted(tmp_path, client_folder):
    with served(tmp_path, client_folder) as config:
        ann, eve = Browser(config), Browser(config)
        wish = {"game": "play_nine", "seats": [ME, COMPUTER], "options": {"tempo": "day"}}
        codes, _ = [ann.http.post("/api/tables", json=wish).json() for _ in range(2)]
        with eve.at(codes["table"]) as door:
            assert door.do("Knock", name="Eve")["is"] == "Accepted"
        tables = ann.http.get("/api/me/tables").json()
        assert [(one["watch"] == codes["watch"], one["knocks"]) for one in tables] == [(True, 1), (False, 0)]
        assert eve.http.get("/api/me/tables").json() == []
        assert eve.http.get("/api/me/everything").json()["knocks"] == [{"watch": codes["watch"], "name": "Eve"}]
        assert eve.http.delete("/api/me").status_code == 200
        assert run_sql(tmp_path, "SELECT * FROM knocks") == []
        with ann.at(codes["table"]) as hers:
            assert not [message for message in hers.heard if message["is"] == "AtDoor"]
