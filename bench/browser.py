"""How long the browser takes from a tap to the painted answer, and the size of the first load.

.venv/bin/python bench/browser.py

Needs Chromium and the built client. The answer counts when the browser has painted the server's message.
"""

import re
import statistics
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from chromium import must_find
from playwright.sync_api import Page, sync_playwright

CLIENT = Path(__file__).parents[1] / "src" / "mulligan" / "client"
PHONE = {"width": 390, "height": 844}
TAPS = 100

# From the tap itself to the frame after the move is told, which is when the cards lie right.
STOPWATCH = """
() => {
  window.answers = [];
  let tapped = 0;
  addEventListener("click", (event) => event.target.closest(".legal") && (tapped = event.timeStamp), true);
  new MutationObserver(() => {
    if (!tapped) return;
    const since = tapped;
    tapped = 0;
    requestAnimationFrame(() => requestAnimationFrame((now) => window.answers.push(now - since)));
  }).observe(document.querySelector("[role=log]"), { childList: true, subtree: true });
}
"""


def main() -> None:
    if not (CLIENT / "index.html").exists():
        sys.exit("The client is not built: cd web && npm ci --ignore-scripts && npm run build")
    with served() as address, sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=must_find(), args=["--no-sandbox", "--disable-gpu"])
        page = browser.new_page(base_url=address, viewport=PHONE, locale="en")  # type: ignore[arg-type]
        files = first_load(page)
        scripts = [size for url, size in files.items() if url.endswith(".js")]
        print(
            f"first load    {sum(scripts) / 1000:.1f} kB of JavaScript as sent, with headers, in {len(scripts)} files; "
            f"{len(files)} requests, {sum(files.values()) / 1000:.1f} kB in all"
        )
        answers = sorted(taps(page))
        late = answers[int(len(answers) * 0.95)]
        print(
            f"tap to answer {statistics.median(answers):.0f} ms; 95 of 100 within {late:.0f} ms ({len(answers)} taps)"
        )
        browser.close()


@contextmanager
def served() -> Iterator[str]:
    """The address of a temporary server."""
    with tempfile.TemporaryDirectory() as data:
        command = [sys.executable, "-m", "mulligan", "serve", "--port", "0", "--data", data]
        with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as server:
            assert server.stdout is not None
            found = re.search(r"http://\S+", server.stdout.readline())
            assert found, "the server did not say where it is"
            yield found[0]
            server.terminate()


def first_load(page: Page) -> dict[str, int]:
    """What the start page requests until it is usable, with the bytes sent, headers included."""
    session = page.context.new_cdp_session(page)
    session.send("Network.enable")
    urls: dict[str, str] = {}
    sizes: dict[str, int] = {}

    def finish(event: dict[str, Any]) -> None:
        if event["encodedDataLength"]:  # 0 if it came with an earlier request
            sizes[urls[event["requestId"]]] = event["encodedDataLength"]

    session.on("Network.requestWillBeSent", lambda event: urls.update({event["requestId"]: event["request"]["url"]}))
    session.on("Network.loadingFinished", finish)
    page.goto("/")
    page.locator("form button.play").wait_for()
    session.detach()
    return sizes


def taps(page: Page) -> list[float]:
    """Milliseconds from each tap to its answer, with normal animations."""
    page.goto("/new")
    page.locator("summary").click()
    page.get_by_role("radio", name="instant").check()
    page.locator("form button.play").click()
    page.locator("[role=log]").wait_for(state="attached")
    page.evaluate(STOPWATCH)
    for _ in range(TAPS):
        page.locator(".next button.first, button.legal").first.wait_for()
        while (on := page.locator(".next button.first")).count():
            on.click()
            on.wait_for(state="detached")
            page.locator(".next button.first, button.legal").first.wait_for()
        stock = page.locator('button.legal[data-move="S"]')
        (stock if stock.count() else page.locator("button.legal")).first.click()
        page.wait_for_timeout(600)  # until the card lies
    return page.evaluate("window.answers")


if __name__ == "__main__":
    main()
