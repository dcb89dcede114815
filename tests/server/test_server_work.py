"""The work of the server for one move, counted in calls: unlike time, it is the same on a busy machine."""

import asyncio
import json
import re
import statistics
import sys
import threading
from pathlib import Path
from types import SimpleNamespace

import numpy as np
import pytest
from served import FRIEND, ME, SQLITE_ONLY, Browser, play_on, served
from tables import TableDriver
from test_server_live_table import Clock, Disk, live_of

from mulligan.server.limits import Buckets
from mulligan.server.web.connections import SocketWire
from mulligan.server.web.sockets import Connection, converse

MOVES = 40  # of one hole: its deal and its end may take more
MOST = 400  # calls of Python functions for a move, those of asyncio among them


@pytest.mark.parametrize("house_rules", [{}, {"penalty": 10}], ids=["named game", "house rules"])
def test_a_move_takes_few_calls(house_rules):
    """From the message on the socket to the view and the answer."""
    driver = TableDriver("six_card", house_rules=house_rules)
    driver.play_to("take")
    counts, questions = [], []

    def count(frame, event, arg):
        counts[-1] += event == "call"
        if arg is asyncio.get_running_loop:  # in Python 3.11, this asks the system for the process
            questions.append(frame.f_code.co_qualname)

    async def receive():
        sys.setprofile(None)
        if len(counts) == MOVES:
            return {"type": "websocket.disconnect"}
        table = driver.table
        move = json.dumps({"is": "Play", "id": f"move {len(counts)}", "seat": table.turn, "move": table.legal()[0]})
        counts.append(0)
        sys.setprofile(count)
        return {"type": "websocket.receive", "text": move}

    async def play():
        live = live_of(driver, Disk(), Clock())
        told = []

        def tell(*texts):
            told.extend(texts)
            return True

        ann = Connection(receive, None, "ann", "BCDFGHJKL", False, "", Buckets(1e6, 1e6), live.metrics, tell)
        ann.live = live
        await live.join(ann, 0)
        is_warm = asyncio.Event()
        is_warm.set()
        await converse(ann, SimpleNamespace(is_warm=is_warm))
        live.rest()
        assert sum(b'"is":"Accepted"' in text for text in told) == MOVES

    try:
        asyncio.run(play())
    finally:
        sys.setprofile(None)
    assert statistics.median(counts) < MOST
    assert questions == []


class Watched:
    """A transport whose pauses are counted: each is a system call, and another one at its end."""

    def __init__(self, transport):
        self.transport, self.pauses = transport, 0

    def __getattr__(self, name):
        return getattr(self.transport, name)

    def pause_reading(self):
        self.pauses += 1
        self.transport.pause_reading()


@SQLITE_ONLY
@pytest.mark.skipif(sys.platform != "linux", reason="system calls are counted by /proc")
def test_a_move_takes_few_system_calls(tmp_path, client_folder, monkeypatch):
    """Each socket gets one write, the mover's answer in it; a thread wakes another one once; reading never pauses."""
    loops, sockets, make = set(), [], SocketWire.connection_made
    others = {*threading.enumerate()}

    def connection_made(self, transport):
        loops.add(threading.get_native_id())
        sockets.append(Watched(transport))
        make(self, sockets[-1])

    monkeypatch.setattr(SocketWire, "connection_made", connection_made)
    with served(tmp_path, client_folder) as config:
        ann = Browser(config)
        code = ann.open(ME, FRIEND)["table"]
        with ann.at(code) as one, Browser(config).at(code) as other:
            other.do("Sit", seat=1, name="Ben")
            other.welcome = next(message for message in reversed(other.heard) if message["is"] == "Welcome")
            one.do("Start")
            for table in (one, other):
                table.do("NextHole")
            play_on(one, other, until=lambda view: view["phase"] == "take")
            ours = {*threading.enumerate()} - others
            [loop], [store] = loops, [thread.native_id for thread in ours if thread.name == "store"]
            before, first = [calls_of(loop), calls_of(store)], one.event
            play_on(one, other, until=lambda view: one.event >= first + 2 * MOVES)
            after, moves = [calls_of(loop), calls_of(store)], (one.event - first) / 2
    (read, written), (_, stored) = [(end - start) / moves for start, end in zip(before, after, strict=True)]
    assert read < 2.5  # the message, and that it is on disk
    assert written < 2.5  # one to each socket
    assert stored < 6.5  # pages of the write-ahead log, two calls for each, and one that wakes the event loop
    assert [socket.pauses for socket in sockets] == [0, 0]


def calls_of(thread):
    """How often a thread of this process has read from files and sockets, and how often it has written to them."""
    told = Path(f"/proc/self/task/{thread}/io").read_text()
    return np.array([int(found) for found in re.findall(r"sysc[rw]: (\d+)", told)])
