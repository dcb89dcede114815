"""The server as a program of its own: what it says, and how it ends with everything kept and everyone told."""

import json
import os
import re
import shlex
import signal
import socket
import subprocess
import sys
import time
from contextlib import ExitStack, closing, contextmanager
from threading import Thread

import httpx
import pytest
from served import COMPUTER, FRIEND, HERE, ME, ON_POSTGRES, Browser, database_of, play_on, served, store_in

from mulligan.server.web.config import Config
from mulligan.server.web.ending import Ending
from mulligan.server.web.run import server_of
from mulligan.server.wire.base import WIRE_VERSION

pytestmark = pytest.mark.long
WITH_SIGNALS = pytest.mark.skipif(sys.platform == "win32", reason="signals are sent differently there")
HELLO = json.dumps({"is": "Hello", "client_version": WIRE_VERSION}).encode()
QUESTIONS = 75  # not so many at once that they are too fast
HELLO = bytes([0x81, 0x80 | len(HELLO)]) + bytes(4) + HELLO  # masked with zeroes


@contextmanager
def running(data, *words, has_started=True, compiled=False, program=("-m", "mulligan", "serve")):
    """A server of its own in another process, which has started unless told otherwise, and a browser to talk to it.

    Uncompiled, it starts in a third of the time, and otherwise does the same.
    """
    store = ("--store", database_of(data))
    command = [sys.executable, *program, "--port", "0", "--data", str(data), *store, *words]
    more = os.environ | {"MULLIGAN_PLAIN": "0" if compiled else "1"}
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, env=more) as process:
        try:
            found = re.search(r"Mulligan is at http://127\.0\.0\.1:(\d+)", process.stdout.readline())
            ann = Browser(Config("127.0.0.1", int(found[1]), data))
            while not is_up(ann):
                assert process.poll() is None, "the server ended"
                time.sleep(0.05)
            if has_started:
                ann.wait_until_started()
            yield process, ann
        finally:
            process.kill()


def is_up(browser):
    try:
        return browser.http.get("/api/health").status_code == 200
    except httpx.TransportError:
        return False


@WITH_SIGNALS
@pytest.mark.parametrize("sign", [signal.SIGINT, signal.SIGTERM])
def test_a_signal_ends_it_cleanly_in_the_middle_of_a_game_and_it_says_where_the_games_are(tmp_path, sign):
    with running(tmp_path, compiled=True) as (process, ann):
        with ann.at(ann.open(ME, FRIEND)["table"]) as table:
            table.do("Start", fill="greedy")
            process.send_signal(sign)
            assert table.hear_the_end() == 1012
        said, logged = process.communicate(timeout=20)
    assert f"The games are kept in {'the database' if ON_POSTGRES else tmp_path}" in said
    assert process.returncode == (130 if sign == signal.SIGINT else 0)
    assert [json.loads(line)["event"] for line in logged.splitlines()] == [
        "started",
        "table_opened",
        "match_started",
        "closing",
        "closed",
    ]


@WITH_SIGNALS
def test_everything_acknowledged_is_there_after_it_was_ended_in_full_swing(tmp_path):
    with running(tmp_path) as (process, ann):
        table = ann.at(ann.open(ME, HERE, COMPUTER)["table"])
        acknowledged = []

        def play():
            with table as socket:
                code.append(socket.view["watch"])
                assert socket.do("Start")["is"] == "Accepted"
                try:
                    play_on(socket, until=lambda view: acknowledged.append(socket.event))
                except Exception:  # the socket is closed in the middle of anything
                    socket.hear_the_end()

        code = []
        player = Thread(target=play)
        player.start()
        while len(acknowledged) < 40:
            time.sleep(0.01)
        process.send_signal(signal.SIGTERM)
        player.join(20)
        process.communicate(timeout=20)
    assert process.returncode == 0
    store = store_in(tmp_path)
    with closing(store):
        assert len(store.entries(store.code_of(code[0]))) >= max(acknowledged)


@WITH_SIGNALS
def test_a_thousand_sockets_and_some_that_are_stuck_do_not_hold_it_up(tmp_path):
    with ExitStack() as doors, running(tmp_path, "--no-limits") as (process, ann):
        watches = [ann.open(ME, COMPUTER)["watch"] for _ in range(40)]
        spectators = [doors.enter_context(closing(one)) for one in open_raw(ann, *(watches * 25))]
        for one in open_stuck(ann, 5):
            doors.enter_context(closing(one))
        with ann.at(ann.open(ME, COMPUTER)["table"]) as table:
            process.send_signal(signal.SIGTERM)
            assert table.hear_the_end() == 1012
            _, logged = process.communicate(timeout=60)
        assert [closed_with(one) for one in spectators] == [1012] * 1000
    assert process.returncode == 0
    cut_off = [json.loads(line) for line in logged.splitlines() if '"cut_off"' in line]
    assert [line["connections"] for line in cut_off] == [5]


def open_raw(browser, *watches, small=False):
    """Sockets by hand, so that a thousand cost little, and one can stop to listen; `small`: with little room."""
    sockets = [socket.socket() for _ in watches]
    for one in sockets:
        one.settimeout(60)
        if small:
            one.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
            one.setsockopt(socket.IPPROTO_TCP, socket.TCP_MAXSEG, 536)  # else the other end keeps megabytes
        one.connect(("127.0.0.1", browser.config.port))
    for one, watch in zip(sockets, watches, strict=True):
        one.sendall(
            f"GET /ws/w/{watch} HTTP/1.1\r\nHost: 127.0.0.1:{browser.config.port}\r\nUpgrade: websocket\r\n"
            f"Connection: Upgrade\r\nSec-WebSocket-Key: {'A' * 22}==\r\nSec-WebSocket-Version: 13\r\n\r\n".encode()
        )
    for one in sockets:
        assert b" 101 " in read_until(one, b"\r\n\r\n")
        one.sendall(HELLO)
    for one in sockets:
        assert b'"is":"Welcome"' in read_until(one, b'"is":"Welcome"')
    return sockets


def open_stuck(browser, count):
    """They ask where everything stands, are told more than the system keeps for them, and read none of it."""
    watch = browser.open(ME, *[COMPUTER] * 7, game="nine_card")["watch"]
    stuck = open_raw(browser, *[watch] * count, small=True)
    for one in stuck:
        one.sendall(HELLO * QUESTIONS)
    with closing(open_raw(browser, watch)[0]) as listener:
        listener.sendall(HELLO * QUESTIONS)
        read_until(listener, b'"is":"Welcome"', QUESTIONS)  # by then the server has tried to answer the others, too
    return stuck


def read_until(one, end, times=1):
    got = b""
    while got.count(end) < times:
        part = one.recv(65536)
        assert part, f"closed after {got[-200:]!r}"
        got += part
    return got


def closed_with(one):
    """The code in the last frame, which closes the socket."""
    got = b""
    try:
        while part := one.recv(1 << 20):
            got = (got + part)[-4:]
    except OSError:
        return None
    return int.from_bytes(got[2:]) if got[:2] == b"\x88\x02" else None


@WITH_SIGNALS
def test_a_second_signal_ends_it_at_once(tmp_path):
    with running(tmp_path, "--no-limits") as (process, ann), closing(open_stuck(ann, 1)[0]):
        process.send_signal(signal.SIGTERM)
        while '"closing"' not in process.stderr.readline():
            assert process.poll() is None, "nothing was stuck"
        process.send_signal(signal.SIGTERM)
        assert process.wait(20) == -signal.SIGTERM  # one that closed in order, or cut off who is stuck, returns 0


@WITH_SIGNALS
def test_it_ends_in_time_while_it_is_still_getting_ready(tmp_path):
    command = [sys.executable, "-m", "mulligan", "serve", "--port", "0", "--data", str(tmp_path)]
    for answers in (False, True):  # or not yet
        with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) as process:
            try:
                found = re.search(r":(\d+)$", process.stdout.readline())
                process.stderr.readline()  # "started"
                while answers and not is_up(Browser(Config("127.0.0.1", int(found[1]), tmp_path))):
                    time.sleep(0.01)
                process.send_signal(signal.SIGTERM)
                process.communicate(timeout=30)  # to compile all would take longer
                assert process.returncode == 0
            finally:
                process.kill()


def test_the_health_says_so_while_it_closes(tmp_path, client_folder):
    ending = Ending()
    with served(tmp_path, client_folder, ending=ending) as config:
        health = Browser(config).http
        assert health.get("/api/health").status_code == 200
        ending.is_closing = True
        answer = health.get("/api/health")
    assert answer.status_code == 503
    assert answer.json()["status"] == "closing"


def test_the_first_signal_already_counts_as_closing():
    """The health is asked on while the last sockets are told to come back."""
    ending = Ending()
    server_of(None, ending=ending).handle_exit(signal.SIGTERM, None)
    assert ending.is_closing


def test_a_busy_port_is_one_sentence_and_no_traceback(tmp_path, server):
    command = [sys.executable, "-m", "mulligan", "serve", "--port", str(server.port), "--data", str(tmp_path)]
    done = subprocess.run(command, capture_output=True, text=True, timeout=60, check=False)
    assert done.returncode == 1
    told = "is taken, perhaps by a Mulligan that runs already; choose another with --port."
    assert done.stderr == f"Port {server.port} {told}\n"


# Loading compiled code takes minutes where another process compiles it, or where the machine has a lot to do.
SLOW_TO_LOAD = """
import sys, time
from mulligan.server import bots
bots.warm_up = lambda players: time.sleep(60)
sys.argv.insert(1, "serve")
from mulligan import __main__
"""


@WITH_SIGNALS
def test_it_ends_at_once_while_it_still_loads_code(tmp_path):
    with running(tmp_path, has_started=False, program=("-c", SLOW_TO_LOAD)) as (process, ann):
        assert ann.http.get("/api/health").json()["status"] == "starting"
        process.terminate()
        said, logged = process.communicate(timeout=30)
    assert process.returncode == 0
    assert "The games are kept in" in said
    assert [json.loads(line)["event"] for line in logged.splitlines()] == ["started", "closing", "closed"]


@WITH_SIGNALS
def test_nobody_needs_to_listen_to_what_it_says(tmp_path):
    """Someone read where it is, and then closed both its ears: `mulligan serve 2>&- | head -1`."""
    command = [sys.executable, "-m", "mulligan", "serve", "--port", "0", "--data", str(tmp_path)]
    words = f"exec {shlex.join(command)} 2>&-"
    with subprocess.Popen(words, shell=True, stdout=subprocess.PIPE, text=True) as process:
        found = re.search(r":(\d+)$", process.stdout.readline())
        process.stdout.close()
        ann = Browser(Config("127.0.0.1", int(found[1]), tmp_path))
        while not is_up(ann):
            time.sleep(0.05)
        assert ann.open(ME, FRIEND)["table"]
        process.terminate()
        assert process.wait(30) == 0
