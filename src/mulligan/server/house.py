"""All tables in use: opened, found again by their codes, and put away when everybody has gone."""

import asyncio
import secrets
import sys
import time
from asyncio.subprocess import DEVNULL
from collections.abc import Callable, Mapping, Sequence
from functools import lru_cache
from typing import Any

import msgspec

from ..engine.chance import many_dice
from ..variants import load
from . import bots, cardboard, finished, practice, shuffles
from .clocks import CLOCKS, Clocks
from .coach import Coach
from .coaching import Analysis, Hint, MulliganWish
from .commands import happen
from .entries import Opened, decode, encode
from .facts import games
from .kitchen import CardboardGame, CardboardPosition
from .log import log, seldom
from .messages import FinishedGame, Frequency, HoleReplay, NewTable, SeatWish, ShuffleBook, Tempo
from .names import check_name, free_name
from .play import seal_next
from .rights import Refusal, must_be_player, raise_seat_count
from .room import Room
from .store import Store, StoreError
from .table import RESTS, Table, match_id, variant_of
from .thinkers import Thinkers

LETTERS = "BCDFGHJKLMNPQRSTVWXZ23456789"  # no vowels, so no words; nothing to mistake for another
CODE_LENGTH, WATCH_LENGTH = 6, 8
TRIES = 5
IDLE_SECONDS = 600.0
DAY = 86_400.0
GIVEN_UP_AFTER = 30 * DAY  # when nobody came back to a match
REMOVED_AFTER = 90 * DAY
LONG = 5000  # entries of a log, some 20 ms to read; a longer one is read aside
TIDY_EVERY = 3600.0


class House:
    """The rooms of one server. Seeds, the clock and the letters of a code come in from outside."""

    def __init__(
        self,
        store: Store,
        seed: Callable[[], bytes] = lambda: secrets.token_bytes(32),
        clock: Callable[[], float] = time.time,
        clocks: Mapping[Tempo, Clocks] = CLOCKS,
        letter: Callable[[str], str] = secrets.choice,
        thinkers: Thinkers | None = None,
        coach: Coach | None = None,
    ) -> None:
        self.store = store
        self.seed = seed
        self.clock = clock
        self.clocks = clocks
        self.letter = letter
        self.thinkers = thinkers or Thinkers()
        self.coach = coach or Coach()
        self.rooms: dict[str, Room] = {}
        self.loading: dict[str, asyncio.Task[Room | None]] = {}
        self.is_warm = asyncio.Event()
        self.tasks: list[asyncio.Task[None]] = []
        self.tidied: set[str] = set()
        self.finished = lru_cache(maxsize=64)(self.read_finished)
        self.replay = lru_cache(maxsize=64)(self.read_replay)

    def open(self) -> None:
        """What goes on by itself in the house begins."""
        self.tasks = [asyncio.create_task(work) for work in (self.warm_up(), self.keep_tidy())]

    async def close(self) -> None:
        """Nothing goes on by itself any more, and everything that has happened is on disk."""
        for room in self.rooms.values():
            room.rest()
        for task in self.tasks:
            task.cancel()
        if self.tasks:
            await asyncio.wait(self.tasks)
        await self.thinkers.close()
        await self.coach.close()
        await asyncio.to_thread(self.store.close)

    async def keep_tidy(self) -> None:
        """Matches that nobody came back to are given up, and later their tables cleared away."""
        while True:
            try:
                await self.tidy()
            except OSError as error:
                log.error("housekeeping_failed", exc_info=error)
            await asyncio.sleep(TIDY_EVERY)

    async def tidy(self) -> None:
        now = self.clock()
        given_up = removed = 0
        forgotten = await asyncio.to_thread(self.store.untouched, now - GIVEN_UP_AFTER)
        self.tidied.intersection_update(forgotten)  # somebody came back to the others
        for code in forgotten:
            room = None if code in self.tidied else await self.room(code)
            if room and not room.listeners:
                await room.give_up()
                if not room.is_broken:  # the disk failed: once more in an hour
                    self.tidied.add(code)
                given_up += 1
        for code in await asyncio.to_thread(self.store.untouched, now - REMOVED_AFTER):
            used = self.rooms.get(code)
            if used is None or not used.listeners:
                self.rooms.pop(code, None)
                self.tidied.discard(code)
                await asyncio.wrap_future(self.store.remove(code))
                removed += 1
        if given_up or removed:
            log.info("housekeeping", looked_after=given_up, removed=removed)

    async def warm_up(self) -> None:
        """Compiles what the first move would have to wait for.

        The first time another process does it, and leaves it in the cache: here it would hold up
        everybody, and could not be stopped. After that there is only the cache to read.
        """
        if not bots.is_compiled():
            compiling = await asyncio.create_subprocess_exec(sys.executable, "-m", bots.__name__, stderr=DEVNULL)
            try:
                await compiling.wait()
            except asyncio.CancelledError:
                compiling.kill()
                await compiling.wait()
                raise
        await asyncio.to_thread(bots.warm_up)
        self.is_warm.set()
        await self.coach.prepare()

    async def open_table(self, wish: NewTable, guest: str) -> Table:
        """Sets up a table for the guest who asks for it. Raises Refusal."""
        seats = check_seats(wish)
        return await self.set_up(Opened("", "", wish.game, guest, seats, wish.options, load(wish.game).text))

    async def open_practice(self, game: str, wish: MulliganWish, guest: str) -> Table:
        """Sets up a table for the guest to play on at from a position of a finished game. Raises Refusal."""
        card, _ = await asyncio.to_thread(self.finished, game)
        entries, match = await asyncio.to_thread(self.log_of, game)
        opened = await asyncio.to_thread(practice.opened, map(decode, entries), card.id, match, wish, guest)
        return await self.set_up(opened)

    async def advise_told(self, told: CardboardGame, admit: Callable[[], None]) -> Hint:
        """What the moves are worth where a game with real cards stands. Raises Refusal."""
        game, hole = await asyncio.to_thread(cardboard.deciding, told)
        moves = await self.coach.rank(game.variant, hole.state, game.at_table, admit)
        return Hint(event=0, seat=game.at_table[hole.turn], phase=RESTS[hole.sight.phase], moves=moves)

    async def advise_position(self, told: CardboardPosition, admit: Callable[[], None]) -> Hint:
        """What the moves are worth on a table as it lies. Raises Refusal."""
        variant, state = await asyncio.to_thread(cardboard.position_told, told)
        moves = await self.coach.rank(variant, state, range(len(told.layouts)), admit)
        return Hint(event=0, seat=told.turn, phase=RESTS[int(state.phase)], moves=moves)

    async def keep_told(self, told: CardboardGame) -> str:
        """Keeps what is over of a game with real cards as a finished game, and returns its id. Raises Refusal."""
        told = await asyncio.to_thread(cardboard.kept, told)
        for _ in range(TRIES):
            code, watch = self.new_code(CODE_LENGTH), self.new_code(WATCH_LENGTH)
            log_told = await asyncio.to_thread(cardboard.log_of, told, code, watch)
            written = [encode(entry) for entry in log_told]
            try:
                await asyncio.wrap_future(self.store.open_table(code, watch, told.game, self.clock(), written))
            except StoreError as error:
                failure = error
            else:
                log.info("game_told", table=watch, game=told.game, seats=len(told.players), holes=len(told.holes))
                return match_id(watch, 1)
        seldom("store_failed", str(failure), "error")
        raise Refusal("server_fault")

    async def set_up(self, opened: Opened) -> Table:
        """A new table under codes that nobody has yet; one for practice begins at once."""
        for _ in range(TRIES):
            opened.table, opened.watch = self.new_code(CODE_LENGTH), self.new_code(WATCH_LENGTH)
            table = Table([opened])
            begin = practice.begin(table, self.seed) if opened.position else seal_next(table, self.seed)
            written = [encode(entry) for entry in [opened, *happen(table, begin)]]
            try:
                future = self.store.open_table(opened.table, opened.watch, opened.game, self.clock(), written)
                await asyncio.wrap_future(future)
            except StoreError as error:
                failure = error
            else:
                self.take_in(table)
                tempo, seats = opened.options.tempo, len(opened.seats)
                log.info("table_opened", table=table.watch, game=opened.game, seats=seats, tempo=tempo)
                return table
        seldom("store_failed", str(failure), "error")
        raise Refusal("server_fault")

    def new_code(self, length: int) -> str:
        return "".join(self.letter(LETTERS) for _ in range(length))

    async def room(self, code: str) -> Room | None:
        """The table of that code, read from its log where it is not in use."""
        code = code.upper()
        if not is_code(code, CODE_LENGTH):
            return None
        room = self.rooms.get(code)
        if room is None or room.is_broken:
            if code not in self.loading:
                self.loading[code] = asyncio.create_task(self.load(code))
            room = await asyncio.shield(self.loading[code])
        return room

    async def load(self, code: str) -> Room | None:
        try:
            if self.store.length(code) < LONG:
                table = self.read_table(code)
            else:
                table = await asyncio.to_thread(self.read_table, code)
            return self.take_in(table) if table else None
        finally:
            del self.loading[code]

    async def watched(self, watch: str) -> Room | None:
        """The table that spectators know by that code."""
        watch = watch.upper()
        if not is_code(watch, WATCH_LENGTH):
            return None
        code = await asyncio.to_thread(self.store.code_of, watch)
        return await self.room(code) if code else None

    def take_in(self, table: Table) -> Room:
        """A table comes into use, and goes out of it again should nobody look at it."""
        dice = many_dice(int.from_bytes(self.seed()[:8], "big"), 1)[0]
        room = self.rooms[table.code] = Room(
            table, self.store, self.seed, dice, self.clock, self.clocks, think=self.thinkers.think
        )
        self.put_away_later(room)
        return room

    def read_table(self, code: str) -> Table | None:
        entries = self.store.entries(code)
        try:
            return Table(decode(entry) for entry in entries) if entries else None
        except (ValueError, msgspec.MsgspecError) as error:
            log.error("table_unreadable", table=self.store.watch_of(code), exc_info=error)
            return None

    def put_away_later(self, room: Room) -> None:
        """Forgets a table nobody looks at for a while; its log stays."""
        asyncio.get_running_loop().call_later(IDLE_SECONDS, self.put_away, room)

    def put_away(self, room: Room) -> None:
        if not room.listeners and not room.lock.locked() and self.rooms.get(room.table.code) is room:
            del self.rooms[room.table.code]

    def read_finished(self, game: str) -> tuple[FinishedGame, dict[str, Any]]:
        """The score card and the record of a finished game. Raises Refusal."""
        entries, match = self.log_of(game)
        found = finished.read(map(decode, entries), match)
        if found is None:
            raise Refusal("game_gone", game=game)
        return found

    def read_replay(self, game: str, hole: int) -> HoleReplay:
        """The positions of one hole of a finished game. Raises Refusal."""
        card, _ = self.finished(game)
        entries, match = self.log_of(game)
        replay = finished.replay(map(decode, entries), card.id, match, hole)
        if replay is None:
            raise Refusal("hole_gone", hole=hole)
        return replay

    def read_shuffles(self, game: str) -> ShuffleBook:
        """All shuffles of a match so far. Raises Refusal."""
        entries, match = self.log_of(game)
        if opening(entries).position:
            raise Refusal("practice_only")
        if opening(entries).real_cards:
            raise Refusal("real_cards")
        book = shuffles.read(map(decode, entries), match)
        if book is None:
            raise Refusal("game_gone", game=game)
        return book

    def frequencies(self) -> list[Frequency]:
        """The cards dealt on this server, by game."""
        return [shuffles.frequency(load(game), holes, counts) for game, holes, counts in self.store.frequencies()]

    async def analyse(self, game: str, admit: Callable[[], None]) -> Analysis:
        """A finished game in luck and skill; `admit` is asked before it is worked out. Raises Refusal."""
        card, record = await asyncio.to_thread(self.finished, game)
        entries, _ = await asyncio.to_thread(self.log_of, game)
        opened = opening(entries)
        holes = 1 if opened.position else opened.holes
        return await self.coach.analyse(card, record, variant_of(opened), holes, admit)

    def log_of(self, game: str) -> tuple[list[bytes], int]:
        watch, _, number = game.upper().partition("-")
        is_number = number.isascii() and number.isdigit() and len(number) < 6
        code = self.store.code_of(watch) if is_code(watch, WATCH_LENGTH) and is_number else None
        if code is None:
            raise Refusal("game_gone", game=game[:20])
        return self.store.entries(code), int(number)


def opening(entries: Sequence[bytes]) -> Opened:
    """How the table of that log was opened."""
    opened = decode(entries[0])
    assert isinstance(opened, Opened)
    return opened


def check_seats(wish: NewTable) -> list[SeatWish]:
    """The seats wished for, each with a name that is its own. Raises Refusal."""
    if wish.game not in games():
        raise Refusal("no_such_game", game=wish.game[:20], games=games())
    variant = load(wish.game)
    if len(wish.seats) not in variant.seats:
        raise_seat_count(variant, len(wish.seats))
    taken: list[str] = []
    seats: dict[int, SeatWish] = {}
    people_first = sorted(range(len(wish.seats)), key=lambda number: wish.seats[number].kind == "computer")
    for number in people_first:
        seat = wish.seats[number]
        if seat.kind == "friend":
            seats[number] = SeatWish(kind="friend")
            continue
        name = seat.name
        if seat.kind == "computer":
            must_be_player(seat.player)
            name = free_name(name or seat.player.capitalize(), taken)
        taken.append(check_name(name, taken))
        player = seat.player if seat.kind == "computer" else ""
        seats[number] = SeatWish(kind=seat.kind, name=taken[-1], player=player)
    return [seats[number] for number in range(len(wish.seats))]


def is_code(text: str, length: int) -> bool:
    return len(text) == length and all(letter in LETTERS for letter in text)
