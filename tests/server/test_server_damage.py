"""Damage on the disk: people read one clear sentence, nothing is forgotten, and the log says it once."""

import sqlite3
from contextlib import closing

import pytest
from served import HERE, ME, SQLITE_ONLY, AtTable, Browser, run_sql, served
from tables import TableDriver
from test_server_start import CODE, TOKEN, keep

from mulligan.server.admin import DeleteTable, ask
from mulligan.server.rooms import persons, registry
from mulligan.server.services import archive
from mulligan.server.store.checksums import checksum
from mulligan.server.store.errors import DamagedEntry
from mulligan.server.store.folder import FILE
from mulligan.server.store.sqlite import SqliteStore
from mulligan.server.wire.base import WIRE_VERSION


@pytest.fixture
def logged(monkeypatch):
    """What the log limits, and the errors."""
    found = []
    monkeypatch.setattr(
        archive, "log_rarely", lambda event, why, level="", table="", **more: found.append((event, table))
    )
    monkeypatch.setattr(
        persons, "log_rarely", lambda event, why, level="", table="", **more: found.append((event, table))
    )
    monkeypatch.setattr(registry, "log_rarely", lambda event, why, level="", **more: found.append((event, more)))
    monkeypatch.setattr(registry.log, "error", lambda event, **more: found.append((event, more)), raising=False)
    return found


def at(socket):
    """Someone who says Hello, and may not be welcomed."""
    table = AtTable(socket)
    table.say("Hello", client_version=WIRE_VERSION)
    return table


@pytest.mark.long
@pytest.mark.parametrize("written", [False, True], ids=["spoilt", "written so"])
@pytest.mark.parametrize(
    "spoil",
    [
        lambda entry: entry.replace(b"is", b"as"),
        lambda entry: b"\x7b\xff\x7d",
        lambda entry: b'{"is":"Left","seat":77}',
        lambda entry: b'{"is":"HoleOver","hole":1,"playoff":0,"points":[],"points_before":[]}',
        None,
    ],
    ids=["a wrong word", "no text", "a seat that is not there", "a hole that is not over", "no first entry"],
)
def test_a_damaged_log_is_told_as_what_it_is(tmp_path, client_folder, logged, spoil, written):
    driver = TableDriver("play_nine", seed=5, watch=CODE)
    driver.play_to("over")
    keep(tmp_path, driver)
    if spoil:
        number = len(driver.log) - 3
        ((entry,),) = run_sql(tmp_path, "SELECT entry FROM entries WHERE number = ?", (number,))
        run_sql(tmp_path, "UPDATE entries SET entry = ? WHERE number = ?", (spoil(entry), number))
        if written:
            right = checksum(driver.log[0].table, number, spoil(entry))
            run_sql(tmp_path, "UPDATE entries SET checksum = ? WHERE number = ?", (right, number))
    else:
        run_sql(tmp_path, "DELETE FROM entries WHERE number = 1")
    with served(tmp_path, client_folder) as config:
        ann = Browser(config)
        game = f"{driver.table.watch}-1"
        for path in (f"games/{game}", f"games/{game}/holes/1", f"games/{game}/record", f"games/{game}/shuffles"):
            answer = ann.http.get(f"/api/{path}")
            if answer.status_code != 200:  # what is damaged may lie behind what was asked for
                assert (path, answer.status_code, answer.json()) == (
                    path,
                    503,
                    {"error": "table_unreadable", "params": {}},
                )
        assert ann.http.get("/api/tables/BCDFGHJKL").status_code == 503
        with ann.socket("/ws/t/BCDFGHJKL") as socket:
            table = at(socket)
            assert table.hear("Refused")["error"] == "table_unreadable"
            assert table.hear_the_end() == 1011
        with ann.at(ann.open(ME, HERE)["table"]) as other:
            assert other.do("Start")["is"] == "Accepted"
    assert set(logged) == {("table_unreadable", driver.table.watch)}


@SQLITE_ONLY
@pytest.mark.parametrize("bit", range(0, 1000, 83))
def test_any_flipped_bit_of_a_log_is_noticed_and_the_entry_is_named(tmp_path, bit):
    """Also one that leaves a log that could be."""
    driver = TableDriver("play_nine", seed=5, watch=CODE)
    driver.play_to("take")
    keep(tmp_path, driver)
    number = len(driver.log) - bit % 7
    with closing(sqlite3.connect(tmp_path / FILE)) as connection, connection:
        place = {"code": "BCDFGHJKL", "number": number}
        question = "FROM entries WHERE code = :code AND number = :number"
        entry = bytearray(connection.execute(f"SELECT entry {question}", place).fetchone()[0])
        entry[bit // 8 % len(entry)] ^= 1 << bit % 8
        connection.execute(
            "UPDATE entries SET entry = :entry WHERE code = :code AND number = :number", place | {"entry": bytes(entry)}
        )
    store = SqliteStore(tmp_path)
    try:
        store.open_table("OTHER", "W", "play_nine", 1.0, [b"1"]).result(10)
        with pytest.raises(DamagedEntry, match=rf"^Entry {number} is damaged\.$"):
            store.entries("BCDFGHJKL")
        assert len(store.entries("BCDFGHJKL", number)) == len(driver.log) - number
        assert store.entries("OTHER") == [b"1"]
    finally:
        store.close()


@SQLITE_ONLY
def test_a_file_that_cannot_be_read_is_no_fault_of_the_questions(tmp_path, client_folder, logged, monkeypatch):
    with served(tmp_path, client_folder) as config:
        ann = Browser(config)
        codes = ann.open(ME, HERE)

        def fail(path):
            raise sqlite3.DatabaseError("database disk image is malformed")

        monkeypatch.setattr("mulligan.server.store.sqlite.connect", fail)
        for path in (f"games/{codes['watch']}-1", "frequencies"):
            answer = ann.http.get(f"/api/{path}")
            assert (path, answer.status_code, answer.json()["error"]) == (path, 503, "table_unreadable")
        with ann.socket(f"/ws/w/{codes['watch']}") as socket:
            table = AtTable(socket)
            assert table.hear("Refused")["error"] == "table_unreadable"
            assert table.hear_the_end() == 1011
    by_themselves = ("housekeeping_failed", "post_failed")  # they may read the file just then
    questions = [told for told in logged if told[0] not in by_themselves]
    assert set(questions) == {("table_unreadable", "")}


def test_moves_that_the_disk_has_lost_are_noticed_by_those_who_saw_them(tmp_path, client_folder, logged):
    driver = TableDriver("play_nine", seed=5, watch=CODE)
    driver.play_to("tee_off")
    keep(tmp_path, driver)
    known = driver.table.event
    with served(tmp_path, client_folder) as config:
        ann, stranger = Browser(config), Browser(config)
        ann.http.cookies.set("mulligan_guest", TOKEN)
        lost = lambda: ann.http.get("/api/health").json()["lost_entries"]  # noqa: E731
        with ann.at("BCDFGHJKL", last_event=known):
            pass
        with stranger.at("BCDFGHJKL", last_event=known + 5):
            pass
        with ann.at(ann.open(ME, HERE)["table"], last_event=5000):
            pass  # that one was opened just now, so it is a lie
        assert lost() == 0
        for claimed in (known + 5, known + 900):
            with ann.at("BCDFGHJKL", last_event=claimed) as table:
                assert table.event == known
        assert lost() == 5
    assert [event for event in logged if event[0] == "log_went_back"] == [
        ("log_went_back", {"table": driver.table.watch, "entries": 5})
    ]


def ask_for_what_is_gone(ann, code, known):
    """As a page does that has seen so many events of a table."""
    with ann.socket(f"/ws/t/{code}") as socket:
        table = AtTable(socket)
        table.say("Hello", client_version=WIRE_VERSION, last_event=known)
        assert table.hear("Refused")["error"] == "table_gone"
    return ann.http.get("/api/health").json()["lost_entries"]


def test_a_table_that_the_disk_has_lost_is_noticed_by_those_who_saw_it(tmp_path, client_folder, logged):
    """As after a restart without the write-ahead log."""
    with served(tmp_path, client_folder) as config:
        ann = Browser(config)
        for code, known in (("BCDFGHJKL", 0), ("BCDFGHJKL", 7), ("BCDFGHJKL", 8), ("not-a-code", 9)):
            lost = ask_for_what_is_gone(ann, code, known)
    assert lost == 7
    assert logged == [("log_went_back", {"entries": 7})]


@pytest.mark.parametrize("is_restarted", [False, True])
def test_a_table_that_was_deleted_is_no_loss(tmp_path, client_folder, logged, is_restarted):
    """Neither by the operator nor by the housekeeping, which takes the same way, and by none of its links."""
    with served(tmp_path, client_folder) as config:
        ann = Browser(config)
        code = ann.open(ME, HERE)["table"]
        with ann.at(code) as table:
            table.do("NewLink")
            links = [message["link"] for message in table.heard if message["is"] == "Welcome"]
        assert len({*links}) == 2
        ask(tmp_path, DeleteTable(code))
        if not is_restarted:
            assert [ask_for_what_is_gone(ann, link, 9) for link in links] == [0, 0]
    if is_restarted:
        with served(tmp_path, client_folder) as config:
            ann = Browser(config)
            assert [ask_for_what_is_gone(ann, link, 9) for link in links] == [0, 0]
            assert ann.http.get(f"/api/tables/{code}").status_code == 404
    assert logged == []
