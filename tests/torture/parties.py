"""Several tables with real clients: both games, computer players, two on one device, and a spectator."""

import asyncio
import random
from collections.abc import Iterable
from dataclasses import dataclass

import httpx
from ledger import Ledger, check_record
from people import QUICK, Patience, Person, Words
from served import COMPUTER, FRIEND, HERE, ME

TRY_LATER = (429, 503)  # too many requests of one address, or an overload


@dataclass
class Party:
    """A table and everyone at it; the first of them owns it."""

    watch: str
    people: list[Person]
    ledger: Ledger

    @property
    def players(self) -> list[Person]:
        return [person for person in self.people if not person.watching]


async def invite(
    port: int,
    dice: random.Random,
    game: str,
    *seats: Words,
    patience: Patience = QUICK,
    through: int = 0,
    holes: int = 0,
    **more: object,
) -> Party:
    """Opens a table; a friend comes for each friend's seat, and someone to watch. They go `through` that port."""

    def person(code: str, name: str, **other: object) -> Person:
        return Person(through or port, code, name, random.Random(dice.getrandbits(64)), patience, **more, **other)

    ann = person("", "Ann")
    ann.port = port
    watch = await ann.open(*seats, game=game, holes=holes)
    ann.port = through or port
    friends = [person(ann.code, f"Friend {number}") for number, seat in enumerate(seats) if seat == FRIEND]
    people = [ann, *friends, person(watch, "Eve", watching=True)]
    return Party(watch, people, Ledger(ann.code, people))


async def invite_all(port: int, dice: random.Random, **more: object) -> list[Party]:
    """Three tables: two friends, a family with a friend, and someone against the computer."""
    return [
        await invite(port, dice, "play_nine", ME, FRIEND, **more),
        await invite(port, dice, "nine_card", ME, HERE, FRIEND, **more),
        await invite(port, dice, "play_nine", ME, COMPUTER, **more),
    ]


class Alive:
    """Everyone's page is open while this lasts; whatever goes wrong on one is raised."""

    def __init__(self, parties: Iterable[Party]) -> None:
        self.people = [person for party in parties for person in party.people]

    async def __aenter__(self) -> "Alive":
        self.tasks = [asyncio.create_task(person.live()) for person in self.people]
        return self

    async def __aexit__(self, *_: object) -> None:
        for task in self.tasks:
            task.cancel()
        await asyncio.wait(self.tasks)

    def check(self) -> None:
        for task in self.tasks:
            if task.done():
                task.result()
                raise AssertionError("someone closed the page")

    async def until_over(self, parties: Iterable[Party], patience: float) -> None:
        """Everyone has seen the end of the match."""
        waiting = [person for party in parties for person in party.players]
        try:
            async with asyncio.timeout(patience):
                for person in waiting:
                    while not person.is_over.is_set():
                        self.check()
                        await asyncio.sleep(0.05)
        except TimeoutError:
            where = [(p.name, p.code, p.event, p.view and p.view["phase"], list(p.pending)) for p in waiting]
            raise AssertionError(f"not over after {patience} s: {where}") from None


async def check_records(port: int, party: Party) -> int:
    """Every finished match of a table can be downloaded, and referees clean; how many there are."""
    view = party.people[0].view
    async with httpx.AsyncClient(base_url=f"http://127.0.0.1:{port}", timeout=30) as http:
        for game in view["finished"]:
            while (answer := await http.get(f"/api/games/{game}/record")).status_code in TRY_LATER:
                await asyncio.sleep(int(answer.headers["retry-after"]))
            assert answer.status_code == 200, answer.text
            is_last = view["phase"] == "over" and game == view["finished"][-1]
            check_record(answer.content, view if is_last else None)
    return len(view["finished"])
