"""The coach: hints for a person playing alone, and analyses of finished matches, computed in worker processes.

It sees only what players see. Answers take long to compute, so the latest ones are cached.
"""

import hashlib
import sys
from base64 import b64encode
from collections.abc import Callable, Sequence
from typing import Any

import msgspec

from mulligan.coach.findings import Rated
from mulligan.game.facts import GameFacts
from mulligan.game.variants import Variant
from mulligan.machine_code import browser_layout
from mulligan.server import first_start
from mulligan.server.log import log_rarely, reason
from mulligan.server.processes import Processes
from mulligan.server.table.rights import Refusal, may_be_advised
from mulligan.server.table.steps import PHASE_NAMES
from mulligan.server.table.table import Table
from mulligan.server.wire.coach import Analysis, Hint, HintPosition, RefinedHole
from mulligan.server.wire.finished import FinishedGame

from .latest_answers import LatestAnswers

COMMAND = (sys.executable, "-m", "mulligan.server.services.coach_worker")
PATIENCE = 120.0  # seconds for a response
COMPILING = 1800.0  # seconds to compile everything, once per installation
KEPT = 300  # answers
WAITING = 24  # simultaneous requests of each kind
TRIES = 2


class AboutMove(msgspec.Struct, tag="move"):
    """A request to rate the legal moves of a position."""

    facts: GameFacts
    state: bytes
    seats: list[int]  # the players at the table


class AboutGame(msgspec.Struct, tag="game"):
    """A request to analyse a game."""

    rules: str
    file: str
    id: str
    record: dict[str, Any]


class AboutHole(msgspec.Struct, tag="hole"):
    """A request to analyse one hole of a game with playouts."""

    rules: str
    file: str
    record: dict[str, Any]
    hole: int  # from 1


class AboutNothing(msgspec.Struct, tag="nothing"):
    """A request that only checks that the worker is ready."""


Question = AboutMove | AboutGame | AboutHole | AboutNothing

write = msgspec.json.Encoder().encode
read_question = msgspec.json.Decoder(Question).decode
read_moves = msgspec.json.Decoder(list[Rated]).decode
read_analysis = msgspec.json.Decoder(Analysis).decode
read_refined = msgspec.json.Decoder(RefinedHole).decode


class Desk:
    """A worker process, which answers one question after the other, and its latest answers."""

    def __init__(self, command: Sequence[str]) -> None:
        self.worker = Processes(command, 1, PATIENCE)
        self.answers = LatestAnswers(KEPT, WAITING, "coach_failed", "coach_busy")

    async def find(self, about: str, question: Question, admit: Callable[[], None]) -> bytes:
        """Returns the answer. Raises Refusal if the coach is busy or fails."""
        return await self.answers.find(about, lambda: self.ask(question), admit)

    async def ask(self, question: Question) -> bytes:
        """Sends a request to the worker and returns its answer. Raises OSError, TimeoutError or ValueError."""
        answer = await self.worker.ask(write(question), TRIES)
        if answer.startswith(b'"'):
            raise ValueError(msgspec.json.decode(answer))
        return answer

    async def close(self) -> None:
        self.answers.cancel()
        await self.worker.close()


class Coach:
    """Gives hints and analyses, at a desk each, so that no hint waits for an analysis."""

    def __init__(self, command: Sequence[str] = COMMAND) -> None:
        self.hints, self.analyses = Desk(command), Desk(command)

    @property
    def waiting(self) -> int:
        """The number of questions without an answer yet."""
        return self.hints.answers.waiting + self.analyses.answers.waiting

    async def advise(self, table: Table, guest: str, seat: int, admit: Callable[[], None]) -> Hint:
        """Returns a hint for the seat's holder. Raises Refusal."""
        must_be_advised(table, guest, seat)
        event, phase = table.event, PHASE_NAMES[table.playing.sight.phase]
        seats = table.dealt.seats if table.dealt else []
        moves = await self.rank(table.variant.facts, table.playing.state.tobytes(), seats, admit)
        return Hint(event=event, seat=seat, phase=phase, moves=moves)

    def position(self, table: Table, guest: str, seat: int) -> HintPosition:
        """Returns the position that a hint to the seat's holder would be about. Raises Refusal."""
        must_be_advised(table, guest, seat)
        hole, seats = table.playing, table.dealt.seats if table.dealt else []
        state = b64encode(hole.state.tobytes()).decode()
        return HintPosition(table.event, seat, PHASE_NAMES[hole.sight.phase], browser_layout(), state, seats)

    async def rank(
        self, facts: GameFacts, state: bytes, seats: Sequence[int], admit: Callable[[], None]
    ) -> list[Rated]:
        """Rates the legal moves of a position; `seats` are the players at the table. Raises Refusal."""
        question = AboutMove(facts, state, list(seats))
        about = hashlib.sha256(write(question)).hexdigest()
        return read_moves(await self.hints.find(about, question, admit))

    async def analyse(
        self, card: FinishedGame, record: dict[str, Any], variant: Variant, admit: Callable[[], None]
    ) -> Analysis:
        """Returns the analysis of a finished match. Raises Refusal, also while the server still plays uncompiled."""
        must_be_compiled()
        question = AboutGame(variant.text, str(variant.file), card.id, record)
        return read_analysis(await self.analyses.find(card.id, question, admit))

    async def refine(
        self, card: FinishedGame, record: dict[str, Any], variant: Variant, hole: int, admit: Callable[[], None]
    ) -> RefinedHole:
        """Returns the analysis of one hole, from 1, with playouts. Raises Refusal, also if anyone else waits."""
        must_be_compiled()
        if not 1 <= hole <= len(card.holes):
            raise Refusal("hole_gone", hole=hole)

        def admit_last() -> None:
            if self.waiting:
                raise Refusal("coach_busy")
            admit()

        question = AboutHole(variant.text, str(variant.file), record, hole)
        return read_refined(await self.analyses.find(f"{card.id} {hole}", question, admit_last))

    async def prepare(self) -> None:
        """Lets the worker for hints load the coach's data in advance; the first time, this includes compiling."""
        try:
            await self.hints.worker.ask(write(AboutNothing()), patience=COMPILING)
        except (OSError, TimeoutError) as error:
            log_rarely("coach_failed", f"compiling: {reason(error)}", "error")

    async def close(self) -> None:
        await self.hints.close()
        await self.analyses.close()


def must_be_compiled() -> None:
    """Raises Refusal while the server still plays uncompiled: an analysis would take minutes for each hole."""
    if first_start.restarts_compiled:
        raise Refusal("starting")


def must_be_advised(table: Table, guest: str, seat: int) -> None:
    """Raises Refusal unless it is the guest's turn and all others are computer players."""
    if seat not in table.held_by(guest):
        raise Refusal("not_your_seat", seat=seat)
    if not table.is_playing:
        raise Refusal("not_now", phase=table.phase)
    if not may_be_advised(table):
        raise Refusal("no_hints")
    if seat != table.turn or table.computer_on_turn:
        raise Refusal("not_your_turn", seat=table.turn)
