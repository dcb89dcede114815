"""The manual in a browser: it keeps the app's own policy, asks nobody else, searches and turns dark."""

import io
import re
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import axe
import pytest
from conftest import CLIENT, Visit
from pypdf import PdfReader
from served import served
from visiting import DESK, PHONE, overhang

sys.path.insert(0, str(Path(__file__).parents[1]))

from manuals import built_manual

THEIRS = {"landmark-unique", "empty-table-header"}  # blocks of code share a label; tables may have an empty corner
SEARCHS = {"label-content-name-mismatch", "scrollable-region-focusable"}  # its list scrolls by the arrow keys alone


@pytest.fixture(scope="session")
def manual(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """The address of a server that has the manual."""
    built = built_manual(tmp_path_factory)
    with served(tmp_path_factory.mktemp("games"), CLIENT, manual=built) as config:
        yield f"http://127.0.0.1:{config.port}"


def faults(page: Any) -> set[str]:
    """What axe finds and the generator does not do of itself."""
    return {fault for fault in axe.faults(page) if fault.partition(":")[0] not in THEIRS}


@pytest.mark.parametrize("path", ["index.html", "library.html", "strength.html", "fr/rulebook.html"])
def test_a_page_has_no_faults_and_asks_nobody_else(visit: Visit, manual: str, path: str) -> None:
    for screen, scheme in ((PHONE, "light"), (DESK, "dark")):
        page = visit(f"/docs/{path}", base=manual, viewport=screen, dark=scheme == "dark")
        page.wait_for_load_state("networkidle")
        assert faults(page) == set()
        assert page.evaluate("getComputedStyle(document.body).colorScheme") == scheme
        assert overhang(page) <= 0
    assert visit.complaints == []  # type: ignore[attr-defined]


def test_a_word_is_found_and_its_page_opens(visit: Visit, manual: str) -> None:
    page = visit("/docs/guide.html", base=manual, viewport=DESK)
    page.get_by_role("button", name="Search").click()
    page.keyboard.type("joker")
    result = page.get_by_role("option").or_(page.locator("dialog ol > li > a")).first
    result.wait_for()
    assert "joker" in result.inner_text().lower()
    assert {fault.partition(":")[0] for fault in faults(page)} <= SEARCHS
    page.keyboard.press("Enter")
    page.wait_for_url("**/docs/rulebook.html**")
    assert visit.complaints == []  # type: ignore[attr-defined]


@pytest.mark.parametrize(("word", "leads_to"), [("print", "guide.html"), ("statistics", "guide.html")])
def test_the_search_leads_to_what_explains_a_word(visit: Visit, manual: str, word: str, leads_to: str) -> None:
    """The pages that name everything are left out of it."""
    page = visit("/docs/", base=manual, viewport=DESK)
    page.get_by_role("button", name="Search").click()
    page.keyboard.type(word)
    page.locator("dialog ol > li > a").first.wait_for()
    found = page.locator("dialog ol > li > a").evaluate_all("links => links.map(link => link.href)")
    assert leads_to in found[0]
    assert not any(name in link for link in found for name in ("decisions.html", "changelog.html"))


@pytest.mark.parametrize("path", ["rulebook/nine_card.html", "fr/rulebook/eight_card.html"])
def test_the_rules_of_a_game_take_two_pages_of_paper(visit: Visit, manual: str, path: str) -> None:
    page = visit(f"/docs/{path}", base=manual, viewport=DESK)
    sheets = [sheet.extract_text() for sheet in PdfReader(io.BytesIO(page.pdf(format="A4"))).pages]
    assert [bool(re.search(r"^6\.1 ", sheet, re.M)) for sheet in sheets[:2]] == [False, True]
    assert len(sheets) <= 4  # with the rulings


def test_the_switch_turns_it_dark_for_good(visit: Visit, manual: str) -> None:
    page = visit("/docs/", base=manual, viewport=DESK)
    scheme = "document.body.getAttribute('data-md-color-scheme')"
    for name in ("Light", "Dark"):
        page.locator(f"label[title='{name}']").click()
    assert page.evaluate(scheme) == "slate"
    page.goto("/docs/guide.html")
    assert page.evaluate(scheme) == "slate"
    assert visit.complaints == []  # type: ignore[attr-defined]


def test_the_start_page_leads_to_it_in_the_readers_language(visit: Visit, manual: str) -> None:
    page = visit("/", base=manual, language="de")
    page.get_by_role("link", name="Handbuch").click()
    page.wait_for_url("**/docs/de/")
    assert page.evaluate("document.documentElement.lang") == "de"
    page.get_by_role("button", name="Sprache").hover()
    page.get_by_role("link", name="日本語").click()
    page.wait_for_url("**/docs/ja/index.html")
