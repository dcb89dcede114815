"""The course “play better” of a game: its costliest habits, measured, with positions that came up in play.

`bench/course.py` writes the files (courses/*.json): what each habit costs, and positions as the lessons have them.
"""

import json
from functools import cache
from pathlib import Path
from typing import Any, NamedTuple

from mulligan.game.notation import read_choice
from mulligan.game.variants import Variant, for_seats

from .findings import Reason
from .habits import HABITS
from .lessons import Making, Task

FOLDER = Path(__file__).parent / "courses"


class Usual(NamedTuple):
    """The move that was played, what it costs against the best one in strokes when played out, and why.

    `praise` speaks for the best move, `against` for not playing this one; it is None where that tells no more.
    """

    move: int
    loss: float
    low: float  # the 95 % interval
    high: float
    praise: Reason
    against: Reason | None


class Exercise(NamedTuple):
    """A position from a game: the task as in a lesson, and the mistake that was made there."""

    task: Task
    usual: Usual


class Habit(NamedTuple):
    """A habit by its name, the rule it is about, what it costs a player per hole in strokes, and positions."""

    name: str
    rule: str
    cost: float
    exercises: list[Exercise]


def load(variant: Variant) -> list[Habit]:
    """Returns the habits of a game, the costliest first; none if they were not measured, as with house rules."""
    if variant.match or variant.name not in names():
        return []
    variant = for_seats(variant, measured(variant.name)["seats"])
    return [read_habit(variant, entry) for entry in measured(variant.name)["habits"]]


def names() -> list[str]:
    return sorted(file.stem for file in FOLDER.glob("*.json"))


@cache
def measured(game: str) -> dict[str, Any]:
    """Returns what the file of a game says."""
    found: dict[str, Any] = json.loads((FOLDER / f"{game}.json").read_text(encoding="utf-8"))
    return found


def read_habit(variant: Variant, entry: dict[str, Any]) -> Habit:
    """Reads a habit with its positions. Raises TutorialError as `exercise_of` does."""
    exercises = [exercise_of(variant, entry["habit"], position) for position in entry["positions"]]
    return Habit(entry["habit"], HABITS[entry["habit"]], entry["cost"], exercises)


def exercise_of(variant: Variant, habit: str, position: dict[str, Any]) -> Exercise:
    """Reads a position and plays its right moves. Raises TutorialError where the cards of the file do not do."""
    figures = position["loss"], position["low"], position["high"]
    against = Reason(**position["against"]) if "against" in position else None
    usual = Usual(read_choice(variant, position["usual"]), *figures, Reason(**position["praise"]), against)
    entry = {"id": habit, "rules": [HABITS[habit]], "tasks": [{"id": f"course_{position['phase']}", **position}]}
    return Exercise(Making(variant, entry).tasks[0], usual)
