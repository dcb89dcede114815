"""How the server starts: people get in at once, and nothing is done twice."""

import itertools
import json
import os
import signal
import subprocess
import sys
import time

import pytest
from served import COMPUTER, ME, database_of, store_in
from tables import TableDriver
from test_server_bots import is_alive
from test_server_run import WITH_SIGNALS, is_up, running

from mulligan.engine.compiled import PLAIN
from mulligan.game import variants
from mulligan.machine_code import COMPLETE, cache_folder
from mulligan.players.roster import PLAYERS
from mulligan.server.services import compile_all
from mulligan.server.table.log_entries import encode
from mulligan.server.web.accounts import name_of

pytestmark = pytest.mark.long
IMPORTED = """
import asyncio, sys, threading
from pathlib import Path
from mulligan.server import bots
from mulligan.server.rooms.registry import Registry
from mulligan.server.store.sqlite import SqliteStore

def warm_up(players):
    print(threading.current_thread() is not threading.main_thread(), "numpy.ma" in sys.modules)

async def start():
    registry = Registry(SqliteStore(Path(sys.argv[1])))
    registry.coach.prepare = registry.warm_up  # not today
    await registry.open()
    await registry.is_warm.wait()
    await registry.close()

bots.warm_up = warm_up
asyncio.run(start())
"""


def test_what_numba_imports_late_is_there_before_a_second_thread_could_import_it_too(tmp_path):
    told = subprocess.run(
        [sys.executable, "-c", IMPORTED, str(tmp_path)], capture_output=True, text=True, check=True, timeout=60
    )
    assert told.stdout == "True True\n", told.stderr


TOKEN = "a" * 32
CODE = "BCDFGHJK"  # for spectators


def keep(folder, driver, token=TOKEN):
    """Ann's driver on the disk of a server that is not running."""
    store = store_in(folder)
    log = [encode(entry).replace(b'"ann"', f'"{name_of(token)}"'.encode()) for entry in driver.log]
    store.open_table("BCDFGHJKL", driver.table.watch, "play_nine", 1.8e9, log).result(10)
    store.close()


# The first start, when nothing is compiled

# Runs the server with a compiler that only waits for the file it is given, prints its progress and marks the cache.
FIRST_START = """
import sys
from mulligan.server import first_start
go, *sys.argv[1:] = sys.argv[1:]
compiler = "import pathlib, sys, time; print('0/1', flush=True)\\n"
compiler += "while not pathlib.Path(sys.argv[1]).exists(): time.sleep(0.01)\\n"
compiler += "pathlib.Path(sys.argv[2]).touch(); print('1/1')"
first_start.COMPILE = (sys.executable, "-c", compiler, go, str(first_start.stamp()))
sys.argv.insert(1, "serve")
from mulligan import __main__
"""


@pytest.fixture
def first_start(tmp_path, monkeypatch):
    """A server whose cache has everything but the mark that it is complete; its process, Ann's browser, her table."""
    driver = TableDriver(seed=2, watch=CODE)
    driver.play_to("tee_off")
    keep(tmp_path / "games", driver)
    real = cache_folder()
    cache = tmp_path / "cache" / "mulligan" / real.name
    cache.mkdir(parents=True)
    for entry in real.iterdir():
        if entry.name != COMPLETE:
            (cache / entry.name).symlink_to(entry)
    monkeypatch.setenv("MULLIGAN_CACHE", str(tmp_path / "cache"))
    program = ["-c", FIRST_START, str(tmp_path / "go")]
    with running(tmp_path / "games", compiled=True, program=program) as (process, ann):
        ann.http.cookies.set("mulligan_guest", TOKEN)
        yield process, ann, driver
        process.send_signal(signal.SIGTERM)
        process.communicate(timeout=60)


@WITH_SIGNALS
def test_while_the_server_compiles_everything_is_played(first_start):
    _, ann, driver = first_start
    with ann.at("BCDFGHJKL") as table:
        assert not table.welcome["starting"]
        assert table.view["legal"] == driver.table.legal()
        assert table.do("Play", seat=table.view["turn"], move=table.view["legal"][0])["is"] == "Accepted"
    champion = COMPUTER | {"player": "search"}
    with ann.at(ann.open(ME, champion, holes=1)["table"]) as table:
        game = table.play_a_match()
    health = ann.http.get("/api/ready").json()
    assert (health["status"], health["compiling"]) == ("well", "0/1")
    path = f"/api/games/{game}/analysis"
    while (analysis := ann.http.get(path)).json()["error"] == "overloaded":
        pass  # compiling keeps a small machine busy for a moment
    assert (analysis.status_code, analysis.json()["error"]) == (503, "starting")


@WITH_SIGNALS
def test_once_everything_is_compiled_the_server_restarts_and_nothing_is_lost(first_start, tmp_path):
    process, ann, _ = first_start
    with ann.at("BCDFGHJKL") as table:
        assert table.do("Play", "mine", seat=table.view["turn"], move=table.view["legal"][0])["is"] == "Accepted"
        played = table.event
        (tmp_path / "go").touch()
        assert table.hear_the_end() == 1012
    while not is_up(ann):  # at the same address
        time.sleep(0.05)
    ann.wait_until_started()
    assert ann.http.get("/api/health").json()["compiling"] == ""
    with ann.at("BCDFGHJKL") as table:
        assert table.event == played
        assert table.do("Play", seat=table.view["turn"], move=table.view["legal"][0])["is"] == "Accepted"
    process.send_signal(signal.SIGTERM)
    said, logged = process.communicate(timeout=60)
    assert process.returncode == 0
    assert said.count("Mulligan has closed") == 1
    events = [json.loads(line) for line in logged.splitlines()]
    assert [event["progress"] for event in events if event["event"] == "compiling"] == ["0/1", "1/1"]
    assert [event["event"] for event in events].count("started") == 2


STARTING = """
import asyncio, json, sys
from pathlib import Path
from test_server_start import TOKEN
from mulligan.server.store.opening import open_store
from mulligan.server.web import sockets
from mulligan.server.rooms.registry import Registry
from mulligan.server.limits import Buckets
from mulligan.server.wire.base import WIRE_VERSION

class Slow(Registry):
    async def warm_up(self):
        pass

async def start():
    registry = Slow(open_store(Path(sys.argv[1]), sys.argv[2]))
    await registry.open()
    asked, told = asyncio.Queue(), asyncio.Queue()
    cookie = (b"cookie", f"mulligan_guest={TOKEN}".encode())
    scope = {"type": "websocket", "path": "/ws/t/BCDFGHJKL", "scheme": "ws", "headers": [cookie]}
    patient = Buckets(1e9, 1e9)
    serving = asyncio.create_task(sockets.serve(scope, asked.get, told.put, registry, patient, patient))
    say = lambda **message: asked.put_nowait({"type": "websocket.receive", "text": json.dumps(message)})
    async def hear(kind):
        while True:
            message = json.loads((await told.get()).get("text", "{}"))
            if message.get("is") == kind:
                return message
    asked.put_nowait({"type": "websocket.connect"})
    say(**{"is": "Hello", "client_version": WIRE_VERSION})
    first = await hear("Welcome")
    say(**{"is": "Play", "id": "early", "seat": first["view"]["turn"], "move": first["view"]["legal"][0]})
    say(**{"is": "Ping", "n": 1})
    await hear("Pong")
    registry.is_warm.set()
    again = await hear("Welcome")
    answer = await hear("Accepted")
    print(first["starting"], again["starting"], first["event"] == again["event"], answer["id"])
    asked.put_nowait({"type": "websocket.disconnect", "code": 1000})
    await serving
    await registry.close()

asyncio.run(start())
"""


def test_what_is_given_early_happens_once_the_server_has_started(tmp_path):
    driver = TableDriver(seed=2, watch=CODE)
    driver.play_to("tee_off")
    keep(tmp_path, driver)
    told = subprocess.run(
        [sys.executable, "-c", STARTING, str(tmp_path), database_of(tmp_path)],
        capture_output=True, text=True, timeout=60, check=False,
        env=os.environ | {"PYTHONPATH": os.pathsep.join(sys.path)},
    )  # fmt: skip
    assert told.stdout == "True False True early\n", told.stderr


IS_PREPARED = """
import platform, socket, sys
platform.node = socket.gethostname = lambda: sys.argv[1]
import llvmlite.binding as processor
if sys.argv[2:]:
    processor.get_host_cpu_name = lambda: sys.argv[2]
    processor.get_host_cpu_features = dict  # so it belongs to no family
from mulligan.server import first_start
if sys.argv[1] == "builder":
    first_start.stamp().touch()
first_start.play_uncompiled()
print(first_start.is_compiled(), first_start.restarts_compiled)
"""


def test_what_was_prepared_under_one_name_of_the_machine_is_prepared_under_every_other(tmp_path):
    """As in a container, which has a name of its own each time it is made. Another processor needs other code."""

    def is_prepared(*machine):
        return subprocess.run(
            [sys.executable, "-c", IS_PREPARED, *machine], capture_output=True, text=True, check=True, timeout=60,
            env=os.environ | {"MULLIGAN_CACHE": str(tmp_path), "MULLIGAN_PLAIN": "0"},
        ).stdout  # fmt: skip

    assert is_prepared("builder") == is_prepared("c0ffee123456") == "True False\n"
    assert is_prepared("c0ffee123456", "another-processor") == "False True\n"


@pytest.fixture
def compiled_by(monkeypatch, tmp_path):
    """What is compiled, in this order: pairs of game and player, simulations, coach and pages. Nothing really is."""
    done = []
    monkeypatch.setattr(compile_all, "COMPILE", (sys.executable, "-c", "input()"))
    monkeypatch.setattr(compile_all, "stamp", lambda: tmp_path / "complete")
    monkeypatch.setattr(compile_all.bots, "play_a_hole", lambda game, players: done.append((game.name, *players)))
    monkeypatch.setattr(compile_all, "simulate_holes", lambda: done.append(("", "simulations")))
    monkeypatch.setattr(compile_all.coach_worker, "warm_up", lambda: done.append(("", "coach")))
    monkeypatch.setattr(compile_all, "make_pages", lambda: done.append(("", "pages")))
    return done


def test_everything_is_compiled_and_noted(tmp_path, compiled_by):
    steps = len(PLAYERS) + 3
    assert list(compile_all.compile_all()) == [(done, steps) for done in range(steps + 1)]
    others = {("", "simulations"), ("", "coach"), ("", "pages")}
    assert {*compiled_by} == {*itertools.product(variants.games(), PLAYERS)} | others
    assert (tmp_path / "complete").exists()


@pytest.mark.skipif(PLAIN, reason="Nothing is compiled.")
def test_what_pages_ask_of_the_engine_is_compiled_beforehand():
    program = """
import gc
from numba.core.registry import CPUDispatcher
from mulligan.game import variants
from mulligan.server.services.compile_all import steps
from mulligan.server.services.lessons import lessons
from mulligan.server.wire.game_facts import facts

def compiled():
    found = (one for one in gc.get_objects() if isinstance(one, CPUDispatcher))
    return {(one.py_func.__qualname__, str(kinds)) for one in found for kinds in one.signatures}

steps()[-1]()
before = compiled()
facts("")
for name in variants.games():
    lessons(name)
print(len(before) > 9, compiled() - before)
"""
    told = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, timeout=300)
    assert told.stdout == "True set()\n", told.stderr


@pytest.mark.skipif(PLAIN, reason="Nothing is compiled.")
def test_every_call_of_the_engine_is_compiled_beforehand():
    program = """
from mulligan.engine import calls
from mulligan.server.services.compile_all import steps

ours = {name: one for name, one in vars(calls).items() if getattr(one, "__module__", "") == calls.__name__}
steps()[0]()
print(len(ours) > 5, [name for name, one in ours.items() if not one.signatures])
"""
    told = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, timeout=300)
    assert told.stdout == "True []\n", told.stderr


def test_another_process_compiles_the_same_from_the_end(compiled_by):
    list(compile_all.compile_all())
    forwards = compiled_by.copy()
    compiled_by.clear()
    compile_all.compile_backwards()
    assert {*compiled_by} == {*forwards}
    orders = [[*dict.fromkeys(player for _, player in done)] for done in (forwards, compiled_by)]
    assert orders[1] == orders[0][::-1]


def test_it_ends_with_the_one_that_started_it(tmp_path):
    program = """
import os, signal
from mulligan.server.services.compile_all import compiling_backwards
with compiling_backwards() as other:
    print(other.pid, flush=True)
    os.kill(os.getpid(), signal.SIGKILL)
"""
    environment = os.environ | {"MULLIGAN_CACHE": str(tmp_path)}  # so there is much to compile
    told = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, env=environment, timeout=60)
    until = time.monotonic() + 20
    while is_alive(int(told.stdout)):
        assert time.monotonic() < until, "still compiling"
        time.sleep(0.05)


def test_where_compiled_code_cannot_be_kept_the_server_plays_uncompiled_for_good(tmp_path):
    cache = tmp_path / "a file, not a folder"
    cache.touch()
    program = """
from mulligan.server import first_start
first_start.play_uncompiled()
from mulligan.engine import compiled
from mulligan.engine.moves import play
print(compiled.PLAIN, first_start.restarts_compiled, type(play).__name__)
"""
    told = subprocess.run(
        [sys.executable, "-c", program], capture_output=True, text=True, check=True, timeout=60,
        env=os.environ | {"MULLIGAN_CACHE": str(cache)},
    )  # fmt: skip
    assert told.stdout == "True False function\n"
