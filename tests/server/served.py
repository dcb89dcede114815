"""A real server on a port of its own, and browsers that talk to it, for the tests."""

import json
import math
import os
import sqlite3
import threading
import time
from contextlib import closing, contextmanager
from dataclasses import replace
from functools import cache, partial

import httpx
import postgres
import psycopg
import pytest
from websockets.exceptions import ConnectionClosed
from websockets.sync.client import connect

from mulligan.server.limits import Limits
from mulligan.server.rooms.registry import Registry
from mulligan.server.services.coach import Coach
from mulligan.server.store.folder import FILE
from mulligan.server.store.opening import open_store
from mulligan.server.table.time_limits import CLOCKS
from mulligan.server.web.app import build
from mulligan.server.web.config import Config
from mulligan.server.web.run import listen, server_of
from mulligan.server.wire.base import WIRE_VERSION

ON_POSTGRES = os.environ.get("MULLIGAN_TEST_STORE") == "postgres"
SQLITE_ONLY = pytest.mark.skipif(ON_POSTGRES, reason="is about the file of SQLite")
PATIENCE = 120  # seconds for an answer
SHORT = {tempo: clocks._replace(presence=0.05, seeds=0.05) for tempo, clocks in CLOCKS.items()}


class Unprepared(Coach):
    """Begins with the first question: compiling beside every test would slow all of them down."""

    async def prepare(self):
        pass


@contextmanager
def served(data, client, thinkers=None, ending=None, clocks=SHORT, metrics=None, drain=0.0, **changes):
    """The server's config, while it runs in a thread. `ending` says that it is about to end, before it does."""
    changes.setdefault("limits", replace(Limits(), guesses=math.inf))
    changes.setdefault("store", database_of(data))
    listening = listen("127.0.0.1", 0)
    config = Config("127.0.0.1", listening.getsockname()[1], data, client, **changes)
    registry = partial(Registry, clocks=clocks, thinkers=thinkers, coach=Unprepared(), metrics=metrics)
    server = server_of(build(config, registry, ending), config, ending, metrics, drain)
    thread = threading.Thread(target=server.run, kwargs={"sockets": [listening]}, daemon=True)
    thread.start()
    try:
        while not server.started:
            assert thread.is_alive(), "the server did not start"
            time.sleep(0.01)
        Browser(config).wait_until_started()
        yield config
    finally:
        server.should_exit = True
        thread.join(20)
        assert not thread.is_alive(), "the server did not end"


@cache
def database_of(folder):
    """The PostgreSQL database that stands for a folder of games, where the tests run against that store; or ""."""
    return postgres.shared_cluster().database() if ON_POSTGRES else ""


def store_in(folder):
    """Opens the store of a folder of games, in the database that the tests use."""
    return open_store(folder, database_of(folder))


def run_sql(folder, statement, values=()):
    """Runs SQL in the store of a folder of games, also beside its server, and returns the rows."""
    address = database_of(folder)
    opened = psycopg.connect(address, autocommit=True) if address else sqlite3.connect(folder / FILE)
    with closing(opened) as connection, connection:
        cursor = connection.execute(statement.replace("?", "%s") if address else statement, values)
        return cursor.fetchall() if cursor.description else []


def wait_until(is_so):
    until = time.monotonic() + PATIENCE
    while not is_so():
        assert time.monotonic() < until
        time.sleep(0.05)


class Browser:
    """Someone with a cookie of their own."""

    def __init__(self, config):
        self.config = config
        # Without certificates, which take long to read and which nobody needs here.
        self.http = httpx.Client(base_url=f"http://127.0.0.1:{config.port}", timeout=PATIENCE, verify=False)

    def wait_until_started(self):
        """Until everything is compiled, however long that takes: nobody's patience runs meanwhile."""
        while self.http.get("/api/health").json().get("status") == "starting":
            time.sleep(0.05)

    def open(self, *seats, game="play_nine", pace="instant", holes=0):
        """Opens a table and returns its codes."""
        wish = {"game": game, "seats": list(seats), "options": {"pace": pace, "holes": holes}}
        post = partial(self.http.post, "/api/tables", json=wish)
        until = time.monotonic() + PATIENCE
        while (answer := post()).status_code == 503 and time.monotonic() < until:
            time.sleep(0.5)  # the machine is busy with something else, and the server refuses what can wait
        assert answer.status_code == 201, answer.text
        return answer.json()

    def socket(self, path, origin=None, more=None):
        headers = {"cookie": "; ".join(f"{name}={value}" for name, value in self.http.cookies.items())} | (more or {})
        address = f"ws://127.0.0.1:{self.config.port}{path}"
        whole = {"compression": None, "max_size": None, "max_queue": None}  # unread messages must not delay closing
        socket = connect(address, additional_headers=headers, origin=origin, **whole)
        for cookie in socket.response.headers.get_all("set-cookie"):
            self.http.cookies.set(*cookie.partition(";")[0].split("="))
        return socket

    @contextmanager
    def at(self, code, watching=False, **hello):
        """A socket that has said Hello and been welcomed, of a page that may be silent for a while."""
        with self.socket(f"/ws/{'w' if watching else 't'}/{code}") as socket:
            table = AtTable(socket)
            table.say("Hello", **{"client_version": WIRE_VERSION, "visible": False, **hello})
            table.welcome = table.hear("Welcome")
            yield table


class AtTable:
    """What one socket hears; the latest view is kept."""

    commands = 0

    def __init__(self, socket):
        self.socket = socket
        self.view = None
        self.event = 0
        self.heard = []
        self.welcome = None

    def say(self, kind, **fields):
        self.socket.send(json.dumps({"is": kind, **fields}))

    def next(self):
        message = json.loads(self.socket.recv(timeout=PATIENCE))
        self.heard.append(message)
        if "view" in message:
            self.view, self.event = message["view"], message["event"]
        return message

    def hear(self, *kinds):
        """The next message of one of these kinds."""
        while (message := self.next())["is"] not in kinds:
            pass
        return message

    def hear_the_end(self):
        """The code the server closes the socket with."""
        try:
            while True:
                self.next()
        except ConnectionClosed as closed:
            return closed.rcvd and closed.rcvd.code

    def do(self, kind, number="", **fields):
        """Gives a command, again where that was too fast, and returns the answer to it."""
        AtTable.commands += 1
        number = number or f"c{AtTable.commands}"
        self.say(kind, id=number, **fields)
        while True:
            message = self.hear("Accepted", "Refused")
            if message["id"] == number:
                if message.get("error") != "too_fast":
                    return message
                time.sleep(0.3)
                self.say(kind, id=number, **fields)

    def wait_for(self, is_right):
        """Listens until the view is right."""
        while not (self.view and is_right(self.view)):
            self.next()
        return self.view

    def play_a_match(self):
        """Starts a match, plays it to its end, and returns its number."""
        assert self.do("Start")["is"] == "Accepted"
        play_on(self)
        return self.view["finished"][-1]


def is_over(view):
    return view["phase"] == "over"


def play_on(*tables, until=is_over):
    """The player to move makes the first legal move, until the view of the first table is right."""
    lead = tables[0]
    while not until(lead.view):
        phase, turn = lead.view["phase"], lead.view["turn"]
        mine = [table for table in tables if turn in table.welcome["you"]]
        if phase in ("draw", "hole_over"):
            for table in tables:  # the next hole is dealt when everyone is ready
                table.do("NextHole")
        elif mine:
            table = mine[0]
            while table.event < lead.event:
                table.next()
            answer = table.do("Play", seat=turn, move=choose(lead.view))
            assert answer["is"] == "Accepted", answer
            while lead.event < table.event:
                lead.next()
        else:
            lead.hear("Happened")


def choose(view):
    """Places on the first face-down slot, so that holes are short."""
    layout = view["seats"][view["turn"]]["layout"]
    slots = [move for move in view["legal"] if move not in "SD-."]
    hidden = [slot for slot in slots if layout[number_of(view, slot)] is None]
    return (hidden or view["legal"])[0]


def number_of(view, slot):
    columns = 4 if view["game"] == "play_nine" else 3
    return ord(slot[0]) - ord("a") + columns * (int(slot[1:]) - 1)


ME = {"kind": "me", "name": "Ann"}
HERE = {"kind": "here", "name": "Bea"}
FRIEND = {"kind": "friend"}
COMPUTER = {"kind": "computer", "player": "greedy"}
