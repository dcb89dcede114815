"""Tables for the tests: opened, played on at random, and their logs kept."""

import random
from typing import Any

import msgspec
import pytest

from mulligan.game import variants
from mulligan.game.notation import read_choice
from mulligan.server.table.commands import do, happen
from mulligan.server.table.log_entries import Entry, Opened
from mulligan.server.table.match_flow import seal, step
from mulligan.server.table.rights import Asker, Caller, Refusal
from mulligan.server.table.table import Table
from mulligan.server.table.view import view
from mulligan.server.wire.commands import Command, NextHole, Play, Rematch, Start
from mulligan.server.wire.tables import SeatRequest, TableOptions

GUESTS = ("ann", "ben", "cyd", "dee", "eve", "fay", "gus", "hal")
WATCH = "WATCHWXZ"
WRITTEN = {"stock": "S", "discard": "D", "discard_drawn": "-", "pass": ".", "knock": ".", "decline": "."}


def written(move: str) -> str:
    """A move that the coach names, as it is written at the table."""
    return WRITTEN.get(move, move)


def wish(kind: str, name: str = "", player: str = "") -> SeatRequest:
    return SeatRequest(kind=kind, name=name, player=player)  # type: ignore[arg-type]


def people(count: int) -> list[SeatRequest]:
    """Ann opens the table, and everyone else is another person on her device."""
    return [wish("here" if number else "me", name.capitalize()) for number, name in enumerate(GUESTS[:count])]


class TableDriver:
    """Plays a table with commands, without a server, and keeps its log."""

    def __init__(
        self,
        game: str = "play_nine",
        seats: list[SeatRequest] | None = None,
        seed: int = 1,
        holes: Any = 0,
        watch: str = WATCH,
        house_rules: Any = None,
    ) -> None:
        opened = Opened(
            table="BCDFGHJKL",
            watch=watch,
            game=game,
            owner="ann",
            seats=seats or people(3),
            options=TableOptions(pace="instant", holes=holes),
            rules=variants.load(game).text,
            house_rules=house_rules or {},
        )
        self.dice = random.Random(seed)
        self.seeds = random.Random(seed + 1_000_000)
        self.now = 1_000_000.0
        self.log: list[Entry] = [opened, *seal(f"{watch}-1", 0, self.seed)]
        self.table = Table(self.log)
        self.present = set(GUESTS)
        self.knocks: dict[int, Caller] = {}
        self.left: dict[str, float] = {}  # for how many seconds guests who are not present have been away
        self.elsewhere: set[str] = set()
        self.still = 0.0
        self.commands = 0

    def away(self, guest: str) -> float:
        return 0.0 if guest in self.present else self.left.get(guest, 1.0)

    def seed(self) -> bytes:
        return self.seeds.randbytes(32)

    def do(self, kind: type[Command], guest: str = "ann", **fields: object) -> list[Entry]:
        """What a command makes happen; raises Refusal."""
        self.commands += 1
        return self.send(kind(id=str(self.commands), **fields), guest)

    def send(self, command: Command, guest: str = "ann") -> list[Entry]:
        asker = Asker(guest, self.present, self.seed, self.now, self.away, self.knocks, self.elsewhere, self.still)
        happened = do(self.table, asker, command)
        self.log += happened
        return happened

    def move(self, move: str = "") -> list[Entry]:
        """The player to move makes that move, or any; a computer player needs no command."""
        turn = self.table.turn
        assert turn is not None
        move = move or self.dice.choice(self.table.legal())
        if self.table.computer_on_turn:
            happened = happen(self.table, step(self.table, read_choice(self.table.variant, move), self.seed))
            self.log += happened
            return happened
        return self.do(Play, self.table.seats[turn].guest, seat=turn, move=move)

    def go_on(self) -> list[Entry]:
        """One thing more: a move, the next hole, or another match."""
        if self.table.phase == "lobby":
            return self.do(Start)
        if self.table.phase == "over":
            return self.all_do(Rematch)
        if self.table.phase in ("draw", "hole_over"):
            return self.all_do(NextHole)
        return self.move()

    def all_do(self, kind: type[Command]) -> list[Entry]:
        """Everyone seated and present gives the command, as far as it takes all of them."""
        phase, happened = self.table.phase, list[Entry]()
        guests = dict.fromkeys(seat.guest for seat in self.table.seats if seat.guest in self.present)
        for guest in guests or ["ann"]:
            if self.table.phase == phase:
                happened += self.do(kind, guest)
        return happened

    def play_to(self, phase: str) -> None:
        while self.table.phase != phase:
            self.go_on()


def refused(driver: TableDriver, kind: type[Command], guest: str = "ann", **fields: object) -> tuple[str, Any]:
    """The error and the parameters with which a command is refused; it must change nothing."""
    before = msgspec.json.encode(view(driver.table)), driver.table.event
    with pytest.raises(Refusal) as caught:
        driver.do(kind, guest, **fields)
    assert (msgspec.json.encode(view(driver.table)), driver.table.event) == before
    return caught.value.error, caught.value.params
