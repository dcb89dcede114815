"""Files of older versions: they are brought up to date whole or not at all, and keep their tables."""

import re
import shutil
import signal
import sqlite3
import subprocess
import sys
from contextlib import closing

import msgspec
import postgres
import pytest
from tables import TableDriver, people

from mulligan.game import variants
from mulligan.server.services.coach import AboutMove, read_moves, write
from mulligan.server.services.coach_worker import answer
from mulligan.server.store.backup import back_up
from mulligan.server.store.checking import damaged_logs
from mulligan.server.store.errors import StoreError
from mulligan.server.store.folder import FILE
from mulligan.server.store.opening import open_to_check
from mulligan.server.store.postgres import PostgresStore
from mulligan.server.store.schema import SCRIPTS
from mulligan.server.store.sqlite import SqliteStore
from mulligan.server.table.log_entries import Opened, decode, encode
from mulligan.server.table.table import Table
from mulligan.server.table.view import view

pytestmark = pytest.mark.long
ENTRIES = "SELECT code, number, entry FROM entries WHERE code <> '' ORDER BY 1, 2"  # without probes of the disk
OPENED = 1_790_000_000.0
PRESENT = max(SCRIPTS)
STEPS = (  # to versions that are yet to come
    "ALTER TABLE tables ADD COLUMN hue TEXT NOT NULL DEFAULT 'red'; UPDATE life SET announcement = 'new';",
    "ALTER TABLE tables RENAME COLUMN hue TO colour; CREATE TABLE more (a INTEGER);",
)


@pytest.fixture(scope="module")
def driver():
    """A table in the middle of a hole."""
    driver = TableDriver(seed=7)
    for _ in range(12):
        driver.go_on()
    return driver


@pytest.fixture
def folder(tmp_path, driver):
    """The folder of a store of this version, with one table."""
    opened = driver.log[0]
    with closing(SqliteStore(tmp_path)) as store:
        log = [encode(entry) for entry in driver.log]
        store.open_table(opened.table, opened.watch, opened.game, OPENED, log).result(10)
    return tmp_path


@pytest.fixture
def next_version(folder, monkeypatch):
    """The versions after this one, of which the second changes what the first made."""
    for number, script in enumerate(STEPS, PRESENT + 1):
        monkeypatch.setitem(SCRIPTS, number, script)
    return PRESENT + len(STEPS)


def rows(file, statement):
    with closing(sqlite3.connect(file)) as connection:
        return connection.execute(statement).fetchall()


def version(file):
    return rows(file, "PRAGMA user_version")[0][0]


def test_an_older_file_is_brought_up_to_date_and_kept_as_it_was(folder, driver, next_version):
    whole = rows(folder / FILE, ENTRIES)
    code = driver.log[0].table
    with closing(SqliteStore(folder)) as new:
        assert version(folder / FILE) == next_version
        assert version(folder / f"{FILE}.v{PRESENT}") == PRESENT
        assert rows(folder / f"{FILE}.v{PRESENT}", ENTRIES) == rows(folder / FILE, ENTRIES) == whole
        assert rows(folder / FILE, "SELECT opened, colour FROM tables") == [(OPENED, "red")]
        assert view(Table([decode(entry) for entry in new.entries(code)])) == view(driver.table)


def test_a_file_from_before_hosts_could_be_gone_takes_them_for_there_at_the_last_visit(tmp_path):
    with closing(sqlite3.connect(tmp_path / FILE)) as connection:
        connection.executescript(f"{SCRIPTS[11]} PRAGMA user_version = 11;")
        connection.execute("UPDATE life SET hours = 50")
        connection.execute("INSERT INTO tables (code, watch, game, opened, seen) VALUES ('A', 'W', 'g', 1, 20)")
        connection.commit()
    with closing(SqliteStore(tmp_path)) as store:
        assert store.hours_without_host("A") == 28


def test_an_older_database_is_brought_up_to_date(monkeypatch):
    postgres.need_postgres()
    address = postgres.shared_cluster().database()
    PostgresStore(address).close()
    for number, script in enumerate(STEPS, PRESENT + 1):
        monkeypatch.setitem(SCRIPTS, number, script)
    with closing(PostgresStore(address)) as store:
        store.open_table("AAA", "W", "play_nine", 1.0, [b"1"]).result(10)
        with store.reading() as connection:
            assert connection.execute("SELECT colour FROM tables").fetchall() == [("red",)]
            assert connection.execute("SELECT version FROM schema_version").fetchall() == [(PRESENT + len(STEPS),)]


def test_a_damaged_older_file_replaces_no_good_copy_and_stays_as_old_as_it_was(folder, next_version):
    """The new version is installed, and the server has not yet been started with it."""
    copy = folder / "copy.sqlite"
    assert back_up(folder, copy).tables == 1
    assert version(copy) == PRESENT
    with closing(open_to_check(str(copy))) as found:
        assert [*damaged_logs(found, lambda *_: None)] == []
    good = copy.read_bytes()
    with closing(sqlite3.connect(folder / FILE)) as connection, connection:
        connection.execute("UPDATE entries SET checksum = 1 WHERE number = 3")
    with pytest.raises(StoreError, match=r"Entry 3 is damaged.* was not written"):
        back_up(folder, copy, overwrite=True)
    assert copy.read_bytes() == good
    assert version(folder / "copy.sqlite.damaged") == version(folder / FILE) == PRESENT


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
    older = re.sub(r"may_decline_last_turn = .*\n", "", text)
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
    assert {rated.move for rated in read_moves(answer(write(question)))} == {"stock", "discard"}


# Interrupted

KILLED = """
import os, signal, sys
from pathlib import Path
from mulligan.server.store import sqlite
from mulligan.server.store.schema import SCRIPTS

left = int(sys.argv[2])
for script in sys.argv[3:]:
    SCRIPTS[max(SCRIPTS) + 1] = script
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
def test_a_migration_killed_at_any_statement_leaves_a_file_that_can_be_used(folder, next_version):
    whole, seen = rows(folder / FILE, ENTRIES), set()
    for statement in range(1, 40):
        copy = folder / str(statement)
        copy.mkdir()
        shutil.copy(folder / FILE, copy)
        program = [sys.executable, "-c", KILLED, str(copy), str(statement), *STEPS]
        assert subprocess.run(program, check=False, timeout=60).returncode == -signal.SIGKILL
        if version(copy / FILE) == next_version:
            break
        seen.add(version(copy / FILE))
        assert rows(copy / FILE, ENTRIES) == whole
        SqliteStore(copy).close()
        assert version(copy / FILE) == next_version
        assert rows(copy / FILE, ENTRIES) == whole
        assert not list(copy.glob("*.part"))
    assert statement > 8, "the killing came too late"
    assert seen == {PRESENT, PRESENT + 1}


def test_a_step_that_fails_takes_the_whole_step_back(folder, monkeypatch):
    monkeypatch.setitem(SCRIPTS, PRESENT + 1, "CREATE TABLE more (a); INSERT INTO nowhere VALUES (1);")
    with pytest.raises(StoreError, match=r"cannot be opened \(no such table: nowhere\)\.$"):
        SqliteStore(folder)
    assert version(folder / FILE) == PRESENT
    assert rows(folder / FILE, "SELECT name FROM sqlite_master WHERE name = 'more'") == []
    monkeypatch.undo()
    SqliteStore(folder).close()  # and the folder is free again


@pytest.mark.parametrize(
    ("number", "words"),
    [
        (1, "before 0.1.0, which this one cannot read"),
        (min(SCRIPTS) - 1, "before 0.1.0, which this one cannot read"),
        (99, "newer version of Mulligan; install it"),
    ],
)
def test_a_file_of_an_unknown_version_is_refused_in_one_sentence_and_not_touched(folder, number, words):
    with closing(sqlite3.connect(folder / FILE)) as connection:
        connection.execute(f"PRAGMA user_version = {number}")
    before = (folder / FILE).read_bytes()
    uses = (SqliteStore, SqliteStore, lambda _: back_up(folder, folder / "copy"), lambda _: open_to_check(str(folder)))
    for use in uses:  # the folder is not held by who could not use it
        with pytest.raises(StoreError, match=rf"{words}\.$"):
            use(folder)
    assert (folder / FILE).read_bytes()[100:] == before[100:]
    assert version(folder / FILE) == number
