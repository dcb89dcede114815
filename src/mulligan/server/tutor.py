"""The lessons, put into messages: worked out by the engine once, when somebody first asks."""

from functools import cache
from typing import Any

from .. import tutorial, variants
from ..engine.state import HIDDEN, NOBODY, Phase
from ..explain import Reckoning, explain
from ..game import look_at
from ..notation import read_layout, write_face, write_slot
from ..reasons import Why
from ..rulebook import Block
from ..tutorial import LEARNER, Choice, Guess, Idea, Position, Scene, Task
from ..variants import Variant
from .coaching import Reason
from .facts import games
from .messages import Held, Part, Revealed, Step
from .rights import Refusal
from .table import MOVES, RESTS
from .tutoring import (
    Tutorial,
    TutorialGuess,
    TutorialIdea,
    TutorialMove,
    TutorialObjection,
    TutorialScene,
    TutorialTable,
    TutorialTask,
)
from .view import parts_of

FORGOTTEN = {"lines": "5.2", "one_card": "5.2", "bonus": "5.4", "exception": "5.3", "penalty": "5.6", "winner": "6.2"}


def lessons(game: str) -> Tutorial:
    """The lessons of a game. Raises Refusal where there are none."""
    told = worked_out(game) if game in games() else None
    if told is None:
        raise Refusal("no_lesson", game=game[:40])
    return told


@cache
def worked_out(game: str) -> Tutorial | None:
    variant = variants.load(game)
    told = tutorial.load(variant)
    return told and Tutorial(game=game, ideas=[idea_of(variant, idea) for idea in told.ideas])


def idea_of(variant: Variant, idea: Idea) -> TutorialIdea:
    return TutorialIdea(id=idea.id, rules=list(idea.rules), tasks=[task_of(variant, task) for task in idea.tasks])


def task_of(variant: Variant, task: Task) -> TutorialTask:
    return TutorialTask(
        id=task.id,
        kind=task.kind,  # type: ignore[arg-type]  # a test holds that a lesson's file asks for nothing else
        rule=task.rule,
        table=table_of(variant, task.position) if task.position else None,
        moves=[move_of(variant, choice) for choice in task.choices],
        objections=[
            TutorialObjection(move=name_of(variant, move), code=against.key, rule=tutorial.rule_of(against))
            for move, against in task.objections.items()
        ],
        layout=[face_of(variant, face) for face in task.layout],
        groups=groups_of(variant, explain(variant, task.layout)) if task.layout else [],
        guesses=[guess_of(guess, task) for guess in task.guesses],
        reckoning=reckoning_of(variant, task) if task.reckoning else [],
        totals=task.totals,
    )


def guess_of(guess: Guess, task: Task) -> TutorialGuess:
    return TutorialGuess(value=guess.value, mistake=guess.mistake, rule=FORGOTTEN.get(guess.mistake, task.rule))


def move_of(variant: Variant, choice: Choice) -> TutorialMove:
    return TutorialMove(
        move=name_of(variant, choice.move),
        right=choice.is_right,
        against=reason_of(choice.why) if choice.why else None,
        scenes=[scene_of(variant, scene) for scene in choice.scenes],
        next=choice.next,
    )


def reason_of(why: Why) -> Reason:
    """A reason as it travels: strokes as text, with one decimal."""
    params = {key: f"{value:.1f}" if isinstance(value, float) else value for key, value in why.params.items()}
    return Reason(code=why.key, params=params)


def scene_of(variant: Variant, scene: Scene) -> TutorialScene:
    """The card a step showed is the one it took, placed, threw away or turned up."""
    step, after = scene.step, scene.after
    table = table_of(variant, after)
    if step.phase == Phase.REVEAL:
        slot = write_slot(variant, step.move)
        return TutorialScene([Revealed(seat=step.seat, slot=slot, face=write_face(variant, step.face))], table)
    placed = step.phase == Phase.PLACE
    happened = Step(
        seat=step.seat,
        phase=RESTS[step.phase],
        move=name_of(variant, step.move),
        face=face_of(variant, scene.held if placed else step.face),
        went=face_of(variant, step.face) if placed else None,
        from_hidden=scene.was_hidden,
        closed=scene.closed,
    )
    return TutorialScene([happened], table)


def table_of(variant: Variant, position: Position) -> TutorialTable:
    sight, slots = look_at(position.state), len(variant.slots)
    layouts = [layout[:slots] for layout in sight.layouts[: sight.seats]]
    mine = explain(variant, layouts[LEARNER])
    over = sight.phase == Phase.OVER
    in_hand = sight.phase == Phase.PLACE
    faces = [variant.faces[face] for face in position.pile[-2:]]
    return TutorialTable(
        layouts=[[face_of(variant, face) for face in layout] for layout in layouts],
        discard=faces[-1] if faces else None,
        discard_below=faces[-2] if len(faces) > 1 else None,
        held=Held(variant.faces[sight.held], "S" if sight.held_from_stock else "D") if in_hand else None,
        stock_left=sight.stock_left,
        phase=RESTS.get(sight.phase, "over" if over else "take"),
        turn=None if sight.turn == NOBODY or sight.phase == Phase.REVEAL else sight.turn,
        closer=None if sight.closer == NOBODY else sight.closer,
        legal=[name_of(variant, move) for move in tutorial.legal_of(variant, position.state)],
        points=sight.points[: sight.seats] if over else None,
        cost=mine.points,
        matched=groups_of(variant, mine),
    )


def groups_of(variant: Variant, reckoning: Reckoning) -> list[list[str]]:
    """The slots of matched lines, those of one face together."""
    lines = {part.face: part.lines for part in reckoning.parts if part.lines}
    return [[variant.slots[slot] for slot in tutorial.slots_in(variant, matched)] for matched in lines.values()]


def matched_in(block: Block) -> list[list[list[str]]]:
    """The matched lines of the layouts in a table of the rule book, row by row; nothing for another block."""
    return [matched_in_row(row) for row in block.rows[1:]] if block.is_table else []


def matched_in_row(row: list[str]) -> list[list[str]]:
    name, *cells = (cell.strip("`") for cell in row)
    layout = next((cell for cell in cells if " / " in cell), None)
    if layout is None or name not in games():
        return []
    variant = variants.load(name)
    return groups_of(variant, explain(variant, read_layout(variant, layout)))


def reckoning_of(variant: Variant, task: Task) -> list[Part]:
    assert task.reckoning is not None
    state: Any = task.position.state if task.position else None
    points = [] if state is None else [int(player.points) for player in state.players[: int(state.seats)]]
    closed = task.reckoning.points - sum(part.points for part in task.reckoning.parts if part.rules == "5.6")
    lower = [seat for seat, cost in enumerate(points) if seat != LEARNER and cost < closed]
    return parts_of(variant, task.layout, task.reckoning.parts, lower)


def name_of(variant: Variant, move: int) -> str:
    return MOVES.get(move) or write_slot(variant, move)


def face_of(variant: Variant, face: int) -> str | None:
    return None if face == HIDDEN else variant.faces[face]
