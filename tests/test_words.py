"""The words a user reads: one word for one thing, as docs/glossary.md has it, and the typography of each language."""

import json
import re
from pathlib import Path

import pytest

from mulligan.game import variants

ROOT = Path(__file__).parents[1]
LANGUAGES = ("en", "fr", "de", "ja")
GLOSSARY = ROOT / "docs" / "glossary.md"
STRUCK = re.compile(r"~~(.+?)~~")
CODE = re.compile(r"`[^`]*`|<!-- [^>]* -->")
EVERYWHERE = {
    "ASCII quotation mark or apostrophe": r"[\"']",
    "three dots": r"\.\.\.",
    "hyphen as minus": r"(?<![\w\-/])-(?=\d)",
    "space at the end of a line": r"[ \u00a0]$",
    "two spaces": r"  ",
}
TYPOGRAPHY = {
    "en": {"space before an ellipsis": r"(?<=\w)[ \u00a0]…", "space before a mark": r"[ \u00a0\u202f][:;?!]"},
    "fr": {
        "no U+00A0 before a mark": r"(?<![\u00a0\u202f?!])[;?!»]|(?<![\u00a0\u202f]):",
        "no U+00A0 after «": r"«(?![\u00a0\u202f])",
        "space before an ellipsis": r"(?<=\w)[ \u00a0]…",
    },
    "de": {"space before a mark": r"[ \u00a0\u202f][:;?!]"},
    "ja": {"half-width mark": r"[:;?!](?![\w/])|(?<!\d),"},
}


def leaves(value: object) -> list[str]:
    """The texts of one message: itself, or all its plural forms."""
    if isinstance(value, str):
        return [value]
    assert isinstance(value, list)
    return [text for one in value for text in one["match"].values()]


def texts(language: str) -> list[tuple[str, str]]:
    """Every text a user reads in a language, with where it is; without pieces of code."""
    folders = [
        ROOT / "web" / "messages",
        *sorted((ROOT / "web" / "messages").glob("*/")),
        ROOT / "src/mulligan/scorecard/words",
        ROOT / "src/mulligan/server/web/words",
    ]
    found = []
    for folder in folders:
        file = folder / f"{language}.json"
        for key, value in json.loads(file.read_text(encoding="utf-8")).items():
            if key != "$schema":
                found += [(f"{file.relative_to(ROOT)} {key}", text) for text in leaves(value)]
    for name in variants.names():
        facts = variants.load(name).facts
        found += [(f"title of {name}", facts.title_in(language)), (f"of {name}", facts.descriptions[language])]
    book = ROOT / "docs" / "rulebook" / f"{language}.md"
    for number, line in enumerate(book.read_text(encoding="utf-8").splitlines(), 1):
        found.append((f"{book.relative_to(ROOT)}:{number}", CODE.sub("`", line)))
    return found


def glossary() -> dict[str, list[str]]:
    """The words no text may have, by language: those struck out in the first table."""
    table = GLOSSARY.read_text(encoding="utf-8").split("\n## ")[0]
    rows = [line.strip("|").split("|") for line in table.splitlines() if line.startswith("| ")]
    return {
        language: [word for row in rows for word in STRUCK.findall(row[column])]
        for column, language in enumerate(LANGUAGES, 1)
    }


def pattern(word: str) -> str:
    """Finds a word of the glossary; a Japanese one also inside a longer run of characters."""
    found = re.escape(word).replace(r"\*", r"\w*")
    return found if re.search(r"[\u3040-\u9fff]", word) else rf"(?<!\w){found}(?!\w)"


def faults(language: str, patterns: dict[str, str]) -> list[str]:
    return [
        f"{where}: {what}: {text[max(0, hit.start() - 20) : hit.end() + 20]}"
        for where, text in texts(language)
        for what, one in patterns.items()
        if (hit := re.search(one, text, re.IGNORECASE))
    ]


@pytest.mark.parametrize("language", LANGUAGES)
def test_each_thing_has_one_word(language: str) -> None:
    assert faults(language, {f"not “{word}”": pattern(word) for word in glossary()[language]}) == []


def test_the_glossary_strikes_words_out() -> None:
    assert len(glossary()["en"]) > 3


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_typography_is_that_of_the_language(language: str) -> None:
    assert faults(language, EVERYWHERE | TYPOGRAPHY[language]) == []


def test_a_struck_word_is_found_with_its_endings() -> None:
    assert re.search(pattern("throw* away"), "She throws away a 7")
    assert not re.search(pattern("thrown"), "overthrown")
    assert re.search(pattern("手札"), "その手札を")
