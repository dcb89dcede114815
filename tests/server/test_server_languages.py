"""What the server itself says to people comes in their language."""

import json
import re
import string
from html import unescape

import pytest
from translations import WEB

from mulligan.game import rulebook
from mulligan.scorecard import card_words
from mulligan.server.web.languages import FOLDER, LANGUAGES, preferred, words


@pytest.mark.parametrize(
    ("header", "language"),
    [
        ("fr-CA,fr;q=0.9,en;q=0.8", "fr"),
        ("en;q=0.2, de;q=0.7", "de"),
        ("es, pt;q=0.9, ja;q=0.1", "ja"),
        ("DE-ch-1996 ; q=0.5 , en;q=0.4", "de"),
        ("de;q=0, fr;q=0.5", "fr"),
        ("fr;q=0", "en"),
        ("en;q=0, *", "de"),
        ("*, ja;q=0.5", "en"),
        ("", "en"),
        ("fr;q=nan, de;q=0.1", "de"),
        ("fr;q=2, ;;,=, ja", "ja"),
        ("x" * 100_000 + ",fr", "en"),
    ],
)
def test_the_language_that_is_wanted_most(header, language):
    assert preferred(header) == language


def test_without_a_wish_the_usual_language():
    assert [preferred(header, "ja") for header in ("", "es", "*", "fr")] == ["ja", "ja", "ja", "fr"]


def test_every_list_of_languages_has_each_of_them():
    listed = {"texts of the server": LANGUAGES, "words of the card": card_words.LANGUAGES}
    for settings in WEB.glob("*.inlang/settings.json"):
        listed[settings.parent.name] = json.loads(settings.read_text(encoding="utf-8"))["locales"]
    for english in WEB.glob("messages/**/en.json"):
        listed[f"messages/{english.parent.name}"] = [file.stem for file in english.parent.glob("*.json")]
    assert len(listed) > 10
    every = {*rulebook.LANGUAGES}
    assert {name: every.symmetric_difference(its) for name, its in listed.items() if every != {*its}} == {}


def test_every_language_has_every_text_with_the_same_things_filled_in():
    def filled(language):
        parts = {key: string.Formatter().parse(text) for key, text in words(language).items()}
        return {key: {name for _, name, *_ in found if name is not None} for key, found in parts.items()}

    for language in LANGUAGES:
        assert json.loads((FOLDER / f"{language}.json").read_text(encoding="utf-8")) == words(language)
        assert all(words(language).values())
        assert filled(language) == filled("en")


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_refusal_is_a_page_in_the_visitors_language(ann, language):
    name = "<b>&.example"
    page = ann.http.get("/t/ABC", headers={"host": name, "accept-language": f"{language}-XX, en;q=0.5"})
    assert page.status_code == 421
    assert (page.headers["content-language"], page.headers["vary"]) == (language, "accept-language")
    assert page.headers["content-type"] == "text/html; charset=utf-8"
    assert page.headers["cache-control"] == "no-store"
    assert f'<html lang="{language}">' in page.text
    assert [unescape(text) for text in re.findall("<p>(.*?)</p>", page.text)] == [
        words(language)["wrong_host"].format(host=name),
        words(language)["wrong_host_owner"],
    ]
    assert name not in page.text
