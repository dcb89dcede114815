"""A family that plays one match by turns for a week: their devices, the push service of these, and who did what when.

Hours are simulated ones; times are the system's, in seconds since 1970, as the hasty server's clock counts them.
"""

import asyncio
import random
import sqlite3
import threading
import time
from contextlib import suppress
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, NamedTuple

import httpx
from killable import Killable
from people import Person
from push_service import PushService, Subscription, closes, says_nothing, status

from mulligan.server.store.folder import FILE
from mulligan.server.web.accounts import COOKIE

HOUR = 0.4  # seconds
PAUSE = 3600  # simulated seconds after which a message that failed is tried again, at the latest
ASKED_TO_WAIT = 7200  # simulated seconds, by the header Retry-After
FAILS = 0.25  # of the messages


class Arrival(NamedTuple):
    """A message that reached the push service, and what became of it: kept, lost answer, failed, or gone."""

    at: float
    path: str
    letter: dict[str, Any]
    topic: str
    ttl: int
    fate: str
    life: int  # of the server


class Time:
    """The simulated clock, and the lives of the server."""

    def __init__(self) -> None:
        self.began = time.time()
        self.lives: list[list[float]] = []  # from when it listens until it is killed
        self.ready: list[float] = []  # since when it does all its work, in each life

    def clock(self, at: float) -> float:
        return self.began + (at - self.began) * 3600 / HOUR

    def hour_of_day(self, at: float) -> int:
        return datetime.fromtimestamp(self.clock(at), UTC).hour

    def hours(self, since: float, until: float) -> float:
        """Returns the hours in which the server ran."""
        return sum(max(0.0, min(end, until) - max(begin, since)) for begin, end in self.lives) / HOUR


class FamilyService(PushService):
    """A push service that fails in every way, and keeps messages for devices that are off."""

    def __init__(self, folder: Path, clock: Time, dice: random.Random) -> None:
        self.time, self.dice = clock, dice
        self.browsers: dict[str, Subscription] = {}
        self.thrown_away: set[str] = set()
        self.kept: dict[str, dict[str, tuple[dict[str, Any], float]]] = {}
        self.arrivals: list[Arrival] = []
        self.lock = threading.Lock()
        self.on_arrival = lambda: None
        super().__init__(folder)

    def new_browser(self, path: str) -> Subscription:
        browser = self.browsers[path] = self.subscription(path)
        self.kept[path] = {}
        return browser

    def answer_to(self, request: Any) -> Any:
        letter, topic = self.browsers[request.path].read(request.body), request.headers["topic"]
        ttl, at = int(request.headers["ttl"]), time.time()
        with self.lock:
            lot = self.dice.random()
            fate, answer = "kept", status(201)
            if request.path in self.thrown_away:
                fate, answer = "gone", status(410)
            elif lot < FAILS * 0.2:
                fate, answer = "answer lost", self.dice.choice((closes, says_nothing))
            elif lot < FAILS:
                wait = f"Retry-After: {ASKED_TO_WAIT}"
                fate = "failed"
                answer = self.dice.choice((status(500), status(429, wait), closes, says_nothing, b"SSH-2.0-x\r\n\r\n"))
            if fate in ("kept", "answer lost"):
                self.kept[request.path][topic] = letter, self.time.clock(at) + ttl
            self.arrivals.append(Arrival(at, request.path, letter, topic, ttl, fate, len(self.time.lives)))
            self.on_arrival()
        return answer

    def hand_over(self, path: str) -> list[dict[str, Any]]:
        """What waited for a device that is on now, if it is not too old."""
        with self.lock:
            kept, self.kept[path] = self.kept[path], {}
        return [letter for letter, until in kept.values() if self.time.clock(time.time()) < until]


class Member:
    """One of the family, with three devices: two of them are told, and the last one is off most of the time."""

    def __init__(self, number: int, name: str, server: Killable, service: FamilyService, dice: random.Random) -> None:
        self.number, self.name, self.server, self.service, self.dice = number, name, server, service, dice
        self.time = service.time
        self.devices = [Person(server.port, "", name, random.Random(dice.getrandbits(64))) for _ in range(3)]
        self.guest = self.devices[0].guest
        for device in self.devices[1:]:  # one person: what one device gave is in the log as done by this guest
            device.guest, device.memory, device.seeded = self.guest, self.devices[0].memory, self.devices[0].seeded
        self.quiet = {"quiet_from": 22, "quiet_until": 8} if number in (1, 3) else {}
        self.paths: dict[str, list[float]] = {}  # of subscriptions: since when, and until when
        self.own: dict[Person, str] = {}
        self.pages: list[list[float]] = []  # that were open
        self.shown: set[tuple[str, int, str]] = set()
        self.forgets = False
        self.looked = time.time()

    def http(self, device: Person, **more: Any) -> httpx.Client:
        return httpx.Client(
            base_url=f"http://127.0.0.1:{self.server.port}", cookies={COOKIE: device.token}, timeout=20, **more
        )

    def keep_place(self) -> None:
        """Four words on the first device bring the others to the same seat."""
        with self.http(self.devices[0]) as http:
            answer = http.post("/api/me/words", json={"language": "en", "device": "Laptop"})
            words = " ".join(answer.json()["words"])
        for device, kind in zip(self.devices[1:], ("Tablet", "Phone"), strict=True):
            with self.http(device) as http:
                answer = http.post("/api/me/come-back", json={"words": words, "device": kind})
                assert answer.status_code == 200, answer.text
            self.subscribe(device, kind)

    def subscribe(self, device: Person, kind: str) -> None:
        path = f"/send/{self.name.lower()}-{kind.lower()}"
        browser = self.service.new_browser(path)
        with self.http(device) as http:
            answer = http.post("/api/me/ways/push", json=browser.wish(**self.quiet))
        assert answer.status_code == 200, answer.text
        self.own[device] = path
        self.paths[path] = [time.time(), float("inf")]

    async def throw_tablet_away(self) -> None:
        """… and be told on the laptop from now on."""
        _, tablet, _ = self.devices
        path = self.own.pop(tablet)
        self.service.thrown_away.add(path)
        self.paths[path][1] = time.time()
        while True:
            with suppress(httpx.TransportError):
                await asyncio.to_thread(self.subscribe, self.devices[0], "Laptop")
                return
            await asyncio.sleep(0.1)

    def is_on(self, device: Person) -> bool:
        hours = int((time.time() - self.time.began) / HOUR)
        return device is not self.devices[2] or hours % 6 == self.number

    def news(self) -> list[dict[str, Any]]:
        """What devices that are on show now and did not show before."""
        found = []
        for device, path in list(self.own.items()):
            for letter in self.service.hand_over(path) if self.is_on(device) else []:
                what = path, letter["number"], letter["kind"]
                if what not in self.shown:
                    self.shown.add(what)
                    found.append(letter)
        return found

    async def visit(self, turns: int = 0, think: float = 0.01) -> None:
        """Opens the table on a device that is on, plays so many turns at least, and closes it when it is not theirs."""
        on = [device for device in self.devices if self.is_on(device) and not self.is_gone(device)]
        device = self.dice.choice(on)
        device.think = think
        device.view, device.event = {}, 0  # a page that is opened anew knows nothing
        living = asyncio.create_task(device.live())
        was_open = was_mine = False
        try:
            while True:
                await asyncio.sleep(0.01)
                if living.done():
                    living.result()
                if not device.is_welcome:  # yet, or since a kill
                    continue
                if not was_open:
                    self.pages.append([time.time(), float("inf")])
                    was_open = True
                view = device.view
                is_mine = view["turn"] in device.you
                turns -= was_mine and not is_mine
                was_mine = is_mine
                if not is_mine and not device.pending and (turns <= 0 or view["phase"] == "over"):
                    return
        finally:
            if was_open:
                self.pages[-1][1] = time.time()
            living.cancel()
            await asyncio.wait([living])
            self.looked = time.time()

    def is_gone(self, device: Person) -> bool:
        return device is self.devices[1] and device not in self.own

    async def live(self, week: "Week") -> None:
        """Plays when a device tells them to, and looks once a day; once they forget a whole day."""
        lingers = self.number == 0  # once they leave the page open for two more turns, and think long
        while not week.is_over:
            await asyncio.sleep(0.05)
            letters = self.news()
            if letters:
                if self.forgets and letters[0]["number"] > week.events / 2 > 10:
                    self.forgets = False
                    await week.until_event(letters[0]["number"] + 1)
                    self.looked = time.time()
                    continue
                is_late = not self.quiet and self.dice.random() < 0.25
                await asyncio.sleep(HOUR * (self.dice.uniform(14, 16) if is_late else self.dice.uniform(0.5, 4)))
            elif time.time() - self.looked < 24 * HOUR:
                continue
            if lingers and letters:
                lingers = False
                await self.visit(turns=3, think=0.7)
            else:
                await self.visit()


class Week:
    """The table as its file shows it: how far the log is, and when each entry was first seen."""

    def __init__(self, folder: Path, code: str) -> None:
        self.address = f"file:{folder / FILE}?mode=ro"  # looking mends nothing
        self.code = code
        self.seen: list[tuple[float, float]] = []  # of each entry: when it was not there yet, and when it was
        self.is_over = False

    @property
    def events(self) -> int:
        return len(self.seen)

    async def look_on(self) -> None:
        before = time.time()
        while True:
            asked = time.time()
            with suppress(sqlite3.Error):
                connection = sqlite3.connect(self.address, uri=True)
                ((number,),) = connection.execute("SELECT max(number) FROM entries WHERE code = ?", (self.code,))
                connection.close()
                self.seen += [(before, time.time())] * ((number or 0) - len(self.seen))
                before = asked
            await asyncio.sleep(0.04)

    async def until_event(self, number: int) -> None:
        while self.events < number:
            await asyncio.sleep(0.05)
