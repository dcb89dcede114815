"""A table in use: clients join it, send commands and leave.

Clients receive events only once these are on disk. The store, seeds and sleep are passed in.
"""

import asyncio
import time
from collections.abc import Awaitable, Callable, Iterator, Mapping, Sequence
from contextlib import suppress
from functools import partial
from typing import Any

import numpy as np

from mulligan.server import bots
from mulligan.server.log import log
from mulligan.server.metrics import Metrics
from mulligan.server.store.errors import Unsettled
from mulligan.server.store.knocks import NotedKnock
from mulligan.server.store.shared_sql import Lease, Store
from mulligan.server.store.turns import NotedTurn
from mulligan.server.store.ways import comes
from mulligan.server.table.commands import do, happen
from mulligan.server.table.knocking import at_door
from mulligan.server.table.log_entries import Entry
from mulligan.server.table.match_flow import give_up, must_be_dealable, without_seed
from mulligan.server.table.recent_commands import Memory
from mulligan.server.table.rights import Asker, Refusal
from mulligan.server.table.seating import come_back, shut_out, stand_in
from mulligan.server.table.table import Table
from mulligan.server.table.time_limits import CLOCKS, Clocks, not_ready
from mulligan.server.wire.base import Tempo
from mulligan.server.wire.commands import AnswerKnock, Command, Knock, NextHole, Rematch, Start
from mulligan.server.wire.replies import Accepted, Refused

from .game_loop import GameLoop
from .knocks import Knocks
from .listeners import Answer, Listener, Listeners
from .table_log import MOVED, TableLog, moment_of

HOUR = 3600.0  # seconds
ANSWERS = 100  # remembered answers per guest to commands that wrote nothing, for repeated commands …
GUESTS = 100  # … for this many guests


async def think_at_once(player: str, rules: Any, match: Any, state: Any, dice: np.ndarray) -> int:
    return bots.think(player, rules, match, state, dice)


class LiveTable:
    """One table with its connections, its log and its game loop."""

    def __init__(
        self,
        table: Table,
        store: Store,
        seed: Callable[[], bytes],
        dice: np.ndarray,
        clock: Callable[[], float] = time.time,
        clocks: Mapping[Tempo, Clocks] = CLOCKS,
        sleep: Callable[[float], Awaitable[Any]] = asyncio.sleep,
        think: Callable[[str, Any, Any, Any, np.ndarray], Awaitable[int]] = think_at_once,
        metrics: Metrics | None = None,
        lease: Lease | None = None,
        host_left: float = 0.0,
        noted: NotedTurn | None = None,
        wake_post: Callable[[], None] = lambda: None,
        knocks: Sequence[NotedKnock] = (),
    ) -> None:
        self.table = table
        self.seed = seed
        self.clock = clock
        self.listeners = Listeners(table, host_left)
        self.metrics = metrics or Metrics()
        self.log = TableLog(table, store, self.listeners, self.metrics, clock, lease, noted, wake_post)
        self.game_loop = GameLoop(self.log, seed, dice, clocks, sleep, think)
        if noted and self.log.turns.turn:
            self.game_loop.turn_clock.resume(noted.passed * HOUR)
        elif table.is_by_turns and (work := self.log.turns.after()):
            store.put(work)
        self.knocks = Knocks(self.log, knocks)
        self.answers: Memory[Accepted | Refused] = Memory(ANSWERS, GUESTS)

    @property
    def is_broken(self) -> bool:
        return self.log.is_broken

    @property
    def is_idle(self) -> bool:
        """True if nobody is connected, nothing is being written, and the table does not go on by itself."""
        return not self.listeners and not self.log.lock.locked() and not self.game_loop.is_at_work

    # Connections

    async def join(self, listener: Listener, last_event: int) -> None:
        """Adds a connection, and gives its guest a lent seat back."""
        async with self.log.lock:
            if self.is_broken:  # since the connection was opened
                listener.close(self.log.closing_code)
                return
            if not self.listeners.may_stay(listener):
                self.listeners.turn_away(listener)
                return
            was_here = self.listeners.is_here(listener.guest)
            self.listeners.add(listener, last_event)
            self.game_loop.tell_clock_to(listener)
            await self.take_seats_back(listener, was_here)
            self.knocks.greet(listener)
            self.knocks.tell()
            self.log.touch()
        self.game_loop.go_on()

    async def take_seats_back(self, listener: Listener, was_here: bool) -> None:
        """Gives players who return their seats back; `was_here` if they had a page in front before."""
        if not listener.visible:
            return
        if self.table.is_by_turns:
            self.log.store.put(comes(self.table.code, listener.guest))
        if listener.seats and not was_here:
            self.game_loop.turn_clock.be_patient()
        for number in listener.seats:
            with suppress(Refusal, Unsettled):
                await self.log.write(happen(self.table, come_back(self.table, number, was_here)))

    async def join_again(self, listener: Listener, last_event: int) -> None:
        """Sends the current state again to a connection that repeats its Hello."""
        async with self.log.lock:
            if not self.is_broken:
                self.listeners.welcome(listener, last_event)
                self.game_loop.tell_clock_to(listener)

    async def look(self, listener: Listener) -> None:
        """Notes that a page was brought to the front or hidden; a guest who is here again gets their seats back."""
        if listener.watching:
            return
        was_here = self.listeners.is_here(listener.guest)
        self.listeners.look_at(listener.guest)
        if self.listeners.is_here(listener.guest) == was_here:
            return
        self.listeners.tell_presence()
        if was_here:
            return
        async with self.log.lock:
            if not self.is_broken:
                await self.take_seats_back(listener, was_here)
        self.game_loop.go_on()

    def part(self, listener: Listener, is_silent: bool = False) -> None:
        """Removes a connection; its guest counts as absent if none of theirs returns in time.

        With `is_silent`, at once: nothing was heard of it for long enough.
        """
        self.listeners.remove(listener)
        self.listeners.tell_presence()
        self.knocks.forget(listener)
        if is_silent and not listener.watching:
            self.count_present(listener.guest)
        elif not listener.watching:
            asyncio.get_running_loop().call_later(self.game_loop.clocks.presence, self.count_present)

    def count_present(self, guest: str = "") -> None:
        """Counts guests without a connection, or only that one, as absent."""
        if self.listeners.drop_absent(guest):
            self.log.touch()
            self.knocks.tell()
            self.game_loop.go_on()

    # Commands

    async def command(self, listener: Listener, command: Command) -> None:
        """Executes a command once and sends the response; before a deal, it waits for the seeds of all present."""
        if not await self.command_at_once(listener, command):
            await self.game_loop.seeds_of_present()
            await self.carry_out(listener, command, has_waited=True)

    async def command_at_once(self, listener: Listener, command: Command, is_warm: bool = True) -> bool:
        """Executes a command once and sends the response. Returns False if it has to wait for seeds or the start."""
        if not listener.watching:
            return await self.carry_out(listener, command, has_waited=False, is_warm=is_warm)
        self.metrics.refuse("watching")
        self.listeners.tell(listener, Refused(id=command.id, error="watching"))
        return True

    async def carry_out(self, listener: Listener, command: Command, has_waited: bool, is_warm: bool = True) -> bool:
        """Sends the response to a command, after executing it unless it is a retry. Returns False if it has to wait.

        That is known only when it is its turn: a command before it may be the last but one that a deal waits for.
        """
        began = time.monotonic()
        async with self.log.lock:
            if not has_waited and self.has_to_wait(listener, command, is_warm):
                return False
            try:
                answer = self.answers.find(listener.guest, command.id) or await self.attempt(listener, command)
            except Unsettled:  # the client connects and sends the command again
                return True
            if answer:
                self.listeners.tell(listener, answer)
            self.metrics.acknowledgement.observe(time.monotonic() - began)
            if isinstance(answer, Refused):
                return True
            self.knocks.tell()
            self.log.touch()
        self.game_loop.go_on()
        return True

    async def attempt(self, listener: Listener, command: Command) -> Accepted | Refused | None:
        """Executes a command; once it is on disk, its response goes out with the events. Returns any other response.

        A Refusal becomes a response. Raises Unsettled.
        """
        try:
            if self.is_broken:
                listener.close(self.log.closing_code)
                raise Unsettled if self.log.closing_code == MOVED else Refusal("server_fault")
            if not self.listeners.may_stay(listener):
                raise Refusal("table_gone")
            answer = Accepted(id=command.id)
            entries = do(self.table, self.asker(listener), command)
            if isinstance(command, Knock):
                await self.knocks.add(listener, at_door(self.table, self.asker(listener), command))
            if entries:
                await self.log.write(entries, Answer(listener, answer))
            if isinstance(command, AnswerKnock) and not entries:
                await self.knocks.answer(self.asker(listener), command)
            if entries:
                return None
        except Refusal as refusal:
            return self.refuse(listener, command, refusal)
        except Unsettled:
            raise
        except Exception as error:
            log.error("command_failed", table=self.table.watch, command=type(command).__name__, exc_info=error)
            self.log.fail()
            return self.refuse(listener, command, Refusal("server_fault"))
        self.answers.keep(listener.guest, command.id, answer)
        return answer

    def refuse(self, listener: Listener, command: Command, refusal: Refusal) -> Refused:
        """Remembers a refused command: a late retry is refused again, not executed."""
        self.metrics.refuse(refusal.error)
        answer = Refused(id=command.id, error=refusal.error, params=refusal.params)
        if refusal.error not in ("server_fault", "id_too_long"):
            self.answers.keep(listener.guest, command.id, answer)
        return answer

    def asker(self, listener: Listener) -> Asker:
        seen, still = self.listeners, self.game_loop.turn_clock.still
        return Asker(
            listener.guest,
            seen.present,
            self.seed,
            self.clock(),
            seen.away,
            self.knocks.callers,
            seen.elsewhere,
            still,
        )

    def has_to_wait(self, listener: Listener, command: Command, is_warm: bool) -> bool:
        """True if the command waits for seeds, or for the start of the server.

        Other commands on the connection do not wait for it. What will be refused, or was done, waits for nothing.
        """
        if not isinstance(command, Start | NextHole | Rematch):
            return False
        if is_warm and not (self.deals(listener.guest, command) and without_seed(self.table, self.listeners.present)):
            return False
        known = self.answers.find(listener.guest, command.id) or self.table.done.find(listener.guest, command.id)
        return not known and self.may_deal(listener, command)

    def may_deal(self, listener: Listener, command: Start | NextHole | Rematch) -> bool:
        try:
            must_be_dealable(self.table, self.asker(listener), command)
        except Refusal:
            return False
        return self.listeners.may_stay(listener)

    def deals(self, guest: str, command: Start | NextHole | Rematch) -> bool:
        """True if the command leads to a deal; the next hole or match begins with the last player to be ready."""
        return isinstance(command, Start) or not not_ready(self.table, self.listeners.present) - {guest}

    def hurry(self, listener: Listener) -> None:
        """Skips computer players' pauses, if no other seated person is present."""
        self.game_loop.hurry(listener)

    async def run_out(self, noted: NotedTurn) -> None:
        """Lets a computer player take a turn at a table by turns, if that is still the one whose time is over.

        A turn of nobody goes on.
        """
        self.game_loop.go_on()
        wait = self.game_loop.turn_clock.wait
        if wait and wait.why == "days" and self.log.turns.number == noted.number:
            await self.log.happen_at(moment_of(self.table), partial(stand_in, self.table, wait))
        self.game_loop.go_on()

    # The end

    async def shut_out(self, guest: str) -> None:
        """Takes all seats of a banned guest, and closes their connections."""
        async with self.log.lock:  # after anyone who is just joining
            await self.knocks.withdraw(guest)
            if self.table.held_by(guest) and not self.is_broken:
                await self.log.write(happen(self.table, shut_out(self.table, guest)))
            self.listeners.send_away("banned", guest)
        self.game_loop.go_on()

    async def change(self, entries: Iterator[Entry]) -> None:
        """Lets something happen that no connection asked for. Raises Refusal and Unsettled if it cannot be written."""
        async with self.log.lock:
            if self.is_broken:
                raise Refusal("server_fault")
            await self.log.write(happen(self.table, entries))
        self.game_loop.go_on()

    async def give_up(self) -> None:
        """Ends the match of an abandoned table and reveals its seed."""
        if self.table.phase not in ("lobby", "over"):
            await self.log.happen_at(moment_of(self.table), partial(give_up, self.table, self.seed))

    def rest(self) -> None:
        """Stops everything when the server closes."""
        self.log.is_broken = True
        self.game_loop.stop()
