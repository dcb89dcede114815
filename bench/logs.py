"""What a log costs: appending an entry, reading it from the file, and replaying it, in µs of processor time.

python bench/logs.py
"""

import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

sys.path.append(str(Path(__file__).parents[1] / "tests" / "server"))

from tables import TableDriver  # type: ignore[import-not-found]

from mulligan.server.store.sqlite import SqliteStore
from mulligan.server.table.log_entries import decode, encode
from mulligan.server.table.table import Table

TABLES, RUNS = 30, 7


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


def main() -> None:
    driver = TableDriver(seed=3)
    driver.play_to("over")
    log = [encode(entry) for entry in driver.log]
    codes = iter(range(10**6))
    print(f"one match of three: {len(log)} entries, {sum(map(len, log)) / 1000:.0f} kB")
    with tempfile.TemporaryDirectory() as folder:
        store = SqliteStore(Path(folder))

        def append() -> None:
            for code in [f"T{next(codes)}" for _ in range(TABLES)]:
                store.open_table(code, f"W{code}", "play_nine", 1.0, [])
                written = store.append(code, 1, log)
            wait_for(written)

        print(f"append: {best(append, TABLES * len(log)):.2f} µs an entry")
        print(f"read: {best(lambda: [store.entries('T0') for _ in range(TABLES)], TABLES * len(log)):.2f} µs an entry")
        print(f"decode and replay: {best(lambda: Table(map(decode, log)), len(log)):.2f} µs an entry")
        store.close()


if __name__ == "__main__":
    main()
