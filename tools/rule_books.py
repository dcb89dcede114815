"""Writes the rule book of each game on two pages, in each language, and the page that compares the games.

The text is that of the whole rule book (docs/rulebook), the rest comes from the facts of the games.

.venv/bin/python tools/rule_books.py
"""

import re
from collections.abc import Sequence
from itertools import groupby
from pathlib import Path

import drawn_cards

from mulligan.game import rulebook, variants
from mulligan.game.facts import GameFacts
from mulligan.game.notation import read_layout
from mulligan.game.rulebook import LANGUAGES, Block, Rule
from mulligan.game.score_parts import explain
from mulligan.game.score_words import tell_parts
from mulligan.game.variants import Variant
from mulligan.game.words import Words, minus
from mulligan.scorecard import card_words
from mulligan.scorecard.court import lettered
from mulligan.scorecard.pictures import pictures

DOCS = Path(__file__).parents[1] / "docs"
BOOKS = DOCS / "rulebook"
PICTURES = DOCS / "pictures" / "games"

AIM = 0  # the paragraph before the first chapter that a family needs
CODE, MOVE = re.compile("`([^`]*)`"), re.compile("[=>-]")  # in what is written in our notation
SENTENCE = re.compile(r"(?<=[.!?]) (?=\S)|(?<=[。！？])(?=\S)")
RULING = re.compile(r"^> \*\*\w+[.。]\*\* ")
CARDS, POINTS = "5.1", "5"  # the rule and the chapter
# What can be looked up: the names of the slots, who deals first, and what the tables say of lines and bonuses.
LATER = {"1.3", "2.1", "5.3", "5.4", "5.5"}
KNOCK = "3.8"
UP = ("4", "9", "2")  # the cards that are face up in the picture; every game has them
NAMES = {"en": "English", "fr": "Français", "de": "Deutsch", "ja": "日本語"}

TEXTS = {
    "en": {
        "numbers": "The numbers are those of the [rule book of all games](en.md), which also says how moves are "
        "written.",
        "house": "Before the first deal, you can agree on other rules for these: {options}. "
        "[More on house rules](../house-rules.md).",
        "more": "Details and rulings",
    },
    "fr": {
        "numbers": "Les numéros sont ceux des [règles de tous les jeux](fr.md), où l’on apprend aussi comment "
        "s’écrivent les coups.",
        "house": "Avant la première donne, vous pouvez convenir d’autres règles sur ces points\u00a0: {options}. "
        "[En savoir plus](../house-rules.md) (en anglais).",
        "more": "Détails et décisions",
    },
    "de": {
        "numbers": "Die Nummern sind die des [Regelbuchs für alle Spiele](de.md). Dort steht auch, wie man Züge "
        "aufschreibt.",
        "house": "Vor dem ersten Geben könnt ihr hierfür andere Regeln vereinbaren: {options}. "
        "[Mehr über Hausregeln](../house-rules.md) (auf Englisch).",
        "more": "Einzelheiten und Auslegungen",
    },
    "ja": {
        "numbers": "番号は、[すべてのゲームのルールブック](ja.md)と同じです。手の書き方も、そちらにあります。",
        "house": "最初に配る前にみんなで決めれば、次のルールを変えられます：{options}。"
        "[ハウスルールについて（英語）](../house-rules.md)",
        "more": "くわしいルールと裁定",
    },
}


def files() -> dict[Path, str]:
    """Returns the content of every file that this writes."""
    games = [variants.load(name) for name in variants.games()]
    found = {BOOKS / f"{game.name}.{language}.md": page(game, language) for game in games for language in LANGUAGES}
    found |= {PICTURES / f"{game.name}.svg": set_up(game.facts) for game in games}
    found |= {PICTURES / lines_file(game, language): lines(game, language) for game in games for language in LANGUAGES}
    return found


def page(variant: Variant, language: str) -> str:
    """Returns the rules of one game on two pages, and behind them the rulings; how moves are written is left out."""
    words, facts, book = Words(language), variant.facts, rulebook.book(language)
    parts = opening(words, facts)
    for chapter in (one for one in book.chapters if one.number):  # not how moves are written, not the glossary
        rules = [told(words, facts, rule) for rule in chapter.rules if rule.number not in LATER]
        if chapter.number == POINTS:
            rules[1:1] = score_tables(variant, language, chapter.title)
            rules += example(variant, language, chapter.title)
        parts += [f"## {chapter.number} {chapter.title}", *rules]
    options = words.series([words("house_options_name", option=option) for option in facts.options])
    parts += [f"## {words('start_house_rules')}", TEXTS[language]["house"].format(options=options)]
    parts += [f"## {TEXTS[language]['more']}", TEXTS[language]["numbers"]]
    for rule in book.rules.values():
        if rule.number in LATER:
            parts.append(told(words, facts, rule))
        parts += rulings(words, facts, rule)
    return "\n\n".join(filter(None, parts)) + "\n"


def opening(words: Words, facts: GameFacts) -> list[str]:
    """Returns what stands above the first chapter: the title, the other languages, the idea and a picture."""
    own, intro = words.language, rulebook.book(words.language).intro
    links = [NAMES[one] if one == own else f"[{NAMES[one]}]({facts.name}.{one}.md)" for one in LANGUAGES]
    key = "table_pic_layout" if facts.tee_off_before_play else "table_pic_layout_turn"
    cards = words(key, cards=facts.rows * facts.columns, count=facts.tee_off)
    return [
        f"# {words.game(facts)}",
        " · ".join(links),
        words.sentences(words("start_seats", least=facts.least, most=facts.most), facts.descriptions[own]),
        intro[AIM].text,
        f"![{cards}](../pictures/games/{facts.name}.svg)",
    ]


def told(words: Words, facts: GameFacts, rule: Rule) -> str:
    """Returns what a rule says of a game, in one paragraph without rulings; empty if it says nothing."""
    blocks = [block for block in of_game(words, facts, rule) if not block.is_ruling]
    if rule.number == CARDS:
        blocks = [block for block in blocks if not block.games]  # a table has the others
    said = [sentence for block in blocks for sentence in SENTENCE.split(block.text_for(facts.name))]
    said = [sentence for sentence in said if not any(map(MOVE.search, CODE.findall(sentence)))]
    return "".join([lead(words, rule), words.sentences(*said)]) if said else ""


def lead(words: Words, rule: Rule) -> str:
    """Returns the number and title of a rule, to begin its paragraph."""
    return f"**{rule.number} {words.sentences(rule.title)}** "


def rulings(words: Words, facts: GameFacts, rule: Rule) -> list[str]:
    """Returns the rulings on a rule for a game, each with its number."""
    blocks = [block for block in of_game(words, facts, rule) if block.is_ruling]
    return [f"**{rule.number}** {RULING.sub('', block.text_for(facts.name))}" for block in blocks]


def of_game(words: Words, facts: GameFacts, rule: Rule) -> list[Block]:
    """Returns the paragraphs on a game; without those that say which games have a rule, or what none of them has."""
    if rule.number == KNOCK and not facts.knock:
        return []
    titles = [words.game(variants.load(name).facts).lower() for name in variants.games()]
    return [
        block
        for block in rule.blocks
        if block.is_for(facts.name)
        and not block.is_table
        and (block.games or block.is_ruling or not any(title in block.text.lower() for title in titles))
    ]


def score_tables(variant: Variant, language: str, points: str) -> list[str]:
    """Returns the points of the cards, and those of lines with their bonuses, as on the printed card."""
    words, text = Words(language), card_words.words(language)
    letters = lettered(variant, language, None)
    shown = pictures(letters, language)
    cards, to = [], "〜" if language == "ja" else "–"
    for worth, group in groupby(shown["cards"], key=lambda one: one.get("points", text["printed"])):
        names = [
            named(words, letters, variant, one["card"]["name"])
            if "card" in one
            else f"{one['from']['name']}{to}{one['to']['name']}"
            for one in group
        ]
        cards.append((words.series(names), worth))
    told = [(board["words"], board["points"]) for board in shown["boards"]]
    picture = f"![{shown['heading']}](../pictures/games/{lines_file(variant, language)})"
    return [table((text["cards"], points), cards), table((shown["heading"], points), told), picture]


def named(words: Words, letters: Variant, variant: Variant, letter: str) -> str:
    """Returns a card's name, and the letter on it: “king (K)”."""
    name = words.face(variant.faces[letters.faces.index(letter)])
    return name if letter == "*" or letter == name else words("terminal_brackets", text=name, more=letter)


def example(variant: Variant, language: str, points: str) -> list[str]:
    """Returns the layout that the printed card shows as an example, and how it is scored."""
    words, text = Words(language), card_words.words(language)
    columns, letters = variant.facts.columns, lettered(variant, language, None)
    faces = [card["name"] for card in pictures(variant, language)["example"]["slots"]]
    rows = [faces[start : start + columns] for start in range(0, len(faces), columns)]
    cards = read_layout(variant, " / ".join(map(" ".join, rows)))
    score = explain(variant, cards)
    head = ("", *(slot[0] for slot in variant.slots[:columns]))
    shown = dict(zip(variant.faces, letters.faces, strict=True))
    body = [(f"**{number}**", *(shown[face] for face in row)) for number, row in enumerate(rows, 1)]
    bill = [(minus(part.points), told) for part, told in tell_parts(words, variant, cards, score)]
    bill.append((f"**{minus(score.points)}**", f"**{text['total']}**"))
    return [f"**{text['example']}**", table(head, body), table((points, ""), bill)]


def table(head: tuple[str, ...], rows: Sequence[tuple[str, ...]]) -> str:
    lines = [head, ("---",) * len(head), *rows]
    return "\n".join("|".join(["", *(f" {cell} " if cell else " " for cell in line), ""]) for line in lines)


def set_up(facts: GameFacts) -> str:
    """Returns the picture of a layout after teeing off, with the two piles."""
    slots = facts.rows * facts.columns
    up = dict(zip((0, slots - 1, slots // 2)[: facts.tee_off], UP, strict=False))
    faces = [up.get(slot) for slot in range(slots)]
    edge, gap = drawn_cards.EDGE, 3 * drawn_cards.GAP
    left = edge + drawn_cards.width_of(2) + gap
    tall = drawn_cards.height_of(facts.rows)
    middle = edge + (tall - drawn_cards.TALL) / 2
    piles = drawn_cards.layout(edge, middle, (None, "5"), 2)
    whole = left + drawn_cards.width_of(facts.columns) + edge
    parts = [*piles, *drawn_cards.layout(left, edge, faces, facts.columns)]
    return drawn_cards.picture(whole, tall + 2 * edge, f"{facts.title}: the two piles and a layout", parts)


def lines_file(variant: Variant, language: str) -> str:
    """Returns the name of the picture of the lines, with the language if its cards have letters of their own."""
    differs = lines(variant, language) != lines(variant, LANGUAGES[0])
    return f"{variant.name}_lines{f'.{language}' if differs else ''}.svg"


def lines(variant: Variant, language: str) -> str:
    """Returns the picture of layouts with the lines of the printed card, and of what is left where lines are cleared.

    Below each stands what its lines cost together; the other cards may be any.
    """
    boards = [
        ([slot["name"] if slot else drawn_cards.ANY for slot in board["slots"]], board["points"])
        for board in pictures(lettered(variant, language, None), language)["boards"]
    ]
    if variant.facts.lines_clear:
        boards += [([slot if slot == drawn_cards.ANY else drawn_cards.EMPTY for slot in boards[0][0]], "")]
    edge, rows, columns = drawn_cards.EDGE, variant.facts.rows, variant.facts.columns
    wide, tall = drawn_cards.width_of(columns), drawn_cards.height_of(rows)
    across = 2 if len(boards) == 4 else min(3, len(boards))
    step, below = wide + 3 * edge, tall + 4 * edge
    parts = []
    for nth, (slots, points) in enumerate(boards):
        x, y = edge + nth % across * step, edge + nth // across * below
        parts += drawn_cards.layout(x, y, slots, columns)
        parts.append(drawn_cards.label(x + wide / 2, y + tall + 2 * edge, points))
    if variant.facts.lines_clear:
        parts.append(drawn_cards.label(edge + wide + 1.5 * edge, edge + tall / 2, "→"))
    height = below * -(-len(boards) // across) + edge
    return drawn_cards.picture(across * step - edge, height, f"{variant.title}: lines and their points", parts)


if __name__ == "__main__":
    for file, text in files().items():
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text, encoding="utf-8", newline="\n")
