"""Defines the house rules: the options of a game, and how each value changes the facts.

A variant file lists in its table `options` which options its game offers, each with its values. One of them is the
game's own: it changes nothing. A new option is a line in OPTIONS, a function, and its texts
(web/messages/house_options).
"""

from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Any, NamedTuple

from mulligan.engine.rules import MAX_SLOTS, OtherLines, TeeOff

from .facts import FaceFacts, GameFacts
from .typed_text import number_in, one_of, word

Value = int | str
Change = Callable[[GameFacts, Any], GameFacts]

JOKER = "*"
JOKERS = 2  # in a pack that had none
ORDINARY_CARDS = ("packs", "jokers", "kings")  # options that mean nothing with number cards
FREE = ("holes", "level")  # a match of any game may change these, to any value


class Option(NamedTuple):
    """One option: the rule it is about, the function that changes the facts, and the values there are."""

    rule: str  # by number in the rule book; house_rules.py finds all the rules that a value changes
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


def typed_name(text: str) -> str:
    """Returns the name of the option typed, or the text in lower case if there is none."""
    return one_of(text, OPTIONS) or word(text)


def typed_value(text: str) -> Value:
    """Returns the value typed: a number, or a name in lower case."""
    number = number_in(text)
    names = [word for option in OPTIONS.values() for word in option.words]
    return one_of(text, names) or word(text) if number is None else number


def own_value(facts: GameFacts, name: str, values: list[Value]) -> Value | None:
    """Returns the value that changes nothing, or None."""
    return next((value for value in values if OPTIONS[name].change(facts, value) == facts), None)


def change(facts: GameFacts, patch: Mapping[str, Value]) -> GameFacts:
    """Returns the facts with the house rules of a patch."""
    if "negative_lines" in facts.options:  # the game's own way is also that of cards which are below zero only now
        patch = {"negative_lines": facts.options["negative_lines"][0], **patch}
    for name, option in OPTIONS.items():  # in this order: the bonuses depend on the lines
        if name in patch:
            facts = option.change(facts, patch[name])
    return facts


# How a value changes the facts, by rule number -----------------------------------------------------


NUMBERS = {-2: 5, -1: 10, 0: 15} | dict.fromkeys(range(1, 13), 10)  # how many cards of each number


def pack(facts: GameFacts, value: Any) -> GameFacts:
    """Ordinary cards, or 150 cards with numbers from -2 to 12 for any number of players."""
    if value == "ordinary":
        return facts
    faces = [
        FaceFacts(name=str(points), copies=copies, points=points, line_points=0) for points, copies in NUMBERS.items()
    ]
    return replace(facts, faces=faces, packs=[])


def packs(facts: GameFacts, value: Any) -> GameFacts:
    if value == "by_players":
        return facts
    return replace(facts, packs=[0] * (value - 1) + [facts.most] if value > 1 else [])


def jokers(facts: GameFacts, value: Any) -> GameFacts:
    """Leaves the jokers out, changes their points, or adds two a pack."""
    others = [face for face in facts.faces if face.name != JOKER]
    if value == "none":
        return replace(facts, faces=others)
    if len(others) == len(facts.faces):
        added = FaceFacts(name=JOKER, copies=JOKERS, points=value, line_points=0)
        return replace(facts, faces=[*facts.faces, added])
    return with_points(facts, JOKER, value)


def tee_off(facts: GameFacts, value: int) -> GameFacts:
    return replace(facts, tee_off=value)


def tee_off_place(facts: GameFacts, value: str) -> GameFacts:
    return replace(facts, tee_off_place=TeeOff[value.upper()])


DISCARDING = {  # may discard, the turn is over, the last one may stay down, any one may
    "must_place": (False, False, False, False),
    "ends_turn": (True, True, False, False),
    "must_flip": (True, False, False, False),
    "may_leave_last": (True, False, True, False),
    "may_flip": (True, False, False, True),
}


def discarding(facts: GameFacts, value: str) -> GameFacts:
    may_discard, ends, may_leave_last, may_leave_any = DISCARDING[value]
    return replace(
        facts,
        may_discard_drawn=may_discard,
        discard_ends_turn=ends,
        may_leave_last=may_leave_last,
        may_leave_any=may_leave_any,
    )


def knock(facts: GameFacts, value: Any) -> GameFacts:
    """With so many face-down cards or fewer, or with any number."""
    return replace(facts, knock={"no": 0, "any": MAX_SLOTS}.get(value, value))


def last_turns(facts: GameFacts, value: str) -> GameFacts:
    return replace(facts, has_last_turns=value == "yes")


def points_of(name: str) -> Change:
    return lambda facts, value: with_points(facts, name, value)


def with_points(facts: GameFacts, name: str, points: int) -> GameFacts:
    faces = [replace(face, points=points) if face.name == name else face for face in facts.faces]
    return replace(facts, faces=faces)


def line_length(facts: GameFacts) -> int:
    return facts.rows if facts.lines_are_columns else facts.columns


OTHER_LINES = {"rows_and_columns": OtherLines.CROSSING, "all": OtherLines.DIAGONALS}


def lines(facts: GameFacts, value: str) -> GameFacts:
    is_columns = facts.lines_are_columns if value in OTHER_LINES else value == "columns"
    other = OTHER_LINES.get(value, OtherLines.NONE)
    return with_fitting_bonus(replace(facts, lines_are_columns=is_columns, other_lines=other))


def with_fitting_bonus(facts: GameFacts) -> GameFacts:
    """Where lines cross or squares count, each line costs 0 and several bring no bonus (5.2, 5.4)."""
    if facts.other_lines != OtherLines.NONE or facts.block_points:
        return replace(facts, bonus=[], faces=[replace(face, line_points=0) for face in facts.faces])
    count = facts.columns if facts.lines_are_columns else facts.rows
    return replace(facts, bonus=facts.bonus or [0] * (count - 1))


def negative_lines(facts: GameFacts, value: str) -> GameFacts:
    """A line of cards below zero costs nothing, or keeps their points."""
    factor = line_length(facts) if value == "keep" else 0
    faces = [replace(face, line_points=factor * min(face.points, 0)) for face in facts.faces]
    return replace(facts, faces=faces)


def bonus(facts: GameFacts, value: Any) -> GameFacts:
    """Two lines of one face bring these points, each further line half of these again."""
    count = len(facts.bonus)
    if value == "none":
        return replace(facts, bonus=[0] * count, bonus_replaces=False)
    return replace(facts, bonus=[value + value * more // 2 for more in range(count)])


def block(facts: GameFacts, value: Any) -> GameFacts:
    return with_fitting_bonus(replace(facts, block_points=0 if value == "none" else value))


PENALTIES = {  # points, once, factor, as few points are enough
    "none": (0, False, 1, False),
    "5_each": (5, False, 1, False),
    "double": (0, False, 2, True),
}


def penalty(facts: GameFacts, value: Value) -> GameFacts:
    """None, for each player who beats the closer, twice the points, or so many points once."""
    points, once, factor, ties = PENALTIES[value] if isinstance(value, str) else (value, True, 1, False)
    return replace(facts, closer_penalty=points, penalty_once=once, penalty_factor=factor, ties_beat_closer=ties)


def holes(facts: GameFacts, value: int) -> GameFacts:
    return replace(facts, holes=value)


def until(facts: GameFacts, value: Any) -> GameFacts:
    return replace(facts, until=0 if value == "none" else value)


def level(facts: GameFacts, value: str) -> GameFacts:
    return replace(facts, playoff=value == "playoff")


POINTS = range(-20, 21)
OPTIONS = {
    "pack": Option("1.2", pack, ("ordinary", "numbers")),
    "packs": Option("1.2", packs, ("by_players",), range(1, 5)),
    "jokers": Option("5.1", jokers, ("none",), POINTS),
    "tee_off": Option("2.4", tee_off, numbers=range(12)),
    "tee_off_place": Option("2.4", tee_off_place, tuple(place.name.lower() for place in TeeOff)),
    "discarding": Option("3.3", discarding, tuple(DISCARDING)),
    "knock": Option("3.8", knock, ("no", "any"), range(1, MAX_SLOTS)),
    "last_turns": Option("4.2", last_turns, ("yes", "no")),
    "kings": Option("5.1", points_of("K"), numbers=POINTS),
    "twos": Option("5.1", points_of("2"), numbers=POINTS),
    "lines": Option("5.2", lines, ("columns", "rows", *OTHER_LINES)),
    "negative_lines": Option("5.3", negative_lines, ("zero", "keep")),
    "bonus": Option("5.4", bonus, ("none",), range(-40, 0)),
    "block": Option("5.4", block, ("none",), range(-40, 0)),
    "penalty": Option("5.6", penalty, tuple(PENALTIES), range(1, 51)),
    "holes": Option("6.1", holes, numbers=range(1, 100)),
    "until": Option("6.1", until, ("none",), range(20, 501)),
    "level": Option("6.3", level, ("share", "playoff")),
}
