"""What a table owes its players: a shuffle they can check, a seat that waits for them, an end when they want one."""

import asyncio
import json
import re
import threading
from functools import partial

import pytest
from conftest import CLIENT
from served import SHORT, served
from visiting import (
    COMPUTER,
    DESK,
    FRIEND,
    ME,
    NO_PAGE,
    deal,
    lit,
    messages,
    open_drawer,
    open_table,
    play,
    sit_and_start,
    target,
    tee_off,
)

from mulligan.server.rooms import registry
from mulligan.server.rooms.live_table import LiveTable
from mulligan.server.table.time_limits import CLOCKS

WORDS = messages("en")


def shuffles(page, game):
    return page.request.get(f"/api/games/{game}/shuffles").json()["shuffles"]


def match_at(page):
    """The number of the match on the page's table, read off the menu."""
    page.get_by_role("button", name=WORDS["menu_open"]).click()
    link = page.locator("dialog").get_by_role("link", name=WORDS["check_title"]).get_attribute("href")
    page.keyboard.press("Escape")
    return link.split("/")[2]


def two_at_a_table(visit, viewport=DESK, base=None, **options):
    """Ann and Ben, and the path of their table; the cards are dealt."""
    more = {"base": base} if base else {}
    ann = visit(NO_PAGE, viewport=viewport, **more)
    path = f"/t/{open_table(ann, ME, FRIEND, **options)['table']}"
    ann.goto(path)
    ben = visit(path, **more)
    ben.get_by_label(WORDS["start_name"]).fill("Ben")
    ben.get_by_role("button", name=WORDS["join_sit"]).click()
    ann.get_by_role("button", name=WORDS["lobby_start"], exact=True).click()
    ann.locator(".draw").wait_for()
    deal(ann, ben)
    return ann, ben, path


def from_menu(page, *names):
    page.get_by_role("button", name=WORDS["menu_open"]).click()
    for name in names:
        page.locator("dialog").get_by_text(name, exact=True).click()


def test_the_page_adds_its_seed_and_checks_the_hole_and_the_running_match(visit):
    page = visit(NO_PAGE, viewport=DESK)
    sit_and_start(page, ME, COMPUTER)
    deal(page)
    play(page, ".hole-result")
    game = match_at(page)
    remembered = {stir["hole"]: stir for stir in json.loads(page.evaluate("localStorage['mulligan.stirs']"))}
    book = shuffles(page, game)
    for shuffle in book[:2]:
        stir = remembered[shuffle["hole"]]
        assert stir["commitment"] == shuffle["commitment"]
        assert [stir["seed"]] == [given["seed"] for given in shuffle["seeds"]]
        assert re.fullmatch("[0-9a-f]{32}", stir["seed"])
    page.goto(f"/g/{game}/check")
    page.locator(".verdict.good", has_text="2 shuffles").wait_for()
    hole = page.get_by_role("region", name="Hole 1")
    hole.get_by_text(WORDS["check_seen_own"]).wait_for()
    assert "Ann" in hole.inner_text()
    hole.get_by_text(WORDS["check_see"]).click()
    assert hole.get_by_role("img").count() == 108
    if len(book) > 2:  # the next pack is sealed already, and nothing of it can be seen
        secret = page.get_by_role("region", name="Hole 2")
        secret.get_by_text(WORDS["check_secret"], exact=True).wait_for()
        assert secret.get_by_role("img").count() == 0


def falsified(book, where):
    """The book with one lie in it."""
    hole = next(shuffle for shuffle in book["shuffles"] if shuffle["hole"] == 1)
    if where == "a card":
        card = next(card for card in hole["cards"] if card["place"] == "layout")
        card["face"] = "Q" if card["face"] != "Q" else "K"
    elif where == "the key":
        hole["seed"] = hole["seed"][::-1]
    elif where == "the lock":
        hole["commitment"] = "0" * 64
    else:
        hole["seeds"] = [{"seat": 0, "seed": "0" * 32}]
    return book


@pytest.mark.parametrize("where", ["a card", "the key", "the lock", "the seeds"])
def test_a_lie_about_the_shuffle_shows(visit, finished, where):
    page = visit()
    real = page.request.get(f"/api/games/{finished['game']}/shuffles").json()
    page.goto(f"/g/{finished['game']}/check")
    page.locator(".verdict.good").wait_for()
    page.route("**/shuffles", lambda route: route.fulfill(json=falsified(real, where)))
    page.reload()
    page.locator(".verdict.bad").wait_for()
    assert page.locator("section.bad").count() == 1
    page.get_by_role("region", name="Hole 1").get_by_text(WORDS["check_bad"], exact=True).wait_for()


def test_a_lock_changed_after_the_deal_shows(visit, finished):
    page = visit()
    page.evaluate(
        "game => localStorage['mulligan.stirs'] = JSON.stringify("
        "[{ game, hole: 2, commitment: 'f'.repeat(64), seed: '', in: false }])",
        finished["game"],
    )
    page.goto(f"/g/{finished['game']}/check")
    page.locator(".verdict.bad").wait_for()
    page.get_by_role("region", name="Hole 2").get_by_text(WORDS["check_seen_other"]).wait_for()


def test_the_shuffle_is_checked_where_the_browser_gives_no_webcrypto(visit, finished):
    page = visit()
    page.add_init_script("Object.defineProperty(Crypto.prototype, 'subtle', { get: () => undefined })")
    page.goto(f"/g/{finished['game']}/check")
    page.locator(".verdict.good", has_text="10 shuffles").or_(page.locator(".verdict.good", has_text="11")).wait_for()


def test_the_cards_dealt_here_are_drawn_beside_what_was_to_be_expected(visit, finished):
    page = visit("/cards-dealt")
    rows = page.get_by_role("region", name="Nine-card golf").locator("tbody tr")
    rows.first.wait_for()
    assert rows.count() == 14
    dealt = [int(text) for text in rows.locator("td:nth-of-type(2)").all_inner_texts()]
    games = {game["game"]: game for game in page.request.get("/api/frequencies").json()}
    assert dealt == [card["dealt"] for card in games["nine_card"]["cards"]]
    assert page.get_by_text(WORDS["freq_how"]).count() == 1


def test_where_no_hole_is_over_no_bars_are_explained(visit):
    page = visit()
    page.route("**/api/frequencies", lambda route: route.fulfill(json=[]))
    page.goto("/cards-dealt")
    page.get_by_text(WORDS["freq_none"]).wait_for()
    assert page.get_by_text(WORDS["freq_how"]).count() == 0


def test_a_seat_moves_to_another_device_with_its_turn(visit):
    ann, ben, path = two_at_a_table(visit)
    while not lit(ann):
        if slots := lit(ben):  # neither is lit while a move is on its way
            target(ben, slots[0]).click()
        ben.wait_for_timeout(50)
    moves = lit(ann)
    from_menu(ann, WORDS["move_open"], WORDS["move_make"])
    link = ann.locator("dialog .address").inner_text()
    phone = visit("/" + link.split("/", 1)[1], has_touch=True)
    phone.get_by_text("as Ann").wait_for()
    phone.get_by_role("button", name=WORDS["move_yes"]).tap()
    phone.wait_for_url(f"**{path}")
    phone.locator("button.legal").first.wait_for()
    assert lit(phone) == moves
    target(phone, moves[0]).tap()
    ann.get_by_role("heading", name=WORDS["move_gone"]).wait_for()
    ann.reload()
    ann.get_by_role("heading", name=WORDS["move_gone"]).wait_for()
    thief = visit("/" + link.split("/", 1)[1])  # a link works once
    thief.get_by_role("button", name=WORDS["move_yes"]).click()
    thief.get_by_text(WORDS["error_no_such_offer"]).wait_for()
    ann.get_by_role("link", name=WORDS["join_watch"]).click()
    ann.locator("main.table").wait_for()


@pytest.fixture
def hasty(tmp_path, monkeypatch):
    """A server whose quick tables end a turn when a test sets the event, whatever the time."""
    turn, is_over = 15.0, threading.Event()  # as many seconds as are announced at once

    async def sleep(seconds):
        if seconds < turn - 1:
            return await asyncio.sleep(seconds)
        while not is_over.is_set():
            await asyncio.sleep(0.01)
        is_over.clear()

    monkeypatch.setattr(registry, "LiveTable", partial(LiveTable, sleep=sleep))
    quick = CLOCKS["quick"]._replace(presence=0.05, turn=turn)
    with served(tmp_path, CLIENT, clocks={**SHORT, "quick": quick}) as config:
        yield f"http://127.0.0.1:{config.port}", is_over


def test_at_a_quick_table_the_turn_goes_on_without_me_until_i_am_back(visit, hasty):
    address, is_over = hasty
    ann, ben, _ = two_at_a_table(visit, base=address, tempo="quick")
    ann.locator(".prompt .clock").wait_for()
    slow, other = (ann, ben) if lit(ann) else (ben, ann)
    name = "Ann" if slow is ann else "Ben"
    other.locator(".prompt .clock").wait_for()
    slow.get_by_role("status").get_by_text("Then a computer player takes over for you").wait_for(state="attached")
    is_over.set()
    slow.get_by_role("button", name=WORDS["menu_take_seat"]).wait_for()
    other.get_by_role("log").get_by_text(f"{name}’s time is up").wait_for(state="attached")
    slow.get_by_role("button", name=WORDS["menu_take_seat"]).click()
    slow.get_by_role("button", name=WORDS["menu_take_seat"]).wait_for(state="detached")
    other.get_by_role("log").get_by_text(f"{name} is playing again").wait_for(state="attached")


def test_a_family_table_shows_no_clock(visit):
    page = visit(NO_PAGE, viewport=DESK)
    sit_and_start(page, ME, COMPUTER)
    tee_off(page)
    assert page.locator(".clock").count() == 0


def test_a_match_given_up_has_no_winner_and_can_be_played_again(visit):
    ann, ben, _ = two_at_a_table(visit)
    game = match_at(ann)
    from_menu(ann, WORDS["menu_give_up"])
    ann.get_by_text(WORDS["menu_give_up_sure"]).wait_for()
    ann.get_by_role("button", name=WORDS["menu_give_up_no"]).click()
    ann.get_by_role("button", name=WORDS["menu_give_up"], exact=True).click()
    ann.get_by_role("button", name=WORDS["menu_give_up_yes"]).click()
    for page in (ann, ben):
        page.get_by_role("heading", name=WORDS["table_given_up"]).wait_for()
        open_drawer(page)
        assert page.get_by_role("link", name=WORDS["table_act_replay"]).count() == 0
    ann.keyboard.press("Escape")
    assert shuffles(ann, game)[-1]["seed"] or shuffles(ann, game)[-2]["seed"]  # the hole's key is shown all the same
    ben.get_by_role("link", name=WORDS["check_title"]).click()
    ben.locator(".verdict.good").wait_for()
    ben.go_back()
    ben.get_by_role("heading", name=WORDS["table_given_up"]).wait_for()  # nobody waits for players who are absent
    ann.get_by_role("button", name=WORDS["table_act_rematch"]).click()
    ben.get_by_role("button", name=WORDS["table_again_join"]).click()
    ann.locator(".draw").wait_for()
    ben.locator(".draw").wait_for()
    assert match_at(ann) == game[:-1] + "2"


def test_only_who_looks_after_the_table_may_end_the_match(visit):
    ann, ben, _ = two_at_a_table(visit)
    for page, may in ((ann, 1), (ben, 0)):
        page.get_by_role("button", name=WORDS["menu_open"]).click()
        page.locator("dialog li").first.wait_for()
        assert page.get_by_role("button", name=WORDS["menu_give_up"]).count() == may
