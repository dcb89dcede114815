"""Every page in every language, on a small phone and on a desk, light and dark: complete and readable."""

import os
from typing import Any

import pytest
from reading import check, every_language
from served import wait_until
from visiting import (
    COMPUTER,
    DESK,
    FRIEND,
    ME,
    NO_PAGE,
    PAGES,
    SMALL,
    choose_match,
    deal,
    messages,
    open_table,
    play,
    recolour,
    sit_and_start,
    target,
    words_of,
)

ALBUM = os.environ.get(
    "MULLIGAN_ALBUM"
)  # a folder for a picture of every page, to be looked at; MULLIGAN_EVERY_SCREEN gives more


@pytest.fixture
def read(request):
    """Reads the page as it is now."""

    def photograph(page: Any, name: str, light: str) -> None:
        if ALBUM:
            case = request.node.callspec.id.replace("-", "/")
            page.screenshot(path=f"{ALBUM}/{case}/{name.strip('/').replace('/', ' ')}, {light}.png", full_page=True)

    def read(page: Any, name: str, language: str) -> None:
        photograph(page, name, "light")
        assert page.evaluate("document.documentElement.lang") == language
        assert page.title().endswith("Mulligan")
        parts = page.title().split(" – ")
        assert len(set(parts)) == len(parts) > 1, name
        check(page, name, language)
        if ALBUM:
            recolour(page, "dark")
            photograph(page, name, "dark")
            recolour(page, "light")

    return read


@every_language(phone=SMALL, desk=DESK)
class TestEveryPage:
    def test_before_the_game(self, visit, read, language, viewport):
        words = messages(language)
        page = visit(language=language, viewport=viewport)
        page.get_by_role("button", name=words["start_play"], exact=True).wait_for()
        assert page.title() == f"{words['page_start_title']} – Mulligan"
        read(page, "start", language)
        choose_match(page, language)
        page.locator("form select").first.select_option("friend")
        page.locator("summary").click()
        read(page, "new", language)
        page.locator(".game .button").first.click()
        page.locator("dialog svg").last.wait_for()
        read(page, "picture explanation", language)
        page.keyboard.press("Escape")
        page.get_by_role("button", name=words["page_settings"]).click()
        page.locator("dialog [role=switch]").first.wait_for()
        read(page, "settings", language)
        code = open_table(page, ME, FRIEND, COMPUTER)["table"]
        page.goto(f"/t/{code}")
        page.locator("[aria-labelledby=invite] .address").wait_for()
        read(page, "invitation", language)
        friend = visit(f"/t/{code}", language=language, viewport=viewport)
        friend.get_by_role("heading", name=words["join_title"]).wait_for()
        read(friend, "joining", language)
        page.goto(NO_PAGE)  # the host goes away, and could be who comes
        friend.locator("details").wait_for()
        read(friend, "joining without the host", language)
        friend.goto(f"/move/{code}#{'0' * 32}.0")
        friend.get_by_role("button", name=words["move_yes"]).wait_for()
        read(friend, "moving", language)

    def test_the_table(self, visit, read, language, viewport):
        words = messages(language)
        page = visit(language=language, viewport=viewport)
        sit_and_start(page, ME, COMPUTER, COMPUTER, COMPUTER)
        read(page, "the draw", language)
        deal(page)
        for move in ("a1", "b2", "D"):
            target(page, move).click()
        page.locator(".held.lifted").wait_for()
        read(page, "card in hand", language)
        page.get_by_role("button", name=words["menu_open"]).click()
        page.locator("dialog li").first.wait_for()
        read(page, "menu", language)
        page.keyboard.press("Escape")
        page.get_by_role("button", name=words["table_talk"]).click()
        page.locator("dialog button").nth(8).wait_for()
        read(page, "phrases", language)
        page.keyboard.press("Escape")
        page.get_by_role("button", name=words["start_how"]).click()
        page.locator("dialog svg").last.wait_for()
        read(page, "help", language)
        page.keyboard.press("Escape")
        play(page, ".hole-result", language)
        read(page, "hole_over", language)

    def test_after_the_game(self, visit, read, finished, language, viewport):
        words = messages(language)
        page = visit(NO_PAGE, language=language, viewport=viewport)
        page.context.add_cookies(finished["cookies"])
        page.goto(f"/t/{finished['table']}")
        page.get_by_role("button", name=words["table_act_rematch"]).wait_for()
        read(page, "over", language)
        page.goto(f"/g/{finished['game']}")
        page.get_by_role("button", name=words["table_rp_forward"]).click()
        read(page, "replay", language)
        tops = "buttons => new Set(buttons.map(one => one.offsetTop)).size"
        assert page.locator(".controls .buttons .button:visible").evaluate_all(tops) == 1  # the cards need the height
        page.goto(f"/g/{finished['game']}/check")
        page.locator(".verdict.good").wait_for()
        page.locator("details").evaluate_all("all => [all[2], all[3], all.at(-1)].forEach(one => (one.open = true))")
        page.locator("details[open] .packs .card").nth(20).wait_for()
        read(page, "shuffle", language)
        page.goto("/cards-dealt")
        page.locator("table").first.wait_for()
        read(page, "cards dealt", language)
        page.goto(f"/w/{finished['watch']}")
        page.locator(".hole-result").wait_for()
        read(page, "watching", language)

    def test_around_the_game(self, visit, read, language, viewport):
        words = messages(language)
        page = visit("/rules", language=language, viewport=viewport)
        page.locator("article").nth(20).wait_for()
        read(page, "rules", language)
        for path, why in (("/nowhere", "not_found"), ("/t/NOPE22", "table_gone"), ("/g/NOPE2222-1", "game_gone")):
            page.goto(path)
            page.get_by_text(words[f"error_{why}"]).wait_for()
            read(page, path, language)


@pytest.mark.parametrize("path", [path for path in PAGES if not path.startswith("/w/")])  # tables: a test of its own
def test_a_page_in_another_language_stays_as_it_is_and_leaves_no_word_behind(visit, finished, path):
    words = messages("ja")
    page, fresh = (visit(path.format(**finished), language, viewport=DESK) for language in ("en", "ja"))
    for one in (page, fresh):
        one.locator("main h1, main h2").first.wait_for(state="attached")
        one.wait_for_load_state("networkidle")
    page.locator("main").evaluate("main => (main.dataset.mark = 'same')")
    page.get_by_role("button", name=messages("en")["page_settings"]).click()
    page.locator("dialog[open]").get_by_role("radio", name="日本語").click()
    page.get_by_role("button", name=words["page_close"]).click()
    page.locator("dialog").wait_for(state="detached")
    assert page.evaluate("document.activeElement.innerText.trim()") == words["page_settings"]
    assert page.locator("main").get_attribute("data-mark") == "same"
    wait_until(lambda: words_of(page) == words_of(fresh))
