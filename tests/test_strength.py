"""The pages on strength are what the script writes from the stored results."""

from pathlib import Path

import pytest
from strength_report import pages, read_pieces

ROOT = Path(__file__).parents[1]
PAGES = ("strength.md", "strength-tables.md", "pictures/strength.svg")


@pytest.fixture(scope="module")
def written() -> dict[str, str]:
    return pages(read_pieces())


def test_these_are_all_the_pages(written: dict[str, str]) -> None:
    assert set(written) == set(PAGES)


@pytest.mark.parametrize("name", PAGES)
def test_a_page_is_what_the_script_writes(written: dict[str, str], name: str) -> None:
    stored = (ROOT / "docs" / name).read_text(encoding="utf-8")
    assert stored == written[name], "run python bench/strength.py --report"
