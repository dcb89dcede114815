"""Defines the house rules: the options of a game, and how each value changes the facts.

A variant file lists in its table `options` which options its game offers, each with its values. One of them is the
game's own: it changes nothing. A new option is a line in OPTIONS, a function, and its texts (web/messages/rules).
"""

from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Any, NamedTuple

from .facts import FaceFacts, GameFacts

Value = int | str
Change = Callable[[GameFacts, Any], GameFacts]

JOKER = "*"
JOKERS = 2  # in a pack that had none
FREE = ("holes", "level")  # a match of any game may change these, to any value


class Option(NamedTuple):
    """One option: the rules it changes, the function that changes the facts, and the values there are."""

    rules: tuple[str, ...]  # by number in the rule book, the most important first
    change: Change
    words: tuple[str, ...] = ()
    numbers: range = range(0)

    def has(self, value: Value) -> bool:
        return value in self.words or (type(value) is int and value in self.numbers)

    @property
    def values(self) -> str:
        """Describes the values there are."""
        some = [f'"{word}"' for word in self.words]
        if self.numbers:
            some.append(f"a whole number from {self.numbers[0]} to {self.numbers[-1]}")
        return " or ".join(some)

    @property
    def listed(self) -> str:
        """Lists the values there are, without words of a language."""
        return ", ".join([*self.words, *([f"{self.numbers[0]}–{self.numbers[-1]}"] if self.numbers else [])])


def own_value(facts: GameFacts, name: str, values: list[Value]) -> Value | None:
    """Returns the value that changes nothing, or None."""
    return next((value for value in values if OPTIONS[name].change(facts, value) == facts), None)


def change(facts: GameFacts, patch: Mapping[str, Value]) -> GameFacts:
    """Returns the facts with the house rules of a patch."""
    for name, option in OPTIONS.items():  # in this order: the bonuses depend on the lines
        if name in patch:
            facts = option.change(facts, patch[name])
    return facts


# How a value changes the facts, by rule number -----------------------------------------------------


def packs(facts: GameFacts, value: Value) -> GameFacts:
    if value == "by_players":
        return facts
    assert isinstance(value, int)
    return replace(facts, packs=[0] * (value - 1) + [facts.most] if value > 1 else [])


def jokers(facts: GameFacts, value: Value) -> GameFacts:
    """Leaves the jokers out, changes their points or adds two a pack, of which a line costs what others cost."""
    others = [face for face in facts.faces if face.name != JOKER]
    if value == "none":
        return replace(facts, faces=others)
    if len(others) == len(facts.faces):
        assert isinstance(value, int)
        added = FaceFacts(name=JOKER, copies=JOKERS, points=value, line_points=0)
        return replace(facts, faces=[*facts.faces, added])
    return with_points(facts, JOKER, value)


def tee_off(facts: GameFacts, value: int) -> GameFacts:
    return replace(facts, tee_off=value)


DISCARDING = {  # may discard, the turn is over, the last one may stay down
    "must_place": (False, False, False),
    "ends_turn": (True, True, False),
    "must_flip": (True, False, False),
    "may_leave_last": (True, False, True),
}


def discarding(facts: GameFacts, value: str) -> GameFacts:
    may_discard, ends, may_leave_last = DISCARDING[value]
    return replace(facts, may_discard_drawn=may_discard, discard_ends_turn=ends, may_leave_last=may_leave_last)


def last_turns(facts: GameFacts, value: str) -> GameFacts:
    return replace(facts, has_last_turns=value == "yes")


def points_of(name: str) -> Change:
    return lambda facts, value: with_points(facts, name, value)


def with_points(facts: GameFacts, name: str, points: Any) -> GameFacts:
    """Returns the facts with other points for a face; where its lines keep their points, they change too."""
    length = line_length(facts)

    def changed(face: FaceFacts) -> FaceFacts:
        keeps = face.points and face.line_points == length * face.points
        return replace(face, points=points, line_points=length * points if keeps else face.line_points)

    return replace(facts, faces=[changed(face) if face.name == name else face for face in facts.faces])


def line_length(facts: GameFacts) -> int:
    return facts.rows if facts.lines_are_columns else facts.columns


def lines(facts: GameFacts, value: str) -> GameFacts:
    return replace(facts, lines_are_columns=value == "columns")


def negative_lines(facts: GameFacts, value: str) -> GameFacts:
    """A line of cards below zero costs nothing, or keeps their points."""
    factor = line_length(facts) if value == "keep" else 0
    faces = [replace(face, line_points=factor * face.points) if face.points < 0 else face for face in facts.faces]
    return replace(facts, faces=faces)


def bonus(facts: GameFacts, value: Value) -> GameFacts:
    """Two lines of one face bring these points, each further line half as much again."""
    count = len(facts.bonus)
    if value == "none":
        return replace(facts, bonus=[0] * count, bonus_replaces=False)
    assert isinstance(value, int)
    return replace(facts, bonus=[value + value * more // 2 for more in range(count)])


def penalty(facts: GameFacts, value: Value) -> GameFacts:
    """For each player who beats the closer."""
    points = 0 if value == "none" else int(str(value).removesuffix("_each"))
    return replace(facts, closer_penalty=points)


def holes(facts: GameFacts, value: int) -> GameFacts:
    return replace(facts, holes=value)


def level(facts: GameFacts, value: str) -> GameFacts:
    return replace(facts, playoff=value == "playoff")


POINTS = range(-20, 21)
OPTIONS = {
    "packs": Option(("1.2",), packs, ("by_players",), range(1, 5)),
    "jokers": Option(("1.2", "5.1"), jokers, ("none",), POINTS),
    "tee_off": Option(("2.4",), tee_off, numbers=range(12)),
    "discarding": Option(("3.3", "3.4"), discarding, tuple(DISCARDING)),
    "last_turns": Option(("4.2",), last_turns, ("yes", "no")),
    "kings": Option(("5.1",), points_of("K"), numbers=POINTS),
    "twos": Option(("5.1",), points_of("2"), numbers=POINTS),
    "lines": Option(("5.2",), lines, ("columns", "rows")),
    "negative_lines": Option(("5.3",), negative_lines, ("zero", "keep")),
    "bonus": Option(("5.4", "5.5"), bonus, ("none",), range(-40, 0)),
    "penalty": Option(("5.6",), penalty, ("none", "5_each")),
    "holes": Option(("6.1",), holes, numbers=range(1, 100)),
    "level": Option(("6.3",), level, ("share", "playoff")),
}
