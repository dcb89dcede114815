"""Three servers behind a proxy, over a database with a standby: whatever is killed, nothing acknowledged is missing.

A few failures by default; `make torture` asks for many by MULLIGAN_FAILURES.
"""

import asyncio
import os
import random
import sys
import time
from collections import defaultdict
from concurrent.futures import ThreadPoolExecutor
from itertools import cycle, islice
from pathlib import Path
from statistics import median

import postgres
import pytest

sys.path.insert(0, str(Path(__file__).parents[1] / "torture"))

from installation import HAPROXY, Installation
from killable import event, is_busy
from ledger import check_all
from parties import Alive, Party, check_records, invite_all

from mulligan.server.store.postgres import PostgresStore

pytestmark = pytest.mark.long
FAILURES = int(os.environ.get("MULLIGAN_FAILURES", "4"))
SEED = int(os.environ.get("MULLIGAN_SEED", "1"))
KINDS = ("kill", "fail_over", "proxy", "cut", "stop", "kill", "freeze", "kill", "kill", "kill")  # half are kills
BACK = 60.0  # seconds until everyone must have had an answer again
IN_FLIGHT = 0.2  # seconds in which an answer may still be from before the failure
FOR_EVER = 10_000  # matches
HOLES = 3  # of a match, so that the last one is soon over
EXPECTED = {"store_failed", "no_heartbeat", "housekeeping_failed", "post_failed", "slow_reader_dropped", "cut_off"}


class Watch:
    """Notices when everyone who plays has had an answer again."""

    def __init__(self, parties: list[Party]) -> None:
        self.began = 0.0
        self.since: dict[str, float] = {}
        self.tables = {party.watch for party in parties}
        for party in parties:
            for person in party.players:
                person.on = lambda what, watch=party.watch: self.hear(watch, what)

    def hear(self, watch: str, what: str) -> None:
        if what == "accepted" and time.monotonic() > self.began + IN_FLIGHT:
            self.since.setdefault(watch, time.monotonic())

    async def all_answered(self) -> float:
        """Waits until every table has had an answer; how long it took the last."""
        began = self.began = time.monotonic()
        self.since.clear()
        async with asyncio.timeout(BACK):
            while self.since.keys() < self.tables:
                await asyncio.sleep(0.01)
        return max(self.since.values()) - began


async def fail(site: Installation, kind: str, dice: random.Random) -> None:
    """One failure, up to the moment when the rest has to go on."""
    if kind == "kill":
        server = await asyncio.to_thread(site.kill_server)
        await asyncio.sleep(dice.uniform(0, 3))
        await asyncio.to_thread(server.start)
    elif kind == "stop":
        server = await asyncio.to_thread(site.stop_server)
        await asyncio.to_thread(server.start)
    elif kind == "proxy":
        await asyncio.to_thread(site.kill_proxy)
        await asyncio.sleep(dice.uniform(0, 1))
        await asyncio.to_thread(site.start_proxy)
    elif kind == "fail_over":
        await asyncio.to_thread(site.fail_over)
    elif kind == "cut":
        await asyncio.to_thread(site.cut_database)
    elif kind == "freeze":
        await asyncio.to_thread(site.freeze_database, dice.uniform(0.5, 2.5))


async def torture(folder: Path, failures: int, seed: int) -> tuple[str, list[str]]:
    """Plays while one thing after another fails; the figures, and what was wrong."""
    dice = random.Random(seed)
    site = Installation(folder, 3, dice, compiled="MULLIGAN_FAILURES" in os.environ)
    pauses: dict[str, list[float]] = defaultdict(list)
    try:
        await asyncio.to_thread(site.start)
        parties = await invite_all(site.port, dice, matches=FOR_EVER, holes=HOLES)
        watch = Watch(parties)
        ledgers = [party.ledger for party in parties]
        async with Alive(parties) as alive:
            await watch.all_answered()
            for number, kind in enumerate(islice(cycle(KINDS), failures)):
                await asyncio.sleep(dice.uniform(0, 1.0))
                answered = asyncio.create_task(watch.all_answered())
                await fail(site, kind, dice)
                pauses[kind].append(await answered)
                alive.check()
                faults = check(ledgers, site)
                if faults:
                    return f"after failure {number + 1} ({kind})", faults
            for person in alive.people:
                person.matches = len(person.view["finished"]) + 1
            await alive.until_over(parties, 180)
            unexpected = [line for line in site.complaints() if not is_expected(line)]
            # The servers refuse some of these requests at first, as too many for one address.
            games = sum([await check_records(site.port, party) for party in parties])
            faults = check(ledgers, site)
        memories = [person.memory for party in parties for person in party.people]
        told = [
            "until all tables had an answer again:",
            *(f"  {kind:10} {len(each):3} times, {spread(each)}" for kind, each in pauses.items()),
            f"moves in the logs          {sum(ledger.moves for ledger in ledgers)}",
            f"commands acknowledged      {sum(len(memory.accepted) for memory in memories)}",
            f"commands sent again        {sum(memory.resent for memory in memories)}",
            f"messages held against logs {sum(len(memory.told) for memory in memories)}",
            f"matches refereed           {games}",
        ]
        return "\n".join(told), faults + [f"a server complained: {line}" for line in unexpected]
    finally:
        await asyncio.to_thread(site.end)


def check(ledgers, site: Installation) -> list[str]:
    """Compares every log with what was acknowledged. Nobody plays meanwhile: the event loop waits for the thread."""
    with ThreadPoolExecutor(1) as thread:
        return thread.submit(read_and_check, ledgers, site).result()


def read_and_check(ledgers, site: Installation) -> list[str]:
    """Reads every log from the database, which may just be coming back."""
    while True:
        try:
            store = PostgresStore(site.address)
        except OSError:
            continue
        try:
            return check_all(ledgers, store)
        except OSError:
            continue
        finally:
            store.close()


def is_expected(line: str) -> bool:
    """A failing database may be complained of."""
    return event(line).get("event") in EXPECTED or is_busy(line)


def spread(seconds: list[float]) -> str:
    return f"median {median(seconds):.1f} s, worst {max(seconds):.1f} s"


def test_an_installation_in_which_everything_fails_loses_nothing_it_acknowledged(tmp_path):
    postgres.need_postgres()
    if not HAPROXY.exists():
        missing = "HAProxy is not installed; on Debian: apt-get install haproxy"
        if os.environ.get("MULLIGAN_NEED_PROXIES"):
            pytest.fail(missing)
        pytest.skip(missing)
    told, faults = asyncio.run(torture(tmp_path, FAILURES, SEED))
    print(told)
    assert faults == []
