"""What a log costs: appending an entry, reading it plain or compressed, and replaying it, in µs of processor time.

Then how long a move waits for the disk while all logs are compressed, and while the file shrinks.

python bench/logs.py
"""

import sys
import tempfile
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from pathlib import Path
from statistics import median
from typing import Any

sys.path.append(str(Path(__file__).parents[1] / "tests" / "server"))

from tables import TableDriver  # type: ignore[import-not-found]

from mulligan.server.store.chunks import pack
from mulligan.server.store.sqlite import SqliteStore
from mulligan.server.table.former_matches import present
from mulligan.server.table.log_entries import decode, encode
from mulligan.server.table.table import REMEMBERED, Table
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


def replay_all(log: list[bytes]) -> Table:
    return Table(map(decode, log))


def replay_present(log: list[bytes]) -> Table:
    return Table(present(log, REMEMBERED))


def main() -> None:
    driver = TableDriver(seed=3)
    driver.play_to("over")
    log = [encode(entry).replace(b'"ann"', GUEST) for entry in driver.log]
    packed = len(pack("T0", 1, log).entries) / 1000
    codes = iter(range(10**6))
    print(f"one match of three: {len(log)} entries, {sum(map(len, log)) / 1000:.0f} kB; compressed {packed:.1f} kB")
    with tempfile.TemporaryDirectory() as folder:
        store = SqliteStore(Path(folder))

        def append() -> None:
            for code in [f"T{next(codes)}" for _ in range(TABLES)]:
                store.open_table(code, f"W{code}", "play_nine", 1.0, [])
                written = store.append(code, 1, log)
            wait_for(written)

        print(f"append: {best(append, TABLES * len(log)):.2f} µs an entry")
        read = partial(best, lambda: [store.entries("T0") for _ in range(TABLES)], TABLES * len(log))
        print(f"read: {read():.2f} µs an entry")
        print(f"decode and replay: {best(lambda: Table(map(decode, log)), len(log)):.2f} µs an entry")
        tables, plain = store.count_tables(), used(store)
        waits = {
            "otherwise": moves_during(store, lambda: time.sleep(1)),
            "while logs are compressed": moves_during(store, lambda: compress_all(store)),
            "while the file shrinks": moves_during(store, lambda: shrink(store)),
        }
        print(f"read compressed: {read():.2f} µs an entry")
        print(f"{tables} logs: {plain / 1e6:.1f} MB, then {used(store) / 1e6:.1f} MB")
        for name, found in waits.items():
            times = f"median {median(found) * 1e3:.1f} ms, longest {max(found) * 1e3:.1f} ms"
            print(f"{len(found)} commits {name}: {times}")
        store.close()
    for matches in (1, 20):
        while driver.table.match < matches or driver.table.phase != "over":
            driver.go_on()
        long = [encode(entry) for entry in driver.log]
        whole, brief = (best(partial(way, long), 1) / 1000 for way in (replay_all, replay_present))
        print(
            f"replay after {matches} matches ({len(long)} entries): {brief:.1f} ms, "
            f"or {whole:.1f} ms with the play of all matches"
        )


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
