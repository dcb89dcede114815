"""The store: what it promised is there after it was closed, and nothing is there by half."""

import sqlite3
from concurrent.futures import wait
from contextlib import closing
from functools import partial

import postgres
import pytest
from tables import TableDriver

from mulligan.server.store.backup import back_up
from mulligan.server.store.errors import StoreError
from mulligan.server.store.folder import FILE
from mulligan.server.store.opening import open_store
from mulligan.server.store.schema import SCRIPTS
from mulligan.server.store.shared_sql import Dealing
from mulligan.server.store.sqlite import SqliteStore, connect
from mulligan.server.table.log_entries import decode, encode
from mulligan.server.table.table import Table
from mulligan.server.table.view import view


@pytest.fixture(params=["sqlite", "postgres"])
def opened(request, tmp_path):
    """Opens the store of this test, as often as it is called."""
    if request.param == "sqlite":
        return partial(open_store, tmp_path / "games")
    return partial(open_store, tmp_path, postgres.shared_cluster().database())


@pytest.fixture
def store(opened):
    store = opened()
    yield store
    store.close()


def test_a_table_is_as_it_was_after_the_server_was_started_again(opened):
    driver = TableDriver("nine_card", seed=7)
    driver.play_to("hole_over")
    driver.go_on()
    driver.move()
    entries = [encode(entry) for entry in driver.log]
    store = opened()
    store.open_table("BCDFGHJKL", "WATCHWXZ", "nine_card", 1.0, entries[:1]).result(10)
    for place, entry in enumerate(entries[1:], 2):
        store.append("BCDFGHJKL", place, [entry])
    store.close()
    store = opened()
    assert store.code_of("WATCHWXZ") == "BCDFGHJKL"
    table = Table(map(decode, store.entries("BCDFGHJKL")))
    store.close()
    assert view(table) == view(driver.table)
    driver.table = table
    driver.play_to("over")  # the pack too goes on where it was


def test_many_appends_at_once_are_all_there_in_order(store):
    store.open_table("AAA", "W", "play_nine", 1.0, [])
    futures = [store.append("AAA", number, [b"%d" % number]) for number in range(1, 501)]
    assert not wait(futures, 20).not_done
    assert store.entries("AAA") == [b"%d" % number for number in range(1, 501)]


def test_what_cannot_be_kept_fails_alone_and_whole(store):
    store.open_table("AAA", "W", "play_nine", 1.0, [b"1"]).result(10)
    good = [store.append("AAA", 2, [b"2"]), store.append("AAA", 3, [b"3"])]
    bad = store.append("AAA", 3, [b"again", b"and more"])
    last = store.append("AAA", 4, [b"4"])
    with pytest.raises(StoreError):
        bad.result(10)
    for future in [*good, last]:
        future.result(10)
    assert store.entries("AAA") == [b"1", b"2", b"3", b"4"]


def test_a_code_is_given_away_once(store):
    store.open_table("AAA", "W", "play_nine", 1.0, [b"1"]).result(10)
    with pytest.raises(StoreError):
        store.open_table("AAA", "V", "play_nine", 1.0, [b"x"]).result(10)
    with pytest.raises(StoreError):
        store.open_table("BBB", "W", "play_nine", 1.0, [b"x"]).result(10)
    assert store.entries("BBB") == []
    assert store.code_of("V") is None


def test_two_servers_do_not_share_a_folder(tmp_path):
    store = SqliteStore(tmp_path / "games")
    with pytest.raises(StoreError, match="Another Mulligan"):
        SqliteStore(tmp_path / "games")
    store.close()


def test_a_folder_that_cannot_be_used_is_refused_in_one_sentence(tmp_path):
    (tmp_path / "file").write_text("", encoding="utf-8")
    with pytest.raises(StoreError, match=r"cannot be written to .*\.$"):
        SqliteStore(tmp_path / "file" / "games")
    (tmp_path / "odd").mkdir()
    (tmp_path / "odd" / FILE).write_bytes(b"this is no database at all" * 100)
    with pytest.raises(StoreError, match="is not a database of Mulligan"):
        SqliteStore(tmp_path / "odd")


def test_an_empty_file_beside_a_log_full_of_games_is_left_alone(tmp_path):
    """SQLite would delete the log: someone put an empty file in the place of the games."""
    store = SqliteStore(tmp_path)
    store.open_table("AAA", "W", "play_nine", 1.0, [b"1"]).result(10)
    log = (tmp_path / f"{FILE}-wal").read_bytes()
    store.close()
    assert log
    (tmp_path / FILE).write_bytes(b"")
    (tmp_path / f"{FILE}-wal").write_bytes(log)
    for use in (SqliteStore, lambda folder: back_up(folder, tmp_path / "copy")):
        with pytest.raises(StoreError, match=r"is missing or empty, but games\.sqlite-wal beside it contains games;"):
            use(tmp_path)
    assert (tmp_path / f"{FILE}-wal").read_bytes() == log


def test_a_server_that_must_find_games_does_not_begin_without_any(tmp_path):
    with pytest.raises(StoreError, match=r"There are no games in .*, but --must-exist requires some"):
        SqliteStore(tmp_path / "not mounted", must_exist=True)
    assert not (tmp_path / "not mounted").exists()
    SqliteStore(tmp_path).close()
    SqliteStore(tmp_path, must_exist=True).close()


def test_what_is_stored_survives_a_power_cut(tmp_path):
    """As docs/reliability.md promises. Killing the process would not show it: only the disk's own cache is lost."""
    (tmp_path / FILE).touch()
    with closing(connect(tmp_path / FILE)) as connection:
        assert connection.execute("PRAGMA journal_mode").fetchone() == ("wal",)
        assert connection.execute("PRAGMA synchronous").fetchone() == (2,)  # FULL


def test_a_file_of_a_newer_mulligan_is_left_alone(tmp_path):
    SqliteStore(tmp_path).close()
    with sqlite3.connect(tmp_path / FILE) as connection:
        assert connection.execute("PRAGMA user_version").fetchone() == (max(SCRIPTS),)
        assert connection.execute("PRAGMA journal_mode").fetchone() == ("wal",)
        connection.execute(f"PRAGMA user_version = {max(SCRIPTS) + 1}")
    connection.close()
    with pytest.raises(StoreError, match="newer version of Mulligan"):
        SqliteStore(tmp_path)


def test_tables_nobody_has_seen_are_found_and_removed_without_a_trace(tmp_path):
    store = SqliteStore(tmp_path)
    for number, code in enumerate("ABC"):
        store.open_table(code, f"W{code}", "play_nine", 1e9 - number, [b'"Annabel at %s"' % code.encode()]).result(10)
        store.count_hour(1e12 * (-1) ** number).result(10)
    assert store.unseen(2) == ["A", "B"]
    store.mark(2).result(10)
    assert store.marked(0) == ["A", "B"]
    store.touch("A").result(10)
    assert (store.unseen(0), store.unseen(1), store.marked(0)) == (["B", "C", "A"], ["B", "C"], ["B"])
    store.remove("B").result(10)
    assert store.entries("B") == []
    assert store.code_of("WB") is None
    assert (store.watch_of("B"), store.watch_of("A")) == (None, "WA")
    assert store.unseen(0) == ["C", "A"]
    assert store.count_tables() == 2
    store.close()
    kept = b"".join(file.read_bytes() for file in tmp_path.iterdir())
    assert b"Annabel at A" in kept
    assert b"Annabel at B" not in kept


def test_the_cards_of_a_hole_are_counted_with_its_end_or_not_at_all(store):
    store.open_table("AAA", "W", "play_nine", 1.0, [b"1"]).result(10)
    store.append("AAA", 2, [b"2"], Dealing("play_nine", 1, {"7": 3, "H": 1})).result(10)
    store.append("AAA", 3, [b"3"], Dealing("play_nine", 1, {"7": 1, "0": 5})).result(10)
    store.append("AAA", 4, [b"4"], Dealing("nine_card", 2, {"*": 4})).result(10)
    with pytest.raises(StoreError):
        store.append("AAA", 4, [b"again"], Dealing("play_nine", 1, {"7": 100})).result(10)
    counted = {game: (holes, faces) for game, holes, faces in store.frequencies()}
    assert counted == {
        "play_nine": ({(1, 4): 1, (1, 6): 1}, {"7": 4, "H": 1, "0": 5}),
        "nine_card": ({(2, 4): 1}, {"*": 4}),
    }
    store.remove("AAA").result(10)
    assert {game: (holes, faces) for game, holes, faces in store.frequencies()} == counted


def test_who_no_longer_waits_for_what_was_put_neither_stops_it_nor_the_writer(store):
    store.open_table("AAA", "W", "play_nine", 1.0, [b"1"])
    for number in range(2, 30):
        assert not store.append("AAA", number, [b"x"]).cancel()
    store.append("AAA", 30, [b"last"]).result(10)
    assert len(store.entries("AAA")) == 30


def test_what_no_file_can_hold_fails_alone_and_the_writer_goes_on(store):
    store.open_table("AAA", "W", "play_nine", 1.0, [b"1"]).result(10)
    for number, entry in ((2**70, b"x"), (2, object())):
        with pytest.raises(StoreError):
            store.append("AAA", number, [entry]).result(10)
    store.append("AAA", 2, [b"2"]).result(10)
    assert store.entries("AAA") == [b"1", b"2"]
    assert store.is_well


def test_a_file_of_another_program_is_left_alone(tmp_path):
    with sqlite3.connect(tmp_path / FILE) as other:
        other.execute("CREATE TABLE foo (bar)")
    with pytest.raises(StoreError, match="does not contain games"):
        SqliteStore(tmp_path)
    with sqlite3.connect(tmp_path / FILE) as other:
        assert other.execute("SELECT name FROM sqlite_master").fetchall() == [("foo",)]


def test_the_games_are_for_their_owner_alone(tmp_path):
    store = SqliteStore(tmp_path)
    store.open_table("AAA", "W", "play_nine", 1.0, [b"1"]).result(10)
    modes = {file.name: file.stat().st_mode & 0o777 for file in tmp_path.iterdir()}
    store.close()
    assert FILE in modes
    assert set(modes.values()) == {0o600}


def test_a_damaged_file_is_not_served(tmp_path):
    store = SqliteStore(tmp_path)
    store.open_table("AAA", "W", "play_nine", 1.0, [b"x" * 900] * 60).result(10)
    store.close()
    with (tmp_path / FILE).open("r+b") as file:
        for page in range(4, 12):
            file.seek(page * 4096)
            file.write(b"\xff" * 400)
    with pytest.raises(StoreError, match="damaged; restore a backup"):
        SqliteStore(tmp_path)


def test_bans_are_kept_until_they_are_lifted_and_the_latest_comes_first(opened):
    store = opened()
    store.ban("a" * 64, 1.0, "rude")
    store.ban("b" * 64, 2.0, "").result(10)
    store.ban("a" * 64, 3.0, "rude again")
    store.close()
    store = opened()
    assert store.bans() == [("a" * 64, 3.0, "rude again"), ("b" * 64, 2.0, "")]
    store.unban("a" * 64)
    store.unban("c" * 64).result(10)
    assert store.bans() == [("b" * 64, 2.0, "")]
    store.close()


def test_it_knows_when_tables_were_opened(store):
    store.open_table("AAA", "V", "play_nine", 1.5, [])
    store.open_table("BBB", "W", "play_nine", 2.5, []).result(10)
    assert store.openings() == {"V": 1.5, "W": 2.5}
