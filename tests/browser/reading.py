"""Reading a page as it is now: its words, its width, what is cut, small or moves, and what axe finds."""

import os
from typing import Any

import pytest
from axe import faults, faults_of_colour
from visiting import DESK, LANGUAGES, TABLET, faults_of_wording, let_draw, overhang, recolour

LONGEST = "de"
# The page is turned, or its window made larger.
LARGER = {language: TABLET if language in ("fr", "ja") else DESK for language in LANGUAGES}
EVERY_SCREEN = bool(os.environ.get("MULLIGAN_EVERY_SCREEN"))  # set by `make torture`

# Watches every control in sight, frame by frame, from the moment the page begins.
WATCH = """
() => {
  window.moved = [];
  const seen = new Map();
  const look = () => {
    for (const one of document.querySelectorAll("button, a[href], summary, select, input, textarea")) {
      const { left, top, width, bottom } = one.getBoundingClientRect();
      const before = seen.get(one);
      const inSight = width && bottom >= 0 && top <= innerHeight && one.checkVisibility({ visibilityProperty: true });
      if (!inSight) seen.delete(one);
      else {
        const by = before ? [left - before[0], top - before[1]].map(Math.round) : [0, 0];
        if (Math.max(...by.map(Math.abs)) > 8) window.moved.push(`${one.ariaLabel ?? one.innerText}: ${by}`);
        seen.set(one, [left, top]);
      }
    }
    requestAnimationFrame(look);
  };
  look();
}
"""

# Texts of which a part cannot be read: in a box that hides what is too much, half under a column that stays in sight,
# wider than their cell, button, panel or field; words of which a part is on the next line; texts at the very
# edge of the window; and second lines that begin elsewhere than the first, beside a picture.
# Cards without a drawing, too.
CUT = """
() => {
  const texts = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  const { lang } = document.documentElement;
  const words = new Intl.Segmenter(lang, { granularity: "word" });
  // Hiragana end with a phrase, and browsers know the words of Japanese on Japanese pages alone.
  const isWord = lang === "ja" ? /^(?!.*\\p{Script=Hiragana})\\p{L}+$/u : /^\\p{Script=Latin}+$/u;
  const range = document.createRange();
  const found = [];
  while (texts.nextNode()) {
    const one = texts.currentNode.parentElement;
    if (!texts.currentNode.data.trim() || !one.checkVisibility({ visibilityProperty: true })) continue;
    if (one.closest(".unseen, [role=log], select, svg, script, style")) continue;
    range.selectNodeContents(texts.currentNode);
    const text = range.getBoundingClientRect();
    const cell = one.closest("td, th");
    if (!text.width || isForTheEar(one)) continue;
    if (isHidden(one, text) || isHalfUnder(cell) || leaves(one, text)) found.push(one.innerText);
    if (isRagged(one)) found.push(`the lines of ${one.innerText}`);
    if (isAtTheEdge(one, text)) found.push(`${one.innerText} at the edge`);
    found.push(...torn(texts.currentNode).map((word) => `${word} in ${one.innerText}`));
  }
  for (const drawing of document.querySelectorAll("svg.card use"))
    if (!document.getElementById(drawing.getAttribute("href").slice(1))) found.push("a card");
  for (const field of document.querySelectorAll("select, input[placeholder]"))
    if (field.checkVisibility({ visibilityProperty: true }) && isTooLong(field)) found.push(shownIn(field));
  return found;

  function isForTheEar(inner) {
    for (let one = inner; one; one = one.parentElement) if (getComputedStyle(one).clipPath !== "none") return true;
    return false;
  }
  function isHidden(inner, { left, right, top, bottom }) {
    for (let outer = inner; outer !== document.body; outer = outer.parentElement) {
      const { overflowX, overflowY, position } = getComputedStyle(outer);
      const box = outer.getBoundingClientRect();
      if (/auto|scroll/.test(overflowX + overflowY)) return false; // one gets to it
      if (overflowX !== "visible" && (left < box.left - 1 || right > box.right + 1)) return true;
      if (overflowY !== "visible" && outer === inner && (top < box.top - 4 || bottom > box.bottom + 4)) return true;
      if (position === "fixed") return false;
    }
    return false;
  }
  function isAtTheEdge(inner, { left, right }) {
    for (let outer = inner; outer; outer = outer.parentElement)
      if (/auto|scroll/.test(getComputedStyle(outer).overflowX)) return false; // one gets to it
    return left < 4 || right > innerWidth - 4;
  }
  function isHalfUnder(cell) {
    const row = [...(cell?.parentElement.cells ?? [])];
    const [first, last] = [row.at(0), row.at(-1)];
    if (!cell || cell === first || cell === last) return false;
    const box = cell.getBoundingClientRect();
    const isSticky = (one) => getComputedStyle(one).position === "sticky";
    const covers = (one, edge) => isSticky(one) && box.left < edge - 2 && box.right > edge + 2;
    return covers(first, first.getBoundingClientRect().right) || covers(last, last.getBoundingClientRect().left);
  }
  function leaves(inner, { left, right }) {
    for (let outer = inner; outer; outer = outer.parentElement) {
      const box = outer.getBoundingClientRect();
      if (outer.matches("td, th, .button, .panel")) return left < box.left - 1 || right > box.right + 1;
      if (/auto|scroll/.test(getComputedStyle(outer).overflowX)) return false; // one gets to it
    }
    return false;
  }
  function torn(text) {
    const parts = [];
    if (text.parentElement.closest(".address, code, pre")) return parts;
    for (const { segment, index } of words.segment(text.data)) {
      if (!isWord.test(segment)) continue;
      range.setStart(text, index);
      range.setEnd(text, index + segment.length);
      const [first, ...others] = [...range.getClientRects()].filter(({ width }) => width > 0.5);
      if (others.some(({ top }) => Math.abs(top - first.top) > 4)) parts.push(segment);
    }
    return parts;
  }
  function isRagged(inner) {
    const [first, ...others] = inner.closest(".button:has(> svg)") ? range.getClientRects() : [];
    return others.some(({ left }) => Math.abs(left - first.left) > 2);
  }
  function shownIn(field) {
    return field.selectedOptions?.[0]?.text ?? field.placeholder;
  }
  function isTooLong(field) {
    const { font, paddingLeft, paddingRight } = getComputedStyle(field);
    const brush = document.createElement("canvas").getContext("2d");
    brush.font = font;
    const arrow = field.selectedOptions ? 20 : 0;
    const room = field.clientWidth - parseFloat(paddingLeft) - parseFloat(paddingRight) - arrow;
    return brush.measureText(shownIn(field)).width > room + 1;
  }
}
"""

# Controls that are too small for a finger. A link within a sentence and the cards of a layout may be smaller, and so
# may the figures of a score sheet: a tap beside one does no harm, and there are too many of them for one screen.
SMALL_CONTROLS = """
(least) => {
  const found = [];
  for (const one of document.querySelectorAll("button, a[href], summary, select, input, textarea")) {
    const { display } = getComputedStyle(one);
    if (!one.checkVisibility({ visibilityProperty: true, opacityProperty: false })) continue;
    if (one.matches("a") && display.startsWith("inline")) continue;
    if (one.closest("[data-move], [data-place], [data-slot], td, svg, .skip")) continue;
    const { width, height } = (one.closest("label") ?? one).getBoundingClientRect();
    const after = getComputedStyle(one, "::after");
    const more = (side) => (after.position === "absolute" ? Math.max(0, -parseFloat(after[side]) || 0) : 0);
    const [wide, high] = [width + more("left") + more("right"), height + more("top") + more("bottom")];
    if (width && Math.min(wide, high) < least - 0.5)
      found.push(`${one.ariaLabel || one.innerText || one.type}: ${Math.round(wide)} × ${Math.round(high)}`);
  }
  return found;
}
"""
FINGER = 44  # pixels

# What holds nothing, and still keeps its distance from what is above and below it.
GAPS = """
() => [...document.querySelectorAll(".flow > *")].filter((one) => {
  const { display, position } = getComputedStyle(one);
  const takesRoom = !/none|contents/.test(display) && !/absolute|fixed/.test(position);
  return takesRoom && one.parentElement.checkVisibility() && !one.getBoundingClientRect().height;
}).map((one) => one.outerHTML.slice(0, 120))
"""


def every_language(**screens: dict[str, int]) -> Any:
    """Runs a test in each language on the first of the screens, the smallest, where words run out of room first.

    With MULLIGAN_EVERY_SCREEN it runs on all of them.
    """
    return pytest.mark.parametrize(
        ("language", "viewport"),
        [
            pytest.param(language, viewport, id=f"{language}-{screen}")
            for language in LANGUAGES
            for screen, viewport in (screens.items() if EVERY_SCREEN else [*screens.items()][:1])
        ],
    )


def check(page: Any, name: str = "the page", language: str = "en") -> None:
    """Finds nothing wrong with the page, light or dark; afterwards it is light and as large as before.

    Nothing is cut in a larger window either, nor when the window is as small as before again. Axe is slow, and colours
    and structure are the same in every language: it reads the language with the longest words, and this one also in a
    large window. With MULLIGAN_EVERY_SCREEN it reads all.
    """
    assert faults_of_wording(page, language) == [], name
    small = page.viewport_size
    for screen in (LARGER[language], small):
        page.set_viewport_size(screen)
        assert not (found := cut(page)), (name, screen, found)
        assert overhang(page) <= 0, (name, screen)
    assert not (found := small_controls(page)), (name, found)
    assert not (found := gaps(page)), (name, found)
    if language == LONGEST or EVERY_SCREEN:
        assert not (found := faults(page)), (name, found)
        recolour(page, "dark")
        assert faults_of_colour(page) == [], f"{name}, dark"
        if not EVERY_SCREEN:
            page.set_viewport_size(DESK)
            let_draw(page)
            assert faults(page) == [], f"{name}, large and dark"
            page.set_viewport_size(small)
        recolour(page, "light")


def watch_controls(page: Any) -> None:
    """From the next page on, whatever can be tapped is watched."""
    page.add_init_script(f"({WATCH})()")


def moved(page: Any) -> list[str]:
    """The controls that moved away while they were in sight, on a page where nobody did anything."""
    let_draw(page)
    return page.evaluate("window.moved")


def cut(page: Any) -> list[str]:
    """The texts on the page of which a part cannot be read."""
    let_draw(page)
    return page.evaluate(CUT)


def small_controls(page: Any) -> list[str]:
    """The controls on the page that a finger may miss."""
    return page.evaluate(SMALL_CONTROLS, FINGER)


def gaps(page: Any) -> list[str]:
    """The parts of the page that are empty and still take room."""
    return page.evaluate(GAPS)
