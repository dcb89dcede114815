"""The coach in the browser: hints, luck and skill, mistakes on the board, and mulligans."""

import re
from typing import Any

import pytest
from conftest import Visit
from reading import check, every_language
from visiting import (
    COMPUTER,
    DESK,
    HERE,
    ME,
    NO_PAGE,
    PHONE,
    SMALL,
    deal,
    lit_up,
    messages,
    open_drawer,
    play,
    sit_and_start,
    target,
    tee_off,
)

WORDS = messages("en")
MEET = """() => {
  const [hint, mine] = [".hint", ".seat.mine"].map((one) => document.querySelector(one).getBoundingClientRect());
  return hint.height < 90 || hint.width < 200 ||
    (Math.min(hint.right, mine.right) > Math.max(hint.left, mine.left) &&
      Math.min(hint.bottom, mine.bottom) > Math.max(hint.top, mine.top));
}"""  # whether the hint covers my cards, or cannot be read
IN_SIGHT = """(part, whole) => {
  const [inner, outer] = [part, whole].map((one) => document.querySelector(one).getBoundingClientRect());
  return Math.abs(inner.top - outer.top) < 4 || inner.bottom < outer.bottom + 1;
}"""  # what is opened has been scrolled up as far as it goes


def ask_for_a_hint(page: Any, language: str = "en") -> Any:
    """The panel with the answer."""
    page.get_by_role("button", name=messages(language)["coach_hint"], exact=True).click()
    panel = page.locator(".hint")
    panel.locator("li").first.wait_for()
    return panel


def open_story(page: Any, game: str) -> None:
    page.goto(f"/g/{game}#story")
    page.locator(".story figure").first.wait_for()


def test_a_hint_lights_up_the_best_move_and_goes_with_the_turn(visit: Visit) -> None:
    page = visit(NO_PAGE, viewport=PHONE)
    sit_and_start(page, ME, COMPUTER, COMPUTER)
    tee_off(page)
    target(page, "S").click()
    page.locator(".held.lifted").wait_for()
    panel = ask_for_a_hint(page)
    best = page.locator("button.best")
    assert best.count() >= 1
    move = best.first.get_attribute("data-move")
    assert "the best move" in best.first.get_attribute("aria-label")
    assert panel.locator("li").first.get_by_role("img", name="Best").count() == 1
    assert panel.locator("[role=status]").inner_text().startswith("Best: ")
    for screen in (PHONE, SMALL, {"width": 844, "height": 390}, {"width": 820, "height": 1180}):
        page.set_viewport_size(screen)
        page.wait_for_function(f"() => !({MEET})()")
    page.set_viewport_size(SMALL)
    numbers = panel.locator("details")
    if numbers.count():  # there are some where the moves differ
        numbers.locator("summary").click()
        page.wait_for_function(f"() => ({IN_SIGHT})('.hint details', '.hint')")
    page.set_viewport_size(PHONE)
    first = panel.locator("li").count()
    panel.get_by_role("button", name=re.compile("more move")).click()
    assert panel.locator("li").count() == len(lit_up(page)) > first
    best.first.click()
    panel.wait_for(state="detached")
    assert page.locator("button.best").count() == 0
    assert move in ("-", *[column + row for row in "12" for column in "abcd"])


def test_a_hint_by_the_keyboard_alone(visit: Visit) -> None:
    page = visit(NO_PAGE, viewport=DESK)
    sit_and_start(page, ME, COMPUTER)
    tee_off(page)
    page.keyboard.press("h")
    page.locator(".hint li").first.wait_for()
    page.keyboard.press("Escape")
    page.locator(".hint").wait_for(state="detached")
    page.keyboard.press("h")
    page.locator(".hint li").first.wait_for()
    page.keyboard.press("h")
    page.locator(".hint").wait_for(state="detached")


def test_a_hint_is_given_while_the_card_is_still_on_its_way(visit: Visit) -> None:
    page = visit(NO_PAGE, viewport=DESK, motion=True)
    page.evaluate("localStorage.setItem('mulligan.settings', '{\"speed\": \"slow\"}')")
    sit_and_start(page, ME, COMPUTER)
    tee_off(page)
    target(page, "S").click()
    page.locator(".flight").wait_for()
    page.keyboard.press("h")
    page.locator(".hint li").first.wait_for()


def test_people_who_play_together_see_no_hint_button(visit: Visit) -> None:
    page = visit(NO_PAGE)
    sit_and_start(page, ME, HERE, COMPUTER)
    deal(page)
    lit_up(page)
    assert page.get_by_role("button", name=WORDS["coach_hint"], exact=True).count() == 0
    page.keyboard.press("h")
    assert page.locator(".hint").count() == 0


def test_luck_and_skill_with_the_figures_behind_each_chart(visit: Visit, finished: dict[str, Any]) -> None:
    page = visit(viewport=PHONE)
    open_story(page, finished["game"])
    charts = page.locator(".story figure")
    assert charts.count() == 3
    assert page.evaluate("document.scrollingElement.scrollHeight - window.innerHeight") <= 0  # no blank
    label = charts.first.get_by_role("img").get_attribute("aria-label")
    assert "Ann: luck and mistakes, added up hole by hole" in label
    charts.first.locator("summary").click()
    page.locator(".story .all > summary").click()
    rows = charts.first.locator("tbody tr")
    assert rows.count() >= 9
    totals = [number(text) for text in page.locator(".sums tbody tr").first.locator("td").all_inner_texts()]
    expected, luck, mistakes, points = totals[:4]
    assert expected + luck + mistakes == pytest.approx(points, abs=0.16)  # rounded to a tenth each
    by_hole = [number(rows.nth(hole).locator("td").last.inner_text()) for hole in range(rows.count())]
    assert sum(by_hole) == pytest.approx(points)


def number(text: str) -> float:
    return float(text.replace("−", "-").replace("+", ""))


def test_a_mistake_is_shown_on_the_board_and_tried_again(visit: Visit, finished: dict[str, Any]) -> None:
    page = visit(viewport=PHONE)
    open_story(page, finished["game"])
    listed = page.locator(".story .list li")
    when = listed.first.locator("h4").inner_text()
    assert listed.first.locator(".board .played, .board .better").count() >= 1
    listed.first.get_by_role("button", name=re.compile("Show on the table")).click()
    lesson = page.locator(".lesson")
    lesson.wait_for()
    assert when in lesson.inner_text()
    assert page.locator(".best").count() == 1
    first = lesson.inner_text()
    lesson.get_by_role("button", name=WORDS["coach_next"]).click()
    page.wait_for_function("first => (document.querySelector('.lesson')?.innerText ?? first) !== first", arg=first)
    lesson.get_by_role("button", name=WORDS["coach_mulligan"]).click()
    layouts = page.locator(".board .seat .slot").evaluate_all("slots => slots.map(one => one.ariaLabel)")
    page.get_by_role("button", name=WORDS["coach_mulligan_go"]).click()
    page.wait_for_url("**/t/*")
    page.locator("aside", has_text="Practice").wait_for()
    page.locator(".board .seat").first.wait_for()
    assert sorted(label.split(",")[0] for label in layouts) == sorted(
        label.split(",")[0]
        for label in page.locator(".board .seat .slot").evaluate_all("slots => slots.map(one => one.ariaLabel)")
    )
    assert page.get_by_role("button", name=WORDS["coach_hint"], exact=True).count() <= 1
    play(page, ".won")
    open_drawer(page)
    assert page.get_by_role("link", name=WORDS["coach_title"]).is_visible()
    assert page.get_by_role("link", name=WORDS["table_act_download"]).count() == 0
    page.keyboard.press("Escape")
    page.get_by_role("button", name=WORDS["coach_practice_again"]).click()
    page.locator(".board .seat").first.wait_for()
    page.get_by_role("link", name=WORDS["coach_practice_back"]).click()
    page.wait_for_url("**/g/*")
    page.locator(".controls").wait_for()


def test_a_mulligan_from_the_replay(visit: Visit, finished: dict[str, Any]) -> None:
    page = visit(f"/g/{finished['game']}#2.5", viewport=PHONE)
    page.locator(".controls .count", has_text=re.compile(r"^6 /")).wait_for()
    mulligan = page.get_by_role("button", name=WORDS["coach_mulligan"])
    assert mulligan.inner_text().strip() == WORDS["table_rp_short_mulligan"]
    mulligan.click()
    page.get_by_label(WORDS["coach_mulligan_seat"]).select_option(index=1)
    page.get_by_role("button", name=WORDS["coach_mulligan_go"]).click()
    page.wait_for_url("**/t/*")
    page.get_by_text(re.compile("Practice: Hole 2")).first.wait_for()


def test_an_open_match_follows_its_address(visit: Visit, finished: dict[str, Any]) -> None:
    page = visit(f"/g/{finished['game']}", viewport=PHONE)
    count = page.locator(".controls .count")
    count.filter(has_text=re.compile(r"^1 /")).wait_for()
    page.evaluate("location.hash = '2.5'")  # as by a link that was pasted
    count.filter(has_text=re.compile(r"^6 /")).wait_for()
    page.evaluate("location.hash = 'story'")
    page.locator(".story").wait_for()
    page.go_back()
    count.filter(has_text=re.compile(r"^6 /")).wait_for()
    assert page.title() == f"Nine-card golf – {WORDS['page_finished']} – Mulligan"


@every_language(phone=SMALL, desk=DESK)
def test_every_screen_of_the_coach(
    visit: Visit, finished: dict[str, Any], language: str, viewport: dict[str, int]
) -> None:
    words = messages(language)
    page = visit(NO_PAGE, language=language, viewport=viewport)
    sit_and_start(page, ME, COMPUTER, COMPUTER)
    tee_off(page)
    ask_for_a_hint(page, language)
    check(page, "hint", language)
    open_story(page, finished["game"])
    page.locator(".story details").first.evaluate("details => (details.open = true)")
    check(page, "story", language)
    page.locator(".story .list li button").first.click()
    page.locator(".lesson").wait_for()
    check(page, "lesson", language)
    page.locator(".lesson .button.first").click()
    page.locator("dialog form").wait_for()
    check(page, "mulligan", language)
    page.get_by_role("button", name=words["coach_mulligan_go"]).click()
    page.locator(".board .seat").first.wait_for()
    page.locator("aside a").first.wait_for()
    check(page, "practice", language)
    play(page, ".won", language)
    check(page, "practice over", language)
