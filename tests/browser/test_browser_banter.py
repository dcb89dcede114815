"""What computer players say: a greeting, an answer, a line beside the result; how they are silenced, and what any words
at the table cover."""

from typing import Any

import pytest
from axe import faults
from conftest import Visit
from staged import StagedTable
from visiting import ME, NO_PAGE, PHONE, SMALL, deal, messages, play, sit_and_start

WORDS = messages("en")
WEEKEND = {"kind": "computer", "player": "weekend"}
LONG_ENOUGH = 2_000  # milliseconds: longer than a computer player takes to answer


def say_hello(page: Any) -> Any:
    """Says a phrase that is always answered; where the answer would stand."""
    answer = page.locator(".seat:not(.mine) .bubble")
    answer.wait_for(state="detached")
    page.get_by_role("button", name=WORDS["table_talk"]).click()
    page.get_by_role("button", name=WORDS["table_say_hello"], exact=True).click()
    page.locator(".seat.mine .bubble").wait_for()
    return answer


def stays_silent(page: Any) -> bool:
    answer = say_hello(page)
    page.wait_for_timeout(LONG_ENOUGH)
    return answer.count() == 0


def switch_talk(page: Any) -> None:
    """Turns the setting over, on another page."""
    path = page.url
    page.goto("/rules")
    page.get_by_role("button", name=WORDS["page_settings"]).click()
    page.get_by_role("switch", name=WORDS["set_computers_talk"]).click()
    page.goto(path)
    page.locator(".board .seat").first.wait_for()


def mute(page: Any, words: str) -> None:
    page.locator(".seat:not(.mine) .who").click()
    page.get_by_role("button", name=WORDS[words], exact=True).click()


def test_a_computer_player_greets_answers_and_has_the_last_word(visit: Visit) -> None:
    page = visit(NO_PAGE)
    sit_and_start(page, ME, WEEKEND, holes=1)
    page.locator(".draw .player-face").first.wait_for()
    deal(page)
    page.locator("[role=log] p", has_text=WORDS["says_weekend_hello"]).wait_for()
    say_hello(page).get_by_text(WORDS["table_say_hello"]).wait_for()
    play(page, ".won")
    last = page.locator("li", has=page.locator(".player-face")).locator(".says")
    last.wait_for()
    assert last.inner_text() in (WORDS["says_weekend_won"], WORDS["says_weekend_lost"])


def test_who_is_muted_and_who_may_not_talk_is_silent(visit: Visit) -> None:
    page = visit(NO_PAGE)
    sit_and_start(page, ME, WEEKEND)
    deal(page)
    page.locator("[role=log] p", has_text=WORDS["says_weekend_hello"]).wait_for()
    mute(page, "table_menu_mute")
    assert stays_silent(page)
    mute(page, "table_menu_unmute")
    switch_talk(page)
    assert stays_silent(page)
    switch_talk(page)
    say_hello(page).wait_for()


def test_the_menu_of_a_computer_player_says_how_it_plays(visit: Visit) -> None:
    page = visit(NO_PAGE)
    sit_and_start(page, ME, WEEKEND)
    deal(page)
    page.locator(".seat:not(.mine) .who").click()
    dialog = page.get_by_role("dialog")
    dialog.get_by_text(WORDS["player_how_weekend"]).wait_for()
    assert dialog.locator(".player-face[data-player=weekend]").count() == 1
    assert faults(page) == []


COVERED = """
() => {
  const meets = (one, other) =>
    Math.min(one.right, other.right) - Math.max(one.left, other.left) > 1 &&
    Math.min(one.bottom, other.bottom) - Math.max(one.top, other.top) > 1;
  const faults = [];
  for (const bubble of document.querySelectorAll(".bubble")) {
    const seat = bubble.closest(".seat");
    for (const other of document.querySelectorAll(".seat, .piles .spot, .say"))
      if (other !== seat && meets(bubble.getBoundingClientRect(), other.getBoundingClientRect()))
        faults.push(`${bubble.innerText} covers ${other.getAttribute("aria-label") ?? other.className}`);
  }
  return faults;
}
"""

LONG = "That was quite a hole, wasn't it? I should have taken the seven much earlier, and not the queen. " * 2


@pytest.mark.parametrize("viewport", [PHONE, SMALL], ids=["phone", "small"])
def test_what_is_said_covers_nothing_of_others(visit: Visit, viewport: dict[str, int]) -> None:
    page = visit(NO_PAGE, viewport=viewport)
    club, weekend, pro = ({"kind": "computer", "player": player} for player in ("club", "weekend", "pro"))
    table = StagedTable(page, club, weekend, pro)
    page.locator(".bubble").wait_for(state="detached")
    for text in ("Nice!", "Well, I never!", LONG[:200]):
        for seat in range(4):
            table.tell({"is": "Chatted", "seat": seat, "text": text})
        page.locator(".bubble", has_text=text[:8]).nth(3).wait_for()
        page.wait_for_timeout(300)  # until it has come up
        assert page.evaluate(COVERED) == [], text
    for seat in range(4):
        table.tell({"is": "Reacted", "seat": seat, "reaction": "clap"})
    page.locator(".bubble.picture").nth(3).wait_for()
    assert page.evaluate(COVERED) == []
