"""What the operator of the server does reaches people on their pages: an announcement, a closed table, a ban."""

import re
from collections.abc import Callable, Iterator
from typing import Any

import pytest
from axe import faults, faults_of_colour
from conftest import Visit
from visiting import (
    COMPUTER,
    DESK,
    FRIEND,
    LANGUAGES,
    ME,
    NO_PAGE,
    PHONE,
    SMALL,
    deal,
    messages,
    open_table,
    overhang,
    recolour,
)
from visiting import sit_and_start as sit

from mulligan.server.admin import Announce, Answer, BanSeat, CloseTable, Request, Unban, ask

WORDS = messages("en")
LONG = "Tonight at ten the server restarts. Games go on where they were. " * 3

ALL_IN_SIGHT = """() => [...document.querySelectorAll(".seat.mine [data-move]")].every((slot) => {
  const { x, y, width, height } = slot.getBoundingClientRect();
  return slot.contains(document.elementFromPoint(x + width / 2, y + height - 4));
})"""


@pytest.fixture
def told(server: Any) -> Iterator[Callable[[Request], Answer]]:
    """Asks the server, and withdraws the announcement at the end."""
    yield lambda request: ask(server.data, request)
    ask(server.data, Announce(""))


def bar(page: Any) -> Any:
    return page.locator("[role=status] .bar")


def test_an_announcement_is_shown_until_it_is_withdrawn(visit: Visit, told: Any) -> None:
    page = visit(viewport=DESK)
    sit(page, ME, COMPUTER)
    assert page.locator("[role=status]").first.get_attribute("aria-live") in (None, "polite")  # a status is polite
    told(Announce("Restart at ten."))
    bar(page).wait_for()
    assert bar(page).inner_text().split("\n")[0] == f"{WORDS['announcement_from']} Restart at ten."
    assert faults(page) == []
    recolour(page, "dark")
    assert faults_of_colour(page) == []
    told(Announce(""))
    bar(page).wait_for(state="hidden")


def test_whoever_comes_reads_it_and_once_dismissed_it_stays_away(visit: Visit, told: Any) -> None:
    told(Announce("Restart at ten."))
    page = visit()
    bar(page).wait_for()
    bar(page).get_by_role("button", name=WORDS["announcement_dismiss"]).click()
    bar(page).wait_for(state="hidden")
    sit(page, ME, COMPUTER)
    page.reload()
    page.locator(".table.on-felt").wait_for()
    assert not bar(page).is_visible()
    told(Announce("Restart at eleven."))
    bar(page).get_by_text("Restart at eleven.").wait_for()


@pytest.mark.parametrize("viewport", [SMALL, PHONE, DESK], ids=["small", "phone", "desk"])
def test_a_long_announcement_leaves_the_whole_table_on_the_screen(visit: Visit, told: Any, viewport: Any) -> None:
    told(Announce(LONG))
    page = visit(viewport=viewport)
    sit(page, ME, COMPUTER, COMPUTER)
    bar(page).wait_for()
    assert overhang(page) <= 0
    page.wait_for_function("() => document.scrollingElement.scrollHeight <= innerHeight")
    deal(page)
    page.wait_for_function(ALL_IN_SIGHT)
    assert faults(page) == []


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_closed_table_says_who_closed_it(visit: Visit, told: Any, language: str) -> None:
    page = visit(NO_PAGE, language=language)
    codes = open_table(page, ME, FRIEND)
    page.goto(f"/t/{codes['table']}")
    page.get_by_role("heading", name=messages(language)["lobby_title"]).wait_for()
    told(CloseTable(codes["watch"]))
    page.get_by_text(messages(language)["error_table_closed"]).wait_for()
    assert faults(page) == []


def test_a_banned_guest_is_told_so_at_the_table_and_when_opening_another(visit: Visit, told: Any) -> None:
    page = visit(NO_PAGE)
    codes = open_table(page, ME, FRIEND)
    page.goto(f"/t/{codes['table']}")
    page.get_by_role("heading", name=WORDS["lobby_title"]).wait_for()
    done = told(BanSeat(codes["watch"], 1)).text
    page.get_by_text(WORDS["error_banned"]).wait_for()
    page.get_by_role("link", name=WORDS["page_new_game"]).click()
    page.get_by_role("button", name="Play", exact=True).click()
    page.get_by_text(WORDS["error_banned"]).wait_for()
    told(Unban(re.findall(r"guest (\w+)", done)[0]))
    page.reload()
    page.get_by_role("button", name="Play", exact=True).click()
    page.locator("main.table").wait_for()
