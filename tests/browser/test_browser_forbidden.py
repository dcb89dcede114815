"""A browser that remembers nothing or takes no cookies: in private windows, or because its reader wants it so."""

from typing import Any

from conftest import Visit
from test_browser_cardboard import begin, key
from test_browser_pad import Pad
from visiting import NO_PAGE, PAGES, messages, tee_off, turn_to

WORDS = messages("en")
NO_MEMORY = """
const forbid = () => { throw new DOMException("forbidden", "SecurityError"); };
for (const name of ["localStorage", "sessionStorage", "indexedDB"])
  Object.defineProperty(window, name, { get: forbid });
"""
NO_COOKIES = "Object.defineProperty(Navigator.prototype, 'cookieEnabled', { get: () => false });"


def test_without_a_memory_every_page_opens_a_game_begins_and_the_pad_says_so(
    visit: Visit, finished: dict[str, Any]
) -> None:
    page = visit(NO_PAGE)
    page.add_init_script(NO_MEMORY)
    page.goto("/")
    page.get_by_role("button", name=WORDS["start_play"], exact=True).click()
    tee_off(page)
    for path in PAGES:
        turn_to(page, path.format(**finished))
    turn_to(page, "/pad")
    page.get_by_text(WORDS["pad_not_lasting"]).wait_for()
    pad = Pad(page)
    pad.begin("Ann", "Ben")
    pad.total(7)
    assert pad.asked == "Ben"


def test_without_a_memory_a_match_with_real_cards_goes_on_and_nothing_says_it_is_saved(visit: Visit) -> None:
    page = visit(NO_PAGE)
    page.add_init_script(NO_MEMORY)
    page.goto("/coach")
    begin(page)
    page.get_by_role("status").get_by_text(WORDS["cardboard_not_kept"]).wait_for()
    key(page, "7")
    page.get_by_role("link", name=WORDS["page_home"]).click()
    page.get_by_role("button", name=WORDS["start_play"], exact=True).wait_for()
    turn_to(page, "/coach")
    assert page.locator(".rows a").count() == 1
    page.locator("button.way").click()
    page.locator("dialog form").get_by_text(WORDS["cardboard_not_kept"]).wait_for()
    assert page.get_by_text(WORDS["cardboard_kept_here"]).count() == 0


def test_without_cookies_the_table_says_what_is_missing_and_nothing_promises_to_work_offline(
    visit: Visit, finished: dict[str, Any]
) -> None:
    page = visit(NO_PAGE)
    page.add_init_script(NO_COOKIES)
    page.goto(f"/t/{finished['table']}")
    page.get_by_text(WORDS["error_no_cookies"]).wait_for()
    page.goto(f"/w/{finished['watch']}")
    page.locator(".won").wait_for()
    page.goto("/pad")
    page.locator(".games label").first.wait_for()
    assert page.get_by_text(WORDS["pad_offline"]).count() == 0
