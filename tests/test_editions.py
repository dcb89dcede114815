"""Which games have a net, and that a new rule leaves every net where it is."""

import os
import shutil
import subprocess
import sys
from contextlib import suppress
from itertools import combinations
from pathlib import Path

import numpy as np
import pytest

import mulligan
from mulligan.game import rulebook, variants
from mulligan.players import net_files
from mulligan.players.values.net import is_trained

PACKAGE = Path(mulligan.__file__).parent
LEFT_OUT = net_files.BESIDES + net_files.DERIVED

FOR_PAGES = """
from mulligan.server.wire import typescript
from mulligan.wasm import record_types
print(record_types.typescript(), typescript.typescript(), typescript.rule_fields())
"""
EVERY_EDITION = """
from mulligan.game import variants
from mulligan.players import net_files
for name in variants.games():
    for seats in variants.load(name).seats:
        print(name, seats, net_files.edition(variants.for_seats(variants.load(name), seats).rules))
"""


@pytest.mark.parametrize("game", variants.games())
def test_every_game_has_a_net_for_every_number_of_seats(game):
    variant = variants.load(game)
    for seats in variant.seats:
        rules = variants.for_seats(variant, seats).rules
        assert is_trained(net_files.coach_brain(rules, seats).net, seats), seats


def test_a_rule_added_as_contributing_says_leaves_every_net_where_it_is_and_reaches_pages(tmp_path):
    """A line in GameFacts and one of the same name in RULES, at their defaults; then a game that has the rule."""
    copy = tmp_path / "mulligan"
    shutil.copytree(PACKAGE, copy, ignore=shutil.ignore_patterns("client", "nets", "__pycache__"))
    shutil.copytree(rulebook.FOLDER, copy / "game" / "rulebook")  # as in a wheel
    before = editions(PACKAGE.parent)
    add(
        copy / "game/facts.py",
        "    order: Annotated",
        """    trump: Annotated[int, Key(least=0, most=9)] = 4
    gifts: Annotated[list[int], Key(least=0, most=9)] = field(default_factory=lambda: [7, 5])
""",
    )
    add(copy / "engine/rules.py", '        ("knock"', '        ("trump", "i1"),\n        ("gifts", "i1", 3),\n')
    assert editions(tmp_path) == before
    for_pages = "\n".join(printed(tmp_path, FOR_PAGES))
    assert all(
        text in for_pages for text in ("  get trump(): number {", "\n  trump: number;", '\n  trump: { is: "number"')
    )
    add(copy / "game/variants/play_nine.toml", "seats = {", "gifts = [7, 6]\n")
    after = editions(tmp_path)
    assert [line.split()[0] for line in after if line not in before] == ["play_nine"] * 5


@pytest.mark.parametrize("game", variants.games())
def test_house_rules_that_change_play_never_share_a_net(game):
    """Each value of each option, and each pair of values of two options."""
    variant, found = variants.load(game), {}
    options = [(name, value) for name, values in variant.facts.options.items() for value in values]
    for patch in ({}, *map(dict, combinations(options, 2))):
        with suppress(variants.OptionError):
            rules = variants.for_match(variant, patch).rules
            played = tuple(np.asarray(rules[field]).tobytes() for field in rules.dtype.names if field not in LEFT_OUT)
            found.setdefault(net_files.edition(rules), set()).add(played)
    assert len(found) > 40
    assert all(len(played) == 1 for played in found.values())


def editions(folder: Path) -> list[str]:
    """What the package in that folder says of every game with every number of seats."""
    return printed(folder, EVERY_EDITION)


def printed(folder: Path, program: str) -> list[str]:
    """The lines of a program that uses the package in that folder."""
    command = [sys.executable, "-c", program]
    environment = {**os.environ, "PYTHONPATH": str(folder), "MULLIGAN_PLAIN": "1"}
    return subprocess.run(command, env=environment, capture_output=True, text=True, check=True).stdout.splitlines()


def add(file: Path, before: str, lines: str) -> None:
    text = file.read_text(encoding="utf-8")
    assert text.count(before) == 1
    file.write_text(text.replace(before, lines + before), encoding="utf-8")
