"""The real server, killed again and again while real clients play: nothing it acknowledged is ever missing.

A few kills by default; `make torture` asks for many by MULLIGAN_KILLS.
"""

import asyncio
import os
import random
import sys
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from itertools import count
from pathlib import Path
from statistics import median

import pytest
from served import SQLITE_ONLY

sys.path.insert(0, str(Path(__file__).parents[1] / "torture"))

from killable import Killable, is_busy
from ledger import check_all
from parties import Alive, Party, check_records, invite_all
from people import PAGE, QUICK

from mulligan.server.store.sqlite import SqliteStore

KILLS = int(os.environ.get("MULLIGAN_KILLS", "3"))
SEED = int(os.environ.get("MULLIGAN_SEED", "1"))
PATIENCE = {"page": PAGE, "quick": QUICK}[os.environ.get("MULLIGAN_PATIENCE", "quick")]  # "page" waits as the page does
AIMS = ("busy", "told", "starting", "polite", "sent", "accepted", "anytime")
BACK = 120.0  # seconds until someone must have had an answer again
FOR_EVER = 10_000  # matches
HOLES = 3  # of a match, so that the last one is soon over

pytestmark = [pytest.mark.long, pytest.mark.skipif(sys.platform == "win32", reason="nothing is killed that way there")]


@dataclass
class Figures:
    """What is told at the end of a long run."""

    kills: int = 0
    listening: list[float] = field(default_factory=list)  # from the restart until the port is open
    welcomed: list[float] = field(default_factory=list)  # … until someone sees their table again
    answered: list[float] = field(default_factory=list)  # … until someone's command is acknowledged

    def told(self, parties: list[Party], games: int) -> str:
        memories = [person.memory for party in parties for person in party.people]
        longest = max(memory.longest_pause for memory in memories)
        return "\n".join(
            [
                f"kills, and polite endings  {self.kills}, {len(self.listening) - self.kills}",
                f"moves in the logs          {sum(party.ledger.moves for party in parties)}",
                f"commands acknowledged      {sum(len(memory.accepted) for memory in memories)}",
                f"commands sent again        {sum(memory.resent for memory in memories)}",
                f"messages held against logs {sum(len(memory.told) for memory in memories)}",
                f"matches refereed           {games}",
                f"restart to listening       {spread(self.listening)}",
                f"restart to first welcome   {spread(self.welcomed)}",
                f"restart to first answer    {spread(self.answered)}",
                f"longest wait for an answer {longest:.2f} s, several kills between included",
            ]
        )


def spread(seconds: list[float]) -> str:
    return f"median {median(seconds):.2f} s, worst {max(seconds):.2f} s" if seconds else "–"


async def until(is_so: Callable[[], bool]) -> None:
    async with asyncio.timeout(BACK):
        while not is_so():
            await asyncio.sleep(0.01)


class Killer:
    """Kills the server when the moment has come, be it right after something a client did or heard."""

    def __init__(self, server: Killable, dice: random.Random) -> None:
        self.server = server
        self.dice = dice
        self.aim = ""
        self.countdown = 0
        self.is_dead = asyncio.Event()
        self.heard: dict[str, float] = {}

    def on(self, what: str) -> None:
        """Someone sent, or heard, something."""
        self.heard.setdefault(what, time.monotonic())
        if what == self.aim:
            self.countdown -= 1
            if self.countdown < 0:
                self.aim = ""
                asyncio.get_running_loop().call_later(self.dice.choice((0, 0.001, 0.002, 0.004, 0.008)), self.strike)

    def strike(self) -> None:
        if not self.is_dead.is_set():
            self.server.kill()
            self.is_dead.set()

    async def kill(self, aim: str) -> None:
        """One end from aiming to the grave; a polite one is no kill, and must not lose anything either."""
        dice = self.dice
        if aim == "starting":
            await asyncio.sleep(dice.uniform(0, 1))
        else:
            await until(lambda: "accepted" in self.heard)
        if aim == "polite":
            await asyncio.sleep(dice.uniform(0, 0.5))
            self.server.terminate()
        elif aim == "busy":
            with self.server.busy_disk():  # whatever is told now is not on disk
                await asyncio.sleep(dice.uniform(0.05, 0.3))
                self.strike()
                await asyncio.to_thread(self.server.bury)
        elif aim in ("sent", "told", "accepted"):
            self.countdown, self.aim = dice.randrange(60), aim
            await until(self.is_dead.is_set)
        else:
            await asyncio.sleep(dice.uniform(0, 1.2))
            self.strike()
        await asyncio.to_thread(self.server.bury)

    async def revive(self) -> None:
        self.is_dead.clear()
        self.heard.clear()
        await asyncio.to_thread(self.server.start)


async def torture(folder: Path, kills: int, seed: int) -> tuple[str, list[str]]:
    """Plays while the server is killed; the figures, and what was wrong."""
    dice = random.Random(seed)
    server = Killable(folder, compiled=True)
    killer = Killer(server, dice)
    figures = Figures()
    try:
        server.start()
        parties = await invite_all(server.port, dice, patience=PATIENCE, matches=FOR_EVER, holes=HOLES)
        ledgers = [party.ledger for party in parties]
        for party in parties:
            for person in party.people:
                person.on = killer.on
        async with Alive(parties) as alive:
            for number in count():
                aim = AIMS[number % len(AIMS)]
                if figures.kills == kills and aim != "polite":
                    break
                await killer.kill(aim)
                await until(lambda: all(person.has_hung_up for person in alive.people))
                figures.kills += aim != "polite"
                keep(figures, server, killer)
                alive.check()
                left = SqliteStore(server.scene(folder / "scene"))
                faults = check_all(ledgers, left)
                left.close()
                if faults:
                    return f"after kill {figures.kills} ({aim})", faults
                await killer.revive()
                if number % 20 == 19:
                    print(f"{figures.kills} kills, {sum(ledger.moves for ledger in ledgers)} moves", flush=True)
            for person in alive.people:
                person.matches = len(person.view["finished"]) + 1
            await alive.until_over(parties, 120)
            games = sum([await check_records(server.port, party) for party in parties])
        server.end()
        left = SqliteStore(server.folder)
        faults = check_all(ledgers, left)
        left.close()
        faults += [f"the server complained: {line}" for line in server.complaints_so_far() if not is_busy(line)]
        return figures.told(parties, games), faults
    finally:
        server.end()


def keep(figures: Figures, server: Killable, killer: Killer) -> None:
    began, heard = server.started_at, killer.heard
    figures.listening.append(server.listened_at - began)
    if "welcome" in heard:
        figures.welcomed.append(heard["welcome"] - began)
    if "accepted" in heard:
        figures.answered.append(heard["accepted"] - began)


@SQLITE_ONLY
def test_a_killed_server_has_lost_nothing_it_acknowledged_and_everybody_plays_on(tmp_path):
    told, faults = asyncio.run(torture(tmp_path, KILLS, SEED))
    print(told)
    assert faults == []
