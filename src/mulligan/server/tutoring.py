"""The lessons as they travel: the part of messages.py that is about learning a game. Seat 0 is the learner's.

A reason or objection is a code with what it speaks of; the client puts it into words.
"""

from typing import Literal

from .coaching import Reason
from .messages import Held, Part, Phase, Revealed, Step, Thing

TaskKind = Literal["move", "points", "winner"]


class TutorialTable(Thing):
    """How the table of a lesson lies."""

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
    matched: list[list[str]]  # the learner's slots that lie in a matched line, those of one face together


class TutorialScene(Thing):
    """What happened, and the table after it."""

    what: list[Step | Revealed]
    table: TutorialTable


class TutorialMove(Thing):
    """A legal move. What a right one leads to: the scenes, and the number of the next task in its idea, if any."""

    move: str
    right: bool
    against: Reason | None  # what speaks against a wrong one, where there is something to say beyond the idea
    scenes: list[TutorialScene]
    next: int | None


class TutorialObjection(Thing):
    """What can be tapped but is no legal move now, and the rule that says so."""

    move: str
    code: str
    rule: str


class TutorialGuess(Thing):
    """An answer to tap, points or a seat; `mistake` says what it forgets, empty for the right one."""

    value: int
    mistake: str
    rule: str


class TutorialTask(Thing):
    """A move to make, or a question about a layout and its reckoning; `totals` stood before a match's last hole."""

    id: str
    kind: TaskKind
    rule: str
    table: TutorialTable | None
    moves: list[TutorialMove]
    objections: list[TutorialObjection]
    layout: list[str | None]
    groups: list[list[str]]  # the slots of its matched lines, those of one face together
    guesses: list[TutorialGuess]
    reckoning: list[Part]
    totals: list[int]


class TutorialIdea(Thing):
    """One idea; its first task opens it."""

    id: str
    rules: list[str]
    tasks: list[TutorialTask]


class Tutorial(Thing):
    """The lessons of a game, in order."""

    game: str
    ideas: list[TutorialIdea]
