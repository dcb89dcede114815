"""The rule book is the specification: every number is code, is a case, and every example holds."""

import re
from pathlib import Path

import pytest
from casebook import FOLDER as CASES
from casebook import Scores, Teller, read_cases

from mulligan.game import facts, rulebook, shipped, variants

HOUSE = Path(__file__).parents[1]
BOOK = (HOUSE / "docs/rulebook/en.md").read_text(encoding="utf-8").replace("\N{MINUS SIGN}", "-")
ENGINE = sorted((HOUSE / "src/mulligan/engine").glob("*.py"))
NUMBERS = re.findall(r"^### (\d\.\d) ", BOOK, re.MULTILINE)
EXAMPLES = re.findall(r"^\| (\w+) \| `([^`]+)` \| (-?\d+) \|", BOOK, re.MULTILINE)
CLOSERS = re.findall(r"^\| (\w+) \| (-?\d+) \| (-?\d+(?:, -?\d+)*) \| (-?\d+) \|$", BOOK, re.MULTILINE)


def test_the_book_has_its_29_rules():
    assert [f"{chapter}.{rule}" for chapter, last in enumerate((3, 6, 8, 3, 6, 3), 1)
                       for rule in range(1, last + 1)] == NUMBERS  # fmt: skip


@pytest.mark.parametrize("number", NUMBERS)
def test_a_line_of_the_engine_cites_the_rule(number):
    lines = [line for file in ENGINE for line in file.read_text(encoding="utf-8").splitlines()]
    citing = re.compile(rf"(#.*|\(([\d., to]*))\b{re.escape(number)}\b")
    assert any(citing.search(line) for line in lines)


@pytest.mark.parametrize("number", NUMBERS)
def test_the_rule_has_cases(number):
    assert (CASES / f"{number}.txt").exists()


def test_no_case_is_filed_under_a_number_that_is_none():
    assert {file.stem for file in CASES.iterdir()} == set(NUMBERS)


def test_each_fact_that_older_files_lack_has_cases_for_another_value():
    played = [teller.variant.facts for teller in (Teller(case.game, case.options) for case in read_cases())]
    usual = facts.defaults(facts.GameFacts)
    assert {name for name in usual if all(getattr(one, name) == usual[name] for one in played)} == set()


@pytest.mark.parametrize("game", shipped.games())
def test_the_book_has_four_examples_of_each_rule_that_scores(game):
    facts = variants.load(game).facts
    scoring = ["5.1", "5.2"] + ["5.3"] * any(face.line_points for face in facts.faces) + ["5.4"] * any(facts.bonus)
    for number in scoring + ["5.6"] * any(closer == game for closer, *_ in CLOSERS):
        assert rulebook.rule(number, game).count(f"\n| {game} |") >= 4, number


def test_the_closer_of_each_game_with_a_penalty_has_examples():
    facts = {name: variants.load(name).facts for name in shipped.games()}
    costly = {name for name, one in facts.items() if one.closer_penalty or one.penalty_factor > 1}
    assert {game for game, *_ in CLOSERS} == costly


@pytest.mark.parametrize(("game", "layout", "points"), EXAMPLES)
def test_an_example_of_the_book_holds(game, layout, points):
    Scores(game).tell(f"{layout} => {points}")


@pytest.mark.parametrize(("game", "closer", "others", "points"), CLOSERS)
def test_a_closer_of_the_book_pays_so_much(game, closer, others, points):
    Scores(game).tell(f"closer {closer}, others {others.replace(',', '')} => {points}")
