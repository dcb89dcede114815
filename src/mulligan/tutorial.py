"""Lessons: positions written in the notation, one idea each, which the engine plays (tutorials/*.toml).

A lesson's file says how the table lies, which moves are right for its idea, and which cards are shown.
What is legal, what a move leads to, what speaks against it and what a layout costs, the engine says.
"""

import tomllib
from collections.abc import Iterable, Iterator
from functools import cache
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from . import objections
from .engine import match as matches
from .engine.compiled import fresh
from .engine.match import MATCH
from .engine.moves import is_legal, legal_moves, play, turn_up
from .engine.replay import face_shown, may_come
from .engine.scoring import cost
from .engine.state import DISCARD, HIDDEN, MOVES, NOTHING, PASS, STOCK, THROW_AWAY, Phase
from .explain import Reckoning, explain, explain_hole, slots_of
from .game import look_at
from .notation import NotationError, Step, as_array, read_face, read_layout, read_move, read_slot
from .objections import Objection
from .positions import TableError, set_table
from .reasons import Look, Why, mean_of, reasons
from .variants import Variant

FOLDER = Path(__file__).parent / "tutorials"
LEARNER = 0  # the seat that is played by whoever learns
MARKS = {"S": STOCK, "D": DISCARD, "-": THROW_AWAY, ".": PASS}  # moves that are no slots
ANY = "any"  # in place of moves: every legal one is right
BONUS = ("5.4", "5.5")
LINE = ("5.2", "5.3")


class TutorialError(ValueError):
    """A lesson that cannot be played; the message says which, where and why."""


class Position(NamedTuple):
    """A table as it lies: its state, and the discard pile from the bottom up (faces)."""

    state: Any
    pile: tuple[int, ...]


class Scene(NamedTuple):
    """A step: the card held before it, whether it placed on a hidden card, whether it closed; the table after it."""

    step: Step
    held: int
    was_hidden: bool
    closed: bool
    after: Position


class Choice(NamedTuple):
    """A legal move: `why` speaks against a wrong one. A right one is played, and leads to that task, if any."""

    move: int
    is_right: bool
    why: Why | None
    scenes: list[Scene]
    next: int | None


class Guess(NamedTuple):
    """An answer to tap: points, or a seat. `mistake` says what it forgets; empty for the right one."""

    value: int
    mistake: str


class Task(NamedTuple):
    """One thing to do: a move, or a question (`kind` is "move", "points" or "winner").

    `objections` are about what can be tapped but is no legal move. A question is about the learner's
    layout at `position`, or where `layout` is given about that; `totals` are everybody's before that hole.
    """

    id: str
    kind: str
    rule: str
    claims: tuple[str, ...]
    position: Position | None
    choices: list[Choice]
    objections: dict[int, Objection]
    layout: list[int]
    guesses: list[Guess]
    reckoning: Reckoning | None
    totals: list[int]


class Idea(NamedTuple):
    """One idea, its rules in the book, and its tasks; the first one opens it."""

    id: str
    rules: tuple[str, ...]
    tasks: list[Task]


class Tutorial(NamedTuple):
    variant: Variant
    ideas: list[Idea]


def names() -> list[str]:
    """The variants that have lessons."""
    return sorted(file.stem for file in FOLDER.glob("*.toml"))


def load(variant: Variant) -> Tutorial | None:
    """The lessons of a variant, or None where it has none. Raises TutorialError."""
    if variant.name not in names():
        return None
    return read(variant, (FOLDER / f"{variant.name}.toml").read_text(encoding="utf-8"))


@cache
def parsed(text: str) -> dict[str, Any]:
    return tomllib.loads(text)


def read(variant: Variant, text: str) -> Tutorial:
    """Lessons from the text of their file, played through. Raises TutorialError."""
    ideas = []
    for told in parsed(text)["ideas"]:
        try:
            ideas.append(Idea(told["id"], tuple(told["rules"]), Making(variant, told).tasks))
        except (KeyError, NotationError, TableError, ValueError) as error:
            raise TutorialError(f"{variant.name}, {told.get('id', '?')}: {error}") from None
    return Tutorial(variant, ideas)


class Making:
    """The tasks of one idea, being played through: a right move may lead on to the next one."""

    def __init__(self, variant: Variant, told: dict[str, Any]) -> None:
        self.variant, self.told = variant, told["tasks"]
        self.rules = told["rules"]
        self.tasks: list[Task] = []
        self.add(0, None)

    def add(self, number: int, position: Position | None) -> int | None:
        """Adds the task of that number in the file, at that position; where it stands among the tasks."""
        if number >= len(self.told):
            return None
        told, place = self.told[number], len(self.tasks)
        if "layouts" in told:
            position = lie(self.variant, told)
        self.tasks.append(Task(told["id"], "move", self.rules[0], (), None, [], {}, [], [], None, []))
        self.tasks[place] = self.question(told, position) if "ask" in told else self.move(told, position, number)
        if "ask" in told:
            self.add(number + 1, position)
        return place

    def move(self, told: dict[str, Any], position: Position | None, number: int) -> Task:
        assert position is not None
        legal = legal_of(self.variant, position.state)
        right = legal if told["right"] == ANY else [read_choice(self.variant, one) for one in told["right"]]
        if set(right) - set(legal):
            raise TutorialError(f"{told['id']}: not every move called right is legal")
        choices = []
        for move in legal:
            is_right = move in right
            scenes = list(self.played(told, position, move)) if is_right else []
            following = self.add(number + 1, scenes[-1].after) if is_right else None
            why = None if is_right else against(self.variant, position.state, move)
            choices.append(Choice(move, is_right, why, scenes, following))
        return Task(
            told["id"],
            "move",
            told.get("rule", self.rules[0]),
            tuple(told.get("claims", ())),
            position,
            choices,
            objections_to(self.variant, position.state, legal),
            [],
            [],
            None,
            [],
        )

    def played(self, told: dict[str, Any], position: Position, move: int) -> Iterator[Scene]:
        """The move, what the others do after it, and the reveal: every card that is shown is named by the lesson."""
        faces = iter(told.get("shows", ()))
        scene = step_on(self.variant, position, move, faces)
        yield scene
        for written in told.get("then", ()):
            for step in read_move(self.variant, written):
                scene = step_on(self.variant, scene.after, step.move, iter([self.variant.faces[step.face]]))
                if scene.step.face != step.face:
                    raise TutorialError(f"{told['id']}: {written} is about another card")
                yield scene
        while scene.after.state.phase == Phase.REVEAL:
            scene = step_on(self.variant, scene.after, int(scene.after.state.awaited), faces)
            yield scene

    def question(self, told: dict[str, Any], position: Position | None) -> Task:
        variant, rule = self.variant, told.get("rule", self.rules[0])
        totals: list[int] = []
        reckoning: Reckoning | None = None
        if told["ask"] == "winner":
            assert position is not None
            totals = told["before"]
            winners = winners_of(variant, position.state, totals)
            layout = []
            guesses = [Guess(seat, "" if seat in winners else "winner") for seat in range(int(position.state.seats))]
        else:
            layout = layout_of(variant, told, position)
            if "layout" in told:
                position, reckoning = None, explain(variant, np.array(layout, np.int8))
            else:
                assert position is not None
                reckoning = explain_hole(variant, position.state, LEARNER)
            wrong = [Guess(what_is_counted(variant, layout, reckoning, one), one) for one in told["mistakes"]]
            guesses = sorted([Guess(reckoning.points, ""), *wrong])
        claims = tuple(told.get("claims", ()))
        return Task(told["id"], told["ask"], rule, claims, position, [], {}, layout, guesses, reckoning, totals)


def lie(variant: Variant, told: dict[str, Any]) -> Position:
    """The table as the lesson's file tells it; `discard` is the pile from the bottom up."""
    *below, top = told["discard"].split()
    ways = {key: told[key] for key in ("held", "taken", "thrown_away", "closer", "turn") if key in told}
    state = set_table(variant, told["layouts"], top, gone=below, **ways)
    pile = tuple(read_face(variant, face) for face in (*below, top))
    return Position(state, pile[:-1] if told.get("taken") else pile)


def layout_of(variant: Variant, told: dict[str, Any], position: Position | None) -> list[int]:
    """The layout a question is about: its own, or the learner's."""
    slots = int(variant.rules.slots)
    if position is None or "layout" in told:
        return [int(face) for face in read_layout(variant, told["layout"])[:slots]]
    return [int(face) for face in position.state.players[LEARNER].layout[:slots]]


def legal_of(variant: Variant, state: Any) -> list[int]:
    bits = int(legal_moves(variant.rules, state))
    return [move for move in range(MOVES) if bits >> move & 1]


def read_choice(variant: Variant, text: str) -> int:
    """The number of a move as the client names it. Raises NotationError."""
    return MARKS[text] if text in MARKS else read_slot(variant, text)


def step_on(variant: Variant, position: Position, move: int, faces: Iterator[str]) -> Scene:
    """The table after a step; a card it shows is the next of `faces`. Raises TutorialError."""
    rules, state, pile = variant.rules, position.state.copy(), position.pile
    seat, phase, held, closer = int(state.turn), int(state.phase), int(state.held), int(state.closer)
    if state.awaited == NOTHING and not is_legal(rules, state, move):
        raise TutorialError(f"move {move} is not legal")
    face = int(face_shown(state, move)) if state.awaited == NOTHING else HIDDEN
    shows = state.awaited != NOTHING or (face == HIDDEN and move != PASS)
    was_hidden = phase == Phase.PLACE and face == HIDDEN
    if shows:
        named = next(faces, None)
        if named is None:
            raise TutorialError(f"move {move} shows a card, and the lesson names none")
        face = read_face(variant, named)
    step = Step(seat, phase, move, face)
    if not may_come(rules, state, as_array([step])[0]):
        raise TutorialError(f"move {move} cannot show {variant.faces[face]}")
    if state.awaited == NOTHING:
        play(rules, state, move)
    if state.awaited != NOTHING and state.phase == phase:
        turn_up(rules, state, face)
    if move == DISCARD:
        pile = pile[:-1]
    elif phase == Phase.PLACE:
        pile = (*pile, face)
    closed = closer != int(state.closer)
    return Scene(step, held, was_hidden, closed, Position(state, pile))


def objections_to(variant: Variant, state: Any, legal: Iterable[int]) -> dict[int, Objection]:
    """What speaks against everything else on the table that can be tapped."""
    seen = int(state.phase)
    phases = {STOCK: Phase.TAKE, DISCARD: Phase.TAKE, THROW_AWAY: Phase.PLACE}
    found = {}
    for move in (*range(int(variant.rules.slots)), STOCK, DISCARD, THROW_AWAY):
        if move in legal or ((move == THROW_AWAY) != (seen == Phase.PLACE) and move in (DISCARD, THROW_AWAY)):
            continue  # a tap on the discard pile throws away while a card is in hand, else it takes
        phase = phases.get(move) or (seen if seen in (Phase.TEE_OFF, Phase.FLIP) else Phase.PLACE)
        found[move] = objections.against_move(variant, state, Step(int(state.turn), phase, move, HIDDEN), "")
    return found


def rule_of(objection: Objection) -> str:
    """The rule that an objection names first."""
    return objections.ENGLISH[objection.key].rpartition("(")[2][:3]


def against(variant: Variant, state: Any, move: int) -> Why | None:
    """What speaks against a move, if the engine finds anything."""
    seen = look_quickly(variant, state)
    _, speaks_against = reasons(seen, move, best_place(variant, seen) if move == DISCARD else None)
    return speaks_against[0] if speaks_against else None


def look_quickly(variant: Variant, state: Any) -> Look:
    """The table, with what everybody would have if each card face down were worth the average."""
    sight, unseen = look_at(state), state.unseen.tolist()
    mean, slots = mean_of(variant, unseen), int(variant.rules.slots)
    points = [
        float(cost(variant.rules, np.array(layout[:slots], np.int8), 0)) + mean * hidden
        for layout, hidden in list(zip(sight.layouts, sight.hidden, strict=True))[: sight.seats]
    ]
    return Look(variant, sight, unseen, points)


def best_place(variant: Variant, seen: Look) -> int:
    """Where the top discard would leave the layout cheapest."""

    def left(slot: int) -> float:
        after = [*seen.layout]
        after[slot] = seen.sight.discard
        return float(cost(variant.rules, np.array(after, np.int8), 0)) + seen.mean * after.count(HIDDEN)

    return min(range(int(variant.rules.slots)), key=left)


def winners_of(variant: Variant, state: Any, before: list[int]) -> list[int]:
    """Who has won, if this was the last hole and those were the totals before it (6.2)."""
    match: Any = fresh(MATCH)
    matches.begin_match(variant.rules, match, int(state.seats))
    match.dealer, match.holes = int(state.dealer), int(variant.rules.holes) - 1
    for seat, total in enumerate(before):
        match.totals[seat] = total
    matches.finish_hole(variant.rules, match, state)
    return [seat for seat in range(int(state.seats)) if match.at_table[seat]]


def what_is_counted(variant: Variant, layout: list[int], reckoning: Reckoning, mistake: str) -> int:
    """What somebody counts who forgets the lines, the bonus, … : see MISTAKES."""
    return reckoning.points + sum(MISTAKES[mistake](variant, layout, part) for part in reckoning.parts)


def slots_in(variant: Variant, lines: Iterable[int]) -> list[int]:
    """The slots of these lines, in order."""
    return sorted(slot for line in lines for slot in slots_of(variant, line))


def without_lines(variant: Variant, layout: list[int], part: Any) -> int:
    """All cards one by one."""
    if part.rules in BONUS and not variant.rules.bonus_replaces:
        return -int(part.points)
    if not part.lines:
        return 0
    return sum(int(variant.rules.points[layout[slot]]) for slot in slots_in(variant, part.lines)) - int(part.points)


def with_one_card(variant: Variant, layout: list[int], part: Any) -> int:
    """Of each line only the rest is struck out, and one card still counts."""
    return int(variant.rules.points[part.face]) * len(part.lines) - part.points if part.rules in LINE else 0


def without_bonus(variant: Variant, layout: list[int], part: Any) -> int:
    if part.rules not in BONUS:
        return 0
    alone = int(variant.rules.line_points[part.face]) * len(part.lines) if variant.rules.bonus_replaces else 0
    return alone - int(part.points)


def without_exception(variant: Variant, layout: list[int], part: Any) -> int:
    """Every line costs nothing."""
    return -int(part.points) if part.rules == "5.3" else 0


def without_penalty(variant: Variant, layout: list[int], part: Any) -> int:
    return -int(part.points) if part.rules == "5.6" else 0


MISTAKES = {
    "lines": without_lines,
    "one_card": with_one_card,
    "bonus": without_bonus,
    "exception": without_exception,
    "penalty": without_penalty,
}
