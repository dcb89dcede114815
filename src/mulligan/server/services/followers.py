"""Follows games with real cards in a worker process, since a long one takes the event loop too long."""

import asyncio
import sys
from collections.abc import Callable, Sequence

import msgspec

from mulligan.game.facts import GameFacts
from mulligan.server.log import log_rarely, reason
from mulligan.server.processes import Processes
from mulligan.server.table.rights import Refusal
from mulligan.server.wire.base import ErrorNote, MovePhase
from mulligan.server.wire.cardboard import CardboardGame, CardboardPosition
from mulligan.server.wire.coach import Hint

from .cardboard import phase_of, position_entered
from .coach import Coach

COMMAND = (sys.executable, "-m", "mulligan.server.services.follow_worker")
PATIENCE = 30.0  # seconds for a game
MOST_WAITING = 20  # games at once
TRIES = 2
REFUSED = b"!"  # the first byte of an answer that is a refusal


class ToShow(msgspec.Struct, tag="show"):
    """A request for the table after all moves."""

    entered: CardboardGame


class ToDecide(msgspec.Struct, tag="decide"):
    """A request for the position in which a player has to choose."""

    entered: CardboardGame


class ToFinish(msgspec.Struct, tag="finish"):
    """A request for the log of a table with the finished holes, without the table's codes."""

    entered: CardboardGame


Question = ToShow | ToDecide | ToFinish


class Decision(msgspec.Struct):
    """A position in which a player has to choose; `seats` are the players at the table."""

    facts: GameFacts
    state: bytes
    seats: list[int]
    seat: int
    phase: MovePhase


write = msgspec.json.Encoder().encode
read_question = msgspec.json.Decoder(Question).decode
read_decision = msgspec.json.Decoder(Decision).decode
read_log = msgspec.json.Decoder(list[msgspec.Raw]).decode
read_refusal = msgspec.json.Decoder(ErrorNote).decode


class Followers:
    """Asks the worker process, for few games at once."""

    def __init__(self, command: Sequence[str] = COMMAND) -> None:
        self.processes = Processes(command, 1, PATIENCE)
        self.waiting = 0

    async def show(self, entered: CardboardGame) -> bytes:
        """Returns the CardboardTable after all moves, as it is sent. Raises Refusal."""
        return await self.ask(ToShow(entered))

    async def advise(self, coach: Coach, entered: CardboardGame, admit: Callable[[], None]) -> Hint:
        """Rates the legal moves of the player who has to choose. Raises Refusal."""
        found = read_decision(await self.ask(ToDecide(entered)))
        moves = await coach.rank(found.facts, found.state, found.seats, admit)
        return Hint(event=0, seat=found.seat, phase=found.phase, moves=moves)

    async def finish(self, entered: CardboardGame) -> list[bytes]:
        """Returns the log of a table with the finished holes, without the table's codes. Raises Refusal."""
        return list(map(bytes, read_log(await self.ask(ToFinish(entered)))))

    async def ask(self, question: Question) -> bytes:
        """Returns the worker's answer. Raises Refusal: its own, or because too many games wait or the worker fails."""
        if self.waiting >= MOST_WAITING:
            raise Refusal("too_many", seconds=round(PATIENCE))
        self.waiting += 1
        try:
            answer = (await self.processes.ask(write(question), TRIES)).removesuffix(b"\n")
        except (OSError, TimeoutError) as error:
            log_rarely("following_failed", reason(error), "error")
            raise Refusal("server_fault") from None
        finally:
            self.waiting -= 1
        if answer.startswith(REFUSED):
            refused = read_refusal(answer[1:])
            raise Refusal(refused.error, **refused.params)
        return answer

    async def close(self) -> None:
        await self.processes.close()


async def advise_position(coach: Coach, entered: CardboardPosition, admit: Callable[[], None]) -> Hint:
    """Rates the legal moves in a position entered by hand. Raises Refusal."""
    variant, state = await asyncio.to_thread(position_entered, entered)
    moves = await coach.rank(variant.facts, state.tobytes(), range(len(entered.layouts)), admit)
    return Hint(event=0, seat=entered.turn, phase=phase_of(state), moves=moves)
