"""A page that the browser translates goes on telling the truth: it reads like one that was loaded again."""

import re
from typing import Any

import pytest
from conftest import Visit
from test_browser_cardboard import lay
from test_browser_pad import Pad
from visiting import (
    COMPUTER,
    FRIEND,
    LANGUAGES,
    ME,
    NO_PAGE,
    PAGES,
    PHONE,
    deal,
    messages,
    open_table,
    play,
    sit_and_start,
    target,
)

WORDS = messages("en")

# As Chrome's translator: every text node, now and later, makes way for <font><font> with words of the translator's own,
# which here are the same. `along` takes the node itself into the <font>, and blank nodes too.
TRANSLATE = """
along => {
  const wrap = text => {
    const outer = document.createElement("font"), inner = document.createElement("font");
    outer.append(inner);
    if (!along) inner.append(text.data);
    text.replaceWith(outer);
    if (along) inner.append(text);
  };
  const isProse = text => (along || text.data.trim()) &&
    !text.parentElement.closest("font, script, style, noscript, textarea, .notranslate") &&
    !text.parentElement.closest("[translate=no]:not(:has([translate=yes]))");
  const textsOf = root => {
    if (root.nodeType === Node.TEXT_NODE) return [root];
    const walker = document.createTreeWalker(root, NodeFilter.SHOW_TEXT), texts = [];
    while (walker.nextNode()) texts.push(walker.currentNode);
    return texts;
  };
  const translate = roots => roots.filter(root => root.isConnected).flatMap(textsOf).filter(isProse).forEach(wrap);
  translate([document.body]);
  if (along) return; // once, and never again
  new MutationObserver(records => translate([...new Set(records.flatMap(record =>
    record.type === "characterData" ? [record.target] : [...record.addedNodes]))]))
    .observe(document.body, { childList: true, characterData: true, subtree: true });
}
"""

# What is to be read; not what is told once, which nobody reads after a reload.
READ = """
() => {
  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT), texts = [];
  const once = "[role=log], [role=status], [role=timer], .story, .happened, .hint b";
  while (walker.nextNode()) {
    const { data, parentElement: place } = walker.currentNode;
    if (place.checkVisibility() && !place.closest(once)) texts.push(data);
  }
  return texts.join("").replace(/\\s+/g, "");
}
"""
QUIET = """
() => new Promise(done => {
  let timer = setTimeout(done, 100);
  const changed = () => (clearTimeout(timer), (timer = setTimeout(done, 100)));
  new MutationObserver(changed).observe(document, { subtree: true, childList: true, characterData: true });
})
"""


def reads_as_after_a_reload(page: Any) -> None:
    """Waits until the translated page reads as the same page loaded again; afterwards it is the latter."""
    translated = settled(page)
    assert page.locator("font").count(), "nothing is translated"
    assert not page.locator("svg font").filter(has_text=re.compile(r"\S")).count(), "a drawing lost its text"
    page.reload()
    try:
        page.wait_for_function(f"words => ({READ})() === words", arg=translated, timeout=10_000)
    except Exception:
        assert translated == page.evaluate(READ)  # shows the difference
        raise


def settled(page: Any) -> str:
    """What is to be read once the page is there and has stopped changing."""
    page.locator("main").wait_for()
    page.locator(".ball").wait_for(state="detached")
    page.evaluate(QUIET)
    return str(page.evaluate(READ))


def speak(page: Any, before: str, after: str) -> None:
    """Changes the language, and with it every word of the page."""
    words = messages(before)
    settings = page.get_by_role("button", name=words["page_settings"])
    if not settings.is_visible():  # at a table they are in its menu
        page.get_by_role("button", name=words["menu_open"]).click()
    settings.click()
    page.locator(f"dialog input[value={after}]").check(force=True)
    page.wait_for_function("language => document.documentElement.lang === language", arg=after)
    page.keyboard.press("Escape")
    page.locator("dialog").wait_for(state="detached")


def test_every_page_follows_the_language_while_it_is_translated(visit: Visit, finished: dict[str, Any]) -> None:
    page = visit(NO_PAGE, viewport=PHONE)
    page.context.add_cookies(finished["cookies"])
    for number, path in enumerate(PAGES):
        page.goto(path.format(**finished))
        settled(page)
        page.evaluate(TRANSLATE, False)
        speak(page, LANGUAGES[number % 4], LANGUAGES[(number + 1) % 4])
        reads_as_after_a_reload(page)


@pytest.mark.parametrize("along", [False, True], ids=["copies", "nodes"])
def test_a_translated_table_shows_the_game_as_it_is(visit: Visit, along: bool) -> None:
    page = visit(NO_PAGE, viewport=PHONE)
    sit_and_start(page, ME, COMPUTER, COMPUTER)
    deal(page)
    target(page, "a1").click()
    page.evaluate(TRANSLATE, along)
    target(page, "b2").click()
    target(page, "S").wait_for()
    reads_as_after_a_reload(page)
    page.evaluate(TRANSLATE, along)
    play(page, ".hole-result")
    reads_as_after_a_reload(page)


def test_a_translated_invitation_shows_who_comes(visit: Visit) -> None:
    page = visit(NO_PAGE, viewport=PHONE)
    code = open_table(page, ME, FRIEND, FRIEND)["table"]
    page.goto(f"/t/{code}")
    page.locator(".invite .address").wait_for()
    page.evaluate(TRANSLATE, False)
    friend = visit(f"/t/{code}")
    friend.get_by_label(WORDS["start_name"]).fill("Ben")
    friend.evaluate(TRANSLATE, False)
    friend.get_by_role("button", name=WORDS["join_sit"]).click()
    for one in (page, friend):
        one.get_by_text("Ben").first.wait_for()
        reads_as_after_a_reload(one)


def test_a_translated_pad_and_coach_count_on(visit: Visit) -> None:
    page = visit("/pad", viewport=PHONE)
    page.locator(".games label").first.wait_for()
    page.evaluate(TRANSLATE, False)
    pad = Pad(page)
    pad.begin("Ann", "Ben")
    for points in (7, 12, 3):
        pad.total(points)
    pad.settle()
    reads_as_after_a_reload(page)
    page.goto("/coach#position")
    page.locator(".keyboard button").first.wait_for()
    page.evaluate(TRANSLATE, False)
    lay(page, "0-a1", "7", "?", "1", "?", "?", "?", "?", "5")
    page.locator("[data-place='0-a1']").click()  # where a page loaded again begins
    reads_as_after_a_reload(page)
