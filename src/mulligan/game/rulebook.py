"""Reads the rule book (docs/rulebook) into chapters, numbered rules and blocks.

In the English book a comment at the end of each paragraph of a rule names the facts that it rests on, by their keys in
a variant file: `<!-- bonus lines K.points -->`, by `has_bonus` where it only says which games have a rule
(changed_facts.py), or `none`. It is for all languages. Where house rules change one of the facts, the paragraph is
marked (house_book.py).
"""

import re
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from typing import Literal

from . import shipped

INSTALLED = Path(__file__).parent / "rulebook"
IN_CHECKOUT = Path(__file__).parents[3] / "docs" / "rulebook"
FOLDER = INSTALLED if INSTALLED.is_dir() else IN_CHECKOUT
LANGUAGES = ("en", *sorted({file.stem for file in FOLDER.glob("??.md")} - {"en"}))  # not the books of one game

# The games of a paragraph, or of a ruling, which begins with the word for one.
LABEL = re.compile(r"(?:> \*\*(\w+)|\*\*)([^*]*?)[.。]\*\* ")
FACTS = re.compile(r" <!-- ([^>]+) -->$")


class RuleBookError(ValueError):
    """The book does not have that rule or language, or not all its paragraphs in a language."""


@dataclass
class Block:
    """A paragraph, list or table.

    `games` are the games it applies to, empty for all games; `label` is the part of the text that names them. `facts`
    are what a paragraph of a rule rests on. `house` says what house rules did to it: nothing, "note" for a paragraph
    that they add, "changed" for one that no longer holds as it stands.
    """

    text: str
    games: tuple[str, ...] = ()
    label: str = ""
    is_ruling: bool = False
    facts: tuple[str, ...] = ()
    house: Literal["", "note", "changed"] = ""

    @property
    def is_table(self) -> bool:
        return self.text.startswith("|")

    @property
    def rows(self) -> list[list[str]]:
        """Returns the rows of a table, the header first."""
        lines = [line for line in self.text.splitlines() if not set(line) <= set("|- ")]
        return [[cell.strip() for cell in line.strip("|").split("|")] for line in lines]

    def is_for(self, game: str | None) -> bool:
        return game is None or not self.games or game in self.games

    def text_for(self, game: str | None) -> str:
        """Returns the text; with a game, without the label, and of a table only its rows, empty if it has none."""
        if game is None:
            return self.text
        if not self.is_table:
            return self.text.replace(self.label, "", 1)
        others = {*shipped.games()} - {game}
        lines = [line for line in self.text.splitlines() if first_cell(line) not in others]
        return "\n".join(lines) if len(lines) > 2 else ""  # a head alone is no table


@dataclass
class Rule:
    number: str
    title: str
    blocks: list[Block] = field(default_factory=list)

    def text(self, game: str | None = None) -> str:
        """Returns the rule in Markdown; with a game, without what is for other games."""
        return "\n\n".join([f"### {self.number} {self.title}", *texts_for(game, self.blocks)])


@dataclass
class Chapter:
    """A chapter; how moves are written and the glossary have no number and no rules."""

    number: str
    title: str
    rules: list[Rule] = field(default_factory=list)
    blocks: list[Block] = field(default_factory=list)

    def text(self, game: str | None = None) -> str:
        """Returns the chapter in Markdown; with a game, without what is for other games."""
        heading = f"## {self.number} {self.title}" if self.number else f"## {self.title}"
        return "\n\n".join([heading, *texts_for(game, self.blocks), *(rule.text(game) for rule in self.rules)])


@dataclass
class Book:
    title: str
    intro: list[Block]
    chapters: list[Chapter]

    @property
    def rules(self) -> dict[str, Rule]:
        return {rule.number: rule for chapter in self.chapters for rule in chapter.rules}

    def text(self, game: str | None = None) -> str:
        """Returns the book in Markdown; with a game, without what is for other games."""
        intro = texts_for(game, self.intro)
        return "\n\n".join([f"# {self.title}", *intro, *(chapter.text(game) for chapter in self.chapters)])


def texts_for(game: str | None, blocks: list[Block]) -> list[str]:
    return [text for block in blocks if block.is_for(game) and (text := block.text_for(game))]


def first_cell(line: str) -> str:
    return line.strip("|").partition("|")[0].strip()


@cache
def book(language: str = "en") -> Book:
    """Returns the rule book in a language. Raises RuleBookError."""
    if language not in LANGUAGES:
        raise RuleBookError(f"The rule book is not there in “{language}”, but in {', '.join(LANGUAGES)}.")
    whole = read((FOLDER / f"{language}.md").read_text(encoding="utf-8"))
    if language != LANGUAGES[0]:
        for number, english in book(LANGUAGES[0]).rules.items():
            blocks = whole.rules[number].blocks if number in whole.rules else []
            if (count := len(english.blocks)) != len(blocks):
                raise RuleBookError(f"{language}.md: rule {number} must have {count} paragraphs and tables.")
            for block, same in zip(blocks, english.blocks, strict=True):
                block.facts = same.facts
    return whole


def rule(number: str, game: str | None = None, language: str = "en") -> str:
    """Returns one rule in Markdown; with a game, without what is for other games. Raises RuleBookError."""
    rules = book(language).rules
    if number not in rules:
        raise RuleBookError(f"There is no rule {number}; the rules go from {min(rules)} to {max(rules)}.")
    return rules[number].text(game)


def read(text: str) -> Book:
    """Reads the rule book's Markdown."""
    pieces = [piece.strip() for piece in re.split(r"\n\s*\n", text) if piece.strip()]
    whole = Book(pieces[0].removeprefix("# "), [], [])
    blocks = whole.intro
    for piece in pieces[1:]:
        if piece.startswith("### "):
            number, _, title = piece.removeprefix("### ").partition(" ")
            whole.chapters[-1].rules.append(Rule(number, title))
            blocks = whole.chapters[-1].rules[-1].blocks
        elif piece.startswith("## "):
            number, _, title = piece.removeprefix("## ").partition(" ")
            chapter = Chapter(number, title) if number.isdigit() else Chapter("", piece.removeprefix("## "))
            whole.chapters.append(chapter)
            blocks = chapter.blocks
        else:
            blocks.append(read_block(piece, blocks[-1] if blocks else None))
    return whole


def read_block(piece: str, before: Block | None) -> Block:
    """Reads a block and its games; a list or table has the games of the paragraph before it."""
    if piece.startswith(("|", "- ")) and before is not None and not before.is_ruling:
        return Block(piece, before.games)
    named = FACTS.search(piece)
    facts = tuple(named[1].split()) if named else ()
    piece = FACTS.sub("", piece)
    label = LABEL.match(piece)
    if not label:
        return Block(piece, facts=facts)
    whole, ruling, names = label[0], label[1], label[2]
    known = {title.lower(): game for title, game in shipped.titles().items()}
    games = tuple(known[word] for word in re.split(r", |、", names.lower()) if word in known)
    return Block(piece, games, (names if ruling else whole) if games else "", bool(ruling), facts)
