"""The work of the server for one move, counted in calls: unlike time, it is the same on a busy machine."""

import asyncio
import json
import statistics
import sys
from types import SimpleNamespace

import pytest
from tables import TableDriver
from test_server_live_table import Clock, Disk, live_of

from mulligan.server.limits import Buckets
from mulligan.server.web.sockets import Connection, converse

MOVES = 40  # of one hole: its deal and its end may take more
MOST = 450  # calls of Python functions for a move, those of asyncio among them


@pytest.mark.parametrize("house_rules", [{}, {"penalty": 10}], ids=["named game", "house rules"])
def test_a_move_takes_few_calls(house_rules):
    """From the message on the socket to the view and the answer."""
    driver = TableDriver("six_card", house_rules=house_rules)
    driver.play_to("take")
    counts = []

    def count(frame, event, arg):
        counts[-1] += event == "call"

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
