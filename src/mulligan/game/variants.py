"""Reads the variant files, which define how one golf game differs from another."""

import re
import tomllib
from collections.abc import Mapping
from dataclasses import MISSING, dataclass, field, replace
from errno import ENOENT
from functools import cache
from pathlib import Path
from typing import Any

from mulligan.engine.compiled import fresh
from mulligan.engine.rules import RULES, OtherLines, TeeOff

from . import shipped
from .characters import LONGEST, fault_in
from .error_sentences import Problem, reason
from .facts import Entry, FaceFacts, GameFacts, Key, as_in_file, shape
from .house_options import FREE, OPTIONS, ORDINARY_CARDS, Value, change, own_value, typed_name, typed_value
from .rule_checks import VariantError as VariantError
from .rule_checks import check_whole, tee_off_room, too_few_cards
from .rule_checks import packs_for as packs_for
from .rulebook import LANGUAGES
from .safe_text import printable
from .shipped import games as games
from .text_files import NotText
from .text_files import read_text as read_file
from .typed_text import one_of, plain_syntax
from .words import Words

FACE_NAME = re.compile(r"-[1-9]|[0-9]{1,2}|[A-Z]|\*")
LINE = re.compile(r"at line ([0-9]+)")  # in the messages of tomllib

LONGEST_DESCRIPTION = 200
TOML_LINES = 'name = 5, name = "text", [table]'
HOUSE_KEYS = ("game", "options")  # of a file of house rules


class FileError(Problem, VariantError):
    """A name or a file that is not a game. Errors in the keys of a variant file are a VariantError, in English."""

    def __init__(self, key: str, /, group: str = "fault", **params: str | int) -> None:
        super().__init__(key, group, **params)


class Unreadable(FileError):
    """A file that the system refuses."""

    def __init__(self, path: Path, error: OSError) -> None:
        super().__init__("terminal_unreadable", file=str(path))
        self.error = error

    def in_words(self, words: Words) -> str:
        self.params = {**self.params, "why": reason(words, self.error)}
        return super().in_words(words)


class OptionError(Problem, VariantError):
    """House rules that a game does not have, or that do not fit together."""

    def __init__(self, key: str, facts: GameFacts, /, **params: str | int) -> None:
        super().__init__(f"house_options_wrong_{key}", "wrong", game=facts.title, **params)
        self.facts = facts

    def in_words(self, words: Words) -> str:
        self.params = {**self.params, "game": words.game(self.facts)}
        if self.params.get("option") in OPTIONS:
            self.params["name"] = words("house_options_name", option=self.params["option"])
        return super().in_words(words)


@dataclass(frozen=True)
class Variant:
    """One game of the family.

    `facts` are its rules by name, `rules` the same as a RULES record. `faces` and `slots` are the names of the
    engine's numbers, in order; `file` is the path of the variant file and `text` its content. `match` holds the
    house rules: the options that differ from the named game, whose own facts are then `unpatched`.
    """

    facts: GameFacts
    faces: tuple[str, ...]
    slots: tuple[str, ...]
    rules: Any
    file: Path
    text: str
    match: Mapping[str, Value] = field(default_factory=dict)
    unpatched: GameFacts | None = None

    @property
    def name(self) -> str:
        """The name by which `load_game` finds it."""
        return self.facts.name

    @property
    def title(self) -> str:
        """The name of the game, in English."""
        return self.facts.title

    @property
    def seats(self) -> range:
        """The allowed numbers of players (1.1)."""
        return range(self.facts.least, self.facts.most + 1)

    @property
    def is_ours(self) -> bool:
        """Whether the variant is part of the package; a user's own variant is named by the path of its file."""
        return self.file.parent == shipped.FOLDER.resolve()


@cache
def load(name: str) -> Variant:
    """Loads a variant by its name, or by the path of its file. Raises FileError, OptionError, VariantError."""
    if name in games():
        return read(shipped.FOLDER / f"{name}.toml")
    if is_path(name):
        return read(Path(name))
    raise FileError("terminal_no_such_game", game=printable(name), games=", ".join(games()))


def load_game(name: str, house_rules: Mapping[str, Any] | None = None) -> Variant:
    """Loads a game by its name or by the path of its file, with house rules such as `{"jokers": -5}` (10).

    Raises ValueError for a game or an option that there is not: VariantError, FileError or OptionError.
    """
    return as_entered(load(name), house_rules or {})


def is_path(name: str) -> bool:
    """Returns whether a name is the path of a user's own variant."""
    return "/" in name or "\\" in name or name.endswith(".toml")


def read(path: Path) -> Variant:
    """Reads and checks one variant file. Raises Unreadable, FileError, OptionError, VariantError."""
    try:
        text = read_file(path)
    except OSError as error:
        raise Unreadable(path, error) from None
    except NotText as error:
        raise FileError(error.key, error.group, **error.params).at("terminal_at_field", field=str(path)) from None
    except ValueError:  # no file has such a name
        raise Unreadable(path, FileNotFoundError(ENOENT, "")) from None
    return parse(text, path)


@cache
def parse(text: str, path: Path) -> Variant:
    """Parses the text of a variant file, or of a file of house rules. Raises VariantError."""
    try:
        table = table_of(text)
        if any(one_of(key, ("game",)) for key in table):
            return with_house_rules(table)
        facts = facts_in(table, path.stem)
        check_title(path.stem, "the file's name")
        check_whole(facts)
        check_options(facts)
    except (FileError, OptionError) as problem:
        raise problem.at("terminal_at_field", field=str(path)) from None
    except VariantError as error:
        raise VariantError(f"{path}: {error}") from None
    return variant_of(facts, path.resolve(), text)


def table_of(text: str) -> dict[str, Any]:
    """Returns the table of a TOML text, which may be written as a word processor does. Raises FileError."""
    text = text.removeprefix("\ufeff")
    try:
        try:
            return tomllib.loads(text)
        except tomllib.TOMLDecodeError:
            return tomllib.loads(plain_syntax(text))
    except tomllib.TOMLDecodeError as error:
        problem = FileError("key_twice") if "Cannot" in str(error) else FileError("not_toml", values=TOML_LINES)
        line = LINE.search(str(error))
        raise (problem.at("terminal_at_line", line=int(line[1])) if line else problem) from None
    except RecursionError:
        raise FileError("nested") from None
    except ValueError:  # an integer of thousands of digits
        raise FileError("long_number") from None


def checked(facts: GameFacts) -> Variant:
    """Builds a variant from facts that do not come from a file. Raises VariantError if no valid file has them."""
    table: dict[str, Any] = {}
    for path, value in as_in_file(facts).items():
        inner, _, key = path.rpartition(".")
        (table.setdefault(inner, {}) if inner else table)[key] = value
    if len(table["faces"]) != len(facts.faces):
        raise VariantError("a face is named twice.")
    check_whole(facts_in(table, facts.name))
    return variant_of(facts, Path(), "")


def variant_of(facts: GameFacts, file: Path, text: str) -> Variant:
    return Variant(facts, tuple(face.name for face in facts.faces), slot_names(facts), rules_of(facts), file, text)


def with_house_rules(table: dict[str, Any]) -> Variant:
    """Returns the variant of a file that names a game and gives the options that differ.

    Raises FileError, OptionError.
    """
    found: dict[str, Any] = {}
    for typed, value in table.items():
        key = one_of(typed, HOUSE_KEYS)
        if not key:
            raise FileError("house_key", key=printable(typed), values=", ".join(HOUSE_KEYS))
        if key in found:
            raise FileError("key_twice")
        found[key] = value
    game, patch = one_of(str(found["game"]), games()), found.get("options", {})
    if not game:
        raise FileError("house_game", game=printable(str(found["game"])), games=", ".join(games()))
    if not isinstance(patch, dict):
        raise FileError("house_options")
    variant = load(game)
    return as_entered(variant, as_typed(variant, patch))


def as_typed(variant: Variant, patch: Mapping[str, Any]) -> dict[str, Any]:
    """Returns house rules written by hand, with options and values as we write them. Raises OptionError."""
    found: dict[str, Any] = {}
    for typed, value in patch.items():
        name = typed_name(typed)
        if name in found:
            raise OptionError("twice", variant.facts, option=name)
        found[name] = typed_value(value) if isinstance(value, str) else value
    return found


def for_match(variant: Variant, match: Mapping[str, Any]) -> Variant:
    """Returns the variant with the house rules of a match, besides those it has. Raises OptionError."""
    own = variant.unpatched or variant.facts
    patch = {**variant.match, **match}
    for name, value in match.items():
        check_option(own, name, value)
    differing = {name: patch[name] for name in OPTIONS if name in patch and not is_own(own, name, patch[name])}
    facts = change(own, differing)
    check_house_rules(facts)
    faces = tuple(face.name for face in facts.faces)
    return replace(variant, facts=facts, faces=faces, rules=rules_of(facts), match=differing, unpatched=own)


def as_entered(variant: Variant, match: Mapping[str, Any]) -> Variant:
    """Returns the variant with house rules that someone enters; what is stored opens with `for_match`.

    Raises OptionError, also for an option that number cards make pointless.
    """
    found = for_match(variant, match)
    pointless = [name for name in ORDINARY_CARDS if name in found.match]
    if found.match.get("pack") == "numbers" and pointless:
        raise OptionError("numbers", found.facts, option=pointless[0])
    return found


def check_option(facts: GameFacts, name: str, value: Any) -> None:
    """Raises OptionError if the game has no such option, or not with that value."""
    if name not in facts.options and name not in FREE:
        raise OptionError("option", facts, option=printable(name, 40), options=", ".join(options_of(facts)))
    is_free = name in FREE
    offered = facts.options.get(name, [])
    if type(value) not in (int, str) or not (OPTIONS[name].has(value) if is_free else value in offered):
        valid = OPTIONS[name].listed if is_free else ", ".join(map(str, offered))
        given = printable(str(value), 40)
        raise OptionError("value", facts, option=name, value=given, values=valid)


def options_of(facts: GameFacts) -> list[str]:
    """Returns the names of the options that a game offers, and of those that every game has."""
    return [name for name in OPTIONS if name in facts.options or name in FREE]


def is_own(facts: GameFacts, name: str, value: Value) -> bool:
    """Returns whether a value of an option changes nothing."""
    return own_value(facts, name, [value]) is not None


def check_house_rules(facts: GameFacts) -> None:
    """Raises OptionError if house rules do not fit together."""
    if short := too_few_cards(facts):
        raise OptionError("cards", facts, seats=short.seats, cards=short.cards, needed=short.needed)
    place = TeeOff(facts.tee_off_place)
    if place != TeeOff.ANY and not 0 < facts.tee_off <= tee_off_room(facts):
        name = place.name.lower() if facts.tee_off else "none"
        raise OptionError("tee_off", facts, place=name, most=tee_off_room(facts))
    if facts.until and facts.playoff:
        raise OptionError("until", facts)
    try:
        check_whole(facts)
    except VariantError as error:
        raise OptionError("together", facts) from error


def for_seats(variant: Variant, seats: int) -> Variant:
    """Returns the variant with the packs that so many players use, as one pack (1.2).

    A play-off keeps the packs of its match.
    """
    packs = packs_for(variant.facts, seats)
    if packs == 1:
        return variant
    faces = [replace(face, copies=packs * face.copies) for face in variant.facts.faces]
    facts = replace(variant.facts, faces=faces, packs=[])
    return replace(variant, facts=facts, rules=rules_of(facts))


def slot_names(facts: GameFacts) -> tuple[str, ...]:
    """Returns the slot names `a1`, `b1`, … row by row: a letter for the column, a number for the row."""
    return tuple(f"{chr(ord('a') + column)}{row + 1}" for row in range(facts.rows) for column in range(facts.columns))


def facts_in(table: dict[str, Any], name: str) -> GameFacts:
    """Reads the facts of a variant file and checks their limits. Raises VariantError."""
    facts = GameFacts(name=name, **read_table(table, shape(GameFacts), ""))
    return replace(facts, options=with_own_first(facts))


def with_own_first(facts: GameFacts) -> dict[str, list[Value]]:
    """Returns the options; those that a match of any game may change begin with the game's own value."""
    own = {name: as_in_file(facts)[name] for name in FREE if name in facts.options}
    first = {name: [value, *(other for other in facts.options[name] if other != value)] for name, value in own.items()}
    return facts.options | first


def read_table(table: Any, wanted: dict[str, Any], place: str) -> dict[str, Any]:
    """Reads a table into facts by field name; requires all keys without default, no others. Raises VariantError."""
    if not isinstance(table, dict):
        raise VariantError(f"{place} must be {in_words(wanted)}.")
    prefix = f"{place}." if place else ""
    for key in table:
        if key not in wanted:
            raise VariantError(f"{prefix}{key} is not a key of a variant; the keys here are {', '.join(wanted)}.")
    found: dict[str, Any] = {}
    for key, inner in wanted.items():
        if key in table and isinstance(inner, dict):
            found |= read_table(table[key], inner, prefix + key)
        elif key in table:
            found[inner.field] = read_value(table[key], inner, prefix + key)
        elif isinstance(inner, dict) or inner.default is MISSING:
            raise VariantError(f"{prefix}{key} is missing; it should be {in_words(inner)}.")
    return found


def read_value(value: Any, entry: Entry, place: str) -> Any:
    """Reads the value of one key. Raises VariantError."""
    if entry.kind == list[FaceFacts] and isinstance(value, dict):
        return [read_face(face, inner, f"{place}.{face}") for face, inner in value.items()]
    if entry.field == "options" and isinstance(value, dict):
        return {name: read_option(name, values, f"{place}.{name}") for name, values in value.items()}
    if entry.kind == dict[str, str] and isinstance(value, dict):
        return {language: read_text(language, text, entry, f"{place}.{language}") for language, text in value.items()}
    if entry.kind == list[int] and isinstance(value, list):
        one = entry._replace(kind=int)
        return [read_value(item, one, f"{place}, entry {number},") for number, item in enumerate(value, 1)]
    if entry.key.words and isinstance(value, str) and value in entry.key.words:
        return entry.kind(entry.key.words.index(value))
    if entry.key.words or type(value) is not entry.kind or value == "":
        raise VariantError(f"{place} must be {in_words(entry)}, not {value!r}.")
    if entry.kind is int and not entry.key.least <= value <= entry.key.most:
        raise VariantError(f"{place} must be {in_words(entry)}, not {value!r}.")
    if entry.kind is str:
        check_title(value, place, entry.key.most or LONGEST)
    return value


def read_text(language: str, text: Any, entry: Entry, place: str) -> Any:
    """Reads a title or a description in one language. Raises VariantError."""
    if language not in LANGUAGES:
        raise VariantError(f"{place} is not in a language of the game; it is read in {', '.join(LANGUAGES)}.")
    longest = LONGEST_DESCRIPTION if entry.field == "descriptions" else LONGEST
    return read_value(text, entry._replace(kind=str, key=Key(most=longest)), place)


def read_option(name: str, values: Any, place: str) -> list[Value]:
    """Reads the values of an option. Raises VariantError."""
    if name not in OPTIONS:
        raise VariantError(f"{place} is not an option; there are {', '.join(OPTIONS)}.")
    if not isinstance(values, list) or len(values) < 2:
        raise VariantError(f"{place} must be a list of two values or more, each {OPTIONS[name].values}.")
    for number, value in enumerate(values, 1):
        if not OPTIONS[name].has(value):
            raise VariantError(f"{place}, entry {number}, must be {OPTIONS[name].values}, not {value!r}.")
    if len(set(values)) < len(values):
        raise VariantError(f"{place} has a value twice.")
    return values


def read_face(name: str, table: Any, place: str) -> FaceFacts:
    """Reads a face from its table. Raises VariantError."""
    if not FACE_NAME.fullmatch(name):
        raise VariantError(
            f"{place} is not a face's name; write 1 or 2 digits, - and a digit, one capital letter, or *."
        )
    return FaceFacts(name=name, **read_table(table, shape(FaceFacts), place))


def in_words(wanted: Entry | dict[str, Any]) -> str:
    """Describes the value that is valid for a key."""
    if isinstance(wanted, dict):
        return f"a table with the keys {', '.join(wanted)}"
    if wanted.key.words:
        first, *rest = [f'"{word}"' for word in wanted.key.words]
        return f"{', '.join(rest)} or {first}"
    if wanted.kind == list[int]:
        return f"a list, each entry {in_words(wanted._replace(kind=int))}"
    if wanted.kind is int:
        return f"a whole number from {wanted.key.least} to {wanted.key.most}"
    if wanted.field == "options":
        return "a table of options, each with a list of its values"
    if wanted.kind == dict[str, str]:
        return f"a table with a text for {', '.join(LANGUAGES[:-1])} or {LANGUAGES[-1]}"
    return "a table of faces" if wanted.kind == list[FaceFacts] else {bool: "true or false", str: "a text"}[wanted.kind]


def check_title(title: str, place: str, longest: int = LONGEST) -> None:
    """Raises VariantError if the title cannot be shown."""
    if fault := fault_in(title, longest):
        raise VariantError(f"{place} {fault}.")


def check_options(facts: GameFacts) -> None:
    """Checks that the first value of each option is the game's own, and that each suits it. Raises VariantError."""
    for name, values in facts.options.items():
        own = [value for value in values if is_own(facts, name, value)]
        if own != values[:1]:
            found = f"only {own[0]!r} does" if len(own) == 1 else "all do" if own else "none does"
            raise VariantError(
                f"options.{name} must begin with the value that changes nothing in this game ({found}); "
                "correct the list or leave the option out."
            )
        for value in values:
            try:
                check_house_rules(change(facts, {name: value}))
            except OptionError as error:
                raise VariantError(f"options.{name} cannot be {value!r} here: {error.__cause__ or error}") from None


def lines_of(facts: GameFacts) -> list[list[int]]:
    """Returns the slots of each line (5.2)."""
    rows = [[row * facts.columns + column for column in range(facts.columns)] for row in range(facts.rows)]
    columns = [list(column) for column in zip(*rows, strict=True)]
    lines = columns if facts.lines_are_columns else rows
    if facts.other_lines != OtherLines.NONE:
        lines = [*columns, *rows]
    if facts.other_lines == OtherLines.DIAGONALS:
        last = facts.columns - 1
        lines += [[row[place] for place, row in enumerate(rows)], [row[last - place] for place, row in enumerate(rows)]]
    return lines


def rules_of(facts: GameFacts) -> Any:
    """Returns the RULES record: fields with the name of a fact take its value, the others are computed here."""
    lines = lines_of(facts)
    counted: dict[str, Any] = {
        "least_seats": facts.least,
        "most_seats": facts.most,
        "faces": len(facts.faces),
        "copies": [face.copies for face in facts.faces],
        "points": [face.points for face in facts.faces],
        "line_points": [face.line_points for face in facts.faces],
        "slots": facts.rows * facts.columns,
        "lines": len(lines),
        "line_length": len(lines[0]),
        "bonus": [0, 0, *facts.bonus],
    }
    rules = fresh(RULES)
    for name in RULES.names:
        if name == "line_slots":
            continue
        write_rule(rules, name, counted[name] if name in counted else getattr(facts, name))
    rules.line_slots[: len(lines), : len(lines[0])] = lines
    return rules


def write_rule(rules: Any, name: str, value: Any) -> None:
    """Writes a number, or the first numbers of a field that holds several, into a RULES record."""
    if isinstance(value, list):
        rules[name][: len(value)] = value
    else:
        rules[name] = value
