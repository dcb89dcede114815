"""What lies where on the board, at every size of a screen: nothing covers anything, and nothing is cut."""

from typing import Any

import pytest
from conftest import Visit
from playwright.sync_api import expect
from test_browser_pad import Pad
from visiting import (
    COMPUTER,
    DESK,
    FRIEND,
    LANGUAGES,
    ME,
    PHONE,
    SMALL,
    TABLET,
    deal,
    open_table,
    sit_and_start,
    target,
)

from mulligan.game import variants

SIDEWAYS, ZOOMED = {"width": 844, "height": 390}, {"width": 683, "height": 425}  # 200 % of a laptop
FULL_HD, WALL = {"width": 1920, "height": 1080}, {"width": 3840, "height": 2160}
SCREENS = {
    "small": SMALL, "phone": PHONE, "sideways": SIDEWAYS, "zoomed": ZOOMED, "tablet": TABLET, "desk": DESK,
    "wall": WALL,
}  # fmt: skip

FAULTS = """
() => {
  const box = (element) => element.getBoundingClientRect();
  const all = (selector) => [...document.querySelectorAll(selector)];
  const board = box(document.querySelector(".window"));
  const strip = document.querySelector(".strip .row");
  const cuts = (one, by) =>
    one.left < by.left - 1 || one.right > by.right + 1 || one.top < by.top - 1 || one.bottom > by.bottom + 1;
  const meet = (one, other) =>
    Math.min(one.right, other.right) - Math.max(one.left, other.left) > 1 &&
    Math.min(one.bottom, other.bottom) - Math.max(one.top, other.top) > 1;
  const faults = [];
  for (const part of [".prompt .say", ".piles", ".seat.mine"])
    if (cuts(box(document.querySelector(part)), board)) faults.push(`${part} is cut`);
  const parts = [".prompt .say", ".piles", ".seat.mine", strip ? ".strip" : ".others"]
    .map((part) => [part, box(document.querySelector(part))]);
  for (const [name, one] of parts)
    for (const [other, two] of parts) if (name < other && meet(one, two)) faults.push(`${name} meets ${other}`);
  for (const text of all(".seat .name, .seat .total, .seat .so-far")) {
    if (text.scrollWidth > text.clientWidth + 1 && getComputedStyle(text).display !== "inline")
      faults.push(`${text.innerText} is cut`);
    const room = strip?.contains(text) ? { ...box(strip).toJSON(), left: -1e6, right: 1e6 } : board;
    if (cuts(box(text), room)) faults.push(`${text.className} ${text.innerText} is out of sight`);
    for (const dealer of all(".seat .dealer"))
      if (meet(box(text), box(dealer))) faults.push(`the dealer's sign covers ${text.innerText}`);
  }
  if (strip && strip.scrollWidth > strip.clientWidth + 1 && !document.querySelector(".strip .on, .strip .back"))
    faults.push("nothing says that there are more players");
  const captions = all(".piles .caption").filter((one) => one.innerText).map(box);
  if (meet(...captions)) faults.push("the captions of the piles meet");
  if (captions.some((one) => one.left < board.left + 4 || one.right > board.right - 4))
    faults.push("a caption is at the edge of the table");
  for (const part of all("header .game, header .where, .foot .tool"))
    if (part.scrollWidth > part.clientWidth + 1) faults.push(`${part.innerText} is cut`);
  return faults;
}
"""

IS_WHOLE = """
(text) => text.scrollWidth <= text.clientWidth + 1 && text.scrollHeight <= text.clientHeight + 1
  && text.getBoundingClientRect().bottom <= text.closest("header").getBoundingClientRect().bottom
"""

BOXES = """
() => Object.fromEntries(
  [["stock", "[data-spot=stock]"], ["discard", "[data-spot=discard]"],
   ["mine", ".seat.mine"], ["card", ".seat.mine .slot"]]
    .map(([name, selector]) => [name, document.querySelector(selector).getBoundingClientRect().toJSON()])
)
"""

SIZES = """
() => Object.fromEntries([
  ...["[data-spot=stock]", ".seat.mine .slot", ".others .slot", ".foot .tool"]
    .map((selector) => [selector, document.querySelector(selector).getBoundingClientRect().height]),
  ...[".seat .name", ".piles .caption", ".prompt .say", "header .game"]
    .map((selector) => [selector, parseFloat(getComputedStyle(document.querySelector(selector)).lineHeight)]),
])
"""


def tee_off_with(page: Any, others: int, game: str) -> None:
    sit_and_start(page, ME, *[COMPUTER] * others, game=game)
    deal(page)
    for slot in ("a1", "b2", "c1")[: 2 if game == "play_nine" else 3]:
        target(page, slot).click()
    target(page, "S").wait_for()


def resize(page: Any, screen: dict[str, int]) -> None:
    """Another screen, once the cards have taken their size there."""
    page.set_viewport_size(screen)
    page.evaluate("async () => { for (let n = 0; n < 3; n++) await new Promise(requestAnimationFrame); }")


@pytest.mark.parametrize(
    ("game", "others", "language"),
    [("play_nine", 3, "fr"), ("play_nine", 5, "ja"), ("nine_card", 7, "en"), ("nine_card_square", 2, "de")],
)
def test_nothing_is_cut_or_covered_on_any_screen(visit: Visit, game: str, others: int, language: str) -> None:
    page = visit(language=language)
    tee_off_with(page, others, game)
    for name, screen in SCREENS.items():
        resize(page, screen)
        assert (name, page.evaluate(FAULTS)) == (name, [])


def test_all_of_the_table_grows_with_a_large_screen(visit: Visit) -> None:
    page = visit(viewport=FULL_HD)
    tee_off_with(page, 3, "play_nine")
    common = page.evaluate(SIZES)
    resize(page, WALL)
    large = page.evaluate(SIZES)
    assert {part: size for part, size in large.items() if size < 1.5 * common[part]} == {}


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_header_shows_the_whole_name_of_the_game_on_a_small_phone(visit: Visit, language: str) -> None:
    page = visit("/pad", language=language, viewport=SMALL)
    for game in ("play_nine", "nine_card"):
        for path in ("/pad", f"/learn/{game}", f"/t/{open_table(page, ME, FRIEND, game=game)['table']}"):
            page.goto(path)
            if path == "/pad":
                Pad(page, language).begin("Ann", "Ben", game=game)
            title = page.locator("header .game")
            expect(title).to_have_text(variants.load(game).facts.title_in(language))
            assert (path, title.evaluate(IS_WHOLE)) == (path, True)


@pytest.mark.parametrize("language", ["de", "fr"])
def test_the_words_at_the_foot_have_room_on_a_small_phone(visit: Visit, language: str) -> None:
    page = visit(language=language, viewport={"width": 360, "height": 640})
    sit_and_start(page, ME, COMPUTER)
    deal(page)
    target(page, "a1").wait_for()
    assert page.evaluate(FAULTS) == []


def test_all_other_players_can_be_reached_on_a_small_phone(visit: Visit) -> None:
    page = visit(viewport=SMALL)
    tee_off_with(page, 7, "nine_card")
    press = "() => { const on = document.querySelector('.strip .on'); on?.click(); return !on; }"
    right = "() => document.querySelector('.strip .seat:last-child').getBoundingClientRect().right"
    page.wait_for_function(press, polling=500)  # the arrow scrolls smoothly, and goes away at the end
    page.wait_for_function(f"{right} <= {SMALL['width']}")
    page.locator(".strip .row").evaluate("row => row.scrollTo(0, 0)")
    page.locator(".strip .seat").last.get_by_role("button").focus()  # Tab comes there too, and brings it into sight
    page.wait_for_function(f"{right} <= {SMALL['width']}")
    page.locator(".strip .back").wait_for()


def test_the_left_handed_table_swaps_its_sides_and_the_size_of_the_cards_matters(visit: Visit) -> None:
    page = visit(viewport=DESK)
    tee_off_with(page, 1, "play_nine")
    for screen in (PHONE, SIDEWAYS, DESK):
        resize(page, screen)
        right = page.evaluate(BOXES)
        page.evaluate("document.documentElement.dataset.hand = 'left'")
        left = page.evaluate(BOXES)
        page.evaluate("document.documentElement.dataset.hand = 'right'")
        assert right["stock"]["x"] < right["discard"]["x"]
        assert left["discard"]["x"] < left["stock"]["x"]
        if screen is not PHONE:
            assert right["discard"]["x"] < right["mine"]["x"]
            assert left["mine"]["x"] < left["discard"]["x"]

    widths = []
    for size in ("Small", "Medium", "Largest"):
        page.evaluate("document.querySelector('header .tool').click()")
        page.locator("dialog").get_by_role("button", name="Settings").click()
        page.get_by_role("radio", name=size).check(force=True)
        page.locator("dialog[open]").get_by_role("button", name="Close").click()
        page.locator("dialog").wait_for(state="detached")
        widths.append(page.evaluate(BOXES)["card"]["width"])
    assert widths[0] + 10 < widths[1] < widths[2] - 8


def test_back_closes_a_window_and_stays_at_the_table(visit: Visit) -> None:
    page = visit(viewport=PHONE)
    tee_off_with(page, 1, "play_nine")
    address = page.url
    for button in (".foot .tool >> nth=0", ".seat.mine header button", ".foot .tool:has-text('?') >> nth=0"):
        if page.locator(button).count():
            page.locator(button).click()
            page.locator("dialog[open]").wait_for()
            page.go_back()
            page.locator("dialog").wait_for(state="detached")
            assert page.url == address
    page.locator(".seat.mine header button").click()
    page.locator("dialog[open]").get_by_role("button", name="Close").click()
    page.locator("dialog").wait_for(state="detached")
    page.go_back()  # nothing is open: one step leaves the table
    page.locator("form button.play").wait_for()
    page.go_forward()
    page.locator(".board").wait_for()


def test_a_second_press_of_enter_places_no_card(visit: Visit) -> None:
    page = visit(viewport=DESK)
    tee_off_with(page, 1, "play_nine")
    page.keyboard.press("Tab")
    page.locator('button[data-move="S"]').focus()
    page.keyboard.down("Enter")
    page.locator(".piles .held.lifted").wait_for()
    page.wait_for_function("() => document.activeElement.closest('.hand')")
    page.keyboard.down("Enter")  # held down: it repeats
    page.keyboard.up("Enter")
    page.keyboard.press("Enter")
    assert page.locator(".piles .held.lifted").count() == 1
    page.keyboard.press("ArrowDown")
    assert page.evaluate("document.activeElement.matches('.seat.mine .slot')")
    page.keyboard.press("Enter")
    page.locator(".piles .held.lifted").wait_for(state="detached")
