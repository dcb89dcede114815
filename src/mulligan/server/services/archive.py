"""Reads finished matches from the logs of their tables."""

import asyncio
import gzip
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager, suppress
from contextvars import copy_context
from functools import lru_cache, partial
from typing import Any, ParamSpec, TypeVar

import msgspec

from mulligan.game.variants import Variant, load
from mulligan.server.log import log_rarely, reason
from mulligan.server.store.errors import DamagedEntry, StoreError, Unsettled
from mulligan.server.store.shared_sql import Store
from mulligan.server.table import finished, shuffles, take_mulligan
from mulligan.server.table.codes import WATCH_LENGTH, is_code
from mulligan.server.table.log_entries import Entry, Opened, decode
from mulligan.server.table.rights import Refusal
from mulligan.server.table.table import match_id
from mulligan.server.wire.coach import MulliganRequest
from mulligan.server.wire.events import MatchOver
from mulligan.server.wire.finished import FinishedGame, Frame
from mulligan.server.wire.shuffles import Frequency, ShuffleBook

from .log_parts import Slice, of_match, opening

P = ParamSpec("P")
T = TypeVar("T")

READERS = 1  # thread that reads logs: games wait for Python's lock as often as it has the lock
MOST_WAITING = 40  # reads at once, of which all but one wait
PATIENCE = 20.0  # seconds for a read

write = msgspec.json.Encoder().encode


class Archive:
    """The finished matches in the store. A game's id is its table's spectators' code and the number of the match."""

    def __init__(self, store: Store) -> None:
        self.store = store
        self.readers = ThreadPoolExecutor(READERS, "archive")
        self.reading = 0
        self.known_finished = lru_cache(maxsize=64)(self.read_finished)
        self.known_replay = lru_cache(maxsize=64)(self.read_replay)

    async def ask(self, read: Callable[P, T], *args: P.args, **kwargs: P.kwargs) -> T:
        """Runs one of the reads below in a thread. Raises Refusal if too many wait, or if it takes too long."""
        if self.reading >= MOST_WAITING:
            raise Refusal("too_many", seconds=round(PATIENCE))
        self.reading += 1
        done = asyncio.get_running_loop().run_in_executor(self.readers, partial(read, *args, **kwargs))
        done.add_done_callback(self.end_read)
        try:
            async with asyncio.timeout(PATIENCE):
                return await asyncio.shield(done)
        except TimeoutError:
            raise Refusal("too_many", seconds=round(PATIENCE)) from None

    def end_read(self, done: asyncio.Future[Any]) -> None:
        self.reading -= 1
        if not done.cancelled():
            done.exception()  # marks it as seen: after a timeout nobody else looks

    def finished(self, game: str) -> tuple[FinishedGame, dict[str, Any]]:
        """Returns the score card and the record of a finished match that is still there. Raises Refusal."""
        self.code_of(game)
        return self.known_finished(game)

    def replay(self, game: str, hole: int) -> bytes:
        """Returns the positions of one hole of a finished match, as they are sent: JSON, compressed. Raises Refusal."""
        self.code_of(game)
        return self.known_replay(game, hole)

    def forget(self) -> None:
        """Reads every match again, because some have changed."""
        self.known_finished.cache_clear()
        self.known_replay.cache_clear()

    def read_finished(self, game: str) -> tuple[FinishedGame, dict[str, Any]]:
        """Returns the score card and the record of a finished match. Raises Refusal."""
        with self.legible(watch=watch_of(game)):
            known, match = self.slice_of(game)
            found = finished.read(map(decode, known.entries), match, known.table())
        if found is None:
            raise Refusal("game_gone", game=game)
        card, record = found
        return msgspec.structs.replace(card, opened=self.store.opened(card.watch)), record

    def read_replay(self, game: str, hole: int) -> bytes:
        """Returns the same from the log. Raises Refusal."""
        with self.legible(watch=watch_of(game)):
            known, match = self.slice_of(game)
            source = match_id(watch_of(game), match)
            replay = finished.replay(self.entries_of(known, source), source, match, hole, known.table())
        if replay is None:
            raise Refusal("hole_gone", hole=hole)
        return gzip.compress(write(replay), 6)

    def meanwhile(self, code: str, watch: str, match: int, seat: int) -> list[Frame]:
        """Returns what happened since the last turn of a seat's person in a running match. Raises Refusal."""
        with self.legible(watch=watch):
            known = of_match(self.store, code, match)
            return finished.meanwhile(list(map(decode, known.entries)), match, seat, known.table())

    def practice(self, game: str, wish: MulliganRequest, guest: str) -> Opened:
        """Returns the first entry of a guest's practice table for a position of a finished match. Raises Refusal."""
        with self.legible(watch=watch_of(game)):
            known, match = self.slice_of(game)
            source = match_id(watch_of(game), match)
            return take_mulligan.opened(self.entries_of(known, source), source, match, wish, guest, known.table())

    def shuffles(self, game: str) -> ShuffleBook:
        """Returns all shuffles of a match so far. Raises Refusal."""
        with self.legible(watch=watch_of(game)):
            opened = opening(self.store, self.code_of(game)[0])
            if opened.position:
                raise Refusal("practice_only")
            if opened.real_cards:
                raise Refusal("real_cards")
            known, match = self.slice_of(game)
            book = shuffles.read(map(decode, known.entries), match, known.table())
        if book is None:
            raise Refusal("game_gone", game=game)
        return book

    def frequencies(self) -> list[Frequency]:
        """Returns the counts of cards dealt on this server, by game. Raises Refusal."""
        with self.legible():
            return [shuffles.frequency(load(game), holes, counts) for game, holes, counts in self.store.frequencies()]

    def rules_of(self, game: str) -> Variant:
        """Returns the rules that a match was played under, without those of its length. Raises Refusal."""
        with self.legible(watch=watch_of(game)):
            known, match = self.slice_of(game)
            table = known.table()
            for entry in map(decode, known.entries):
                if table.match == match:
                    break
                table.apply(entry)
            return table.game_rules

    def slice_of(self, game: str) -> tuple[Slice, int]:
        """Returns the log of a game, and the number of its match. Raises Refusal."""
        code, match = self.code_of(game)
        return of_match(self.store, code, match), match

    def entries_of(self, known: Slice, game: str) -> list[Entry]:
        """Returns the log of a finished match. Raises Refusal if it is not finished, and any error if it is damaged."""
        entries = list(map(decode, known.entries))
        if not any(isinstance(entry, MatchOver) and entry.game == game for entry in entries):
            self.finished(game)  # raises what is wrong
        return entries

    def code_of(self, game: str) -> tuple[str, int]:
        """Returns the code of a game's table, and the number of its match. Raises Refusal."""
        watch, _, number = game.upper().partition("-")
        is_number = number.isascii() and number.isdigit() and len(number) < 6
        with self.legible(watch=watch_of(game)):
            code = self.store.code_of(watch) if is_code(watch, WATCH_LENGTH) and is_number else None
            if code is None:
                raise Refusal("game_gone", game=game[:20])
            return code, int(number)

    @contextmanager
    def legible(self, code: str = "", watch: str = "") -> Iterator[None]:
        """Raises Refusal if a log or the file is damaged, and logs the error at most once a minute.

        In the event loop, with a table's code; in a thread, with the spectators' code.
        """
        try:
            yield
        except Refusal:
            raise
        except Unsettled as error:
            log_rarely("store_failed", reason(error), "error")
            raise Refusal("server_fault") from None
        except Exception as error:  # a damaged log can cause any error
            report = partial(self.report, error, code, watch)
            if code and self.store.is_shared:  # asked in the event loop, which must not wait for a database
                asyncio.get_running_loop().run_in_executor(self.readers, copy_context().run, report)
            else:
                report()
            raise Refusal("table_unreadable") from None

    def report(self, error: Exception, code: str, watch: str) -> None:
        """Logs what is wrong with a log or the file, at most once a minute."""
        is_file = isinstance(error, OSError) and not isinstance(error, DamagedEntry)
        with suppress(StoreError):
            watch = "" if is_file else watch or self.store.watch_of(code) or ""
        why = f"{type(error).__name__}: {error}"[:200]
        log_rarely("table_unreadable", why, "error", table=watch, exc_info=error)


def watch_of(game: str) -> str:
    return game.upper()[:WATCH_LENGTH]
