"""How fast the stores commit: SQLite, PostgreSQL with psycopg as the server uses it, and PostgreSQL with asyncpg.

`python bench/stores.py` starts a PostgreSQL of its own, with fsync, and gives medians of three rounds that take turns.
asyncpg is measured only if it is installed; it writes the same rows with the same check of the leases. `--json` adds a
last line with the appends per second, for bench/figures.py.
"""

import asyncio
import json
import sys
import tempfile
import time
from collections.abc import Awaitable, Callable
from pathlib import Path
from statistics import median
from typing import Any

sys.path.insert(0, str(Path(__file__).parents[1] / "tests"))

from postgres import Cluster  # type: ignore[import-not-found]

from mulligan.server.store.postgres import PostgresStore
from mulligan.server.store.shared_sql import Lease, Store
from mulligan.server.store.sqlite import SqliteStore

ENTRY = b'{"is":"Step","seat":1,"phase":"take","move":"S","face":"7","went":null,"cleared":[],"renewed":false}'
SECONDS = 3.0
ROUNDS = 3
TABLES = (1, 10, 100)

Append = Callable[[str, int], Awaitable[Any]]


async def rate(append: Append, tables: int, first: dict[str, int]) -> tuple[float, float]:
    """Returns the appends a second of two entries each, one at a time at each table, and their median milliseconds."""
    took: list[float] = []
    until = time.perf_counter() + SECONDS

    async def play(code: str) -> None:
        while (began := time.perf_counter()) < until:
            number, first[code] = first[code], first[code] + 2
            await append(code, number)
            took.append(time.perf_counter() - began)

    await asyncio.gather(*(play(f"T{number}") for number in range(tables)))
    return len(took) / SECONDS, median(took) * 1000


async def with_store(store: Store) -> Append:
    leases: dict[str, Lease | None] = {}
    for number in range(max(TABLES)):
        code = f"T{number}"
        await asyncio.wrap_future(store.open_table(code, f"W{number}", "play_nine", 1.0, []))  # type: ignore[arg-type]
        leases[code] = store.take_lease(code, "me") if store.is_shared else None
    return lambda code, first: store.append(code, first, [ENTRY, ENTRY], lease=leases[code])  # type: ignore[return-value]


async def with_asyncpg(address: str) -> Append | None:
    """One connection and a group commit, as in the writer thread, but in the event loop."""
    try:
        import asyncpg  # type: ignore[import-not-found]
    except ImportError:
        return None
    connection = await asyncpg.connect(address)
    waiting: list[tuple[str, int, asyncio.Future[None]]] = []
    is_new = asyncio.Event()

    async def write() -> None:
        while True:
            await is_new.wait()
            is_new.clear()
            jobs, waiting[:] = waiting[:], []
            rows = [(code, number + more, ENTRY) for code, number, _ in jobs for more in (0, 1)]
            codes = [code for code, _, _ in jobs]
            async with connection.transaction():
                await connection.fetch(
                    "SELECT code FROM tables WHERE (code, owner, epoch) IN"
                    " (SELECT unnest($1::text[]), 'me', 1) FOR SHARE",
                    codes,
                )
                await connection.execute(
                    "INSERT INTO entries (code, number, entry)"
                    " SELECT * FROM unnest($1::text[], $2::int[], $3::bytea[])",
                    *([row[place] for row in rows] for place in range(3)),
                )
            for _, _, done in jobs:
                done.set_result(None)

    def append(code: str, number: int) -> asyncio.Future[None]:
        done = asyncio.get_running_loop().create_future()
        waiting.append((code, number, done))
        is_new.set()
        return done

    append.writing = asyncio.create_task(write())  # type: ignore[attr-defined]
    return append


async def measure() -> dict[str, dict[int, float]]:
    rates: dict[str, dict[int, float]] = {}
    cluster = Cluster.new(fsync="on")
    try:
        with tempfile.TemporaryDirectory(dir=".") as folder:
            psycopg_at, asyncpg_at = cluster.database(), cluster.database()
            stores: list[Store] = [SqliteStore(Path(folder)), PostgresStore(psycopg_at)]
            prepared = PostgresStore(asyncpg_at)
            await with_store(prepared)
            prepared.close()
            ways = {"SQLite": await with_store(stores[0]), "psycopg": await with_store(stores[1])}
            if other := await with_asyncpg(asyncpg_at):
                ways["asyncpg"] = other
            numbers = {name: {f"T{number}": 1 for number in range(max(TABLES))} for name in ways}
            for tables in TABLES:
                found: dict[str, list[tuple[float, float]]] = {name: [] for name in ways}
                for _ in range(ROUNDS):
                    for name, append in ways.items():
                        found[name].append(await rate(append, tables, numbers[name]))
                for name, rounds in found.items():
                    appends, milliseconds = (median(each[place] for each in rounds) for place in (0, 1))
                    rates.setdefault(name, {})[tables] = round(appends)
                    print(f"{tables:4} tables  {name:8} {appends:8,.0f} a second  {milliseconds:6.2f} ms")
            for store in stores:
                store.close()
    finally:
        cluster.stop()
    return rates


if __name__ == "__main__":
    sys.setswitchinterval(0.001)  # as the server does
    figures = asyncio.run(measure())
    if "--json" in sys.argv:
        print(json.dumps(figures))
