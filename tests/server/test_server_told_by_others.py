"""Two servers over PostgreSQL, one of which is killed: the player whose turn it is hears of it from the other one."""

import sys
import time
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from pathlib import Path

import postgres
import psycopg
import pytest
from served import FRIEND, PATIENCE, Browser, choose

pytest.importorskip("http_ece", reason="needs the extra people")

sys.path.insert(0, str(Path(__file__).parents[1] / "torture"))

from killable import Killable, event, is_busy
from push_service import push_service, status

HOUR = 2.0  # seconds
USUAL = {"tempo": "week", "pace": "instant", "holes": 1}  # nobody is reminded before the test is over
EXPECTED = {"no_heartbeat", "message_failed"}  # on a slow machine, and of the killed one

pytestmark = [pytest.mark.long, pytest.mark.skipif(sys.platform == "win32", reason="nothing is killed that way there")]


class HastyServer(Killable):
    program = (str(Path(__file__).parents[1] / "torture" / "hasty_server.py"),)


class Player(Browser):
    """Someone at one of two servers, who is told on one device."""

    def __init__(self, server, service, name):
        super().__init__(server)
        self.name = name
        self.told = service.subscription(f"/send/{name}")

    def go_to(self, server):
        cookies, was = self.http.cookies, self.http
        Browser.__init__(self, server)
        self.http.cookies = cookies
        was.close()

    def wants_to_be_told(self):
        assert self.http.post("/api/me/ways/push", json=self.told.wish()).status_code == 200

    def move(self, table):
        """Plays until it is someone else's turn, and returns the number of the event with which that began."""
        (mine,) = table.welcome["you"]
        while table.wait_for(lambda view: view["phase"] not in ("lobby", "draw"))["turn"] == mine:
            assert table.do("Play", seat=mine, move=choose(table.view))["is"] == "Accepted"
        return table.event


class Two:
    """The servers, their database and their push service."""

    def __init__(self, folder, service):
        self.service = service
        self.address = postgres.shared_cluster().database()
        self.killed, self.left = (self.server(folder / name) for name in "ab")

    def server(self, folder):
        folder.mkdir()
        server = HastyServer(folder, 0, "--store", self.address, "--push-host", self.service.host)
        server.environment |= {
            "SSL_CERT_FILE": str(self.service.trusted),
            "MULLIGAN_HOUR": str(HOUR),
            "MULLIGAN_BEGAN": str(time.time()),
            "MULLIGAN_REST": "0.5",
        }
        return server

    def start(self, *servers):
        with ThreadPoolExecutor() as threads:
            list(threads.map(Killable.start, servers))
        for server in servers:
            Browser(server).wait_until_started()

    def numbers(self, player):
        """What the player was told, once it is marked as sent."""
        self.until(lambda: self.service.letters(player.told) and not self.unsent())
        letters = self.service.letters(player.told)
        assert {letter["kind"] for letter in letters} == {"turn"}
        return [letter["number"] for letter in letters]

    def unsent(self):
        with psycopg.connect(self.address) as connection:
            return connection.execute("SELECT way, number FROM outbox WHERE sent = 0").fetchall()

    def until(self, is_so):
        until = time.monotonic() + PATIENCE
        while not is_so():
            assert time.monotonic() < until, (self.service.requests, self.unsent())
            time.sleep(0.02)

    def complaints(self):
        lines = [line for server in (self.killed, self.left) for line in server.complaints_so_far()]
        return [line for line in lines if event(line).get("event") not in EXPECTED and not is_busy(line)]


@contextmanager
def two_servers(folder):
    with push_service(folder) as service:
        two = Two(folder, service)
        try:
            two.start(two.killed, two.left)
            yield two
        finally:
            two.killed.end()
            two.left.end()


def test_who_has_to_move_is_told_by_the_server_that_is_left_and_once(tmp_path):
    postgres.need_postgres()
    with two_servers(tmp_path) as two:
        ann, ben = (Player(two.killed, two.service, name) for name in ("ann", "ben"))
        wish = {"game": "play_nine", "seats": [{"kind": "me", "name": "Ann"}, FRIEND], "options": USUAL}
        code = ann.http.post("/api/tables", json=wish).json()["table"]
        with ann.at(code) as hers, ben.at(code) as his:
            assert his.do("Sit", seat=-1, name="Ben")["is"] == "Accepted"
            ann.wants_to_be_told()
            ben.wants_to_be_told()
            assert hers.do("Start")["is"] == "Accepted"
            view = hers.wait_for(lambda view: view["phase"] not in ("lobby", "draw"))
            first, second = (ann, ben) if view["turn"] == 0 else (ben, ann)
            two.killed.kill()  # with a page of both open there, so that nobody was told
        two.killed.bury()
        (number,) = two.numbers(first)
        two.start(two.killed)

        def dies_of_it(line, _):
            two.killed.kill()
            line.close()

        two.service.answers = [dies_of_it, status(201)]
        with first.at(code, visible=True) as table:
            first.move(table)
        two.killed.bury()
        once, again = two.numbers(second)  # killed before its mark
        assert number < once == again
        assert two.numbers(first) == [number]
        two.start(two.killed)
        with second.at(code, visible=True) as table:
            second.move(table)
        two.until(lambda: len(two.service.letters(first.told)) > 1)  # by the one that was started again
        assert two.numbers(second) == [once, again]
        assert two.numbers(first)[:-1] == [number]
        assert two.complaints() == []
