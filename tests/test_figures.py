"""Every measured figure in README and docs comes from a stored result, and every setting there is that of the code."""

import importlib
import re
from pathlib import Path
from typing import Any

import pytest
from calibration_report import read_groups
from commands import mulligan
from figures import MEASURES
from figures_kept import kept
from figures_report import PARTS, pages
from strength_report import read_pieces

ROOT = Path(__file__).parents[1]
PAGES = sorted([*ROOT.glob("README*.md"), *(ROOT / "docs").glob("*.md")])
# Written from other results, and compared with them in test_strength.py and test_calibration.py.
WRITTEN = ("docs/strength.md", "docs/strength-tables.md")
PART = re.compile(r"<!-- (?!end)([\w.()]+) -->(.*?)<!-- end -->", re.S)
SETTING = re.compile(r"<!-- (\w+\.[\w.()]+) -->(.*?)<!-- end -->", re.S)

NUMBER = r"[+−~]?\d(?:[\d,.]*\d)?"
RANGE = rf"{NUMBER}(?:(?:[–-]| to | or | and | bis | à |〜){NUMBER})?"
TIMES = "µs|ns|ms|s|seconds?|min|minutes?|h|hours?|days?|Sekunden?|Minuten?|Stunden?|secondes?|heures?|秒|分間?|時間"
SIZES = "[kKMGT]i?B|bytes|octets"
AMOUNTS = "strokes?|coups|Schläge|holes|games|matches|moves|positions|playouts|rows|entries|MHz|GHz"
RATES = r"(?:[\w-]+ )?(?:[\w-]+ )?(?:a|per) (?:second|minute|hour|day|core|CPU-second)"
RATIOS = r"%|percent|per cent|Prozent|times|-?fold|fois|倍|[x×](?! ?\d)"
FRACTIONS = "half|twice|(?:a|one|two|three|several) (?:third|quarter|fifth|tenth|twentieth|thirds|quarters|tenths)"
CHANGES = "as (?:long|fast|slow|much|many|large|big|small|often)|longer|shorter|faster|slower|larger|smaller|less|more"
FIGURE = re.compile(
    rf"{NUMBER} ?± ?{NUMBER}"
    rf"|{RANGE}k?[ \u00a0]?(?:thousand |million )?(?:{TIMES}|{SIZES}|{AMOUNTS}|{RATES}|{RATIOS})(?![\w²³])"
    rf"|[×x] ?{NUMBER}(?![\w⁰-⁹])(?<![×x]\d)(?<![×x]\d\d)"
    rf"|\bp(?:50|9\d)\b|\d\d(?:th|st|nd|rd) percentile"
    rf"|\b\d[\d,]* of (?:the )?\d[\d,]*\b"
    rf"|(?<=\| )[+−~]?\d[\d,]*\.\d+(?= \|)"
    rf"|\b(?:{FRACTIONS}|(?:two|three|four|five|six|ten|twenty|forty|hundred) times) (?:{CHANGES})\b"
    rf"|\d+\.\d\d+ (?:to|→|and|or|against|instead of|before) \d+\.\d\d+"
    rf"|\b(?:third|quarter|fifth|tenth|twentieth|hundredth)s? of an? (?:second|minute|hour|stroke|core)\b"
)
LEVEL_OF_CONFIDENCE = r"95 %(?=\s(?:confidence )?(?:intervals?|quantile))"
CODE = r"^ *```.*?^ *```|`[^`\n]*`"  # what commands print is compared with them below, and in test_docs.py
FACTORS = {
    "µs": 1e-6, "ms": 1e-3, "minutes": 60, "hours": 3600, "days": 86400, "kB": 1e3, "MB": 1e6, "GB": 1e9, "%": 0.01,
}  # fmt: skip


@pytest.mark.parametrize("page", sorted(PARTS))
def test_a_page_is_what_the_script_writes(page: str) -> None:
    assert (ROOT / page).read_text(encoding="utf-8") == pages(kept())[page], "run python bench/figures.py --report"


def test_every_result_says_where_it_comes_from() -> None:
    for name, result in kept().items():
        assert all(result[key] for key in ("machine", "commit", "command", "figures")), name
    assert kept().keys() >= MEASURES.keys()
    assert all(result["commit"] for result in [*read_pieces(), *read_groups()])


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_a_figure_on_a_page_is_in_a_stored_result(page: Path) -> None:
    """Written by a script, quoted from a page that is, or a setting between marks that name it.

    A new one: measure it in bench/figures.py, and let bench/figures_play.py or figures_servers.py write it.
    """
    if page.relative_to(ROOT).as_posix() not in WRITTEN:
        assert sorted(set(figures_in(PART.sub("", page.read_text(encoding="utf-8")))) - quotable()) == []


@pytest.mark.parametrize(
    "text",
    [
        "12 seconds", "5 s", "0.3 µs", "2.3 minutes", "3 h", "1–2 minutes", "10 to 20 ms", "1,5 Sekunden", "1〜2分",
        "half as long", "a third faster", "twice as fast", "1.4 times", "ten times as long", "× 2", "5x", "3.4×",
        "20 fois", "3倍", "a twentieth of a second", "17 of 20", "17 of the 20", "94.3 % (91–97)", "~40 %", "p95",
        "the 97th percentile", "12 MB", "3 GiB", "45,000 holes", "6.9 strokes", "196 moves per second", "5k moves",
        "24 million moves per second", "+0.2 ± 0.2", "| 1.56 |", "0.29 to 0.26",
    ],
)  # fmt: skip
def test_a_measured_figure_is_found_in_any_form(text: str) -> None:
    assert figures_in(f"It took {text} here.")


@pytest.mark.parametrize(
    "text", ["rule 5.1", "100 points", "`S7>b2x9`", "2.6 × 10⁹", "Python 3.11", "a 95 % interval", "| 1009 |"]
)
def test_what_nobody_measured_is_none(text: str) -> None:
    assert figures_in(f"See {text} here.") == []


def figures_in(text: str) -> list[str]:
    """The measured figures, without their sign."""
    plain = re.sub(rf"{CODE}|{LEVEL_OF_CONFIDENCE}", "", text, flags=re.S | re.M)
    plain = re.sub(r"\n(?![\n|])", " ", plain)  # a figure may end on the next line
    return [figure.lstrip("+") for figure in FIGURE.findall(plain)]


def quotable() -> set[str]:
    """The figures that scripts have written anywhere."""
    whole = [(ROOT / name).read_text(encoding="utf-8") for name in WRITTEN]
    parts = [
        part
        for page in PAGES
        for name, part in PART.findall(page.read_text(encoding="utf-8"))
        if not SETTING.match(f"<!-- {name} --><!-- end -->")
    ]
    return {figure for text in [*whole, *parts] for figure in figures_in(text)}


SETTINGS = [
    (page.name, name, text) for page in PAGES for name, text in SETTING.findall(page.read_text(encoding="utf-8"))
]


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_no_line_of_a_paragraph_begins_with_a_mark(page: Path) -> None:
    """There Markdown ends the paragraph, and shows the rest of the line as it is written, links too."""
    assert re.findall(r"(?<=\S\n) *<!-- .*", page.read_text(encoding="utf-8")) == []


@pytest.mark.parametrize(("page", "name", "text"), SETTINGS)
def test_a_setting_on_a_page_is_that_of_the_code(page: str, name: str, text: str) -> None:
    """`<!-- server.web.sockets.LARGEST -->4,096 bytes<!-- end -->`: a constant, in seconds, hours or bytes."""
    number, _, unit = text.partition(" ")
    told = float(number.replace(",", ""))
    in_seconds = told * FACTORS.get(unit, 1)
    assert value_of(name) in (told, pytest.approx(in_seconds), pytest.approx(in_seconds / 3600))


def value_of(name: str) -> Any:
    """The constant of that name in `mulligan`, also an attribute, an item or what a function gives: `truncated(2)`."""
    first, *rest = name.split(".")
    found: Any = importlib.import_module(f"mulligan.{first}")
    for step in rest:
        called = re.fullmatch(r"(\w+)\((\d+)\)", step)
        if called:
            found = getattr(found, called[1])(int(called[2]))
        elif isinstance(found, dict):
            found = found[step]
        elif not hasattr(found, step):
            found = importlib.import_module(f"{found.__name__}.{step}")
        else:
            found = getattr(found, step)
    return found


def test_the_exact_gain_on_the_page_of_tournaments_is_what_the_command_prints() -> None:
    shown = (ROOT / "docs/arena.md").read_text(encoding="utf-8")
    command, printed = re.findall(r"^\$ mulligan (exploit .*--exact)\n(.*\n)", shown, re.M)[0]
    assert mulligan(*command.split(), cwd=ROOT).stdout == printed


def test_the_games_on_the_page_of_clusters_are_those_of_one_machine() -> None:
    """A cluster plays the same games, so its table can be had without one. The time is left out."""
    shown = (ROOT / "docs/many-machines.md").read_text(encoding="utf-8")
    command, printed = re.findall(r"^\$ mulligan (simulate [^\n]*?) --on \S+\n(.*?)…$", shown, re.M | re.S)[0]
    lines = mulligan(*command.split(), cwd=ROOT).stdout.splitlines()
    assert "\n".join(line.rstrip() for line in lines).startswith(printed)
