"""Reads house rules from text, and tells in words how a game with house rules differs from the named one."""

from collections.abc import Iterable, Mapping
from typing import NamedTuple

from .facts import GameFacts
from .options import OPTIONS, Value, own_value
from .problems import Problem
from .safe_text import printable
from .typed_text import number_in, plain, word
from .variants import Variant, for_match
from .words import Words, minus


class Changed(NamedTuple):
    """An option that differs from the named game, its value, and the numbers of the rules that it changes."""

    option: str
    value: Value
    rules: tuple[str, ...]


def changes(variant: Variant) -> list[Changed]:
    """Returns the options in which a variant differs from the named game, in the order of the rule book."""
    return [Changed(name, value, OPTIONS[name].rules) for name, value in variant.match.items()]


class FormError(Problem):
    """A text that is not an option with its value."""


def read(texts: Iterable[str]) -> dict[str, Value]:
    """Reads house rules such as `jokers=-5`. Raises FormError."""
    found: dict[str, Value] = {}
    for text in texts:
        name, equals, value = plain(text).partition("=")
        if not (name and equals and value):
            raise FormError("rules_wrong_form", text=printable(text, 40), example="jokers=-5")
        found[word(name)] = read_value(value)
    return found


def read_value(text: str) -> Value:
    """Returns the value as typed: a number, or a name in lower case."""
    number = number_in(text)
    return word(text) if number is None else number


def write(house_rules: Mapping[str, Value]) -> str:
    """Writes house rules as in links: `jokers=-5,twos=2`."""
    return ",".join(f"{name}={value}" for name, value in house_rules.items())


def in_file(variant: Variant) -> str:
    """Returns the text of a file with the house rules of a variant, which `--game` accepts."""
    values = {name: value if isinstance(value, int) else f'"{value}"' for name, value in variant.match.items()}
    lines = [f"{name} = {value}\n" for name, value in values.items()]
    return f'game = "{variant.name}"\n\n[options]\n{"".join(lines)}'


def with_options(variant: Variant, texts: Iterable[str]) -> Variant:
    """Returns the variant with house rules such as `jokers=-5`. Raises FormError, OptionError."""
    return for_match(variant, read(texts))


def name_of(words: Words, option: str) -> str:
    """Returns the short name of an option: “Jokers”."""
    return words("rules_option", option=option)


def value_of(words: Words, option: str, value: Value) -> str:
    """Returns the short name of a value: “−5”, “None”."""
    return words("rules_value", option=option, value=value, points=points_in(value))


def sentence(words: Words, option: str, value: Value) -> str:
    """Returns the sentence that says how a value changes play."""
    return words("rules_how", option=option, value=value, points=points_in(value))


def points_in(value: Value) -> str:
    """Returns the number of a value, with a real minus sign: 5 of `5_each`."""
    return minus(str(value).partition("_")[0])


def sentences(words: Words, variant: Variant) -> list[tuple[Changed, str]]:
    """Returns the sentence of each option that differs from the named game."""
    return [(changed, sentence(words, changed.option, changed.value)) for changed in changes(variant)]


def told(words: Words, variant: Variant) -> str:
    """Returns what differs from the named game, in one paragraph; empty if nothing does."""
    if not variant.match:
        return ""
    differ = words("rules_differ", game=words.game(variant.facts))
    return words("rules_list", differ=differ, list=words.sentences(*(text for _, text in sentences(words, variant))))


def notes(words: Words, variant: Variant) -> dict[str, str]:
    """Returns a note in Markdown on each rule of the rule book that house rules change, by its number."""
    found: dict[str, list[str]] = {}
    for changed, text in sentences(words, variant):
        for number in changed.rules:
            found.setdefault(number, []).append(text)
    return {number: words("rules_note", text=words.sentences(*texts)) for number, texts in found.items()}


def choices(facts: GameFacts) -> dict[str, tuple[Value | None, list[Value]]]:
    """Returns the options that a game offers: for each its own value, and all values."""
    return {
        name: (own_value(facts, name, facts.options[name]), facts.options[name])
        for name in OPTIONS
        if name in facts.options
    }
