"""Reads house rules from text, and tells in words how a game with house rules differs from the named one."""

from collections.abc import Iterable, Mapping
from functools import lru_cache
from itertools import chain
from typing import NamedTuple

from . import rulebook
from .changed_facts import changed, rests_on
from .error_sentences import Problem
from .facts import GameFacts
from .house_options import OPTIONS, Value, change, own_value, typed_name, typed_value
from .safe_text import printable
from .typed_text import parts, plain, unquoted
from .variants import Variant, as_entered
from .words import Words, minus

LENGTH = "holes"  # a match of any length is still the named game (6.1)


class Changed(NamedTuple):
    """An option that differs from the named game, its value, and the numbers of the rules that it changes.

    The first number is that of the rule which the option is about.
    """

    option: str
    value: Value
    rules: tuple[str, ...]


def changes(variant: Variant) -> list[Changed]:
    """Returns the options in which a variant differs from the named game, in the order of the rule book."""
    return [Changed(name, value, rules_of(variant, name)) for name, value in variant.match.items()]


def rules_of(variant: Variant, option: str) -> tuple[str, ...]:
    """Returns the numbers of the rules that an option of a variant changes, that which it is about first."""
    about, keys = OPTIONS[option].rule, keys_of(variant, option)
    return (about, *(number for number in rules_on(variant.name, keys) if number != about))


def keys_of(variant: Variant, option: str) -> frozenset[str]:
    """Returns the facts that an option changes, beside the other house rules of a variant."""
    own = variant.unpatched or variant.facts
    others = {name: value for name, value in variant.match.items() if name != option}
    return changed(change(own, others), change(own, variant.match))


@lru_cache(1000)
def rules_on(game: str, keys: frozenset[str]) -> tuple[str, ...]:
    """Returns the numbers of the rules in which a paragraph for the game rests on one of these facts."""
    return tuple(
        rule.number
        for rule in rulebook.book().rules.values()
        if any(block.is_for(game) and rests_on(block.facts, keys) for block in rule.blocks)
    )


class FormError(Problem):
    """A text that is not an option with its value."""


def read(texts: Iterable[str]) -> dict[str, Value]:
    """Reads house rules such as `jokers=-5`, or several with commas between them. Raises FormError."""
    found: dict[str, Value] = {}
    for text in chain.from_iterable(listed(unquoted(text.strip())) for text in texts):
        name, equals, value = (unquoted(part.strip()) for part in plain(unquoted(text)).partition("="))
        if not (name and equals and value):
            raise FormError("house_options_wrong_form", text=printable(text, 40), example="jokers=-5")
        name = typed_name(name)
        if name in found:
            raise FormError("house_options_wrong_twice", option=printable(name, 40))
        found[name] = typed_value(value)
    return found


def listed(text: str) -> list[str]:
    """Returns the house rules of one text, as typed; the text itself if it has none."""
    return [part for part in parts(text) if part] or [text]


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
    return as_entered(variant, read(texts))


def name_of(words: Words, option: str) -> str:
    """Returns the short name of an option: “Jokers”."""
    return words("house_options_name", option=option)


def value_of(words: Words, option: str, value: Value) -> str:
    """Returns the short name of a value: “−5”, “None”."""
    return words("house_options_value", option=option, value=value, points=points_in(value))


def sentence(words: Words, facts: GameFacts, option: str, value: Value) -> str:
    """Returns the sentence that says how a value changes play; `facts` are those of the game with it."""
    kind = kind_of(facts, option)
    bonuses = [
        words("house_options_bonus", count=count, points=minus(points)) for count, points in enumerate(facts.bonus, 2)
    ]
    return words(
        "house_options_how",
        option=kind,
        value=value,
        points=points_in(value),
        bonuses=words.listed(bonuses),
        holes=facts.holes,
    )


def kind_of(facts: GameFacts, option: str) -> str:
    """Returns the option, or the name of its sentences for a game in which they differ."""
    if option == "bonus" and facts.bonus_replaces:
        return "bonus_instead"
    if option == "jokers" and facts.options.get(option, ["*"])[0] == "none":
        return "jokers_added"
    if option == LENGTH and facts.until:
        return "holes_at_most"
    return option


def value_sentence(words: Words, variant: Variant, option: str, value: Value) -> str:
    """Returns the sentence on a value that may be chosen for a variant."""
    own = variant.unpatched or variant.facts
    return sentence(words, change(own, {**variant.match, option: value}), option, value)


def points_in(value: Value) -> str:
    """Returns the number of a value, with a real minus sign: 5 of `5_each`."""
    return minus(str(value).partition("_")[0])


def sentences(words: Words, variant: Variant) -> list[tuple[Changed, str]]:
    """Returns the sentence of each option that differs from the named game."""
    return [(one, sentence(words, variant.facts, one.option, one.value)) for one in changes(variant)]


def told(words: Words, variant: Variant) -> str:
    """Returns what differs from the named game but the length, in one paragraph; empty if nothing does."""
    texts = [text for one, text in sentences(words, variant) if one.option != LENGTH]
    if not texts:
        return ""
    differ = words("house_options_differ", game=words.game(variant.facts))
    return words("house_options_list", differ=differ, list=words.sentences(*texts))


def restated(words: Words, variant: Variant) -> list[tuple[str, str, str]]:
    """Returns the facts that house rules often change without naming them: rule, key and sentence of each."""
    own = {face.name: face.line_points for face in (variant.unpatched or variant.facts).faces}
    found = [
        (
            "5.3",
            f"{face.name}.line",
            words("house_options_line", faces=words.faces(face.name), points=minus(face.line_points)),
        )
        for face in variant.facts.faces
        if face.line_points or own.get(face.name, 0)
    ]
    if any(variant.facts.bonus):
        found.append(("5.4", "bonus.lines", sentence(words, variant.facts, "bonus", "")))
    return found


def choices(facts: GameFacts) -> dict[str, tuple[Value | None, list[Value]]]:
    """Returns the options that a game offers: for each its own value, and all values."""
    return {
        name: (own_value(facts, name, facts.options[name]), facts.options[name])
        for name in OPTIONS
        if name in facts.options
    }
