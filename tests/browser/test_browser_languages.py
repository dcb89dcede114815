"""Every page in every language, on a small phone and on a desk, light and dark: complete and readable."""

import os
from typing import Any

import pytest
from axe import faults, faults_of_colour
from visiting import (
    COMPUTER,
    DESK,
    FRIEND,
    LANGUAGES,
    ME,
    SMALL,
    deal,
    faults_of_wording,
    messages,
    open_table,
    overhang,
    play,
    recolour,
    sit_and_start,
    target,
)

# It is slow; colours and structure are the same in every language, and German words are the longest.
READ_BY_AXE = ("en", "de")
ALBUM = os.environ.get("MULLIGAN_ALBUM")  # a folder: then every page is photographed too, to be looked at


@pytest.fixture
def check(request):
    """Reads the page as it is now."""

    def photograph(page: Any, name: str, light: str) -> None:
        if ALBUM:
            case = request.node.callspec.id.replace("-", "/")
            page.screenshot(path=f"{ALBUM}/{case}/{name.strip('/').replace('/', ' ')}, {light}.png", full_page=True)

    def check(page: Any, name: str, language: str) -> None:
        photograph(page, name, "light")
        assert page.evaluate("document.documentElement.lang") == language
        assert page.title().endswith("Mulligan")
        assert page.title() not in ("", "Mulligan"), name
        assert faults_of_wording(page, language) == [], name
        assert overhang(page) <= 0, name
        if language not in READ_BY_AXE and not ALBUM:
            return
        assert faults(page) == [], name
        recolour(page, "dark")
        photograph(page, name, "dark")
        assert faults_of_colour(page) == [], f"{name}, dark"
        recolour(page, "light")

    return check


@pytest.mark.parametrize("viewport", [SMALL, DESK], ids=["phone", "desk"])
@pytest.mark.parametrize("language", LANGUAGES)
class TestEveryPage:
    def test_before_the_game(self, visit, check, language, viewport):
        words = messages(language)
        page = visit(language=language, viewport=viewport)
        page.get_by_role("button", name=words["start_play"], exact=True).wait_for()
        assert page.title() == f"{words['page_start_title']} – Mulligan"
        page.locator("form select").first.select_option("friend")
        page.locator("summary").click()
        check(page, "start", language)
        page.locator(".game .button").first.click()
        page.locator("dialog svg").last.wait_for()
        check(page, "picture explanation", language)
        page.keyboard.press("Escape")
        page.get_by_role("button", name=words["page_settings"]).click()
        page.locator("dialog [role=switch]").first.wait_for()
        check(page, "settings", language)
        code = open_table(page, ME, FRIEND, COMPUTER)["table"]
        page.goto(f"/t/{code}")
        page.locator("section.invite .address").wait_for()
        check(page, "invitation", language)
        friend = visit(f"/t/{code}", language=language, viewport=viewport)
        friend.get_by_role("heading", name=words["join_title"]).wait_for()
        check(friend, "joining", language)
        friend.goto(f"/move/{code}#{'0' * 32}.0")
        friend.get_by_role("button", name=words["move_yes"]).wait_for()
        check(friend, "moving", language)

    def test_the_table(self, visit, check, language, viewport):
        words = messages(language)
        page = visit(language=language, viewport=viewport)
        sit_and_start(page, ME, COMPUTER, COMPUTER, COMPUTER)
        check(page, "the draw", language)
        deal(page)
        for move in ("a1", "b2", "D"):
            target(page, move).click()
        page.locator(".held.lifted").wait_for()
        check(page, "card in hand", language)
        page.get_by_role("button", name=words["menu_open"]).click()
        page.locator("dialog li").first.wait_for()
        check(page, "menu", language)
        page.keyboard.press("Escape")
        page.get_by_role("button", name=words["table_talk"]).click()
        page.locator("dialog button").nth(8).wait_for()
        check(page, "phrases", language)
        page.keyboard.press("Escape")
        play(page, ".hole-result", language)
        check(page, "hole_over", language)

    def test_after_the_game(self, visit, check, finished, language, viewport):
        words = messages(language)
        page = visit(language=language, viewport=viewport)
        page.context.add_cookies(finished["cookies"])
        page.goto(f"/t/{finished['table']}")
        page.get_by_role("button", name=words["table_act_rematch"]).wait_for()
        check(page, "over", language)
        page.goto(f"/g/{finished['game']}")
        page.get_by_role("button", name=words["table_rp_forward"]).click()
        check(page, "replay", language)
        page.goto(f"/g/{finished['game']}/check")
        page.locator(".verdict.good").wait_for()
        page.locator("details").evaluate_all("all => [all[2], all[3], all.at(-1)].forEach(one => (one.open = true))")
        page.locator("details[open] .packs .card").nth(20).wait_for()
        check(page, "shuffle", language)
        page.goto("/cards-dealt")
        page.locator("table").first.wait_for()
        check(page, "cards dealt", language)
        page.goto(f"/w/{finished['watch']}")
        page.locator(".hole-result").wait_for()
        check(page, "watching", language)

    def test_around_the_game(self, visit, check, language, viewport):
        words = messages(language)
        page = visit("/rules", language=language, viewport=viewport)
        page.locator("article").nth(20).wait_for()
        check(page, "rules", language)
        for path, why in (("/nowhere", "not_found"), ("/t/NOPE22", "table_gone"), ("/g/NOPE2222-1", "game_gone")):
            page.goto(path)
            page.get_by_text(words[f"error_{why}"]).wait_for()
            check(page, path, language)
