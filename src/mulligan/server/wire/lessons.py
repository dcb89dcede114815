"""HTTP: the lessons. Seat 0 belongs to the learner.

Reasons and objections are keys with parameters; the client translates them.
"""

from typing import Literal

from .base import Phase, Thing
from .coach import Reason
from .events import Revealed
from .view import Held, Part, Step

TaskKind = Literal["move", "points", "winner"]


class TutorialTable(Thing):
    """The state of a lesson's table."""

    layouts: list[list[str | None]]  # by seat, in slot order
    discard: str | None
    discard_below: str | None
    held: Held | None
    stock_left: int
    phase: Phase
    turn: int | None
    closer: int | None
    legal: list[str]
    points: list[int] | None  # by seat, once the hole is over, penalty included
    cost: int  # of the learner's open cards
    matched: list[list[str]]  # the learner's slots in matched lines, grouped by face


class TutorialScene(Thing):
    """A group of events, and the table after them."""

    what: list[Step | Revealed]
    table: TutorialTable


class TutorialMove(Thing):
    """A legal move. A right move has scenes that follow it, and the number of the idea's next task, if any."""

    move: str
    right: bool
    against: Reason | None  # a reason against a wrong move, if it adds to the idea
    scenes: list[TutorialScene]
    next: int | None


class TutorialObjection(Thing):
    """An illegal move that can be tapped, and the rule that forbids it."""

    move: str
    code: str
    rule: str


class TutorialGuess(Thing):
    """A possible answer: points or a seat; `mistake` names the error, empty for the right answer."""

    value: int
    mistake: str
    rule: str


class TutorialUsual(Thing):
    """A mistake made in a position: its name, its cost in strokes, and why another move was best."""

    move: str
    loss: float
    praise: Reason  # of the best move
    against: Reason | None  # this move, where that tells more


class TutorialTask(Thing):
    """A move to make or a question about a layout; `totals` are the scores before a match's last hole."""

    id: str
    kind: TaskKind
    rule: str
    table: TutorialTable | None
    moves: list[TutorialMove]
    objections: list[TutorialObjection]
    layout: list[str | None]
    groups: list[list[str]]  # the slots in matched lines of the layout, grouped by face
    guesses: list[TutorialGuess]
    score_parts: list[Part]
    totals: list[int]
    usual: TutorialUsual | None  # in a position from a game


class TutorialIdea(Thing):
    """One idea of a lesson; its first task introduces it. Or a costly habit; each of its tasks is another position."""

    id: str
    rules: list[str]
    tasks: list[TutorialTask]
    cost: float | None  # of a habit: strokes per hole


class Tutorial(Thing):
    """The lessons of a game in order, and the habits that cost most in it, the costliest first."""

    game: str
    ideas: list[TutorialIdea]
    habits: list[TutorialIdea]
