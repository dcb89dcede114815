"""Every measured figure in README and docs comes from a stored result."""

import json
import re
from pathlib import Path

import pytest
from commands import mulligan
from figures import MEASURES, kept, pages

ROOT = Path(__file__).parents[1]
PAGES = sorted([*ROOT.glob("README*.md"), *(ROOT / "docs").glob("*.md")])
# Written from other results, and compared with them in test_strength.py and test_calibration.py.
WRITTEN = ("docs/strength.md", "docs/strength-tables.md")
NUMBER = r"[+−~]?\d(?:[\d,.]*\d)?"
UNITS = r"µs|ms|MB|GB|kB|%|times (?:as|narrower|faster|slower)|seconds on|(?:\w+ )?(?:\w+ )?(?:a|per) (?:second|minute)"
FIGURE = re.compile(rf"{NUMBER} ± {NUMBER}|{NUMBER}[ \u00a0]?(?:thousand |million )?(?:{UNITS})(?!\w)")
EARLIER = json.loads((ROOT / "docs/earlier_figures.json").read_text(encoding="utf-8"))


@pytest.mark.parametrize("page", sorted(pages(kept())))
def test_a_page_is_what_the_script_writes(page: str) -> None:
    assert (ROOT / page).read_text(encoding="utf-8") == pages(kept())[page], "run python bench/figures.py --report"


def test_every_result_says_where_it_comes_from() -> None:
    for name, result in kept().items():
        assert all(result[key] for key in ("machine", "commit", "command", "figures")), name
    assert kept().keys() >= MEASURES.keys()


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_a_figure_on_a_page_is_in_a_stored_result(page: Path) -> None:
    """Written by a script, quoted from a page that is, or among those published before results were kept.

    A new one: measure it in bench/figures.py, and let that write it.
    """
    name = page.relative_to(ROOT).as_posix()
    if name not in WRITTEN:
        known = {figure for entry in EARLIER.get(name, []) for figure in entry["figures"]}
        assert sorted(set(figures_in(page)) - known - quotable()) == []


def figures_in(page: Path) -> list[str]:
    """The measured figures outside the parts that scripts write."""
    text = page.read_text(encoding="utf-8")
    return FIGURE.findall(re.sub(r"<!-- (?!end)\w+ -->.*?<!-- end -->", "", text, flags=re.S))


def quotable() -> set[str]:
    """The figures that scripts have written anywhere."""
    whole = [(ROOT / name).read_text(encoding="utf-8") for name in WRITTEN]
    texts = [page.read_text(encoding="utf-8") for page in PAGES]
    parts = [part for text in texts for part in re.findall(r"<!-- (?!end)\w+ -->(.*?)<!-- end -->", text, re.S)]
    return {figure for text in [*whole, *parts] for figure in FIGURE.findall(text)}


def test_the_exact_gain_on_the_page_of_tournaments_is_what_the_command_prints() -> None:
    shown = (ROOT / "docs/arena.md").read_text(encoding="utf-8")
    command, printed = re.findall(r"^\$ mulligan (exploit .*--exact)\n(.*\n)", shown, re.M)[0]
    assert mulligan(*command.split(), cwd=ROOT).stdout == printed
