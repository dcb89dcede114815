"""The benchmark: its table is that of its entries, and the command gives the entries again."""

import json

import benchmark_report
import pytest
from commands import mulligan

from mulligan.study.benchmark import GAMES, OPPONENTS, mean

pytestmark = pytest.mark.long


def test_the_table_is_that_of_the_entries() -> None:
    written = benchmark_report.PAGE.read_text(encoding="utf-8")
    assert written == benchmark_report.page(benchmark_report.entries()), "run python bench/benchmark_report.py"


def test_an_entry_says_all_that_a_result_needs() -> None:
    found = benchmark_report.entries()
    assert {entry["name"] for entry in found} >= {"random", "greedy", "beginner", "pro", "net", "search"}
    for entry in found:
        assert all(entry[key] for key in ("name", "player", "about", "compute", "deals", "program"))
        assert list(entry["games"]) == [game for game in GAMES if game in entry["games"]]
        for game in entry["games"].values():
            assert tuple(game["against"]) == OPPONENTS
            for part, (whole, half) in mean(game["against"]).items():
                assert game[part] == pytest.approx([whole, half], abs=2e-4)


def test_the_command_gives_the_smallest_entry_again(tmp_path) -> None:
    """All but the version of the program. Tests give `search` little to think."""
    found = [entry for entry in benchmark_report.entries() if entry["player"] != "search"]
    entry = min(found, key=lambda one: one["deals"])
    words = [entry["player"], *(word for name in ("name", "about", "compute") for word in (f"--{name}", entry[name]))]
    again = tmp_path / "again.json"
    for threads in ("1", "2"):
        mulligan("benchmark", *words, "--deals", str(entry["deals"]), "--out", again, "--threads", threads)
        assert json.loads(again.read_text(encoding="utf-8")) | {"program": ""} == entry | {"program": ""}


def test_a_game_alone_gives_the_figures_of_that_game(tmp_path) -> None:
    printed = []
    for games in (["six_card"], ["six_card", "play_nine"]):
        told = [word for game in games for word in ("--game", game)]
        options = ("--name", "x", "--about", "x", "--compute", "x", "--deals", "2", *told)
        printed.append(json.loads(mulligan("benchmark", "random", *options).stdout)["games"])
    assert list(printed[0]) == ["six_card"]
    assert list(printed[1]) == ["play_nine", "six_card"]
    assert printed[0]["six_card"] == printed[1]["six_card"]


def test_the_mean_has_the_interval_of_independent_deals() -> None:
    found = mean(
        {
            "greedy": {"gained": [1.0, 0.3], "adjusted": [2.0, 0.0]},
            "net": {"gained": [3.0, 0.4], "adjusted": [0.0, 1.0]},
        }
    )
    assert found == {"gained": [2.0, 0.25], "adjusted": [1.0, 0.5]}


def test_an_entry_that_leaves_a_game_out_comes_last_and_has_no_mean() -> None:
    entry = benchmark_report.entries()[0]
    partial = entry | {"name": "partial", "games": {GAMES[0]: entry["games"][GAMES[0]]}}
    name, *cells = benchmark_report.row(partial)
    assert "partial" in name
    assert cells[:2] == ["–", "–"]
    assert cells[3:5] == ["–", "–"]
