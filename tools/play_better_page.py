"""Writes docs/play-better.md: the five habits that cost most over all games, from the measured courses.

.venv/bin/python tools/play_better_page.py
"""

import json
from pathlib import Path
from typing import NamedTuple

from mulligan.coach import play_better
from mulligan.coach.coach_words import reason_in_words
from mulligan.coach.play_better import Exercise
from mulligan.engine.state import Phase
from mulligan.game import variants
from mulligan.game.notation import name_of_move, write_face, write_layout
from mulligan.game.variants import Variant
from mulligan.game.words import Words, minus

ROOT = Path(__file__).parents[1]
FILE = ROOT / "docs" / "play-better.md"
HABITS = 5
OF_MOVES = {"stock": "take from the stock", "discard": "take the top discard", "discard_drawn": "discard it"}
WORDS = Words("en")
LESSONS = json.loads((ROOT / "web" / "messages" / "learn" / "en.json").read_text(encoding="utf-8"))

PAGE = """\
# Play better: the five habits that cost most

Everyone has habits that seem sensible and cost points. These are the ones that cost most, and they are measured: the
computer players `{players}` played all eight games, two at a table, and the
[coach](analysis.md) judged every decision. Each mistake belongs to a habit. What a habit costs is what its mistakes
cost times how often they happen, in strokes per player and hole.

In the app, **Learn** has a course for each game: its own five habits, with positions that came up in these holes. You
may try and be wrong; the app says why.

{habits}

## Every game

{table}

{holes} The standard error of a cost is {error} strokes at most. In the examples, both moves were played out {playouts}
times; the numbers in brackets are the 95 % interval. Measured on {machine}, commit {commit},
by `python bench/course.py`.
"""

HABIT = """\
## {number} {title}

{lead}

{cost}

**An example, {game}.** Your cards: `{own}`. The next player’s: `{other}`. {lies}

- Usual: {usual}. It costs {loss} strokes ({low} to {high}).
- Better: {right}. {why}
"""


class Measured(NamedTuple):
    """A habit in one game."""

    variant: Variant
    cost: float
    exercises: list[Exercise]


def text() -> str:
    """Returns the page."""
    games = [variants.load(name) for name in variants.games()]
    files = [play_better.measured(game.name) for game in games]
    found: dict[str, list[Measured]] = {}
    for game in games:
        for habit in play_better.load(game):
            found.setdefault(habit.name, []).append(Measured(game, habit.cost, habit.exercises))
    order = sorted(found, key=lambda name: -sum(one.cost for one in found[name]))
    holes = sorted({file["holes"] for file in files})
    return PAGE.format(
        players="`, `".join(files[0]["players"]),
        habits="\n".join(part(number, name, found[name]) for number, name in enumerate(order[:HABITS], 1)).rstrip(),
        table=table(games, order, found),
        holes=f"Between {holes[0]:,} and {holes[-1]:,} holes of each game were judged.",
        error=max(habit["error"] for file in files for habit in file["habits"]),
        playouts=files[0]["playouts"],
        machine=files[0]["machine"],
        commit=files[0]["commit"],
    )


def part(number: int, name: str, measured: list[Measured]) -> str:
    """Returns what is said of a habit, with the example that is clearest: the one that costs most."""
    costs = sorted((one.cost, one.variant.title) for one in measured)
    examples = [(one.variant, exercise) for one in measured for exercise in one.exercises]
    example = max(examples, key=lambda one: (one[1].usual.low < one[1].usual.high, one[1].usual.low))
    return HABIT.format(
        number=number,
        title=LESSONS[f"learn_idea_{name}"],
        lead=LESSONS[f"learn_lead_{name}"],
        cost=f"It is among the five costliest habits in {len(costs)} of 8 games, and costs {costs[0][0]:.2f} strokes"
        f"\nper hole ({costs[0][1]}) to {costs[-1][0]:.2f} ({costs[-1][1]}).",
        **shown(*example),
    )


def shown(variant: Variant, exercise: Exercise) -> dict[str, str]:
    """Returns a position in words."""
    task, usual = exercise
    assert task.position
    state = task.position.state
    held = f" In your hand: {write_face(variant, state.held)}." if state.held >= 0 else ""
    verb = "turn up" if state.phase == Phase.TEE_OFF else "put it on"
    right = [name_of_move(variant, one.move) for one in task.choices if one.is_right]
    return {
        "game": variant.title,
        "own": write_layout(variant, state.players[0].layout),
        "other": write_layout(variant, state.players[1].layout),
        "lies": f"On the discard pile: {write_face(variant, state.discard)}.{held}",
        "usual": in_words(verb, [name_of_move(variant, usual.move)]),
        "loss": minus(f"{usual.loss:.2f}"),
        "low": f"{usual.low:.2f}",
        "high": f"{usual.high:.2f}",
        "right": in_words(verb, right),
        "why": reason_in_words(WORDS, variant, usual.praise, ["you", "the next player"]),
    }


def in_words(verb: str, moves: list[str]) -> str:
    """Returns moves of one kind by their names: slots, or one of OF_MOVES."""
    slots = ", ".join(moves[:-1]) + " or " * (len(moves) > 1) + moves[-1]
    return OF_MOVES.get(slots, f"{verb} {slots}")


def table(games: list[Variant], order: list[str], found: dict[str, list[Measured]]) -> str:
    """Returns the strokes per player and hole of every habit that is among the five of some game."""
    rows = ["| habit | " + " | ".join(game.title for game in games) + " |", "|---" * (1 + len(games)) + "|"]
    for name in order:
        costs = {one.variant.name: f"{one.cost:.2f}" for one in found[name]}
        rows.append(
            f"| {LESSONS[f'learn_idea_{name}']} | " + " | ".join(costs.get(game.name, "") for game in games) + " |"
        )
    return "\n".join(rows)


if __name__ == "__main__":
    FILE.write_text(text(), encoding="utf-8", newline="\n")
