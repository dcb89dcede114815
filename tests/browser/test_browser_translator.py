"""A page that the browser translates goes on telling the truth: it reads like one that was loaded again."""

import re
from typing import Any

import pytest
from conftest import Visit
from test_browser_cardboard import lay
from test_browser_coach import ask_for_a_hint, open_story
from test_browser_house_rules import open_options
from test_browser_learn import go_through, open_lesson
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
    faults_of_wording,
    lit_up,
    messages,
    open_table,
    play,
    sit_and_start,
    target,
    tee_off,
    turn_to,
)

WORDS = messages("en")

# As translators do it, with the words that were there before, so that the page has to read like an untranslated one.
# `copies` as Chrome: each text makes way for <font><font>. `nodes` takes the node itself along, and blank ones too.
# `plain` puts another text in its place, `merged` one text for all of an element, `in place` writes them all into the
# first. `phrases` as Firefox: empties the element, puts its elements and one text back, and forgets the rest. Once, or
# from now on.
TRANSLATE = """
([how, forever]) => {
  const done = new WeakMap(), originals = [];
  const mark = text => (done.set(text, text.data), text);
  const sum = texts => texts.map(text => text.data).join("");
  const wrap = (text, along) => {
    const outer = document.createElement("font"), inner = document.createElement("font");
    outer.append(inner);
    if (!along) inner.append(text.data);
    text.replaceWith(outer);
    if (along) inner.append(text);
    originals.push([outer, along ? text : text.cloneNode()]);
  };
  const ways = {
    copies: texts => texts.forEach(text => wrap(text, false)),
    nodes: texts => texts.forEach(text => wrap(text, true)),
    plain: texts => texts.forEach(text => text.replaceWith(mark(new Text(text.data)))),
    merged: ([first, ...others]) => {
      const words = sum([first, ...others]);
      first.replaceWith(mark(new Text(words)));
      others.forEach(text => text.remove());
    },
    "in place": ([first, ...others]) => {
      const words = sum([first, ...others]);
      others.forEach(text => (text.data = ""));
      first.data = words;
      mark(first);
    },
    phrases: ([first, ...others], place) => {
      const words = sum([first, ...others]);
      const kept = [...place.childNodes].filter(node => node.nodeType !== Node.COMMENT_NODE && !others.includes(node));
      while (place.firstChild) place.firstChild.remove();
      first.data = words;
      place.append(...kept);
      mark(first);
    },
  };
  const isProse = text => (how === "nodes" ? text.data : text.data.trim()) && done.get(text) !== text.data &&
    !text.parentElement.closest("font, script, style, noscript, textarea, .notranslate") &&
    !text.parentElement.closest("[translate=no]:not(:has([translate=yes]))");
  const textsOf = root => {
    if (root.nodeType === Node.TEXT_NODE) return [root];
    const walker = document.createTreeWalker(root, NodeFilter.SHOW_TEXT), texts = [];
    while (walker.nextNode()) texts.push(walker.currentNode);
    return texts;
  };
  const translate = roots => {
    const places = new Map();
    for (const text of new Set(roots.filter(root => root.isConnected).flatMap(textsOf).filter(isProse)))
      places.set(text.parentNode, [...(places.get(text.parentNode) ?? []), text]);
    places.forEach(ways[how]);
    window.translated = (window.translated ?? 0) + places.size;
  };
  translate([document.body]);
  const observer = new MutationObserver(records => translate([...new Set(records.flatMap(record =>
    record.type === "characterData" ? [record.target] : [...record.addedNodes]))]));
  if (forever) observer.observe(document.body, { childList: true, characterData: true, subtree: true });
  window.showOriginal = () => {
    observer.disconnect();
    originals.forEach(([font, text]) => font.isConnected && font.replaceWith(text));
  };
}
"""
WAYS = ("copies", "nodes", "plain", "merged", "in place", "phrases")

# What is to be read and heard; not what is told or asked once, which nobody need read after a reload.
READ = """
() => {
  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT), texts = [];
  const once = "[role=log], [role=status], [role=timer], .story, .happened, .sound, .hint b, .figure b";
  while (walker.nextNode()) {
    const { data, parentElement: place } = walker.currentNode;
    if (place.checkVisibility() && !place.closest(once)) texts.push(data);
  }
  for (const element of document.querySelectorAll("[aria-label], [title], [placeholder]"))
    for (const name of ["aria-label", "title", "placeholder"])
      if (!element.closest(once)) texts.push(element.getAttribute(name) ?? "");
  return texts.join("").replace(/[\\s\u200b]+/g, "");
}
"""
QUIET = """
() => new Promise(done => {
  let timer = setTimeout(done, 100);
  const changed = () => (clearTimeout(timer), (timer = setTimeout(done, 100)));
  new MutationObserver(changed).observe(document, { subtree: true, childList: true, characterData: true });
})
"""


# A translator's words for what is only heard.
RENAME = """
() => {
  for (const element of document.querySelectorAll("[aria-label], [title], [placeholder]"))
    for (const name of ["aria-label", "title", "placeholder"])
      if (element.hasAttribute(name)) element.setAttribute(name, element.getAttribute(name) + "\u200b");
}
"""


# Names that stand for themselves and would be translated, as "Rose" and "Bill" are.
NAMED = """
names => {
  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT), found = [];
  while (walker.nextNode()) {
    const { data, parentElement: place } = walker.currentNode;
    const rest = names.reduce((text, name) => text.replaceAll(name, ""), data); // of a list of names
    const isNames = rest !== data && /^[\\s,、]*(and|und|et|と)?[\\s,、]*$/.test(rest);
    if (isNames && !place.closest("[translate=no], .notranslate")) found.push(place.outerHTML);
  }
  return found;
}
"""


def reads_as_after_a_reload(page: Any, is_sorted: bool = True) -> None:
    """Waits until the translated page reads as the same page loaded again; afterwards it is the latter."""
    translated = settled(page)
    assert page.evaluate("window.translated"), "nothing is translated"
    assert not page.locator("svg font").filter(has_text=re.compile(r"\S")).count(), "a drawing lost its text"
    page.reload()
    letters = "" if is_sorted else ".split('').sort().join('')"
    try:
        page.wait_for_function(f"words => ({READ})(){letters} === words{letters}", arg=translated, timeout=10_000)
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


def translate(page: Any, way: str, forever: bool = True) -> None:
    page.evaluate(TRANSLATE, [way, forever])


def turn(page: Any) -> None:
    """Two moves that light up."""
    for _ in range(2):
        target(page, lit_up(page)[0]).click()
    lit_up(page)


def test_every_page_follows_the_language_while_it_is_translated(visit: Visit, finished: dict[str, Any]) -> None:
    page = visit(NO_PAGE, viewport=PHONE)
    page.context.add_cookies(finished["cookies"])
    names = [seat["name"] for seat in page.request.get(f"/api/games/{finished['game']}").json()["seats"]]
    page.goto("/")
    for number, path in enumerate(PAGES):
        turn_to(page, path.format(**finished))  # after the reload nothing is translated
        settled(page)
        assert page.evaluate(NAMED, names) == []
        translate(page, WAYS[number % len(WAYS)])
        speak(page, LANGUAGES[number % 4], LANGUAGES[(number + 1) % 4])
        reads_as_after_a_reload(page, is_sorted=number % len(WAYS) < 2)


def test_a_translated_table_shows_the_game_as_it_is(visit: Visit) -> None:
    page = visit(NO_PAGE, viewport=PHONE)
    sit_and_start(page, ME, COMPUTER, COMPUTER)
    deal(page)
    target(page, "a1").click()
    for way in WAYS:
        translate(page, way, forever=way == "copies")
        page.evaluate(RENAME)
        turn(page)
        reads_as_after_a_reload(page, is_sorted=way in ("copies", "nodes"))
    translate(page, "copies")
    play(page, ".hole-result")
    reads_as_after_a_reload(page)
    assert page.evaluate(NAMED, page.locator("h3.who").all_inner_texts()) == []


def test_the_original_is_shown_again_when_the_reader_asks_for_it(visit: Visit) -> None:
    page = visit(NO_PAGE, viewport=PHONE)
    sit_and_start(page, ME, COMPUTER)
    deal(page)
    for way in ("copies", "nodes"):
        translate(page, way)
        turn(page)
        page.evaluate("showOriginal()")
        assert page.locator("font").filter(has_text=re.compile(r"\S")).count() == 0
        turn(page)
        reads_as_after_a_reload(page)


def test_a_page_may_be_translated_while_a_card_moves(visit: Visit) -> None:
    page = visit(NO_PAGE, viewport=PHONE, motion=True)
    sit_and_start(page, ME, COMPUTER, pace="fast")
    deal(page)
    for way in ("copies", "plain", "phrases"):
        target(page, lit_up(page)[0]).click()
        page.wait_for_function("() => document.getAnimations().some(one => one.playState === 'running')")
        translate(page, way, forever=False)
        turn(page)
        reads_as_after_a_reload(page, is_sorted=way == "copies")


def test_a_translated_invitation_shows_who_comes(visit: Visit) -> None:
    page = visit(NO_PAGE, viewport=PHONE)
    code = open_table(page, ME, FRIEND, FRIEND)["table"]
    page.goto(f"/t/{code}")
    page.locator("[aria-labelledby=invite] .address").wait_for()
    translate(page, "copies")
    friend = visit(f"/t/{code}")
    friend.get_by_label(WORDS["start_name"]).fill("Ben")
    translate(friend, "copies")
    friend.get_by_role("button", name=WORDS["join_sit"]).click()
    for one in (page, friend):
        one.get_by_text("Ben").first.wait_for()
        one.get_by_text(WORDS["lobby_present"], exact=True).wait_for()  # the other one, who has reloaded the page
        reads_as_after_a_reload(one)


def test_a_translated_table_shows_what_others_say_and_what_the_coach_says(visit: Visit) -> None:
    page = visit(NO_PAGE, viewport=PHONE)
    sit_and_start(page, ME, COMPUTER)
    tee_off(page)
    target(page, "S").click()
    target(page, "a1").wait_for()
    twin = page.context.new_page()
    twin.goto(page.url)
    translate(page, "merged")
    hints = []
    for one in (twin, page):
        panel = ask_for_a_hint(one)
        panel.locator(".more").click()  # the first ones may be equally good, and have no number
        panel.locator("summary").click()
        hints.append(re.sub(r"\s+", "", panel.inner_text()))
        panel.get_by_role("button", name=WORDS["coach_hint_close"]).click()
    assert sorted(hints[0]) == sorted(hints[1])

    code = open_table(page, ME, FRIEND, chat=True)["table"]
    page.goto(f"/t/{code}")
    friend = visit(f"/t/{code}")
    friend.get_by_label(WORDS["start_name"]).fill("Ben")
    friend.get_by_role("button", name=WORDS["join_sit"]).click()
    page.get_by_role("button", name=WORDS["lobby_start"], exact=True).click()
    deal(page, friend)
    translate(page, "copies")
    for words in ("Good morning", "Good luck, Ann!"):
        friend.get_by_role("button", name=WORDS["table_talk"]).click()
        friend.get_by_label(WORDS["table_chat"]).fill(words)
        friend.keyboard.press("Enter")
        page.locator(".bubble").get_by_text(words, exact=True).wait_for()
        assert page.locator(".bubble").all_inner_texts() == [words]


def choose_rules(page: Any) -> None:
    page.goto("/new")
    open_options(page)
    for _ in range(2):
        page.locator("dialog fieldset input:not(:checked)").first.check()


def take_a_lesson(page: Any) -> None:
    for idea in open_lesson(page, "nine_card")["ideas"][:2]:
        go_through(page, idea, mistakes=True)
        page.locator(".foot .button.first").click()


def seek_a_rule(page: Any) -> None:
    page.goto("/rules")
    for words in ("hole", "column"):
        page.get_by_role("searchbox").fill(words)
        page.locator("main mark").get_by_text(words).first.wait_for()


# What is open or tapped on, and is not there after a reload.
WALKS = {"merged": choose_rules, "copies": take_a_lesson, "phrases": seek_a_rule}


@pytest.mark.parametrize("way", WALKS)
def test_whatever_one_opens_and_taps_reads_as_without_a_translator(visit: Visit, way: str) -> None:
    page, twin = visit(NO_PAGE, viewport=PHONE), visit(NO_PAGE, viewport=PHONE)
    page.add_init_script(f"addEventListener('DOMContentLoaded', () => ({TRANSLATE})(['{way}', true]))")
    for one in (page, twin):
        WALKS[way](one)
    assert sorted(settled(page)) == sorted(settled(twin))
    assert page.evaluate("window.translated")


def test_a_translated_story_follows_the_language(visit: Visit, finished: dict[str, Any]) -> None:
    page = visit(viewport=PHONE)
    open_story(page, finished["game"])
    translate(page, "copies")
    speak(page, "en", "de")
    settled(page)
    assert faults_of_wording(page, "de") == []
    page.locator(".story .list li button").first.click()
    page.locator(".lesson").wait_for()
    speak(page, "de", "fr")
    settled(page)
    assert faults_of_wording(page, "fr") == []


def test_a_translated_pad_and_coach_count_on(visit: Visit) -> None:
    page = visit("/pad", viewport=PHONE)
    page.locator(".games label").first.wait_for()
    translate(page, "copies")
    pad = Pad(page)
    pad.begin("Ann", "Ben")
    for points in (7, 12, 3):
        pad.total(points)
    pad.settle()
    reads_as_after_a_reload(page)
    page.goto("/coach#position")
    page.locator(".keyboard button").first.wait_for()
    translate(page, "copies")
    lay(page, "0-a1", "7", "?", "1", "?", "?", "?", "?", "5")
    page.locator("[data-place='0-a1']").click()  # where a page loaded again begins
    reads_as_after_a_reload(page)
