"""Provides the texts for people in each language, from the messages of the browser client (web/messages)."""

import json
import os
import re
from collections.abc import Mapping, Sequence
from functools import cache, reduce
from pathlib import Path
from typing import TYPE_CHECKING, Any

from .rulebook import LANGUAGES
from .safe_text import printable
from .typed_text import word

if TYPE_CHECKING:
    from .facts import GameFacts  # needs the engine, which a page of help does not

INSTALLED = Path(__file__).parent / "messages"
IN_CHECKOUT = Path(__file__).parents[3] / "web" / "messages"
# The browser has no "terminal".
FOLDERS = (".", "table", "coach", "reasons", "cardboard", "pad", "house_options", "terminal")

PLACEHOLDER = re.compile(r"\{(\w+)\}")
PLURAL = re.compile(r"local (\w+) = (\w+): plural( minimumFractionDigits=1)?")
SETTINGS = ("LC_ALL", "LC_MESSAGES", "LANG")


class LanguageError(ValueError):
    """An unsupported language."""


class Words:
    """One language. A call with a key returns that message with its parameters filled in."""

    def __init__(self, language: str) -> None:
        self.language = language
        self.messages = read(language)

    def __call__(self, key: str, /, **filled: str | int | float) -> str:
        message = self.messages[key]
        text = message if isinstance(message, str) else self.choose(message[0], filled)
        return PLACEHOLDER.sub(lambda found: str(filled[found[1]]), text)

    def choose(self, message: dict[str, Any], filled: Mapping[str, str | int | float]) -> str:
        """Returns the form whose conditions match, such as `countPlural=one` or `face=K`. Raises KeyError."""
        values = {name: str(value) for name, value in filled.items()}
        for declaration in message["declarations"]:
            if found := PLURAL.fullmatch(declaration):
                values[found[1]] = plural(self.language, float(filled[found[2]]), has_decimals=bool(found[3]))
        for conditions, text in message["match"].items():
            pairs = [condition.split("=") for condition in conditions.split(", ")]
            if all(wanted in ("*", values[name]) for name, wanted in pairs):
                return str(text)
        raise KeyError(conditions)

    def face(self, face: str) -> str:
        """Returns the name of a card: “7”, “king”."""
        return self("table_face", face=minus(symbol(face)))

    def faces(self, face: str) -> str:
        """Returns the plural of a card's name, such as “kings”."""
        return self("table_faces", face=minus(symbol(face)))

    def the_face(self, face: str) -> str:
        """Returns a card's name with its article: “the 7”, “den König”."""
        return self("table_the_face", face=minus(symbol(face)))

    def game(self, facts: "GameFacts") -> str:
        """Returns the title of a game."""
        return facts.title_in(self.language)

    def points(self, points: int) -> str:
        """Returns points with their unit: “12 points”."""
        return self("table_points", count=abs(points), points=minus(points))

    def decimal(self, value: float, digits: int = 1) -> str:
        """Returns a number with decimals and the language's decimal mark."""
        whole, _, decimals = minus(f"{round(value, digits) or 0:.{digits}f}").partition(".")
        return self("terminal_decimal", whole=whole, decimals=decimals) if decimals else whole

    def listed(self, words: Sequence[str]) -> str:
        """Joins words into a list: “Ann, Ben and Cyd”."""
        if len(words) < 2:
            return "".join(words)
        *others, last = words
        return self("terminal_and", first=self.series(others), last=last)

    def series(self, words: Sequence[str]) -> str:
        """Joins words by commas: “Ann, Ben, Cyd”."""
        return reduce(lambda before, word: self("terminal_comma", first=before, next=word), words)

    def sentences(self, *texts: str) -> str:
        """Joins sentences; adds a full stop to texts without one."""
        ended = [text if text[-1] in ".!?。！？" else self("coach_sentence", text=text) for text in texts]
        return ("" if self.language == "ja" else " ").join(ended)


@cache
def read(language: str) -> dict[str, Any]:
    folder = INSTALLED if INSTALLED.is_dir() else IN_CHECKOUT
    found: dict[str, Any] = {}
    for name in FOLDERS:
        found |= json.loads((folder / name / f"{language}.json").read_text(encoding="utf-8"))
    return found


def plural(language: str, count: float, has_decimals: bool = False) -> str:
    """Returns the CLDR plural category; for French “many” (millions) returns “other”, which is spelt the same."""
    if language == "ja":
        return "other"
    if language == "fr":
        return "one" if abs(count) < 2 else "other"
    return "one" if count == 1 and not has_decimals else "other"


def symbol(face: str) -> str:
    """Returns the name of a face in the messages: “joker” for `*`, else the face."""
    return "joker" if face == "*" else face


def minus(number: int | str) -> str:
    """Returns a number with a real minus sign."""
    return str(number).replace("-", "−")


def speak(language: str | None = None) -> Words:
    """Returns the words of a language; without one, of the system's language. Raises LanguageError."""
    if language is None:
        language = system_language(os.environ)
    elif named := language_of(language):
        language = named
    else:
        ours = Words(system_language(os.environ))
        raise LanguageError(
            ours("terminal_no_language", language=printable(language), languages=ours.series(LANGUAGES))
        )
    return Words(language)


def system_language(environment: Mapping[str, str]) -> str:
    """Returns the language of the system's locale, or English if it is unsupported."""
    locale = next((environment[name] for name in SETTINGS if environment.get(name)), "")
    return language_of(locale) or "en"


def language_of(tag: str) -> str | None:
    """Returns the supported language that a tag names, such as `de`, `DE` or `de_DE.UTF-8`, or None."""
    language = re.split("[^a-z]", word(tag))[0]
    return language if language in LANGUAGES else None
