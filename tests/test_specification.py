"""The rule book is the specification: every number is code, is a case, and every example holds."""

import re
from pathlib import Path

import pytest
from casebook import FOLDER as CASES
from casebook import Scores

HOUSE = Path(__file__).parents[1]
BOOK = (HOUSE / "docs/rulebook/en.md").read_text(encoding="utf-8").replace("\N{MINUS SIGN}", "-")
ENGINE = sorted((HOUSE / "src/mulligan/engine").glob("*.py"))
NUMBERS = re.findall(r"^### (\d\.\d) ", BOOK, re.MULTILINE)
EXAMPLES = re.findall(r"^\| (\w+) \| `([^`]+)` \| (-?\d+) \|", BOOK, re.MULTILINE)
CLOSERS = re.findall(r"^\| (-?\d+) \| (-?\d+(?:, -?\d+)*) \| (-?\d+) \|$", BOOK, re.MULTILINE)


def test_the_book_has_its_27_rules():
    assert [f"{chapter}.{rule}" for chapter, last in enumerate((3, 6, 6, 3, 6, 3), 1)
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


def test_the_book_has_examples():
    assert len(EXAMPLES) >= 40
    assert len(CLOSERS) >= 7


@pytest.mark.parametrize(("game", "layout", "points"), EXAMPLES)
def test_an_example_of_the_book_holds(game, layout, points):
    Scores(game).tell(f"{layout} => {points}")


@pytest.mark.parametrize(("closer", "others", "points"), CLOSERS)
def test_a_closer_of_the_book_pays_so_much(closer, others, points):
    Scores("nine_card").tell(f"closer {closer}, others {others.replace(',', '')} => {points}")
