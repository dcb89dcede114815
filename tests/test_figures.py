"""Every measured figure in README and docs comes from a stored result, and every setting there is that of the code."""

import importlib
import json
import re
import subprocess
from pathlib import Path
from shutil import which
from typing import Any

import pytest
from calibration_report import read_groups
from commands import mulligan
from figures import MEASURES
from figures_kept import kept
from figures_report import PARTS, pages
from measured import comments, figures_in
from strength_report import read_pieces

from mulligan.coach import play_better
from mulligan.game import variants

ROOT = Path(__file__).parents[1]
PAGES = sorted([*ROOT.glob("README*.md"), ROOT / "CONTRIBUTING.md", *(ROOT / "docs").glob("*.md")])
# Written from other results, and compared with them in test_strength.py, test_calibration.py, test_course.py and
# test_benchmark.py.
WRITTEN = ("docs/strength.md", "docs/strength-tables.md", "docs/play-better.md")
WRITTEN_ELSEWHERE = {
    "docs/analysis.md": ["near"],
    "docs/benchmark.md": ["benchmark"],
    "docs/calibration-tables.md": ["calibration"],
    "docs/study.md": ["baselines"],
}
PART = re.compile(r"<!-- (?!end)([\w.()]+) -->(.*?)<!-- end -->", re.S)
SETTING = re.compile(r"<!-- (\w+\.[\w.()]+) -->(.*?)<!-- end -->", re.S)

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


def test_each_result_was_measured_at_a_commit_of_the_history() -> None:
    """So that anyone can measure it again. A `+` stands for changes that are not in that commit."""
    if git("rev-parse", "--is-shallow-repository") != "false":
        pytest.skip("This is no clone with its whole history.")
    courses = [play_better.measured(game) for game in variants.games()]
    results = [*kept().values(), *read_pieces(), *read_groups(), *courses]
    history = git("log", "--format=%H").split()
    unknown = {result["commit"] for result in results}
    unknown -= {commit for commit in unknown if any(one.startswith(commit.removesuffix("+")) for one in history)}
    assert unknown == set()


def git(*command: str) -> str:
    if not which("git"):
        return ""
    return subprocess.run(["git", *command], cwd=ROOT, capture_output=True, text=True).stdout.strip()


def test_the_client_has_the_lengths_of_matches_that_were_measured() -> None:
    in_client = json.loads((ROOT / "web/src/golf/lengths.json").read_text(encoding="utf-8"))
    assert in_client == kept()["minutes"]["figures"]
    games = map(variants.load, variants.games())
    assert {game.name: len(game.seats) for game in games} == {
        name: len(of["turns"]) for name, of in in_client["games"].items()
    }


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_a_figure_on_a_page_is_in_a_stored_result(page: Path) -> None:
    """Written by a script between marks, or a setting between marks that name it.

    A new one: measure it in bench/figures.py, and let bench/figures_play.py or figures_servers.py write it.
    """
    if page.relative_to(ROOT).as_posix() not in WRITTEN:
        assert figures_in(without_results(page)) == []


@pytest.mark.long
@pytest.mark.parametrize("folder", ["src", "bench", "tools", "docs/examples"])
def test_no_comment_in_the_code_states_a_figure(folder: str) -> None:
    """It would grow old there. A script that measures it can be named, or a page."""
    found = {
        f"{source.relative_to(ROOT)}: {figure}"
        for source in (ROOT / folder).rglob("*.py")
        for comment in comments(source)
        for figure in figures_in(comment)
    }
    assert sorted(found) == []


@pytest.mark.parametrize(
    "text",
    [
        "12 seconds", "5 s", "0.3 µs", "2.3 minutes", "3 h", "1–2 minutes", "10 to 20 ms", "1,5 Sekunden", "1〜2分",
        "half as long", "a third faster", "twice as fast", "1.4 times", "ten times as long", "× 2", "5x", "3.4×",
        "20 fois", "3倍", "a twentieth of a second", "17 of 20", "17 of the 20", "94.3 % (91–97)", "~40 %", "p95",
        "the 97th percentile", "12 MB", "3 GiB", "45,000 holes", "6.9 strokes", "196 moves per second", "5k moves",
        "24 million moves per second", "+0.2 ± 0.2", "| 1.56 |", "0.29 to 0.26", "a 12-second wait", "12\u202fs",
        "40 \u03bcs", "300 microseconds", "ten seconds", "half an hour", "12 megabytes", "28 million moves/s",
        "`12 ms`", "half the time", "a third of the size", "a factor of three", "17 out of 20", "one in eight moves",
        "34,483 hands",
        "gains 7.23 over it", "| 7,209 |", "| about 35 |", "| 12 (9–14) |", "![It took 12 ms](a.png)", "<td>543",
        "zwölf Sekunden", "doppelt so schnell", "ein Drittel kürzer", "dix secondes", "deux fois plus vite",
        "un tiers plus vite", "12秒かかる", "十秒", "2.6倍速い", "毎秒2800万手", "```python\nplay()  # 12 ms\n```\n",
    ],
)  # fmt: skip
def test_a_measured_figure_is_found_in_any_form(text: str) -> None:
    assert figures_in(f"It took {text} here.")


@pytest.mark.parametrize(
    "text", ["rule 5.1", "100 points", "`S7>b2x9`", "2.6 × 10⁹", "Python 3.11", "a 95 % interval", "\n| 1009 | done |"]
)
def test_what_nobody_measured_is_none(text: str) -> None:
    assert figures_in(f"See {text} here.") == []


def without_results(page: Path) -> str:
    """Its text without the parts that a test compares with the results or with the code."""
    name = page.relative_to(ROOT).as_posix()
    compared = {*PARTS.get(name, {}), *WRITTEN_ELSEWHERE.get(name, ())}
    text = page.read_text(encoding="utf-8")
    return PART.sub(lambda part: "" if part[1] in compared or SETTING.fullmatch(part[0]) else part[2], text)


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
    own = {word.upper(): factor for word, factor in FACTORS.items()}.get(name.split("_")[-1], 1)  # of `KEEP_DAYS`
    told = float(number.replace(",", "")) * FACTORS.get(unit, 1)
    assert value_of(name) in (pytest.approx(told / own), pytest.approx(told / 3600))


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


@pytest.mark.long
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
