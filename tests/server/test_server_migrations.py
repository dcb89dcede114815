"""Files of older versions: they are brought up to date whole or not at all, and keep their tables."""

import re
import signal
import sqlite3
import subprocess
import sys
from contextlib import closing

import msgspec
import pytest
from tables import TableDriver, people

from mulligan.game import variants
from mulligan.server.services.coach import AboutMove, read_moves, write
from mulligan.server.services.coach_worker import answer
from mulligan.server.store import sqlite
from mulligan.server.store.backup import back_up
from mulligan.server.store.checking import damaged_logs
from mulligan.server.store.errors import StoreError
from mulligan.server.store.folder import FILE
from mulligan.server.store.opening import open_to_check
from mulligan.server.store.schema import MIGRATIONS
from mulligan.server.store.sqlite import SqliteStore
from mulligan.server.table.log_entries import Opened, decode, encode
from mulligan.server.table.table import Table
from mulligan.server.table.view import view

pytestmark = pytest.mark.long
ENTRIES = "SELECT code, number, entry FROM entries ORDER BY 1, 2"
OPENED = 1_790_000_000.0


@pytest.fixture(scope="module")
def driver():
    """A table in the middle of a hole."""
    driver = TableDriver(seed=7)
    for _ in range(12):
        driver.go_on()
    return driver


@pytest.fixture
def folder(tmp_path, driver):
    return write_file(tmp_path, driver, 1)


def write_file(folder, driver, version):
    """The file of a store that stopped at that version, with one table."""
    opened = driver.log[0]
    with closing(sqlite3.connect(folder / FILE)) as connection:
        for script in MIGRATIONS[:version]:
            connection.executescript(script)
        table = (opened.table, opened.watch, opened.game, OPENED)
        connection.execute("INSERT INTO tables (code, watch, game, opened) VALUES (?, ?, ?, ?)", table)
        if version >= 4:
            connection.execute("INSERT INTO links VALUES (?, ?, 0)", (opened.table, opened.table))
        rows = [(opened.table, number, encode(entry)) for number, entry in enumerate(driver.log, 1)]
        connection.executemany("INSERT INTO entries (code, number, entry) VALUES (?, ?, ?)", rows)
        connection.execute(f"PRAGMA user_version = {version}")
        connection.commit()
    return folder


def rows(file, statement):
    with closing(sqlite3.connect(file)) as connection:
        return connection.execute(statement).fetchall()


def version(file):
    return rows(file, "PRAGMA user_version")[0][0]


@pytest.mark.parametrize("before", range(1, len(MIGRATIONS)))
def test_an_older_file_is_brought_up_to_date_and_kept_as_it_was(tmp_path, driver, before):
    whole = rows(write_file(tmp_path, driver, before) / FILE, ENTRIES)
    code = driver.log[0].table
    new = SqliteStore(tmp_path)
    try:
        assert version(tmp_path / FILE) == len(MIGRATIONS)
        assert version(tmp_path / f"{FILE}.v{before}") == before
        assert rows(tmp_path / f"{FILE}.v{before}", ENTRIES) == rows(tmp_path / FILE, ENTRIES) == whole
        assert rows(tmp_path / FILE, "SELECT opened FROM tables") == [(OPENED,)]
        assert view(Table([decode(entry) for entry in new.entries(code)])) == view(driver.table)
        assert new.link_of(code) == code
        assert new.unseen(1) == []  # as if someone had been there just now
        new.count_hour(0.0).result(10)
        assert new.unseen(1) == [code]
        assert new.frequencies() == []
    finally:
        new.close()


@pytest.mark.parametrize("before", range(8, len(MIGRATIONS)))
def test_a_damaged_older_file_replaces_no_good_copy_and_stays_as_old_as_it_was(tmp_path, driver, before):
    """The new version is installed, and the server has not yet been started with it. Checksums began with version 8."""
    games, copy = write_file(tmp_path, driver, before), tmp_path / "copy.sqlite"
    assert back_up(games, copy).tables == 1
    assert version(copy) == before
    with closing(open_to_check(str(copy))) as found:
        assert [*damaged_logs(found, lambda *_: None)] == []
    good = copy.read_bytes()
    with closing(sqlite3.connect(games / FILE)) as connection, connection:
        connection.execute("UPDATE entries SET checksum = 1 WHERE number = 3")
    with pytest.raises(StoreError, match=r"Entry 3 is damaged.* was not written"):
        back_up(games, copy, overwrite=True)
    assert copy.read_bytes() == good
    assert version(tmp_path / "copy.sqlite.damaged") == version(games / FILE) == before


def test_a_table_keeps_the_rules_it_was_opened_under():
    driver = TableDriver("nine_card", seed=3)
    text = variants.load("nine_card").text.partition("[options]")[0]
    harder = text.replace("closer_penalty = 5", "closer_penalty = 50")
    assert harder != text
    opened = driver.log[0]
    assert isinstance(opened, Opened)
    harder_log = [msgspec.structs.replace(opened, rules=harder), *driver.log[1:]]
    assert Table(harder_log).rules.closer_penalty == 50
    assert Table([decode(encode(entry)) for entry in harder_log]).rules.closer_penalty == 50
    assert Table(driver.log).rules.closer_penalty == 5


def test_a_table_opened_before_last_turns_could_be_declined_plays_on_as_then():
    text = variants.load("nine_card").text
    older = re.sub(r"may_decline_last_turn = .*\n", "", text).replace("may_discard_drawn", "may_throw_away")
    assert "may_throw_away" in older
    assert "decline" not in older
    driver = TableDriver("nine_card", people(2), seed=3)
    opened = driver.log[0]
    assert isinstance(opened, Opened)
    driver.log[0] = msgspec.structs.replace(opened, rules=older)
    driver.table = Table([decode(encode(entry)) for entry in driver.log])
    while not view(driver.table).last_turns:
        driver.go_on()
    assert driver.table.legal() == ["S", "D"]
    question = AboutMove(driver.table.variant.facts, driver.table.playing.state.tobytes(), [0, 1])
    assert {rated.move for rated in read_moves(answer(write(question)))} == {"S", "D"}


# Interrupted

KILLED = """
import os, signal, sys
from pathlib import Path
from mulligan.server.store import sqlite
from mulligan.server.store.backup import back_up
from mulligan.server.store.checking import damaged_logs

left = int(sys.argv[2])
connect = sqlite.connect

def watched(path):
    connection = connect(path)
    connection.set_trace_callback(count)
    return connection

def count(statement):
    global left
    left -= 1
    if left == 0:
        os.kill(os.getpid(), signal.SIGKILL)

sqlite.connect = watched
sqlite.SqliteStore(Path(sys.argv[1])).close()
"""


@pytest.mark.skipif(sys.platform == "win32", reason="nothing is killed that way there")
def test_a_migration_killed_at_any_statement_leaves_a_file_that_can_be_used(tmp_path, driver):
    seen = set()
    for statement in range(1, 40):
        folder = tmp_path / str(statement)
        folder.mkdir()
        whole = rows(write_file(folder, driver, 1) / FILE, ENTRIES)
        done = subprocess.run([sys.executable, "-c", KILLED, str(folder), str(statement)], check=False, timeout=60)
        if done.returncode == 0:
            break
        assert done.returncode == -signal.SIGKILL
        seen.add(version(folder / FILE))
        assert rows(folder / FILE, ENTRIES) == whole
        SqliteStore(folder).close()
        assert version(folder / FILE) == len(MIGRATIONS)
        assert rows(folder / FILE, ENTRIES) == whole
        assert not list(folder.glob("*.part"))
    assert statement > 8, "the killing came too late"
    assert seen >= {1}


def test_a_step_that_fails_takes_the_whole_step_back(folder, monkeypatch):
    monkeypatch.setattr(sqlite, "MIGRATIONS", (*MIGRATIONS, "CREATE TABLE more (a); INSERT INTO nowhere VALUES (1);"))
    with pytest.raises(StoreError, match=r"cannot be opened \(no such table: nowhere\)\.$"):
        SqliteStore(folder)
    assert version(folder / FILE) == len(MIGRATIONS)
    assert rows(folder / FILE, "SELECT name FROM sqlite_master WHERE name = 'more'") == []
    monkeypatch.undo()
    SqliteStore(folder).close()  # and the folder is free again


def test_a_newer_file_is_refused_in_one_sentence_and_not_touched(folder):
    with closing(sqlite3.connect(folder / FILE)) as connection:
        connection.execute("PRAGMA user_version = 99")
    before = (folder / FILE).read_bytes()
    for _ in range(2):  # the folder is not held by who could not use it
        with pytest.raises(StoreError, match=r"newer version of Mulligan; install it, or use another folder\.$"):
            SqliteStore(folder)
    assert (folder / FILE).read_bytes()[100:] == before[100:]
    assert version(folder / FILE) == 99
