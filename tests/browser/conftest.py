"""A real server in a thread, and people with a browser each: Playwright on the Chromium that is installed."""

import asyncio
import os
import sys
import time
import warnings
from collections.abc import Iterator
from pathlib import Path
from typing import Any, NoReturn

import chromium
import pytest
from playwright.sync_api import Browser, BrowserContext, Page, Playwright, expect, sync_playwright

sys.path.insert(0, str(Path(__file__).parents[1] / "server"))

from served import AtTable, served
from served import Browser as Guest
from visiting import COMPUTER, ME, PATIENCE, PHONE, ROOT

pytestmark = pytest.mark.long  # holds for every file of this folder (tests/conftest.py)
CLIENT = ROOT / "src" / "mulligan" / "client"
CHROMIUM = chromium.find()
HOME = "mulligan.test"  # as a server in a home network is called: not the reader's own machine, and without HTTPS
ARGUMENTS = [
    "--no-sandbox",
    "--disable-gpu",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    f"--host-resolver-rules=MAP {HOME} 127.0.0.1",
    "--in-process-gpu",  # one process less for each browser
    "--js-flags=--single-threaded --no-opt --no-maglev",  # no page lives long enough to pay for it
]

expect.set_options(timeout=PATIENCE)

Visit = Any  # a function that opens a page, with its complaints


@pytest.fixture(scope="session")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Any]:
    if not (CLIENT / "index.html").exists():
        cannot("The client is not built: cd web && npm ci --ignore-scripts && npm run build")
    with served(tmp_path_factory.mktemp("games"), CLIENT, names=(HOME,)) as config:
        yield config


@pytest.fixture(scope="session")
def address(server: Any) -> str:
    """Where the server of these tests is."""
    return f"http://127.0.0.1:{server.port}"


@pytest.fixture(scope="session")
def home(server: Any) -> str:
    """The server's address in a home network."""
    return f"http://{HOME}:{server.port}"


@pytest.fixture(scope="session")
def playwright() -> Iterator[tuple[Playwright, asyncio.AbstractEventLoop]]:
    """Playwright, and the event loop in which it talks to browsers."""
    with sync_playwright() as playwright:
        loop = asyncio.get_running_loop()
        asyncio._set_running_loop(None)
        yield playwright, loop
        asyncio._set_running_loop(loop)


@pytest.fixture(scope="session")
def browsers() -> list[Browser]:
    """The one browser of this process, after those that died."""
    return []


@pytest.fixture
def browser(playwright: tuple[Playwright, asyncio.AbstractEventLoop], browsers: list[Browser]) -> Iterator[Browser]:
    """Between its calls, Playwright leaves its loop marked as running; other tests run loops of their own."""
    if not CHROMIUM:
        cannot(f"No Chromium here: {chromium.INSTALL}.")
    if said := chromium.warning(CHROMIUM):
        warnings.warn(said, stacklevel=1)
    asyncio._set_running_loop(playwright[1])
    if not (browsers and browsers[-1].is_connected()):
        browsers.append(playwright[0].chromium.launch(executable_path=CHROMIUM, args=ARGUMENTS))
    yield browsers[-1]
    asyncio._set_running_loop(None)


# Tests play at the speed "off", so that none waits for the last cards of a hole, unless it chooses its own settings.
AT_ONCE = """try {
  if (!localStorage.getItem("mulligan.settings")) localStorage.setItem("mulligan.settings", '{"speed": "off"}');
} catch { /* a page without a memory */ }"""


@pytest.fixture
def visit(browser: Browser, address: str) -> Iterator[Visit]:
    """Opens a page as someone new, with cookies and a memory of their own, who asks nobody but the server.

    Whatever the page complains of in its console makes the test fail. Cards do not travel unless `motion`. The page
    is kept on the device only if `installed`: that fetches all its files, and an answer that a test changes on its
    way to the page might come past the test.
    """
    contexts: list[BrowserContext] = []
    complaints: list[str] = []

    def visit(
        path: str = "/",
        language: str = "en",
        viewport: dict[str, int] = PHONE,
        dark: bool = False,
        motion: bool = False,
        installed: bool = False,
        base: str = address,
        **more: Any,
    ) -> Page:
        context = browser.new_context(
            base_url=base,
            locale=language,
            viewport=viewport,  # type: ignore[arg-type]
            color_scheme="dark" if dark else "light",
            reduced_motion="no-preference" if motion else "reduce",
            service_workers="allow" if installed else "block",
            **more,
        )
        context.set_default_timeout(PATIENCE)
        if not motion:
            context.add_init_script(AT_ONCE)
        contexts.append(context)
        page = context.new_page()
        page.on("pageerror", lambda error: complaints.append(str(error)))
        page.on("console", lambda line: line.type == "error" and not is_busy(line) and complaints.append(line.text))
        page.on("request", lambda asked: is_foreign(asked.url, base) and complaints.append(f"asks {asked.url}"))
        page.on("websocket", lambda asked: is_foreign(asked.url, base) and complaints.append(f"asks {asked.url}"))
        page.goto(path)
        return page

    visit.complaints = complaints  # type: ignore[attr-defined]
    yield visit
    for context in contexts:
        context.close()
    assert [line for line in complaints if not is_network(line)] == []


@pytest.fixture(scope="session")
def finished(server: Any) -> dict[str, Any]:
    """A match that is over: its codes, its number, and the cookie of the one who played it."""
    ann = Guest(server)
    codes = ann.open(ME, COMPUTER, COMPUTER, game="nine_card")
    with ann.at(codes["table"]) as table:
        table.do("Start")
        while table.view["phase"] != "over":
            play_a_step(table)
        jar = [
            {"name": name, "value": value, "url": f"http://127.0.0.1:{server.port}"}
            for name, value in ann.http.cookies.items()
        ]
        return codes | {"game": table.view["finished"][-1], "cookies": jar}


def play_a_step(table: AtTable) -> None:
    """Draws from the stock, and puts the card on one that is face down."""
    view, turn = table.view, table.view["turn"]
    if view["phase"] in ("draw", "hole_over"):
        table.do("NextHole")
    elif turn in table.welcome["you"]:
        layout, legal = view["seats"][turn]["layout"], view["legal"]
        slots = [column + row for row in "123" for column in "abc"]
        down = [move for move in legal if move in slots and layout[slots.index(move)] is None]
        table.do("Play", seat=turn, move="S" if "S" in legal else (down or legal)[0])
        time.sleep(0.02)  # the server listens to forty words a second
    else:
        table.next()


def is_foreign(url: str, address: str) -> bool:
    return not url.replace("ws://", "http://").startswith((address, "data:", "blob:"))


def is_network(line: str) -> bool:
    """A refusal is an answer, and a server that is away is no fault of the page."""
    return "status of 4" in line or "net::ERR_" in line


def is_busy(line: Any) -> bool:
    """A result asks by itself for its analysis, and stands without it where the coach has too much to do."""
    return "status of 503" in line.text and "/analysis" in line.location["url"]


def cannot(why: str) -> NoReturn:
    """These tests cannot run here; where a browser is a must, that is a failure."""
    if os.environ.get("MULLIGAN_NEED_BROWSER"):
        pytest.fail(why, pytrace=False)
    pytest.skip(why)
