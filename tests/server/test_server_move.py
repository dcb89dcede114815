"""Moving all games between SQLite and PostgreSQL: everything arrives, or nothing does."""

import os
import sqlite3
import subprocess
import sys
import threading
from contextlib import closing
from itertools import count
from pathlib import Path

import postgres
import psycopg
import pytest
from tables import TableDriver

from mulligan.server.store import moving, moving_postgres
from mulligan.server.store import postgres as postgres_store
from mulligan.server.store.errors import StoreError
from mulligan.server.store.folder import FILE
from mulligan.server.store.opening import open_store, open_to_move
from mulligan.server.store.schema import SCRIPTS
from mulligan.server.table.log_entries import decode, encode
from mulligan.server.table.table import Table

pytestmark = pytest.mark.long
PLAYED = {"BCDFGHJKL": "WATCHWXZ", "JKLMNP": "OBSERVER"}  # two tables with logs, and the codes of their spectators


def replay(entries):
    return Table(map(decode, entries))


@pytest.fixture
def places(tmp_path):
    """Makes new places for stores: a folder, or the address of a database."""
    numbers = count()

    def new(kind):
        return tmp_path / f"games{next(numbers)}" if kind == "sqlite" else postgres.shared_cluster().database()

    return new


def opened(place):
    return open_store(place) if isinstance(place, Path) else open_store(Path(), place)


def filled(place):
    """Two tables in a new store, one of them with a lease, and one with a log half of which is compressed."""
    store = opened(place)
    for number, (code, watch) in enumerate(PLAYED.items()):
        driver = TableDriver(("play_nine", "nine_card")[number], seed=number, watch=watch)
        driver.play_to("hole_over")
        log = [encode(entry) for entry in driver.log]
        store.open_table(code, watch, "play_nine", 1.5 + number, log[:20]).result(10)
        if number:
            store.compress(code).result(10)
        store.append(code, 21, log[20:]).result(10)
    store.take_lease("BCDFGHJKL", "a process")
    store.count_hour(7.25).result(10)
    store.close()
    return place


def run(place, statement, values=()):
    """Runs SQL in a store that nobody uses."""
    if isinstance(place, Path):
        with closing(sqlite3.connect(place / FILE)) as connection, connection:
            return connection.execute(statement, values).fetchall()
    with psycopg.connect(place, autocommit=True) as connection:
        cursor = connection.execute(statement.replace("?", "%s"), values or None)
        return cursor.fetchall() if cursor.description else []


def move(source, target, advance=lambda done, total=None: None):
    with closing(open_to_move(str(source))) as old, closing(open_to_move(str(target), is_new=True)) as new:
        return moving.move(old, new, replay, advance)


def command(*words):
    words = [sys.executable, "-m", "mulligan", *map(str, words)]
    return subprocess.run(words, capture_output=True, text=True, check=False, env=os.environ | {"MULLIGAN_PLAIN": "1"})


def is_empty(place):
    return run(place, "SELECT count(*) FROM tables") == run(place, "SELECT count(*) FROM entries") == [(0,)]


@pytest.mark.parametrize(("start", "end"), [("sqlite", "postgres"), ("postgres", "sqlite")])
def test_all_games_arrive_and_the_source_stays(places, start, end):
    source, target = filled(places(start)), places(end)
    done = command("move-store", source, target)
    assert (done.returncode, done.stderr) == (0, "")
    stores = [opened(source), opened(target)]
    entries = sum(len(stores[0].entries(code)) for code in PLAYED)
    assert done.stdout.endswith(f": 2 tables, {entries:,} log entries, copied and checked.\n")
    for code, watch in PLAYED.items():
        logs = [store.entries(code) for store in stores]
        assert logs[0] == logs[1]
        assert replay(logs[1]).event > 30
        assert stores[1].code_of(watch) == code
    assert stores[1].clock_noted() == 7.25
    assert tuple(store.lease_of("BCDFGHJKL").owner for store in stores) == ("a process", "")
    for store in stores:
        store.close()


@pytest.mark.parametrize(("start", "end"), [("sqlite", "postgres"), ("postgres", "sqlite")])
def test_every_table_and_column_of_the_database_travels_but_leases_and_heartbeats(places, start, end, monkeypatch):
    """Also those that are added later: what is not copied shows here."""
    monkeypatch.setattr(moving_postgres, "BEATS", 0.0)
    source, target, example = places(start), places(end), places("sqlite")
    for place in (source, example):
        opened(place).close()
    types = {"TEXT": "text", "INTEGER": 2**40, "REAL": 1 / 3, "BLOB": b"\x00\xff\\x41"}
    expected = {}
    for (name,) in run(example, "SELECT name FROM sqlite_master WHERE type = 'table'"):
        columns = {column: types[kind] for _, column, kind, *_ in run(example, f"PRAGMA table_info({name})")}
        expected[name] = columns
        run(source, f"DELETE FROM {name}")
        run(source, f"INSERT INTO {name} VALUES ({', '.join('?' * len(columns))})", [*columns.values()])
    move(source, target)
    assert expected.keys() >= {"tables", "entries", "links", "dealt", "holes", "life", "processes"}
    del expected["processes"]
    expected["tables"] |= {"owner": "", "epoch": 0}
    for name, columns in expected.items():
        assert run(target, f"SELECT {', '.join(columns)} FROM {name}") == [(*columns.values(),)], name
    assert run(target, "SELECT * FROM processes") == []


def test_a_damaged_log_is_named_and_copied_as_it_is(places):
    source, target = filled(places("sqlite")), places("postgres")
    run(source, "UPDATE entries SET entry = x'7bff5c7d' WHERE code = 'BCDFGHJKL' AND number = 9")
    run(source, "UPDATE entries SET entry = CAST(entry AS TEXT) WHERE code = 'JKLMNP'")  # repaired by hand
    done = command("move-store", source, target)
    assert done.returncode == 1
    assert done.stdout.startswith("The database games_")
    lines = done.stderr.splitlines()
    assert lines[0].startswith("The log of table WATCHWXZ is damaged (DamagedEntry: ")
    assert lines[1:] == ["1 damaged log was copied as it is."]
    assert run(target, "SELECT entry FROM entries WHERE code = 'BCDFGHJKL' AND number = 9") == [(b"{\xff\\}",)]


@pytest.mark.parametrize("end", ["sqlite", "postgres"])
def test_a_move_that_stops_halfway_leaves_an_empty_target(places, end):
    source, target = filled(places("sqlite")), places(end)
    before = run(source, "SELECT * FROM entries")
    steps = []
    move(source, places(end), lambda done, total=None: steps.append(done))
    for steps_left in (len(steps) - 1, len(steps) // 2, 1):
        countdown = iter(range(len(steps) - steps_left))

        def stop(done, total=None, countdown=countdown):
            if next(countdown, None) is None:
                raise KeyboardInterrupt

        with pytest.raises(KeyboardInterrupt):
            move(source, target, stop)
        assert is_empty(target)
    move(source, target)
    assert run(source, "SELECT * FROM entries") == before


def test_a_killed_move_leaves_an_empty_target(places):
    source, targets = filled(places("sqlite")), [places("sqlite"), places("postgres")]
    program = f"""
import os, signal, sys
from mulligan.server.store import moving
from mulligan.server.store.opening import open_to_move
moving.move(open_to_move({str(source)!r}), open_to_move(sys.argv[1], is_new=True),
            lambda entries: os.kill(os.getpid(), signal.SIGKILL), lambda done, total=None: None)
"""
    for target in targets:
        assert subprocess.run([sys.executable, "-c", program, target], check=False).returncode == -9
        assert is_empty(target)


@pytest.mark.parametrize("end", ["sqlite", "postgres"])
def test_a_copy_that_differs_is_not_kept(places, end, monkeypatch):
    source, target = filled(places("sqlite")), places(end)
    add = moving.add
    spoiled = {
        "entries": lambda rows: [(*row[:2], row[2].swapcase(), *row[3:]) for row in rows],
        "links": lambda rows: rows[1:],
    }
    for bad, spoil in spoiled.items():

        def add_wrongly(connection, name, columns, rows, bad=bad, spoil=spoil):
            add(connection, name, columns, spoil(rows) if name == bad else rows)

        monkeypatch.setattr(moving, "add", add_wrongly)
        with pytest.raises(StoreError, match=f"would differ in {bad}, so nothing was moved"):
            move(source, target)
        assert is_empty(target)


def test_nothing_moves_while_a_server_uses_either_side(places):
    folder, database = filled(places("sqlite")), filled(places("postgres"))
    with closing(opened(folder)), pytest.raises(StoreError, match="Another Mulligan server already uses"):
        move(folder, places("postgres"))
    target = places("sqlite")
    with closing(opened(target)), pytest.raises(StoreError, match="Another Mulligan server already uses"):
        move(database, target)
    with closing(opened(database)):
        for start, end in ((database, places("sqlite")), (folder, database)):
            with pytest.raises(StoreError, match="is used by a Mulligan server; stop it first"):
                move(start, end)


def test_no_server_starts_while_games_move(places):
    for kind, words in (("sqlite", "Another Mulligan server"), ("postgres", "is locked while its games are moved")):
        place = filled(places(kind))
        with closing(open_to_move(str(place))), pytest.raises(StoreError, match=words):
            opened(place)
        opened(place).close()


def test_a_move_waits_a_moment_for_the_lock_of_a_server_that_has_just_ended(places, monkeypatch):
    source = filled(places("postgres"))
    server = opened(source)
    monkeypatch.setattr(postgres_store, "LOCK_PATIENCE", 30.0)
    monkeypatch.setattr(postgres_store.time, "sleep", lambda pause: server.close())
    assert move(source, places("sqlite")).tables == 2


def test_a_server_that_lost_its_connection_is_noticed_by_its_heartbeat(places, monkeypatch):
    source = filled(places("postgres"))
    run(source, "INSERT INTO processes VALUES ('a process', 1)")
    stopped = threading.Event()

    def beat():
        while not stopped.wait(0.05):
            run(source, "UPDATE processes SET beats = beats + 1")

    beating = threading.Thread(target=beat)
    beating.start()
    try:
        with pytest.raises(StoreError, match="is used by a Mulligan server; stop it first"):
            move(source, places("sqlite"))
    finally:
        stopped.set()
        beating.join()
    monkeypatch.setattr(moving_postgres, "BEATS", 0.3)
    assert move(source, places("sqlite")).tables == 2  # that process has died


@pytest.mark.parametrize("kind", ["sqlite", "postgres"])
def test_what_cannot_be_moved_is_refused_in_one_sentence(places, kind, monkeypatch):
    games = filled(places(kind))
    for other in ("sqlite", "postgres"):
        with pytest.raises(StoreError, match=r"already contains games; move to an empty place\.$"):
            move(games, filled(places(other)))
        nothing = places(other)
        with pytest.raises(StoreError, match=r"(There are no games in|does not contain games)"):
            move(nothing, places(kind))
        assert other == "postgres" or not nothing.exists()
    version = "PRAGMA user_version = {}" if kind == "sqlite" else "UPDATE schema_version SET version = {}"
    whole, older = filled(places("sqlite")), max(SCRIPTS)
    monkeypatch.setitem(SCRIPTS, older + 1, "CREATE TABLE more (a INTEGER);")
    opened(whole).close()
    for number, words in (
        (min(SCRIPTS) - 1, "a version of Mulligan before 0.1.0, which"),
        (older, "an older version of Mulligan; start"),
        (99, "a newer version"),
    ):
        run(games, version.format(number))
        for start, end in ((games, places("sqlite")), (whole, games)):
            with pytest.raises(StoreError, match=f"was written by {words}"):
                move(start, end)


def test_places_of_other_programs_are_left_alone(places, tmp_path):
    games = filled(places("sqlite"))
    foreign = places("postgres")
    run(foreign, "CREATE TABLE invoices (number INTEGER)")
    (tmp_path / "odd").mkdir()
    (tmp_path / "odd" / FILE).write_bytes(b"this is no database at all" * 100)
    for target, words in (
        (foreign, "does not contain games; use another database"),
        (tmp_path / "odd", "is not a database of Mulligan"),
        ("http://example.org", "Give the address of a database such as postgresql://"),
        (tmp_path / "odd" / FILE, "is not a folder; give one for the games"),
    ):
        with pytest.raises(StoreError, match=words):
            move(games, target)


def test_an_error_on_the_command_line_is_one_sentence(places):
    target = places("sqlite")
    done = command("move-store", target, places("sqlite"))
    assert (done.returncode, done.stdout) == (1, "")
    assert done.stderr == f"There are no games in {target}; give the folder that contains {FILE}.\n"
    assert command("move-store", target, target).stderr == "FROM and TO are the same place; give two.\n"


def test_a_backup_of_a_database_is_left_to_postgresql():
    done = command("backup", "--store", "postgresql://mulligan@localhost/games")
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr.startswith("Back up a PostgreSQL database with: pg_dump ")
