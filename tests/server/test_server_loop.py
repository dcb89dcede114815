"""The event loop waits for no file, process, address or database: a wait there would be everyone's."""

import asyncio

import postgres
import pytest
from served import COMPUTER, HERE, ME, SQLITE_ONLY, Browser, served
from test_server_run import WITH_SIGNALS, running
from test_server_wall_clock import CODES, ClockedServer

from mulligan.server.admin import GetStatus, GetTables, ask
from mulligan.server.rooms import housekeeping
from mulligan.server.services import archive
from mulligan.server.store.errors import Disconnected
from mulligan.server.store.postgres import PostgresStore

# Runs the server, and prints what would block its event loop. Its own files may, which are read once, and so may the
# games on this machine's disk (see docs/decisions.md) and the socket file of `mulligan admin`.
LISTENING = """
import asyncio, os, sys
from pathlib import Path
EVENTS = {"open", "os.listdir", "os.mkdir", "os.posix_spawn", "os.remove", "os.rename", "os.scandir", "os.fork",
          "os.system", "shutil.copyfile", "socket.connect", "socket.getaddrinfo", "socket.gethostbyname",
          "sqlite3.connect", "subprocess.Popen", "time.sleep", "urllib.Request"}
OWN = (sys.prefix, sys.base_prefix, sys.argv.pop(), "/dev/null")

def hear(event, arguments):
    if event in EVENTS and asyncio._get_running_loop() and not str(arguments[0]).startswith(OWN):
        frame, places = sys._getframe(1), []
        while frame and len(places) < 6:
            places.append(f"{Path(frame.f_code.co_filename).name}:{frame.f_lineno}")
            frame = frame.f_back
        os.write(2, f"BLOCKS {event} {arguments[0]} {' < '.join(places)}\\n".encode())

sys.addaudithook(hear)
sys.argv.insert(1, "serve")
from mulligan import __main__
"""


def may_wait(line):
    """The games are on this disk; a process is started by asyncio, and once a question has come."""
    return any(name in line for name in ("games.sqlite", "admin.py:", "base_subprocess.py", "unix_events.py"))


@pytest.mark.long
@SQLITE_ONLY
@WITH_SIGNALS
def test_the_event_loop_opens_nothing_while_people_play(tmp_path):
    own = str(housekeeping.__file__).partition("src")[0]
    with running(tmp_path, own, program=("-c", LISTENING)) as (process, ann):
        codes = ann.open(ME, COMPUTER, holes=1)
        with ann.at(codes["table"]) as table:
            game = table.play_a_match()
        paths = ("/", f"/t/{codes['table']}", f"/api/games/{game}", f"/api/games/{game}/holes/1", "/api/frequencies")
        assert {ann.http.get(path).status_code for path in paths} == {200}
        assert ask(tmp_path, GetStatus()).tables == len(ask(tmp_path, GetTables()).tables) == 1
        process.terminate()
        _, told = process.communicate(timeout=60)
    blocking = [line for line in told.splitlines() if line.startswith("BLOCKS")]
    assert any("games.sqlite" in line for line in blocking), "nothing is heard"
    assert [line for line in blocking if not may_wait(line)] == []


@pytest.mark.long
def test_a_damaged_log_in_a_database_is_named_without_a_wait(tmp_path, client_folder, monkeypatch):
    """What would wait is noticed by the fixture of all these tests."""
    logged = []
    monkeypatch.setattr(archive, "log_rarely", lambda event, why, level="", table="", **_: logged.append(table))
    address = postgres.shared_cluster().database()
    with served(tmp_path / "one", client_folder, store=address) as config:
        codes = Browser(config).open(ME, HERE)
    store = PostgresStore(address)
    store.put([("UPDATE entries SET entry = '{}'", ())]).result(10)
    store.close()
    with served(tmp_path / "one", client_folder, store=address) as config:
        assert Browser(config).http.get(f"/api/tables/{codes['table']}").status_code == 503
    assert logged == [codes["watch"]]


def test_after_a_failure_the_housekeeping_tries_again_soon(tmp_path, monkeypatch):
    server, tries, logged = ClockedServer(tmp_path), [], []
    store = server.registry.store
    server.open(CODES[0])
    server.pass_hours(83 * housekeeping.DAY)

    def fail_at_first():
        tries.append(store.marked(0))
        if len(tries) <= 3:
            raise Disconnected("The database does not answer.")
        return True

    async def keep_house():
        server.registry.is_warm.set()
        keeping = asyncio.create_task(server.keeping.keep_on())
        async with asyncio.timeout(20):
            while not await asyncio.to_thread(store.marked, 0):
                await asyncio.sleep(0.01)
        keeping.cancel()

    monkeypatch.setattr(store, "leads", fail_at_first)
    monkeypatch.setattr(housekeeping, "SOON", 0.01)
    monkeypatch.setattr(housekeeping, "log_rarely", lambda event, why, level: logged.append(event))
    asyncio.run(keep_house())
    assert (len(tries), logged) == (4, ["housekeeping_failed"] * 3)
    store.close()
