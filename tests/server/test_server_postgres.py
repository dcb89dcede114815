"""The store in PostgreSQL: one process writes to a table at a time, and what was acknowledged stays."""

import os
import subprocess
import sys
import threading
import time
from concurrent.futures import wait
from contextlib import closing, contextmanager

import postgres
import psycopg
import pytest

from mulligan.server.store import postgres as module
from mulligan.server.store.checking import damaged_logs
from mulligan.server.store.checksums import checksum
from mulligan.server.store.errors import DamagedEntry, Disconnected, LeaseLost, StoreError
from mulligan.server.store.opening import open_to_check
from mulligan.server.store.postgres import PostgresStore

pytestmark = pytest.mark.long
WAITING = """SELECT count(*) FROM pg_stat_activity
    WHERE wait_event_type = 'Lock' AND datname = current_database()"""


def test_a_damaged_entry_is_noticed(store, address):
    store.append("AAA", 2, [b"2"]).result(10)
    with psycopg.connect(address, autocommit=True) as damage:
        damage.execute("UPDATE entries SET entry = '3' WHERE number = 2")
    with pytest.raises(DamagedEntry, match="Entry 2"):
        store.entries("AAA")
    with closing(open_to_check(address)) as found:
        assert [*damaged_logs(found, lambda *_: None)] == [("W", "Entry 2 is damaged")]


@pytest.fixture
def address():
    return postgres.shared_cluster().database()


@pytest.fixture
def store(address):
    store = PostgresStore(address)
    store.open_table("AAA", "W", "play_nine", 1.0, [b"1"]).result(10)
    yield store
    store.close()


def test_a_process_that_lost_a_table_writes_nothing_more(store, address):
    other = PostgresStore(address)
    mine = store.take_lease("AAA", "me")
    store.append("AAA", 2, [b"2"], lease=mine).result(10)
    theirs = other.take_lease("AAA", "you")
    with pytest.raises(LeaseLost):
        store.append("AAA", 3, [b"late"], lease=mine).result(10)
    other.append("AAA", 3, [b"3"], lease=theirs).result(10)
    assert store.entries("AAA") == [b"1", b"2", b"3"]
    other.close()


def test_a_log_that_is_replaced_belongs_to_nobody_until_a_process_has_read_it(store):
    lease = store.take_lease("AAA", "me")
    store.put(store.replace_log("AAA", [b"new"], lease)).result(10)
    assert store.lease_of("AAA") == ("", lease.epoch + 1)
    assert not store.holds("AAA", lease)
    with pytest.raises(LeaseLost):
        store.append("AAA", 2, [b"late"], lease=lease).result(10)
    assert store.entries("AAA") == [b"new"]


def test_a_pooler_that_shares_connections_is_refused(address, monkeypatch):
    with psycopg.connect(address, autocommit=True) as shared:
        monkeypatch.setattr(PostgresStore, "connect", lambda self: shared)
        with pytest.raises(StoreError, match="is reached through a pooler that shares connections"):
            PostgresStore(address)


def test_a_lost_lease_stops_no_other_table_of_the_same_commit(store, address):
    store.open_table("BBB", "V", "play_nine", 1.0, [b"1"]).result(10)
    lost, held = store.take_lease("AAA", "me"), store.take_lease("BBB", "me")
    with psycopg.connect(address, autocommit=True) as connection:
        connection.execute("UPDATE tables SET owner = 'you', epoch = epoch + 1 WHERE code = 'AAA'")
    futures = [store.append("AAA", 2, [b"late"], lease=lost), store.append("BBB", 2, [b"2"], lease=held)]
    wait(futures, 20)
    assert isinstance(futures[0].exception(), LeaseLost)
    assert futures[1].exception() is None
    assert store.entries("BBB") == [b"1", b"2"]


def test_whoever_takes_a_table_over_waits_for_the_commit_of_its_owner(store, address):
    """So the new owner reads a log that can no longer grow behind its back."""
    lease = store.take_lease("AAA", "me")
    with psycopg.connect(address) as commit:
        commit.execute("SELECT 1 FROM tables WHERE code = 'AAA' FOR SHARE")
        taken = []
        taking = threading.Thread(target=lambda: taken.append(store.take_lease("AAA", "you")))
        taking.start()
        with psycopg.connect(address, autocommit=True) as looking:
            while looking.execute(WAITING).fetchone() != (1,):
                pass
        assert not taken
        values = ("AAA", 2, b"2", checksum("AAA", 2, b"2"))
        commit.execute("INSERT INTO entries (code, number, entry, checksum) VALUES (%s, %s, %s, %s)", values)
    taking.join(20)
    assert taken[0].epoch == lease.epoch + 1
    assert store.entries("AAA") == [b"1", b"2"]


def test_a_connection_that_is_cut_fails_what_was_sent_and_the_next_commit_connects_again(store, address):
    with psycopg.connect(address, autocommit=True) as connection:
        connection.execute(
            "SELECT pg_terminate_backend(pid) FROM pg_stat_activity"
            " WHERE pid <> pg_backend_pid() AND datname = current_database()"
        )
    with pytest.raises(Disconnected):
        store.append("AAA", 2, [b"2"]).result(20)
    store.append("AAA", 2, [b"2"]).result(20)
    assert store.entries("AAA") == [b"1", b"2"]


def test_a_database_that_does_not_answer_fails_the_commit_in_time(store, address, monkeypatch):
    """Nobody waits for ever; whether it was written shows when the table is read again."""
    monkeypatch.setattr(module, "COMMIT_TIMEOUT", 0.5)
    with psycopg.connect(address) as other:
        other.execute("LOCK TABLE entries")
        with pytest.raises(Disconnected):
            store.append("AAA", 2, [b"2"]).result(30)
    while not store.is_well:
        pass
    store.append("AAA", 2, [b"2"]).result(20)


@contextmanager
def down(address):
    """The database refuses everyone meanwhile."""
    name = address.rpartition("/")[2]
    with psycopg.connect(postgres.shared_cluster().address("postgres"), autocommit=True) as connection:
        connection.execute(f"ALTER DATABASE {name} ALLOW_CONNECTIONS false".encode())
        connection.execute("SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = %s", (name,))
        yield
        connection.execute(f"ALTER DATABASE {name} ALLOW_CONNECTIONS true".encode())


@pytest.mark.parametrize("who", ["a reader", "nobody"])
def test_a_database_that_is_down_is_noticed_by_a_reader_and_by_nobody(address, monkeypatch, who):
    """The health says so, before anyone has tried to move."""
    monkeypatch.setattr(module, "READ_TIMEOUT", 0.5)
    monkeypatch.setattr(module, "LOOK", 0.0 if who == "nobody" else 1000.0)
    store = PostgresStore(address)
    with down(address):
        if who == "a reader":
            with pytest.raises(Disconnected):
                store.entries("AAA")
        while store.is_well:
            pass
    while not store.is_well:
        pass
    store.close()


def test_a_database_that_answers_again_is_read_at_once(address, monkeypatch):
    """However long it was down: the pauses between the tries of its readers do not grow with it."""
    monkeypatch.setattr(module, "READ_TIMEOUT", 0.5)
    store = PostgresStore(address)
    with down(address):
        until = time.monotonic() + 1.8
        while time.monotonic() < until:
            with pytest.raises(Disconnected):
                store.entries("AAA")
    assert store.entries("AAA") == []
    store.close()


def test_one_process_at_a_time_does_the_housekeeping(store, address):
    other = PostgresStore(address)
    assert (store.leads(), other.leads(), store.leads()) == (True, False, True)
    store.close()
    while not other.leads():  # the database notices the end of a connection a moment later
        pass
    other.close()


def test_a_database_that_cannot_be_used_is_refused_in_one_sentence(address):
    cluster = postgres.shared_cluster()
    with pytest.raises(StoreError, match=r"^Give the address of a database such as postgresql://.*\.$"):
        PostgresStore("http://example.org")
    with pytest.raises(StoreError, match=r"^The database nothing at 127\.0\.0\.1 cannot be opened \(.*\)\.$") as caught:
        PostgresStore(cluster.address("nothing").replace("mulligan@", "mulligan:secret@"))
    assert "secret" not in str(caught.value)
    with pytest.raises(StoreError, match="There are no games"):
        PostgresStore(address, must_exist=True)
    foreign = cluster.database()
    with psycopg.connect(foreign, autocommit=True) as connection:
        connection.execute("CREATE TABLE invoices (number INTEGER)")
    with pytest.raises(StoreError, match="does not contain games; use another database"):
        PostgresStore(foreign)
    with psycopg.connect(address, autocommit=True) as connection:
        connection.execute("UPDATE schema_version SET version = 1000")
    with pytest.raises(StoreError, match="written by a newer version of Mulligan"):
        PostgresStore(address)


def test_what_was_acknowledged_is_on_the_standby_when_the_primary_dies():
    """The primary is killed while it commits, and the standby goes on."""
    postgres.need_postgres()
    primary = postgres.Cluster.new()
    standby = None
    try:
        address = primary.database()
        standby = primary.standby()
        with psycopg.connect(address, autocommit=True) as connection:
            connection.execute("ALTER SYSTEM SET synchronous_standby_names = 'standby'")
            connection.execute("SELECT pg_reload_conf()")
            while connection.execute("SELECT sync_state FROM pg_stat_replication").fetchone() != ("sync",):
                pass
        name = address.rpartition("/")[2]
        both = (
            f"postgresql://mulligan@127.0.0.1:{primary.port},127.0.0.1:{standby.port}/{name}"
            "?target_session_attrs=read-write"
        )
        store = PostgresStore(both)
        store.open_table("AAA", "W", "play_nine", 1.0, [b"1"]).result(10)
        lease = store.take_lease("AAA", "me")
        acknowledged = [1]
        killed = threading.Thread(target=primary.kill)
        number = 2
        while True:
            try:
                store.append("AAA", number, [b"%d" % number], lease=lease).result(30)
            except StoreError:
                break
            acknowledged.append(number)
            number += 1
            if number == 12:
                killed.start()  # writes go on meanwhile
        killed.join()
        standby.promote()
        lease = None
        while lease is None:
            try:
                lease = store.take_lease("AAA", "me")
            except StoreError:
                continue
        kept = [int(entry) for entry in store.entries("AAA")]
        assert kept[: len(acknowledged)] == acknowledged
        assert len(kept) <= len(acknowledged) + 1
        while not store.is_well:
            pass
        store.append("AAA", len(kept) + 1, [b"%d" % (len(kept) + 1)], lease=lease).result(30)
        store.close()
    finally:
        primary.stop()
        if standby:
            standby.stop()


def test_without_the_package_for_postgresql_one_sentence_says_what_to_install():
    program = "import sys; sys.modules['psycopg'] = None\nfrom mulligan.cli import main; main()"
    words = [sys.executable, "-c", program, "serve", "--port", "0", "--store", "postgresql://localhost/games"]
    done = subprocess.run(words, capture_output=True, text=True, check=False, env=os.environ | {"MULLIGAN_PLAIN": "1"})
    needed = "PostgreSQL needs more packages; pip install '.[postgres]' in a clone of Mulligan installs them."
    assert done.stderr.strip() == needed
    assert done.returncode == 1
