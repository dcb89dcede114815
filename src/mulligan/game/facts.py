"""Defines the facts of a game: the single list of the rules that differ between variants.

Variant files are checked against it, the engine's RULES record is filled from it by field name, and the wire
protocol, the score pad and the printed card contain it. A new rule is a line here and one in `RULES`
(engine/rules.py). Add it last, with the former rule as its default: older files, tables and links lack it.
"""

from dataclasses import MISSING, dataclass, field, fields
from enum import IntEnum
from functools import cache
from typing import Annotated, Any, NamedTuple, get_type_hints

from mulligan.engine.rules import MAX_SEATS, MAX_SLOTS, OtherLines, TeeOff

from .shipped import LAST

SHOWN = ("title", "order", "titles", "descriptions", "options")  # facts that are not rules of the game itself


@dataclass(frozen=True)
class Key:
    """The key in a variant file, if not the field's name; the limits of a number, or the words for its values."""

    path: str = ""
    least: int = 0
    most: int = 0
    words: tuple[str, ...] = ()  # for False and True, or for 0, 1, …


def words_for(values: type[IntEnum]) -> tuple[str, ...]:
    return tuple(value.name.lower() for value in values)


@dataclass(frozen=True, kw_only=True, slots=True)
class FaceFacts:
    """A face of the pack."""

    name: str
    copies: Annotated[int, Key(least=1, most=100)]  # 1.2, in one pack
    points: Annotated[int, Key(least=-100, most=100)]  # 5.1
    line_points: Annotated[int, Key("line", -100, 100)]  # 5.2, 5.3


@dataclass(frozen=True, kw_only=True, slots=True)
class GameFacts:
    """The rules of one game, and how it is presented."""

    name: str  # of the file
    title: str
    least: Annotated[int, Key("seats.least", 1, MAX_SEATS)]  # 1.1
    most: Annotated[int, Key("seats.most", 1, MAX_SEATS)]
    rows: Annotated[int, Key("layout.rows", 1, MAX_SLOTS)]  # 1.3
    columns: Annotated[int, Key("layout.columns", 1, MAX_SLOTS)]
    faces: list[FaceFacts]  # 1.2
    lines_are_columns: Annotated[bool, Key("lines", words=("rows", "columns"))]  # 5.2
    tee_off: Annotated[int, Key("tee_off.cards", 0, MAX_SLOTS - 1)]  # 2.4
    tee_off_before_play: Annotated[bool, Key("tee_off.before_play")]
    may_discard_drawn: bool  # 3.3
    may_leave_last: bool  # 3.4
    bonus: Annotated[list[int], Key("bonus.lines", -100, 100)]  # 5.4, 5.5: for two lines of one face, for three, …
    bonus_replaces: Annotated[bool, Key("bonus.replaces")]
    closer_penalty: Annotated[int, Key(least=0, most=100)]  # 5.6
    holes: Annotated[int, Key(least=1, most=99)]  # 6.1
    playoff: Annotated[bool, Key("level", words=("share", "playoff"))]  # 6.3
    may_decline_last_turn: bool = False  # 4.2
    discard_ends_turn: bool = False  # 3.3
    has_last_turns: bool = True  # 4.2
    # 1.2: the most players that use one pack, two packs, …; empty if everyone always uses one
    packs: Annotated[list[int], Key(least=0, most=MAX_SEATS)] = field(default_factory=list)
    tee_off_place: Annotated[int, Key("tee_off.place", words=words_for(TeeOff))] = TeeOff.ANY  # 2.4
    closer_starts: bool = False  # 2.5
    may_leave_any: bool = False  # 3.4
    lines_clear: bool = False  # 3.7
    knock: Annotated[int, Key(least=0, most=MAX_SLOTS)] = 0  # 3.8
    other_lines: Annotated[int, Key(words=words_for(OtherLines))] = OtherLines.NONE  # 5.2
    block_points: Annotated[int, Key("bonus.block", -100, 0)] = 0  # 5.4
    penalty_once: bool = False  # 5.6
    penalty_factor: Annotated[int, Key(least=1, most=10)] = 1  # 5.6
    ties_beat_closer: bool = False  # 5.6
    until: Annotated[int, Key(least=0, most=1000)] = 0  # 6.1
    order: Annotated[int, Key(least=1, most=LAST)] = LAST  # position in the list of games
    titles: dict[str, str] = field(default_factory=dict)  # by language, if different from `title`
    descriptions: dict[str, str] = field(default_factory=dict)  # one or two short sentences, by language
    options: dict[str, list[int | str]] = field(default_factory=dict)  # to choose from, see house_options.py

    def title_in(self, language: str) -> str:
        return self.titles.get(language, self.title)


class Entry(NamedTuple):
    """One key of a variant file; `default` is MISSING if the key is required."""

    field: str
    kind: Any
    key: Key
    default: Any


@cache
def entries(facts: Any) -> dict[str, Entry]:
    """Returns the facts by the paths of their keys, without `name`, which is not a key."""
    hints = get_type_hints(facts, include_extras=True)
    found = {}
    for one in fields(facts):
        hint = hints[one.name]
        kind, key = (hint.__origin__, hint.__metadata__[0]) if hasattr(hint, "__metadata__") else (hint, Key())
        default = one.default if one.default_factory is MISSING else one.default_factory()
        found[key.path or one.name] = Entry(one.name, kind, key, default)
    del found["name"]
    return found


def defaults(facts: Any) -> dict[str, Any]:
    """Returns the values of the facts that files may leave out, by field."""
    return {entry.field: entry.default for entry in entries(facts).values() if entry.default is not MISSING}


@cache
def shape(facts: Any) -> dict[str, Any]:
    """Returns the keys of a variant file: each with its entry, or with the keys of its inner table."""
    found: dict[str, Any] = {}
    for path, entry in entries(facts).items():
        table, _, key = path.rpartition(".")
        (found.setdefault(table, {}) if table else found)[key] = entry
    return found


def as_in_file(facts: Any) -> dict[str, Any]:
    """Returns the facts as in a variant file, by the paths of their keys; `faces` is a table of tables."""
    found = {}
    for path, entry in entries(facts.__class__).items():
        value = getattr(facts, entry.field)
        if entry.key.words:
            value = entry.key.words[value]
        elif entry.kind == list[FaceFacts]:
            value = {face.name: as_in_file(face) for face in value}
        found[path] = value
    return found
