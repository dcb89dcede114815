"""The rule book says the same in four languages, under the same numbers."""

import re

import pytest

from mulligan.game import rulebook, shipped
from mulligan.game.rulebook import Block, Book, RuleBookError

NUMBERS = [
    *("1.1", "1.2", "1.3", "2.1", "2.2", "2.3", "2.4", "2.5", "2.6"),
    *("3.1", "3.2", "3.3", "3.4", "3.5", "3.6", "3.7", "3.8"),
    *("4.1", "4.2", "4.3", "5.1", "5.2", "5.3", "5.4", "5.5", "5.6", "6.1", "6.2", "6.3"),
]


def outline(blocks: list[Block]) -> list[tuple[tuple[str, ...], bool, list[list[str]]]]:
    """What must not depend on the language: whom a block is about, whether it rules, and its layouts."""
    return [
        (block.games, block.is_ruling, [re.findall(r"`[^`]*`", " ".join(row)) for row in block.rows])
        for block in blocks
    ]


@pytest.fixture(params=rulebook.LANGUAGES)
def book(request: pytest.FixtureRequest) -> Book:
    return rulebook.book(request.param)


def test_every_rule_is_there(book: Book) -> None:
    assert list(book.rules) == NUMBERS


def test_every_rule_says_the_same_as_in_english(book: Book) -> None:
    for number, rule in rulebook.book("en").rules.items():
        assert outline(book.rules[number].blocks) == outline(rule.blocks), number


def test_every_label_names_games(book: Book) -> None:
    blocks = [block for rule in book.rules.values() for block in rule.blocks]
    named = [re.split(", |、", block.label.strip("*.。、, ")) for block in blocks if block.label]
    assert [len(names) for names in named] == [len(block.games) for block in blocks if block.label]
    assert {game for block in blocks for game in block.games} == {*shipped.games()}


@pytest.mark.parametrize("game", shipped.games())
def test_every_rule_tells_every_game_something(book: Book, game: str) -> None:
    for rule in book.rules.values():
        assert any(block.is_for(game) for block in rule.blocks), rule.number


@pytest.mark.parametrize("game", shipped.games())
def test_the_book_of_one_game_has_no_labels_and_no_other_games_tables(book: Book, game: str) -> None:
    text = book.text(game)
    for title, other in shipped.titles().items():
        assert f"**{title}" not in text
        assert other == game or f"| {other} |" not in text
    assert not re.search(r"^\|[-|]+\|$(?!\n\|)", text, re.MULTILINE)  # a table without rows


def test_every_ruling_gives_its_reason(book: Book) -> None:
    rulings = [block.text for rule in book.rules.values() for block in rule.blocks if block.is_ruling]
    assert len(rulings) > 15
    assert all(re.search(r"Reason: |Raison\s: |Grund: |理由：", text) for text in rulings)


def test_a_rule_for_one_game_leaves_the_others_out() -> None:
    assert "**" not in rulebook.rule("1.3", "play_nine")
    assert "> **Ruling.** Players tee off one at a time" in rulebook.rule("2.4", "play_nine")
    assert "Players tee off one at a time" not in rulebook.rule("2.4", "nine_card")


def test_a_label_names_several_games_and_its_table_has_rows_for_each() -> None:
    table = "| game | points |\n|---|---|\n| play_nine | 1 |\n| nine_card | 2 |"
    blocks = rulebook.read(f"# Book\n\n**Play Nine, nine-card golf.** Equal cards.\n\n{table}").intro
    assert [block.games for block in blocks] == [("play_nine", "nine_card")] * 2
    assert rulebook.texts_for("nine_card", blocks) == ["Equal cards.", table.replace("| play_nine | 1 |\n", "")]


def test_a_rule_that_is_not_there_is_refused_in_words() -> None:
    with pytest.raises(RuleBookError, match=r"There is no rule 9\.9"):
        rulebook.rule("9.9")


def test_a_language_that_is_not_there_is_refused_in_words() -> None:
    with pytest.raises(RuleBookError, match=", ".join(rulebook.LANGUAGES)):
        rulebook.book("it")
