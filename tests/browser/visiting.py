"""How people use the pages: opening a table, playing what lights up, reading what is there."""

import io
import re
from functools import cache
from pathlib import Path
from typing import Any

import translations

from mulligan.game import referee
from mulligan.game.rulebook import LANGUAGES as LANGUAGES

ROOT = Path(__file__).parents[2]
SMALL, PHONE, TABLET, DESK = ({"width": w, "height": h} for w, h in ((320, 640), (390, 844), (820, 1180), (1440, 900)))
PATIENCE = 120_000  # milliseconds; a busy machine is slow, and the first time the coach may wait for its compiler
NO_PAGE = "/icon.svg"  # on the server, and shown at once: for a test that goes on to the page it is about

PAGES = (  # with the codes of a finished match
    "/", "/new", "/day", "/rules", "/pad", "/coach", "/coach#position", "/learn", "/learn/play_nine",
    "/learn/play_nine/better", "/card",
    "/ours", "/stats", "/me", "/cards-dealt", "/g/{game}", "/g/{game}/check", "/w/{watch}", "/nowhere",
)  # fmt: skip

ME = {"kind": "me", "name": "Ann"}
HERE = {"kind": "here", "name": "Bea"}
FRIEND = {"kind": "friend"}
COMPUTER = {"kind": "computer", "player": "greedy"}

# Someone who sees nothing but the page: goes on when asked to, draws from the stock, and puts the
# card on one that is face down where there is one. It ends as soon as `until` is on the page. The pause
# keeps it below the forty words a second that the server listens to.
PLAYER = """
async ({ until, down, patience }) => {
  const began = performance.now();
  let taps = 0;
  while (!document.querySelector(until)) {
    if (performance.now() - began > patience) throw new Error(`after ${taps} taps no ${until} on the page`);
    const lit = [...document.querySelectorAll('button[data-move][aria-disabled="false"]')];
    const target =
      document.querySelector('.next button.first:enabled') ??
      lit.find((button) => button.dataset.move === "S") ??
      lit.find((button) => button.getAttribute("aria-label").includes(down)) ??
      lit[0];
    if (target) { target.click(); taps += 1; }
    await new Promise((next) => setTimeout(next, 20));
  }
  return taps;
}
"""

KEPT = """
async (path) => {
  for (let looks = 0; !(await caches.match(path)); looks++) {
    if (looks > 1500) throw new Error(`${path} is not kept`);
    await new Promise((next) => setTimeout(next, 20));
  }
}
"""

WORDS = """
() => {
  const words = [document.title, document.body.innerText];
  for (const element of document.querySelectorAll("[aria-label], [title], [alt], [placeholder]"))
    for (const name of ["aria-label", "title", "alt", "placeholder"])
      if (element.hasAttribute(name)) words.push(element.getAttribute(name));
  return words.join("\\n");
}
"""


@cache
def messages(language: str) -> dict[str, str]:
    """The texts of a language that are the same whatever they are about."""
    return {key: words for key, words in translations.messages(language).items() if isinstance(words, str)}


def open_table(
    page: Any,
    *seats: dict[str, str],
    game: str = "play_nine",
    house_rules: dict[str, Any] | None = None,
    **options: Any,
) -> dict[str, str]:
    """The page's owner opens a table, and is not there yet; the codes of it."""
    wish: dict[str, Any] = {"game": game, "seats": list(seats), "options": {"pace": "instant", **options}}
    if house_rules:
        wish["house_rules"] = house_rules
    while (answer := page.request.post("/api/tables", data=wish)).status == 503:
        page.wait_for_timeout(500)  # the server is busy with something else, and refuses what can wait
    assert answer.status == 201, answer.text()
    return answer.json()


def sit_and_start(page: Any, *seats: dict[str, str], **wish: Any) -> str:
    """A table without friends begins as soon as its owner opens the page; its path."""
    path = f"/t/{open_table(page, *seats, **wish)['table']}"
    page.evaluate("code => sessionStorage.setItem('mulligan.start', code)", path[3:])
    page.goto(path)
    page.locator(".table.on-felt").wait_for()
    return path


def play(page: Any, until: str, language: str = "en") -> int:
    """Plays on through the page until that is on it; how many taps it took."""
    down = messages(language)["table_slot_down"].replace("{slot}", "")
    return page.evaluate(PLAYER, {"until": until, "down": down, "patience": PATIENCE})


def choose_match(page: Any, language: str = "en") -> None:
    """From the start page on to choosing the game, the players and the rules, unless that is open."""
    seats, change = page.locator(".seats select"), page.get_by_role("link", name=messages(language)["start_change"])
    seats.or_(change).first.wait_for()
    if change.count():
        change.click()
    seats.first.wait_for()


def begin_here(page: Any, title: str = "", language: str = "en", alone: bool = False, **ticked: str) -> str:
    """Opens a table on this device from the start page, also of a site without a server; its code."""
    words = messages(language)
    choose_match(page, language)
    if title:
        page.get_by_role("radio", name=title).check(force=True)
    page.get_by_text(words["start_options"]).click()
    for name in ticked.values():
        page.get_by_role("radio", name=name, exact=True).check(force=True)
    if not alone:
        page.get_by_role("switch", name=words["here_switch"]).check()
    page.locator("button.play").click()
    page.wait_for_url("**/t/HERE-*")
    page.locator(".table.on-felt").wait_for()
    return page.url.rpartition("/t/")[2]


def open_drawer(page: Any, language: str = "en") -> None:
    """Opens what there is besides playing again, at the end of a match."""
    page.get_by_role("button", name=messages(language)["table_act_more"], exact=True).click()
    page.locator("dialog[open] .drawer").wait_for()


def record_of(page: Any, language: str = "en") -> dict[str, Any]:
    """Downloads the record of the match whose result is on the page; the referee has replayed it."""
    open_drawer(page, language)
    record = record_beside(page, language)
    page.keyboard.press("Escape")
    return record


def record_beside(page: Any, language: str = "en") -> dict[str, Any]:
    """The same where the button is in sight."""
    with page.expect_download() as downloading:
        page.get_by_role("button", name=messages(language)["table_act_download"]).click()
    ((_, record),) = referee.read_records(io.BytesIO(downloading.value.path().read_bytes()))
    assert referee.replay(record).totals == record["totals"]
    return record


def lit(page: Any) -> list[str]:
    """The moves that light up."""
    return page.locator('button[data-move][aria-disabled="false"]').evaluate_all(
        "buttons => buttons.map(button => button.dataset.move)"
    )


def lit_up(page: Any) -> list[str]:
    """The moves that light up, once they do."""
    page.locator('button[data-move][aria-disabled="false"]').first.wait_for()
    return lit(page)


def my_cards(page: Any) -> list[str]:
    """My layout, in words."""
    return page.locator(".seat.mine button[data-move]").evaluate_all(
        "slots => slots.map(slot => slot.getAttribute('aria-label'))"
    )


def target(page: Any, move: str) -> Any:
    return page.locator(f'button[data-move="{move}"][aria-disabled="false"]')


def turn_to(page: Any, path: str) -> None:
    """Goes to another page as by a link of ours, so that nothing is loaded again, and waits until it is there."""
    page.evaluate(
        """path => {
          const link = Object.assign(document.createElement("a"), { href: path });
          document.body.append(link);
          link.click();
          link.remove();
        }""",
        path,
    )
    page.wait_for_function("path => location.href.endsWith(path)", arg=path)
    page.locator(".ball").wait_for(state="detached")
    page.locator("main h1").first.wait_for(state="attached")


def wait_until_kept(page: Any, path: str) -> None:
    """Until the device keeps an answer for the time without a network. `wait_for_function` waits for no promise."""
    page.evaluate(KEPT, path)


def deal(*pages: Any) -> None:
    """Everyone deals, unless the server has done so: it does not wait for ever."""
    for page in pages:
        page.locator(".draw .next button, .board .seat").first.wait_for()
        page.evaluate("document.querySelector('.draw .next button')?.click()")
    for page in pages:
        page.locator(".board .seat").first.wait_for()


def tee_off(page: Any) -> None:
    """Deals, and turns up two of my cards, so that I am to take one."""
    deal(page)
    target(page, "a1").click()
    target(page, "b2").click()
    target(page, "S").wait_for()


def told(page: Any) -> list[str]:
    """What the live region has said of late."""
    return page.locator("[role=log] p").all_inner_texts()


def words_of(page: Any) -> str:
    """All the page says, to the eye and to the ear."""
    return page.evaluate(WORDS)


def faults_of_wording(page: Any, language: str) -> list[str]:
    """Texts that are missing, half made, or in English where that is not the reader's language."""
    words = words_of(page)
    faults = re.findall(r"\bundefined\b|\bNaN\b|\[object \w+\]|\{\w+\}", words)
    faults += {name for name in re.findall(r"\b[a-z]+_[a-z_]+\b", words) if name in messages("en")}
    if language != "en":
        own = messages(language)
        faults += [
            text for key, text in messages("en").items()
            if len(text) > 11 and "{" not in text and own[key] != text and text in words
        ]  # fmt: skip
    return faults


def overhang(page: Any) -> int:
    """By how many pixels the page is wider than the window."""
    return page.evaluate("document.scrollingElement.scrollWidth - window.innerWidth")


def let_draw(page: Any) -> None:
    """Waits until the page has drawn whatever it makes of the last event."""
    page.evaluate("new Promise(done => requestAnimationFrame(() => requestAnimationFrame(() => done(null))))")


def recolour(page: Any, scheme: str) -> None:
    """The device turns dark or light, and the page has followed."""
    page.emulate_media(color_scheme=scheme)
    page.evaluate(
        """async () => {
          const frame = () => new Promise(requestAnimationFrame);
          const moves = () => document.getAnimations().some(one => one.playState === "running");
          do { await frame(); await frame(); } while (moves());
        }"""
    )


def check_app(page: Any, site: str, language: str) -> None:
    """Checks what browsers demand of an app, and which one they would install: headless Chromium does not judge."""
    words = messages(language)
    page.evaluate("navigator.serviceWorker.ready.then(() => null)")
    browser = page.context.new_cdp_session(page)
    found = browser.send("Page.getAppManifest")
    assert (found["url"], found["errors"]) == (f"{site}/manifest.{language}.webmanifest", [])
    app = found["manifest"]
    assert [app[name] for name in ("id", "startUrl", "scope")] == [f"{site}/"] * 3
    assert app["name"] == f"Mulligan – {words['page_start_title']}"
    shortcuts = [(words["start_play"], f"{site}/"), (words["pad_title"], f"{site}/pad")]
    assert [(one["name"], one["url"]) for one in app["shortcuts"]] == shortcuts
    assert app["display"] == "kStandalone"
    icons = app["icons"] + [
        {"url": page.locator("link[rel=apple-touch-icon]").evaluate("link => link.href"), "type": "image/png"}
    ]
    for icon in icons:
        assert page.request.get(icon["url"]).headers["content-type"] == icon["type"]
    assert {"192x192", "512x512"} <= {icon["sizes"] for icon in app["icons"]}  # without them it is only a bookmark
