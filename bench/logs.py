"""What a log costs: appending an entry, reading it plain or compressed, and replaying it, in µs of processor time.

Then how long a move waits for the disk while all logs are compressed, and while the file shrinks; and how long it takes
to enter a table after many matches, or to read a finished match.

python bench/logs.py [--json]     with a last line for bench/figures.py
"""

import json
import sys
import tempfile
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from itertools import product
from pathlib import Path
from statistics import median
from typing import Any

sys.path.append(str(Path(__file__).parents[1] / "tests" / "server"))

from tables import TableDriver  # type: ignore[import-not-found]

from mulligan.server.rooms.registry import replay
from mulligan.server.services.log_parts import latest, of_match, start_since
from mulligan.server.store.chunks import pack
from mulligan.server.store.sqlite import SqliteStore
from mulligan.server.table import finished
from mulligan.server.table.log_entries import decode, encode
from mulligan.server.table.table import Table
from mulligan.server.web.accounts import name_of

TABLES, RUNS = 30, 7
GUEST = b'"%s"' % name_of("x" * 32).encode()  # as long as a real one
PAGES = ("page_count", "freelist_count", "page_size")


def wait_for(written: Any) -> None:
    written.result(60)


def best(work: Callable[[], object], entries: int) -> float:
    """Returns the processor time of the fastest run, in µs per entry."""
    times = []
    for _ in range(RUNS):
        began = time.process_time()
        work()
        times.append(time.process_time() - began)
    return min(times) / entries * 1e6


class Kept(SqliteStore):
    """A store with the log of one table, written as a server writes it."""

    code = "LONG"

    def __init__(self, folder: Path) -> None:
        super().__init__(folder)
        self.open_table(self.code, "WATCHLNG", "play_nine", 1.0, [])
        self.table = Table()

    def grow(self, log: list[Any]) -> None:
        written = None
        for entry in log[self.table.event :]:
            self.table.apply(entry)
            number = self.table.event
            written = self.append(self.code, number, [encode(entry)], start=start_since(self.table, number - 1))
        wait_for(written)

    def enter(self) -> None:
        replay(latest(self, self.code))

    def enter_by_whole_log(self) -> None:
        Table(map(decode, self.entries(self.code)))

    def read_game(self, match: int) -> None:
        known = of_match(self, self.code, match)
        assert finished.read(map(decode, known.entries), match, known.table())


def main() -> None:
    figures = measure_log() | measure_matches()
    if "--json" in sys.argv:
        print(json.dumps(figures))


def measure_log() -> dict[str, Any]:
    """Prints and returns the sizes of a log, the µs that an entry costs, and the milliseconds of commits."""
    driver = TableDriver(seed=3)
    driver.play_to("over")
    log = [encode(entry).replace(b'"ann"', GUEST) for entry in driver.log]
    codes = iter(range(10**6))
    figures: dict[str, Any] = {"entries": len(log), "kB": sum(map(len, log)) / 1000}
    figures["compressed kB"] = len(pack("T0", 1, log).entries) / 1000
    print("one match of three: {entries} entries, {kB:.0f} kB; compressed {compressed kB:.1f} kB".format(**figures))
    with tempfile.TemporaryDirectory() as folder:
        store = SqliteStore(Path(folder))

        def append() -> None:
            for code in [f"T{next(codes)}" for _ in range(TABLES)]:
                store.open_table(code, f"W{code}", "play_nine", 1.0, [])
                written = store.append(code, 1, log)
            wait_for(written)

        read = partial(best, lambda: [store.entries("T0") for _ in range(TABLES)], TABLES * len(log))
        figures["append"], figures["read"] = best(append, TABLES * len(log)), read()
        figures["replay"] = best(lambda: Table(map(decode, log)), len(log))
        tables, figures["file MB"] = store.count_tables(), used(store) / 1e6
        waits = {
            "otherwise": moves_during(store, lambda: time.sleep(1)),
            "while logs are compressed": moves_during(store, lambda: compress_all(store)),
            "while the file shrinks": moves_during(store, lambda: shrink(store)),
        }
        figures["read compressed"], figures["compressed file MB"] = read(), used(store) / 1e6
        for what in ("append", "read", "read compressed", "replay"):
            print(f"{what}: {figures[what]:.2f} µs an entry")
        print(f"{tables} logs: {figures['file MB']:.1f} MB, then {figures['compressed file MB']:.1f} MB")
        figures["commits"] = {name: [median(found) * 1e3, max(found) * 1e3] for name, found in waits.items()}
        for name, (half, longest) in figures["commits"].items():
            print(f"{len(waits[name])} commits {name}: median {half:.1f} ms, longest {longest:.1f} ms")
        store.close()
    return figures


def measure_matches() -> dict[str, Any]:
    """Prints the milliseconds to enter a table and to read a finished match, and returns those to enter."""
    driver = TableDriver(seed=3)
    entering = []
    with tempfile.TemporaryDirectory() as folder:
        store = Kept(Path(folder))
        for match, hole in product((1, 2, 20), (1, 9)):
            while (driver.table.match, driver.table.dealt.hole if driver.table.dealt else 0) != (match, hole):
                driver.go_on()
            store.grow(driver.log)
            brief, whole = (best(way, 1) / 1000 for way in (store.enter, store.enter_by_whole_log))
            entering.append([match, hole, driver.table.event, brief, whole])
            print(
                f"enter on hole {hole} of match {match} ({driver.table.event} entries): {brief:.2f} ms, "
                f"or {whole:.2f} ms by the whole log"
            )
        for match in (1, 2, 19):
            print(f"read game {match}: {best(partial(store.read_game, match), 1) / 1000:.2f} ms")
        table = driver.table
        assert table.dealt
        assert table.start
        print(f"begin a hole: {best(partial(table.begin, table.dealt), 1):.0f} µs")
        print(f"the start of hole 9: {len(table.start.state)} bytes")
        store.close()
    return {"entering": entering}


def used(store: SqliteStore) -> int:
    """Returns the bytes of the database in use, without free pages."""
    with store.reading() as connection:
        pages, free, size = (connection.execute(f"PRAGMA {name}").fetchone()[0] for name in PAGES)
    return int((pages - free) * size)


def moves_during(store: SqliteStore, work: Callable[[], object]) -> list[float]:
    """Returns how many seconds each commit of a table in play took during other work."""
    code = f"IN PLAY {time.monotonic()}"
    waits: list[float] = []
    with ThreadPoolExecutor() as threads:
        working = threads.submit(work)
        while not working.done():
            began = time.perf_counter()
            wait_for(store.append(code, len(waits) + 1, [b"{}"]))
            waits.append(time.perf_counter() - began)
        working.result()
    return waits


def compress_all(store: SqliteStore) -> None:
    for code in store.uncompressed(0):
        while written := store.compress(code):
            wait_for(written)


def shrink(store: SqliteStore) -> None:
    while written := store.tend():
        wait_for(written)


if __name__ == "__main__":
    main()
