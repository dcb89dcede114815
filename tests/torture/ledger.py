"""Holds what people were told against the log, entry by entry: nothing acknowledged missing, nothing twice."""

import io
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import msgspec
from people import Person, digest

from mulligan.game import referee
from mulligan.game.verify_shuffles import verify
from mulligan.server.store.folder import FILE
from mulligan.server.store.sqlite import SqliteStore
from mulligan.server.table.log_entries import Done, Entry, decode, is_public
from mulligan.server.table.table import REMEMBERED, Table
from mulligan.server.table.view import view
from mulligan.server.wire.base import Message
from mulligan.server.wire.commands import Play, Say, TakeBack
from mulligan.server.wire.events import Said, TookBack
from mulligan.server.wire.view import Step

# What someone must have asked for, and what they must have said to get it.
MAY_CHANGE_NOTHING = ("AddSeed", "NextHole", "Rematch")  # in the log only if they changed something
ASKED = {Step: Play.__name__, TookBack: TakeBack.__name__, Said: Say.__name__}


class Ledger:
    """One table's log as it was read so far, and everyone's memory of it. `faults` is what is wrong."""

    def __init__(self, code: str, people: Sequence[Person]) -> None:
        self.code = code
        self.people = people
        self.raw: list[bytes] = []
        self.entries: list[Entry] = []
        self.public: list[int] = []  # how many public entries there are up to each number
        self.events: list[Any] = []  # the public entries, as they travel
        self.table = Table([])
        self.views: dict[int, str] = {}
        self.done: dict[tuple[str, str], int] = {}
        self.since_done: list[Entry] = []
        self.checked: dict[int, int] = {}
        self.faults: list[str] = []
        self.moves = 0

    def blame(self, what: str) -> None:
        self.faults.append(f"table {self.code}: {what}")

    def read(self, store: SqliteStore) -> None:
        """Reads the log on; what was read before must be there unchanged."""
        raw = store.entries(self.code)
        with store.reading() as connection:
            rows = connection.execute("SELECT number FROM entries WHERE code = ? ORDER BY number", (self.code,))
            numbers = [row[0] for row in rows]
        if numbers != list(range(1, len(numbers) + 1)):
            self.blame("the numbers of its log have a gap")
        if raw[: len(self.raw)] != self.raw:
            self.blame(f"its log was {len(self.raw)} entries long, and now begins otherwise")
        asked_for = {told.event for person in self.people for told in person.memory.told}
        for line in raw[len(self.raw) :]:
            self.take(decode(line), asked_for)
        if raw:
            self.views[len(raw)] = digest(msgspec.to_builtins(view(self.table)))
        self.raw = raw

    def take(self, entry: Entry, asked_for: set[int]) -> None:
        self.table.apply(entry)
        self.entries.append(entry)
        if is_public(entry):
            self.events.append(msgspec.to_builtins(entry))
        self.public.append(len(self.events))
        number = len(self.entries)
        if number in asked_for:
            self.views[number] = digest(msgspec.to_builtins(view(self.table)))
        self.claim(entry, number)

    def claim(self, entry: Entry, number: int) -> None:
        """Every move of a person stands beside the one command that asked for it."""
        self.moves += isinstance(entry, Step)
        if not isinstance(entry, Done):
            if isinstance(entry, Step | TookBack | Said) and not self.table.seats[entry.seat].computer:
                self.since_done.append(entry)
            return
        if (entry.guest, entry.id) in self.done:
            self.blame(f"command {entry.id} happened twice, at {self.done[entry.guest, entry.id]} and {number}")
        self.done[entry.guest, entry.id] = number
        command = next((p.memory.commands.get(entry.id) for p in self.people if p.guest == entry.guest), None)
        if command is None:
            self.blame(f"entry {number} is done for a command nobody gave: {entry.id}")
        elif command["is"] in ASKED.values() or self.since_done:
            wanted = [(ASKED[type(what)], what.seat) for what in self.since_done]  # type: ignore[union-attr]
            if wanted != [(command["is"], command.get("seat"))] or not is_that(command, self.since_done[0]):
                self.blame(f"before entry {number} happened {self.since_done}, but {command} was asked for")
        self.since_done = []

    def check(self) -> None:
        """Everything anyone was told so far is in the log read last."""
        for at, person in enumerate(self.people):
            memory = person.memory
            for number in memory.accepted:
                if (person.guest, number) not in self.done and memory.commands[number]["is"] not in MAY_CHANGE_NOTHING:
                    self.blame(f"{person.name}'s {memory.commands[number]} was accepted and is not in the log")
            for number in memory.refused:
                if (person.guest, number) in self.done and memory.refused[number] != "too_fast":
                    self.blame(f"{person.name}'s {memory.commands[number]} was refused and is in the log")
            for told in memory.told[self.checked.get(at, 0) :]:
                self.check_told(person, told)
            self.checked[at] = len(memory.told)
            self.faults += [fault for fault in memory.faults if fault not in self.faults]
        if self.since_done:
            self.blame(f"nobody's command ends with {self.since_done}")

    def check_told(self, person: Person, told: Any) -> None:
        if told.event > len(self.entries):
            self.blame(f"{person.name} was told of event {told.event}; the log ends at {len(self.entries)}")
            return
        upto = self.public[told.event - 1]
        if self.events[upto - len(told.what) : upto] != told.what:
            self.blame(f"{person.name} was told another story up to event {told.event}: {told.what}")
        if told.since:
            missed = upto - self.public[told.since - 1]
            if missed != len(told.what) and not (missed >= REMEMBERED and not told.what):
                self.blame(f"{person.name} was told {len(told.what)} of {missed} events {told.since}–{told.event}")
        if told.event in self.views and self.views[told.event] != told.view:
            self.blame(f"{person.name} saw another table after event {told.event} than the log makes")


def is_that(command: dict[str, Any], entry: Message) -> bool:
    return not isinstance(entry, Step) or entry.move == command["move"]


def check_all(ledgers: Sequence[Ledger], store: SqliteStore) -> list[str]:
    """What is wrong at all tables, after everything in the store was read."""
    for ledger in ledgers:
        ledger.read(store)
        ledger.check()
    return [fault for ledger in ledgers for fault in ledger.faults]


class Reading(SqliteStore):
    """Looks at the logs in a folder while a server writes them."""

    def __init__(self, folder: Path) -> None:
        self.path = folder / FILE


def log_of(folder: Path, code: str) -> list[Entry]:
    """A table's log as it is on disk now."""
    return [decode(entry) for entry in Reading(folder).entries(code)]


def check_record(content: bytes, final_view: dict[str, Any] | None = None) -> None:
    """A finished match, as anyone can download it, referees clean, and its shuffles are right. Raises referee.Fault."""
    ((_, record),) = referee.read_records(io.BytesIO(content))
    game = referee.replay(record)
    verify(record)
    if final_view is not None:
        assert game.totals == [seat["total"] for seat in final_view["seats"]]
        assert game.winners == final_view["winners"]
