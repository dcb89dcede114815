"""One person, several devices: come-back words, devices, tables and matches, and the end of all that."""

import asyncio
import time
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack, closing

import httpx
import postgres
import pytest
from served import (
    COMPUTER,
    FRIEND,
    HERE,
    ME,
    PATIENCE,
    SQLITE_ONLY,
    Browser,
    play_on,
    run_sql,
    served,
    store_in,
    wait_until,
)
from test_server_wall_clock import CODES, ClockedServer

from mulligan.game import referee
from mulligan.server.rooms.persons import note_older_tables
from mulligan.server.store.folder import FILE
from mulligan.server.table.log_entries import decode

ANNABEL = {"kind": "me", "name": "Annabel"}
NOBODY = {"since": None, "devices": [], "passkeys": [], "offers_passkeys": False, "keep_days": 90}


def kept(browser, language="en", device="Laptop"):
    """The words with which a browser's guest comes back."""
    answer = browser.http.post("/api/me/words", json={"language": language, "device": device})
    assert answer.status_code == 201, answer.text
    return answer.json()["words"]


def come_back(browser, words, device="Phone"):
    return browser.http.post("/api/me/come-back", json={"words": " ".join(words), "device": device})


def me(browser):
    return browser.http.get("/api/me").json()


def play_with_ben(ann, ben, **options):
    """A finished match of Ann, who opened the table, and Ben."""
    codes = ann.open(ANNABEL, FRIEND, holes=1, **options)
    with ann.at(codes["table"]) as hers, ben.at(codes["table"]) as his:
        assert his.do("Sit", seat=1, name="Ben")["is"] == "Accepted"
        hers.wait_for(lambda view: view["seats"][1]["name"] == "Ben")
        assert hers.do("Start")["is"] == "Accepted"
        his.welcome["you"] = [1]
        play_on(hers, his)
        return codes, hers.view["finished"][-1]


def test_nobody_keeps_a_place_unasked(ann):
    answer = ann.http.get("/api/me")
    assert answer.json() == NOBODY
    assert ann.http.get("/api/me/tables").json() == []


def test_four_words_bring_a_new_device_to_the_same_seats_rights_and_matches(ann, ben, server):
    words = kept(ann, device="Laptop")
    codes, game = play_with_ben(ann, ben)
    phone = Browser(server)
    answer = come_back(phone, words)
    assert answer.status_code == 200
    assert [(one["name"], one["here"]) for one in answer.json()["devices"]] == [("Laptop", False), ("Phone", True)]
    with phone.at(codes["table"]) as table:
        assert (table.welcome["you"], table.welcome["owner"]) == ([0], True)
        assert table.do("NewLink")["is"] == "Accepted"
    assert [(match["game"], match["seat"]) for match in phone.http.get("/api/me/matches").json()] == [(game, 0)]
    with ann.at(codes["table"]) as table:
        assert table.welcome["you"] == [0]  # on the first device as before
    assert phone.http.get("/api/me/tables").json() == ann.http.get("/api/me/tables").json()


def test_the_words_are_those_of_a_language_and_typed_as_people_type(ann, server):
    for language in ("de", "en", "fr", "ja"):
        words = kept(ann, language)
        assert len(words) == 4
        typed = ", ".join(word.upper() for word in words)
        assert come_back(Browser(server), [f"  {typed}"]).status_code == 200


def test_what_a_device_had_before_goes_to_the_person_who_comes_back(ann, server):
    words, phone = kept(ann), Browser(server)
    codes = phone.open(ME, COMPUTER)
    with phone.at(codes["table"]) as open_page:
        assert come_back(phone, words).status_code == 200
        assert open_page.hear_the_end() == 1012  # the page connects again, as the person
    with ann.at(codes["table"]) as table:
        assert (table.welcome["you"], table.welcome["owner"]) == ([0], True)


def test_the_tables_of_another_person_stay_with_them(ann, ben, server):
    words, others = kept(ann), kept(ben)
    codes = ben.open(ME, COMPUTER)
    assert come_back(ben, words).status_code == 200  # Ben lends Ann his tablet
    with ann.at(codes["table"]) as table:
        assert table.welcome["you"] == []
    phone = Browser(server)
    assert come_back(phone, others).status_code == 200
    with phone.at(codes["table"]) as table:
        assert table.welcome["you"] == [0]


def test_new_words_end_the_earlier_ones(ann, server):
    earlier = kept(ann)
    words = kept(ann)
    refused = come_back(Browser(server), earlier)
    assert (refused.status_code, refused.json()["error"]) == (403, "wrong_words")
    assert come_back(Browser(server), words).status_code == 200


@pytest.mark.parametrize("wrong", ["", "one", "one two three four five", "x" * 10_000, "zzz zzz zzz zzz"])
def test_other_words_open_nothing(tmp_path, client_folder, wrong):
    with served(tmp_path, client_folder) as config:
        refused = come_back(Browser(config), [wrong])
        assert (refused.status_code, refused.json()["error"]) == (403, "wrong_words")


def test_the_sixth_wrong_try_in_an_hour_is_refused_and_right_words_too(tmp_path, client_folder):
    with served(tmp_path, client_folder) as config:
        ann = Browser(config)
        words = kept(ann)
        guesser = Browser(config)
        with ThreadPoolExecutor(8) as threads:  # also all at once
            answers = list(threads.map(lambda _: come_back(guesser, ["apple"] * 4).status_code, range(8)))
        assert sorted(answers) == [403] * 5 + [429] * 3
        sixth = come_back(Browser(config), words)
        assert (sixth.status_code, sixth.json()["error"]) == (429, "too_fast")
        assert 0 < int(sixth.headers["retry-after"]) <= 720


@pytest.mark.parametrize("first", [True, False])
def test_a_device_that_is_signed_out_is_a_stranger(ann, server, first):
    words, phone = kept(ann), Browser(server)
    codes = ann.open(ME, COMPUTER)
    come_back(phone, words)
    lost, other = (ann, phone) if first else (phone, ann)
    (device,) = [one["id"] for one in me(other)["devices"] if not one["here"]]
    with lost.at(codes["table"]) as open_page:
        left = other.http.delete(f"/api/me/devices/{device}").json()
        assert [one["here"] for one in left["devices"]] == [True]
        assert open_page.hear_the_end() == 1012
    with lost.at(codes["table"]) as table:
        assert (table.welcome["you"], table.welcome["owner"]) == ([], False)
    assert me(lost)["since"] is None
    assert other.http.delete(f"/api/me/devices/{device}").json() == left  # the answer to the first wish may be lost
    assert come_back(lost, words).status_code == 200
    with lost.at(codes["table"]) as table:
        assert table.welcome["you"] == [0]


def test_a_restart_forgets_no_device(tmp_path, client_folder):
    with served(tmp_path, client_folder) as config:
        ann, phone = Browser(config), Browser(config)
        codes = ann.open(ME, COMPUTER)
        words = kept(ann)
        come_back(phone, words)
    with served(tmp_path, client_folder) as config:
        phone.http = httpx.Client(
            base_url=f"http://127.0.0.1:{config.port}", cookies=phone.http.cookies, timeout=PATIENCE
        )
        phone.config = config
        with phone.at(codes["table"]) as table:
            assert table.welcome["you"] == [0]


def test_my_tables_come_with_those_first_where_it_is_my_turn(ann, ben):
    waiting = ann.open(ME, FRIEND, game="nine_card")
    mine = ann.open(ME, HERE)
    with ann.at(mine["table"]) as table:
        table.do("Start")
        play_on(table, until=lambda view: view["turn"] == 0)
    first, second = ann.http.get("/api/me/tables").json()
    assert (first["table"], first["mine"], first["turn"], first["names"]) == (
        mine["table"],
        True,
        "Ann",
        ["Ann", "Bea"],
    )
    assert (second["table"], second["mine"], second["started"]) == (waiting["table"], False, False)
    assert ben.http.get("/api/me/tables").json() == []


def test_everything_the_server_holds_of_me_can_be_taken_along(ann, ben):
    kept(ann)
    codes, game = play_with_ben(ann, ben)
    with ann.at(codes["table"]) as table:
        table.do("SetOptions", options={"chat": True})
        assert table.do("Chat", seat=0, text="See you on Sunday")["is"] == "Accepted"
    answer = ann.http.get("/api/me/everything")
    assert "attachment" in answer.headers["content-disposition"]
    everything = answer.json()
    assert [one["here"] for one in everything["me"]["devices"]] == [True]
    (visit,) = everything["tables"]
    assert (visit["watch"], visit["names"]) == (codes["watch"], ["Annabel"])
    assert visit["said"] == [{"seat": 0, "text": "See you on Sunday"}]
    assert [match["game"] for match in everything["matches"]] == [game]
    (record,) = everything["records"]
    assert record["players"] == ["Annabel", "Ben"]
    assert "See you on Sunday" not in ben.http.get("/api/me/everything").text


def delete_me(browser):
    answer = browser.http.delete("/api/me")
    assert answer.status_code == 200, answer.text
    assert answer.json() == NOBODY


def test_a_deleted_person_is_named_nowhere_and_their_matches_pass_the_referee(ann, ben):
    kept(ann)
    codes, game = play_with_ben(ann, ben)
    with ben.at(codes["table"]) as his:
        with ann.at(codes["table"]) as table:
            table.do("SetOptions", options={"chat": True})
            table.do("Chat", seat=0, text="See you on Sunday")
            assert table.do("Rename", seat=0, name="Anna Bella")["is"] == "Accepted"
        before = ben.http.get(f"/api/games/{game}/record").json()
        token = ann.http.cookies["mulligan_guest"]
        delete_me(ann)
        assert ann.http.cookies["mulligan_guest"] != token
        his.hear_the_end()
    record = ben.http.get(f"/api/games/{game}/record").json()
    assert record == before | {"players": ["Player 1", "Ben"]}
    referee.replay(record)
    with ben.at(codes["table"]) as his:
        assert [(seat["kind"], seat["name"]) for seat in his.view["seats"]] == [("open", "Player 1"), ("person", "Ben")]
        assert [one.get("text") for one in his.welcome["talk"]] == ["…"]
        assert his.do("Say", seat=1, phrase="thanks")["is"] == "Accepted"  # the table goes on
    old = Browser(ann.config)
    old.http.cookies.set("mulligan_guest", token)
    assert me(old) == NOBODY
    with old.at(codes["table"]) as table:
        assert (table.welcome["you"], table.welcome["owner"]) == ([], False)


@SQLITE_ONLY
@pytest.mark.parametrize("is_older", [False, True])
def test_the_file_holds_no_trace_of_a_deleted_person(tmp_path, client_folder, is_older):
    """Also at tables that an older version opened, which did not note who sat there."""
    with served(tmp_path, client_folder) as config:
        ann, ben = Browser(config), Browser(config)
        words = kept(ann, device="Annabels Laptop")
        _, game = play_with_ben(ann, ben)
        with ann.at(ann.open(ANNABEL, COMPUTER)["table"]) as table:
            assert table.do("Rename", seat=0, name="Annabella")["is"] == "Accepted"
            table.do("Start")
            play_on(table, until=lambda view: view["hole"] == 2)
        (guest,) = {row[0] for row in run_sql(tmp_path, "SELECT guest FROM persons")}
        if is_older:
            run_sql(tmp_path, "DELETE FROM sittings")
        assert ann.http.get(f"/api/games/{game}/record").status_code == 200
        delete_me(ann)
        for file in tmp_path.glob(f"{FILE}*"):
            content = file.read_bytes()
            assert b"Annabel" not in content, file
            assert guest.encode() not in content, file
        assert come_back(Browser(config), words).json()["error"] == "wrong_words"
    with closing(store_in(tmp_path)) as store, store.reading() as connection:
        codes = [code for (code,) in connection.execute("SELECT code FROM tables")]
        logs = [[decode(entry) for entry in store.entries(code)] for code in codes]
    assert "Annabel" not in repr(logs)
    assert guest not in repr(logs)


def test_an_older_table_with_a_damaged_log_is_read_once_by_housekeeping_and_again_when_someone_is_deleted(
    tmp_path, monkeypatch
):
    read = []
    server = ClockedServer(tmp_path)
    with closing(server.registry.store) as store:
        for code in CODES[:2]:
            server.open(code)
        run_sql(tmp_path, "UPDATE entries SET entry = '{}' WHERE code = ?", (CODES[0],))
        plain = store.entries
        monkeypatch.setattr(store, "entries", lambda code: read.append(code) or plain(code))
        for _ in range(3):
            assert asyncio.run(server.keeping.keep_house())
        assert read == [*CODES[:2]]
        assert run_sql(tmp_path, "SELECT code FROM sittings") == [(CODES[1],)]
        asyncio.run(note_older_tables(server.registry))
        assert read[2:] == [CODES[0]]


def test_a_device_is_seen_again_once_a_day(tmp_path, client_folder):
    with served(tmp_path, client_folder) as config:
        ann = Browser(config)
        kept(ann)
        run_sql(tmp_path, "UPDATE devices SET seen = ?", (1.0,))
    with served(tmp_path, client_folder) as config:
        ann.http = httpx.Client(base_url=f"http://127.0.0.1:{config.port}", cookies=ann.http.cookies, timeout=PATIENCE)
        me(ann)
        wait_until(lambda: run_sql(tmp_path, "SELECT seen FROM devices")[0][0] > time.time() - 3600)


@SQLITE_ONLY
def test_a_person_is_deleted_whole_or_not_at_all(tmp_path, client_folder):
    with served(tmp_path, client_folder) as config:
        ann, ben = Browser(config), Browser(config)
        words = kept(ann)
        codes, game = play_with_ben(ann, ben)
        before = ben.http.get(f"/api/games/{game}/record").json()
        refuse = "BEFORE DELETE ON devices BEGIN SELECT RAISE(ABORT, 'a bad moment'); END"
        run_sql(tmp_path, f"CREATE TRIGGER bad {refuse}")
        refused = ann.http.delete("/api/me")
        assert (refused.status_code, refused.json()["error"]) == (503, "server_fault")
        assert ben.http.get(f"/api/games/{game}/record").json() == before
        assert come_back(Browser(config), words).status_code == 200
        run_sql(tmp_path, "DROP TRIGGER bad")
        delete_me(ann)
        with ben.at(codes["table"]) as his:
            assert his.view["seats"][0]["name"] == "Player 1"


@pytest.mark.parametrize("is_elsewhere", [False, True])
def test_spectators_see_a_deleted_person_named_no_more_also_at_another_server(tmp_path, client_folder, is_elsewhere):
    with ExitStack() as both:
        store = {}
        if is_elsewhere:
            postgres.need_postgres()
            store = {"store": postgres.shared_cluster().database()}
        here = there = both.enter_context(served(tmp_path / "one", client_folder, **store))
        if is_elsewhere:
            there = both.enter_context(served(tmp_path / "other", client_folder, **store))
        ann, ben, cyd = Browser(here), Browser(here), Browser(there)
        codes = ann.open(ANNABEL, FRIEND)
        with ben.at(codes["table"]), cyd.at(codes["watch"], watching=True) as watch:
            assert "Annabel" in str(watch.view)
            delete_me(ann)
            with ben.at(codes["table"]):  # the table goes on before the spectators are told
                assert watch.hear_the_end() == 1012
        with cyd.at(codes["watch"], watching=True) as watch:
            assert "Annabel" not in str(watch.view)


def test_another_server_of_the_same_database_knows_a_device_at_once(tmp_path, client_folder):
    postgres.need_postgres()
    address = postgres.shared_cluster().database()
    with (
        served(tmp_path / "one", client_folder, store=address) as one,
        served(tmp_path / "other", client_folder, store=address) as other,
    ):
        ann, phone = Browser(one), Browser(one)
        codes = ann.open(ME, COMPUTER)
        come_back(phone, kept(ann))
        there = Browser(other)
        there.http.cookies = phone.http.cookies
        with there.at(codes["table"]) as table:
            assert table.welcome["you"] == [0]
        (device,) = [one["id"] for one in me(ann)["devices"] if not one["here"]]
        ann.http.delete(f"/api/me/devices/{device}")
        with there.at(codes["table"]) as table:
            assert table.welcome["you"] == []
