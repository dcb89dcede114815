"""A page that the browser translates goes on telling the truth: it reads like one that was loaded again."""

from typing import Any

import pytest
from conftest import Visit
from visiting import COMPUTER, DESK, FRIEND, ME, NO_PAGE, PHONE, deal, messages, open_table, play, sit_and_start, target

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
    !text.parentElement.closest("font, script, style, noscript, textarea, .notranslate, [translate=no]:not(:has([translate=yes]))");
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

# What is to be read; not what is told once, nor how long ago something was.
READ = """
() => {
  const heard = [...document.querySelectorAll("[role=log], [role=status], [role=timer]")];
  return heard.reduce((words, { innerText }) => words.replace(innerText, ""), document.body.innerText).replace(/\\s+/g, "");
}
"""
READS = f"words => ({READ})() === words"


def reads_as_after_a_reload(page: Any) -> None:
    """Waits until the translated page reads as the same page loaded again; afterwards it is the latter."""
    translated = settled(page)
    assert page.locator("font").count(), "nothing is translated"
    assert page.locator("svg font").count() == 0, "a drawing lost its text"
    page.reload()
    try:
        page.wait_for_function(READS, arg=translated, timeout=10_000)
    except Exception:
        assert translated == page.evaluate(READ)  # shows the difference
        raise


def settled(page: Any) -> str:
    """What is to be read once that has stopped changing."""
    before, now = "", page.evaluate(READ)
    while before != now:
        page.wait_for_timeout(150)
        before, now = now, page.evaluate(READ)
    return str(now)


def speak(page: Any, language: str) -> None:
    """Changes the language, and with it every word of the page."""
    page.get_by_role("button", name=WORDS["page_settings"]).click()
    page.locator(f"dialog input[value={language}]").check(force=True)
    page.wait_for_function("language => document.documentElement.lang === language", arg=language)
    page.keyboard.press("Escape")
    page.locator("dialog").wait_for(state="detached")


PAGES = {
    "/": ".play",
    "/rules": "article:nth-of-type(20)",
    "/pad": ".games label",
    "/coach": "button.way",
    "/coach#position": ".keyboard button",
    "/learn": "main a.panel, main li a",
    "/learn/play_nine": ".instruction",
    "/card": "main button.first",
    "/ours": "main p",
    "/stats": "main p",
    "/cards-dealt": "table",
    "/nowhere": "main h1",
    "/g/{game}": ".table-act, main .controls, main button",
    "/g/{game}/check": ".verdict.good",
}


@pytest.mark.parametrize("along", [False, True], ids=["copies", "nodes"])
def test_every_page_follows_the_language_while_it_is_translated(visit: Visit, finished: dict[str, Any], along: bool) -> None:
    page = visit(NO_PAGE, viewport=PHONE)
    page.context.add_cookies(finished["cookies"])
    for path, there in PAGES.items():
        page.evaluate("localStorage.clear()")
        page.goto(NO_PAGE)
        page.goto(path.format(**finished))
        page.locator(there).first.wait_for()
        settled(page)
        page.evaluate(TRANSLATE, along)
        speak(page, "fr")
        reads_as_after_a_reload(page)


def test_a_translated_table_shows_the_game_as_it_is(visit: Visit) -> None:
    page = visit(NO_PAGE, viewport=PHONE)
    sit_and_start(page, ME, COMPUTER, COMPUTER)
    deal(page)
    target(page, "a1").click()
    page.evaluate(TRANSLATE, False)
    target(page, "b2").click()
    target(page, "S").wait_for()
    reads_as_after_a_reload(page)
    page.evaluate(TRANSLATE, False)
    play(page, ".hole-result")
    reads_as_after_a_reload(page)
