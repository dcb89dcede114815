"""What happens at a table without a command: computer players' moves, the next deal, timeouts."""

import asyncio
from collections.abc import Awaitable, Callable, Mapping
from functools import partial
from typing import Any

import numpy as np

from mulligan.server.table.match_flow import deal, play_again, step, without_seed
from mulligan.server.table.seating import stand_in
from mulligan.server.table.time_limits import Clocks, Wait, not_ready, wait_of
from mulligan.server.wire import base
from mulligan.server.wire.base import Tempo

from .listeners import Listener
from .table_log import Moment, TableLog, moment_of
from .turn_clock import TurnClock, begin

LOOK_AGAIN = 0.05  # seconds between two checks for missing seeds


class GameLoop:
    """Continues the game of one table while someone is connected, or for ever if it plays by turns.

    Sleep and computer players are passed in.
    """

    def __init__(
        self,
        log: TableLog,
        seed: Callable[[], bytes],
        dice: np.ndarray,
        clocks: Mapping[Tempo, Clocks],
        sleep: Callable[[float], Awaitable[Any]],
        think: Callable[[str, Any, Any, Any, np.ndarray], Awaitable[int]],
    ) -> None:
        self.log = log
        self.table = log.table
        self.listeners = log.listeners
        self.seed = seed
        self.dice = dice
        self.all_clocks = clocks
        self.sleep = sleep
        self.think = think
        self.mover: asyncio.Task[None] | None = None
        self.pausing: asyncio.Future[None] | None = None
        self.pausing_at: Moment | None = None
        self.is_hurried = False  # computer players move without pauses until a person's turn
        self.turn_clock = TurnClock(log.table, sleep, self.run_out, log.listeners.tell_all)

    @property
    def clocks(self) -> Clocks:
        return self.all_clocks[self.table.options.tempo]

    def go_on(self) -> None:
        """Schedules the next computer move or timeout, and ends a pause that the game has overtaken."""
        self.set_clock()
        if self.pausing and not self.pausing.done() and moment_of(self.table) != self.pausing_at:
            self.pausing.cancel()
        if (self.mover is None or self.mover.done()) and self.wait() is not None:
            self.mover = begin(self.move_on())

    def stop(self) -> None:
        """Stops the timers and computer players when the server closes."""
        self.turn_clock.stop()
        if self.mover:
            self.mover.cancel()

    # Computer players and deals

    @property
    def is_at_work(self) -> bool:
        """True if the table goes on by itself now or soon, also while nobody is connected."""
        is_moving = self.mover is not None and not self.mover.done()
        return self.table.is_by_turns and (is_moving or self.turn_clock.timer is not None)

    def wait(self) -> float | None:
        """Returns the seconds until the table continues by itself, or None if it waits for a person."""
        if self.log.is_broken or not (self.listeners or self.table.is_by_turns):
            return None
        seconds = self.pause_before_next()
        return seconds if seconds is None or self.listeners else 0.0

    def pause_before_next(self) -> float | None:
        """Returns the seconds for which people may look at what has just happened, or None if the table waits."""
        table = self.table
        pace, phase = base.PACE[table.options.pace], table.phase
        if table.computer_on_turn:
            return 0.0 if self.is_hurried else pace * base.STEP_SECONDS[phase]
        if self.all_are_ready():
            return 0.0
        if phase == "draw":
            return (base.DRAW_SECONDS + base.ROUND_SECONDS * (len(table.draws) - 1)) * max(pace, 0.4)
        nobody_waits = table.is_by_turns and not self.listeners.present
        if phase == "hole_over" and (nobody_waits or all(seat.computer for seat in table.seats)):
            return base.RESULT_SECONDS * max(pace, 0.1)
        return None

    async def move_on(self) -> None:
        while (seconds := self.wait()) is not None:
            before = self.pausing_at = moment_of(self.table)
            await self.pause(seconds)
            if moment_of(self.table) != before:
                continue
            player = self.table.computer_on_turn
            if player:
                match, state = self.table.score.copy(), self.table.playing.state.copy()
                move = await self.think(player, self.table.rules, match, state, self.dice)
                await self.log.happen_at(before, partial(step, self.table, move, self.seed))
            else:
                await self.go_further(before)
            if not self.table.computer_on_turn:
                self.is_hurried = False
            self.set_clock()  # it may be the turn of an absent player now

    async def pause(self, seconds: float) -> None:
        """Waits before a computer player's move, unless a player skips the pause."""
        pause = self.pausing = asyncio.ensure_future(self.sleep(seconds))
        try:
            await asyncio.wait([pause])
        finally:
            pause.cancel()

    def hurry(self, listener: Listener) -> None:
        """Skips the pauses until a person's turn, if no other seated person is present."""
        present = self.listeners.present
        guests = {seat.guest for seat in self.table.seats if seat.kind == "person" and seat.guest in present}
        if not listener.watching and guests == {listener.guest} and self.table.computer_on_turn:
            self.is_hurried = True
            if self.pausing:
                self.pausing.cancel()

    def all_are_ready(self) -> bool:
        """True if at least one player is ready and all present ones are; unready players may have left."""
        table, present = self.table, self.listeners.present
        if not table.ready or table.is_playing or not_ready(table, present):
            return False
        return any(seat.kind == "person" and seat.guest in present for seat in table.seats)

    async def go_further(self, moment: Moment) -> None:
        """Deals the next hole or begins another match, if nothing else has happened since `moment`."""
        await self.seeds_of_present()
        if self.table.phase == "over":
            begin = partial(play_again, self.table, self.seed, self.listeners.present)
            await self.log.happen_at(moment, begin)
        else:
            await self.log.happen_at(moment, partial(deal, self.table, self.listeners.present))

    async def seeds_of_present(self) -> None:
        """Waits for the seeds of all present players' devices, up to the timeout (docs/fairness.md).

        It runs before every deal, so that a fast player cannot exclude another player's seed.
        """
        waited = 0.0
        while waited < self.clocks.seeds and without_seed(self.table, self.listeners.present):
            await self.sleep(LOOK_AGAIN)
            waited += LOOK_AGAIN

    # Timeouts

    def set_clock(self) -> None:
        wait = None if self.log.is_broken else wait_of(self.table, self.listeners.present, self.clocks)
        self.turn_clock.set(wait, self.clocks.turn)

    async def run_out(self, wait: Wait) -> None:
        """Handles a timeout: a computer player takes over the seat, or the game continues without all players ready."""
        if wait_of(self.table, self.listeners.present, self.clocks) != wait:
            return
        if wait.seat is None:
            await self.go_further(moment_of(self.table))
        else:
            await self.log.happen_at(moment_of(self.table), partial(stand_in, self.table, wait))
        self.go_on()

    def tell_clock_to(self, listener: Listener) -> None:
        if self.turn_clock.announced.why:
            self.listeners.tell(listener, self.turn_clock.showing())
