"""Matches on this device alone: the pages of the server's tables, with the engine in a worker and without a network."""

import random

import pytest
from conftest import Visit
from playwright.sync_api import Page
from served import wait_until
from test_browser_cardboard import begin, key, write
from visiting import (
    COMPUTER,
    ME,
    NO_PAGE,
    begin_here,
    choose_match,
    deal,
    lit,
    lit_up,
    messages,
    my_cards,
    open_drawer,
    play,
    record_of,
    sit_and_start,
    target,
    wait_until_kept,
)

from mulligan.game import variants
from mulligan.wasm.building import built

WORDS = messages("en")
FORGET_NETS = """
async () => {
  for (const name of await caches.keys()) {
    const cache = await caches.open(name);
    for (const { url } of await cache.keys()) if (url.includes("/nets/")) await cache.delete(url);
  }
}
"""


@pytest.fixture(scope="module", autouse=True)
def _engine() -> None:
    built()  # the server serves it


def kept(page: Page) -> None:
    """Waits until the device has all that it needs to play without a network."""
    page.wait_for_function("() => navigator.serviceWorker.controller !== null")
    wait_until_kept(page, f"/api/engine/{variants.games()[-1]}")


def test_without_a_network_a_match_is_played_told_and_counted(visit: Visit) -> None:
    page = visit(installed=True)
    kept(page)
    page.context.set_offline(True)
    page.goto("/")
    path = begin_here(page, holes="1", pace="instant")
    play(page, ".won")
    record = record_of(page)
    assert record["match"] == {"holes": 1}
    open_drawer(page)
    page.get_by_role("link", name=WORDS["table_act_replay"]).click()
    page.get_by_role("button", name=WORDS["table_rp_forward"]).click()
    page.get_by_role("button", name=WORDS["table_rp_result"]).click()
    page.get_by_text(WORDS["here_match"]).wait_for()
    page.goto("/stats")
    page.get_by_role("heading", name="Play Nine").wait_for()
    page.goto("/")
    assert page.get_by_role("link").filter(has_text="Play Nine").first.get_attribute("href") == f"/g/{path}-1"
    page.context.set_offline(False)


@pytest.mark.parametrize("game", variants.games())
def test_every_game_is_played_on_this_device(visit: Visit, game: str) -> None:
    page = visit(viewport={"width": 390, "height": 844})
    page.evaluate("game => localStorage.setItem('mulligan.picked', JSON.stringify(game))", game)
    page.reload()
    begin_here(page, holes="1", pace="instant")
    play(page, ".won")
    assert record_of(page)["game"] == game


def test_a_page_that_is_killed_goes_on_with_the_same_cards(visit: Visit) -> None:
    page = visit()
    begin_here(page, holes="3", pace="instant")
    dice = random.Random(1)
    for _ in range(25):
        page.locator("button[data-move][aria-disabled=false], .next button.first, .won").first.wait_for()
        if moves := lit(page):
            before = my_cards(page)
            page.reload()
            assert lit_up(page) == moves
            assert my_cards(page) == before
            target(page, dice.choice(moves)).click()
        else:
            page.reload()
            page.locator(".next button.first").click()
    play(page, ".won")
    assert len(record_of(page)["holes"]) >= 3


def test_several_people_share_this_device(visit: Visit) -> None:
    page = visit()
    choose_match(page)
    rows = page.locator(".seats select")
    rows.nth(0).select_option("here")
    begin_here(page, holes="1", pace="instant")
    play(page, ".won")
    assert record_of(page)["kinds"][:2] == ["person", "person"]


def test_only_one_tab_has_a_table(visit: Visit) -> None:
    page = visit()
    code = begin_here(page, pace="instant")
    lit_up(page)
    other = page.context.new_page()
    other.goto(f"/t/{code}")
    lit_up(other)
    page.get_by_text(WORDS["error_elsewhere"]).wait_for()
    page.get_by_role("button", name=WORDS["page_reload"]).click()
    lit_up(page)
    other.get_by_text(WORDS["error_elsewhere"]).wait_for()


def test_hints_and_the_story_of_the_match_come_from_this_device(visit: Visit) -> None:
    page = visit(installed=True)
    kept(page)
    begin_here(page, holes="1", pace="instant")
    page.context.set_offline(True)
    lit_up(page)
    page.get_by_role("button", name=WORDS["coach_hint"]).click()
    page.locator("[data-rated]").first.wait_for()
    play(page, ".won")
    page.locator(".verdict .lead").first.wait_for()
    open_drawer(page)
    page.get_by_role("link", name=WORDS["coach_title"]).click()
    page.locator(".story .lead").first.wait_for()
    assert page.locator(".refining").count() == 0
    page.context.set_offline(False)


def test_a_match_that_is_shared_keeps_its_computer_players(visit: Visit) -> None:
    page = visit()
    begin_here(page, holes="1", pace="instant")
    play(page, ".won")
    with page.expect_response("**/api/cardboard/games") as kept:
        page.get_by_role("button", name=WORDS["lobby_share"], exact=True).click()
    page.locator("dialog img").wait_for()
    game = kept.value.json()["game"]
    seats = page.request.get(f"/api/games/{game}").json()["seats"]
    assert [seat["kind"] for seat in seats] == ["person", "computer", "computer", "computer"]
    reader = visit(f"/g/{game}")
    reader.get_by_role("button", name=WORDS["table_rp_result"]).click()
    reader.get_by_text(WORDS["here_shared"]).wait_for()
    reader.get_by_text(WORDS["table_act_more"], exact=True).click()
    reader.get_by_role("link", name=WORDS["table_act_download"]).wait_for()
    assert reader.get_by_role("link", name=WORDS["check_title"]).count() == 0


def test_a_computer_player_whose_net_is_gone_plays_on_and_the_page_says_so(visit: Visit) -> None:
    page = visit(installed=True)
    kept(page)
    page.evaluate("localStorage.setItem('mulligan.player', JSON.stringify('search'))")
    page.reload()
    begin_here(page, holes="1", pace="instant")
    lit_up(page)
    page.evaluate(FORGET_NETS)
    page.context.new_cdp_session(page).send("Network.clearBrowserCache")
    page.context.set_offline(True)
    page.reload()
    lit_up(page)
    assert page.get_by_text(WORDS["error_net_lost"]).count() == 0
    play(page, ".notice.bad")
    assert page.locator(".notice").inner_text().startswith(WORDS["error_net_lost"])
    play(page, ".won")
    page.context.set_offline(False)


def test_at_a_table_of_the_server_hints_come_from_this_device_once_it_can(visit: Visit) -> None:
    page = visit(NO_PAGE)
    sit_and_start(page, ME, COMPUTER)
    deal(page)
    lit_up(page)
    hint = page.get_by_role("button", name=WORDS["coach_hint"], exact=True)
    with page.expect_response("**/nets/*") as net:
        hint.click()
    first = rated(page)
    net.value.finished()
    hint.click()
    page.locator("[data-rated]").first.wait_for(state="detached")

    def comes_from_here() -> bool:
        asked: list[str] = []
        page.once("request", lambda request: asked.append(request.url))
        hint.click()
        assert rated(page) == first
        hint.click()
        return asked[0].endswith("/position")

    wait_until(comes_from_here)


def test_the_story_of_a_match_of_the_server_comes_from_this_device(visit: Visit) -> None:
    page = visit(installed=True)
    kept(page)
    sit_and_start(page, ME, COMPUTER, holes=1)
    asked: list[str] = []
    page.on("request", lambda request: asked.append(request.url.partition("/api/")[2]))
    play(page, ".won")
    page.locator(".verdict .lead").first.wait_for()
    open_drawer(page)
    page.get_by_role("link", name=WORDS["coach_title"]).click()
    page.locator(".story .lead").first.wait_for()
    game = page.url.partition("/g/")[2].partition("#")[0]
    assert f"games/{game}/record" in asked
    assert f"games/{game}/analysis" not in asked
    page.locator(".refining").wait_for(state="detached")
    assert f"games/{game}/analysis/1" in asked  # the server plays moves out


def test_a_match_with_real_cards_is_followed_on_this_device_and_the_server_says_why_a_move_is_refused(
    visit: Visit,
) -> None:
    page = visit(installed=True)
    kept(page)
    page.goto("/coach")
    asked: list[str] = []
    page.on("request", lambda request: asked.append(request.url))
    begin(page)
    key(page, "7")
    write(page, "a1=4 b1=5 a1=1 b1=2 S4")
    page.locator(".held.lifted").wait_for()
    page.get_by_role("button", name=WORDS["coach_hint"], exact=True).click()
    assert len(rated(page)) > 2
    assert [url for url in asked if "cardboard" in url] == []
    write(page, "D7")
    page.locator(".trouble", has_text="Ben is holding a card").wait_for()
    assert [url for url in asked if "cardboard" in url] == [page.url.partition("/coach")[0] + "/api/cardboard"]


def rated(page: Page) -> list[str]:
    page.locator("[data-rated]").first.wait_for()
    return page.locator("[data-rated]").all_inner_texts()
