"""The file of the games gives back the space that it no longer needs."""

import asyncio
from contextlib import closing

from test_server_wall_clock import CODES, ClockedServer

from mulligan.server.rooms.housekeeping import DAY
from mulligan.server.store.folder import FILE
from mulligan.server.store.sqlite import SqliteStore

LOG = [b'{"is":"Step","seat":1,"number":%d,"face":"7"}' % number for number in range(1, 1500)]


def fill(folder, tables=30):
    with closing(SqliteStore(folder)) as store:
        for number in range(tables):
            written = store.open_table(f"T{number}", f"W{number}", "play_nine", 1.0, LOG)
        written.result(30)
    return folder / FILE


def test_compressed_and_deleted_logs_leave_a_smaller_file(tmp_path):
    before = fill(tmp_path).stat().st_size
    with closing(SqliteStore(tmp_path)) as store:
        assert store.tend() is None
        for number in range(20):
            store.compress(f"T{number}").result(10)
        for number in range(20, 30):
            store.remove(f"T{number}").result(10)
        while written := store.tend():
            store.append("T0", 1, [b"again"])  # a commit that fails takes nothing back that others have written
            written.result(10)
        assert store.entries("T0") == LOG
    assert (tmp_path / FILE).stat().st_size < before / 10


def test_housekeeping_gives_space_back(tmp_path):
    server = ClockedServer(tmp_path)
    store = server.registry.store
    for code in CODES:
        server.open(code)
        store.append(code, 2, LOG * 2).result(10)
    server.pass_hours(DAY)

    async def keep_house():
        await server.keeping.compress()
        await server.keeping.tend_store()

    asyncio.run(keep_house())
    assert store.tend() is None
    assert len(store.entries(CODES[0])) == len(LOG) * 2 + 1
    store.close()
