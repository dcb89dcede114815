"""The game as files: what `mulligan site` writes, in a folder of a web space that Python's own http.server serves."""

import re
import subprocess
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

import pytest
from conftest import CLIENT, Visit, cannot
from figures_kept import kept
from made_once import made_once
from test_browser_cardboard import RECORDS, begin, enter, write
from test_browser_cardboard import key as name_card
from visiting import (
    LANGUAGES,
    begin_here,
    check_app,
    choose_match,
    lit_up,
    messages,
    my_cards,
    open_drawer,
    play,
    record_beside,
    record_of,
    wait_until_kept,
)

from mulligan.game import variants
from mulligan.server.web.static_files import ENGINE

WORDS = messages("en")
SHOWS = {  # a page, and what is there when all of it is
    "": "form button.play",
    "new": "form button.play",
    "rules": "main h1",
    "learn/play_nine": ".slots, .board, main button",
    "coach": "button.way",
    "pad": f"button:has-text('{WORDS['pad_begin']}')",
    "stats": "main h1",
}
LEFT = "net::ERR_ABORTED"  # the reader went on before it came
NEED_SERVER = {
    "t/NOTABLE99": "table",
    "w/NOTABLE99": "watch",
    "cards-dealt": "dealt",
    "coach#position": "coach",
    "g/x-1/check": "check",
}


@pytest.fixture(scope="session")
def site_in_space(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A web space with a site in its folder `golf`."""
    if not (CLIENT / "index.html").exists():
        cannot("The client is not built: cd web && npm ci --ignore-scripts && npm run build")
    return made_once(tmp_path_factory, "site", space_with_site)


@pytest.fixture(scope="session")
def site(site_in_space: Path) -> Iterator[str]:
    """The address of the site."""
    with serving(site_in_space, Quiet) as site:
        yield site


@contextmanager
def serving(space: Path, handler: type[SimpleHTTPRequestHandler]) -> Iterator[str]:
    with ThreadingHTTPServer(("127.0.0.1", 0), partial(handler, directory=space)) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        yield f"http://127.0.0.1:{server.server_port}/golf"
        server.shutdown()


def space_with_site(space: Path) -> Path:
    command = [sys.executable, "-m", "mulligan", "site", str(space / "golf"), "--base-path", "/golf"]
    said = subprocess.run(command, capture_output=True, text=True, check=True, timeout=1800).stdout
    found = re.search(rf"{space / 'golf'}: \d+ files, ([\d.]+) MB", said)
    assert found, said
    figures = kept()["site"]["figures"]  # as docs/operations.md says, which has the manual; here it may not be built
    manual = sum(file.stat().st_size for file in (space / "golf/docs").rglob("*") if file.is_file()) / 1e6
    assert float(found[1]) - manual == pytest.approx(figures["MB"] - figures["manual_MB"], rel=0.1)
    return space


class Quiet(SimpleHTTPRequestHandler):
    def log_message(self, *_: Any) -> None:
        pass


class WithPage(Quiet):
    """Shows the site's page at addresses that it does not have, as GitHub Pages does."""

    def send_error(self, code: int, *_: Any) -> None:
        page = Path(self.directory, "golf", "404.html").read_bytes()
        self.send_response(code)
        self.send_header("Content-Type", "text/html")
        self.send_header("Content-Length", str(len(page)))
        self.end_headers()
        self.wfile.write(page)


def visit_site(visit: Visit, site: str, language: str = "en") -> tuple[Any, list[str]]:
    """A page of the site's host, and what goes wrong on it from now on: also what `visit` forgives."""
    page, wrong = visit("/golf/icon.svg", language, base=site.removesuffix("/golf"), installed=True), []
    page.on("console", lambda line: line.type in ("error", "warning") and wrong.append(line.text))
    page.on("requestfailed", lambda asked: asked.failure != LEFT and wrong.append(f"{asked.failure}: {asked.url}"))
    page.on("response", lambda answer: answer.status >= 400 and wrong.append(f"{answer.status}: {answer.url}"))
    return page, wrong


def keep(page: Any, site: str) -> None:
    """Stays on the start page until all that is kept on a first visit is."""
    page.goto(f"{site}/")
    wait_until_kept(page, f"/golf/api/tutorial/{variants.games()[-1]}")
    page.reload()
    page.wait_for_function("() => navigator.serviceWorker.controller !== null")


def test_every_page_opens_and_is_reloaded_also_without_a_network(visit: Visit, site: str) -> None:
    page, wrong = visit_site(visit, site)

    def look_around() -> None:
        for path, shown in SHOWS.items():
            page.goto(f"{site}/{path}")
            page.locator(shown).first.wait_for()
            page.reload()
            page.locator(shown).first.wait_for()
            strangers = page.locator("a[href]").evaluate_all("all => all.map(one => one.href)")
            assert [link for link in strangers if not link.startswith(f"{site}/")] == []
        assert wrong == []

    look_around()
    keep(page, site)
    page.context.set_offline(True)
    look_around()
    page.context.set_offline(False)


def test_an_address_that_no_folder_has_opens_once_the_app_is_kept_and_elsewhere_by_the_hosts_page(
    visit: Visit, site: str
) -> None:
    page, wrong = visit_site(visit, site)
    page.goto(f"{site}/404.html")
    page.get_by_text(WORDS["error_not_found"]).wait_for()
    page.get_by_role("link", name=WORDS["page_new_game"]).click()
    page.wait_for_url(f"{site}/")
    keep(page, site)
    page.goto(f"{site}/rules/5.2")
    page.locator("main h1").wait_for()
    assert page.evaluate("location.pathname") == "/golf/rules/5.2"
    assert [line for line in wrong if "rules/5.2" not in line and "404" not in line] == []


def test_without_a_service_worker_the_hosts_page_goes_on_with_a_table(visit: Visit, site_in_space: Path) -> None:
    """As over plain http."""
    with serving(site_in_space, WithPage) as site:
        page = visit("/golf/", base=site.removesuffix("/golf"))
        begin_here(page, alone=True, holes="1", pace="instant")
        lit_up(page)
        before = my_cards(page)
        page.reload()
        lit_up(page)
        assert my_cards(page) == before
        play(page, ".won")
        open_drawer(page)
        page.get_by_role("link", name=WORDS["table_act_replay"]).click()
        page.reload()
        page.get_by_role("button", name=WORDS["table_rp_forward"]).wait_for()


@pytest.mark.parametrize("language", LANGUAGES)
def test_what_needs_a_server_says_so_and_what_works_instead(visit: Visit, site: str, language: str) -> None:
    words = messages(language)
    page, wrong = visit_site(visit, site, language)
    keep(page, site)
    assert page.get_by_role("heading", name=words["start_join"]).count() == 0
    assert page.get_by_role("link", name=words["start_friends"]).count() == 0
    choose_match(page, language)
    assert page.locator("option[value=friend]").count() == 0
    assert page.locator("option[value^=computer]").count() > 0
    for path, key in NEED_SERVER.items():
        page.goto(f"{site}/{path}")
        page.get_by_text(words["error_no_server"]).wait_for()
        page.get_by_text(words[f"alone_{key}"]).wait_for()
    page.goto(f"{site}/card")
    page.get_by_text(words["alone_card"]).wait_for()
    card = page.get_by_role("link", name=words["card_download"]).evaluate("link => link.href")
    answer = page.request.get(card)
    assert (answer.headers["content-type"], answer.body()[:5]) == ("application/pdf", b"%PDF-")
    page.goto(f"{site}/ours")
    page.locator("main h1").wait_for()
    assert wrong == []


def test_a_match_is_played_and_reloaded_on_files_alone(visit: Visit, site: str) -> None:
    page, wrong = visit_site(visit, site)
    keep(page, site)
    page.locator("button.play").wait_for()
    begin_here(page, alone=True, holes="1", pace="instant")
    page.reload()
    play(page, ".won")
    assert record_of(page)["match"] == {"holes": 1}
    assert [line for line in wrong if "/t/HERE-" not in line and "404" not in line] == []  # the host knows no table


def test_a_match_with_real_cards_is_followed_on_files_alone_also_without_a_network(visit: Visit, site: str) -> None:
    page, wrong = visit_site(visit, site)
    keep(page, site)
    page.goto(f"{site}/coach")
    record = RECORDS["play_nine"]
    hole, names = record["holes"][0], ("Ann", "Ben", "Cyd", "Dan")[: len(record["players"])]
    begin(page, players=names, dealer=hole["dealer"])
    enter(page, hole, names)
    page.get_by_role("button", name=WORDS["table_act_next"]).click()
    name_card(page, "7")
    page.get_by_role("button", name=WORDS["coach_hint"]).click()
    page.locator("[data-rated]").first.wait_for()
    page.context.set_offline(True)
    write(page, "a1=99")
    page.locator(".trouble", has_text="99").wait_for()
    write(page, "S5")
    assert page.locator(".trouble").inner_text() == WORDS["error_wrong_move"]
    page.get_by_role("button", name=WORDS["cardboard_more"], exact=True).click()
    page.get_by_role("button", name=WORDS["cardboard_story"]).click()
    page.wait_for_url("**/g/HERE-*#story")
    page.locator(".story .lead").first.wait_for()
    page.get_by_text(WORDS["cardboard_real"]).wait_for()
    page.get_by_text(WORDS["table_act_more"], exact=True).click()
    record = record_beside(page)
    assert record["holes"][0] == hole
    assert record["match"] == {"holes": 1, "level": "share"}
    page.reload()
    page.locator(".story .lead").first.wait_for()
    page.context.set_offline(False)
    assert wrong == []


def test_only_webassembly_runs_beside_the_sites_own_scripts(visit: Visit, site: str) -> None:
    page, _ = visit_site(visit, site)
    page.goto(f"{site}/")
    page.locator(SHOWS[""]).wait_for()
    runs = """async (file) => {
      const engine = await WebAssembly.compileStreaming(fetch(file));
      try { return [WebAssembly.Module.exports(engine).length > 10, new Function("return 1")()]; }
      catch (refused) { return [true, refused.name]; }
    }"""
    assert page.evaluate(runs, ENGINE) == [True, "EvalError"]


@pytest.mark.parametrize("language", LANGUAGES)
def test_it_can_be_installed_as_an_app_in_the_readers_language(visit: Visit, site: str, language: str) -> None:
    page, wrong = visit_site(visit, site, language)
    page.goto(f"{site}/pad")
    check_app(page, site, language)
    assert wrong == []
