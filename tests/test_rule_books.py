"""The rule books of one game, and the page that compares the games: current, short, and true by the facts."""

import re

import pytest
import rule_books

from mulligan.game import changed_facts, rulebook, variants
from mulligan.game.facts import GameFacts
from mulligan.game.rulebook import LANGUAGES

WRITTEN = rule_books.files()
MOST_WORDS = 1040  # in English, besides the tables: two printed pages
NAMES = {"joker": "*", "ace": "A", "jack": "J", "queen": "Q", "king": "K", "Hole-in-One": "H"}

every_game = pytest.mark.parametrize("game", variants.games())


def two_pages(game: str, language: str) -> str:
    """What a family reads: all but the details and rulings behind it."""
    text = WRITTEN[rule_books.BOOKS / f"{game}.{language}.md"]
    return text.partition(f"\n## {rule_books.TEXTS[language]['more']}\n")[0]


def facts_of(game: str) -> GameFacts:
    return variants.load(game).facts


def test_the_files_are_as_the_command_writes_them() -> None:
    """Run `.venv/bin/python tools/rule_books.py`."""
    there = {*rule_books.BOOKS.glob("*.*.md"), *rule_books.PICTURES.iterdir()}
    assert there == WRITTEN.keys()
    assert [file.name for file, text in WRITTEN.items() if file.read_text(encoding="utf-8") != text] == []


@every_game
def test_a_family_reads_two_pages(game: str) -> None:
    text = re.sub(r"\]\([^)]*\)|^\|.*", "", two_pages(game, "en"), flags=re.MULTILINE)
    assert MOST_WORDS / 2 < len(re.findall(r"\S*\w\S*", text)) <= MOST_WORDS


@every_game
def test_the_pages_say_the_same_in_every_language(game: str) -> None:
    def outline(language: str) -> list[str]:
        text = WRITTEN[rule_books.BOOKS / f"{game}.{language}.md"]
        return re.findall(r"^(?:\*\*\d\.\d|#+|\||!\[)", text, re.MULTILINE) + sorted(re.findall(r"`[^`]+`", text))

    assert [language for language in LANGUAGES if outline(language) != outline("en")] == []


@pytest.mark.parametrize("language", LANGUAGES)
@every_game
def test_the_pages_speak_of_one_game_and_show_no_moves(game: str, language: str) -> None:
    text = two_pages(game, language)
    others = [facts_of(name).title_in(language) for name in variants.games() if name != game]
    assert [other for other in others if other.lower() in text.lower()] == []
    assert [code for code in re.findall(r"`([^`]+)`", text) if code not in ("H", "*")] == []


@every_game
def test_every_rule_of_the_game_has_its_number(game: str) -> None:
    facts = facts_of(game)
    has = {name: has_rule(facts) for name, has_rule in changed_facts.HAS_RULE.items()}
    only = {
        **{"3.7": facts.lines_clear, "3.8": facts.knock, "5.3": has["has_low_lines"], "5.4": has["has_bonus"]},
        **{"5.5": has["has_low_bonus"], "5.6": has["has_penalty"]},
    }
    text = WRITTEN[rule_books.BOOKS / f"{game}.en.md"]
    ruled = {"5.4"} if game == "nine_card_square" else set()  # a ruling on what it does not have
    wanted = {number for number in rulebook.book().rules if only.get(number, True)} | ruled
    assert {*re.findall(r"^\*\*(\d\.\d)", text, re.MULTILINE)} == wanted


@every_game
def test_the_table_of_the_cards_has_their_points(game: str) -> None:
    """Read back card by card, and compared with the facts."""
    table = two_pages(game, "en").partition("| What cards cost | Points |\n| --- | --- |\n")[2].partition("\n\n")[0]
    found: dict[str, int] = {}
    for line in table.splitlines():
        cards, points = (cell.strip() for cell in line.strip("|").split("|"))
        for card in cards.split(", "):
            low, _, high = card.partition("–")
            if high:
                assert points == "the number on the card"
                found |= {str(number): number for number in range(int(low), int(high) + 1)}
            else:
                found[NAMES.get(card.partition(" ")[0], card)] = int(points.replace("−", "-"))
    assert found == {face.name: face.points for face in facts_of(game).faces}


@every_game
def test_the_example_adds_up(game: str) -> None:
    bill = two_pages(game, "en").partition("| Points | |\n| --- | --- |\n")[2].partition("\n\n")[0].replace("−", "-")
    *parts, total = (int(line.split("|")[1].strip(" *")) for line in bill.splitlines())
    assert len(parts) >= 2
    assert sum(parts) == total


@every_game
def test_no_description_is_that_of_another_game_with_other_numbers(game: str) -> None:
    """Each sentence is its own, in every language; numbers and words for numbers do not make it so."""
    for language in LANGUAGES:
        said = {name: {*unnumbered(facts_of(name).descriptions[language])} for name in variants.games()}
        others = set().union(*(sentences for name, sentences in said.items() if name != game))
        assert said[game] & others == set(), language


NUMBERS = r"\d+|two|three|four|five|six|eight|nine|ten|twelve|deux|trois|quatre|cinq|six|huit|neuf|dix|douze|"
NUMBERS += r"zwei|drei|vier|fünf|sechs|acht|neun|zehn|zwölf"


def unnumbered(text: str) -> list[str]:
    return [re.sub(NUMBERS, "#", sentence.lower()) for sentence in re.findall(r"[^.。]+[.。]", text)]


@pytest.mark.parametrize(
    ("game", "needed"),
    [
        ("play_nine", "a special pack of 108 cards"),
        ("nine_card", "2 packs with jokers"),
        ("six_card", "1 pack without jokers, 2 packs from 5 players"),
        ("four_card", "1 pack without jokers"),
        ("twelve_card", "2 packs with jokers, 3 packs from 7 players"),
    ],
)
def test_the_comparison_says_which_cards_a_game_needs(game: str, needed: str) -> None:
    facts = facts_of(game)
    start = f"| **[{facts.title}](rulebook/{game}.en.md)** | {needed} | {facts.least}–{facts.most} |"
    assert f"\n{start}" in (rule_books.DOCS / "games.md").read_text(encoding="utf-8")
