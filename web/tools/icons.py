"""Draws the app's icons from public/icon.svg, with Playwright's Chromium or the one named by CHROMIUM."""

import os
from pathlib import Path

from playwright.sync_api import sync_playwright

PUBLIC = Path(__file__).parents[1] / "public"
GREEN = "#1c6b41"  # of the drawing's ground
ICONS = {  # size, how much of it the drawing takes, and the ground
    "icon-180.png": (180, "100%", GREEN),  # iOS rounds the corners, and shows what is transparent in black
    "icon-192.png": (192, "100%", "transparent"),
    "icon-512.png": (512, "100%", "transparent"),
    "icon-maskable.png": (512, "80%", GREEN),  # its edge may be cut off
}


def main() -> None:
    drawing = (PUBLIC / "icon.svg").read_text(encoding="utf-8")
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=os.environ.get("CHROMIUM"), args=["--no-sandbox"])
        page = browser.new_page()
        for name, (size, scale, ground) in ICONS.items():
            page.set_viewport_size({"width": size, "height": size})
            page.set_content(
                f"<style>body {{ margin: 0; height: 100vh; display: grid; place-items: center; background: {ground} }}"
                f"svg {{ width: {scale} }}</style>{drawing}"
            )
            page.screenshot(path=PUBLIC / name, omit_background=ground != GREEN)
        browser.close()


if __name__ == "__main__":
    main()
