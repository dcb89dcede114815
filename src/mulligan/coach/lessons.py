"""Reads lessons: positions in the notation, one idea each, which the engine plays (lessons/*.toml).

A lesson's file gives the layouts, the right moves for its idea, and the cards shown. The engine computes the
legal moves, their results, the objections and the scores.
"""

import tomllib
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import cache
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from mulligan.engine import match as matches
from mulligan.engine.compiled import fresh
from mulligan.engine.match import MATCH
from mulligan.engine.moves import is_legal, legal_moves
from mulligan.engine.replay import face_shown, replay
from mulligan.engine.scoring import cost
from mulligan.engine.state import DISCARD, DISCARD_DRAWN, HIDDEN, MOVES, NOTHING, PASS, STOCK, Phase
from mulligan.game import objections
from mulligan.game.hole import Outcome, look_at, outcome_of
from mulligan.game.notation import NotationError, Step, as_array, read_choice, read_face, read_layout, read_move
from mulligan.game.objections import Objection
from mulligan.game.position import TableError, set_table
from mulligan.game.score_parts import HoleScore, explain, explain_hole
from mulligan.game.variants import Variant
from mulligan.game.words import Words
from mulligan.players.values.expected_reveal import mean_unseen

from .findings import Reason
from .reasons import MOST, REASON, Why, in_notation, note_reasons

FOLDER = Path(__file__).parent / "lessons"
LEARNER = 0  # the learner's seat
ANY = "any"  # instead of a list of moves: every legal move is right
BONUS = ("5.4", "5.5")
LINE = ("5.2", "5.3")


class TutorialError(ValueError):
    """An invalid lesson; the message says which, where and why."""


class Position(NamedTuple):
    """A position: its state, and the faces of the discard pile from the bottom up."""

    state: Any
    pile: tuple[int, ...]


class Scene(NamedTuple):
    """A step's result, and the position after it."""

    outcome: Outcome
    after: Position


class Choice(NamedTuple):
    """A legal move: `why` explains a wrong one; a right one is played and may lead to the task `next`."""

    move: int
    is_right: bool
    why: Reason | None
    scenes: list[Scene]
    next: int | None


class Guess(NamedTuple):
    """An answer to tap: points, or a seat. `mistake` names its mistake; empty for the right answer."""

    value: int
    mistake: str


class Task(NamedTuple):
    """One thing to do: a move, or a question (`kind` is "move", "points" or "winner").

    `objections` explain the taps that are not legal moves. A question is about `layout` if given, else about the
    learner's layout at `position`; `totals` are all players' totals before that hole.
    """

    id: str
    kind: str
    rule: str
    claims: tuple[str, ...]
    position: Position | None
    choices: Sequence[Choice] = ()
    objections: Mapping[int, Objection] = {}
    layout: Sequence[int] = ()
    guesses: Sequence[Guess] = ()
    score: HoleScore | None = None
    totals: Sequence[int] = ()


class Idea(NamedTuple):
    """One idea, the numbers of its rules, and its tasks; it starts with the first one."""

    id: str
    rules: tuple[str, ...]
    tasks: list[Task]


class Tutorial(NamedTuple):
    variant: Variant
    ideas: list[Idea]


def names() -> list[str]:
    """Returns the names of the variants with lessons."""
    return sorted(file.stem for file in FOLDER.glob("*.toml"))


def load(variant: Variant) -> Tutorial | None:
    """Returns the lessons of a variant, or None if it has none, as with house rules. Raises TutorialError."""
    if variant.match or variant.name not in names():
        return None
    return read(variant, (FOLDER / f"{variant.name}.toml").read_text(encoding="utf-8"))


@cache
def parsed(text: str) -> dict[str, Any]:
    return tomllib.loads(text)


def read(variant: Variant, text: str) -> Tutorial:
    """Reads lessons from the text of their file and plays them through. Raises TutorialError."""
    ideas = []
    for entry in parsed(text)["ideas"]:
        try:
            ideas.append(Idea(entry["id"], tuple(entry["rules"]), Making(variant, entry).tasks))
        except (KeyError, NotationError, TableError, ValueError) as error:
            raise TutorialError(f"{variant.name}, {entry.get('id', '?')}: {error}") from None
    return Tutorial(variant, ideas)


class Making:
    """Builds the tasks of one idea by playing them: a right move may lead to the next task."""

    def __init__(self, variant: Variant, entry: dict[str, Any]) -> None:
        self.variant, self.tasks_read = variant, entry["tasks"]
        self.rule = entry["rules"][0]
        self.tasks: list[Task] = []
        self.add(0, None)

    def add(self, number: int, position: Position | None) -> int | None:
        """Adds the file's task of that number at a position; returns its index, or None if there is no such task."""
        if number >= len(self.tasks_read):
            return None
        entry, place = self.tasks_read[number], len(self.tasks)
        if "layouts" in entry:
            position = position_of(self.variant, entry)
        kind, rule, claims = entry.get("ask", "move"), entry.get("rule", self.rule), tuple(entry.get("claims", ()))
        task = Task(entry["id"], kind, rule, claims, position)
        self.tasks.append(task)  # takes its place before the tasks that a right move leads to
        self.tasks[place] = self.move(task, entry, number) if kind == "move" else self.question(task, entry)
        if kind != "move":
            self.add(number + 1, position)
        return place

    def move(self, task: Task, entry: dict[str, Any], number: int) -> Task:
        """Reads a task that asks for a move. Raises TutorialError."""
        position = task.position
        assert position is not None
        legal = legal_of(self.variant, position.state)
        right = legal if entry["right"] == ANY else [read_choice(self.variant, one) for one in entry["right"]]
        if set(right) - set(legal):
            raise TutorialError(f"{task.id}: not every move called right is legal")
        choices = []
        for move in legal:
            is_right = move in right
            scenes = list(self.played(entry, position, move)) if is_right else []
            following = self.add(number + 1, scenes[-1].after) if is_right else None
            why = None if is_right else against(self.variant, position.state, move)
            choices.append(Choice(move, is_right, why, scenes, following))
        return task._replace(choices=choices, objections=objections_to(self.variant, position.state, legal))

    def played(self, entry: dict[str, Any], position: Position, move: int) -> Iterator[Scene]:
        """Plays the move, the others' turns and the reveal with the lesson's cards. Raises TutorialError."""
        faces = iter(entry.get("shows", ()))
        scene = step_on(self.variant, position, move, faces)
        yield scene
        for written in entry.get("then", ()):
            for step in read_move(self.variant, written):
                scene = step_on(self.variant, scene.after, step.move, iter([self.variant.faces[step.face]]))
                if scene.outcome.step.face != step.face:
                    raise TutorialError(f"{entry['id']}: {written} is about another card")
                yield scene
        while scene.after.state.phase == Phase.REVEAL:
            scene = step_on(self.variant, scene.after, int(scene.after.state.awaited), faces)
            yield scene

    def question(self, task: Task, entry: dict[str, Any]) -> Task:
        variant, position = self.variant, task.position
        if task.kind == "winner":
            assert position is not None
            winners = winners_of(variant, position.state, entry["before"])
            seats = range(int(position.state.seats))
            guesses = [Guess(seat, "" if seat in winners else "winner") for seat in seats]
            return task._replace(guesses=guesses, totals=entry["before"])
        layout = layout_of(variant, entry, position)
        if "layout" in entry:
            position, score = None, explain(variant, np.array(layout, np.int8))
        else:
            assert position is not None
            score = explain_hole(variant, position.state, LEARNER)
        wrong = [Guess(what_is_counted(variant, layout, score, one), one) for one in entry["mistakes"]]
        guesses = sorted([Guess(score.points, ""), *wrong])
        return task._replace(position=position, layout=layout, guesses=guesses, score=score)


def position_of(variant: Variant, entry: dict[str, Any]) -> Position:
    """Builds the position of a lesson's file; `discard` is the pile from the bottom up."""
    *below, top = entry["discard"].split()
    ways = {key: entry[key] for key in ("held", "taken", "discarded", "closer", "turn") if key in entry}
    state = set_table(variant, entry["layouts"], top, gone=below, **ways)
    pile = tuple(read_face(variant, face) for face in (*below, top))
    return Position(state, pile[:-1] if entry.get("taken") else pile)


def layout_of(variant: Variant, entry: dict[str, Any], position: Position | None) -> list[int]:
    """Returns the layout a question is about: its own, or the learner's."""
    slots = int(variant.rules.slots)
    if position is None or "layout" in entry:
        return [int(face) for face in read_layout(variant, entry["layout"])[:slots]]
    return [int(face) for face in position.state.players[LEARNER].layout[:slots]]


def legal_of(variant: Variant, state: Any) -> list[int]:
    bits = int(legal_moves(variant.rules, state))
    return [move for move in range(MOVES) if bits >> move & 1]


def step_on(variant: Variant, position: Position, move: int, faces: Iterator[str]) -> Scene:
    """Plays a step; the next of `faces` is the card it shows. Raises TutorialError."""
    rules, state, pile = variant.rules, position.state.copy(), position.pile
    before, face = look_at(state), HIDDEN
    if before.awaited == NOTHING:
        if not is_legal(rules, state, move):
            raise TutorialError(f"move {move} is not legal")
        face = int(face_shown(state, move))
    if face == HIDDEN and move != PASS:
        named = next(faces, None)
        if named is None:
            raise TutorialError(f"move {move} shows a card, and the lesson names none")
        face = read_face(variant, named)
    step = Step(before.turn, before.phase, move, face)
    if not replay(rules, state, as_array([step])):
        raise TutorialError(f"move {move} cannot show {variant.faces[face]}")
    outcome = outcome_of(variant, step, before, look_at(state))
    if move == DISCARD:
        pile = pile[:-1]
    elif outcome.went != HIDDEN:
        pile = (*pile, outcome.went)
    pile = (*pile, *(outcome.face for _ in outcome.cleared))
    return Scene(outcome, Position(state, pile))


def objections_to(variant: Variant, state: Any, legal: Iterable[int]) -> dict[int, Objection]:
    """Returns the objection to each illegal tap on the table, by move."""
    seen = int(state.phase)
    phases = {STOCK: Phase.TAKE, DISCARD: Phase.TAKE, DISCARD_DRAWN: Phase.PLACE}
    found = {}
    for move in (*range(int(variant.rules.slots)), STOCK, DISCARD, DISCARD_DRAWN):
        if move in legal or ((move == DISCARD_DRAWN) != (seen == Phase.PLACE) and move in (DISCARD, DISCARD_DRAWN)):
            continue  # a tap on the discard pile discards while a card is in hand, else takes
        phase = phases.get(move) or (seen if seen in (Phase.TEE_OFF, Phase.FLIP) else Phase.PLACE)
        found[move] = objections.against_move(variant, state, Step(int(state.turn), phase, move, HIDDEN), "")
    return found


def rule_of(objection: Objection) -> str:
    """Returns the first rule that an objection names."""
    return objections.in_words(Words("en"), objection).rpartition("(")[2][:3]


def against(variant: Variant, state: Any, move: int) -> Reason | None:
    """Returns the reason against a move, or None if there is none."""
    for_it, against = np.zeros(MOST, REASON), np.zeros(MOST, REASON)
    place = best_place(variant, state) if move == DISCARD else NOTHING
    note_reasons(variant.rules, state, points_quickly(variant, state), move, place, for_it, against)
    is_none = against[0]["key"] == Why.NONE
    return None if is_none else in_notation(variant, against[0], int(state.phase), int(state.closer))


def points_quickly(variant: Variant, state: Any) -> np.ndarray:
    """Returns each player's expected points, if a face-down card costs the average."""
    mean = mean_unseen(variant.rules, state)
    return np.array([
        float(cost(variant.rules, player["layout"], 0)) + mean * player["hidden"]
        for player in state["players"][: int(state.seats)]
    ])  # fmt: skip


def best_place(variant: Variant, state: Any) -> int:
    """Returns the slot where the top discard would leave the lowest score."""
    mean, layout = mean_unseen(variant.rules, state), state["players"]["layout"][state.turn]

    def left(slot: int) -> float:
        after = layout.copy()
        after[slot] = state.discard
        hidden = int(np.count_nonzero(after[: variant.rules.slots] == HIDDEN))
        return float(cost(variant.rules, after, 0)) + mean * hidden

    return min(range(int(variant.rules.slots)), key=left)


def winners_of(variant: Variant, state: Any, before: list[int]) -> list[int]:
    """Returns the winners, if this was the last hole and `before` the totals before it (6.2)."""
    match: Any = fresh(MATCH)
    matches.begin_match(variant.rules, match, int(state.seats))
    match.dealer, match.holes = int(state.dealer), int(variant.rules.holes) - 1
    for seat, total in enumerate(before):
        match.totals[seat] = total
    matches.finish_hole(variant.rules, match, state)
    return [seat for seat in range(int(state.seats)) if match.at_table[seat]]


def what_is_counted(variant: Variant, layout: list[int], score: HoleScore, mistake: str) -> int:
    """Returns the score with a typical mistake, such as forgetting the lines or the bonus (see MISTAKES)."""
    return score.points + sum(MISTAKES[mistake](variant, layout, part) for part in score.parts)


def without_lines(variant: Variant, layout: list[int], part: Any) -> int:
    """Returns the error in one part if all cards score singly."""
    if part.rule in BONUS and not variant.rules.bonus_replaces:
        return -int(part.points)
    if not part.lines:
        return 0
    return sum(int(variant.rules.points[layout[slot]]) for slot in part.slots) - int(part.points)


def with_one_card(variant: Variant, layout: list[int], part: Any) -> int:
    """Returns the error in one part if one card of each matched line still scores."""
    return int(variant.rules.points[part.face]) * len(part.lines) - part.points if part.rule in LINE else 0


def without_bonus(variant: Variant, layout: list[int], part: Any) -> int:
    if part.rule not in BONUS:
        return 0
    alone = int(variant.rules.line_points[part.face]) * len(part.lines) if variant.rules.bonus_replaces else 0
    return alone - int(part.points)


def without_exception(variant: Variant, layout: list[int], part: Any) -> int:
    """Returns the error in one part if every matched line scores 0."""
    return -int(part.points) if part.rule == "5.3" else 0


def without_penalty(variant: Variant, layout: list[int], part: Any) -> int:
    return -int(part.points) if part.rule == "5.6" else 0


MISTAKES = {
    "lines": without_lines,
    "one_card": with_one_card,
    "bonus": without_bonus,
    "exception": without_exception,
    "penalty": without_penalty,
}
