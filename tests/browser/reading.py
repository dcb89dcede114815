"""Reading a page as it is now: its words, its width, and what axe finds."""

import os
from typing import Any

import pytest
from axe import faults, faults_of_colour
from visiting import LANGUAGES, faults_of_wording, overhang, recolour

LONGEST = "de"
EVERY_SCREEN = bool(os.environ.get("MULLIGAN_EVERY_SCREEN"))  # set by `make torture`


def every_language(**screens: dict[str, int]) -> Any:
    """Runs a test in each language on the first of the screens, the smallest, where words run out of room first.

    On the others it runs in the language with the longest words; with MULLIGAN_EVERY_SCREEN in all of them.
    """
    smallest = next(iter(screens))
    return pytest.mark.parametrize(
        ("language", "viewport"),
        [
            pytest.param(language, viewport, id=f"{language}-{screen}")
            for language in LANGUAGES
            for screen, viewport in screens.items()
            if screen == smallest or language == LONGEST or EVERY_SCREEN
        ],
    )


def check(page: Any, name: str = "the page", language: str = "en") -> None:
    """Finds nothing wrong with the page, light or dark; afterwards it is light.

    Axe is slow, and colours and structure are the same in every language: with MULLIGAN_EVERY_SCREEN it reads all.
    """
    assert faults_of_wording(page, language) == [], name
    assert overhang(page) <= 0, name
    if language == LONGEST or EVERY_SCREEN:
        assert faults(page) == [], name
        recolour(page, "dark")
        assert faults_of_colour(page) == [], f"{name}, dark"
        recolour(page, "light")
