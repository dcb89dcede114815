"""Compressed logs: they read as before, go on, and are as safe from damage and doubles."""

import asyncio
from contextlib import closing
from functools import partial
from itertools import count

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from served import Browser, run_sql, served, store_in
from tables import TableDriver
from test_server_start import CODE, TOKEN, keep
from test_server_wall_clock import CODES, ClockedServer

from mulligan.server.rooms import housekeeping
from mulligan.server.rooms.housekeeping import DAY
from mulligan.server.store import shared_sql
from mulligan.server.store.errors import DamagedEntry, StoreError
from mulligan.server.table.log_entries import decode
from mulligan.server.table.table import Table

pytestmark = pytest.mark.long

LINES = st.lists(st.binary(max_size=30).map(lambda line: line.replace(b"\n", b"")), min_size=1, max_size=9)


@pytest.fixture(scope="module")
def shared_store(tmp_path_factory):
    with closing(store_in(tmp_path_factory.mktemp("games"))) as store:
        yield store


@pytest.fixture
def store(tmp_path):
    with closing(store_in(tmp_path)) as store:
        store.open_table("AAA", "W", "play_nine", 1.0, [b"%d" % number for number in range(1, 8)]).result(10)
        yield store


def compress(store, code="AAA"):
    while written := store.compress(code):
        written.result(10)


new_code = map("T{}".format, count()).__next__


@settings(deadline=None)
@given(parts=st.lists(st.tuples(LINES, st.booleans()), min_size=1, max_size=8), most=st.integers(1, 12))
def test_a_log_reads_the_same_wherever_it_was_compressed(shared_store, parts, most):
    store, code, log = shared_store, new_code(), []
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(shared_sql, "MOST", most)
        store.open_table(code, f"W{code}", "play_nine", 1.0, []).result(10)
        for lines, is_compressed in parts:
            store.append(code, len(log) + 1, lines).result(10)
            log += lines
            if is_compressed:
                compress(store, code)
        for after in range(len(log) + 2):
            assert store.entries(code, after) == log[after:]


def test_no_entry_can_be_written_twice(store):
    compress(store)
    for first in (1, 4, 7):
        with pytest.raises(StoreError):
            store.append("AAA", first, [b"again"]).result(10)
    written = store.append("AAA", 8, [b"8"])
    with pytest.raises(StoreError):  # also where both are in one commit
        store.append("AAA", 7, [b"again", b"and more"]).result(10)
    written.result(10)
    assert store.entries("AAA") == [b"%d" % number for number in range(1, 9)]


def test_a_second_compression_of_the_same_entries_changes_nothing(store, monkeypatch):
    pack = shared_sql.pack
    monkeypatch.setattr(shared_sql, "pack", lambda *log: [monkeypatch.undo(), compress(store), pack(*log)][-1])
    with pytest.raises(StoreError):
        store.compress("AAA").result(10)
    assert store.entries("AAA") == [b"%d" % number for number in range(1, 8)]
    assert store.compress("AAA") is None


def test_a_table_deleted_meanwhile_stays_deleted(store, tmp_path, monkeypatch):
    pack = shared_sql.pack
    monkeypatch.setattr(shared_sql, "pack", lambda *log: [store.remove("AAA").result(10), pack(*log)][-1])
    with pytest.raises(DamagedEntry):
        store.compress("AAA").result(10)
    assert store.entries("AAA") == []
    assert run_sql(tmp_path, "SELECT count(*) FROM chunks") == [(0,)]


def test_a_deleted_table_takes_its_chunks_along(store, tmp_path):
    compress(store)
    store.append("AAA", 8, [b"8"]).result(10)
    store.remove("AAA").result(10)
    assert run_sql(tmp_path, "SELECT count(*) FROM chunks") == [(0,)]
    assert store.entries("AAA") == []


@pytest.mark.parametrize("change", ["entries = '3'", "checksum = checksum - 1", "first = first - 1", "last = last + 1"])
def test_a_damaged_chunk_is_named_and_closes_no_other_table(store, tmp_path, change):
    store.open_table("BBB", "V", "play_nine", 1.0, [b"1"]).result(10)
    for code in ("AAA", "BBB"):
        compress(store, code)
    store.append("AAA", 8, [b"8"]).result(10)
    run_sql(tmp_path, f"UPDATE chunks SET {change} WHERE code = 'AAA'")
    with pytest.raises(DamagedEntry, match=r"^Entries . to . are damaged\.$"):
        store.entries("AAA")
    assert store.entries("AAA", 8) == []
    assert store.entries("BBB") == [b"1"]


def test_a_missing_chunk_is_noticed(store, tmp_path, monkeypatch):
    monkeypatch.setattr(shared_sql, "MOST", 3)
    compress(store)
    run_sql(tmp_path, "DELETE FROM chunks WHERE last = 3")
    with pytest.raises(DamagedEntry, match=r"^Entry 1 is missing\.$"):
        store.entries("AAA")
    assert store.entries("AAA", 3) == [b"4", b"5", b"6", b"7"]


@pytest.mark.parametrize(
    "damage", ["UPDATE entries SET entry = '0' WHERE number = 5", "DELETE FROM entries WHERE number = 5"]
)
def test_damage_is_not_compressed(store, tmp_path, damage):
    run_sql(tmp_path, damage)
    entries = partial(run_sql, tmp_path, "SELECT * FROM entries WHERE code = 'AAA'")  # a failure probes the disk
    before = entries()
    with pytest.raises(DamagedEntry):
        store.compress("AAA").result(10)
    assert entries() == before
    assert run_sql(tmp_path, "SELECT count(*) FROM chunks") == [(0,)]


@pytest.fixture
def server(tmp_path):
    server = ClockedServer(tmp_path)
    yield server
    server.registry.store.close()


def test_the_logs_of_tables_unused_for_a_day_of_running_are_compressed(server, tmp_path, monkeypatch):
    logged = []
    monkeypatch.setattr(housekeeping, "log_rarely", lambda event, why, level, table: logged.append((event, table)))
    for code in CODES:
        server.open(code)
    store = server.registry.store
    before = [store.entries(code) for code in CODES]
    run_sql(tmp_path, "UPDATE entries SET entry = '{}' WHERE code = ?", (CODES[0],))
    server.pass_hours(DAY)
    store.touch(CODES[2]).result(10)
    for _ in range(2):
        asyncio.run(server.keeping.compress())
    assert run_sql(tmp_path, "SELECT code FROM chunks") == [(CODES[1],)]
    assert run_sql(tmp_path, "SELECT code FROM entries ORDER BY code") == [(CODES[0],), (CODES[2],)]
    assert [store.entries(code) for code in CODES[1:]] == before[1:]
    assert logged == [("table_unreadable", f"{CODES[0]}WW")] * 2


def test_a_finished_match_is_shown_and_a_rematch_played_from_a_compressed_log(tmp_path, client_folder):
    driver = TableDriver("play_nine", seed=5, watch=CODE)
    driver.play_to("over")
    keep(tmp_path, driver)
    game = f"{CODE}-1"
    with served(tmp_path, client_folder) as config:
        before = Browser(config).http.get(f"/api/games/{game}").json()
    with closing(store_in(tmp_path)) as store:
        compress(store, "BCDFGHJKL")
        length = len(store.entries("BCDFGHJKL"))
    with served(tmp_path, client_folder) as config:
        ann = Browser(config)
        ann.http.cookies.set("mulligan_guest", TOKEN)
        assert ann.http.get(f"/api/games/{game}").json() == before
        with ann.at("BCDFGHJKL") as table:
            assert table.event == length
            assert table.do("Rematch")["is"] == "Accepted"
    with closing(store_in(tmp_path)) as store:
        assert Table(map(decode, store.entries("BCDFGHJKL"))).event > length
    assert run_sql(tmp_path, "SELECT min(number) FROM entries") == [(length + 1,)]
