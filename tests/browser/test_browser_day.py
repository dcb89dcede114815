"""The hole of the day: the same cards on every device, offline and without a server; its result, its row, its check."""

import re
from datetime import datetime
from typing import Any

import pytest
from axe import faults
from conftest import Visit
from playwright.sync_api import Page
from reading import check, cut, every_language
from test_browser_here import kept
from test_browser_site import keep, site, site_in_space, visit_site  # noqa: F401
from visiting import LANGUAGES, PHONE, SMALL, lit_up, messages, my_cards, overhang, play, record_of, target

from mulligan.game import named_holes, shuffle
from mulligan.game.verify_shuffles import verify
from mulligan.wasm.building import built

WORDS = messages("en")
PLAY = ".page button.large"
TOLD = ".strongest:not(:has-text('…'))"
FAST = "localStorage.setItem('mulligan.paced', '\"instant\"')"
DAY = datetime(2026, 11, 28, 12)
ZOOMED = {"width": 683, "height": 425}  # 200 % of a laptop


@pytest.fixture(scope="module", autouse=True)
def _engine() -> None:
    built()  # the server serves it


def open_day(page: Page, path: str = "/day") -> None:
    page.evaluate(FAST)
    page.goto(path)
    page.locator(PLAY).wait_for()


def begin(page: Page, path: str = "/day") -> list[str]:
    """Begins the hole; the moves that are possible at first."""
    open_day(page, path)
    page.locator(PLAY).click()
    page.wait_for_url("**/t/HERE-*")
    return lit_up(page)


def finish(page: Page) -> dict[str, Any]:
    """Plays to the end and goes to the result; the record."""
    play(page, ".won")
    record = record_of(page)
    page.get_by_role("link", name=WORDS["table_act_named"]).click()
    page.locator(TOLD).wait_for()
    return record


def result(page: Page) -> list[str]:
    """What stands beside the reader's points."""
    return [*page.locator(".standing tr").all_inner_texts(), page.locator(".strongest").inner_text()]


def test_two_devices_get_the_same_cards_and_results_and_anyone_can_check_them(visit: Visit) -> None:
    records, results = [], []
    for language in ("en", "de"):
        page = visit(language=language)
        page.clock.install(time=DAY)
        assert "2026-11-29" not in page.url
        page.evaluate(FAST)
        page.goto("/day")
        page.locator(PLAY).click()
        page.wait_for_url("**/t/HERE-DAY-2026-11-28")
        play(page, ".won", language)
        records.append(record_of(page, language))
        page.goto("/day")
        page.locator(TOLD).wait_for()
        results.append(re.findall(r"-?\d+", " ".join(result(page))))
    assert records[0]["holes"] == records[1]["holes"]
    assert results[0] == results[1]
    assert " · " in page.locator(".standing tr:not(.me) th").first.inner_text()
    match = named_holes.match_of("2026-11-28")
    assert [record["id"] for record in records] == [match, match]
    assert verify(records[0]).holes == 1
    page.locator("a[href$='/check']").click()
    page.locator(".verdict.good").wait_for()


@every_language(small=SMALL)
def test_the_page_reads_well_before_and_after_the_hole(visit: Visit, language: str, viewport: dict[str, int]) -> None:
    page = visit(language=language, viewport=viewport)
    words = messages(language)
    page.evaluate(FAST)
    page.goto("/day")
    page.locator(PLAY).wait_for()
    page.get_by_text(words["day_fair"]).click()
    check(page, language=language)
    page.locator(PLAY).focus()
    page.keyboard.press("Enter")
    page.wait_for_url("**/t/HERE-*")
    play(page, ".won", language)
    page.get_by_role("link", name=words["table_act_named"]).click()
    page.locator(TOLD).wait_for()
    check(page, language=language)


def test_the_fingerprints_of_today_and_of_the_next_seven_days_are_shown(visit: Visit) -> None:
    page = visit()
    page.clock.install(time=DAY)
    page.goto("/day")
    page.get_by_text(WORDS["day_fair"]).click()
    shown = page.locator("dd").all_inner_texts()
    days = [f"2026-{day}" for day in ("11-28", "11-29", "11-30", "12-01", "12-02", "12-03", "12-04", "12-05")]
    assert shown == [shuffle.commitment(named_holes.seed_of(named_holes.match_of(day))) for day in days]


def test_a_hole_that_was_begun_goes_on_after_a_reload_and_a_finished_one_is_not_played_again(visit: Visit) -> None:
    page = visit()
    moves = begin(page)
    target(page, moves[0]).click()
    lit_up(page)
    cards = my_cards(page)
    open_day(page)
    assert page.locator(PLAY).inner_text() == WORDS["start_continue"]
    page.locator(PLAY).click()
    lit_up(page)
    page.reload()
    lit_up(page)
    assert my_cards(page) == cards
    assert page.get_by_role("button", name=WORDS["coach_hint"]).count() == 0
    finish(page)
    table = page.locator(".standing").inner_text()
    page.reload()
    page.locator(TOLD).wait_for()
    assert page.locator(".standing").inner_text() == table
    assert page.locator(PLAY).count() == 0


def test_a_hole_that_was_ended_early_has_no_result_and_does_not_go_on(visit: Visit) -> None:
    page = visit()
    begin(page)
    other = page.context.new_page()
    other.goto("/day")
    other.locator(PLAY, has_text=WORDS["start_continue"]).wait_for()
    target(page, lit_up(page)[0]).click()  # looking at the hole has not taken it from this tab
    lit_up(page)
    page.get_by_role("button", name=WORDS["menu_open"]).click()
    page.get_by_role("button", name=WORDS["menu_give_up"], exact=True).click()
    page.get_by_role("button", name=WORDS["menu_give_up_yes"]).click()
    page.locator(".won").wait_for()
    page.get_by_role("link", name=WORDS["start_day"], exact=True).click()
    page.get_by_text(WORDS["day_given_up"]).wait_for()
    assert page.locator(PLAY).count() == 0
    assert faults(page) == []
    page.get_by_role("link", name=WORDS["day_look"]).click()
    page.locator(".won").wait_for()


SHARES = """
() => {
  navigator.canShare = () => true;
  navigator.share = async ({ url, text, files: [picture] }) => {
    window.shared = [url, text, picture.type, picture.size > 5000];
  };
}
"""


def test_the_result_is_shared_with_its_picture_or_copied_where_the_device_shares_nothing(visit: Visit) -> None:
    page = visit(permissions=["clipboard-read", "clipboard-write"])
    begin(page, "/day#apple%20pie")
    finish(page)
    share = page.get_by_role("button", name=WORDS["lobby_share"], exact=True)
    page.evaluate("delete Navigator.prototype.share; delete Navigator.prototype.canShare")
    share.click()
    page.locator("dialog img").wait_for()
    told = page.locator("dialog .told").inner_text()
    page.get_by_role("button", name=WORDS["day_copy"]).click()
    page.get_by_text(WORDS["day_copied"]).first.wait_for()
    text, _, link = page.evaluate("navigator.clipboard.readText()").rpartition("\n")
    assert text == told
    assert link.endswith("/day#apple%20pie")
    page.keyboard.press("Escape")
    page.locator("dialog").wait_for(state="detached")
    page.evaluate(SHARES)
    share.click()
    page.wait_for_function("() => window.shared")
    assert page.evaluate("window.shared") == [link, told, "image/png", True]
    assert page.locator("dialog").count() == 0


@pytest.mark.parametrize("language", LANGUAGES)
def test_nothing_is_cut_where_everything_is_twice_as_large(visit: Visit, language: str) -> None:
    """A laptop's window at 200 %, and a phone with letters twice as large."""
    page = visit(language=language)
    words = messages(language)

    def look() -> None:
        for viewport, letters in ((ZOOMED, "100%"), (PHONE, "200%")):
            page.set_viewport_size(viewport)
            page.evaluate("size => document.documentElement.style.setProperty('font-size', size)", letters)
            hidden = [text for text in cut(page) if " in " not in text]  # a word wider than its line may break
            assert (hidden, overhang(page)) == ([], 0), (viewport, letters)
        page.evaluate("document.documentElement.style.removeProperty('font-size')")

    begin(page, "/day")
    page.goto("/day#apple%20pie")
    page.locator(PLAY).wait_for()
    page.get_by_text(words["day_fair"]).click()
    look()
    page.goto("/day")
    page.locator(PLAY).click()
    play(page, ".won", language)
    page.get_by_role("link", name=words["table_act_named"]).click()
    page.locator(TOLD).wait_for()
    look()


def test_days_in_a_row_are_counted_but_words_and_other_days_are_not(visit: Visit) -> None:
    page = visit()
    page.clock.install(time=DAY)
    for path in ("/day#2026-11-27", "/day#Apple%20%20Pie", "/day"):
        begin(page, path)
        finish(page)
        assert page.locator(".days").count() == (path == "/day")
    assert page.locator(".days").inner_text() == "1 day in a row."
    page.clock.set_system_time(DAY.replace(day=29))
    begin(page)
    finish(page)
    assert page.locator(".days").inner_text() == "2 days in a row."
    page.clock.set_system_time(DAY.replace(month=12, day=2))
    open_day(page)
    assert page.locator(".days").inner_text() == f"{WORDS['day_row_none']} Your longest:\u00a02 days."


def test_a_day_to_come_is_not_open(visit: Visit) -> None:
    page = visit()
    page.clock.install(time=DAY)
    page.goto("/day#2026-11-29")
    page.get_by_text(WORDS["day_early"]).wait_for()
    assert page.locator(PLAY).count() == 0


def test_a_word_is_typed_played_and_shared(visit: Visit) -> None:
    page = visit()
    page.goto("/day")
    field = page.get_by_label(WORDS["day_word_label"])
    field.fill("x" * 33)
    page.get_by_text(WORDS["here_word_long"]).wait_for()
    field.fill(" Apple  PIE ")
    field.press("Enter")
    page.get_by_role("heading", name="The hole “apple pie”").wait_for()
    begin(page, "/day#apple%20pie")
    record = finish(page)
    assert record["id"] == named_holes.match_of("apple pie")
    page.get_by_role("button", name=WORDS["lobby_share"], exact=True).click()
    told = page.locator("dialog .told").inner_text()
    assert told.startswith("⛳ The hole “apple pie”:")
    assert re.fullmatch("[🟩🟨🟧🟥]{4}( [🥇🥈🥉])?", told.splitlines()[-1])
    assert page.locator("dialog .address").inner_text().endswith("/day#apple%20pie")


def test_without_a_network_the_hole_is_played_also_against_the_strongest(visit: Visit) -> None:
    page = visit(installed=True)
    kept(page)
    begin(page)
    page.wait_for_function("async () => (await (await caches.open('nets')).keys()).length > 0")
    page.context.set_offline(True)
    page.reload()
    lit_up(page)
    finish(page)
    assert re.search(r"\d", page.locator(".strongest").inner_text())
    page.context.set_offline(False)


def test_where_the_strongest_is_not_at_hand_the_page_says_so(visit: Visit) -> None:
    page = visit(installed=True)
    kept(page)
    page.context.set_offline(True)
    begin(page)
    finish(page)
    page.get_by_text(WORDS["day_strongest_lost"]).wait_for()
    page.context.set_offline(False)


def test_a_site_without_a_server_has_it_too(visit: Visit, site: str) -> None:  # noqa: F811
    page, wrong = visit_site(visit, site)
    keep(page, site)
    page.context.set_offline(True)
    page.evaluate(FAST)
    page.goto(f"{site}/day")
    page.locator(PLAY).click()
    page.wait_for_url("**/t/HERE-*")
    finish(page)
    page.locator("a[href$='/check']").click()
    page.locator(".verdict.good").wait_for()
    page.context.set_offline(False)
    assert [line for line in wrong if "/nets/" not in line and "ERR_INTERNET_DISCONNECTED" not in line] == []
