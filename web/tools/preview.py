"""Draws public/preview.jpg, the picture beside a link in a message: `python web/tools/preview.py http://localhost:8000`.

The cards come from the client that the running server shows; Chromium is Playwright's or the one named by CHROMIUM.
"""

import os
import sys
from pathlib import Path

from playwright.sync_api import sync_playwright

PUBLIC = Path(__file__).parents[1] / "public"
SIZE = {"width": 1200, "height": 630}
FAN = [("v12", "12"), ("v5", "5"), ("flag", "H"), ("v0", "0"), ("v9", "9")]
GROUND = """<svg viewBox="0 0 1200 630" style="position: absolute; inset: 0">
<rect width="1200" height="630" fill="#1c6b41"/>
<path d="M0 420Q300 330 600 400T1200 380V630H0Z" fill="#14432d"/></svg>"""


def card(place: int, style: str, name: str) -> str:
    side = place - len(FAN) // 2
    left, top = 600 + 215 * side - 120, 135 + 18 * side * side
    look = (
        f"position: absolute; left: {left}px; top: {top}px; width: 240px; z-index: {9 - abs(side)}; "
        f"transform: rotate({7 * side}deg); filter: drop-shadow(0 8px 14px #0008)"
    )
    return f'<svg class="card {style}" viewBox="0 0 100 140" style="{look}"><use href="#card-{name}"/></svg>'


def main(address: str) -> None:
    picture = GROUND + "".join(card(place, *one) for place, one in enumerate(FAN))
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=os.environ.get("CHROMIUM"), args=["--no-sandbox"])
        page = browser.new_page(viewport=SIZE, bypass_csp=True)
        page.goto(f"{address}/rules")
        page.locator("#card-H").wait_for(state="attached")
        page.evaluate(
            "picture => document.querySelector('.card-symbols').parentElement.insertAdjacentHTML('beforeend',"
            "`<div style='position: fixed; inset: 0; z-index: 99'>${picture}</div>`)",
            picture,
        )
        page.screenshot(path=PUBLIC / "preview.jpg", type="jpeg", quality=85)
        browser.close()


if __name__ == "__main__":
    main(sys.argv[1])
