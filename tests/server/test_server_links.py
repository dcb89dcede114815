"""A new link to a table: by an old one only those who are at home there come in, and they are told the new one."""

import pytest
from served import FRIEND, ME, AtTable, Browser, served, store_in
from tables import TableDriver, refused, wish
from test_server_live_table import Clock, Disk, Ear, live_of

from mulligan.server.table.new_link import MOST
from mulligan.server.table.table import Table
from mulligan.server.wire.commands import Leave, NewLink, Readmit, Remove, Sit
from mulligan.server.wire.replies import Welcome

GONE = 4006


def driver_with_ben():
    driver = TableDriver(seats=[wish("me", "Ann"), wish("friend"), wish("friend")])
    driver.do(Sit, "ben", seat=1, name="Ben")
    return driver


def links_told(ear):
    return [message.link for message in ear.heard if isinstance(message, Welcome)]


def must_be_outside(browser, code, why="table_gone"):
    with browser.socket(f"/ws/{'t' if len(code) == 9 else 'w'}/{code}") as socket:
        table = AtTable(socket)
        assert (table.next()["error"], table.hear_the_end()) == (why, GONE)
    for path in ("", "/qr.svg"):
        assert browser.http.get(f"/api/tables/{code}{path}").status_code == 404
    assert browser.http.post(f"/api/tables/{code}/hint", json={"seat": 0}).status_code == 404


def must_be_at_home(browser, code, new):
    with browser.at(code) as table:
        assert (table.welcome["link"], len(table.welcome["you"])) == (new, 1)
    assert browser.http.get(f"/api/tables/{code}").json()["link"].endswith(f"/t/{new}")


def test_by_the_old_link_only_those_at_home_come_in(tmp_path, client_folder):
    with served(tmp_path / "data", client_folder) as config:
        ann, ben, eve, stranger = (Browser(config) for _ in range(4))
        codes = ann.open(ME, FRIEND, FRIEND)
        old, watch = codes["table"], codes["watch"]
        with ann.at(old) as table, ben.at(old) as bens, eve.at(old) as eves, stranger.at(watch, watching=True) as other:
            bens.do("Sit", seat=1, name="Ben")
            eves.do("Sit", seat=2, name="Eve")
            table.do("Remove", seat=2)
            assert table.do("NewLink")["is"] == "Accepted"
            new = [message["link"] for message in table.heard if message["is"] == "Welcome"][-1]
            assert new != old
            while bens.hear("Welcome")["link"] != new:
                pass
            assert eves.hear_the_end() == GONE
            table.do("Say", seat=0, phrase="hello")
            while "'Said'" not in str(other.heard):
                other.next()
            assert new not in str(other.heard)
            assert table.do("NewLink", watch=True)["is"] == "Accepted"
            welcomes = [message for message in table.heard if message["is"] == "Welcome"]
            new, new_watch = welcomes[-1]["link"], welcomes[-1]["watch"]
            assert new_watch != welcomes[-1]["view"]["watch"] == watch
            table.do("Say", seat=0, phrase="nice")
            while "nice" not in str(other.heard):
                other.next()
            assert new_watch not in str(other.heard), "one who watches may be the one to be kept out"
    with served(tmp_path / "data", client_folder) as config:
        everyone = {"ann": ann, "ben": ben, "eve": eve, "stranger": stranger}
        for browser in everyone.values():
            browser.config, browser.http.base_url = config, f"http://127.0.0.1:{config.port}"
        for _ in range(2):  # read from its log, and in use
            must_be_outside(stranger, old)
            must_be_outside(eve, old, "shown_out")
            must_be_outside(stranger, watch)
            with stranger.at(new_watch, watching=True) as other:
                assert other.welcome["view"]["watch"] == watch
            must_be_at_home(ben, old, new)
            must_be_at_home(ann, new.lower(), new)
        eve.http.cookies.clear()
        must_be_outside(eve, old)
        with stranger.at(new) as table:
            assert table.welcome["link"] == ""
            assert table.do("Sit", seat=-1, name="Cyd")["is"] == "Accepted"
            assert [message["link"] for message in table.heard if message["is"] == "Welcome"] == ["", new]


async def test_nobody_slips_in_while_the_link_changes():
    """They were let in by the old link a moment before: on the way to the table, or about to sit down."""

    driver = driver_with_ben()
    live = live_of(driver, Disk(), Clock())
    ann, ben, eve, late = (Ear(name, code="BCDFGHJKL") for name in ("ann", "ben", "eve", "fay"))
    for ear in (ann, ben, eve):
        await live.join(ear, 0)
    await live.command(ann, NewLink(id="1"))
    assert eve.closed == "table_gone"
    await live.command(eve, Sit(id="2", seat=2, name="Eve"))
    await live.join(late, 0)
    assert late.closed == "table_gone"
    assert [seat.kind for seat in driver.table.seats] == ["person", "person", "open"]
    assert ann.code == ben.code == links_told(ben)[-1] == driver.table.link != "BCDFGHJKL"


async def test_who_gives_up_a_seat_may_stay_by_the_link_they_were_told():
    live, ear = live_of(driver_with_ben(), Disk(), Clock()), Ear("ben")
    await live.join(ear, 0)
    await live.command(Ear("ann"), NewLink(id="1"))
    await live.command(ear, Leave(id="2", seat=1))
    assert ear.closed is None
    assert links_told(ear)[-1] == ""


def test_a_table_has_so_many_new_links_and_no_more():
    driver = driver_with_ben()
    for _ in range(MOST):
        driver.do(NewLink)
    assert refused(driver, NewLink)[0] == "too_many_links"
    assert Table(driver.log).links == driver.table.links
    assert len(set(driver.table.links)) == MOST + 1


def test_the_links_of_a_table_go_with_it_and_no_two_tables_ever_have_the_same(tmp_path):
    store = store_in(tmp_path)
    for code in ("AAA", "BBB"):
        store.open_table(code, f"W{code}", "play_nine", 1.0, [b"1"]).result(10)
    store.append("AAA", 2, [b"2"], link="CCC").result(10)
    with pytest.raises(OSError, match="cannot be written"):
        store.append("BBB", 2, [b"2"], link="CCC").result(10)
    assert (store.table_of("AAA"), store.table_of("CCC"), store.link_of("AAA")) == ("AAA", "AAA", "CCC")
    assert (store.entries("BBB"), store.link_of("BBB")) == ([b"1"], "BBB")
    store.remove("AAA").result(10)
    for link in ("AAA", "CCC"):
        assert (store.table_of(link), store.link_of(link), store.was_link(link)) == (None, "", True)
        with pytest.raises(OSError, match="cannot be written"):
            store.open_table(link, "W", "play_nine", 1.0, [b"1"]).result(10)
    assert not store.was_link("DDD")
    store.close()


def test_a_table_has_so_many_new_links_for_spectators_and_its_matches_keep_their_names():
    driver = driver_with_ben()
    driver.do(Sit, "cyd", seat=2, name="Cyd")
    for _ in range(MOST):
        driver.do(NewLink, watch=True)
    assert refused(driver, NewLink, watch=True)[0] == "too_many_links"
    assert refused(driver, Remove, seat=2, renew=True)[0] == "too_many_links"
    assert driver.do(Remove, seat=2), "without a new link it goes"
    table = driver.table
    assert Table(driver.log).watch_link == table.watch_link != table.watch
    assert len(set(table.watches)) == MOST + 1
    assert table.match_id.startswith(table.watch)


async def test_who_is_removed_with_new_links_is_told_so_and_finds_no_way_back():
    driver = driver_with_ben()
    live = live_of(driver, Disk(), Clock(most=1))
    ann, ben, eve, as_watcher, watcher = Ear("ann"), Ear("ben"), Ear("eve"), Ear("ben", True), Ear("dee", True)
    for ear in (ann, ben, eve, as_watcher, watcher):
        await live.join(ear, 0)
    await live.command(ann, Remove(id="out", seat=1, renew=True))
    assert [ear.closed for ear in (ann, ben, eve, as_watcher, watcher)] == [
        None, "shown_out", "table_gone", "shown_out", None,
    ]  # fmt: skip
    late = Ear("ben")
    await live.join(late, 0)
    assert late.closed == "shown_out"
    told = [message for message in ann.heard if isinstance(message, Welcome)][-1]
    assert told.watch == driver.table.watch_link != told.view.watch == driver.table.watch
    live.rest()


async def test_who_is_removed_alone_stays_and_is_told_that_they_may_not_sit():
    driver = driver_with_ben()
    live = live_of(driver, Disk(), Clock(most=1))
    ann, ben = Ear("ann"), Ear("ben")
    for ear in (ann, ben):
        await live.join(ear, 0)
    await live.command(ann, Remove(id="out", seat=1))
    await live.command(ann, Readmit(id="in"))
    assert [message.barred for message in ben.heard if isinstance(message, Welcome)] == [False, True, False]
    live.rest()
