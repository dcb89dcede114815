"""A table in use: who is connected, one thing happening after another, and computer players on the move.

Nothing is told before it is on disk. What is not pure comes in from outside: the store, seeds, sleep.
"""

import asyncio
import time
from collections.abc import Awaitable, Callable, Iterator, Mapping
from contextlib import suppress
from functools import partial
from typing import Any, Protocol

import msgspec
import numpy as np

from . import bots
from .clocks import CLOCKS, Clocks, Wait, wait_of
from .commands import do, happen
from .entries import Entry, encode, is_public
from .log import log, seldom
from .messages import (
    Accepted,
    Clock,
    Command,
    GaveBack,
    GivenUp,
    Happened,
    MatchOver,
    Presence,
    Refused,
    Sealed,
    ServerMessage,
    Started,
    Tempo,
    Unsealed,
    Welcome,
)
from .pack import Deal
from .play import deal, give_up, step
from .rights import Asker, Refusal
from .seats import stand_in
from .store import Store, Written
from .table import Table
from .view import is_present, view

TOUCH_SECONDS = 3600.0
REFUSALS = 500  # remembered, should they come again
write = msgspec.json.Encoder().encode


async def think_at_once(player: str, rules: Any, match: Any, state: Any, dice: np.ndarray) -> int:
    return bots.think(player, rules, match, state, dice)


class Listener(Protocol):
    """Somebody's socket. `seats` are the ones it was last told to hold."""

    guest: str
    watching: bool
    seats: list[int]

    def tell(self, message: bytes) -> None: ...

    def close(self, code: int) -> None: ...


class Room:
    """One table and everybody who looks at it."""

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
    ) -> None:
        self.table = table
        self.store = store
        self.seed = seed
        self.dice = dice
        self.clock = clock
        self.all_clocks = clocks
        self.sleep = sleep
        self.think = think
        self.lock = asyncio.Lock()
        self.listeners: list[Listener] = []
        self.present: set[str] = set()
        self.mover: asyncio.Task[None] | None = None
        self.waiting: tuple[Any, ...] | None = None
        self.timer: asyncio.Task[None] | None = None
        self.told_clock = Clock()
        self.ends_at = 0.0
        self.clocked: tuple[Any, ...] = ()
        self.began = 0.0
        self.touched = 0.0
        self.is_broken = False
        self.refused: dict[tuple[str, str], Refused] = {}

    # People

    async def join(self, listener: Listener, last_event: int) -> None:
        """A socket is there: it is told everything, and the others that somebody came."""
        async with self.lock:
            if self.is_broken:  # since the socket was opened
                listener.close(1011)
                return
            self.listeners.append(listener)
            if not listener.watching:
                self.present.add(listener.guest)
            self.welcome(listener, last_event)
            self.tell_presence()
            self.tell_clock_to(listener)
            await self.take_seats_back(listener)
            self.touch()
        self.go_on()

    async def take_seats_back(self, listener: Listener) -> None:
        """Who was away and returns plays on himself."""
        for number in listener.seats:
            seat = self.table.seats[number]
            if seat.lent and seat.lent_why == "absent":
                with suppress(Refusal):
                    await self.commit(happen(self.table, iter([GaveBack(seat=number)])))

    async def join_again(self, listener: Listener, last_event: int) -> None:
        """A socket says Hello again: it wants to know where everything stands."""
        async with self.lock:
            if not self.is_broken:
                self.welcome(listener, last_event)
                self.tell_clock_to(listener)

    def part(self, listener: Listener) -> None:
        """A socket is gone; its guest is absent only if none comes back in a while."""
        if listener in self.listeners:
            self.listeners.remove(listener)
        self.tell_presence()
        asyncio.get_running_loop().call_later(self.clocks.presence, self.count_present)

    def count_present(self) -> None:
        connected = {listener.guest for listener in self.listeners if not listener.watching}
        if not self.present <= connected:
            self.present &= connected
            self.tell_presence()
            self.go_on()

    def welcome(self, listener: Listener, last_event: int) -> None:
        table = self.table
        listener.seats = [] if listener.watching else table.held_by(listener.guest)
        message = Welcome(
            you=listener.seats,
            owner=not listener.watching and listener.guest == table.owner,
            event=table.event,
            view=view(table, self.present),
            missed=table.told_since(last_event) if last_event else [],
            talk=list(table.talk) if not last_event else [],
            watchers=self.watchers,
            sealed=sealed_of(table),
        )
        self.tell(listener, message)

    @property
    def clocks(self) -> Clocks:
        return self.all_clocks[self.table.options.tempo]

    @property
    def watchers(self) -> int:
        return sum(not listener.seats for listener in self.listeners)

    def tell(self, listener: Listener, message: ServerMessage) -> None:
        listener.tell(write(message))

    def tell_all(self, message: ServerMessage) -> None:
        """Everybody is told the same bytes."""
        text = write(message)
        for listener in list(self.listeners):
            listener.tell(text)

    def tell_presence(self) -> None:
        present = [is_present(seat, self.present) for seat in self.table.seats]
        self.tell_all(Presence(present=present, watchers=self.watchers))

    # What happens

    async def command(self, listener: Listener, command: Command) -> None:
        """Lets a command happen once, and answers who gave it."""
        if listener.watching:
            self.tell(listener, Refused(id=command.id, error="watching"))
            return
        async with self.lock:
            if answer := self.refused.get((listener.guest, command.id)):
                self.tell(listener, answer)
                return
            try:
                if self.is_broken:
                    listener.close(1011)
                    raise Refusal("server_fault")
                await self.commit(do(self.table, Asker(listener.guest, self.present, self.seed, self.clock()), command))
            except Refusal as refusal:
                self.refuse(listener, command, refusal)
                return
            except Exception as error:
                log.error("command_failed", table=self.table.watch, command=type(command).__name__, exc_info=error)
                self.refuse(listener, command, Refusal("server_fault"))
                self.fail()
                return
            self.tell(listener, Accepted(id=command.id))
            self.touch()
        self.go_on()

    def refuse(self, listener: Listener, command: Command, refusal: Refusal) -> None:
        """What was refused stays refused: where it comes again, late, it must not happen after all."""
        answer = Refused(id=command.id, error=refusal.error, params=refusal.params)
        if refusal.error not in ("server_fault", "id_too_long"):
            self.refused[listener.guest, command.id] = answer
            if len(self.refused) > REFUSALS:
                del self.refused[next(iter(self.refused))]
        self.tell(listener, answer)

    def touch(self) -> None:
        """Notes, now and then, that people still use this table."""
        now = self.clock()
        if now - self.touched > TOUCH_SECONDS:
            self.touched = now
            self.store.touch(self.table.code, now).add_done_callback(self.touch_again)

    def touch_again(self, written: Written) -> None:
        """Where the disk failed, the next command tries once more."""
        if written.exception():
            self.touched = 0.0

    async def give_up(self) -> None:
        """Nobody has come back for long: what is being played ends, and its pack is shown."""
        if self.table.phase not in ("lobby", "over"):
            await self.happen(self.moment(), partial(give_up, self.table, self.seed))

    def rest(self) -> None:
        """The server closes: nothing goes on by itself any more."""
        self.is_broken = True
        for task in (self.mover, self.timer):
            if task:
                task.cancel()

    async def commit(self, entries: list[Entry]) -> None:
        """Puts on disk what has happened, and then tells everybody. Raises Refusal where the disk fails."""
        if not entries:
            return
        table = self.table
        first = table.event - len(entries) + 1
        try:
            written = [encode(entry) for entry in entries]
            await asyncio.wrap_future(self.store.append(table.code, first, written, dealt_in(table, entries)))
        except OSError as error:
            seldom("store_failed", str(error), "error")
            self.fail()
            raise Refusal("server_fault") from None
        note(table, entries)
        if what := [entry for entry in entries if is_public(entry)]:
            self.tell_all(Happened(event=table.event, what=what, view=view(table, self.present)))
        for listener in list(self.listeners):
            if not listener.watching and listener.seats != table.held_by(listener.guest):
                self.welcome(listener, table.event)

    def fail(self) -> None:
        """The table in memory may be ahead of the disk: it is forgotten, and read again when somebody returns."""
        self.is_broken = True
        asyncio.get_running_loop().call_soon(self.send_away)  # whose command it was hears first that it failed

    def send_away(self) -> None:
        for listener in list(self.listeners):
            listener.close(1011)

    # Computer players, and what goes on by itself

    def go_on(self) -> None:
        """Sees to it that somebody moves where no person has to, and that nobody waits too long."""
        self.set_clock()
        if (self.mover is None or self.mover.done()) and self.wait() is not None:
            self.mover = asyncio.create_task(self.move_on())
            self.mover.add_done_callback(report)

    def wait(self) -> float | None:
        """How many seconds until the table goes on by itself, or None where it waits for a person."""
        table = self.table
        pace = bots.PACE[table.options.pace]
        if not self.listeners or self.is_broken:
            return None
        if table.computer_on_turn:
            return pace * bots.STEP_SECONDS[table.phase]
        if table.phase == "draw":
            return (bots.DRAW_SECONDS + bots.ROUND_SECONDS * (len(table.draws) - 1)) * max(pace, 0.4)
        if table.phase == "reckoning" and all(seat.computer for seat in table.seats):
            return bots.RECKONING_SECONDS * max(pace, 0.1)
        return None

    async def move_on(self) -> None:
        while (seconds := self.wait()) is not None:
            before = self.moment()
            await self.sleep(seconds)
            if self.moment() != before:
                continue
            player = self.table.computer_on_turn
            if player:
                match, state = self.table.score.copy(), self.table.playing.state.copy()
                move = await self.think(player, self.table.rules, match, state, self.dice)
                await self.happen(before, partial(step, self.table, move, self.seed))
            else:
                await self.happen(before, partial(deal, self.table, self.seed))
            self.set_clock()  # it may be the turn of somebody absent now

    def moment(self) -> tuple[Any, ...]:
        """Changes with the game; what is said, or who sits down, does not hold it up."""
        table = self.table
        steps = len(table.playing.steps) if table.is_playing else 0
        return (table.match, len(table.card), table.phase, steps, table.computer_on_turn)

    async def happen(self, moment: tuple[Any, ...], entries: Callable[[], Iterator[Entry]]) -> None:
        async with self.lock:
            if self.moment() == moment and not self.is_broken:
                try:
                    await self.commit(happen(self.table, entries()))
                except Refusal:
                    pass
                except Exception:
                    self.fail()
                    raise

    # The clock

    def set_clock(self) -> None:
        """Starts the clock anew where the table waits for something else than before.

        A turn has one time for all its steps, however often one is taken back or a line breaks meanwhile;
        who comes back to a seat that was lent has all of it again.
        """
        wait = None if self.is_broken else wait_of(self.table, self.present, self.clocks)
        turn = (self.table.match, len(self.table.card), self.table.turn, bool(self.table.computer_on_turn))
        if turn != self.clocked:
            self.clocked, self.began = turn, self.now()
        waiting = (wait, turn) if wait else None
        if waiting == self.waiting:
            return
        self.waiting = waiting
        if self.timer:
            self.timer.cancel()
        self.timer = None
        if wait:
            self.ends_at = self.now() + wait.seconds
            if wait.seat is not None and self.clocks.turn:
                self.ends_at = min(self.ends_at, self.began + self.clocks.turn)
            self.timer = asyncio.create_task(self.run_out(wait))
            self.timer.add_done_callback(report)
        self.tell_clock()

    async def run_out(self, wait: Wait) -> None:
        """The time is up: a computer player takes the seat over, or the next hole is dealt."""
        await self.sleep(max(0.0, self.ends_at - self.now()))
        self.timer = None  # from here on it is not to be cancelled
        if wait_of(self.table, self.present, self.clocks) != wait:
            return
        if wait.seat is None:
            await self.happen(self.moment(), partial(deal, self.table, self.seed))
        else:
            await self.happen(self.moment(), partial(stand_in, self.table, wait))
        self.go_on()

    def tell_clock(self) -> None:
        clock = self.clock_now()
        if clock.why or self.told_clock.why:
            self.told_clock = clock
            self.tell_all(clock)

    def tell_clock_to(self, listener: Listener) -> None:
        if self.told_clock.why:
            self.tell(listener, self.clock_now())

    def clock_now(self) -> Clock:
        wait = self.waiting[0] if self.waiting else None
        if wait is None:
            return Clock()
        return Clock(seat=wait.seat, seconds=round(max(0.0, self.ends_at - self.now()), 1), why=wait.why)

    def now(self) -> float:
        return asyncio.get_running_loop().time()


def sealed_of(table: Table) -> Sealed | None:
    """The pack to which seeds may be added now."""
    if table.sealed is None:
        return None
    return Sealed(game=table.sealed.game, hole=table.sealed.hole, commitment=table.sealed.commitment)


def dealt_in(table: Table, entries: list[Entry]) -> tuple[str, dict[str, int]] | None:
    """The cards of the deal whose seed is shown just now, counted by face: layouts and first discard."""
    cards = table.cards
    for entry in entries:
        if isinstance(entry, Unsealed) and isinstance(cards, Deal) and cards.seal.is_of(entry):
            return table.variant.name, table.count(cards.dealt)
    return None


def note(table: Table, entries: list[Entry]) -> None:
    """The log tells of matches, not of moves."""
    for entry in entries:
        match entry:
            case Started():
                log.info("match_started", table=table.watch, match=entry.match)
            case MatchOver():
                log.info("match_over", table=table.watch, match=table.match, holes=len(table.card))
            case GivenUp():
                log.info("match_given_up", table=table.watch, match=table.match, hole=entry.hole)


def report(mover: asyncio.Task[None]) -> None:
    """Whatever stops what goes on by itself is a fault of ours, and belongs in the log."""
    if not mover.cancelled() and (error := mover.exception()):
        log.error("table_stopped", exc_info=error)
