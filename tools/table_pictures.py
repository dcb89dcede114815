"""Makes the pictures of the table and the score pad in the browser, and of the printed card.

The server's shuffle is always the same; the devices add their own numbers, so the cards differ.

.venv/bin/python tools/table_pictures.py
"""

import base64
import json
import sys
import tempfile
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from typing import Any

from playwright.sync_api import ViewportSize, sync_playwright

sys.path.insert(0, str(Path(__file__).parents[1] / "bench"))

from chromium import must_find

from mulligan.game import variants
from mulligan.scorecard.order import order
from mulligan.scorecard.typeset import typeset
from mulligan.server.rooms.registry import Registry
from mulligan.server.web.app import build
from mulligan.server.web.config import Config
from mulligan.server.web.run import listen, server_of

PICTURES = Path(__file__).parents[1] / "docs" / "pictures"
WORDS = Path(__file__).parents[1] / "web" / "messages"
SEED = b"mulligan".ljust(32, b".")
PHONE = (ViewportSize(width=390, height=844), 1.5)
DESKTOP = (ViewportSize(width=1440, height=900), 1)
COMPILING = 300_000  # milliseconds for the first hint
HOLES, TURNS = 2, 4  # played before the picture is taken
FOUR = ("Ann", "Ben", "Cyd", "Dan")
SCORES = ((12, -3, 20, 8), (5, 11, -10, 17))  # of two holes; then Ann enters her cards
LYING = ["7", "3", "1", "2", "7", "6"]

# The felt is dithered, which is invisible and makes PNG files large.
FEWER_COLOURS = """
async (source) => {
  const image = new Image();
  image.src = source;
  await image.decode();
  const canvas = new OffscreenCanvas(image.width, image.height);
  const brush = canvas.getContext("2d");
  brush.drawImage(image, 0, 0);
  const pixels = brush.getImageData(0, 0, image.width, image.height);
  pixels.data.forEach((value, at) => (pixels.data[at] = Math.min(255, Math.round(value / 8) * 8)));
  brush.putImageData(pixels, 0, 0);
  const blob = await canvas.convertToBlob({ type: "image/png" });
  return new Promise((done) => {
    const reader = new FileReader();
    reader.onload = () => done(reader.result);
    reader.readAsDataURL(blob);
  });
}
"""


def main() -> None:
    chromium = must_find()
    PICTURES.mkdir(parents=True, exist_ok=True)
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=chromium, args=["--no-sandbox", "--disable-gpu"])
        for name, (viewport, scale), language, act in SHOTS:
            with served() as address:
                page = browser.new_page(
                    base_url=address,
                    viewport=viewport,
                    device_scale_factor=scale,
                    reduced_motion="reduce",
                    locale=language,
                )
                act(page, language)
                picture = base64.b64encode(page.screenshot()).decode()
                blank = browser.new_page()
                smaller = blank.evaluate(FEWER_COLOURS, f"data:image/png;base64,{picture}")
                (PICTURES / f"{name}.png").write_bytes(base64.b64decode(smaller.partition(",")[2]))
                blank.close()
                page.close()
        browser.close()
    (PICTURES / "card.png").write_bytes(typeset(order(variants.load("play_nine"), 4, FOUR, "en", "a4"), "png"))


@contextmanager
def served() -> Iterator[str]:
    """A temporary server with known cards."""
    with tempfile.TemporaryDirectory() as data:
        listening = listen("127.0.0.1", 0)
        config = Config("127.0.0.1", listening.getsockname()[1], Path(data))
        server = server_of(build(config, partial(Registry, seed=lambda: SEED)))
        thread = threading.Thread(target=server.run, kwargs={"sockets": [listening]})
        thread.start()
        while not server.started:
            time.sleep(0.01)
        try:
            yield config.address
        finally:
            server.should_exit = True
            thread.join()


def play(page: Any, language: str) -> None:
    """Ann plays two holes and a few turns as the coach advises, then draws one more card."""
    words = json.loads((WORDS / f"{language}.json").read_text(encoding="utf-8"))
    page.goto("/")
    page.get_by_label(words["start_name"], exact=True).fill("Ann")
    page.locator("summary").click()
    page.get_by_role("radio", name=words["menu_pace_instant"]).check()
    page.locator("form button.play").click()
    holes = turns = 0
    while True:
        page.locator(".next button.first, button.legal").first.wait_for()
        if (on := page.locator(".next button.first")).count():
            holes += page.locator(".hole-result").count()
            on.click()
            on.wait_for(state="detached")
            continue
        stock = page.locator('button.legal[data-move="S"]')
        if stock.count() and holes == HOLES:
            turns += 1
            if turns == TURNS:
                stock.click()
                page.locator(".held.lifted").wait_for()
                return
        asked = f"/api/tables/{page.url.rpartition('/')[2]}/hint"
        hint = page.request.post(asked, data={"seat": 0}, timeout=COMPILING).json()
        buttons = (page.locator(f'button.legal[data-move="{one["move"]}"]') for one in hint["moves"])
        next(button for button in buttons if button.count()).first.click()
        page.wait_for_timeout(60)


def keep(page: Any, language: str) -> None:
    """Four players enter the totals of two holes, then Ann enters most of her cards for the third."""
    page.goto("/pad")
    for seat, name in enumerate(FOUR):
        page.get_by_role("textbox").nth(seat).fill(name)
    page.get_by_role("button", name="Start", exact=True).click()
    page.locator(".mode label").filter(has_text="Points").click()
    for points in (points for hole in SCORES for points in hole):
        page.keyboard.type(str(points))
        if page.locator(".keys button.next:enabled").count():
            page.keyboard.press("Enter")
    page.locator(".mode label").filter(has_text="Cards").click()
    for face in LYING:
        page.locator(f'[data-face="{face}"]').click()
    page.wait_for_timeout(600)


SHOTS = [  # name, device, language, what happens before the picture is taken
    ("desktop", DESKTOP, "en", play),
    ("pad", PHONE, "en", keep),
    *((f"phone-{language}", PHONE, language, play) for language in ("fr", "de", "ja")),
]

if __name__ == "__main__":
    main()
