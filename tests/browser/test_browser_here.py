"""Matches on this device alone: the pages of the server's tables, with the engine in a worker and without a network."""

import random

import pytest
from conftest import Visit
from playwright.sync_api import Page
from served import wait_until
from visiting import (
    COMPUTER,
    ME,
    NO_PAGE,
    begin_here,
    deal,
    lit,
    lit_up,
    messages,
    my_cards,
    play,
    record_of,
    sit_and_start,
    target,
    wait_until_kept,
)

from mulligan.game import variants
from mulligan.wasm.building import built

WORDS = messages("en")


@pytest.fixture(scope="module", autouse=True)
def _engine() -> None:
    built()  # the server serves it


def kept(page: Page) -> None:
    """Waits until the device has all that it needs to play without a network."""
    page.wait_for_function("() => navigator.serviceWorker.controller !== null")
    wait_until_kept(page, f"/api/engine/{variants.names()[-1]}")


def test_without_a_network_a_match_is_played_told_and_counted(visit: Visit) -> None:
    page = visit(installed=True)
    kept(page)
    page.context.set_offline(True)
    page.goto("/")
    path = begin_here(page, holes="1", pace="instant")
    play(page, ".won")
    record = record_of(page)
    assert record["match"] == {"holes": 1}
    page.get_by_role("link", name=WORDS["table_act_replay"]).click()
    page.get_by_role("button", name=WORDS["table_rp_forward"]).click()
    page.get_by_role("button", name=WORDS["table_rp_result"]).click()
    page.get_by_text(WORDS["here_match"]).wait_for()
    page.goto("/stats")
    page.get_by_role("heading", name="Play Nine").wait_for()
    page.goto("/")
    assert page.get_by_role("link").filter(has_text="Play Nine").first.get_attribute("href") == f"/g/{path}-1"
    page.context.set_offline(False)


@pytest.mark.parametrize("game", variants.names())
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
    page.get_by_role("link", name=WORDS["coach_title"]).click()
    page.locator(".story .lead").wait_for()
    assert page.locator(".refining").count() == 0
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


def rated(page: Page) -> list[str]:
    page.locator("[data-rated]").first.wait_for()
    return page.locator("[data-rated]").all_inner_texts()
