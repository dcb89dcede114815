"""Those who knock at a table, few at a time: in memory only and not for long, but at a table by turns for days.

There the host is seldom here at the same time as they are, so they wait in the database, and close the page.
"""

import asyncio
from collections import Counter
from collections.abc import Sequence
from typing import NamedTuple

from mulligan.server.store.knocks import NotedKnock, is_refused, knock_ends, knocks
from mulligan.server.store.ways import tells_host
from mulligan.server.store.writer import Work
from mulligan.server.table.knocking import answered, decided
from mulligan.server.table.rights import Asker, Caller, Refusal
from mulligan.server.wire.base import KnockState
from mulligan.server.wire.commands import AnswerKnock
from mulligan.server.wire.replies import AtDoor, Knocking, YourKnock

from .listeners import Listener
from .table_log import TableLog

MOST = 5  # who knock at one time
MOST_TIMES = 3  # that a guest may knock, as long as the table is in use …
GUESTS = 200  # … of so many guests
SECONDS = 180.0  # until nobody has answered, if it is in memory only


class Waiting(NamedTuple):
    """Someone who knocks now; `by` is the connection with which their knock ends, or None if it is in the database."""

    caller: Caller
    by: Listener | None


class Knocks:
    """Who knocks at the table of this log, by number; `noted` are those in the database."""

    def __init__(self, log: TableLog, noted: Sequence[NotedKnock] = ()) -> None:
        self.log = log
        self.table, self.listeners = log.table, log.listeners
        self.waiting = {
            one.number: Waiting(Caller(one.guest, one.name, one.person), None) for one in noted if not one.refused
        }
        self.refused = {one.guest for one in noted if one.refused}  # who may not ask again soon
        self.number = max((one.number for one in noted), default=0)
        self.times: Counter[str] = Counter()
        self.told: set[Listener] = set()  # those who see someone at the door

    @property
    def callers(self) -> dict[int, Caller]:
        return {number: one.caller for number, one in self.waiting.items()}

    async def add(self, listener: Listener, caller: Caller) -> None:
        """Lets someone knock, in place of what they asked before.

        Raises Refusal if too many do, or they too often, or if it cannot be written.
        """
        guest, table = caller.guest, self.table
        others = [one for one in self.waiting.values() if one.caller.guest != guest]
        if len(others) >= MOST or self.times[guest] >= MOST_TIMES or guest in self.refused:
            raise Refusal("knocked_enough")
        if len(self.times) >= GUESTS:
            self.times.clear()
        self.times[guest] += 1
        self.number += 1
        if table.is_by_turns:  # what comes later has a higher number, also after all rows were deleted
            number = self.number = max(self.number, int(self.log.clock() // 60))
            noted = NotedKnock(table.code, guest, number, caller.name, caller.person)
            await self.keep(knocks(noted) + tells_host(table.code, table.owner))
            self.log.wake_post()
        else:
            asyncio.get_running_loop().call_later(SECONDS, self.end, self.number, "unanswered")
        self.waiting = {number: one for number, one in self.waiting.items() if one.caller.guest != guest}
        self.waiting[self.number] = Waiting(caller, None if table.is_by_turns else listener)
        self.tell_guest(guest, "waiting", self.number)
        self.tell(is_new=True)

    async def keep(self, work: Work) -> None:
        """Raises Refusal if the disk fails."""
        try:
            await asyncio.wrap_future(self.log.store.put(work))
        except OSError:
            raise Refusal("server_fault") from None

    async def answer(self, asker: Asker, command: AnswerKnock) -> None:
        """Notes an answer by which nobody was seated. Raises Refusal if it cannot be written."""
        if (one := self.waiting.get(command.knock)) is None:
            return
        guest = one.caller.guest
        if guest == asker.guest:
            await self.withdraw(guest)
            return
        end = decided(self.table, asker, one.caller, command.yes)
        if end is None:
            self.waiting[command.knock] = one._replace(caller=answered(one.caller, asker.guest, command.yes))
            self.tell(is_new=True)
        elif not end:
            if one.by is None:
                await self.keep(is_refused(self.table.code, guest))
                self.refused.add(guest)
            self.end(command.knock, "no")

    async def withdraw(self, guest: str) -> None:
        """Forgets who takes their knock back, or may be here no more. Raises Refusal if it cannot be written."""
        for number, one in [*self.waiting.items()]:
            if one.caller.guest == guest:
                if one.by is None:
                    await self.keep(knock_ends(self.table.code, guest))
                self.end(number, None)

    def end(self, number: int, why: KnockState | None) -> None:
        """Forgets one who knocks, and says why unless they sit now or want it so."""
        if one := self.waiting.pop(number, None):
            if why:
                self.tell_guest(one.caller.guest, why)
            self.tell(is_new=True)

    def run_out(self, noted: NotedKnock) -> None:
        """Forgets a knock in the database whose time is over, or that it was refused."""
        self.refused.discard(noted.guest)
        self.end(noted.number, "unanswered")

    def forget(self, listener: Listener) -> None:
        """Forgets who knocked by a connection that is closed."""
        for number, one in [*self.waiting.items()]:
            if one.by is listener:
                self.end(number, None)

    def greet(self, listener: Listener) -> None:
        """Tells a guest who comes whether their knock still waits, or how it ended."""
        if listener.watching or listener.seats:
            return
        for number, one in self.waiting.items():
            if one.caller.guest == listener.guest and one.by is None:
                self.listeners.tell(listener, YourKnock(state="waiting", knock=number))
        if listener.guest in self.refused:
            self.listeners.tell(listener, YourKnock(state="no"))

    def tell_guest(self, guest: str, state: KnockState, knock: int = 0) -> None:
        for listener in self.listeners:
            if listener.guest == guest and not listener.watching:
                self.listeners.tell(listener, YourKnock(state=state, knock=knock))

    def tell(self, is_new: bool = False) -> None:
        """Tells those who may answer, if they do not know yet; and those who may no longer that nobody is there."""
        if not self.waiting and not self.told:
            return
        table = self.table
        for number, (caller, by) in [*self.waiting.items()]:
            if table.held_by(caller.guest):  # a seat became free meanwhile
                del self.waiting[number]
                is_new = True
            elif caller.person and (caller.person in self.listeners.present or not table.held_by(caller.person)):
                del self.waiting[number]
                if by is None:
                    self.log.store.put(knock_ends(table.code, caller.guest))
                self.tell_guest(caller.guest, "no")
                is_new = True
        leaders = set(self.listeners.leaders()) if self.waiting else set()
        message = AtDoor(knocks=[self.seen(number, one.caller) for number, one in self.waiting.items()])
        for listener in leaders if is_new else leaders - self.told:
            self.listeners.tell(listener, message)
        for listener in self.told - leaders:
            if listener in self.listeners:
                self.listeners.tell(listener, AtDoor(knocks=[]))
        self.told = leaders

    def seen(self, number: int, caller: Caller) -> Knocking:
        """Returns someone who knocks, as those who may answer see them."""
        table = self.table
        agreed = sorted(seat for guest in caller.yes for seat in table.held_by(guest))
        return Knocking(knock=number, name=caller.name, seat=next(iter(table.held_by(caller.person)), None), yes=agreed)
