"""The page that prints score cards, and the card of a finished match."""

import io
from pathlib import Path
from typing import Any

import pytest
from conftest import Visit
from pypdf import PdfReader
from reading import check, every_language
from visiting import DESK, PHONE, SMALL, messages

WORDS = messages("en")


def drawn(page: Any) -> Any:
    """The picture of the card, once it is there."""
    picture = page.locator(".sheet:not(.busy) img")
    picture.wait_for()
    page.wait_for_function("image => image.naturalWidth > 0", arg=picture.element_handle())
    return picture


def downloaded(page: Any, name: str) -> str:
    """What stands in the PDF that a link downloads."""
    with page.expect_download() as download:
        page.get_by_role("link", name=name, exact=True).click()
    (sheet,) = PdfReader(io.BytesIO(Path(download.value.path()).read_bytes())).pages
    return sheet.extract_text()


def test_a_card_is_chosen_looked_at_and_downloaded(visit: Visit) -> None:
    page = visit("/card", viewport=PHONE)
    first = drawn(page).get_attribute("src")
    page.get_by_label("Nine-card golf", exact=True).check()
    page.get_by_role("button", name=WORDS["start_fewer"]).click()
    for line, name in enumerate(("Ann #1", "佐藤花子", "Cyd"), 1):
        page.get_by_label(WORDS["card_name_of"].format(line=line)).fill(name)
    page.get_by_label(WORDS["card_dealer"]).select_option("1")
    page.get_by_label("Deutsch", exact=True).check()
    assert page.get_by_role("radio", name="B D K").is_checked()
    page.get_by_role("radio", name="V D R").check()
    page.get_by_label(WORDS["card_letter"], exact=True).check()
    page.locator(".sheet:not(.busy) img[src*='nine_card'][src*='language=de'][src*='court=VDR']").wait_for()
    assert drawn(page).get_attribute("src") != first
    text = downloaded(page, WORDS["card_download"])
    assert not {"B", "K"} & set(text.split())
    for expected in ("Neun-Karten-Golf", "V", "R", "1 Ann #1", "2 佐藤花子", "3 Cyd", "Gesamt"):
        assert expected in text


def test_names_and_choices_are_remembered(visit: Visit) -> None:
    page = visit("/card")
    page.get_by_label(WORDS["card_name_of"].format(line=1)).fill("Ann")
    page.get_by_role("button", name=WORDS["start_more"]).click()
    page.reload()
    assert page.get_by_label(WORDS["card_name_of"].format(line=1)).input_value() == "Ann"
    assert page.locator("ol input").count() == 5


@pytest.mark.parametrize(
    ("locale", "paper"), [("en-US", "card_letter"), ("fr-CA", "card_letter"), ("en-GB", "card_a4")]
)
def test_the_paper_is_that_of_the_country(visit: Visit, locale: str, paper: str) -> None:
    page = visit("/card", language=locale)
    assert page.get_by_label(messages(locale[:2])[paper], exact=True).is_checked()


def test_where_nothing_can_be_drawn_it_says_so_and_tries_again(visit: Visit) -> None:
    page = visit("/")
    page.route("**/picture?*", lambda route: route.abort())
    page.goto("/card")
    page.get_by_text(WORDS["card_failed"]).wait_for()
    page.unroute("**/picture?*")
    page.get_by_role("button", name=WORDS["card_again"]).click()
    drawn(page)


@every_language(small=SMALL, phone=PHONE, desk=DESK)
def test_the_page_is_in_order_in_every_language(visit: Visit, language: str, viewport: dict[str, int]) -> None:
    page = visit("/card", language=language, viewport=viewport)
    drawn(page)
    page.get_by_label(messages(language)["card_name_of"].format(line=1)).fill("Ann")
    page.get_by_label(messages(language)["card_dealer"]).wait_for()
    check(page, language=language)


def test_everything_can_be_reached_with_the_keyboard_alone(visit: Visit) -> None:
    page = visit("/card", viewport=DESK)
    drawn(page)
    reached = set()
    for _ in range(25):
        page.keyboard.press("Tab")
        reached.add(page.evaluate("document.activeElement.tagName + document.activeElement.textContent.trim()"))
    assert {f"A{WORDS['card_download']}", f"A{WORDS['card_open']}"} <= reached


@pytest.mark.parametrize("language", ["en", "ja"])
def test_a_finished_game_has_its_card(visit: Visit, finished: dict[str, Any], language: str) -> None:
    page = visit(f"/g/{finished['game']}#story", language=language)
    page.get_by_text(messages(language)["table_act_more"], exact=True).click()
    link = page.get_by_role("link", name=messages(language)["card_of_game"], exact=True)
    link.wait_for()
    answer = page.request.get(link.get_attribute("href"))
    (sheet,) = PdfReader(io.BytesIO(answer.body())).pages
    totals = page.request.get(f"/api/games/{finished['game']}").json()["totals"]
    text = sheet.extract_text()
    assert {"en": "Nine-card golf", "ja": "ナインカードゴルフ"}[language] in text
    assert all(str(total).replace("-", "−") in text.split() for total in totals)
