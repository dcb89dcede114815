"""The command line, as a user types it: what it prints, and how it ends."""

import json
import os
import re
import signal
import subprocess
import sys
import tomllib
from importlib.metadata import entry_points
from pathlib import Path
from typing import Any

import pytest
from commands import mulligan

import mulligan as package
from mulligan.cli import added_commands
from mulligan.game import shipped
from mulligan.game.rulebook import LANGUAGES
from mulligan.game.text_files import LARGEST

PYPROJECT = tomllib.loads((Path(__file__).parents[1] / "pyproject.toml").read_text(encoding="utf-8"))
RESEARCH = PYPROJECT["project"]["entry-points"]["mulligan.commands"]
RECORD = str(Path(__file__).parent / "games/play_nine.jsonl")


def one_sentence(done: subprocess.CompletedProcess[str]) -> str:
    assert len(done.stderr.strip().splitlines()) == 1, done.stderr
    return done.stderr.strip()


def test_the_version_is_told() -> None:
    command = [sys.executable, "-m", "mulligan", "--version"]
    done = subprocess.run(command, capture_output=True, text=True, timeout=120)
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout == f"mulligan {package.__version__}\n"


def test_help_lists_what_people_use_first_and_what_is_for_researchers_last() -> None:
    told = mulligan("--help").stdout
    players, rest = told.split("\nFor hosts (in English)\n")
    hosts, researchers = rest.split("\nFor researchers (in English)\n")
    assert all(f"\n  {command} " in players for command in ("play", "referee", "replay", "score", "rules"))
    assert all(f"  {command} " in hosts for command in ("serve", "backup", "admin"))
    assert {line.split()[0] for line in researchers.splitlines() if line[2:3].strip()} >= RESEARCH.keys()


def test_the_help_of_every_command_has_one_form() -> None:
    root = mulligan("--help", COLUMNS="80").stdout
    every = [[name] for name in re.findall(r"^  ([a-z-]+) ", root, re.M) if name[0] != "-"]
    every += [["admin", name] for name in re.findall(r"^  ([a-z-]+) ", mulligan("admin", "--help").stdout, re.M)[1:]]
    assert {("play",), ("serve",), ("simulate",), ("admin", "ban")} <= {*map(tuple, every)}
    for words in every:
        told = mulligan(*words, "--help", COLUMNS="80").stdout
        assert told.startswith(f"Usage: mulligan {' '.join(words)} [OPTIONS]")
        assert re.search(r"^  -h, --help +Show this page\.$", told, re.M)
        assert "<" not in told  # such as the types of Python
        assert max(map(len, told.splitlines())) <= 80
        assert not re.search(r"^  (-|\[?[A-Z])(?!.*\S  +\S).*$", told, re.M), "an option or argument is not described"


@pytest.mark.parametrize("words", [[], ["admin"]], ids=str)
def test_the_help_is_shown_where_only_a_command_is_missing(words: list[str]) -> None:
    assert mulligan(*words, code=2).stderr == mulligan(*words, "--help").stdout


def test_every_command_for_researchers_is_named_in_pyproject_and_installed() -> None:
    folder = Path(package.__file__).parent / "cli/research"
    files = {file.stem for file in folder.glob("*.py")} - {"__init__", "research_options"}
    assert {place.split(":")[0].split(".")[-1] for place in RESEARCH.values()} == files
    installed = {entry.name: entry.value for entry in entry_points(group="mulligan.commands")}
    assert RESEARCH.items() <= installed.items(), "installed before pyproject.toml changed: run make client"


def test_another_package_adds_a_command_and_a_broken_one_hides_no_other(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "putting.py").write_text('def putt(hole: int) -> None:\n    "Putt."\n    print("in", hole)\n')
    (tmp_path / "putting-1.dist-info").mkdir()
    named = "[mulligan.commands]\nputt = putting:putt\nchip = putting:chip\n"
    (tmp_path / "putting-1.dist-info/entry_points.txt").write_text(named)
    monkeypatch.syspath_prepend(tmp_path)
    added_commands.added.cache_clear()
    assert mulligan("putt", "7").stdout == "in 7\n"
    told = " ".join(mulligan("--help").stdout.split())
    assert "putt Putt." in told
    assert "chip mulligan chip can’t be loaded: AttributeError: " in told
    assert "no attribute 'chip'" in one_sentence(mulligan("chip", code=1))
    monkeypatch.undo()
    added_commands.added.cache_clear()


def test_help_imports_nothing_heavy() -> None:
    probe = (
        "import sys, mulligan.cli.command_line as line; sys.argv = ['mulligan', '--help']; line.run();"
        "print([name for name in ('numpy', 'numba') if name in sys.modules])"
    )
    done = subprocess.run([sys.executable, "-c", probe], capture_output=True, text=True, check=True)
    assert done.stdout.splitlines()[-1] == "[]"


def test_a_layout_is_counted_and_explained() -> None:
    told = mulligan("score", "7 7 1 2 / 7 7 8 5").stdout
    assert "6" in told.splitlines()[-1]
    assert "5.4" in told


def test_the_rules_of_an_own_variant_are_those_of_the_nearest_game_with_marks(tmp_path: Path) -> None:
    six = (shipped.FOLDER / "six_card.toml").read_text(encoding="utf-8").partition("[options]")[0]
    own = tmp_path / "kitchen.toml"
    own.write_text(six.replace("closer_penalty = 0", "closer_penalty = 3"), encoding="utf-8")
    told = mulligan("rules", "--game", str(own)).stdout
    assert told.startswith("These are the rules of Six-card golf.")
    assert "**House rules change this.** Only nine-card golf and twelve-card golf have this rule." in told
    assert "| six_card | `7 3 A / 7 5 9` | 18 | the 7s cost 0 |" in told
    assert "nine_card" not in told.partition("## 1 ")[2]


def test_house_rules_are_listed_kept_in_a_file_and_marked_in_the_rules(tmp_path: Path) -> None:
    assert "jokers=-5" in mulligan("rules", "--options", "--game", "nine_card").stdout
    file = str(tmp_path / "ours.toml")
    chosen = ("--option", "jokers=-5", "--option", "lines=columns")
    mulligan("rules", "--game", "nine_card", *chosen, "--save", file)
    for game in (("--game", file), ("--game", "nine_card", *chosen)):
        told = mulligan("rules", *game).stdout
        assert told.startswith("Your house rules differ from Nine-card golf: You play with jokers, and each counts −5.")
        assert "### 5.2 Lines\n\n> **House rule.** Equal cards that fill a column are a line." in told
        assert told.count("> **House rule.**") == 5  # 2.1, 5.1, and 5.2 to 5.4, which speak of rows
        assert "> **House rules change this.** **Ruling.** Only rows can be lines" in told
        assert "| nine_card | `9 4 2 / 9 4 2 / 9 4 2` | 0 | Column a matches:\u00a09s (0)" in told
        assert mulligan("score", *game, "9 9 * / 9 A 2 / 9 3 4").stdout.splitlines()[-1].split() == ["14", "Total"]


def test_layouts_from_standard_input_get_a_line_each() -> None:
    done = mulligan("score", "--game", "nine_card", "-", typed="K K * / 4 J 3 / 9 9 9\n9 9 9 / 9 9 9 / A Q J\n")
    assert done.stdout == "15\tK K * / 4 J 3 / 9 9 9\n-6\t9 9 9 / 9 9 9 / A Q J\n"


def test_a_wrong_line_is_named_and_the_others_are_counted() -> None:
    done = mulligan("score", "-", typed="1 2 3 4 / 1 2 3 4\n1 2 3\n0 0 0 0 / 1 1 1 1\n", code=1)
    assert done.stdout == "0\t1 2 3 4 / 1 2 3 4\n4\t0 0 0 0 / 1 1 1 1\n"
    assert "line 2" in one_sentence(done)


def test_a_rule_is_shown_for_one_game() -> None:
    told = mulligan("rules", "3.3", "--game", "nine_card").stdout
    assert told.startswith("### 3.3")
    assert "Play Nine" not in told
    assert mulligan("rules", "3.3.", "--game", "nine_card").stdout == told  # as at the end of a sentence


def test_the_rule_book_is_there_in_every_language() -> None:
    first_lines = {mulligan("rules", "2.4", "--language", language).stdout for language in LANGUAGES}
    assert len(first_lines) == len(LANGUAGES)


def test_a_simulation_is_told_in_json() -> None:
    words = ["--game", "nine_card", "--seats", "3", "--games", "20", "--players", "greedy,random", "--seed", "4"]
    told = json.loads(mulligan("simulate", *words, "--json").stdout)
    assert (told["game"], told["seats"], told["players"]) == ("nine_card", 3, ["greedy", "random"])
    assert (told["games"], told["holes"]) == (20, 180)
    assert sum(told["hole_wins"]) == pytest.approx(180)
    assert sum(told["game_wins"]) == pytest.approx(20)
    assert told["points_per_hole"][0] < told["points_per_hole"][1]
    assert len(told["stderr"]) == 2
    assert told["moves_per_second"] == pytest.approx(told["moves"] / told["seconds"])


def test_a_simulation_counts_matches_and_holes_also_a_single_one() -> None:
    told = mulligan("simulate", "--games", "1", "--seats", "2").stdout
    assert "matches won" in told
    assert "\n1 match, 9 holes, " in told
    assert "\n1 hole, " in mulligan("simulate", "--holes", "1", "--seats", "2").stdout


def test_recorded_games_referee_clean(tmp_path: Path) -> None:
    file = tmp_path / "games.jsonl"
    mulligan("simulate", "--games", "5", "--players", "random", "--record", str(file))
    assert "5 matches, all by the rules" in mulligan("referee", str(file)).stdout


def test_the_referee_names_game_hole_move_and_rule(tmp_path: Path) -> None:
    file = tmp_path / "games.jsonl"
    mulligan("simulate", "--games", "2", "--record", str(file))
    first, second = file.read_text().splitlines()
    record = json.loads(second)
    record["holes"][2]["moves"].insert(0, "S7>a1x7")
    file.write_text(first + "\n" + json.dumps(record) + "\n")
    said = one_sentence(mulligan("referee", str(file), code=1))
    assert "match 2" in said
    assert "hole 3, move 1" in said
    assert "(2.4)" in said


def test_every_file_is_refereed_though_one_is_bad(tmp_path: Path) -> None:
    good, bad = tmp_path / "good.jsonl", tmp_path / "bad.jsonl"
    mulligan("simulate", "--games", "1", "--record", str(good))
    bad.write_text("{")
    done = mulligan("referee", str(bad), str(tmp_path / "gone.jsonl"), str(good), code=1)
    assert "1 match, all by the rules" in done.stdout
    assert len(done.stderr.strip().splitlines()) == 2


def test_a_variant_of_ones_own_goes_by_path(tmp_path: Path) -> None:
    shipped = Path(package.__file__).parent / "game" / "variants" / "play_nine.toml"
    own = tmp_path / "short.toml"
    own.write_text(shipped.read_text(encoding="utf-8").replace("holes = 9", "holes = 2"), encoding="utf-8")
    games = tmp_path / "games.jsonl"
    mulligan("simulate", "--game", str(own), "--games", "2", "--record", str(games))
    assert "2 matches" in mulligan("referee", "--game", str(own), str(games)).stdout
    assert "short" in one_sentence(mulligan("referee", str(games), code=1))


@pytest.mark.long
@pytest.mark.parametrize("closed", [0, 1], ids=["standard input", "standard output"])
@pytest.mark.parametrize("words", [["score", "-"], ["rules", "3.3"], ["play"]], ids=" ".join)
def test_a_closed_stream_is_an_empty_one(words: list[str], closed: int, tmp_path: Path) -> None:
    done = subprocess.run(
        ["bash", "-c", f'"$@" {"<&-" if closed == 0 else ">&-"}', "", sys.executable, "-m", "mulligan", *words],
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        timeout=120,
        env=os.environ | {"XDG_DATA_HOME": str(tmp_path)},
    )
    assert (done.returncode, done.stderr) == (0, "")


def printed_to(output: Any, words: list[str], **more: Any) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-m", "mulligan", *words]
    return subprocess.run(command, stdout=output, stderr=subprocess.PIPE, text=True, timeout=120, **more)


@pytest.mark.long
@pytest.mark.skipif(not Path("/dev/full").exists(), reason="this system has no device that is always full")
@pytest.mark.parametrize("words", [["--version"], ["score", "7 3 1 2 / 7 6 8 5"], ["referee", RECORD]], ids=" ".join)
def test_a_full_disk_is_one_sentence(words: list[str]) -> None:
    buffered = {name: value for name, value in os.environ.items() if name != "PYTHONUNBUFFERED"}
    with open("/dev/full", "w") as full:
        done = printed_to(full, words, env=buffered)
    assert (done.returncode, done.stderr) == (1, "Output: no space is left on the disk.\n")


@pytest.mark.long
@pytest.mark.parametrize("words", [["rules"], ["simulate", "--holes", "1", "--players", "random"]], ids=" ".join)
def test_nothing_is_wrong_where_the_reader_has_seen_enough(words: list[str]) -> None:
    reading, writing = os.pipe()
    os.close(reading)
    done = printed_to(writing, words, preexec_fn=lambda: signal.signal(signal.SIGPIPE, signal.SIG_IGN))
    os.close(writing)
    assert (done.returncode, done.stderr) == (0, "")


@pytest.mark.skipif(not Path("/dev/zero").exists(), reason="this system has no file without an end")
@pytest.mark.parametrize(
    "words",
    [
        ["referee", "zeros.toml"],
        ["referee", RECORD, "-g", "zeros.toml"],
        ["simulate", "--games", "1", "--players", "random", "--journal", "zeros.toml"],
    ],
    ids=" ".join,
)
def test_a_file_without_an_end_is_refused_in_one_sentence(words: list[str], tmp_path: Path) -> None:
    (tmp_path / "zeros.toml").symlink_to("/dev/zero")
    assert one_sentence(mulligan(*words, code=None, cwd=tmp_path)).startswith("zeros")


def test_a_line_without_an_end_is_refused_in_one_sentence() -> None:
    typed = b"7 3 1 2 / 7 6 8 5\n" + b"7 " * LARGEST
    done = mulligan("score", "-", typed=typed, code=1)
    assert (done.stdout[:2], one_sentence(done)) == ("25", "line 2: This is too long: more than 1000000\u00a0bytes.")


def test_a_file_where_a_folder_should_be_is_called_one(tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    done = mulligan("train", "-g", "four_card", "--rounds", "1", "--output", tmp_path / "file", code=1)
    assert one_sentence(done) == f"{tmp_path / 'file'}: this is a file, not a folder."


def test_replay_names_the_file_at_fault(tmp_path: Path) -> None:
    damaged = tmp_path / "damaged.jsonl"
    damaged.write_text("[")
    assert one_sentence(mulligan("replay", str(damaged), code=1)).startswith(f"{damaged}: line 1: ")
