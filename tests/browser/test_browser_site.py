"""The game as files: what `mulligan site` writes, in a folder of a web space that Python's own http.server serves."""

import re
import subprocess
import sys
import threading
from collections.abc import Iterator
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

import pytest
from conftest import CLIENT, Visit, cannot
from figures_kept import kept
from visiting import LANGUAGES, begin_here, check_app, messages, play, record_of, wait_until_kept

from mulligan.game import variants
from mulligan.server.web.static_files import ENGINE

WORDS = messages("en")
SHOWS = {  # a page, and what is there when all of it is
    "": "form button.play",
    "rules": "main h1",
    "learn/play_nine": ".slots, .board, main button",
    "pad": f"button:has-text('{WORDS['pad_begin']}')",
    "stats": "main h1",
}
LEFT = "net::ERR_ABORTED"  # the reader went on before it came
NEED_SERVER = {
    "t/NOTABLE99": "table",
    "w/NOTABLE99": "watch",
    "cards-dealt": "dealt",
    "coach": "coach",
    "g/x-1/check": "check",
}


@pytest.fixture(scope="session")
def site(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """The address of a site in a folder `golf` of a web space."""
    if not (CLIENT / "index.html").exists():
        cannot("The client is not built: cd web && npm ci --ignore-scripts && npm run build")
    space = tmp_path_factory.mktemp("space")
    command = [sys.executable, "-m", "mulligan", "site", str(space / "golf"), "--base-path", "/golf"]
    said = subprocess.run(command, capture_output=True, text=True, check=True, timeout=1800).stdout
    found = re.search(rf"{space / 'golf'}: \d+ files, ([\d.]+) MB", said)
    assert found, said
    assert float(found[1]) == pytest.approx(kept()["site"]["figures"]["MB"], rel=0.1)  # as docs/operations.md says
    with ThreadingHTTPServer(("127.0.0.1", 0), partial(Quiet, directory=space)) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        yield f"http://127.0.0.1:{server.server_port}/golf"
        server.shutdown()


class Quiet(SimpleHTTPRequestHandler):
    def log_message(self, *_: Any) -> None:
        pass


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
    wait_until_kept(page, f"/golf/api/tutorial/{variants.names()[-1]}")
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


@pytest.mark.parametrize("language", LANGUAGES)
def test_what_needs_a_server_says_so_and_what_works_instead(visit: Visit, site: str, language: str) -> None:
    words = messages(language)
    page, wrong = visit_site(visit, site, language)
    keep(page, site)
    assert page.locator("option[value=friend]").count() == 0
    assert page.get_by_role("heading", name=words["start_join"]).count() == 0
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
