"""The rule book with house rules says what is played, under every value of every option, in four languages."""

import re
from functools import cache
from pathlib import Path
from random import Random

import pytest
from all_pairs import with_all_pairs
from effort import THOROUGH, tries
from independent import closer_ends_with
from test_every_variant import layout_rich_in_lines
from test_house_rules import GAMES, patched, points_of, rules_of, table_of

from mulligan.engine.scoring import beats, lines_cost, penalty
from mulligan.game import facts, house_book, house_rules, rulebook, shipped, variants
from mulligan.game.changed_facts import HAS_RULE, OF_A_FACE, changed, rests_on
from mulligan.game.house_options import change
from mulligan.game.notation import read_layout
from mulligan.game.rulebook import LANGUAGES, Block
from mulligan.game.score_parts import explain
from mulligan.game.variants import Variant
from mulligan.game.words import Words

LAYOUT = re.compile(r"^\| (\w+) \| `([^`]+)` \| ([−\d]+) \| ([^|]*) \|$", re.MULTILINE)
CLOSER = re.compile(r"^\| (\w+) \| (−?\d+) \| (−?\d+(?:, −?\d+)*) \| (−?\d+) \|$", re.MULTILINE)
SUM = re.compile(r"−?\d+(?: [+−] \d+)+$")
PART = re.compile(r"[(（](−?\d+)[)）](?= · |$)")


def single(game: str) -> list[dict]:
    facts = variants.load(game).facts
    return [{option: value} for option, values in facts.options.items() for value in values[1:]]


@cache
def with_rules(game: str, sets: str) -> list[tuple[dict, Variant]]:
    """Every single house rule of a game, or every pair of two, also with the least and the most there can be."""
    own = variants.load(game)
    return with_all_pairs(game) if sets == "pairs" else [(one, variants.for_match(own, one)) for one in single(game)]


singly_and_in_pairs = pytest.mark.parametrize("sets", ["single", pytest.param("pairs", marks=pytest.mark.long)])


def languages(number: int) -> list[str]:
    return LANGUAGES if THOROUGH or number % 8 == 0 else LANGUAGES[:1]


@cache
def book_with(game: str, sets: str, number: int, language: str) -> rulebook.Book:
    """The rule book with one of those sets of house rules."""
    return house_book.book_of(Words(language), with_rules(game, sets)[number][1])


def plain(text: str) -> str:
    return text.replace("−", "-")


@singly_and_in_pairs
@pytest.mark.parametrize("game", GAMES)
def test_every_example_is_scored_by_the_house_rules(game: str, sets: str) -> None:
    """By a second reading of the game's file. Where the reason is a sum, or parts, they add up to the same."""
    for number, (patch, _) in enumerate(with_rules(game, sets)):
        table = patched(table_of(game), patch)
        for language in languages(number):
            text = book_with(game, sets, number, language).text(game)
            assert not re.search(r"^\|[-|]+\|\n(?!\|)", text, re.MULTILINE), f"{patch}: a table without rows"
            for _, layout, points, reason in LAYOUT.findall(text):
                rows = [row.split() for row in layout.split("/")]
                assert points_of(table, rows) == int(plain(points)), (patch, layout)
                assert {face for row in rows for face in row} <= set(table["faces"]), (patch, layout)
                if found := SUM.search(reason):
                    assert sum(map(int, plain(found[0]).replace("- ", "+ -").split(" + "))) == int(plain(points))
                if parts := PART.findall(reason):
                    assert sum(map(int, map(plain, parts))) == int(plain(points)), (patch, layout, reason)
            for _, points, others, after in CLOSER.findall(text):
                told = int(plain(points)), [int(other) for other in plain(others).split(", ")]
                assert closer_ends_with(rules_of(table), *told) == int(plain(after)), (patch, points, others)


@pytest.mark.parametrize("game", GAMES)
def test_the_engine_scores_by_every_pair_of_house_rules(game: str) -> None:
    """Layouts with many lines, their parts, several lines of a face, and the closer: by the second reading."""
    words = Words("en")
    for number, (patch, variant) in enumerate(with_all_pairs(game)):
        table, dice, rules = patched(table_of(game), patch), Random(number), variant.rules
        for _ in range(tries(3, 200)):
            rows = layout_rich_in_lines(table, dice)
            score = explain(variant, read_layout(variant, " / ".join(map(" ".join, rows))))
            assert sum(part.points for part in score.parts) == score.points == points_of(table, rows), (patch, rows)
        for points in (-3, 0, 1, 21):
            others = [dice.randint(points - 2, points + 2) for _ in range(3)]
            beaten_by = sum(bool(beats(rules, other, points)) for other in others)
            after = points + penalty(rules, points, beaten_by)
            assert after == closer_ends_with(rules_of(table), points, others), (patch, others)
        if any(variant.facts.bonus):
            told = plain(house_rules.sentence(words, variant.facts, "bonus", ""))
            bonuses = {int(count): int(points) for points, count in re.findall(r"(-?\d+) for (\d)", told)}
            assert list(bonuses) == list(range(2, len(variant.facts.bonus) + 2))
            dear = next(face for face, cost in enumerate(rules.line_points) if not cost)
            assert all(lines_cost(rules, dear, count) == points for count, points in bonuses.items()), patch


def paragraphs(game: str) -> list[tuple[str, Block]]:
    blocks = [(rule.number, block) for rule in rulebook.book().rules.values() for block in rule.blocks]
    return [(number, block) for number, block in blocks if block.is_for(game) and not block.is_table]


def test_every_paragraph_says_what_it_rests_on() -> None:
    """By keys that there are, or by `none`; a new paragraph cannot be forgotten."""
    faces = {face.name for name in variants.games() for face in variants.load(name).facts.faces}
    known = frozenset(facts.entries(facts.GameFacts)) | {f"{face}.{key}" for face in faces for key in OF_A_FACE}
    known |= set(HAS_RULE)
    for game in variants.games():
        for number, block in paragraphs(game):
            assert block.facts, f"{number}: {block.text[:60]}"
            for name in set(block.facts) - {"none"}:
                assert rests_on([name], known), f"{number}: {name}"


def test_a_paragraph_rests_on_each_fact_there_is() -> None:
    """A new rule cannot be forgotten in the book: some paragraph says it, and is marked where it changes."""
    for key in frozenset(facts.entries(facts.GameFacts)) - {*facts.SHOWN, "faces"} | {"H.points", "*.copies", "*.line"}:
        blocks = [block for game in variants.games() for _, block in paragraphs(game)]
        assert any(rests_on(block.facts, frozenset([key])) for block in blocks), key


STATES = {  # a paragraph of these rules with the word rests on a fact whose key begins so
    r"\bjokers?\b|`\*": ("1 2 3 4 5 6", r"\*|points|copies|K\.copies|2"),
    r"\bkings?\b(?! are turned)": ("2.1 3 4 5 6", r"K|points|bonus|tee_off|has_low"),
    r"\bA 2\b|\b2s\b": ("5", r"2|points"),
    r"\bcolumns?\b|\brows?\b|\bdiagonals?\b": ("5", r"lines|other_lines|bonus|2|\*|points"),
    r"\b(turns?|turned) up\b": ("2.4 3", "tee_off|may_|discard_|knock|has_tee_off"),
    r"\blast turns?\b": ("3 4", "has_last_turns"),
    r"\b[Tt]ee(ing)? off\b(?! one)": ("2", "tee_off|has_tee_off|closer_starts"),
    r"\bbonus\b|\b(take|takes) off \d|\bearns? \d": ("5.2 5.4 5.5", "bonus|has_bonus"),
    r"\bpacks?\b": ("1.2", r"packs|copies|\*|K"),
    r"\bmust place\b|\byou don’t have to place\b": ("3.3 4", "may_discard_drawn"),
    r"\b(nine|twenty) holes\b|\b100 points\b": ("6.1", "holes|until"),
    r"\bplay-off\b|\bshares? the win\b": ("6.3", "level"),
    r"\bpenalty\b|\bpays\b|\bcloser\b": ("5", "closer_penalty|has_penalty"),
    r"\bknock\b": ("3 4", "knock"),
}
GENERAL = (  # paragraphs that have such a word and hold under every house rule
    "Points are strokes",  # the bonuses of the next rules, whatever they are
    "> **Ruling.** Before the first deal the players may agree on another length",
    "> **Ruling, nine-card golf, six-card golf, eight-card golf",  # a target: any number of holes
    "> **Ruling, six-card golf, square golf.** A play-off",
    "> **Ruling, twelve-card golf.** If you tee off with three cards",
    "> **Ruling, nine-card golf, six-card golf, eight-card golf, ten-card golf, four-card golf, square golf.** If you",
    "> **Ruling, eight-card golf, ten-card golf.** Each of",
)


def test_a_paragraph_rests_on_what_it_speaks_of() -> None:
    """A second look at the comments, by the words of each paragraph: the facts that house rules change."""
    wrong = []
    for rule in rulebook.book().rules.values():
        for block in rule.blocks:
            if block.is_table or block.text.startswith(GENERAL):
                continue
            said = block.text.replace(block.label, "", 1) if block.label else block.text
            for word, (numbers, facts_of_it) in STATES.items():
                speaks = rule.number.startswith(tuple(numbers.split())) and re.search(word, said)
                if speaks and not any(re.match(facts_of_it, name) for name in block.facts):
                    wrong.append(f"{rule.number} rests on {block.facts}, but has {word}: {said[:90]}")
    assert wrong == []


@singly_and_in_pairs
@pytest.mark.parametrize("game", GAMES)
def test_each_house_rule_is_told_where_it_is_about_and_marks_what_it_changes(game: str, sets: str) -> None:
    """In every language: the paragraphs that rest on a changed fact, and no others."""
    own = variants.load(game).facts
    for number, (patch, variant) in list(enumerate(with_rules(game, sets)))[:: 1 if THOROUGH else 2]:
        keys = changed(own, change(own, variant.match))
        changes = house_rules.changes(variant)
        for one in changes:
            about = rulebook.book().rules[one.rules[0]]
            if alone := house_rules.keys_of(variant, one.option):  # not if another house rule makes it pointless
                assert any(block.is_for(game) and rests_on(block.facts, alone) for block in about.blocks), one
        for language in languages(number):
            words = Words(language)
            book = book_with(game, sets, number, language)
            for one in changes:
                for rule_number in one.rules:
                    note = book.rules[rule_number].blocks[0]
                    assert note.house == "note"
                    assert house_rules.sentence(words, variant.facts, one.option, one.value) in note.text
            for rule in book.rules.values():
                for block in rule.blocks:
                    wanted = block.is_for(game) and not block.is_table and rests_on(block.facts, keys)
                    assert (block.house == "changed") == wanted, (patch, rule.number, block.text)
                    assert (words("house_options_changed", text="").strip() in block.text) == wanted


READ = {  # by hand: paragraphs that house rules change and, after "not", some that hold as they stand
    "play_nine tee_off=0": "To tee off; Players tee off one; You look at each; Before anyone",
    "play_nine tee_off=1": "Before anyone; not To tee off; not Players tee off one",
    "play_nine discarding=must_flip": "If only one card; When your layout; not You don’t have to; not Discarding can",
    "play_nine discarding=may_flip": "You don’t have to; not Discarding can close",
    "play_nine discarding=ends_turn": "You don’t have to; Discarding can close; When your layout",
    "nine_card discarding=must_flip": "Nine-card golf does not; not Only Play Nine, eight; not You can still keep",
    "nine_card discarding=ends_turn": "You can still keep; not Only Play Nine, eight; not If you turn up a card after",
    "nine_card discarding=may_leave_last": "You can still keep; Only Play Nine, eight",
    "nine_card jokers=none": "A line is one row; Three kings; not Some lines are worth; not Only Play Nine and eight",
    "nine_card jokers=-1": "The first dealer is; not Three kings; not Some lines are worth; not A line is one row",
    "nine_card bonus=none": "In Play Nine, nine-card; Two whole rows; not Only Play Nine and eight; not Three kings",
    "nine_card penalty=10": "Close only if; not Only nine-card golf and twelve",
    "nine_card penalty=none": "Close only if; Only nine-card golf and twelve",
    "nine_card level=playoff": "All who are tied; not If you agreed on a play-off",
    "six_card discarding=must_flip": "You can still keep; not Only Play Nine, eight",
    "six_card bonus=-10": "In Play Nine, nine-card; not Only Play Nine and eight; not Some lines are worth",
    "six_card negative_lines=keep": "Some lines are worth; Two 2s in one; not In Play Nine, nine",
    "six_card bonus=-10 negative_lines=keep": "Only Play Nine and eight; Some lines are worth",
    "six_card penalty=double": "Only nine-card golf and twelve",
    "six_card last_turns=no": "After someone has closed; If you turn up a card after; not Start your turn",
    "eight_card jokers=none": "When two of your columns; If all four jokers; Some lines are worth",
    "eight_card jokers=-1": "A column with two jokers; not Some lines are worth; not Only Play Nine and eight",
    "eight_card bonus=-20": "When two of your columns; not In Play Nine, nine; not Only Play Nine and eight",
    "eight_card kings=-2": "not Some lines are worth; not A column with two jokers; An ace costs",
    "nine_card_square block=-25": "Equal cards in a square; not In Play Nine, nine; not Only Play Nine and eight",
    "twelve_card tee_off=0": "On the first hole; not If several players",
    "twelve_card tee_off=3": "not On the first hole; not If several players",
    "twelve_card penalty=10": "Close only if; not Only nine-card golf and twelve",
    "twelve_card pack=numbers": "You play with ordinary cards; A joker takes 2; not A line is one column",
}


@pytest.mark.parametrize("what", READ)
def test_a_reader_finds_the_same_paragraphs_changed(what: str) -> None:
    game, *options = what.split()
    book = house_book.book_of(Words("en"), house_rules.with_options(variants.load(game), options))
    blocks = [block for rule in book.rules.values() for block in rule.blocks if block.is_for(game)]
    for wanted in READ[what].split("; "):
        start = wanted.removeprefix("not ")
        found = [
            block for block in blocks if re.match(rf"\W*(House rules.*\W)?(Ruling\W*)?{start}", block.text_for(game))
        ]
        assert len(found) == 1, start
        assert (found[0].house == "changed") == (start == wanted), start


def test_an_example_keeps_its_reason_where_that_holds() -> None:
    variant = house_rules.with_options(variants.load("play_nine"), ["bonus=none"])
    text = house_book.book_of(Words("en"), variant).text("play_nine")
    assert "| play_nine | `5 6 1 2 / 6 5 2 1` | 28 | diagonal pairs don’t count |" in text
    assert "two bonuses of 10" not in text


def test_a_line_that_only_house_rules_put_below_zero_is_told() -> None:
    """Beside the rule for the lines that the game has already, which still holds."""
    variant = house_rules.with_options(variants.load("eight_card"), ["kings=-2"])
    rule = house_book.book_of(Words("en"), variant).rules["5.3"]
    assert rule.blocks[0].text == "> **House rule.** A line of kings counts −4."


def test_examples_of_another_layout_are_left_out_for_an_own_variant(tmp_path: Path) -> None:
    table = (shipped.FOLDER / "six_card.toml").read_text(encoding="utf-8").partition("[options]")[0]
    own = tmp_path / "own.toml"
    wider = table.replace("columns = 3", "columns = 4").replace("lines = [0, 0]", "lines = [0, 0, 0]")
    own.write_text(wider.replace("points = 9", "points = 19"), encoding="utf-8")
    variant = variants.load(str(own))
    text = house_book.book_of(Words("en"), variant, variants.load("six_card").facts).text("six_card")
    assert not LAYOUT.search(text)
