"""Variants: the small files that say how one golf game differs from another, read and checked."""

import re
import tomllib
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

from .engine.compiled import fresh
from .engine.rules import MAX_FACES, MAX_SEATS, MAX_SLOTS, RULES

FOLDER = Path(__file__).parent / "variants"
FACE_NAME = re.compile(r"[0-9]{1,2}|[A-Z]|\*")

# The keys of a variant file, and of its inner tables, with what each must be.
LEVEL = {"playoff": 1, "share": 0}
LINES = {"columns": 1, "rows": 0}
SHAPE: dict[str, Any] = {
    "title": str,
    "seats": {"least": (1, MAX_SEATS), "most": (1, MAX_SEATS)},
    "layout": {"rows": (1, MAX_SLOTS), "columns": (1, MAX_SLOTS)},
    "tee_off": {"cards": (0, MAX_SLOTS - 1), "before_play": bool},
    "may_throw_away": bool,
    "may_leave_last": bool,
    "lines": LINES,
    "bonus": {"lines": [(-100, 100)], "replaces": bool},
    "closer_penalty": (0, 100),
    "holes": (1, 99),
    "level": LEVEL,
    "faces": dict,
}
FACE_SHAPE = {"copies": (1, 100), "points": (-100, 100), "line": (-100, 100)}


class VariantError(ValueError):
    """A variant that is not known, or whose file breaks a rule; the message says which and where."""


@dataclass(frozen=True)
class Variant:
    """One game of the family.

    `rules` is a RULES record; `faces` and `slots` name what the engine counts, in its order; `file` is
    where all that was read, and `text` what stands there.
    """

    name: str
    title: str
    faces: tuple[str, ...]
    slots: tuple[str, ...]
    rules: Any
    file: Path
    text: str

    @property
    def seats(self) -> range:
        """How many may play (1.1)."""
        return range(self.rules.least_seats, self.rules.most_seats + 1)


def names() -> list[str]:
    """The variants that come with the package."""
    return sorted(file.stem for file in FOLDER.glob("*.toml"))


@cache
def load(name: str) -> Variant:
    """A variant by its name, or by the path of its file. Raises VariantError."""
    if name in names():
        return read(FOLDER / f"{name}.toml")
    if "/" in name or "\\" in name or name.endswith(".toml"):
        return read(Path(name))
    raise VariantError(
        f"There is no game “{name}”. The games are {', '.join(names())}; your own goes by the path of its .toml file."
    )


def read(path: Path) -> Variant:
    """Reads and checks one variant file. Raises VariantError naming the file, the key and what is right."""
    try:
        text = path.read_text(encoding="utf-8")
    except OSError as error:
        raise VariantError(f"{path}: cannot be read ({error.strerror}).") from None
    except UnicodeDecodeError as error:
        raise VariantError(f"{path}: is not a TOML file ({error}).") from None
    except ValueError as error:  # a path that no system takes
        raise VariantError(f"{str(path)!r}: cannot be read as a variant ({error}).") from None
    return parse(text, path)


@cache
def parse(text: str, path: Path) -> Variant:
    """A variant from the text of its file. Raises VariantError."""
    try:
        facts = tomllib.loads(text)
        check_table(facts, SHAPE, "")
        for face, values in facts["faces"].items():
            check_face(face, values)
        check_whole(facts)
    except tomllib.TOMLDecodeError as error:
        raise VariantError(f"{path}: is not a TOML file ({error}).") from None
    except RecursionError:
        raise VariantError(f"{path}: is nested too deeply to be a variant.") from None
    except VariantError as error:
        raise VariantError(f"{path}: {error}") from None
    except ValueError as error:  # a number of thousands of digits
        raise VariantError(f"{str(path)!r}: cannot be read as a variant ({error}).") from None
    faces, slots = tuple(facts["faces"]), slot_names(facts["layout"])
    return Variant(path.stem, facts["title"], faces, slots, rules_of(facts), path.resolve(), text)


def slot_names(layout: dict[str, int]) -> tuple[str, ...]:
    """`a1`, `b1`, … row by row: a letter for the column, a number for the row."""
    return tuple(
        f"{chr(ord('a') + column)}{row + 1}" for row in range(layout["rows"]) for column in range(layout["columns"])
    )


def check_table(table: Any, shape: dict[str, Any], place: str) -> None:
    """Holds a table against the shape it should have: every key, no other, each of the right kind."""
    if not isinstance(table, dict):
        raise VariantError(f"{place} must be a table with the keys {', '.join(shape)}.")
    prefix = f"{place}." if place else ""
    for key in table:
        if key not in shape:
            raise VariantError(f"{prefix}{key} is not a key of a variant; here stand {', '.join(shape)}.")
    for key, wanted in shape.items():
        if key not in table:
            raise VariantError(f"{prefix}{key} is missing; it should be {in_words(wanted)}.")
        check_value(table[key], wanted, prefix + key)


def check_value(value: Any, wanted: Any, place: str) -> None:
    if isinstance(wanted, list):
        if not isinstance(value, list):
            raise VariantError(f"{place} must be {in_words(wanted)}, not {value!r}.")
        for number, item in enumerate(value, 1):
            check_value(item, wanted[0], f"{place}, entry {number},")
    elif wanted in (LEVEL, LINES):
        if not isinstance(value, str) or value not in wanted:
            raise VariantError(f"{place} must be {in_words(wanted)}, not {value!r}.")
    elif isinstance(wanted, dict):
        check_table(value, wanted, place)
    elif isinstance(wanted, tuple):
        if type(value) is not int or not wanted[0] <= value <= wanted[1]:
            raise VariantError(f"{place} must be {in_words(wanted)}, not {value!r}.")
    elif type(value) is not wanted or value == "":
        raise VariantError(f"{place} must be {in_words(wanted)}, not {value!r}.")


def in_words(wanted: Any) -> str:
    if wanted in (LEVEL, LINES):
        return " or ".join(f'"{word}"' for word in wanted)
    if isinstance(wanted, list):
        return f"a list, each entry {in_words(wanted[0])}"
    if isinstance(wanted, tuple):
        return f"a whole number from {wanted[0]} to {wanted[1]}"
    if isinstance(wanted, dict):
        return f"a table with the keys {', '.join(wanted)}"
    return {bool: "true or false", str: "a text", dict: "a table of faces"}[wanted]


def check_face(face: str, values: Any) -> None:
    if not FACE_NAME.fullmatch(face):
        raise VariantError(f"faces.{face} is not a face's name; write 1 or 2 digits, one capital letter, or *.")
    check_table(values, FACE_SHAPE, f"faces.{face}")


def check_whole(facts: dict[str, Any]) -> None:
    """What no key can say alone."""
    rows, columns = facts["layout"]["rows"], facts["layout"]["columns"]
    slots = rows * columns
    least, most = facts["seats"]["least"], facts["seats"]["most"]
    copies = [face["copies"] for face in facts["faces"].values()]
    line_length = rows if facts["lines"] == "columns" else columns
    if least > most:
        raise VariantError(f"seats.least is {least}, more than seats.most, {most}.")
    if slots > MAX_SLOTS:
        raise VariantError(f"layout of {rows} rows and {columns} columns has {slots} slots; {MAX_SLOTS} is the most.")
    if line_length < 2:
        raise VariantError(f"lines of {facts['lines']} would be single cards here; a line has 2 cards or more.")
    if facts["tee_off"]["cards"] >= slots:
        raise VariantError(f"tee_off.cards is {facts['tee_off']['cards']}; it must be less than the {slots} slots.")
    if not 2 <= len(copies) <= MAX_FACES:
        raise VariantError(f"faces has {len(copies)} faces; a pack has from 2 to {MAX_FACES}.")
    if sum(copies) < most * slots + 2:
        raise VariantError(
            f"faces has {sum(copies)} cards; {most} players with {slots} cards each, a discard and a stock "
            f"need at least {most * slots + 2}."
        )
    lines = min(slots // line_length, max(copies) // line_length)
    if len(facts["bonus"]["lines"]) < lines - 1:
        raise VariantError(
            f"bonus.lines has {len(facts['bonus']['lines'])} entries; up to {lines} lines can match in one face, "
            f"so it needs {lines - 1}, for 2 lines upward."
        )
    if len(facts["bonus"]["lines"]) > slots // line_length - 1:
        raise VariantError(
            f"bonus.lines has {len(facts['bonus']['lines'])} entries; a layout has {slots // line_length} lines, "
            f"so {slots // line_length - 1} are the most, for 2 lines upward."
        )


def rules_of(facts: dict[str, Any]) -> Any:
    """The RULES record of a checked file."""
    rules = fresh(RULES)
    rules.least_seats, rules.most_seats = facts["seats"]["least"], facts["seats"]["most"]
    rules.rows, rules.columns = facts["layout"]["rows"], facts["layout"]["columns"]
    rules.slots = rules.rows * rules.columns
    rules.tee_off = facts["tee_off"]["cards"]
    rules.tee_off_before_play = facts["tee_off"]["before_play"]
    rules.lines_are_columns = LINES[facts["lines"]]
    rules.lines = rules.columns if rules.lines_are_columns else rules.rows
    rules.line_length = rules.slots // rules.lines
    bonus = facts["bonus"]["lines"]
    rules.bonus[2 : 2 + len(bonus)] = bonus
    rules.bonus_replaces = facts["bonus"]["replaces"]
    rules.playoff = LEVEL[facts["level"]]
    for key in ("may_throw_away", "may_leave_last", "closer_penalty", "holes"):
        setattr(rules, key, facts[key])
    rules.faces = len(facts["faces"])
    for number, face in enumerate(facts["faces"].values()):
        rules.copies[number] = face["copies"]
        rules.points[number] = face["points"]
        rules.line_points[number] = face["line"]
    return rules
