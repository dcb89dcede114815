"""The registry of tables in use: opens them, finds them by code, loads them and removes idle ones."""

import asyncio
import math
import secrets
import sys
import time
from collections.abc import Awaitable, Callable, Coroutine, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from functools import partial
from typing import Any, ParamSpec, TypeVar

import msgspec

from mulligan.engine.chance import many_dice
from mulligan.game.rulebook import LANGUAGES
from mulligan.game.variants import Variant
from mulligan.server import bots
from mulligan.server.bot_processes import BotProcesses
from mulligan.server.limits import Guesses
from mulligan.server.log import log, log_rarely, reason
from mulligan.server.metrics import Metrics
from mulligan.server.processes import Processes
from mulligan.server.services.archive import Archive
from mulligan.server.services.cardboard import under
from mulligan.server.services.coach import Coach
from mulligan.server.services.log_parts import Slice, latest, start_since
from mulligan.server.store.errors import StoreError, Unsettled
from mulligan.server.store.knocks import NotedKnock, knocks_noted
from mulligan.server.store.people import sits
from mulligan.server.store.shared_sql import Lease, Store
from mulligan.server.store.turns import NotedTurn, turn_noted
from mulligan.server.table import take_mulligan
from mulligan.server.table.codes import CODE_LENGTH, LETTERS, WATCH_LENGTH, is_code
from mulligan.server.table.commands import happen
from mulligan.server.table.house_rules import variant_entered
from mulligan.server.table.log_entries import Opened, decode, encode
from mulligan.server.table.match_flow import seal_next
from mulligan.server.table.names import check_name, free_name
from mulligan.server.table.preview import Preview, preview
from mulligan.server.table.rights import Refusal, must_be_player, raise_seat_count
from mulligan.server.table.table import Table, match_id
from mulligan.server.table.time_limits import CLOCKS, Clocks
from mulligan.server.wire.base import Tempo
from mulligan.server.wire.coach import MulliganRequest
from mulligan.server.wire.replies import Announced
from mulligan.server.wire.tables import NewTable, SeatRequest

from .bans import Bans
from .devices import Devices
from .followed_table import FollowedTable
from .leases import Leases
from .live_table import LiveTable
from .turn_clock import report

P = ParamSpec("P")
T = TypeVar("T")

TRIES = 5
STARTED, HOLE_OVER = b'"is":"Started"', b'"is":"HoleOver"'  # in the log of a table with a match, and after each hole
PREVIEW_COMMAND = (sys.executable, "-m", "mulligan.server.rooms.preview_worker")
read_preview = msgspec.json.Decoder(Preview).decode
PATIENCE = 60.0  # seconds to read a preview
COACH_AFTER = 3.0  # seconds after the start before the coach uses the processors, so that players reconnect first
MOST_KNOWN = 20_000  # guests who came with a right link
MOST_LOST = 1000  # lost entries of one table; larger claims are capped
MOST_WENT_BACK = 1000  # tables; anyone can claim to know some
READ_AGAIN = 10.0  # seconds, if other processes may ban guests and announce something in the same store
IDLE_SECONDS = 600.0
IDLE_SHARED = 20.0  # in a shared store: its spectators at other processes wait for a new owner
READERS = 4  # threads that read a shared store
LONG = 5000  # entries in a log that the event loop can read at once; longer logs are read in another thread


class Registry:
    """The tables that one server has in use. Seeds, the clock and random letters are passed in."""

    def __init__(
        self,
        store: Store,
        seed: Callable[[], bytes] = lambda: secrets.token_bytes(32),
        clock: Callable[[], float] = time.time,
        clocks: Mapping[Tempo, Clocks] = CLOCKS,
        letter: Callable[[str], str] = secrets.choice,
        thinkers: BotProcesses | None = None,
        coach: Coach | None = None,
        metrics: Metrics | None = None,
        name: str = "",
    ) -> None:
        self.store = store
        self.readers = ThreadPoolExecutor(READERS, "reader")
        self.archive = Archive(store)
        self.seed = seed
        self.clock = clock
        self.clocks = clocks
        self.letter = letter
        self.thinkers = thinkers or BotProcesses()
        self.coach = coach or Coach()
        self.tables: dict[str, LiveTable] = {}
        self.loading: dict[str, asyncio.Task[LiveTable | None]] = {}
        self.is_warm = asyncio.Event()
        self.tasks: set[asyncio.Task[None]] = set()
        self.early = Processes(PREVIEW_COMMAND, 1, PATIENCE)  # reads previews while the server starts
        self.reading_early = asyncio.Lock()
        self.previews: dict[str, asyncio.Task[Preview | None]] = {}
        self.opened: set[str] = set()  # since the start of the server
        self.known: dict[str, str] = {}  # the tables of the guests who came with a right link; the latest are last
        self.went_back: dict[str, int] = {}  # lost log entries by table code
        self.followed: dict[str, FollowedTable] = {}  # tables of other processes
        self.leases = Leases(store, name or secrets.token_hex(8), self.tables, self.followed)
        self.bans = Bans(store)
        self.devices = Devices(store)
        self.announcement = ""  # shown on every page
        self.post = asyncio.Event()  # set after a commit with messages for guests, for which postman.py waits
        self.metrics = metrics or Metrics()
        self.metrics.tables.set_function(lambda: len(self.tables))
        self.metrics.coach_waiting.set_function(lambda: self.coach.waiting)

    async def open(self) -> None:
        """Starts the background tasks. Raises StoreError."""
        bots.load_numba()
        await self.ask(self.bans.read)
        await self.ask(self.devices.read)
        self.announcement = await self.ask(self.store.announcement)
        self.begin(self.warm_up())
        if self.store.is_shared:
            self.begin(self.leases.keep_on())
            self.begin(self.learn_from_others())

    def begin(self, work: Coroutine[Any, Any, None]) -> None:
        """Runs a coroutine in the background until the registry is closed."""
        task = asyncio.create_task(work)
        self.tasks.add(task)
        task.add_done_callback(self.tasks.discard)
        task.add_done_callback(report)

    async def close(self) -> None:
        """Stops all background work and waits until everything is on disk."""
        for live in self.tables.values():
            live.rest()
        tasks = [*self.tasks, *self.loading.values(), *self.previews.values()]
        for task in tasks:
            task.cancel()
        if tasks:
            await asyncio.wait(tasks)
        await self.early.close()
        await self.thinkers.close()
        await self.coach.close()
        if self.store.is_shared:
            with suppress(OSError):
                await asyncio.to_thread(self.store.end_leases, self.leases.name)
        self.readers.shutdown(wait=False)
        self.archive.readers.shutdown(wait=False)
        await asyncio.to_thread(self.store.close)

    async def has_started(self, patience: float) -> bool:
        """Waits up to `patience` seconds for the start to finish. Returns True if it has."""
        with suppress(TimeoutError):
            await asyncio.wait_for(self.is_warm.wait(), patience)
        return self.is_warm.is_set()

    async def warm_up(self) -> None:
        """Loads the code that tables need, in a thread; players that think elsewhere are loaded there."""
        await asyncio.to_thread(bots.warm_up, self.thinkers.quick)
        self.is_warm.set()
        async with self.reading_early:
            await self.early.close()
        self.previews.clear()
        await asyncio.sleep(COACH_AFTER)
        await self.coach.prepare()

    async def open_table(self, wish: NewTable, guest: str) -> Table:
        """Opens a table for a guest. Raises Refusal."""
        variant = variant_entered(wish.game, wish.house_rules, wish.language)
        seats = check_seats(wish, variant)
        language = wish.language if wish.language in LANGUAGES else ""
        house_rules = dict(variant.match)
        opened = Opened(
            "", "", wish.game, guest, seats, wish.options, variant.text, language=language, house_rules=house_rules
        )
        return await self.set_up(opened)

    async def open_practice(self, game: str, wish: MulliganRequest, guest: str) -> Table:
        """Opens a practice table for a guest from a position of a finished match. Raises Refusal."""
        return await self.set_up(await self.archive.ask(self.archive.practice, game, wish, guest))

    async def keep_entered(self, finished: list[bytes]) -> str:
        """Saves the log of a game with real cards, compressed, and returns the game's id. Raises Refusal."""
        opened = decode(finished[0])
        assert isinstance(opened, Opened)

        async def named(code: str, watch: str) -> list[bytes]:
            return under(finished, code, watch)

        watch, _ = await self.keep(opened.game, opened.owner, named, is_complete=True)
        holes = sum(HOLE_OVER in entry for entry in finished)
        log.info("game_entered", table=watch, game=opened.game, seats=len(opened.seats), holes=holes)
        return match_id(watch, 1)

    async def set_up(self, opened: Opened) -> Table:
        """Opens a table with new codes and starts it if it is for practice. Raises Refusal."""

        async def begun(code: str, watch: str) -> list[bytes]:
            opened.table, opened.watch = code, watch
            table = Table([opened])
            begin = take_mulligan.begin(table, self.seed) if opened.position else seal_next(table, self.seed)
            return list(map(encode, [opened, *happen(table, begin)]))

        _, entries = await self.keep(opened.game, opened.owner, begun)
        table = Table(map(decode, entries))
        self.opened.add(table.code)
        if not self.store.is_shared:  # else the process that its players reach
            self.take_in(table)
        tempo, seats = opened.options.tempo, len(opened.seats)
        log.info("table_opened", table=table.watch, game=opened.game, seats=seats, tempo=tempo)
        return table

    async def keep(
        self,
        game: str,
        owner: str,
        log_under: Callable[[str, str], Awaitable[list[bytes]]],
        is_complete: bool = False,
    ) -> tuple[str, list[bytes]]:
        """Writes the log of a new table, and returns its spectators' code and the log. Raises Refusal.

        A complete log, to which nothing will be added, is compressed.
        `log_under` makes the log for a pair of codes; it is called again if one of them is taken.
        """
        for _ in range(TRIES):
            code, watch = self.new_code(CODE_LENGTH), self.new_code(WATCH_LENGTH)
            entries = await log_under(code, watch)
            also = sits(owner, code)
            add = partial(self.store.open_table, code, watch, game, self.clock(), entries, is_complete, also)
            try:
                await asyncio.wrap_future(await asyncio.to_thread(add) if is_complete else add())
            except StoreError as error:
                failure = error
            else:
                return watch, entries
        log_rarely("store_failed", reason(failure), "error")
        raise Refusal("server_fault")

    def new_code(self, length: int) -> str:
        return "".join(self.letter(LETTERS) for _ in range(length))

    async def ask(self, read: Callable[P, T], *args: P.args, **kwargs: P.kwargs) -> T:
        """Reads from the store: at once from a file, and in a thread from a database that may be slow."""
        if not self.store.is_shared:
            return read(*args, **kwargs)
        return await asyncio.get_running_loop().run_in_executor(self.readers, partial(read, *args, **kwargs))

    async def live_table(self, code: str) -> LiveTable | None:
        """Returns the table of a code, loading it if necessary, or None. Raises Refusal if its log is damaged."""
        code = code.upper()
        if not is_code(code, CODE_LENGTH):
            return None
        live = self.tables.get(code)
        if live and live.log.lease and not live.is_broken:
            with self.archive.legible(code):
                if not await self.ask(self.store.holds, code, live.log.lease):  # what it shows may be old
                    self.leases.drop([live], "taken_over")
        if live is None or live.is_broken:
            if code not in self.loading:
                self.loading[code] = asyncio.create_task(self.load(code))
            live = await asyncio.shield(self.loading[code])
        return live

    async def learn_from_others(self) -> None:
        """Learns of the bans, devices and announcements of other processes while there are tables here."""
        while True:
            await self.leases.is_needed.wait()
            await asyncio.sleep(READ_AGAIN)
            with suppress(StoreError):  # next time
                guests, shown = self.bans.guests, self.announcement
                await asyncio.to_thread(self.bans.read)
                await asyncio.to_thread(self.devices.read)
                for guest in self.bans.guests - guests:
                    await self.shut_out(guest)
                text = await asyncio.to_thread(self.store.announcement)
                if text != shown == self.announcement:  # else it was announced here meanwhile
                    await self.announce(text)

    async def announce(self, text: str) -> int:
        """Shows a text to everyone who is connected here now or later. Returns how many are now."""
        self.announcement = text
        told = 0
        tables = self.tables.values(), self.followed.values()
        for listeners in [table.listeners for some in tables for table in some]:
            told += len(listeners)
            listeners.tell_all(Announced(text=text))
            await asyncio.sleep(0)  # games go on meanwhile
        return told

    async def shut_out(self, guest: str) -> None:
        """Removes a banned guest from all tables in memory."""
        for followed in self.followed.values():
            followed.listeners.send_away("banned", guest)
        for live in list(self.tables.values()):
            with suppress(Refusal, Unsettled):  # nothing was written, and everyone there is disconnected
                await live.shut_out(guest)

    async def knock_nowhere(self, guest: str) -> None:
        """Ends all knocks of a guest who is someone else now, or nobody. Raises Refusal and StoreError."""
        await asyncio.wrap_future(self.store.knock_nowhere(guest))
        for live in list(self.tables.values()):
            await live.knocks.withdraw(guest)

    async def find(self, code: str, watching: bool, guest: str, address: str, guesses: Guesses) -> str:
        """Returns the code of the requested table. Raises Refusal if there is none, or after too many guesses.

        A right code is found however many wrong ones came from the same address, which may be that of a school. Seated
        guests and the owner find their table also by old links, which are closed to new guests.
        """
        found = await (self.watched if watching else self.found)(code)
        if found and not watching and await self.link_of(found) != code.upper():
            seen = await self.look(found)
            if seen is None or not seen.is_home_of(guest):
                if seen and guest in seen.removed:
                    raise Refusal("shown_out")
                found = None
        if found is None:
            if wait := guesses.miss(address, f"{'w' if watching else 't'}/{code[:20].upper()}"):
                raise Refusal("too_fast", seconds=math.ceil(wait))
            raise Refusal("table_gone", table=code[:20])
        self.know(guest, found)
        return found

    async def guest_of(self, device: str) -> str:
        """Returns the guest for whom a device stands. Raises Refusal if that cannot be read."""
        with self.archive.legible():
            return await self.devices.find(device)

    def know(self, guest: str, code: str) -> None:
        """Remembers that a guest came with a right link to a table."""
        self.known.pop(guest, None)
        self.known[guest] = code
        while len(self.known) > MOST_KNOWN:
            del self.known[next(iter(self.known))]

    async def load(self, code: str) -> LiveTable | None:
        """Loads a table. During the start, a table with a match waits for compiled code."""
        try:
            with self.archive.legible(code):
                if not self.is_warm.is_set():
                    known = await self.ask(latest, self.store, code)
                    if known.state or any(STARTED in entry for entry in known.entries):
                        await self.is_warm.wait()
                lease = None
                if self.store.is_shared:  # first: once it is taken, nobody else can write
                    lease = await self.ask(self.store.take_lease, code, self.leases.name)
                known = await self.ask(latest, self.store, code)
                table = await replayed(known)
                if table and (start := start_since(table, known.state.event + 1 if known.state else 0)):
                    self.store.keep_start(code, start, lease)
                hours = await self.ask(self.store.hours_without_host, code)
                by_turns = table is not None and table.is_by_turns
                noted = await self.ask(turn_noted, self.store, code) if by_turns else None
                knocks = await self.ask(knocks_noted, self.store, code) if by_turns else []
            return self.take_in(table, lease, hours * 3600.0, noted, knocks) if table else None
        finally:
            del self.loading[code]

    async def found(self, code: str) -> str | None:
        """Returns the original code for a link's code, or None if there is no such table. Raises Refusal."""
        code = code.upper()
        if not is_code(code, CODE_LENGTH):
            return None
        with self.archive.legible(code):
            return code if code in self.tables else await self.ask(self.store.table_of, code)

    async def link_of(self, code: str) -> str:
        """Returns the code in a table's current link for its original code. Raises Refusal."""
        if live := self.tables.get(code):
            return live.table.link
        with self.archive.legible(code):
            return await self.ask(self.store.link_of, code)

    async def watched(self, watch: str) -> str | None:
        """Returns the original code of the table with a current spectators' code, or None. Raises Refusal."""
        watch = watch.upper()
        if not is_code(watch, WATCH_LENGTH):
            return None
        with self.archive.legible():
            return await self.ask(self.store.watched, watch)

    async def named(self, watch: str) -> str | None:
        """Returns the original code of the table that logs and matches call by a spectators' code. Raises Refusal."""
        with self.archive.legible():
            return await self.ask(self.store.code_of, watch.upper())

    async def look(self, code: str) -> Preview | None:
        """Returns a preview of a table, even while the server starts, or None. Raises Refusal."""
        if not self.is_warm.is_set() and (found := await self.found(code)) and (seen := await self.preview(found)):
            return seen
        if self.store.is_shared and code not in self.tables:  # looking is no reason to take the table over
            with self.archive.legible(code):
                table = await replayed(await self.ask(latest, self.store, code))
            return preview(table) if table else None
        live = await self.live_table(code)
        return preview(live.table) if live else None

    async def watched_table(self, code: str) -> LiveTable | FollowedTable | None:
        """Returns a table for a spectator: without taking it over, if another process has it. Raises Refusal."""
        if not self.store.is_shared or (code in self.tables and not self.tables[code].is_broken):
            return await self.live_table(code)
        if code in self.followed:
            return self.followed[code]
        with self.archive.legible(code):
            if (lease := await self.lease_elsewhere(code)) is None:
                return await self.live_table(code)
            table = await replayed(await self.ask(latest, self.store, code))
            if table and code not in self.followed:  # still
                self.followed[code] = FollowedTable(table, self.store, self.leases, lease)
                self.begin(self.follow(self.followed[code]))
            return self.followed.get(code)

    async def lease_elsewhere(self, code: str) -> Lease | None:
        """Returns the lease of another process that owns the table and may be alive, or None."""
        if not self.store.is_shared:
            return None
        self.leases.wake()
        lease = await self.ask(self.store.lease_of, code)
        return lease if self.leases.is_other(lease.owner) else None

    async def is_surely_elsewhere(self, code: str) -> bool:
        """True if another living process owns the table.

        Waits for a heartbeat: a process without tables listens to none, and would take a dead owner for a living one.
        """
        if not self.store.is_shared:
            return False
        owner = (await self.ask(self.store.lease_of, code)).owner
        return owner != self.leases.name and await self.leases.is_heard(owner)

    async def is_ours(self, code: str) -> bool:
        """True if this process sees to a table: it has the table, or leads and no living process has it."""
        live = self.tables.get(code)
        if (live and not live.is_broken) or not self.store.is_shared:
            return True
        return await asyncio.to_thread(self.store.leads) and not await self.is_surely_elsewhere(code)

    async def follow(self, followed: FollowedTable) -> None:
        """Keeps a table of another process up to date for its spectators here."""
        try:
            await followed.follow()
        finally:
            del self.followed[followed.table.code]
            followed.end()

    async def preview(self, code: str) -> Preview | None:
        """Returns a preview from a worker process without compiled code, or None if that failed."""
        if code not in self.previews:
            self.previews[code] = asyncio.create_task(self.read_early(code))
        return await asyncio.shield(self.previews[code])

    async def read_early(self, code: str) -> Preview | None:
        async with self.reading_early:
            try:
                known = await asyncio.to_thread(latest, self.store, code)
                if self.is_warm.is_set():
                    return None
                line = msgspec.json.encode((list(map(msgspec.Raw, known.entries)), known.opened, known.state))
                return read_preview(await self.early.ask(line))
            except (OSError, TimeoutError, msgspec.MsgspecError):
                return None

    def compare(self, live: LiveTable, guest: str, known: int) -> None:
        """Detects lost log entries: a seated player's client knows events that the log does not contain.

        Clients can lie, so a table counts only once, and only if it was opened before the server started.
        """
        code, lost = live.table.code, known - live.table.event
        if lost <= 0 or code in self.opened or code in self.went_back:
            return
        if live.table.held_by(guest):
            self.went_back[code] = min(lost, MOST_LOST)
            self.metrics.lost_entries.inc(self.went_back[code])
            log.error("log_went_back", table=live.table.watch, entries=self.went_back[code])

    async def miss(self, code: str, known: int) -> None:
        """Detects a lost table: a client knows events of one that is not there, and that was not deleted."""
        code = code.upper()
        if known <= 0 or not is_code(code, CODE_LENGTH) or len(self.went_back) >= MOST_WENT_BACK:
            return
        with self.archive.legible(code):
            was_deleted = await self.ask(self.store.was_link, code)
        if not was_deleted and code not in self.went_back:
            self.went_back[code] = min(known, MOST_LOST)
            self.metrics.lost_entries.inc(self.went_back[code])
            log_rarely("log_went_back", "a table is gone", "error", entries=self.went_back[code])

    def take_in(
        self,
        table: Table,
        lease: Lease | None = None,
        host_left: float = 0.0,
        noted: NotedTurn | None = None,
        knocks: Sequence[NotedKnock] = (),
    ) -> LiveTable:
        """Adds a table to the registry, and removes it again if it stays unused.

        `host_left` is for how many seconds of running time its owner has been absent; `noted` is the turn of a table by
        turns, as the store knows it, and `knocks` who knocks there.
        """
        dice = many_dice(int.from_bytes(self.seed()[:8], "big"), 1)[0]
        live = self.tables[table.code] = LiveTable(
            table,
            self.store,
            self.seed,
            dice,
            self.clock,
            self.clocks,
            think=self.thinkers.think,
            metrics=self.metrics,
            lease=lease,
            host_left=host_left,
            noted=noted,
            wake_post=self.post.set,
            knocks=knocks,
        )
        self.put_away_later(live)
        if lease:
            self.leases.wake()
        return live

    def put_away_later(self, live: LiveTable) -> None:
        """Schedules the removal of an idle table; its log remains."""
        seconds = IDLE_SHARED if self.store.is_shared else IDLE_SECONDS
        asyncio.get_running_loop().call_later(seconds, self.put_away, live)

    def put_away(self, live: LiveTable) -> None:
        code = live.table.code
        if self.tables.get(code) is not live:
            return
        if live.is_idle:
            del self.tables[code]
            if live.log.lease:
                self.store.release(code, live.log.lease)
        elif not live.listeners:
            self.put_away_later(live)


def replay(known: Slice) -> Table | None:
    """Returns the table at the end of its log, or None if there is no log."""
    if not known.entries:
        return None
    table = known.table()
    table.go_on(map(decode, known.entries))
    return table


async def replayed(known: Slice) -> Table | None:
    """Replays a log: a long one in a thread, so that other tables need not wait."""
    return replay(known) if len(known.entries) < LONG else await asyncio.to_thread(replay, known)


def check_seats(wish: NewTable, variant: Variant) -> list[SeatRequest]:
    """Returns the requested seats, each with a unique name. Raises Refusal."""
    if len(wish.seats) not in variant.seats:
        raise_seat_count(variant, len(wish.seats))
    taken: list[str] = []
    seats: dict[int, SeatRequest] = {}
    people_first = sorted(range(len(wish.seats)), key=lambda number: wish.seats[number].kind == "computer")
    for number in people_first:
        seat = wish.seats[number]
        if seat.kind == "friend":
            seats[number] = SeatRequest(kind="friend")
            continue
        name = seat.name
        if seat.kind == "computer":
            must_be_player(seat.player)
            name = free_name(name or seat.player.capitalize(), taken)
        taken.append(check_name(name, taken))
        player = seat.player if seat.kind == "computer" else ""
        seats[number] = SeatRequest(kind=seat.kind, name=taken[-1], player=player)
    return [seats[number] for number in range(len(wish.seats))]
