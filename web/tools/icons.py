"""Draws the app's icons from public/icon.svg, with Playwright's Chromium or the one named by CHROMIUM."""

import os
from pathlib import Path

from playwright.sync_api import sync_playwright

PUBLIC = Path(__file__).parents[1] / "public"
ICONS = {"icon-180.png": (180, False), "icon-192.png": (192, False), "icon-512.png": (512, False)}
MASKABLE = {"icon-maskable.png": (512, True)}  # its edge may be cut off: the picture is smaller, the ground full


def main() -> None:
    drawing = (PUBLIC / "icon.svg").read_text(encoding="utf-8")
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=os.environ.get("CHROMIUM"), args=["--no-sandbox"])
        page = browser.new_page()
        for name, (size, is_maskable) in (ICONS | MASKABLE).items():
            scale = "80%" if is_maskable else "100%"
            ground = "#1c6b41" if is_maskable else "transparent"
            page.set_viewport_size({"width": size, "height": size})
            page.set_content(
                f"<style>body {{ margin: 0; height: 100vh; display: grid; place-items: center; background: {ground} }}"
                f"svg {{ width: {scale} }}</style>{drawing}"
            )
            page.screenshot(path=PUBLIC / name, omit_background=not is_maskable)
        browser.close()


if __name__ == "__main__":
    main()
