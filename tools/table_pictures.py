"""Makes the README's pictures of the table in the browser, from a real game that is always dealt the same.

.venv/bin/python tools/table_pictures.py
"""

import base64
import os
import shutil
import sys
import tempfile
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from typing import Any

from playwright.sync_api import sync_playwright

from mulligan.server.app import build
from mulligan.server.config import Config
from mulligan.server.house import House
from mulligan.server.run import listen, server_of

PICTURES = Path(__file__).parents[1] / "docs" / "pictures"
SEED = b"mulligan".ljust(32, b".")
SCREENS = {"phone": ({"width": 390, "height": 844}, 1.5), "desktop": ({"width": 1440, "height": 900}, 1)}
HOLES, TURNS = 2, 4  # played before the picture is taken

# The felt is dithered, which nobody sees and no PNG can pack.
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
    chromium = os.environ.get("CHROMIUM") or shutil.which("chromium") or shutil.which("chromium-browser")
    if not chromium:
        sys.exit("No Chromium here: apt-get install chromium (or name one in CHROMIUM).")
    PICTURES.mkdir(parents=True, exist_ok=True)
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=chromium, args=["--no-sandbox", "--disable-gpu"])
        for name, (viewport, scale) in SCREENS.items():
            with served() as address:
                page = browser.new_page(
                    base_url=address,
                    viewport=viewport,
                    device_scale_factor=scale,
                    reduced_motion="reduce",
                    locale="en",
                )
                play(page)
                picture = base64.b64encode(page.screenshot()).decode()
                blank = browser.new_page()
                smaller = blank.evaluate(FEWER_COLOURS, f"data:image/png;base64,{picture}")
                (PICTURES / f"{name}.png").write_bytes(base64.b64decode(smaller.partition(",")[2]))
                blank.close()
                page.close()
        browser.close()


@contextmanager
def served() -> Iterator[str]:
    """A server of its own whose cards are known."""
    with tempfile.TemporaryDirectory() as data:
        listening = listen("127.0.0.1", 0)
        config = Config("127.0.0.1", listening.getsockname()[1], Path(data))
        server = server_of(build(config, partial(House, seed=lambda: SEED)))
        thread = threading.Thread(target=server.run, kwargs={"sockets": [listening]})
        thread.start()
        while not server.started:
            time.sleep(0.01)
        yield config.address
        server.should_exit = True
        thread.join()


def play(page: Any) -> None:
    """Ann plays two holes and a few turns, and takes one more card into her hand."""
    page.goto("/")
    page.get_by_label("Your name").fill("Ann")
    page.locator("summary").click()
    page.get_by_role("radio", name="at once").check()
    page.locator("form button.play").click()
    holes = turns = 0
    while True:
        page.locator(".next button.first, button.legal").first.wait_for()
        if (on := page.locator(".next button.first")).count():
            holes += page.locator(".reckoning").count()
            on.click()
            on.wait_for(state="detached")
            continue
        stock = page.locator('button.legal[data-move="S"]')
        if stock.count():
            turns = turns + 1 if holes == HOLES else 0
            stock.click()
            page.locator(".held.lifted").wait_for()
            if turns == TURNS:
                return
        hidden = page.locator('.seat.mine button.legal[aria-label*="face down"]')
        (hidden if hidden.count() else page.locator("button.legal")).first.click()
        page.wait_for_timeout(60)


if __name__ == "__main__":
    main()
