"""The coach: hints in a game alone against computer players, and finished games in luck and skill.

It sees what everybody sees, for that is all a position holds. Working it out takes long, so processes of
its own do that, and what they found is remembered.
"""

import asyncio
import hashlib
import sys
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import msgspec

from ..engine.compiled import PLAIN
from ..variants import Variant
from . import bots
from .coaching import Analysis, Hint, Rated
from .log import seldom
from .messages import FinishedGame
from .processes import Processes
from .rights import Refusal, may_be_advised
from .table import RESTS, Table

COMMAND = (sys.executable, "-m", "mulligan.server.lessons")
MOST = 2  # processes
PATIENCE = 120.0  # seconds for an answer
COMPILING = 1800.0  # seconds until everything is compiled, once for each installation
REMEMBERED = 300  # answers
WAITING = 24  # questions at once
TRIES = 2


class AboutMove(msgspec.Struct, tag="move"):
    """What are the legal moves of this position worth?"""

    rules: str
    file: str
    state: bytes
    seats: list[int]  # the players who sit there


class AboutGame(msgspec.Struct, tag="game"):
    """What were the moves of this game worth?"""

    rules: str
    file: str
    id: str
    record: dict[str, Any]
    playoffs: list[int]  # by hole, 0 or the number of the play-off hole
    holes: int  # how many made the match, which who was level shares then; 0: as its rules say


class AboutNothing(msgspec.Struct, tag="nothing"):
    """Are you ready?"""


Question = AboutMove | AboutGame | AboutNothing

write = msgspec.json.Encoder().encode
read_question = msgspec.json.Decoder(Question).decode
read_moves = msgspec.json.Decoder(list[Rated]).decode
read_analysis = msgspec.json.Decoder(Analysis).decode


class Coach:
    """Asks the processes, each thing once, and remembers the latest answers."""

    def __init__(self, command: Sequence[str] = COMMAND, most: int = MOST) -> None:
        self.processes = Processes(command, most, PATIENCE)
        self.games = asyncio.Semaphore(max(1, most - 1))  # so that nobody waits for a hint while games are gone through
        self.answers: dict[str, asyncio.Task[bytes]] = {}

    async def advise(self, table: Table, guest: str, seat: int, admit: Callable[[], None]) -> Hint:
        """What the moves of that seat are worth, for whom it belongs to. Raises Refusal."""
        must_be_advised(table, guest, seat)
        event, phase = table.event, RESTS[table.playing.sight.phase]
        seats = table.dealt.seats if table.dealt else []
        moves = await self.rank(table.variant, table.playing.state, seats, admit)
        return Hint(event=event, seat=seat, phase=phase, moves=moves)

    async def rank(self, variant: Variant, state: Any, seats: Sequence[int], admit: Callable[[], None]) -> list[Rated]:
        """What the legal moves of a position are worth; `seats` are the players who sit there. Raises Refusal."""
        question = AboutMove(variant.text, str(variant.file), state.tobytes(), list(seats))
        return read_moves(await self.find_out(hashlib.sha256(write(question)).hexdigest(), question, admit))

    async def analyse(
        self, card: FinishedGame, record: dict[str, Any], variant: Variant, holes: int, admit: Callable[[], None]
    ) -> Analysis:
        """A finished game in luck and skill; `holes` made the match, or as many as its rules say. Raises Refusal."""
        playoffs = [hole.playoff for hole in card.holes]
        question = AboutGame(variant.text, str(variant.file), card.id, record, playoffs, holes)
        return read_analysis(await self.find_out(card.id, question, admit))

    async def find_out(self, about: str, question: Question, admit: Callable[[], None]) -> bytes:
        """The answer, worked out once for all who ask for it. Raises Refusal where nobody has time for it."""
        task = self.answers.pop(about, None)
        if task is None or (task.done() and task.exception()):
            admit()
            if sum(not other.done() for other in self.answers.values()) >= WAITING:
                raise Refusal("coach_busy")
            task = asyncio.create_task(self.work(question))
        self.answers[about] = task
        while len(self.answers) > REMEMBERED:
            del self.answers[next(iter(self.answers))]
        try:
            return await asyncio.shield(task)
        except (OSError, TimeoutError, ValueError) as error:
            seldom("coach_failed", f"{about}: {error}", "error")
            raise Refusal("coach_busy") from None

    async def work(self, question: Question) -> bytes:
        if isinstance(question, AboutMove):
            return await self.ask(question)
        async with self.games:
            return await self.ask(question)

    async def ask(self, question: Question) -> bytes:
        """Raises OSError, TimeoutError or ValueError."""
        answer = await self.processes.ask(write(question), TRIES)
        if answer.startswith(b'"'):
            raise ValueError(msgspec.json.decode(answer))
        return answer

    async def prepare(self) -> None:
        """The first time it has to be compiled what a coach needs: before somebody waits for it."""
        if is_compiled():
            return
        try:
            await self.processes.ask(write(AboutNothing()), patience=COMPILING)
        except (OSError, TimeoutError) as error:
            seldom("coach_failed", f"compiling: {error}", "error")

    async def close(self) -> None:
        for task in self.answers.values():
            task.cancel()
        await self.processes.close()


def stamp() -> Path | None:
    """The file that says: here everything the coach needs has been compiled. None where nothing can be kept."""
    mark = bots.stamp()
    return mark and mark.with_name(f"coach-{mark.name}")


def is_compiled() -> bool:
    mark = stamp()
    return PLAIN or (mark is not None and mark.exists())


def must_be_advised(table: Table, guest: str, seat: int) -> None:
    """Only who is on turn, alone among computer players, may ask. Raises Refusal."""
    if seat not in table.held_by(guest):
        raise Refusal("not_your_seat", seat=seat)
    if not table.is_playing:
        raise Refusal("not_now", phase=table.phase)
    if not may_be_advised(table):
        raise Refusal("no_hints")
    if seat != table.turn or table.computer_on_turn:
        raise Refusal("not_your_turn", seat=table.turn)
