"""Small moments: seen, heard and felt, never waited for; and the one question about sound."""

from typing import Any

import pytest
from axe import faults
from conftest import Visit
from staged import StagedTable, step
from visiting import (
    COMPUTER,
    LANGUAGES,
    ME,
    NO_PAGE,
    SMALL,
    let_draw,
    lit,
    messages,
    play,
    sit_and_start,
    target,
    tee_off,
)

WORDS = messages("en")

# Every moment that begins, where, and which moves are lit a frame later; every vibration.
WATCH = """
(() => {
  window.moments = [];
  window.vibrations = [];
  Object.defineProperty(navigator, "vibrate", { value: (times) => window.vibrations.push(times), configurable: true });
  let shown = new Map();
  new MutationObserver(() => {
    const marked = document.querySelectorAll("[data-flourish]:not([data-flourish=landed])");
    const placeOf = (target) => target.dataset.spot ?? target.querySelector("[data-spot]").dataset.spot;
    const now = new Map(Array.from(marked, (target) => [placeOf(target), target.dataset.flourish]));
    for (const [place, kind] of now) {
      if (shown.get(place) === kind) continue;
      requestAnimationFrame(() => {
        const moves = [...document.querySelectorAll('button[data-move][aria-disabled="false"]')];
        window.moments.push([kind, place, moves.map((button) => button.dataset.move).join(" ")]);
      });
    }
    shown = now;
  }).observe(document, { subtree: true, childList: true, attributes: true, attributeFilter: ["data-flourish"] });
})();
"""

MINE, OTHERS = "? 7 ? ? ? 12 ? ?", "5 ? ? 9 ? ? 2 ?"
NEARLY = "1 7 3 2 1 5 0 ?"


def staged(visit: Visit, sound: bool = False, motion: bool = True) -> StagedTable:
    page = visit(NO_PAGE, motion=motion)
    page.add_init_script(WATCH)
    page.evaluate("on => localStorage.setItem('mulligan.settings', JSON.stringify({ sound: on }))", sound)
    table = StagedTable(page, COMPUTER)
    table.tell(
        layouts={0: MINE, 1: OTHERS}, turn=0, phase="take", discard="7", held=None, legal=["S", "D"], latest=None
    )
    page.locator("button.legal[data-move=S]").wait_for()
    let_draw(page)
    page.evaluate("window.moments = []")  # the server's cards may have had some, too
    return table


def draw(table: StagedTable, face: str) -> None:
    table.tell(step(0, "take", "S", face), phase="place", held={"face": face, "pile": "S"}, legal=["a1", "b2", "-"])
    table.page.locator("button.legal[data-move=b2]").wait_for()


def match(table: StagedTable) -> None:
    table.tell(
        step(0, "place", "b2", "7", "12"),
        layouts={0: MINE.replace("12", "7")}, turn=1, phase="take", discard="12", held=None, legal=["S", "D"],
    )  # fmt: skip


def close(table: StagedTable) -> None:
    """The other one closes, and it is my last turn."""
    table.tell(layouts={1: NEARLY}, turn=1, phase="place", held={"face": "9", "pile": "S"}, legal=[])
    table.tell(
        step(1, "place", "d2", "9", "4", from_hidden=True, closed=True),
        layouts={1: NEARLY.replace("?", "9")}, turn=0, phase="take", held=None, discard="4", closer=1,
        last_turns=True, legal=["S", "D"],
    )  # fmt: skip
    table.page.locator("button.legal[data-move=S]").wait_for()


def seen(page: Any) -> list[list[str]]:
    page.locator("[data-flourish]").first.wait_for(state="detached")
    return page.evaluate("window.moments")


def test_what_is_special_is_seen_while_the_player_may_go_on(visit: Visit) -> None:
    table = staged(visit)
    draw(table, "H")
    table.page.wait_for_function("() => window.moments.length === 1")
    draw(table, "12")
    table.page.wait_for_function("() => window.moments.length === 2")
    match(table)
    table.page.wait_for_function("() => window.moments.length === 4")
    close(table)
    table.page.wait_for_function("() => window.moments.length === 5")
    assert seen(table.page) == [
        ["best", "hand", "- a1 b2"],
        ["lucky", "hand", "- a1 b2"],
        ["matched", "0-b1", ""],
        ["matched", "0-b2", ""],
        ["closed", "1-a1", "S D"],
    ]


def test_a_tap_ends_a_moment(visit: Visit) -> None:
    table = staged(visit)
    draw(table, "H")
    table.page.locator("[data-flourish=best]").wait_for()
    table.page.evaluate("document.querySelector('.middle').click()")
    assert table.page.locator("[data-flourish]").count() == 0


def test_nothing_of_it_is_seen_where_nothing_may_move(visit: Visit) -> None:
    table = staged(visit, motion=False)
    draw(table, "H")
    match(table)
    close(table)
    assert table.page.evaluate("[window.moments, window.vibrations]") == [[], []]


@pytest.mark.parametrize("sound", [True, False])
def test_only_what_is_ones_own_is_felt_and_only_with_sound(visit: Visit, sound: bool) -> None:
    table = staged(visit, sound=sound)
    table.page.locator(".prompt .say").click()  # browsers vibrate after a first touch
    draw(table, "H")
    table.page.wait_for_function("() => window.moments.length === 1")
    close(table)
    table.page.wait_for_function("() => window.moments.length === 2")
    assert len(table.page.evaluate("window.vibrations")) == int(sound)


# The question


def question(page: Any, language: str = "en") -> Any:
    return page.get_by_role("group", name=messages(language)["table_sound"])


def sounds(page: Any) -> bool:
    return page.evaluate("JSON.parse(localStorage.getItem('mulligan.settings')).sound")


@pytest.mark.parametrize("answer", ["yes", "no"])
def test_sound_is_asked_for_once_by_keyboard_too(visit: Visit, answer: str) -> None:
    page = visit(NO_PAGE)
    sit_and_start(page, ME, COMPUTER)
    tee_off(page)
    assert page.locator("[role=status]", has_text=WORDS["table_sound"]).count() == 1
    assert faults(page) == []
    question(page).get_by_role("button", name=WORDS[f"table_sound_{answer}"]).focus()
    page.keyboard.press("Enter")
    question(page).wait_for(state="detached")
    assert lit(page) == ["S", "D"]
    assert sounds(page) == (answer == "yes")
    page.reload()
    page.locator("button.legal[data-move=S]").click()
    page.locator("button.legal[data-move='-']").wait_for()
    assert question(page).count() == 0


def test_the_switch_in_the_settings_answers_as_well(visit: Visit) -> None:
    page = visit("/rules")
    page.get_by_role("button", name=WORDS["page_settings"]).click()
    for _ in ("on", "off"):
        page.get_by_role("switch", name=WORDS["set_sound"]).click()
    sit_and_start(page, ME, COMPUTER)
    tee_off(page)
    assert question(page).count() == 0


def test_who_plays_a_hole_without_an_answer_is_not_asked_again(visit: Visit) -> None:
    page = visit(NO_PAGE)
    sit_and_start(page, ME, COMPUTER, game="four_card")
    tee_off(page)
    question(page).wait_for()
    play(page, ".hole-result")
    assert not sounds(page)
    page.locator(".next button.first").click()
    page.locator("button.legal").first.click()
    assert question(page).count() == 0


@pytest.mark.parametrize("language", LANGUAGES)
def test_what_the_foot_asks_fits_covers_nothing_and_leaves_the_help(visit: Visit, language: str) -> None:
    page = visit(NO_PAGE, language, viewport=SMALL)
    page.evaluate("localStorage.setItem('mulligan.settings', '{\"confirm_throw\":true}')")
    sit_and_start(page, ME, COMPUTER)
    tee_off(page)
    question(page, language).wait_for()
    check_foot(page, language)
    target(page, "D").click()
    undo = page.locator(".foot .deed")
    undo.wait_for()
    check_foot(page, language)
    page.set_viewport_size(SMALL)
    assert page.get_by_role("button", name=messages(language)["table_talk"]).is_visible()
    undo.click()
    target(page, "S").click()
    target(page, "-").click()
    page.locator(".foot .deed").nth(1).wait_for()
    check_foot(page, language)


def check_foot(page: Any, language: str) -> None:
    for width in (320, 360, 389, 390, 430, 431, 599, 600, 699):
        page.set_viewport_size({"width": width, "height": 640})
        let_draw(page)
        parts = page.locator(".window, .foot > .tool, .sound > *, .foot .deed")
        board, *boxes = parts.evaluate_all("all => all.map((part) => part.getBoundingClientRect().toJSON())")
        shown = sorted((box for box in boxes if box["width"]), key=lambda box: box["left"])
        edges = [0, *(round(box[side]) for box in shown for side in ("left", "right")), width]
        assert edges == sorted(edges), width
        assert min(box["top"] for box in shown) >= board["bottom"]
        assert page.get_by_role("button", name=messages(language)["start_how"]).is_visible(), width
