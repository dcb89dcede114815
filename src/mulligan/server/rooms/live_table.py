"""A table in use: clients join it, send commands and leave.

Clients receive events only once these are on disk. The store, seeds and sleep are passed in.
"""

import asyncio
import time
from collections.abc import Awaitable, Callable, Mapping
from contextlib import suppress
from functools import partial
from typing import Any

import numpy as np

from mulligan.server import bots
from mulligan.server.log import log
from mulligan.server.metrics import Metrics
from mulligan.server.store.errors import Unsettled
from mulligan.server.store.shared_sql import Lease, Store
from mulligan.server.table.commands import do, happen
from mulligan.server.table.match_flow import give_up, must_be_dealable, without_seed
from mulligan.server.table.recent_commands import Memory
from mulligan.server.table.rights import Asker, Refusal
from mulligan.server.table.seating import shut_out
from mulligan.server.table.table import Table
from mulligan.server.table.time_limits import CLOCKS, Clocks, not_ready
from mulligan.server.wire.base import Tempo
from mulligan.server.wire.commands import Command, NextHole, Rematch, Start
from mulligan.server.wire.events import GaveBack
from mulligan.server.wire.replies import Accepted, Refused

from .game_loop import GameLoop
from .listeners import Answer, Listener, Listeners
from .table_log import MOVED, TableLog, moment_of

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
    ) -> None:
        self.table = table
        self.seed = seed
        self.clock = clock
        self.listeners = Listeners(table)
        self.metrics = metrics or Metrics()
        self.log = TableLog(table, store, self.listeners, self.metrics, lease)
        self.game_loop = GameLoop(self.log, seed, dice, clocks, sleep, think)
        self.answers: Memory[Accepted | Refused] = Memory(ANSWERS, GUESTS)

    @property
    def is_broken(self) -> bool:
        return self.log.is_broken

    @property
    def is_idle(self) -> bool:
        """True if nobody is connected and nothing is being written."""
        return not self.listeners and not self.log.lock.locked()

    # Connections

    async def join(self, listener: Listener, last_event: int) -> None:
        """Adds a connection, and gives its guest a lent seat back."""
        async with self.log.lock:
            if self.is_broken:  # since the connection was opened
                listener.close(self.log.closing_code)
                return
            if not self.listeners.may_stay(listener):
                listener.turn_away(Refusal("table_gone"))
                return
            self.listeners.add(listener, last_event)
            self.game_loop.tell_clock_to(listener)
            await self.take_seats_back(listener)
            self.log.touch()
        self.game_loop.go_on()

    async def take_seats_back(self, listener: Listener) -> None:
        """Gives players who return their lent seats back."""
        for number in listener.seats:
            seat = self.table.seats[number]
            if seat.lent and seat.lent_why == "absent":
                with suppress(Refusal, Unsettled):
                    await self.log.write(happen(self.table, iter([GaveBack(seat=number)])))

    async def join_again(self, listener: Listener, last_event: int) -> None:
        """Sends the current state again to a connection that repeats its Hello."""
        async with self.log.lock:
            if not self.is_broken:
                self.listeners.welcome(listener, last_event)
                self.game_loop.tell_clock_to(listener)

    def part(self, listener: Listener) -> None:
        """Removes a connection; its guest counts as absent if none of theirs returns in time."""
        self.listeners.remove(listener)
        self.listeners.tell_presence()
        if not listener.watching:
            asyncio.get_running_loop().call_later(self.game_loop.clocks.presence, self.count_present)

    def count_present(self) -> None:
        if self.listeners.drop_absent():
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
            if entries := do(self.table, self.asker(listener), command):
                await self.log.write(entries, Answer(listener, answer))
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
        return Asker(listener.guest, self.listeners.present, self.seed, self.clock())

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

    # The end

    async def shut_out(self, guest: str) -> None:
        """Takes all seats of a banned guest, and closes their connections."""
        async with self.log.lock:  # after anyone who is just joining
            if self.table.held_by(guest) and not self.is_broken:
                await self.log.write(happen(self.table, shut_out(self.table, guest)))
            self.listeners.send_away("banned", guest)
        self.game_loop.go_on()

    async def give_up(self) -> None:
        """Ends the match of an abandoned table and reveals its seed."""
        if self.table.phase not in ("lobby", "over"):
            await self.log.happen_at(moment_of(self.table), partial(give_up, self.table, self.seed))

    def rest(self) -> None:
        """Stops everything when the server closes."""
        self.log.is_broken = True
        self.game_loop.stop()
