"""The rule book of a game with house rules.

The sentences on the house rules come first in each rule that they change. A paragraph that rests on a changed fact is
marked. Examples are scored again; those that cannot be laid out any more are left out.
"""

from collections.abc import Iterator
from dataclasses import replace

from mulligan.engine.scoring import beats, penalty

from . import house_rules
from .changed_facts import changed, rests_on
from .facts import GameFacts
from .house_options import change
from .notation import read_layout
from .rulebook import Block, Book, Rule, book
from .score_parts import explain
from .score_words import tell_part
from .variants import Variant, for_seats
from .words import Words, minus

LINES = ("lines", "other_lines", "lines_clear")  # what the reason of an example speaks of, besides its cards


def book_of(words: Words, variant: Variant, base: GameFacts | None = None) -> Book:
    """Returns the rule book in a language, as a variant changes it; `base` is the game in the book, if not its own."""
    own = base or variant.unpatched or variant.facts
    facts = change(variant.unpatched, variant.match) if variant.unpatched else variant.facts  # for any number of seats
    keys = changed(own, facts)
    whole = book(words.language)
    if not keys:
        return whole
    making = Making(words, own.name, replace(variant, facts=facts), keys)
    chapters = [replace(chapter, rules=[making.rule(one) for one in chapter.rules]) for chapter in whole.chapters]
    return replace(whole, chapters=chapters)


class Making:
    """Rewrites the rules of the book for one game; `keys` are the facts that differ."""

    def __init__(self, words: Words, game: str, variant: Variant, keys: frozenset[str]) -> None:
        self.words, self.game, self.keys = words, game, keys
        self.variant = for_seats(variant, variant.facts.most)  # an example may need more than one pack (1.2)
        self.sentences = house_rules.sentences(words, variant)
        self.restated = house_rules.restated(words, variant)

    def rule(self, rule: Rule) -> Rule:
        blocks = [one for block in rule.blocks for one in self.block(block)]
        texts = [text for changed, text in self.sentences if rule.number in changed.rules]
        marked = {name for block in blocks if block.house == "changed" for name in block.facts}
        texts += [
            text
            for number, key, text in self.restated
            if (rests_on(marked, frozenset([key])) or (number == rule.number and key in self.keys))
            and text not in texts
        ]
        if not texts:
            return replace(rule, blocks=blocks)
        note = self.words("house_options_note", text=self.words.sentences(*texts))
        return replace(rule, blocks=[Block(f"> {note}", house="note"), *blocks])

    def block(self, block: Block) -> Iterator[Block]:
        """Yields the block, rewritten or marked; nothing for a table without examples that are left."""
        if not block.is_for(self.game):
            yield block
        elif block.is_table:
            lines = block.text.splitlines()
            kept = [*lines[:2], *(one for line in lines[2:] for one in self.example(line))]
            if len(kept) > 2:
                yield replace(block, text="\n".join(kept))
        elif rests_on(block.facts, self.keys):
            start = "> " if block.is_ruling else ""
            marked = self.words("house_options_changed", text=block.text.removeprefix(start))
            yield replace(block, text=start + marked, house="changed")
        else:
            yield block

    def example(self, line: str) -> Iterator[str]:
        """Yields the row of a table, scored again; nothing for a layout that is not possible."""
        game, *cells = (cell.strip() for cell in line.strip("|").split("|"))
        if game != self.game:
            yield line
        elif not cells[0].startswith("`"):
            yield self.closer(*cells)
        elif self.has(cells[0].strip("`")):
            yield self.layout(line, cells[0], number(cells[1]))

    def has(self, layout: str) -> bool:
        """Returns whether the game has a layout of this size, and all its cards."""
        faces = [face for face in layout.split() if face != "/"]
        copies = {face.name: face.copies for face in self.variant.facts.faces}
        fits = not rests_on(["layout"], self.keys)
        return fits and all(faces.count(face) <= copies.get(face, 0) for face in faces)

    def layout(self, line: str, layout: str, points: int) -> str:
        """Returns the row of an example, with its reason if that still holds, else with the parts of the score."""
        faces = {face for face in layout.strip("`").split() if face != "/"}
        cards = read_layout(self.variant, layout.strip("`"))
        score = explain(self.variant, cards)
        spoken_of = (*LINES, *(f"{face}.{key}" for face in faces for key in ("points", "line")))
        if score.points == points and not rests_on(spoken_of, self.keys):
            return line
        reason = " · ".join(
            self.words(
                "terminal_brackets",
                text=tell_part(self.words, self.variant, cards, score, part, ()),
                more=minus(part.points),
            )
            for part in score.parts
        )
        return f"| {self.game} | {layout} | {minus(score.points)} | {reason} |"

    def closer(self, points: str, others: str, _: str) -> str:
        """Returns the row of an example of the closer's penalty (5.6)."""
        rules, own = self.variant.rules, number(points)
        beaten_by = sum(bool(beats(rules, number(other), own)) for other in others.split(", "))
        after = own + int(penalty(rules, own, beaten_by))
        return f"| {self.game} | {points} | {others} | {minus(after)} |"


def number(text: str) -> int:
    return int(text.replace(minus("-"), "-"))
