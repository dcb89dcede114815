"""The rule book says the same in four languages, under the same numbers."""

import re

import pytest

from mulligan.game import rulebook
from mulligan.game.rulebook import Block, Book, RuleBookError

NUMBERS = [
    *("1.1", "1.2", "1.3", "2.1", "2.2", "2.3", "2.4", "2.5", "2.6", "3.1", "3.2", "3.3", "3.4", "3.5", "3.6"),
    *("4.1", "4.2", "4.3", "5.1", "5.2", "5.3", "5.4", "5.5", "5.6", "6.1", "6.2", "6.3"),
]


def outline(blocks: list[Block]) -> list[tuple[str | None, bool, list[list[str]]]]:
    """What must not depend on the language: whom a block is about, whether it rules, and its layouts."""
    return [
        (block.game, block.is_ruling, [re.findall(r"`[^`]*`", " ".join(row)) for row in block.rows]) for block in blocks
    ]


@pytest.fixture(params=rulebook.LANGUAGES)
def book(request: pytest.FixtureRequest) -> Book:
    return rulebook.book(request.param)


def test_every_rule_is_there(book: Book) -> None:
    assert list(book.rules) == NUMBERS


def test_every_rule_says_the_same_as_in_english(book: Book) -> None:
    for number, rule in rulebook.book("en").rules.items():
        assert outline(book.rules[number].blocks) == outline(rule.blocks), number


def test_both_games_find_their_label(book: Book) -> None:
    games = {block.game for rule in book.rules.values() for block in rule.blocks}
    assert games == {None, "play_nine", "nine_card"}


def test_every_ruling_gives_its_reason(book: Book) -> None:
    rulings = [block.text for rule in book.rules.values() for block in rule.blocks if block.is_ruling]
    assert len(rulings) > 15
    assert all(re.search(r"Reason: |Raison\s: |Grund: |理由：", text) for text in rulings)


def test_a_rule_for_one_game_leaves_the_other_out() -> None:
    assert "Nine-card" not in rulebook.rule("2.4", "play_nine")
    assert "Play Nine" not in rulebook.rule("2.4", "nine_card")


def test_a_rule_that_is_not_there_is_refused_in_words() -> None:
    with pytest.raises(RuleBookError, match=r"There is no rule 9\.9"):
        rulebook.rule("9.9")


def test_a_language_that_is_not_there_is_refused_in_words() -> None:
    with pytest.raises(RuleBookError, match="en, fr, de, ja"):
        rulebook.book("it")
