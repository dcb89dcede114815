"""Litestream copies the games while they are played; what it had copied is there after machine and server are lost."""

import os
import shutil
import socket
import subprocess
import sys
import time
from concurrent.futures import wait
from contextlib import closing, contextmanager
from pathlib import Path
from threading import Event, Thread

import pytest
from proxies import DEPLOY
from served import HERE, ME, SQLITE_ONLY, Browser, is_over, play_on, run_sql, served
from test_server_backup import somebody_plays
from test_server_move import move
from test_server_run import running
from test_server_space import LOG

from mulligan.server.store.folder import FILE
from mulligan.server.store.sqlite import SqliteStore

RESTORES = int(os.environ.get("MULLIGAN_RESTORES", "3"))
LITESTREAM = shutil.which("litestream", path=str(Path(sys.executable).parent)) or shutil.which("litestream")
pytestmark = [pytest.mark.long, SQLITE_ONLY, pytest.mark.skipif(not LITESTREAM, reason="Litestream is not installed")]


def litestream(*words):
    done = subprocess.run([LITESTREAM, *map(str, words)], capture_output=True, text=True, timeout=60, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


def listens(path):
    with socket.socket(socket.AF_UNIX) as probe:
        return probe.connect_ex(str(path)) == 0


@contextmanager
def copying(folder, shared):
    """Runs Litestream as in deploy/, and kills it. Gives a function that waits until everything so far is copied."""
    config = (DEPLOY / "litestream.yml").read_text(encoding="utf-8")
    for ours, theirs in (
        ("/var/lib/mulligan/games.sqlite", folder / FILE),
        ("s3://golf.example.org/games", f"file://{shared}/copies"),
        ("/run/mulligan-litestream/socket", shared / "socket"),
    ):
        assert ours in config
        config = config.replace(ours, str(theirs))
    (shared / "litestream.yml").write_text(config, encoding="utf-8")
    words = [LITESTREAM, "replicate", "-config", shared / "litestream.yml"]
    with subprocess.Popen(words, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL) as process:
        try:
            while not listens(shared / "socket"):
                assert process.poll() is None, "Litestream ended"
                time.sleep(0.01)
            yield lambda: litestream("sync", "-wait", "-socket", shared / "socket", folder / FILE)
        finally:
            process.kill()


def restore(folder, shared, again):
    """Brings the copy back as a folder of games."""
    litestream(
        *(
            "restore",
            "-integrity-check",
            "full",
            "-config",
            shared / "litestream.yml",
            "-o",
            again / FILE,
            folder / FILE,
        )
    )
    return again


@pytest.fixture
def shared(tmp_path):
    """A folder with a short path, as sockets need one."""
    folder = Path(f"/tmp/copies{time.monotonic_ns()}")
    folder.mkdir()
    yield folder
    shutil.rmtree(folder)


def test_nothing_acknowledged_before_the_last_copy_is_lost_with_the_machine(tmp_path, shared, client_folder):
    games = tmp_path / "games"
    SqliteStore(games).close()
    with copying(games, shared) as sync:
        sync()
        with running(games) as (process, ann):
            code = ann.open(ME, HERE)["table"]
            with somebody_plays(ann, code) as (told, plays_on):
                for _ in range(3):
                    least = told[-1]
                    sync()
                    while told[-1] < least + 10:
                        assert plays_on(), "no more moves come"
                        time.sleep(0.01)
                process.kill()
                process.wait()
    with closing(SqliteStore(games)) as store:
        whole = store.entries(code)
    shutil.rmtree(games)
    restored = restore(games, shared, tmp_path / "restored")
    with closing(SqliteStore(restored)) as store:
        kept = store.entries(code)
    assert kept == whole[: len(kept)]
    assert len(kept) >= least > 20
    with served(restored, client_folder) as config:
        again = Browser(config)
        again.http.cookies.update(ann.http.cookies)
        with again.at(code) as table:
            assert (table.welcome["you"], table.event) == ([0, 1], len(kept))
            if is_over(table.view):
                assert table.do("Rematch")["is"] == "Accepted"
            play_on(table, until=lambda view: view["phase"] in ("hole_over", "over"))


def give_space_back(store):
    """As the server does every hour; the first write of a store, which tries the disk, leaves some."""
    store.put([]).result(10)
    while written := store.tend():
        written.result(10)


def test_checkpoints_are_left_to_litestream(tmp_path, shared):
    """One by the server can come between its steps, and damage the copy: 13 of 32 did, when it synced all the time."""
    ask = "PRAGMA wal_autocheckpoint"
    with closing(SqliteStore(tmp_path)) as store:
        give_space_back(store)
        assert store.tend() is None
        assert store.connection.execute(ask).fetchone() == (4000,)
        with copying(tmp_path, shared) as sync:
            sync()
        store.tend().result(10)
        assert store.connection.execute(ask).fetchone() == (100_000,)
        assert store.tend() is None
    with closing(SqliteStore(tmp_path)) as store:
        assert store.connection.execute(ask).fetchone() == (100_000,)


def test_every_copy_made_while_moves_pour_in_is_a_beginning_of_all_logs(tmp_path, shared):
    codes, is_enough, number = [f"T{number}" for number in range(20)], Event(), 0
    games = tmp_path / "games"
    with closing(SqliteStore(games)) as store, copying(games, shared) as sync:
        for code in codes:
            store.open_table(code, f"W{code}", "play_nine", 1.0, [b"0"]).result(10)
        sync()
        give_space_back(store)

        def play():
            nonlocal number
            while not is_enough.wait(0.02):  # or the file soon takes seconds to restore
                number += 2
                wait([store.append(code, number, [b"x" * 150, b"%d" % number]) for code in codes], 20)

        player = Thread(target=play)
        player.start()
        try:
            for again in range(RESTORES):
                least = number
                sync()
                restored = restore(games, shared, tmp_path / f"restored{again}")
                with closing(SqliteStore(restored)) as copy:
                    kept = [copy.entries(code) for code in codes]
                shutil.rmtree(restored)
                assert [store.entries(code)[: len(log)] for code, log in zip(codes, kept, strict=True)] == kept
                assert min(map(len, kept)) >= least - 1
        finally:
            is_enough.set()
            player.join(20)


def test_what_is_compressed_deleted_and_given_back_is_so_in_the_copy(tmp_path, shared):
    games = tmp_path / "games"
    with closing(SqliteStore(games)) as store, copying(games, shared) as sync:
        for code in "ABCDEF":
            store.open_table(code, f"W{code}", "play_nine", 1.0, LOG).result(10)
        sync()
        for code in "ABC":
            store.compress(code).result(10)
        store.remove("D").result(10)
        give_space_back(store)
        store.append("A", len(LOG) + 1, [b"1"]).result(10)
        sync()
        expected = [store.entries(code) for code in "ABCDEF"]
    restored = restore(games, shared, tmp_path / "restored")
    with closing(SqliteStore(restored)) as store:
        assert [store.entries(code) for code in "ABCDEF"] == expected
        with copying(restored, shared) as sync:  # to the same place
            store.append("A", len(LOG) + 2, [b"2"]).result(10)
            sync()
    again = restore(restored, shared, tmp_path / "again")
    with closing(SqliteStore(again)) as store:
        assert [store.entries(code) for code in "ABCDEF"] == [expected[0] + [b"2"], *expected[1:]]
    assert run_sql(restored, "SELECT count(*) FROM chunks") == [(3,)]
    assert run_sql(restored, "SELECT count(*) FROM sqlite_master WHERE name = '_litestream_lock'") == [(1,)]
    moved = move(restored, tmp_path / "moved")  # Litestream's own tables stay behind
    assert moved.tables == 5
