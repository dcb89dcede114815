"""A phone in the home network: the server has a name and no HTTPS, the browser can do less, and the page says so."""

import json
from pathlib import Path
from typing import Any

import pytest
from conftest import Visit
from test_browser_pad import Pad
from test_browser_pages import invite
from visiting import LANGUAGES, PAGES, messages, tee_off, turn_to, words_of

WORDS = messages("en")
PROMISES = {
    language: (messages(language)["pad_offline"], messages(language)["start_pad_what"]) for language in LANGUAGES
}


def test_every_page_works_and_promises_nothing_it_cannot_keep(
    visit: Visit, home: str, finished: dict[str, Any]
) -> None:
    page = visit(base=home, installed=True)
    assert page.evaluate("isSecureContext || 'serviceWorker' in navigator || !!crypto.subtle") is False
    for path in PAGES:
        turn_to(page, path.format(**finished))
        assert not [promise for promise in PROMISES["en"] if promise in words_of(page)], path
    turn_to(page, f"/g/{finished['game']}/check")
    page.locator(".verdict.good").wait_for()


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_pad_says_what_it_cannot_do_here_and_saves_a_file(
    visit: Visit, home: str, language: str, tmp_path: Path
) -> None:
    words = messages(language)
    page = visit("/pad", base=home, language=language)
    page.get_by_text(words["pad_plain"]).wait_for()
    assert not [promise for promise in PROMISES[language] if promise in words_of(page)]
    pad = Pad(page, language)
    pad.begin("Ann", "Ben")
    pad.total(7)
    pad.settle()
    page.goto("/pad")
    with page.expect_download() as saved:
        page.get_by_role("button", name=words["pad_save_file"]).click()
    saved.value.save_as(tmp_path / "match.json")
    assert json.loads((tmp_path / "match.json").read_text(encoding="utf-8"))["players"] == ["Ann", "Ben"]


def test_over_a_safe_connection_the_pad_promises_to_work_offline(visit: Visit) -> None:
    page = visit("/pad")
    page.get_by_text(WORDS["pad_offline"]).wait_for()
    assert WORDS["pad_plain"] not in words_of(page)


def test_whoever_loses_the_network_on_the_start_page_is_told_to_leave_it_open(visit: Visit, home: str) -> None:
    page = visit(base=home)
    page.get_by_role("button", name=WORDS["start_play"], exact=True).wait_for()
    page.context.set_offline(True)
    page.get_by_text(WORDS["start_offline_plain"]).wait_for()
    page.context.set_offline(False)


def test_a_link_is_copied_and_a_match_begins(visit: Visit, home: str) -> None:
    page = visit(base=home)
    invite(page)
    page.get_by_role("button", name=WORDS["lobby_copy"]).first.click()
    page.get_by_text(WORDS["lobby_copied"]).wait_for()
    page.get_by_role("button", name="Start with 1 computer player").click()
    tee_off(page)
