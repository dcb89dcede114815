"""A table's log: entries are written to disk, and only then sent to the clients."""

import asyncio
import math
from collections.abc import Callable, Iterator
from typing import Any, TypeAlias

from mulligan.game.changed_facts import changed, rests_on
from mulligan.game.variants import packs_for
from mulligan.server.log import log, log_rarely, reason
from mulligan.server.metrics import Committing, Metrics
from mulligan.server.services.log_parts import start_since
from mulligan.server.store.errors import LeaseLost, Unsettled
from mulligan.server.store.shared_sql import Dealing, Lease, Store
from mulligan.server.store.turns import NotedTurn
from mulligan.server.store.writer import Written
from mulligan.server.table.commands import happen
from mulligan.server.table.log_entries import Entry, Linked, WatchLinked, encode
from mulligan.server.table.pack import Deal
from mulligan.server.table.rights import Refusal
from mulligan.server.table.table import Table
from mulligan.server.wire.events import GivenUp, MatchOver, Started, Unsealed
from mulligan.server.wire.view import Step

from .listeners import Answer, Listeners
from .people_noted import people_in
from .turns_noted import TurnsNoted

TOUCH_SECONDS = 3600.0
FAULT, MOVED = 1011, 1012  # the codes with which sockets are closed: a failure, and another process goes on

Moment: TypeAlias = tuple[Any, ...]


class TableLog:
    """Writes the log of one table. `lock` admits one change at a time."""

    def __init__(
        self,
        table: Table,
        store: Store,
        listeners: Listeners,
        metrics: Metrics,
        clock: Callable[[], float],
        lease: Lease | None = None,
        noted: NotedTurn | None = None,
        wake_post: Callable[[], None] = lambda: None,
    ) -> None:
        self.table = table
        self.turns = TurnsNoted(table, noted)
        self.wake_post = wake_post  # after something of which someone may have to be told
        self.store = store
        self.listeners = listeners
        self.metrics = metrics
        self.clock = clock
        self.lease = lease  # to write in a store that several processes share
        self.lock = asyncio.Lock()
        self.loop = asyncio.get_running_loop()  # kept, since to ask for it is a system call
        self.is_broken = False  # the table may be ahead of the disk; nothing more is written
        self.closing_code = FAULT  # for the sockets of a broken table
        self.touched = self.host_touched = -math.inf

    async def write(self, entries: list[Entry], answer: Answer | None = None) -> None:
        """Writes entries to disk, then sends them to all clients, and their answer to the one who caused them.

        Raises Refusal if the disk fails, and Unsettled.
        """
        if not entries:
            return
        table = self.table
        first = table.event - len(entries) + 1
        try:
            written = [encode(entry) for entry in entries]
            link = next((entry.code for entry in entries if isinstance(entry, Linked)), "")
            watch = next((entry.code for entry in entries if isinstance(entry, WatchLinked)), "")
            dealt = dealt_in(table, entries)
            start = start_since(table, first - 1)
            also = people_in(table, entries, self.clock) + self.turns.after(entries)
            with Committing(self.metrics):
                await asyncio.wrap_future(
                    self.store.append(table.code, first, written, dealt, link, self.lease, start, also, watch)
                )
        except Unsettled as error:
            if isinstance(error, LeaseLost):
                log.info("lease_lost", table=table.watch, why="taken_over")
            else:
                log_rarely("store_failed", reason(error), "error")
            self.fail(MOVED)
            raise
        except OSError as error:
            log_rarely("store_failed", reason(error), "error")
            if self.store.is_well:  # then it is this table alone
                self.metrics.failing.add(table.code)
            self.fail()
            raise Refusal("server_fault") from None
        self.metrics.failing.discard(table.code)
        if also:
            self.wake_post()
        note(table, entries)
        self.metrics.moves.inc(sum(isinstance(entry, Step) for entry in entries))
        self.listeners.tell_entries(entries, answer)

    async def happen_at(self, moment: Moment, entries: Callable[[], Iterator[Entry]]) -> None:
        """Writes what happens without a command, if the game is still where it was at `moment`."""
        async with self.lock:
            if moment_of(self.table) == moment and not self.is_broken:
                try:
                    await self.write(happen(self.table, entries()))
                except (Refusal, Unsettled):
                    pass
                except Exception:
                    self.fail()
                    raise

    def fail(self, code: int = FAULT) -> None:
        """Drops the table, which may be ahead of the disk; it is read again when a client reconnects."""
        self.is_broken = True
        self.closing_code = code
        send_away = self.listeners.close_all
        self.loop.call_soon(send_away, code)  # after the response to the failed command

    def touch(self) -> None:
        """Records that the table is in use, and that its owner is there, each at most once an hour."""
        now, is_host_there = self.loop.time(), self.table.owner in self.listeners.present
        if now - (self.host_touched if is_host_there else self.touched) > TOUCH_SECONDS:
            self.touched = now
            if is_host_there:
                self.host_touched = now
            self.store.touch(self.table.code, is_host_there).add_done_callback(self.touch_again)

    def touch_again(self, written: Written) -> None:
        """If the disk failed, lets the next command try again."""
        if written.exception():
            self.touched = self.host_touched = -math.inf


def moment_of(table: Table) -> Moment:
    """Returns a value that changes with the game, but not with chat or seat changes."""
    steps = len(table.playing.steps) if table.is_playing else 0
    return (table.match, len(table.card), table.phase, steps, table.computer_on_turn)


def dealt_in(table: Table, entries: list[Entry]) -> Dealing | None:
    """Returns the cards of the deal whose seed is revealed by these entries, or None.

    House rules for the pack (1.2) make it another pack, which is not counted.
    """
    cards = table.cards
    for entry in entries:
        if isinstance(entry, Unsealed) and isinstance(cards, Deal) and cards.seal.is_of(entry):
            rules = table.game_rules
            if rules.unpatched and rests_on(("copies", "packs"), changed(rules.unpatched, rules.facts)):
                return None
            return Dealing(table.variant.name, packs_for(rules.facts, len(table.seats)), table.count(cards.dealt))
    return None


def note(table: Table, entries: list[Entry]) -> None:
    """Logs matches, but no moves."""
    for entry in entries:
        match entry:
            case Started():
                log.info("match_started", table=table.watch, match=entry.match)
            case MatchOver():
                log.info("match_over", table=table.watch, match=table.match, holes=len(table.card))
            case GivenUp():
                log.info("match_given_up", table=table.watch, match=table.match, hole=entry.hole)
