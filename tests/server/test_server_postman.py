"""Who is told that it is their turn, when, and how often: the outbox and its worker, by a clock that is set by hand."""

import asyncio
import json
import threading
from contextlib import closing
from datetime import datetime
from itertools import pairwise
from zoneinfo import ZoneInfo

import pytest
from served import ON_POSTGRES, store_in

from mulligan.game.variants import load
from mulligan.server.rooms import postman as postmen
from mulligan.server.rooms.postman import Postman
from mulligan.server.rooms.registry import Registry
from mulligan.server.services.channels import Channels
from mulligan.server.services.letters import Outcome
from mulligan.server.store.people import forget, sits
from mulligan.server.store.ways import StoredWays, Way, comes, passes, tells
from mulligan.server.table.log_entries import Opened, encode
from mulligan.server.wire.tables import SeatRequest, TableOptions

CODE, OTHER = "BCDFGHJKL", "MNPQRSTVW"
ANN, BEN = "a" * 64, "b" * 64
NOON = datetime(2026, 11, 28, 12, tzinfo=ZoneInfo("UTC")).timestamp()
HOUR, DAY = 3600, 86_400
BERLIN = {"zone": "Europe/Berlin", "quiet_from": 22, "quiet_until": 8}
NEVER_QUIET = {"zone": "UTC", "quiet_from": 0, "quiet_until": 0}


class Sender:
    """What stands for push services: answers with `outcomes`, the last of them for ever."""

    is_installed = True

    def __init__(self):
        self.letters = []
        self.outcomes = [Outcome("sent")]
        self.on_send = lambda: None

    def send(self, endpoint, p256dh, auth, text, key, ttl, topic):
        self.letters.append(json.loads(text) | {"to": endpoint, "ttl": ttl, "topic": topic})
        self.on_send()
        return self.outcomes.pop(0) if len(self.outcomes) > 1 else self.outcomes[0]


class Reader:
    """A page at a table."""

    tab, code, device = "", "", ""

    def __init__(self, guest, watching=False, visible=True):
        self.guest, self.watching, self.visible = guest, watching, visible
        self.seats = []

    def tell(self, *messages):
        pass

    def close(self, code):
        pass


class House:
    """A registry over a folder, with its postman; the clock is set by hand."""

    def __init__(self, folder):
        self.folder = folder
        self.now = NOON
        self.store = store_in(folder)
        self.sender = Sender()
        self.begin()

    def begin(self):
        """A new server over the same database, with nothing in memory."""
        self.registry = Registry(self.store, clock=lambda: self.now)
        self.postman = Postman(self.registry, self.sender, Channels({}))
        self.stored = StoredWays(self.store)

    async def put(self, *works):
        await asyncio.wrap_future(self.store.put([statement for work in works for statement in work]))

    async def open(self, code=CODE):
        seats = [SeatRequest(kind="me", name="Ann"), SeatRequest(kind="friend")]
        options = TableOptions(tempo="day")
        opened = Opened(code, f"{code[3:]}WW", "play_nine", ANN, seats, options, load("play_nine").text)
        also = sits(ANN, code)
        entries = [encode(opened)]
        await asyncio.wrap_future(self.store.open_table(code, f"{code[3:]}WW", "play_nine", NOON, entries, also=also))

    async def add_way(
        self, way="https://push.example/1", guest=ANN, quiet=NEVER_QUIET, device="", language="en", most=10
    ):
        keys = json.dumps({"p256dh": "", "auth": ""})
        made = Way(way, "push", guest, device or way, keys, "https://golf.example", language, self.now, **quiet)
        await asyncio.wrap_future(self.stored.add(made, most))

    async def begin_turn(self, number, guest=ANN, code=CODE, kind="turn", hours=24, has_moved=True):
        """What a move writes, or the half of the time: the turn, and whom to tell."""
        turn = [
            ("DELETE FROM turns WHERE code = ?", (code,)),
            (
                "INSERT INTO turns (code, number, guest, since, hours) VALUES (?, ?, ?, 0, ?)",
                (code, number, guest, hours),
            ),
        ]
        moved = passes(code) if has_moved else []
        await self.put(moved, turn, tells(code, guest, number, kind))

    async def look(self):
        await self.postman.look()
        await self.postman.done()

    def rows(self):
        with self.store.reading() as connection:
            return connection.execute("SELECT way, code, number, kind, sent FROM outbox ORDER BY way, code").fetchall()

    async def seen_rows(self):
        return [tuple(row) for row in await asyncio.to_thread(self.rows)]

    @property
    def numbers(self):
        return [letter["number"] for letter in self.sender.letters]


@pytest.fixture
def house(tmp_path):
    house = House(tmp_path)
    yield house
    house.store.close()


async def prepared(house, **more):
    await house.open()
    await house.add_way(**more)
    return house


# Whom the outbox holds


async def test_a_turn_is_told_once_until_the_guest_comes(house):
    await prepared(house)
    await house.begin_turn(3)
    await house.look()
    await house.begin_turn(5)  # a computer played for Ann, and it is her turn again
    await house.look()
    assert house.numbers == [3]
    await house.put(comes(CODE, ANN))
    await house.begin_turn(9)
    await house.look()
    await house.look()
    assert house.numbers == [3, 9]


async def test_a_reminder_comes_once_although_the_turn_was_told(house):
    await prepared(house)
    await house.begin_turn(3)
    await house.look()
    await house.put(tells(CODE, ANN, 3, "reminder"))
    await house.look()
    await house.look()
    assert [(letter["number"], letter["kind"]) for letter in house.sender.letters] == [(3, "turn"), (3, "reminder")]


async def test_a_reminder_that_was_not_sent_in_time_lets_nobody_be_told_anew(house):
    await prepared(house)
    await house.begin_turn(3)
    await house.look()
    for number in (5, 9):
        await house.put(tells(CODE, ANN, number - 2, "reminder"))
        await house.begin_turn(number)  # before the postman came
        await house.look()
    assert (house.numbers, [row[-1] for row in await house.seen_rows()]) == ([3], [1])
    await house.put(tells(CODE, ANN, 9, "reminder"))
    await house.put([("DELETE FROM turns WHERE code = ?", (CODE,))])
    house.now += HOUR  # for upkeep
    await house.look()
    assert (house.numbers, [row[-1] for row in await house.seen_rows()]) == ([3], [1])


async def test_a_reminder_of_a_turn_of_which_nobody_was_told_is_all_that_is_sent(house):
    await prepared(house)
    await house.begin_turn(3)
    await house.put(tells(CODE, ANN, 3, "reminder"))
    await house.begin_turn(5)  # of which nobody was told either
    await house.put(tells(CODE, ANN, 5, "reminder"))
    await house.look()
    await house.look()
    assert [(letter["number"], letter["kind"]) for letter in house.sender.letters] == [(5, "reminder")]


async def test_of_a_turn_that_is_over_nothing_is_sent(house):
    await prepared(house)
    await house.begin_turn(3)
    await house.begin_turn(4, guest=BEN)
    await house.look()
    assert (house.numbers, await house.seen_rows()) == ([], [])
    await house.begin_turn(7)
    await house.put([("DELETE FROM turns WHERE code = ?", (CODE,))])  # the match is over, and nobody tidied the outbox
    await house.look()
    assert house.numbers == []
    house.now += HOUR  # for upkeep
    await house.look()
    assert (house.numbers, await house.seen_rows()) == ([], [])


async def test_of_a_turn_that_ends_while_the_message_waits_for_its_thread_nothing_is_sent(house):
    await prepared(house)
    await house.begin_turn(3)
    taken = threading.Event()
    house.postman.threads["push"].shutdown()
    house.postman.threads["push"] = postmen.ThreadPoolExecutor(1)
    house.postman.threads["push"].submit(taken.wait, 30)
    await house.postman.look()
    await house.begin_turn(4, guest=BEN)
    taken.set()
    await house.postman.done()
    assert house.numbers == []


async def test_everyone_is_told_in_each_of_their_ways_and_nobody_else(house):
    await prepared(house)
    await house.add_way("https://push.example/2", language="ja")
    await house.add_way("https://push.example/3", guest=BEN)
    await house.begin_turn(3)
    await house.look()
    letters = sorted(house.sender.letters, key=lambda letter: letter["to"])
    assert [(letter["to"][-1], letter["title"]) for letter in letters] == [("1", "Your turn"), ("2", "あなたの番です")]
    usual = {
        "table": f"{CODE[3:]}WW",
        "link": CODE,
        "game": "play_nine",
        "number": 3,
        "kind": "turn",
        "body": "Play Nine",
    }
    more = {"title": "Your turn", "to": "https://push.example/1", "ttl": 24 * HOUR, "topic": f"{CODE[3:]}WW"}
    assert letters[0] == usual | more


async def test_a_message_is_kept_for_what_is_left_of_the_turn(house):
    await prepared(house)
    await house.begin_turn(3, hours=72)
    for _ in range(30):
        written = house.store.count_hour(house.now)
    await asyncio.wrap_future(written)
    await house.look()
    assert house.sender.letters[0]["ttl"] == 42 * HOUR


# When it is sent


async def test_nobody_is_told_with_a_page_open_and_then_they_are(house):
    await prepared(house)
    await house.open(OTHER)
    live = await house.registry.live_table(OTHER)
    page, watching = Reader(ANN), Reader(ANN, watching=True)
    live.listeners.connected |= {page: None, watching: None}
    await house.begin_turn(3)
    await house.look()
    page.visible = False
    await house.look()
    assert house.numbers == []
    del live.listeners.connected[page]
    await house.look()
    assert house.numbers == [3]


async def test_a_hidden_page_that_was_forgotten_keeps_back_no_reminder(house):
    await prepared(house)
    live = await house.registry.live_table(CODE)
    page = Reader(ANN)
    live.listeners.connected[page] = None
    await house.begin_turn(3)
    await house.put(tells(CODE, ANN, 3, "reminder"))
    await house.look()
    assert house.numbers == []
    page.visible = False
    await house.look()
    assert [letter["kind"] for letter in house.sender.letters] == ["reminder"]


@pytest.mark.parametrize(
    ("hour", "is_sent"), [(21, False), (22, False), (6, False), (7, True), (12, True), (20, True)], ids=str
)
async def test_in_the_quiet_hours_of_the_zone_nobody_is_told(house, hour, is_sent):
    """By the clock of Berlin, which is an hour ahead in winter."""
    await prepared(house, quiet=BERLIN)
    await house.begin_turn(3)
    house.now = NOON + (hour - 12) * HOUR
    await house.look()
    assert bool(house.numbers) == is_sent
    house.now = NOON + 20 * HOUR  # 9 in the morning
    await house.look()
    assert house.numbers == [3]


async def test_summer_time_moves_the_quiet_hours(house):
    await prepared(house, quiet=BERLIN)
    await house.begin_turn(3)
    summer = datetime(2026, 7, 1, 5, 59, tzinfo=ZoneInfo("UTC")).timestamp()
    for house.now in (summer, summer + 120):
        await house.look()
    assert (house.numbers, house.now) == ([3], summer + 120)


@pytest.mark.parametrize("zone", ["Nowhere/Land", "../../etc/passwd", "Europe", "UTC"])
async def test_a_zone_that_nobody_knows_counts_as_utc(house, zone):
    await prepared(house, quiet={"zone": zone, "quiet_from": 11, "quiet_until": 13})
    await house.begin_turn(3)
    await house.look()
    assert house.numbers == []
    house.now += HOUR
    await house.look()
    assert house.numbers == [3]


async def test_six_messages_a_day_are_the_most_for_one_way(house):
    await house.add_way(quiet=BERLIN | {"quiet_until": 22})
    codes = [f"BCDFGHJ{one}{two}" for one in "KLM" for two in "NPQ"]
    for code in codes:
        await house.open(code)
        await house.begin_turn(3, code=code)
    await house.look()  # all at once
    await house.look()
    assert len(house.sender.letters) == 6
    house.now = NOON + 11.5 * HOUR  # tomorrow in Berlin
    await house.look()
    assert len(house.sender.letters) == 9
    assert {letter["link"] for letter in house.sender.letters} == {*codes}


# What goes wrong


async def test_a_device_that_is_gone_loses_its_way(house):
    await prepared(house)
    await house.add_way("https://push.example/2")
    house.sender.outcomes = [Outcome("gone"), Outcome("sent")]
    await house.begin_turn(3)
    await house.look()
    await house.look()
    left = await asyncio.to_thread(house.stored.of, ANN)
    assert (len(house.sender.letters), len(left), len(await house.seen_rows())) == (2, 1, 1)


async def test_a_service_that_fails_is_tried_again_ever_later_until_the_turn_ends(house):
    await prepared(house)
    house.sender.outcomes = [Outcome("later", "500")]
    await house.begin_turn(3, hours=72)
    tries = []
    for minute in range(5 * 60):
        await house.look()
        if len(house.sender.letters) > len(tries):
            tries.append(minute)
        house.now += 60
    pauses = [later - earlier for earlier, later in pairwise(tries)]
    assert pauses[:6] == [1, 2, 4, 8, 16, 32]
    assert set(pauses[6:]) == {60}
    house.sender.outcomes = [Outcome("sent")]
    house.now += HOUR
    await house.look()
    assert (await house.seen_rows())[0][-1] == 1
    house.sender.outcomes = [Outcome("later")]
    await house.put(comes(CODE, ANN))
    await house.begin_turn(4)
    sent = len(house.sender.letters)
    for _ in range(3):
        await house.look()
        house.now += 61
    assert len(house.sender.letters) == sent + 2  # after a success the pauses begin short again


async def test_a_service_that_asks_to_wait_is_left_alone_for_so_long(house):
    await prepared(house)
    house.sender.outcomes = [Outcome("later", "429", 2 * HOUR), Outcome("sent")]
    await house.begin_turn(3)
    for house.now in (NOON, NOON + 2 * HOUR - 1, NOON + 2 * HOUR):
        await house.look()
    assert len(house.sender.letters) == 2
    assert house.now == NOON + 2 * HOUR


async def test_what_a_service_refuses_is_given_up_for_this_turn_and_does_not_count(house):
    await prepared(house)
    house.sender.outcomes = [Outcome("given_up", "403"), Outcome("sent")]
    await house.begin_turn(3)
    for _ in range(3):
        await house.look()
        house.now += DAY / 2
    assert len(house.sender.letters) == 1
    (way,) = await asyncio.to_thread(house.stored.of, ANN)
    assert way.sent == 0
    await house.put(comes(CODE, ANN))
    await house.begin_turn(8)
    await house.look()
    assert house.numbers == [3, 8]


async def test_a_slow_service_holds_up_no_others(house):
    await prepared(house)
    await house.add_way("https://push.example/2")
    is_over = threading.Event()
    house.sender.on_send = lambda: is_over.wait(30) if house.sender.letters[-1]["to"].endswith("1") else None
    await house.begin_turn(3)
    await house.postman.look()
    while not [row for row in await house.seen_rows() if row[-1]]:
        await asyncio.sleep(0.01)
    await house.postman.look()  # what is under way is not sent again
    is_over.set()
    await house.postman.done()
    assert sorted(letter["to"][-1] for letter in house.sender.letters) == ["1", "2"]


async def test_a_table_that_cannot_be_read_stops_nothing(house):
    await prepared(house)
    await house.open(OTHER)
    await house.put([("UPDATE entries SET entry = ?, checksum = 1 WHERE code = ?", (b"{", CODE))])
    await house.begin_turn(3)
    await house.begin_turn(4, code=OTHER)
    await house.look()
    assert house.numbers == [4]


# A kill at every point


async def test_killed_before_it_was_sent_a_message_is_sent_once(house):
    await prepared(house)
    await house.begin_turn(3)
    house.begin()
    await house.look()
    await house.look()
    assert house.numbers == [3]


async def test_killed_between_sending_and_the_mark_a_message_is_sent_twice_with_one_number(house):
    await prepared(house)
    await house.begin_turn(3)

    def killed(*_):
        raise asyncio.CancelledError

    house.postman.stored.mark = killed
    await house.look()
    house.begin()
    await house.look()
    await house.look()
    assert house.numbers == [3, 3]
    assert len({letter["topic"] for letter in house.sender.letters}) == 1


async def test_killed_after_the_mark_a_message_is_not_sent_again(house):
    await prepared(house)
    await house.begin_turn(3)
    await house.look()
    house.begin()
    await house.look()
    assert house.numbers == [3]


async def test_a_mark_that_cannot_be_written_is_written_later_and_nothing_is_sent_again(house, monkeypatch):
    await prepared(house)
    await house.begin_turn(3)
    whole = house.postman.stored.mark

    def broken(*_):
        raise OSError("the disk is full")

    house.postman.stored.mark = broken
    await house.look()
    house.postman.stored.mark = whole
    house.now += HOUR
    await house.look()
    assert (house.numbers, (await house.seen_rows())[0][-1]) == ([3], 1)


async def test_the_postman_comes_when_it_is_woken(house):
    await prepared(house)
    house.registry.is_warm.set()
    house.postman.sleep = lambda _: asyncio.sleep(0)
    working = asyncio.create_task(house.postman.keep_on())
    await asyncio.sleep(0.05)
    await house.begin_turn(3)
    house.registry.post.set()
    async with asyncio.timeout(30):
        while not house.numbers:
            await asyncio.sleep(0.01)
    working.cancel()
    await house.postman.close()


async def test_after_a_restart_pages_come_back_before_anybody_is_told(house):
    await prepared(house)
    await house.begin_turn(3)
    house.registry.is_warm.set()
    slept, are_back = [], asyncio.Event()

    async def sleep(seconds):
        slept.append(seconds)
        await are_back.wait()

    house.postman.sleep = sleep
    working = asyncio.create_task(house.postman.keep_on())
    await asyncio.sleep(0.1)
    assert (slept, house.numbers) == ([postmen.RETURN], [])
    are_back.set()
    async with asyncio.timeout(30):
        while not house.numbers:
            await asyncio.sleep(0.01)
    working.cancel()
    await house.postman.close()


# Several processes


@pytest.mark.skipif(not ON_POSTGRES, reason="a file has one process")
async def test_a_table_is_told_of_by_the_process_that_has_it_and_otherwise_by_the_one_that_leads(house):
    await prepared(house)
    with closing(await asyncio.to_thread(store_in, house.folder)) as store:
        other = Registry(store, clock=lambda: house.now)
        sender = Sender()
        postman = Postman(other, sender, Channels({}))
        assert await asyncio.to_thread(house.store.leads)
        await other.live_table(CODE)
        beating = [asyncio.create_task(one.leases.keep_on()) for one in (other, house.registry)]
        await house.begin_turn(3)
        await house.look()
        assert house.numbers == []
        await postman.look()
        await postman.done()
        assert [letter["number"] for letter in sender.letters] == [3]
        other.tables.clear()
        await asyncio.to_thread(store.end_leases, other.leases.name)
        await house.put(comes(CODE, ANN))
        await house.begin_turn(5)
        await postman.look()
        await postman.done()
        await house.look()
        assert ([letter["number"] for letter in sender.letters], house.numbers) == ([3], [5])
        for task in beating:
            task.cancel()
        await asyncio.wait(beating)


# Ways that come and go


async def test_a_new_subscription_of_a_device_takes_the_place_of_the_earlier_one_and_its_messages(house):
    await prepared(house, device="phone")
    await house.open(OTHER)
    await house.begin_turn(3)
    await house.look()
    await house.begin_turn(4, code=OTHER)
    await house.add_way("https://push.example/2", device="phone")
    await house.look()
    assert [(letter["number"], letter["to"][-1]) for letter in house.sender.letters] == [(3, "1"), (4, "2")]
    assert {row[0] for row in await house.seen_rows()} == {"https://push.example/2"}
    assert len(await asyncio.to_thread(house.stored.of, ANN)) == 1


async def test_a_subscription_that_another_guest_of_the_device_gives_is_theirs_alone(house):
    await prepared(house, device="phone")
    await house.begin_turn(3)
    await house.add_way(guest=BEN, device="phone")
    assert await house.seen_rows() == []
    assert await asyncio.to_thread(house.stored.of, ANN) == []
    (way,) = await asyncio.to_thread(house.stored.of, BEN)
    assert way.way == "https://push.example/1"


async def test_ways_without_a_table_and_unanswered_codes_are_deleted_after_a_day(house):
    await prepared(house)
    await house.add_way("https://push.example/2", guest=BEN)
    await house.look()
    assert len(await asyncio.to_thread(house.stored.of, BEN)) == 1
    house.now += DAY + HOUR
    await house.look()
    assert [len(await asyncio.to_thread(house.stored.of, guest)) for guest in (ANN, BEN)] == [1, 0]


async def test_with_a_person_or_a_table_go_their_messages(house):
    await prepared(house)
    await house.open(OTHER)
    await house.begin_turn(3)
    await house.begin_turn(3, code=OTHER)
    await asyncio.wrap_future(house.store.remove(OTHER))
    assert [row[1] for row in await house.seen_rows()] == [CODE]
    await house.put(forget(ANN))
    assert await house.seen_rows() == []
    assert await asyncio.to_thread(house.stored.of, ANN) == []


async def test_the_first_key_stays_and_a_new_one_ends_all_subscriptions(house):
    await prepared(house)
    await house.begin_turn(3)
    await asyncio.wrap_future(house.stored.choose_key("one"))
    await asyncio.wrap_future(house.stored.choose_key("two"))
    assert await asyncio.to_thread(house.stored.key) == "one"
    await asyncio.wrap_future(house.stored.renew_key("three"))
    assert await asyncio.to_thread(house.stored.key) == "three"
    assert (await house.seen_rows(), await asyncio.to_thread(house.stored.of, ANN)) == ([], [])
