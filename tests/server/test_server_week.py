"""A family's week in simulated days: five people with three devices each, kills, and push services that fail.

Who was told what, and who moved whose cards, is held against an account that is kept outside the server.
"""

import asyncio
import os
import random
import sys
import threading
import time
from collections import defaultdict
from contextlib import suppress
from itertools import pairwise
from pathlib import Path

import httpx
import pytest
from served import FRIEND, SQLITE_ONLY

pytest.importorskip("http_ece", reason="needs the extra people")

sys.path.insert(0, str(Path(__file__).parents[1] / "torture"))

from family import ASKED_TO_WAIT, HOUR, PAUSE, FamilyService, Member, Time, Week
from killable import Killable, event, is_busy
from ledger import Ledger, Reading, check_all, check_record, log_of

from mulligan.server.store.folder import FILE
from mulligan.server.table.by_turns import guest_on_turn
from mulligan.server.table.table import Table
from mulligan.server.wire.events import Lent

SEED = int(os.environ.get("MULLIGAN_SEED", "1"))
KILLS = int(os.environ.get("MULLIGAN_KILLS", "10"))
NAMES = ("Annabel", "Benedict", "Cordelia", "Desdemona", "Ebenezer")
DAY = 24  # hours
PATIENCE = 400.0  # seconds for the whole week
SLACK = 4.0  # seconds until a server that runs has surely sent what it may send; who was not told looks after 10

pytestmark = [pytest.mark.long, pytest.mark.skipif(sys.platform == "win32", reason="nothing is killed that way there")]


class HastyServer(Killable):
    program = (str(Path(__file__).parents[1] / "torture" / "hasty_server.py"),)


class House:
    """The server, the family and their push service through one week."""

    def __init__(self, folder, seed):
        self.folder = folder
        self.dice = random.Random(seed)
        self.time = Time()
        self.service = FamilyService(folder, self.time, random.Random(self.dice.random()))
        self.server = HastyServer(folder, 0, "--push-host", self.service.host)
        self.server.environment |= {
            "SSL_CERT_FILE": str(self.service.trusted),
            "MULLIGAN_HOUR": str(HOUR),
            "MULLIGAN_BEGAN": str(self.time.began),
        }
        self.kills = 0
        self.is_armed = False

    def start(self):
        self.server.start()
        self.time.lives.append([time.time(), float("inf")])
        self.time.ready.append(float("inf"))
        threading.Thread(target=self.note_when_ready, args=[len(self.time.lives) - 1], daemon=True).start()

    def note_when_ready(self, life):
        with suppress(httpx.TransportError):  # killed before
            while httpx.get(f"http://127.0.0.1:{self.server.port}/api/health").json()["status"] == "starting":
                time.sleep(0.05)
            self.time.ready[life] = time.time() + 1  # hasty_server.py: until then pages come back

    def strike(self):
        self.is_armed = False
        if self.time.lives[-1][1] == float("inf"):
            self.server.kill()
            self.time.lives[-1][1] = time.time()
            self.kills += 1

    def on_arrival(self):
        """Between the sending of a message and the mark that it was sent."""
        if self.is_armed:
            self.strike()

    async def kill_at_times(self):
        self.service.on_arrival = self.on_arrival
        while self.kills < KILLS:
            await asyncio.sleep(self.dice.uniform(1.5, 4))
            if self.kills % 2:
                self.strike()
            else:
                self.is_armed = True
                while self.is_armed:
                    await asyncio.sleep(0.01)
            await asyncio.to_thread(self.server.bury)
            await asyncio.to_thread(self.start)

    async def week(self):
        """Returns the family and what the table's file showed, once the match is over."""
        await asyncio.to_thread(self.start)
        family = [Member(number, name, self.server, self.service, self.dice) for number, name in enumerate(NAMES)]
        for member in family:
            await asyncio.to_thread(member.keep_place)
        family[2].forgets = True
        seats = [{"kind": "me", "name": NAMES[0]}, *[FRIEND] * 4]
        await family[0].devices[0].open(*seats, tempo="day", holes=1)
        code = family[0].devices[0].code
        for device in (device for member in family for device in member.devices):
            device.code = code
        week = Week(self.server.folder, code)
        looking = asyncio.create_task(week.look_on())
        await self.sit_down(family)
        killing = asyncio.create_task(self.kill_at_times())
        living = [asyncio.create_task(member.live(week)) for member in family]
        try:
            async with asyncio.timeout(PATIENCE):
                while not any(member.devices[i].view.get("phase") == "over" for member in family for i in range(3)):
                    await asyncio.sleep(0.05)
                    if week.events > 30 and not self.service.thrown_away:
                        await family[4].throw_tablet_away()
                    for task in (killing, looking, *living):
                        if task.done():
                            task.result()
            week.is_over = True
            await asyncio.wait_for(asyncio.gather(*living), 30)
            if not killing.done() and self.time.lives[-1][1] < float("inf"):
                await asyncio.sleep(8)  # it is being started again
            await asyncio.sleep(1)  # the last entries are seen
        finally:
            for task in (killing, looking, *living):
                task.cancel()
            await asyncio.wait([killing, looking, *living])
        return family, week

    async def sit_down(self, family):
        sitting = [asyncio.create_task(member.devices[0].live()) for member in family]
        async with asyncio.timeout(60):
            while not all(member.devices[0].view.get("phase") not in (None, "lobby") for member in family):
                await asyncio.sleep(0.05)
                for task in sitting:
                    if task.done():
                        task.result()
        for task in sitting:
            task.cancel()
        await asyncio.wait(sitting)


class Account:
    """Who had to move when, by the log, and what each device was told of it. `faults` is what is wrong."""

    def __init__(self, house, family, week):
        self.house, self.family, self.week = house, family, week
        self.time = house.time
        self.entries = log_of(house.server.folder, week.code)
        self.faults = []
        self.turns = list(self.read_turns())
        self.came = {member: sorted(map(tuple, member.pages)) for member in family}

    def read_turns(self):
        """Every turn of a person: guest, the entry with which it began, and the one with which it was over."""
        table, before, began = Table([]), (None, ""), 0
        for number, entry in enumerate(self.entries, 1):
            table.apply(entry)
            now = table.turn, guest_on_turn(table)
            if now != before:
                if before[1]:
                    yield before[1], began, number
                before, began = now, number

    def check(self):
        self.check_time()
        for member in self.family:
            for path in member.paths:
                self.check_device(member, path)
        assert {arrival.path for arrival in self.house.service.arrivals} <= {
            path for member in self.family for path in member.paths
        }
        return self.faults

    def check_time(self):
        """Nobody's seat was lent before a day of running hours was over, and of one person once."""
        lent = [number for number, entry in enumerate(self.entries, 1) if isinstance(entry, Lent)]
        for number in lent:
            guest, began, _ = next(turn for turn in self.turns if turn[2] == number)
            longest = self.time.hours(self.week.seen[began - 1][0], self.week.seen[number - 1][1])
            shortest = self.time.hours(self.week.seen[began - 1][1], self.week.seen[number - 1][0])
            lost = 1 + self.kills_between(self.week.seen[began - 1][0], self.week.seen[number - 1][1])
            if longest < DAY or shortest > DAY + 2 + lost * (1 + SLACK / HOUR):
                self.faults.append(f"a seat was lent after {shortest}–{longest} hours")
            if guest != self.family[2].guest or self.entries[number - 1].why != "clock":
                self.faults.append(f"{self.entries[number - 1]} at {number}")
        if len(lent) != 1:
            self.faults.append(f"{len(lent)} turns were taken by a computer, and one was forgotten")

    def kills_between(self, since, until):
        return sum(since <= end <= until for _, end in self.time.lives)

    def chances(self, member, since, until):
        """Returns for how many seconds a server was there that might tell a member something."""
        found, at = 0.0, since
        while at < until:
            runs = any(ready < at < end for ready, (_, end) in zip(self.time.ready, self.time.lives, strict=True))
            page = any(opened - 0.1 < at < closed + 0.1 for opened, closed in self.came[member])
            found += 0.02 * (runs and not page and not self.is_quiet(member, at))
            at += 0.02
        return found

    def is_quiet(self, member, at):
        return bool(member.quiet) and (self.time.hour_of_day(at) - 22) % 24 < 10

    def check_device(self, member, path):
        since, until = member.paths[path]
        arrivals = [arrival for arrival in self.house.service.arrivals if arrival.path == path]
        told = defaultdict(list)  # by turn and kind
        for arrival in arrivals:
            self.check_letter(member, arrival)
            number = arrival.letter["number"]
            turn = next((turn for turn in self.turns if turn[1] <= number < turn[2] and turn[0] == member.guest), None)
            if turn is None:
                self.faults.append(f"{path} was told of {arrival.letter}, which is no turn of {member.name}")
                continue
            told[turn, arrival.letter["kind"]].append(arrival)
        for (turn, kind), several in told.items():
            self.check_several(path, several)
            if kind == "reminder":
                hours = self.time.hours(self.week.seen[turn[1] - 1][0], several[0].at)
                if hours < DAY / 2:
                    self.faults.append(f"{path} was reminded after {hours} hours")
        unread = None
        for turn in (turn for turn in self.turns if turn[0] == member.guest):
            begin, end = self.week.seen[turn[1] - 1][1], self.week.seen[turn[2] - 1][0]
            if not since < begin < end < until:
                continue
            here = [a for kind in ("turn", "reminder") for a in told[turn, kind]]
            is_unread = unread is not None and not self.has_come(member, unread, begin)
            if is_unread and told[turn, "turn"]:
                self.faults.append(f"{path} was told of {turn} although {member.name} had not come since {unread}")
            if not is_unread:
                self.check_told(member, path, "turn", begin, end, here)
            half = next((at for at in steps(begin, end) if self.time.hours(begin, at) > DAY / 2 + 2), end)
            half += HOUR * self.kills_between(begin, end)
            self.check_told(member, path, "reminder", half, end, told[turn, "reminder"])
            unread = max([a.at for a in here if a.fate == "kept"], default=unread)

    def check_told(self, member, path, kind, begin, end, arrivals):
        """A message comes once the server may send it, and again after it failed, until one was taken."""
        came = min([opened for opened, _ in self.came[member] if opened > begin], default=end)
        end = min(end, came)
        if any(arrival.fate in ("kept", "gone") for arrival in arrivals):
            return
        wait = max(PAUSE, ASKED_TO_WAIT) / 3600 * HOUR
        last = max((arrival.at + wait for arrival in arrivals), default=begin)
        if (seconds := self.chances(member, last, end)) > SLACK:
            self.faults.append(f"{path} was not told ({kind}) in {seconds} s: {begin}–{end}, {arrivals}")

    def has_come(self, member, since, until):
        return any(opened <= until and closed >= since for opened, closed in self.came[member])

    def check_several(self, path, several):
        """The same message comes again only if its answer was lost, or the server was killed before its mark."""
        for first, again in pairwise(several):
            taken = first.fate in ("kept", "gone")
            killed_at = self.time.lives[first.life - 1][1]
            if taken and (again.life == first.life or killed_at - first.at > 1):
                self.faults.append(f"{path} was told twice: {first}, {again}")

    def check_letter(self, member, arrival):
        letter = dict(arrival.letter)
        number, kind = letter.pop("number"), letter.pop("kind")
        title = {"turn": "Your turn", "reminder": "Still your turn"}[kind]
        watch = self.entries[0].watch
        expected = {"table": watch, "link": self.week.code, "game": "play_nine", "title": title, "body": "Play Nine"}
        if letter != expected or arrival.topic != watch or not 0 < arrival.ttl <= DAY * 3600:
            self.faults.append(f"message {number} holds {letter}")
        if self.is_quiet(member, arrival.at) and self.is_quiet(member, arrival.at - HOUR):
            self.faults.append(f"{arrival.path} was told at {self.time.hour_of_day(arrival.at)} o'clock")
        if any(opened + 0.6 < arrival.at < closed for opened, closed in self.came[member]):
            self.faults.append(f"{arrival.path} was told {letter} with a page open")


def steps(since, until):
    while since < until:
        yield since
        since += 0.02


@SQLITE_ONLY
def test_a_family_plays_for_a_week_and_everybody_is_told_of_every_turn(tmp_path):
    house = House(tmp_path, SEED)
    server, service = house.server, house.service
    try:
        family, week = asyncio.run(house.week())
        house.time.lives[-1][1] = time.time()
        people = [member.devices[0] for member in family]
        faults = check_all([Ledger(week.code, people)], Reading(server.folder))
        account = Account(house, family, week)
        faults += account.check()
        views = [device.view for member in family for device in member.devices]
        view = next(view for view in views if view.get("phase") == "over")
        fates = [arrival.fate for arrival in service.arrivals]
        print(f"{house.kills} kills, {len(account.turns)} turns, {time.time() - house.time.began:.0f} s:", end=" ")
        print({fate: fates.count(fate) for fate in set(fates)})
        assert faults == [], "\n".join(faults)
        assert {"kept", "failed", "gone"} <= set(fates)
        assert b"Annabel" in whole_store(server, week.code)
        check_record_and_delete(family, view)
        server.end()
        check_that_one_is_forgotten(whole_store(server, week.code))
        complaints = [line for line in server.complaints_so_far() if not is_busy(line)]
        assert [line for line in complaints if event(line).get("event") != "message_failed"] == []
    finally:
        service.close()
        server.end()


def check_record_and_delete(family, view):
    """The referee accepts the match, also after one of the family wished to be deleted."""
    ann, ben = family[0], family[1]
    with ann.http(ann.devices[1]) as hers, ben.http(ben.devices[2]) as his:
        record = f"/api/games/{view['finished'][-1]}/record"
        check_record(his.get(record).content, view)
        assert hers.delete("/api/me").status_code == 200
        check_record(his.get(record).content, view)
        assert "Annabel" not in his.get(record).text


def check_that_one_is_forgotten(content):
    assert b"Annabel" not in content
    assert b"/send/annabel" not in content
    for name in NAMES[1:]:
        assert name.encode() in content
        assert f"/send/{name.lower()}-phone".encode() in content


def whole_store(server, code):
    """The bytes of the database, and of the table's log, which may be compressed there."""
    files = [file.read_bytes() for file in server.folder.glob(f"{FILE}*")]
    return b"".join([*files, *Reading(server.folder).entries(code)])
