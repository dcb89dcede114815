"""Reading a page as it is now: its words, its width, and what axe finds."""

import os
from typing import Any

import pytest
from axe import faults, faults_of_colour
from visiting import DESK, LANGUAGES, faults_of_wording, let_draw, overhang, recolour

LONGEST = "de"
EVERY_SCREEN = bool(os.environ.get("MULLIGAN_EVERY_SCREEN"))  # set by `make torture`


def every_language(**screens: dict[str, int]) -> Any:
    """Runs a test in each language on the first of the screens, the smallest, where words run out of room first.

    With MULLIGAN_EVERY_SCREEN it runs on all of them.
    """
    return pytest.mark.parametrize(
        ("language", "viewport"),
        [
            pytest.param(language, viewport, id=f"{language}-{screen}")
            for language in LANGUAGES
            for screen, viewport in (screens.items() if EVERY_SCREEN else [*screens.items()][:1])
        ],
    )


def check(page: Any, name: str = "the page", language: str = "en") -> None:
    """Finds nothing wrong with the page, light or dark; afterwards it is light and as large as before.

    Axe is slow, and colours and structure are the same in every language: it reads the language with the longest
    words, and this one also in a large window. With MULLIGAN_EVERY_SCREEN it reads all.
    """
    assert faults_of_wording(page, language) == [], name
    assert overhang(page) <= 0, name
    if language == LONGEST or EVERY_SCREEN:
        assert faults(page) == [], name
        recolour(page, "dark")
        assert faults_of_colour(page) == [], f"{name}, dark"
        if not EVERY_SCREEN:
            small = page.viewport_size
            page.set_viewport_size(DESK)
            let_draw(page)
            assert overhang(page) <= 0, f"{name}, large"
            assert faults(page) == [], f"{name}, large and dark"
            page.set_viewport_size(small)
        recolour(page, "light")
