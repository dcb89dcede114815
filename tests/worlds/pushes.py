"""The push services of a world, which fail in every way, and what must hold of every message they are handed.

A message is handed over at the moment when the server calls its sender. What the server hears of that, and when, is
another matter: it may be killed before.
"""

from collections import defaultdict
from collections.abc import Callable
from datetime import datetime
from random import Random
from typing import Any, NamedTuple
from zoneinfo import ZoneInfo

import msgspec
from audit import must
from timeline import Process

from mulligan.server.rooms import postman
from mulligan.server.services.letters import GIVEN_UP, GONE, LATER, SENT, Outcome
from mulligan.server.wire.ways import Letter

HOUR = 3600.0
LONGEST = 5.0  # seconds for a request
FAILS = 0.35  # of the messages
FATES = ("later", "wait", "given up", "gone", "library fails", "answer lost", "answer lost", "doubled", "doubled")
ARRIVES = ("kept", "answer lost", "doubled")
A_LIBRARY_FAILS = "a library of pushes has a fault"
ZONES = {"UTC": "UTC", "Europe/Berlin": "Europe/Berlin", "Pacific/Kiritimati": "Pacific/Kiritimati", "No/Where": "UTC"}
QUIET = ((0, 0), (0, 0), (22, 8), (3, 21))
AT_ONCE = 0.5  # seconds from the server's last look at pages, quiet hours and counts until a message is handed over
MOST_A_DAY = 6
SLACK = 700.0  # seconds after which a server that runs has surely looked into its outbox
UNSENT = """SELECT outbox.way, outbox.code, outbox.number, outbox.kind FROM outbox JOIN ways USING (way) JOIN turns
    ON turns.code = outbox.code AND turns.number = outbox.number AND turns.guest = ways.guest WHERE outbox.sent <> 1"""
UNTOLD = "SELECT way FROM ways WHERE guest = ? AND way NOT IN (SELECT way FROM outbox WHERE code = ?)"

read = msgspec.json.Decoder(Letter).decode


class SimulatedPush:
    """In place of what encrypts and sends: `take` says what becomes of a message."""

    is_installed = True
    take: Callable[..., Outcome]

    def check(self, endpoint: str, p256dh: str, auth: str) -> None:
        pass

    def send(self, endpoint: str, p256dh: str, auth: str, text: bytes, key: str, ttl: int, topic: str) -> Outcome:
        return self.take(endpoint, text, ttl, topic)


class Handover(NamedTuple):
    """A message that a process handed to a push service, and what it will hear of it."""

    at: float
    clock: float  # the server's
    process: Process
    way: str
    device: Any
    guest: str
    code: str
    number: int
    kind: str
    fate: str
    answered: float
    failures: int  # of the disk, before

    @property
    def key(self) -> tuple[str, str, int, str]:
        return self.way, self.code, self.number, self.kind


class PushServices:
    """Takes the messages of all processes of a world, and holds each of them against the disk and the pages."""

    def __init__(self, world: Any, dice: Random) -> None:
        self.world = world
        self.dice = dice
        self.are_failing = True
        self.owners: dict[str, Any] = {}  # devices, by the address at which they were ever told
        self.gone: set[str] = set()
        self.handed: list[Handover] = []
        self.by_way: dict[str, list[Handover]] = defaultdict(list)
        self.visited: dict[tuple[str, str], float] = {}  # when someone's page was last open at a table, or they moved
        self.shown: dict[tuple[str, str], tuple[float, Process, int]] = {}  # when someone's page in front was opened
        self.there_since: dict[str, float] = {}  # ways on disk
        self.changed_at: dict[str, float] = {}
        self.wishes: dict[str, tuple[Any, ...]] = {}
        self.marked: dict[tuple[Any, ...], float] = {}  # messages whose mark was on disk, since when
        self.unsent_since: dict[tuple[Any, ...], float] = {}
        self.clock_set_at = -1.0

    def new_address(self, device: Any) -> str:
        way = f"https://push.example/{device.name.replace(' ', '-')}/{len(self.owners)}"
        self.owners[way] = device
        return way

    # A message

    def take(self, site: Any, way: str, text: bytes, ttl: int, topic: str) -> Outcome:
        """What the server hears, after as long as the request takes."""
        world, letter = self.world, read(text)
        lasts = self.dice.choice((0.01, 0.05, 0.3, LONGEST))
        fate = self.dice.choice(FATES) if self.are_failing and self.dice.random() < FAILS else "kept"
        if way in self.gone or fate == "gone":
            self.gone.add(way)
            fate = "gone"
        code = world.auditor.watch.get(letter.table, "")
        ((guest,),) = world.disk.rows("SELECT guest FROM ways WHERE way = ?", way) or [("",)]
        now, clock = world.timeline.now, site.registry.clock()
        handed = Handover(
            now, clock, site.process, way, self.owners.get(way), guest, code, letter.number, letter.kind, fate,
            now + lasts, world.disk.failures,
        )  # fmt: skip
        world.note("pushed", site.application.push is not world.sites[0].application.push, way, text, ttl, fate)
        try:
            self.check(site, handed, letter, ttl, topic)
        except Exception as error:  # the server would take it for its own
            world.fail(error)
        self.handed.append(handed)
        self.by_way[way].append(handed)
        if handed.device and fate in ARRIVES:
            world.timeline.after(lasts, handed.device.hears_of_turn)
        site.process.slept += lasts
        world.trigger("push")
        return self.answer(fate)

    def answer(self, fate: str) -> Outcome:
        if fate == "library fails":
            raise RuntimeError(A_LIBRARY_FAILS)
        if fate in ("later", "answer lost"):
            return Outcome(LATER, "no answer")
        if fate == "wait":
            return Outcome(LATER, "busy", self.dice.choice((30.0, 2 * HOUR)))
        return Outcome({"given up": GIVEN_UP, "gone": GONE}.get(fate, SENT))

    # What must hold of it

    def check(self, site: Any, handed: Handover, letter: Letter, ttl: int, topic: str) -> None:
        world, now = self.world, handed.at
        must(handed.device and handed.guest, f"{handed.way} is no way of anyone, or no more, and is told")
        ledger = world.auditor.ledgers.get(handed.code)
        must(ledger and topic == letter.table, f"told of a table that is not there: {letter}")
        turn = world.disk.rows("SELECT number, guest, hours FROM turns WHERE code = ?", handed.code)
        hours = turn[0][-1] if turn else 0
        must(turn == [(handed.number, handed.guest, hours)], f"told of {handed}, and the turn is {turn}")
        must(0 < ttl <= hours * HOUR, f"a message is kept for {ttl} s, and a turn lasts {hours} hours")
        must(handed.kind == "turn" or ledger.turn_lasts() >= hours / 2 * HOUR, f"reminded too early: {handed}")
        for secret in world.secrets_of(ledger, handed.device) - {handed.code}:
            must(secret not in f"{letter}", f"a secret is pushed: {letter}")
        must(now - site.since >= postman.RETURN, f"told before pages could come back: {handed}")
        self.check_pages(site, handed)
        self.check_hours(handed)
        self.check_day(handed)
        self.check_earlier(handed)

    def check_pages(self, site: Any, handed: Handover) -> None:
        """No page of the person is open at this process; a reminder comes in spite of pages that are hidden."""
        for pipe in site.pipes:
            device = pipe.owner
            if pipe.watching or not pipe.is_open or pipe.was_frozen or device.guest != handed.guest:
                continue
            is_known = pipe.opened > device.stood_since and pipe.opened < handed.at - AT_ONCE
            is_in_front = pipe is device.pipe and device.is_in_front(3 * AT_ONCE + 2 * device.lag)
            if handed.kind == "turn":
                must(not is_known, f"told with a page open since {pipe.opened}: {handed}")
            else:
                must(not is_known or not is_in_front, f"reminded with a page in front: {handed}")

    def check_hours(self, handed: Handover) -> None:
        if min(handed.at - self.changed_at[handed.way], handed.at - self.clock_set_at) > AT_ONCE:
            is_quiet = self.is_quiet(handed.way, handed.clock) and self.is_quiet(handed.way, handed.clock - AT_ONCE)
            must(not is_quiet, f"told in the quiet hours {self.wishes[handed.way]}: {handed}")

    def is_quiet(self, way: str, clock: float) -> bool:
        zone, quiet_from, quiet_until = self.wishes[way]
        hour = datetime.fromtimestamp(clock, ZoneInfo(ZONES[zone])).hour
        return hour in [(quiet_from + more) % 24 for more in range((quiet_until - quiet_from) % 24)]

    def day(self, way: str, clock: float) -> int:
        """The day in the zone of a way, in days since 1970."""
        zone = ZoneInfo(ZONES[self.wishes[way][0]])
        return datetime.fromtimestamp(clock, zone).toordinal() - datetime(1970, 1, 1).toordinal()

    def check_day(self, handed: Handover) -> None:
        """Six different messages on one day of the way's zone, and those besides whose mark nobody could write."""
        way = handed.way
        day = self.day(way, handed.clock)
        counted = {
            one.key
            for one in self.by_way[way]
            if self.day(way, one.clock) == day
            and (one.key in self.marked or (one.process is handed.process and one.process.is_alive))
            and one.fate in ("kept", "doubled")
        } - {handed.key}
        most = MOST_A_DAY + self.world.is_shared  # two processes that send at once do not know of each other
        must(len(counted) < most, f"{len(counted)} messages today, and another: {handed}")

    def check_earlier(self, handed: Handover) -> None:
        """Not again what was sent, and not of another turn before the person has come."""
        for one in (one for way, device in self.owners.items() if device is handed.device for one in self.by_way[way]):
            if (one.guest, one.code) != (handed.guest, handed.code):
                continue
            was_heard = one.process is handed.process
            if one.key == handed.key:
                must(one.key not in self.marked, f"told again, and was marked: {handed}")
                must(not was_heard or handed.at >= one.answered, f"told again while it is being sent: {handed}")
                is_lost = one.fate not in ("kept", "doubled") or not was_heard
                must(is_lost, f"told again, and was sent: {handed}")
            elif handed.kind == "turn" and one.number != handed.number and one.key in self.marked:
                has_come = self.last_visit(handed.guest, handed.code) >= one.at
                must(has_come, f"told of another turn, and has not come since {one}: {handed}")

    def last_visit(self, guest: str, code: str) -> float:
        """When a page of someone was last open at a table, at any process, or they moved there."""
        for site in self.world.sites:
            for pipe in site.pipes:
                if pipe.is_open and guest in pipe.guests and not pipe.watching:
                    self.visited[guest, pipe.code] = self.world.timeline.now
        return self.visited.get((guest, code), -1.0)

    def came(self, guests: list[str], code: str) -> None:
        for guest in guests:
            self.visited[guest, code] = self.world.timeline.now

    def is_shown(self, pipe: Any, code: str) -> None:
        self.shown[pipe.guests[0], code] = self.world.timeline.now, pipe.process, self.world.disk.failures

    # What the disk says

    def read_disk(self) -> None:
        """After every commit: ways and marks."""
        if not self.owners:
            return
        world, now = self.world, self.world.timeline.now
        rows = world.disk.rows("SELECT way, zone, quiet_from, quiet_until, guest FROM ways")
        wishes = {way: tuple(wish) for way, *wish, _ in rows}
        for way, wish in wishes.items():
            self.there_since.setdefault(way, now)
            if self.wishes.get(way) != wish:
                self.wishes[way], self.changed_at[way] = wish, now
        for way in self.there_since.keys() - wishes.keys():
            del self.there_since[way]
        for row in world.disk.rows("SELECT way, code, number, kind FROM outbox WHERE sent = 1"):
            self.marked.setdefault(row, now)
        for code, guest in world.disk.rows("SELECT code, guest FROM turns WHERE guest <> '' ORDER BY code"):
            if world.auditor.ledgers[code].turn_began == now and self.last_visit(guest, code) < now - SLACK / 10:
                untold = world.disk.rows(UNTOLD, guest, code)
                must(not untold, f"a turn begins, and nobody is to be told in {untold}")
        unsent = set(world.disk.rows(UNSENT))
        self.unsent_since = {row: self.unsent_since.get(row, now) for row in unsent}

    def held_back(self, clock: float) -> list[tuple[Any, ...]]:
        """The messages that must wait, while nothing fails and nobody has a page open. Any other must not."""
        held = []
        now = self.world.timeline.now
        for row, since in sorted(self.unsent_since.items()):
            (counted,) = self.world.disk.rows("SELECT day, sent FROM ways WHERE way = ?", row[0])
            is_quiet = any(self.is_quiet(row[0], clock - ago) for ago in (0.0, SLACK))
            is_full = any(counted == (self.day(row[0], clock - ago), MOST_A_DAY) for ago in (0.0, SLACK))
            must(is_quiet or is_full or now - since < SLACK, f"{row} waits since {since}, and nothing keeps it back")
            held.append(row)
        return held

    def check_told(self) -> None:
        """The player to move who did not come since was told in each of their ways; what is gone is no way."""
        for code, number, guest in self.world.disk.rows("SELECT code, number, guest FROM turns WHERE guest <> ''"):
            began = self.world.auditor.ledgers[code].turn_began
            for (way,) in self.world.disk.rows("SELECT way FROM ways WHERE guest = ?", guest):
                if self.there_since[way] < began and self.last_visit(guest, code) < began - SLACK:
                    rows = self.world.disk.rows("SELECT sent FROM outbox WHERE way = ? AND code = ?", way, code)
                    must(rows, f"{way} was not told of the turn that began with {number}")
                    must(self.is_news(way, guest, code), f"{way} was told of {number} only before they came")
        for one in self.handed:
            was_heard = one.fate == "gone" and one.process.is_alive and one.failures == self.world.disk.failures
            is_there = self.there_since.get(one.way, one.answered) < one.answered
            must(not was_heard or not is_there, f"{one.way} is gone, and is still a way")

    def is_news(self, way: str, guest: str, code: str) -> bool:
        """Whether the message of the outbox was sent after the person's last page, if that was surely noted."""
        shown, process, failures = self.shown.get((guest, code), (0.0, None, 0))
        if process is None or not process.is_alive or failures != self.world.disk.failures:
            return True
        device = self.owners[way]
        told = [one for other in self.owners if self.owners[other] is device for one in self.by_way[other]]
        return any((one.guest, one.code) == (guest, code) and one.answered >= shown for one in told)

    def summary(self) -> str:
        fates: dict[str, int] = defaultdict(int)
        for one in self.handed:
            fates[f"{one.kind} {one.fate}"] += 1
        return ", ".join(f"{count} {fate}" for fate, count in sorted(fates.items()))
