"""What the operator of a running server can do: look, close, delete, ban and announce."""

import os
import socket
import stat
import subprocess
import sys
from contextlib import contextmanager, suppress

import postgres
import pytest
from served import COMPUTER, FRIEND, ME, PATIENCE, AtTable, Browser, served
from websockets.exceptions import ConnectionClosed

from mulligan.server import admin
from mulligan.server.admin import (
    AdminError,
    Announce,
    BanSeat,
    CloseTable,
    DeleteTable,
    GetBans,
    GetSeats,
    GetStatus,
    GetTables,
    Unban,
    ask,
)
from mulligan.server.rooms import registry
from mulligan.server.web.accounts import COOKIE, name_of
from mulligan.server.wire.base import WIRE_VERSION

pytestmark = [pytest.mark.long, pytest.mark.skipif(not hasattr(socket, "AF_UNIX"), reason="there are no socket files")]


@pytest.fixture
def told(server):
    """Asks the server, and returns the answer."""
    return lambda request: ask(server.data, request)


@contextmanager
def playing(ann):
    """A table whose match has begun."""
    codes = ann.open(ME, COMPUTER)
    with ann.at(codes["table"]) as table:
        assert table.do("Start")["is"] == "Accepted"
        yield codes, table


def refused(browser, path):
    """The error with which a socket is refused."""
    with browser.socket(path) as socket:
        table = AtTable(socket)
        with suppress(ConnectionClosed):  # some are refused before they say anything
            table.say("Hello", client_version=WIRE_VERSION)
        answer = table.hear("Refused", "Welcome")
        return answer.get("error"), table.hear_the_end()


def test_only_the_user_of_the_server_may_open_the_socket_file(server):
    assert stat.S_IMODE(os.stat(server.data / admin.FILE).st_mode) == 0o600


def test_tables_are_listed_by_their_spectators_code(ann, ben, told):
    with playing(ann) as (codes, _), ben.at(codes["watch"], watching=True):
        line = next(one for one in told(GetTables()).tables if one.table == codes["watch"])
        assert (line.game, line.people, line.seats, line.spectators) == ("play_nine", 1, 2, 1)
        assert line.phase not in ("lobby", "over")
        assert line.opened > 1e9
        status = told(GetStatus())
        assert status.is_well
        assert min(status.tables, status.kept, status.matches, status.people, status.spectators) >= 1
        seats = told(GetSeats(codes["watch"])).seats
        assert (seats[0].name, seats[0].kind, seats[0].is_owner, seats[0].is_present) == ("Ann", "person", True, True)


def test_a_closed_table_gives_up_its_match_and_tells_everybody(ann, ben, told):
    with playing(ann) as (codes, table), ben.at(codes["watch"], watching=True) as watcher:
        done = told(CloseTable(codes["watch"])).text
        assert done == f"Table {codes['watch']} is closed: its match is given up, and 2 connected devices were told."
        for one in (table, watcher):
            assert one.hear("Refused")["error"] == "table_closed"
            assert one.hear_the_end() == 4006
    with ann.at(codes["table"]) as table:
        assert table.welcome["view"]["phase"] == "over"
        assert table.welcome["view"]["given_up"]
    assert "no match was being played" in told(CloseTable(codes["table"].lower())).text


def test_a_deleted_table_is_gone_for_good(ann, told):
    with playing(ann) as (codes, table):
        told(DeleteTable(codes["watch"]))
        assert table.hear("Refused")["error"] == "table_closed"
    assert refused(ann, f"/ws/t/{codes['table']}") == ("table_gone", 4006)
    assert ann.http.get(f"/api/tables/{codes['table']}").status_code == 404
    with pytest.raises(AdminError, match=f"There is no table {codes['watch']}."):
        told(DeleteTable(codes["watch"]))


def test_its_finished_games_go_with_it_also_those_just_read(ann, told):
    codes = ann.open(ME, COMPUTER, holes=1)
    with ann.at(codes["table"]) as table:
        game = f"/api/games/{table.play_a_match()}"
    assert ann.http.get(game).status_code == ann.http.get(f"{game}/holes/1").status_code == 200
    told(DeleteTable(codes["watch"]))
    assert ann.http.get(game).status_code == ann.http.get(f"{game}/holes/1").status_code == 404


def test_a_banned_guest_loses_every_seat_and_can_neither_come_nor_open_tables(server, ann, told):
    eve = Browser(server)
    codes = ann.open(ME, FRIEND)
    with ann.at(codes["table"]) as table:
        with eve.at(codes["table"]) as line:
            assert line.do("Sit", seat=1, name="Eve")["is"] == "Accepted"
            elsewhere = eve.open(ME, COMPUTER)
            with eve.at(elsewhere["table"]) as other:
                done = told(BanSeat(codes["watch"], 2, "rude")).text
                for one in (line, other):
                    assert one.hear("Refused")["error"] == "banned"
                    assert one.hear_the_end() == 4006
        assert table.wait_for(lambda view: view["seats"][1]["kind"] == "open")
    guest = name_of(eve.http.cookies[COOKIE])
    assert done == f"The guest {guest[:8]} of seat 2 at table {codes['watch']} is banned."
    for path in (f"/ws/t/{codes['table']}", f"/ws/w/{codes['watch']}", f"/ws/t/{elsewhere['table']}"):
        assert refused(eve, path) == ("banned", 4006)
    answer = eve.http.post("/api/tables", json={"game": "play_nine", "seats": [ME, COMPUTER]})
    assert (answer.status_code, answer.json()["error"]) == (403, "banned")
    assert told(GetBans()).bans[0].guest == guest
    assert told(GetBans()).bans[0].reason == "rude"
    assert eve.http.get("/api/facts").status_code == 200
    told(Unban(guest[:8].upper()))
    assert guest not in {ban.guest for ban in told(GetBans()).bans}
    with eve.at(codes["table"]) as line:
        assert line.do("Sit", seat=1, name="Eve")["is"] in ("Accepted", "Refused")  # the owner may readmit her


def test_a_ban_survives_the_server(tmp_path, client_folder):
    with served(tmp_path, client_folder) as config:
        eve = Browser(config)
        codes = eve.open(ME, COMPUTER)
        ask(config.data, BanSeat(codes["watch"], 1))
    with served(tmp_path, client_folder) as config:
        again = Browser(config)
        again.http.cookies.update(eve.http.cookies)
        assert refused(again, f"/ws/t/{codes['table']}")[0] == "banned"
    assert not (tmp_path / admin.FILE).exists()


def test_an_announcement_reaches_those_here_and_those_who_come(ann, ben, told):
    codes = ann.open(ME, COMPUTER)
    with ann.at(codes["table"]) as table:
        told(Announce("  New cards\ntonight "))
        assert table.hear("Announced")["text"] == "New cards tonight"
        with ben.socket(f"/ws/w/{codes['watch']}") as line:
            come = AtTable(line)
            come.say("Hello", client_version=WIRE_VERSION)
            assert come.hear("Announced", "Welcome")["text"] == "New cards tonight"
        assert ann.http.get("/api/facts").json()["announcement"] == "New cards tonight"
        assert told(GetStatus()).announcement == "New cards tonight"
        told(Announce(""))
        assert table.hear("Announced")["text"] == ""
    assert ann.http.get("/api/facts").json()["announcement"] == ""
    with ben.socket(f"/ws/w/{codes['watch']}") as line:
        come = AtTable(line)
        come.say("Hello", client_version=WIRE_VERSION)
        assert come.hear("Announced", "Welcome")["is"] == "Welcome"


def test_an_announcement_survives_the_server_until_it_is_withdrawn(tmp_path, client_folder):
    with served(tmp_path, client_folder) as config:
        ask(config.data, Announce("New cards tonight"))
    with served(tmp_path, client_folder) as config:
        assert Browser(config).http.get("/api/facts").json()["announcement"] == "New cards tonight"


def test_an_announcement_reaches_the_tables_of_every_process_of_a_database(tmp_path, client_folder, monkeypatch):
    monkeypatch.setattr(registry, "READ_AGAIN", 0.05)
    shared = {"store": postgres.shared_cluster().database()}
    with served(tmp_path / "a", client_folder, **shared) as one, served(tmp_path / "b", client_folder, **shared) as two:
        ann = Browser(two)
        with ann.at(ann.open(ME, COMPUTER)["table"]) as table:
            for text in ("New cards tonight", ""):
                ask(one.data, Announce(text))
                assert table.hear("Announced")["text"] == text
            assert ask(two.data, GetStatus()).announcement == ""


def test_a_ban_counts_at_every_process_of_a_database_and_a_table_is_managed_where_it_is(
    tmp_path, client_folder, monkeypatch
):
    monkeypatch.setattr(registry, "READ_AGAIN", 0.05)
    shared = {"store": postgres.shared_cluster().database()}
    with served(tmp_path / "a", client_folder, **shared) as one, served(tmp_path / "b", client_folder, **shared) as two:
        ann, eve = Browser(one), Browser(one)
        codes = ann.open(ME, FRIEND)
        elsewhere = Browser(two)
        elsewhere.http.cookies.update(eve.http.cookies)
        with ann.at(codes["table"]), eve.at(codes["table"]) as line:
            assert line.do("Sit", seat=1, name="Eve")["is"] == "Accepted"
            elsewhere.http.cookies.update(eve.http.cookies)
            other = elsewhere.open(ME, COMPUTER)
            with elsewhere.at(other["table"]) as far:
                with pytest.raises(AdminError, match=f"Another server process has table {codes['watch']}"):
                    ask(two.data, CloseTable(codes["watch"]))
                ask(one.data, BanSeat(codes["watch"], 2))
                for table in (line, far):
                    assert table.hear("Refused")["error"] == "banned"


@pytest.mark.parametrize(
    ("request_of", "sentence"),
    [
        (lambda codes: CloseTable("NOTABLE"), "There is no table NOTABLE."),
        (lambda codes: GetSeats(""), "There is no table ."),
        (lambda codes: BanSeat(codes["watch"], 3), "has no seat 3; its seats are 1 to 2"),
        (lambda codes: BanSeat(codes["watch"], 0), "has no seat 0"),
        (lambda codes: BanSeat(codes["watch"], 2), "Nobody holds seat 2"),
        (lambda codes: Unban("abc"), "No banned guest begins with abc"),
        (lambda codes: Announce("x" * 201), "The text has 201 characters; 200 are the most."),
    ],
)
def test_what_cannot_be_done_is_refused_in_a_sentence(ann, told, request_of, sentence):
    codes = ann.open(ME, COMPUTER)
    with pytest.raises(AdminError, match=sentence):
        told(request_of(codes))


@pytest.mark.parametrize(
    "sent", [b"", b"\n", b"nonsense\n", b'{"is":"Reboot"}\n', b"x" * 50_000 + b"\n", b"\xff\xfe\n"]
)
def test_nonsense_is_answered_and_ends_nothing(server, told, sent):
    with socket.socket(socket.AF_UNIX, socket.SOCK_STREAM) as caller:
        caller.settimeout(PATIENCE)
        caller.connect(str(server.data / admin.FILE))
        caller.sendall(sent)
        caller.shutdown(socket.SHUT_WR)
        assert b'"Failed"' in caller.makefile("rb").readline()
    assert told(GetStatus()).is_well


def test_the_file_of_a_killed_server_is_replaced(tmp_path, client_folder):
    with socket.socket(socket.AF_UNIX, socket.SOCK_STREAM) as dead:
        dead.bind(str(tmp_path / admin.FILE))
    with served(tmp_path, client_folder) as config:
        assert ask(config.data, GetStatus()).is_well


def test_a_folder_that_takes_no_socket_file_is_no_reason_not_to_play(tmp_path, client_folder):
    folder = tmp_path / ("long" * 30)
    with served(folder, client_folder) as config:
        Browser(config).open(ME, COMPUTER)
        with pytest.raises(AdminError, match=r"admin\.sock cannot be used"):
            ask(config.data, GetStatus())


def test_where_there_are_no_socket_files_a_sentence_says_so(tmp_path, monkeypatch):
    monkeypatch.setattr(admin, "HAS_SOCKETS", False)
    with pytest.raises(AdminError, match=r"A server on Windows cannot be managed while it runs\."):
        ask(tmp_path, GetStatus())


def test_without_a_server_a_sentence_says_so(tmp_path):
    with pytest.raises(AdminError, match=f"No server uses {tmp_path}; give its folder with --data."):
        ask(tmp_path, GetStatus())


def test_the_commands_print_tables_and_ask_before_they_delete(server, ann):
    def mulligan(*words, typed=None):
        command = [sys.executable, "-m", "mulligan", "admin", *words, "--data", str(server.data)]
        done = subprocess.run(command, capture_output=True, text=True, input=typed, check=False)
        return done.returncode, done.stdout, done.stderr

    codes = ann.open(ME, COMPUTER)
    with ann.at(codes["table"]):
        assert codes["watch"] in mulligan("list")[1]
        assert "Ann" in mulligan("list", codes["watch"])[1]
        assert "1 of 2" in mulligan("list")[1]
    assert mulligan("announce", "Hello")[0] == 0
    assert "Announcement: Hello" in mulligan("status")[1]
    assert mulligan("announce")[1] == "The announcement is withdrawn.\n"
    assert mulligan("ban", codes["watch"], "9")[2].endswith("its seats are 1 to 2.\n")
    assert mulligan("delete", codes["watch"], typed="n\n")[1].endswith("Nothing was deleted.\n")
    assert mulligan("delete", codes["watch"], "--yes")[:2] == (
        0,
        f"Table {codes['watch']} is deleted, with its log and its finished matches.\n",
    )
    assert mulligan("close", codes["watch"])[::2] == (1, f"There is no table {codes['watch']}.\n")
    assert mulligan("bans")[0] == 0
    assert mulligan("unban", "00000000")[0] == 1
