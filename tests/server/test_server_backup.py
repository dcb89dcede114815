"""Copies of the games made while they are played, and a disk that is full: nothing acknowledged is ever missing."""

import os
import re
import shutil
import sqlite3
import subprocess
import sys
import time
from contextlib import closing, contextmanager, suppress
from pathlib import Path
from threading import Event, Thread

import pytest
from served import FRIEND, HERE, ME, SQLITE_ONLY, Browser, choose, is_over, play_on, run_sql, served, wait_until
from tables import TableDriver
from test_server_run import running
from websockets.exceptions import ConnectionClosed

from mulligan.server.store import sqlite
from mulligan.server.store.backup import back_up
from mulligan.server.store.errors import StoreError
from mulligan.server.store.folder import FILE
from mulligan.server.store.shared_sql import PROBE
from mulligan.server.store.sqlite import SqliteStore
from mulligan.server.table.log_entries import encode

pytestmark = pytest.mark.long
ON_LINUX = pytest.mark.skipif(sys.platform != "linux", reason="only Linux limits another process's files")


def backup(*words):
    command = [sys.executable, "-m", "mulligan", "backup", *map(str, words)]
    return subprocess.run(command, capture_output=True, text=True, timeout=60, check=False)


@contextmanager
def somebody_plays(browser, code):
    """Moves without a pause; gives the numbers of the events that were acknowledged, and whether moves still come."""
    told, is_enough = [0], Event()

    def play():
        with suppress(ConnectionClosed), browser.at(code) as table:
            table.do("Start")
            while not is_enough.is_set():
                play_on(table, until=lambda view: told.append(table.event) or is_enough.is_set() or is_over(view))
                if is_over(table.view):
                    table.do("Rematch")

    player = Thread(target=play)
    player.start()
    try:
        while len(told) < 20 and player.is_alive():
            time.sleep(0.01)
        yield told, player.is_alive
    finally:
        is_enough.set()
        player.join(30)


@SQLITE_ONLY
def test_a_backup_taken_while_moves_pour_in_serves_the_games(tmp_path, client_folder):
    games, copies = tmp_path / "games", [tmp_path / f"copy {number}.sqlite" for number in range(3)]
    with served(games, client_folder) as config:
        ann = Browser(config)
        code, other = ann.open(ME, HERE)["table"], ann.open(ME, FRIEND)["table"]
        with somebody_plays(ann, code) as (told, _):
            before = []
            for copy in copies:
                before.append(told[-1])
                done = backup(copy, "--data", games)
                assert (done.returncode, done.stderr) == (0, "")
                assert done.stdout.startswith(f"{copy}: 2 tables, ")
                assert done.stdout.endswith(" kB, whole and checked.\n")
    store = SqliteStore(games)
    with closing(store):
        whole = store.entries(code)
    assert before[0] < before[-1]
    for number, (copy, least) in enumerate(zip(copies, before, strict=True)):
        restored = tmp_path / f"restored {number}"
        restored.mkdir()
        copy.rename(restored / FILE)
        store = SqliteStore(restored)
        with closing(store):
            kept = store.entries(code)
            assert kept == whole[: len(kept)]
            assert len(kept) >= least
            assert store.entries(other)
    with served(restored, client_folder) as config:
        again = Browser(config)
        again.http.cookies.update(ann.http.cookies)
        with again.at(code) as table:
            assert table.welcome["you"] == [0, 1]
            assert table.event == len(kept)
            if is_over(table.view):
                assert table.do("Rematch")["is"] == "Accepted"
            play_on(table, until=lambda view: view["phase"] in ("hole_over", "over"))


@pytest.fixture
def games(tmp_path):
    driver = TableDriver(seed=4)
    driver.play_to("hole_over")
    store = SqliteStore(tmp_path / "games")
    store.open_table("BCDFGHJKL", "WATCHWXZ", "play_nine", 1.0, [encode(entry) for entry in driver.log]).result(10)
    store.close()
    return tmp_path / "games"


def test_a_file_that_is_there_is_not_overwritten_unless_that_is_said(tmp_path, games):
    copy = tmp_path / "copy.sqlite"
    copy.write_bytes(b"mine")
    done = backup(copy, "--data", games)
    assert (done.returncode, done.stdout) == (1, "")
    assert done.stderr == f"{copy} already exists; give another file, or use --overwrite.\n"
    assert copy.read_bytes() == b"mine"
    assert backup(copy, "--data", games, "--overwrite").returncode == 0
    assert back_up(games, tmp_path / "other.sqlite").tables == 1
    assert [file.name for file in tmp_path.iterdir() if "part" in file.name] == []
    with closing(sqlite3.connect(copy)) as connection:
        assert connection.execute("PRAGMA journal_mode").fetchone() == ("delete",)


def test_a_copy_is_for_its_owner_alone(tmp_path, games):
    back_up(games, tmp_path / "copy.sqlite")
    if sys.platform != "win32":
        assert (tmp_path / "copy.sqlite").stat().st_mode & 0o077 == 0


@pytest.mark.parametrize(
    ("file", "words"),
    [
        ("games/games.sqlite", "already exists"),
        ("games", "is a folder; give a file for the copy."),
        ("nowhere/copy.sqlite", "cannot be written (No such file or directory)."),
    ],
)
def test_where_a_copy_cannot_be_is_one_sentence(tmp_path, games, file, words):
    with pytest.raises(StoreError, match=rf"{file}.* {words[:-1].replace('(', r'.')[:30]}"):
        back_up(games, tmp_path / file)


def test_the_games_are_not_overwritten_with_themselves(games):
    with pytest.raises(StoreError, match="is the database itself"):
        back_up(games, games / FILE, overwrite=True)


def test_where_there_are_no_games_nothing_is_made(tmp_path):
    done = backup(tmp_path / "copy.sqlite", "--data", tmp_path)
    assert (done.returncode, done.stdout) == (1, "")
    assert done.stderr == f"There are no games in {tmp_path}; give the folder with --data.\n"
    assert list(tmp_path.iterdir()) == []


def test_a_damaged_file_is_not_called_a_backup(tmp_path, games):
    file = games / FILE
    damaged = bytearray(file.read_bytes())
    for place in range(4096 * 3, len(damaged), 50):
        damaged[place] ^= 0xFF
    file.write_bytes(damaged)
    with pytest.raises(StoreError, match=r"(would be damaged|cannot be copied)"):
        back_up(games, tmp_path / "copy.sqlite")
    assert [file.name for file in tmp_path.iterdir()] == ["games"]
    (tmp_path / "copy.sqlite").write_bytes(b"an older, whole one")
    with pytest.raises(StoreError):
        back_up(games, tmp_path / "copy.sqlite", overwrite=True)
    assert (tmp_path / "copy.sqlite").read_bytes() == b"an older, whole one"


SPOIL = "UPDATE entries SET entry = replace(entry, 'is', 'as') WHERE number = 3"


@pytest.mark.parametrize("is_compressed", [False, True], ids=["entry", "chunk"])
def test_a_copy_with_a_damaged_log_does_not_replace_the_last_good_one(tmp_path, games, is_compressed):
    if is_compressed:
        with closing(SqliteStore(games)) as store:
            store.compress("BCDFGHJKL").result(10)
    copy = tmp_path / "copy.sqlite"
    assert backup(copy, "--data", games).returncode == 0
    good = copy.read_bytes()
    with closing(sqlite3.connect(games / FILE)) as connection, connection:
        connection.execute("UPDATE chunks SET checksum = checksum + 1" if is_compressed else SPOIL)
    done = backup(copy, "--data", games, "--overwrite")
    assert (done.returncode, done.stdout) == (1, "")
    why = r"Entries 1 to \d+ are damaged" if is_compressed else "Entry 3 is damaged"
    sentence = (
        rf"The log of table WATCHWXZ is damaged \({why}\); {copy} was not written, and the copy with the damage is "
    )
    assert re.fullmatch(rf"{sentence}{copy}.damaged.\n", done.stderr)
    assert copy.read_bytes() == good
    assert sorted(file.name for file in tmp_path.iterdir()) == ["copy.sqlite", "copy.sqlite.damaged", "games"]


def check(place):
    command = [sys.executable, "-m", "mulligan", "check-store", str(place)]
    return subprocess.run(command, capture_output=True, text=True, timeout=60, check=False)


DAMAGE = {
    SPOIL: "The log of table WATCHWXZ is damaged (Entry 3 is damaged).",
    "DELETE FROM entries WHERE number = 2": "The log of table WATCHWXZ is damaged (Entry 2 is damaged).",
    "DELETE FROM entries": "The log of table WATCHWXZ is damaged (Entries are missing).",
    "DELETE FROM tables": "1 log belongs to no table.",
}


@pytest.mark.parametrize("spoil", DAMAGE)
def test_a_command_checks_every_checksum_also_while_a_server_runs(tmp_path, games, client_folder, spoil):
    with served(games, client_folder, store=""):
        whole = check(games)
        assert (whole.returncode, whole.stderr) == (0, "")
        assert whole.stdout.endswith(": 1 table, every log is intact.\n")
        with closing(sqlite3.connect(games / FILE)) as connection, connection:
            connection.execute(spoil)
        found = check(games)
    assert (found.returncode, found.stdout) == (1, "")
    assert found.stderr.splitlines()[0] == DAMAGE[spoil]
    assert found.stderr.splitlines()[1].endswith(" has 1 damaged log.")


def test_a_copy_can_be_checked_and_a_damaged_start_is_only_named(tmp_path, games):
    copy = tmp_path / "copy.sqlite"
    back_up(games, copy)
    with closing(sqlite3.connect(copy)) as connection, connection:
        connection.execute("INSERT INTO starts VALUES ('BCDFGHJKL', 0, 3, 'v', x'00', 1)")
    found = check(copy)
    assert (found.returncode, found.stdout) == (0, f"The file {copy}: 1 table, every log is intact.\n")
    assert found.stderr.startswith(
        "The start after entry 3 is damaged in the log of table WATCHWXZ; it is only a cache"
    )
    assert "There are no games in" in check(tmp_path / "nowhere").stderr


def test_a_name_by_the_date_is_found_where_none_is_given(tmp_path, games):
    command = [sys.executable, "-m", "mulligan", "backup", "--data", str(games)]
    done = subprocess.run(command, capture_output=True, text=True, timeout=60, check=False, cwd=tmp_path)
    name = f"mulligan-{time.strftime('%Y-%m-%d')}.sqlite"
    assert (done.returncode, done.stdout.partition(":")[0]) == (0, name)
    assert (tmp_path / name).is_file()


# A full disk


@contextmanager
def full_disk(process, folder):
    """No file of that process may grow any more."""
    import resource

    before = resource.prlimit(process.pid, resource.RLIMIT_FSIZE)
    size = max(file.stat().st_size for file in Path(folder).iterdir() if file.name.endswith("-wal"))
    resource.prlimit(process.pid, resource.RLIMIT_FSIZE, (size, before[1]))
    try:
        yield
    finally:
        resource.prlimit(process.pid, resource.RLIMIT_FSIZE, before)


def health_of(ann, code):
    """How the server says it is, once it answers with that code."""
    until = time.monotonic() + 60
    while (answer := ann.http.get("/api/health")).status_code != code:
        assert time.monotonic() < until, answer.text
        time.sleep(0.05)
    return answer.json()["status"]


@SQLITE_ONLY
@ON_LINUX
def test_a_full_disk_refuses_what_it_cannot_keep_and_goes_on_when_there_is_room_again(tmp_path):
    with running(tmp_path) as (process, ann):
        code = ann.open(ME, HERE)["table"]
        with ann.at(code) as table:
            table.do("Start")
            play_on(table, until=lambda view: view["phase"] == "take")
            acknowledged, before = table.event, table.view
            with full_disk(process, tmp_path):
                move = choose(table.view)
                answer = table.do("Play", "the move", seat=before["turn"], move=move)
                assert (answer["is"], answer["error"]) == ("Refused", "server_fault")
                assert table.hear_the_end() == 1011
                assert health_of(ann, 503) == "cannot_write"
                opened = ann.http.post("/api/tables", json={"game": "play_nine", "seats": [ME, FRIEND]})
                assert (opened.status_code, opened.json()["error"]) == (503, "server_fault")
                with ann.at(code) as again:  # one can look all the same
                    assert (again.event, again.view) == (acknowledged, before)
        assert health_of(ann, 200) == "well"
        with ann.at(code) as table:
            assert (table.event, table.view) == (acknowledged, before)
            assert table.do("Play", "the move", seat=before["turn"], move=move)["is"] == "Accepted"
            play_on(table, until=lambda view: view["phase"] == "hole_over")
            kept = table.event
        process.terminate()
        _, logged = process.communicate(timeout=20)
    assert logged.count('"store_failed"') >= 1
    assert "Traceback" not in logged
    store = SqliteStore(tmp_path)
    with closing(store):
        assert len(store.entries(code)) >= kept


@ON_LINUX
def test_a_store_on_a_full_disk_is_not_well_until_it_can_write_again(tmp_path):
    program = f"""
import resource, sys, threading, time
from pathlib import Path
from mulligan.server.store import sqlite as module
from mulligan.server.store.errors import StoreError
from mulligan.server.store.sqlite import SqliteStore
tried, can_write = threading.Semaphore(0), module.can_write

def try_again(commit):
    answer = can_write(commit)
    tried.release()
    return answer

module.can_write = try_again
store = SqliteStore(Path({str(tmp_path)!r}))
store.open_table("AAA", "W", "play_nine", 1.0, [b"1"]).result(10)
assert store.is_well
soft, hard = resource.getrlimit(resource.RLIMIT_FSIZE)
resource.setrlimit(resource.RLIMIT_FSIZE, ((store.path.parent / "games.sqlite-wal").stat().st_size, hard))
try:
    store.append("AAA", 2, [b"x" * 5000]).result(10)
except StoreError as error:
    print(error)
for _ in range(2):  # at once, and once more a second later
    assert tried.acquire(timeout=60)
assert not store.is_well
resource.setrlimit(resource.RLIMIT_FSIZE, (soft, hard))
waited = time.monotonic() + 20
while not store.is_well:
    assert time.monotonic() < waited
    time.sleep(0.05)
store.append("AAA", 2, [b"2"]).result(10)
assert store.entries("AAA") == [b"1", b"2"]
store.close()
"""
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, timeout=60, check=False)
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout.startswith("The games cannot be written (")


SMALL_WRITES = (("touch", "AAA"), ("announce", "Hello"))


@pytest.mark.parametrize("small", SMALL_WRITES, ids=["touch", "announcement"])
def test_a_small_write_on_a_full_disk_does_not_make_the_store_well(tmp_path, small):
    """What fits into pages that the file has says nothing about a move."""
    with closing(SqliteStore(tmp_path)) as store:
        store.open_table("AAA", "W", "play_nine", 1.0, [b"x" * PROBE]).result(10)  # in what the first probe left free
        store.put([("PRAGMA max_page_count = 1", ())]).result(10)  # no page more than now
        with pytest.raises(StoreError, match="full"):
            store.append("AAA", 2, [b"x" * 100_000]).result(10)
        for _ in range(5):
            getattr(store, small[0])(*small[1:]).result(10)
            assert not store.is_well
        store.put([("PRAGMA max_page_count = 100000", ())]).result(10)
        store.append("AAA", 2, [b"x" * 100_000]).result(10)
        wait_until(lambda: store.is_well)
        assert store.entries("AAA") == [b"x" * PROBE, b"x" * 100_000]
        assert store.entries("") == []


def test_a_store_that_opens_on_a_full_disk_is_not_well(tmp_path, monkeypatch):
    """Before anyone has tried to move."""
    monkeypatch.setattr(sqlite, "can_write", lambda commit: False)
    with closing(SqliteStore(tmp_path)) as store:
        wait_until(lambda: not store.is_well)


@pytest.mark.skipif(sys.platform == "win32", reason="an open file cannot be moved there")
@pytest.mark.parametrize("is_replaced", [False, True])
def test_a_file_that_was_moved_away_takes_no_move_until_it_is_back(tmp_path, is_replaced):
    """As by someone who restores a copy while the server runs: nobody would find those moves again."""
    away = tmp_path / "away"
    with closing(SqliteStore(tmp_path / "games")) as store:
        store.open_table("AAA", "W", "play_nine", 1.0, [b"1"]).result(10)
        store.path.rename(away)
        if is_replaced:
            shutil.copy(away, store.path)
        else:
            with pytest.raises(StoreError, match="cannot be read"):
                store.entries("AAA")
            assert not store.path.exists()  # reading makes no file
        with pytest.raises(StoreError, match="was moved or replaced while the server uses it"):
            store.append("AAA", 2, [b"2"]).result(10)
        wait_until(lambda: not store.is_well)
        away.replace(store.path)
        wait_until(lambda: store.is_well)
        store.append("AAA", 2, [b"2"]).result(10)
        assert store.entries("AAA") == [b"1", b"2"]


FAIL = """CREATE TRIGGER fail BEFORE INSERT ON entries WHEN NEW.code LIKE '{}' AND NEW.number > 1
    BEGIN SELECT RAISE(ABORT, 'no more'); END"""


@SQLITE_ONLY
@pytest.mark.parametrize("whose", ["%", "one table"])
def test_the_health_says_whether_no_move_can_be_written_or_none_of_a_table(tmp_path, client_folder, whose):
    with served(tmp_path, client_folder) as config:
        ann = Browser(config)
        code = ann.open(ME, HERE)["table"]
        run_sql(tmp_path, FAIL.format("%" if whose == "%" else code))
        with ann.at(code) as table:
            assert table.do("Start")["error"] == "server_fault"
            assert table.hear_the_end() == 1011
        for _ in range(3):
            with ann.at(code):  # which is noted in the file
                health = ann.http.get("/api/health")
                seen = health.status_code, health.json()["status"], health.json()["failing_tables"]
                assert seen == ((503, "cannot_write", 0) if whose == "%" else (200, "well", 1))
        run_sql(tmp_path, "DROP TRIGGER fail")
        wait_until(lambda: ann.http.get("/api/health").json()["status"] == "well")
        with ann.at(code) as table:
            assert table.do("Start")["is"] == "Accepted"
        assert ann.http.get("/api/health").json()["failing_tables"] == 0


def test_a_device_is_not_taken_for_a_file(tmp_path, games):
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    with pytest.raises(StoreError, match="device"):
        back_up(games, pipe, overwrite=True)
    assert not pipe.is_file()
