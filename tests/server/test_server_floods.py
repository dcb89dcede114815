"""Too much, too slow, too long: a server of its own bears it, and at the next table nobody notices."""

import asyncio
import json
import os
import re
import resource
import select
import socket
import statistics
import struct
import subprocess
import sys
import threading
import time
from contextlib import ExitStack, suppress
from dataclasses import replace
from pathlib import Path

import httpx
import pytest
import uvicorn
from served import COMPUTER, FRIEND, ME, Browser, served, wait_until
from uvicorn.server import ServerState
from websockets.exceptions import ConnectionClosed

from mulligan.server.limits import REMEMBERED, Buckets, Crowd, Guesses, Limits, visitor
from mulligan.server.web import connections
from mulligan.server.web.config import Config
from mulligan.server.web.demands import Demands
from mulligan.server.web.rejections import Asked
from mulligan.server.web.routes import HANDLERS
from mulligan.server.wire.base import WIRE_VERSION

pytestmark = pytest.mark.long
DEMANDS = Demands(HANDLERS)
QUIET = 20  # rounds of the bystander before the first flood
STARVED = 10_000  # times the usual work during one round (a Ping as a rule): the server let a flood pass first
PATIENT = 2.0  # seconds that the server waits here, instead of ten or twenty
RUN = f"""
import pathlib, sys
from mulligan.server.web import connections, sockets
connections.REQUEST_TIMEOUT = connections.READ_TIMEOUT = connections.SEND_TIMEOUT = sockets.HELLO_TIMEOUT = {PATIENT}
connections.CLOSE_TIMEOUT = 0.2
from mulligan.server.web.config import Config
from mulligan.server.web.run import serve
serve(Config("127.0.0.1", 0, pathlib.Path(sys.argv[1])))
"""

on_linux = pytest.mark.skipif(sys.platform != "linux", reason="memory is measured by /proc")


class Server:
    """The server as a process of its own, so that its memory can be measured and its log read."""

    def __init__(self, process, folder, port):
        self.process, self.folder = process, folder
        self.config = Config("127.0.0.1", port, folder)

    @property
    def memory(self):
        """Megabytes in use; only Linux tells them of another process."""
        if sys.platform != "linux":
            return 0.0
        status = Path(f"/proc/{self.process.pid}/status").read_text(encoding="ascii")
        return int(re.search(r"VmRSS:\s+(\d+)", status)[1]) / 1024

    @property
    def worked(self):
        """Seconds of processor time it has used; only Linux tells them of another process."""
        return time.clock_gettime(~self.process.pid << 3 | 2) if sys.platform == "linux" else 0.0

    @property
    def open_files(self):
        return len(os.listdir(f"/proc/{self.process.pid}/fd"))

    @property
    def log(self):
        return (self.folder / "log").read_text(encoding="utf-8")

    def open(self, path, *frames, cookie="", listens=True):
        """A socket that was accepted, and has sent these frames."""
        sock = self.connect(handshake(path, cookie), listens=listens)
        answer = b""
        while not answer.endswith(b"\r\n\r\n"):
            part = sock.recv(1)
            assert part, f"closed after {answer!r}"
            answer += part
        assert answer.startswith(b"HTTP/1.1 101")
        for piece in frames:
            sock.sendall(piece)
        return sock

    def connect(self, *sent, listens=True):
        sock = socket.socket()
        if not listens:
            sock.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
        sock.settimeout(20)
        sock.connect(("127.0.0.1", self.config.port))
        for data in sent:
            sock.sendall(data)
        return sock


@pytest.fixture(scope="module")
def house(tmp_path_factory):
    folder = tmp_path_factory.mktemp("flooded")
    command = [sys.executable, "-c", RUN, str(folder)]
    with (
        open(folder / "log", "w", encoding="utf-8") as log,
        subprocess.Popen(command, stdout=subprocess.PIPE, stderr=log, text=True) as process,
    ):
        try:
            port = int(re.search(r"http://\S+:(\d+)", process.stdout.readline())[1])
            server = Server(process, folder, port)
            while True:
                with suppress(httpx.TransportError):
                    httpx.get(f"http://127.0.0.1:{port}/api/health")
                    break
                time.sleep(0.05)
            yield server
            assert process.poll() is None, "the server has died"
        finally:
            process.terminate()
            process.wait(20)
    assert "Traceback" not in server.log
    assert '"level": "error"' not in server.log


class Bystander:
    """Someone at a table of their own, who plays and talks with the server all the time.

    `costs` has the processor time that the server used during each round: from a question to its answer, with
    everything the server did for others in between. Unlike the time on the clock, it says the same of a server
    whether the machine is busy or not, and compared with a round without a flood, whether it is fast or slow.
    """

    def __init__(self, house):
        Browser(house.config).wait_until_started()  # a fresh clone compiles first
        self.stop = threading.Event()
        self.costs = []
        self.thread = threading.Thread(target=self.play_on, args=[house], daemon=True)
        self.thread.start()
        self.wait_for_rounds(QUIET)
        self.usual = statistics.median(self.costs)

    def play_on(self, house):
        ann = Browser(house.config)
        with ann.at(ann.open(ME, COMPUTER, {"kind": "computer", "player": "random"})["table"]) as table:
            assert table.do("Start")["is"] == "Accepted"
            while not self.stop.is_set():
                before = house.worked
                if table.view["turn"] == 0:
                    answer = table.do("Play", seat=0, move=table.view["legal"][0])
                    # A busy machine may be overloaded; the next round tries again.
                    assert answer["is"] == "Accepted" or answer["error"] == "overloaded", answer
                elif table.view["phase"] == "hole_over":
                    table.do("NextHole")
                table.say("Ping", n=1)
                table.hear("Pong")
                self.costs.append(house.worked - before)
                self.stop.wait(0.1)

    def wait_for_rounds(self, rounds):
        """Until so many more rounds are over."""
        rounds += len(self.costs)
        wait_until(lambda: len(self.costs) >= rounds or not self.thread.is_alive())
        assert self.thread.is_alive(), "the bystander was not answered"


@pytest.fixture(scope="module")
def bystander(house):
    bystander = Bystander(house)
    yield bystander
    bystander.stop.set()
    bystander.thread.join(20)


@pytest.fixture(autouse=True)
def leave_others_in_peace(request):
    """Whatever a test does to the server, at the next table the game goes on."""
    if "house" not in request.fixturenames:
        yield
        return
    bystander = request.getfixturevalue("bystander")
    rounds = len(bystander.costs)
    yield
    bystander.wait_for_rounds(1)
    assert max(bystander.costs[rounds:]) <= STARVED * bystander.usual


HEAD = b"GET /api/health HTTP/1.1\r\nHost: localhost\r\n"
KEY = b"Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n"


def handshake(path, cookie=""):
    return (
        f"GET {path} HTTP/1.1\r\nHost: localhost\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n"
        f"Cookie: {cookie}\r\nSec-WebSocket-Version: 13\r\n".encode()
        + KEY
        + b"\r\n"
    )


def frame(data, opcode=1, last=True):
    """A frame as browsers send it, under a mask of zeros."""
    head = bytes([opcode | 0x80 * last])
    size = len(data)
    if size < 126:
        head += bytes([0x80 | size])
    elif size < 65536:
        head += bytes([0x80 | 126]) + struct.pack("!H", size)
    else:
        head += bytes([0x80 | 127]) + struct.pack("!Q", size)
    return head + bytes(4) + data


def message(kind, **fields):
    return frame(json.dumps({"is": kind, **fields}).encode())


HELLO = message("Hello", client_version=WIRE_VERSION)


def the_end_of(sock):
    """All that is still to come, until the server hangs up."""
    heard = b""
    with suppress(ConnectionResetError, BrokenPipeError):
        while piece := sock.recv(1 << 16):
            heard += piece
    return heard


def answered(socks):
    """Those of the sockets on which something is to be read."""
    return select.select(socks, [], [], 0)[0]


def close_code(heard):
    """The code of the closing frame that a socket ended with, and 1005 for one without a code."""
    _, closing, rest = heard.rpartition(b"\x88")
    if not closing:
        return None
    return struct.unpack("!H", rest[1:3])[0] if len(rest) > 2 else 1005


# Half a question


HALVES = [
    b"",
    b"GET / HT",
    HEAD,
    HEAD + b"X: 1",
    handshake("/ws/t/BCDFGHJKL")[:-2],
    b"POST /api/tables HTTP/1.1\r\nHost: localhost\r\nContent-Length: 100\r\n\r\n{",
    b"POST /api/tables HTTP/1.1\r\nHost: localhost\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nabc",
]


def test_half_a_question_is_not_waited_for_long(house, bystander):
    with ExitStack() as stack:
        for sock in [stack.enter_context(house.connect(half)) for half in HALVES * 20]:
            the_end_of(sock)


def test_a_question_dripping_in_is_not_waited_for_either(house, bystander):
    with house.connect(HEAD) as sock, suppress(OSError):
        for _ in range(600):
            sock.sendall(b"X-Drip: 1\r\n")
            time.sleep(0.1)
        pytest.fail("the server still waits")


def test_who_says_nothing_on_a_socket_is_sent_away(house, bystander):
    code = Browser(house.config).open(ME, FRIEND)["table"]
    with house.connect(handshake(f"/ws/t/{code}")) as sock:
        assert close_code(the_end_of(sock)) == 4005


def test_a_socket_lives_longer_than_a_question_may_take(house, bystander):
    ann = Browser(house.config)
    with ann.at(ann.open(ME, FRIEND)["table"]) as table:
        with house.connect(HEAD) as half:  # a question that began later is no longer waited for …
            the_end_of(half)
        table.say("Ping", n=1)  # … and the socket is still there
        assert table.hear("Pong")["n"] == 1


@pytest.mark.parametrize(
    "nonsense",
    [
        os.urandom(3000),
        bytes.fromhex("16030100c8010000c4") + os.urandom(200),  # TLS
        b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n",
        b"GET /" + b"a" * 300_000 + b" HTTP/1.1\r\n\r\n",
        HEAD + b"X: " + b"a" * 300_000,
        HEAD + b"Host: evil.example\r\n\r\n",
        b"GET / HTTP/1.1\r\n\r\n",
        b"GET /\xff\xfe HTTP/1.1\r\nHost: localhost\r\n\r\n",
        b"POST /api/tables HTTP/1.1\r\nHost: localhost\r\nContent-Length: -5\r\n\r\n",
        b"POST /api/tables HTTP/1.1\r\nHost: localhost\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n",
        b"CONNECT evil.example:443 HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n",
        handshake("/ws/t/BCDFGHJKL").replace(KEY, b""),
        handshake("/ws/t/BCDFGHJKL").replace(KEY, b"Sec-WebSocket-Key: x\r\n"),
        handshake("/ws/t/BCDFGHJKL").replace(b": 13", b": 8"),
        handshake("/ws/t/BCDFGHJKL").replace(b"GET", b"POST"),
        handshake("/ws/t/BCDFGHJKL", "x" * 12_000),
        handshake("/ws/t/BCDFGHJKL").replace(b"Cookie: ", b"X: 1\r\n" * 200),
        handshake("/ws/t/BCDFGHJKL").replace(b"Cookie: ", b"Content-Length: 5\r\n") + b"hello",
        handshake("/ws/elsewhere"),
    ],
)
def test_what_is_no_question_is_answered_shortly_or_not_at_all(house, bystander, nonsense):
    with house.connect() as sock:
        with suppress(OSError):
            sock.sendall(nonsense)
        answer = the_end_of(sock)
    assert not answer or 400 <= int(answer.split()[1]) < 500
    assert b"Traceback" not in answer


def test_who_hangs_up_at_once_leaves_nothing_behind(house, bystander):
    code = Browser(house.config).open(ME, FRIEND)["table"]
    before = house.open_files
    for number in range(150):
        sock = house.connect(handshake(f"/ws/t/{code}") + HELLO * (number % 3))
        sock.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))  # rudely
        sock.close()
    wait_until(lambda: house.open_files <= before + 3)


# Floods on one socket


FLOOD, ONCE = 20, 0  # megabytes

# How much a socket is sent, what, and the code that it is closed with.
ATTACKS = [
    (FLOOD, [frame(b"", 9)], 1008),
    (FLOOD, [frame(b"x" * 125, 9)], 1008),
    (FLOOD, [frame(b"", 10)], 1008),
    (FLOOD, [frame(b"{", 1, last=False), *[frame(b"", 0, last=False)] * 1000], 1008),
    (FLOOD, [frame(b"", 1, last=False)], 1002),
    (FLOOD, [frame(b"{")], 4003),
    (FLOOD, [frame(b"\xff", 2)], 4003),
    (FLOOD, [frame(b"[" * 4000)], 4003),
    (FLOOD, [message("Ping", n=1)], 4004),
    (FLOOD, [HELLO], 4004),
    (FLOOD, [message("React", id="r", seat=0, reaction="clap")], 4004),
    (FLOOD, [frame(b" " * 10_000_000)], 1009),
    (FLOOD, [b"\x81\xff" + b"\xff" * 8], 1009),
    (ONCE, [frame(b"x" * 5000)], 1009),
    (ONCE, [frame(b"{", 3)], 1002),  # no such kind of frame
    (ONCE, [frame(b"x" * 126, 9)], 1002),  # a ping too large
    (ONCE, [frame(b"x", 9, last=False)], 1002),  # half a ping
    (ONCE, [frame(b"x", 0)], 1002),  # the end of nothing
    (ONCE, [b"\x81\x02{}"], 1002),  # without a mask
    (ONCE, [b"\xf1\x80\0\0\0\0"], 1002),  # bits of an extension nobody agreed on
    (ONCE, [frame(b"\x03", 8)], 1002),  # half a code
    (ONCE, [frame(b"\x03\xe8\xff", 8)], 1007),  # a reason that is no text
    (ONCE, [frame(b"\x00\x01", 8)], 1002),  # no such code
    (ONCE, [frame(b"\x03\xe8", 8)], 1000),
    (ONCE, [frame(b"", 8), frame(b"{}")], 1005),
]


@pytest.mark.parametrize(("megabytes", "pieces", "code"), ATTACKS)
def test_a_socket_that_attacks_is_closed_with_a_reason(house, bystander, megabytes, pieces, code):
    path = f"/ws/t/{Browser(house.config).open(ME, FRIEND)['table']}"
    block = b"".join(pieces)
    if megabytes:
        block *= max(1, (1 << 16) // len(block))
    before = house.memory
    with house.open(path, HELLO) as sock:
        heard = []
        reader = threading.Thread(target=lambda: heard.append(the_end_of(sock)), daemon=True)
        reader.start()
        with suppress(OSError):
            for _ in range(max(1, megabytes * (1 << 20) // len(block))):
                sock.sendall(block)
        reader.join(20)
        assert not reader.is_alive(), "the socket is still open"
    assert close_code(heard[0]) == code
    assert house.memory < before + 30


def test_a_message_in_parts_is_one_message(house, bystander):
    path = f"/ws/t/{Browser(house.config).open(ME, FRIEND)['table']}"
    hello = json.dumps({"is": "Hello", "client_version": WIRE_VERSION}).encode()
    parts = [frame(hello[:5], 1, last=False), frame(b"?", 9), frame(hello[5:9], 0, last=False), frame(hello[9:], 0)]
    with house.open(path, *parts) as sock:
        heard = sock.recv(1 << 16)
        while b'"is":"Welcome"' not in heard:
            part = sock.recv(1 << 16)
            assert part, f"closed after {heard!r}"
            heard += part
    assert b"\x8a\x01?" in heard  # the ping in between was answered


# Who does not listen


@on_linux
def test_who_does_not_listen_is_dropped_and_not_written_for(house, bystander):
    """He asks again and again how the table stands, and takes no answer in."""
    ann = Browser(house.config)
    codes = ann.open(ME, {"kind": "here", "name": "Bea"})
    cookie = "; ".join(f"{name}={value}" for name, value in ann.http.cookies.items())
    with ann.at(codes["table"]) as table:
        table.do("Start")
        before, files = house.memory, house.open_files
        deaf = [house.open(f"/ws/t/{codes['table']}", HELLO, cookie=cookie, listens=False) for _ in range(10)]
        most = 0.0
        gone = set()
        patience = time.monotonic() + 120
        while len(gone) < len(deaf):
            assert time.monotonic() < patience, "someone who never listens still has a socket"
            for sock in deaf:
                try:
                    sock.send(message("Hello", client_version=WIRE_VERSION, last_event=1) * 4, socket.MSG_DONTWAIT)
                except BlockingIOError:
                    pass
                except OSError:
                    gone.add(sock)
            most = max(most, house.memory)
            table.say("Ping", n=5)
            assert table.hear("Pong")["n"] == 5
            time.sleep(0.05)
        assert most < before + 60
        for sock in deaf:
            sock.close()
        wait_until(lambda: house.open_files <= files + 2)
        assert table.do("React", seat=1, reaction="clap")["is"] == "Accepted"


@on_linux
def test_who_just_looks_on_with_closed_eyes_is_dropped_too(house, bystander):
    """He asks for nothing any more, and others fill his line."""
    ann = Browser(house.config)
    seats = [ME] + [{"kind": "here", "name": f"Someone, number {number}"} for number in range(1, 6)]
    codes = ann.open(*seats)
    with house.open(f"/ws/w/{codes['watch']}", HELLO, listens=False) as deaf, ExitStack() as stack:
        tables = [stack.enter_context(ann.at(codes["table"], tab=f"tab {number}")) for number in range(4)]
        for number in range(75):
            for tab, table in enumerate(tables):
                pace = ("slow", "normal", "fast", "instant")[tab]  # each is a change that goes to everyone
                table.say("SetOptions", id=f"{tab} {number}", options={"pace": pace})
            for table in tables:
                assert table.hear("Accepted", "Refused")["is"] == "Accepted"
        assert not is_cut_off(tables[0].socket.socket)
        wait_until(lambda: is_cut_off(deaf))


@on_linux
def test_who_asks_and_does_not_take_the_answer_is_dropped(house, bystander):
    before = house.memory
    asked = b"GET /api/rulebook/ja HTTP/1.1\r\nHost: localhost\r\n\r\n"
    with ExitStack() as stack:
        deaf = [stack.enter_context(house.connect(asked * 40, listens=False)) for _ in range(20)]
        wait_until(lambda: all(map(is_cut_off, deaf)))
        assert house.memory < before + 60


def is_cut_off(sock):
    """Whether the other end has hung up, and not even waits for what it wrote to arrive."""
    poll = select.poll()
    poll.register(sock, 0)
    return bool(poll.poll(0))


# Too many


@on_linux
def test_thousands_of_connections_are_borne_or_turned_away_and_leave_no_trace(house, bystander):
    _, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (min(4096, hard), hard))
    before, files = house.memory, house.open_files
    path = f"/ws/w/{Browser(house.config).open(ME, FRIEND)['watch']}"
    limits, began = Limits(), time.monotonic()
    with ExitStack() as stack:
        socks = [stack.enter_context(house.connect(handshake(path))) for _ in range(1500)]
        assert house.memory < before + 150
        heard = [the_end_of(sock) for sock in socks]  # those let in are closed too, since they say no Hello
        assert all(heard)
        let_in = [text for text in heard if not re.search(b" 503 |too_many|too_fast|overloaded", text)]
        credit = limits.credit + limits.credit_per_second * (time.monotonic() - began)
        assert 0 < len(let_in) <= credit / DEMANDS.of(Asked("", path)).cost
        assert house.memory < before + 150
    wait_until(lambda: house.open_files <= files + 5)
    wait_until(lambda: httpx.get(f"http://127.0.0.1:{house.config.port}/api/health").status_code == 200)


def test_connections_are_counted_by_address(tmp_path, client_folder):
    limits = replace(Limits(), connections_per_address=5)
    with served(tmp_path, client_folder, limits=limits) as config:
        server = Server(None, tmp_path, config.port)
        with ExitStack() as stack:
            socks = [stack.enter_context(server.connect()) for _ in range(7)]
            wait_until(lambda: len(answered(socks)) >= 2)  # 3 if the last connection of the start was still counted
            assert {the_end_of(sock)[:12] for sock in answered(socks)} == {b"HTTP/1.1 503"}
            assert len(answered(socks)) <= 3
        wait_until(lambda: httpx.get(f"http://127.0.0.1:{config.port}/api/health").status_code == 200)


def test_sockets_are_counted_by_address_and_in_all(tmp_path, client_folder):
    limits = replace(Limits(), sockets=5, sockets_per_address=3)
    with served(tmp_path, client_folder, limits=limits, behind=("127.0.0.1",)) as config:
        ann = Browser(config)
        code = ann.open(ME, FRIEND)["table"]

        def enter(stack, address):
            browser = Browser(config)
            sock = stack.enter_context(browser.socket(f"/ws/t/{code}", more={"x-forwarded-for": address}))
            with suppress(ConnectionClosed):
                sock.send(json.dumps({"is": "Hello", "client_version": WIRE_VERSION}))
            first = json.loads(sock.recv(timeout=20))
            if first["is"] == "Welcome":
                return "in"
            with pytest.raises(ConnectionClosed) as closed:
                sock.recv(timeout=20)
            return first["error"], closed.value.rcvd.code

        full = ("too_many", 1013)
        with ExitStack() as stack:
            assert [enter(stack, "192.0.2.1") for _ in range(5)] == ["in", "in", "in", "in", full]  # one is the table's
            assert [enter(stack, "192.0.2.2") for _ in range(2)] == ["in", full]
        with ExitStack() as stack:
            wait_until(lambda: enter(stack, "192.0.2.1") == "in")


def test_who_asks_too_much_is_told_when_to_ask_again(tmp_path, client_folder):
    limits = replace(Limits(), credit=30, credit_per_second=20)
    with served(tmp_path, client_folder, limits=limits) as config:
        ann = Browser(config)
        answers = [ann.http.get("/api/facts") for _ in range(40)]
        refused = [answer for answer in answers if answer.status_code == 429]
        assert refused
        assert refused[0].json() == {"error": "too_fast", "params": {"seconds": 1}}
        assert refused[0].headers["retry-after"] == "1"
        page = ann.http.get("/rules")
        assert page.status_code in (200, 429)
        wait_until(lambda: ann.http.get("/api/facts").status_code == 200)


def test_whoever_watches_over_the_server_may_ask_however_much_was_asked(tmp_path, client_folder):
    limits = replace(Limits(), credit=1, credit_per_second=0.001)
    with served(tmp_path, client_folder, limits=limits) as config:
        ann = Browser(config)
        assert ann.http.get("/api/facts").status_code == 429
        assert [ann.http.get("/api/health").status_code for _ in range(5)] == [200] * 5
        assert ann.http.get("/api/health", headers={"host": "evil.example"}).status_code == 421


def test_a_socket_that_is_one_too_many_a_second_is_told_so(tmp_path, client_folder):
    limits = replace(Limits(), credit=15, credit_per_second=0.05)
    with served(tmp_path, client_folder, limits=limits) as config:
        ann = Browser(config)
        code = ann.open(ME, FRIEND)["table"]
        for _ in range(3):  # the second one is let in for the table
            with ann.socket(f"/ws/t/{code}") as sock:
                with suppress(ConnectionClosed):
                    sock.send("{}")
                first = json.loads(sock.recv(timeout=20))
        assert first["error"] == "too_fast"
        assert first["params"]["seconds"] >= 1


def test_codes_cannot_be_guessed_at_will(tmp_path, client_folder):
    """A guesser is told to wait. Newcomers and players behind the same address find the table all the same."""
    limits = replace(Limits(), guesses=3, guesses_per_second=0.001)
    with served(tmp_path, client_folder, limits=limits) as config:
        ann, eve = Browser(config), Browser(config)
        codes = ann.open(ME, FRIEND)
        assert eve.http.get(f"/api/tables/{codes['table']}").status_code == 200
        with eve.socket("/ws/t/BBBBBBBBB") as sock:
            assert json.loads(sock.recv(timeout=20))["error"] == "table_gone"
            with pytest.raises(ConnectionClosed):
                sock.recv(timeout=20)
            assert sock.close_code == 4006
        answers = [eve.http.get(f"/api/tables/BBBBBBBB{last}").status_code for last in "CDFG"]
        assert answers == [404, 404, 429, 429]
        for path in ("/ws/t/BBBBBBBBH", "/ws/w/BBBBBBBB"):
            with eve.socket(path) as sock:
                assert json.loads(sock.recv(timeout=20))["error"] == "too_fast"
                with pytest.raises(ConnectionClosed):
                    sock.recv(timeout=20)
                assert sock.close_code == 1013
        ben = Browser(config)
        assert ben.http.get(f"/api/tables/{codes['table']}").status_code == 200
        with ben.at(codes["watch"], watching=True), ben.at(codes["table"]) as table:
            assert table.do("Sit", seat=1, name="Ben")["is"] == "Accepted"
        assert ann.http.get(f"/api/tables/{codes['table']}").status_code == 200
        with ann.at(codes["table"]) as table:
            assert table.welcome["you"] == [0]


def test_a_wrong_link_is_one_guess_for_its_page_and_its_socket_together(tmp_path, client_folder):
    limits = replace(Limits(), guesses=2, guesses_per_second=0.001)
    with served(tmp_path, client_folder, limits=limits) as config:
        eve = Browser(config)
        for code, error in (("BBBBBBBBC", "table_gone"), ("BBBBBBBBD", "table_gone"), ("BBBBBBBBF", "too_fast")):
            assert eve.http.get(f"/t/{code}").status_code == 200
            with eve.socket(f"/ws/t/{code.lower()}") as sock:
                assert json.loads(sock.recv(timeout=20))["error"] == error


def test_guesses_are_forgotten_with_their_buckets():
    now = [0.0]
    guesses = Guesses(2, 1, lambda: now[0])
    guesses.miss("eve", "BBB")
    assert guesses.left("eve", 0) == 1
    guesses.miss("eve", "BBB")
    assert guesses.left("eve", 0) == 1
    guesses.miss("eve", "CCC")
    assert guesses.left("eve", 0) == 0
    guesses.miss("eve", "BBB")
    assert guesses.wait("eve") == 1
    for number in range(2 * REMEMBERED):
        now[0] += 0.001
        guesses.miss(str(number), "BBB")
        assert len(guesses.latest) <= REMEMBERED


def test_tables_are_not_opened_by_the_thousand(tmp_path, client_folder):
    limits = replace(Limits(), tables=3, tables_per_second=0.1)
    with served(tmp_path, client_folder, limits=limits) as config:
        ann = Browser(config)
        wish = {"game": "play_nine", "seats": [ME, FRIEND]}
        answers = [ann.http.post("/api/tables", json=wish) for _ in range(4)]
        assert [answer.status_code for answer in answers] == [201, 201, 201, 429]
        assert int(answers[-1].headers["retry-after"]) in (9, 10)


def test_all_sockets_of_one_address_together_are_not_too_fast_either(tmp_path, client_folder):
    limits = replace(Limits(), messages=20, messages_per_second=0.1)
    with served(tmp_path, client_folder, limits=limits) as config:
        ann, ben = Browser(config), Browser(config)
        code = ann.open(ME, FRIEND)["table"]
        with ann.at(code) as first, ben.at(code) as second:
            for number in range(11):  # two of 20 messages were Hello, and five more are the table's
                first.say("Ping", n=number)
                second.say("Ping", n=number)
                assert first.hear("Pong", "Refused")["is"] == second.hear("Pong", "Refused")["is"] == "Pong"
            first.say("Ping", n=1)
            assert first.hear("Pong", "Refused")["is"] == "Pong"
            second.say("Ping", n=1)
            assert second.hear("Pong", "Refused")["error"] == "too_fast"


def test_a_class_of_forty_behind_one_address_never_meets_a_limit():
    """All of them open the page, its files, a table and a socket in the same moment, thrice, and talk."""
    limits, now = Limits(), [0.0]
    requests = Buckets(limits.credit, limits.credit_per_second, lambda: now[0])
    tables = Buckets(limits.tables, limits.tables_per_second, lambda: now[0])
    messages = Buckets(limits.messages, limits.messages_per_second, lambda: now[0])
    for _ in range(3):
        for _ in range(40):
            for path in ["/"] + ["/assets/x.js"] * 20 + ["/api/facts", "/api/tables/BCDFGHJKL"]:
                assert not requests.ask("school", DEMANDS.of(Asked("GET", path)).cost)
            assert not requests.ask("school", DEMANDS.of(Asked("POST", "/api/tables")).cost)
            assert not requests.ask("school", DEMANDS.of(Asked("", "/ws/t/BCDFGHJKL")).cost)
            assert not tables.ask("school")
            assert not any(messages.ask("school") for _ in range(30))
        now[0] += 40
    assert limits.sockets_per_address > 40 * 10
    assert limits.connections_per_address > 40 * (6 + 10)


async def test_of_thousands_of_messages_one_is_read_and_the_others_wait():
    """Else the next table would have to wait until all of them were taken apart."""

    class Line:
        """The end of a connection that nobody reads from."""

        reads, written = True, b""

        def __getattr__(self, name):
            return lambda *_, **__: None

        def write(self, data):
            self.written += data

        def is_closing(self):
            return False

        def pause_reading(self):
            self.reads = False

        def resume_reading(self):
            self.reads = True

    never = asyncio.Event()

    async def app(scope, receive, send):
        await receive()
        await send({"type": "websocket.accept"})
        await never.wait()

    config = uvicorn.Config(app, ws=connections.SocketWire, ws_per_message_deflate=False, log_config=None)
    config.load()
    wire, line = connections.SocketWire(config, ServerState(), {}), Line()
    wire.connection_made(line)
    wire.data_received(handshake("/ws/t/BCDFGHJKL"))
    while b"101" not in line.written:
        await asyncio.sleep(0)
    wire.data_received(frame(b"{}") * 30_000)
    assert not line.reads
    assert wire.queue.qsize() <= connections.PIECE // len(frame(b"{}")) + 1
    heard = 0
    while heard < 30_000:
        heard += (await wire.receive())["type"] == "websocket.receive"
        assert wire.queue.qsize() <= connections.PIECE // len(frame(b"{}")) + 1
    assert line.reads
    never.set()


# What is counted


def test_a_bucket_fills_up_again_and_never_more_than_full():
    now = [100.0]
    buckets = Buckets(3, 0.5, lambda: now[0])
    assert [buckets.ask("a") for _ in range(4)] == [0, 0, 0, 2]
    assert buckets.ask("b") == 0
    now[0] += 1.9
    assert buckets.ask("a") > 0
    now[0] += 0.2
    assert buckets.ask("a") == 0
    now[0] += 1000
    assert [bool(buckets.ask("a")) for _ in range(4)] == [False, False, False, True]


def test_the_list_of_visitors_stays_short():
    now = [0.0]
    buckets = Buckets(5, 1, lambda: now[0])
    for number in range(4 * REMEMBERED):
        now[0] += 0.001
        assert not buckets.ask(f"visitor {number}")
        assert len(buckets.buckets) <= REMEMBERED
    assert not buckets.ask("someone", 5)
    for number in range(2 * REMEMBERED):
        buckets.ask(f"another {number}")
    assert buckets.ask("someone", 5)  # who has just asked is not forgotten for those who have not


def test_a_crowd_forgets_who_has_gone():
    crowd = Crowd(3, 2)
    assert [crowd.enter(name) for name in "aaabb"] == [True, True, False, True, False]
    crowd.leave("a")
    assert crowd.enter("b")
    for name in "abb":
        crowd.leave(name)
    assert (crowd.all, dict(crowd.inside)) == (0, {})


def test_an_address_stands_for_whoever_owns_it():
    assert visitor("192.0.2.7") == visitor("::ffff:192.0.2.7") == "192.0.2.7"
    assert visitor("2001:db8:1:2::1") == visitor("2001:db8:1:2:ffff::9") != visitor("2001:db8:1:3::1")
    assert visitor("fe80::1%eth0") == visitor("fe80::2")
    assert visitor("") == ""
    assert len(visitor("x" * 5000)) == 64


def test_limits_grow_with_the_crowd():
    assert Limits.of(20_000, 500).credit == Limits().credit
    large = Limits.of(50_000, 5_000)
    assert (large.sockets, large.sockets_per_address, large.credit) == (50_000, 5_000, 20_000)
    assert large.connections > large.sockets
    assert not any(Buckets(Limits.none().credit, Limits.none().credit_per_second).ask("x", 10**6) for _ in range(9))
