"""What axe finds wrong with a page, by WCAG 2.2 AA and beyond."""

from functools import cache
from pathlib import Path
from typing import Any

import axe_playwright_python

RULES = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"]
COLOURS = ["color-contrast"]
AT_THE_END = """
async options => {
  const before = scrollY;
  scrollTo({ top: document.documentElement.scrollHeight, behavior: "instant" });
  const { violations } = await axe.run(document, options);
  scrollTo({ top: before, behavior: "instant" });
  return violations;
}
"""
EXPERIMENTAL = ["label-content-name-mismatch"]  # who speaks to the page says what is written on a button


def faults(page: Any) -> list[str]:
    """One line for each kind of fault, with the first places where it is."""
    return run(page, {"runOnly": RULES, "rules": {rule: {"enabled": True} for rule in EXPERIMENTAL}})


def faults_of_colour(page: Any) -> list[str]:
    """Only what another colour scheme can change."""
    return run(page, {"runOnly": {"type": "rule", "values": COLOURS}})


def run(page: Any, options: dict[str, Any]) -> list[str]:
    if not page.evaluate("'axe' in window"):
        page.evaluate(script())
    options |= {"resultTypes": ["violations"], "preload": False}  # no rule of ours reads the style sheets
    if not violations(page, options | {"selectors": False}):  # which take a third of the time
        return []
    found = violations(page, options)
    return [f"{fault['id']}: {[place['target'] for place in fault['nodes'][:3]]}" for fault in found]


def violations(page: Any, options: dict[str, Any]) -> list[dict[str, Any]]:
    """Read at the end of the page: what sticks to the foot of the window covers no part of a control there."""
    return page.evaluate(AT_THE_END, options)


@cache
def script() -> str:
    return (Path(axe_playwright_python.__file__).parent / "axe.min.js").read_text(encoding="utf-8")
