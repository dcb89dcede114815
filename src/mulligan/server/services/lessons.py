"""Converts the lessons and the course into messages; the engine computes them on the first request."""

from functools import cache
from typing import Any

from mulligan.coach import lessons as tutorial
from mulligan.coach import play_better
from mulligan.coach.lessons import LEARNER, Choice, Guess, Idea, Position, Scene, Task
from mulligan.coach.play_better import Exercise, Habit
from mulligan.engine.state import NOBODY, Phase
from mulligan.game import variants
from mulligan.game.hole import look_at
from mulligan.game.notation import name_of_move, read_layout, write_choice
from mulligan.game.rulebook import Block
from mulligan.game.score_parts import HoleScore, explain
from mulligan.game.variants import Variant
from mulligan.server.table.rights import Refusal
from mulligan.server.table.steps import PHASE_NAMES, event_of, face_text
from mulligan.server.table.view import parts_of
from mulligan.server.wire.lessons import (
    Tutorial,
    TutorialGuess,
    TutorialIdea,
    TutorialMove,
    TutorialObjection,
    TutorialScene,
    TutorialTable,
    TutorialTask,
    TutorialUsual,
)
from mulligan.server.wire.view import Held, Part

FORGOTTEN = {"lines": "5.2", "one_card": "5.2", "bonus": "5.4", "exception": "5.3", "penalty": "5.6", "winner": "6.2"}


def lessons(game: str) -> Tutorial:
    """Returns the lessons of a game. Raises Refusal if there are none."""
    found = tutorial_of(game) if game in variants.games() else None
    if found is None:
        raise Refusal("no_lesson", game=game[:40])
    return found


@cache
def tutorial_of(game: str) -> Tutorial | None:
    variant = variants.load(game)
    found = tutorial.load(variant)
    if found is None:
        return None
    habits = [idea_of_habit(variant, habit) for habit in play_better.load(variant)]
    return Tutorial(game=game, ideas=[idea_of(variant, idea) for idea in found.ideas], habits=habits)


def idea_of(variant: Variant, idea: Idea) -> TutorialIdea:
    tasks = [task_of(variant, task) for task in idea.tasks]
    return TutorialIdea(id=idea.id, rules=list(idea.rules), tasks=tasks, cost=None)


def idea_of_habit(variant: Variant, habit: Habit) -> TutorialIdea:
    tasks = [task_of(variant, one.task, usual_of(variant, one)) for one in habit.exercises]
    return TutorialIdea(id=habit.name, rules=[habit.rule], tasks=tasks, cost=habit.cost)


def usual_of(variant: Variant, exercise: Exercise) -> TutorialUsual:
    assert exercise.task.position
    state, usual = exercise.task.position.state, exercise.usual
    name = name_of_move(variant, usual.move, int(state.phase), int(state.closer))
    return TutorialUsual(move=name, loss=usual.loss, praise=usual.praise, against=usual.against)


def task_of(variant: Variant, task: Task, usual: TutorialUsual | None = None) -> TutorialTask:
    return TutorialTask(
        id=task.id,
        kind=task.kind,  # type: ignore[arg-type]  # a test checks that lesson files have no other kind
        rule=task.rule,
        table=table_of(variant, task.position) if task.position else None,
        moves=[move_of(variant, choice) for choice in task.choices],
        objections=[
            TutorialObjection(move=write_choice(variant, move), code=against.key, rule=tutorial.rule_of(against))
            for move, against in task.objections.items()
        ],
        layout=[face_text(variant, face) for face in task.layout],
        groups=groups_of(variant, explain(variant, task.layout)) if task.layout else [],
        guesses=[guess_of(guess, task) for guess in task.guesses],
        score_parts=score_parts_of(variant, task) if task.score else [],
        totals=list(task.totals),
        usual=usual,
    )


def guess_of(guess: Guess, task: Task) -> TutorialGuess:
    return TutorialGuess(value=guess.value, mistake=guess.mistake, rule=FORGOTTEN.get(guess.mistake, task.rule))


def move_of(variant: Variant, choice: Choice) -> TutorialMove:
    return TutorialMove(
        move=write_choice(variant, choice.move),
        right=choice.is_right,
        against=choice.why,
        scenes=[scene_of(variant, scene) for scene in choice.scenes],
        next=choice.next,
    )


def scene_of(variant: Variant, scene: Scene) -> TutorialScene:
    return TutorialScene([event_of(variant, scene.outcome, scene.outcome.step.seat)], table_of(variant, scene.after))


def table_of(variant: Variant, position: Position) -> TutorialTable:
    sight, slots = look_at(position.state), len(variant.slots)
    layouts = [layout[:slots] for layout in sight.layouts[: sight.seats]]
    mine = explain(variant, layouts[LEARNER])
    over = sight.phase == Phase.OVER
    in_hand = sight.phase == Phase.PLACE
    faces = [variant.faces[face] for face in position.pile[-2:]]
    return TutorialTable(
        layouts=[[face_text(variant, face) for face in layout] for layout in layouts],
        discard=faces[-1] if faces else None,
        discard_below=faces[-2] if len(faces) > 1 else None,
        held=Held(variant.faces[sight.held], "S" if sight.held_from_stock else "D") if in_hand else None,
        stock_left=sight.stock_left,
        phase=PHASE_NAMES.get(sight.phase, "over" if over else "take"),
        turn=None if sight.turn == NOBODY or sight.phase == Phase.REVEAL else sight.turn,
        closer=None if sight.closer == NOBODY else sight.closer,
        legal=[write_choice(variant, move) for move in tutorial.legal_of(variant, position.state)],
        points=sight.points[: sight.seats] if over else None,
        cost=mine.points,
        matched=groups_of(variant, mine),
    )


def groups_of(variant: Variant, score: HoleScore) -> list[list[str]]:
    """Returns the slots of matched lines, grouped by face."""
    matched = {part.face: part.slots for part in score.parts if part.lines}
    return [[variant.slots[slot] for slot in slots] for slots in matched.values()]


def matched_in(block: Block, game: Variant | None = None) -> list[list[list[str]]]:
    """Returns the matched lines of the layouts in a rule book table, by row; an empty list for other blocks.

    `game` has the house rules of the book.
    """
    return [matched_in_row(row, game) for row in block.rows[1:]] if block.is_table else []


def matched_in_row(row: list[str], game: Variant | None) -> list[list[str]]:
    name, *cells = (cell.strip("`") for cell in row)
    layout = next((cell for cell in cells if " / " in cell), None)
    if layout is None or name not in variants.games():
        return []
    variant = game if game and game.name == name else variants.load(name)
    variant = variants.for_seats(variant, variant.facts.most)  # a layout of the book may need more than one pack (1.2)
    return groups_of(variant, explain(variant, read_layout(variant, layout)))


def score_parts_of(variant: Variant, task: Task) -> list[Part]:
    assert task.score is not None
    state: Any = task.position.state if task.position else None
    points = [] if state is None else [int(player.points) for player in state.players[: int(state.seats)]]
    closed = task.score.points - sum(part.points for part in task.score.parts if part.rule == "5.6")
    lower = [seat for seat, cost in enumerate(points) if seat != LEARNER and cost < closed]
    return parts_of(variant, list(task.layout), task.score.parts, lower)
