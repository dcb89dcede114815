"""Runs slow computer players in worker processes, so that they do not block the server."""

import asyncio
import sys
from collections.abc import Callable, Collection, Sequence
from typing import Any

import msgspec
import numpy as np

from mulligan.engine.match import MATCH
from mulligan.engine.rules import RULES
from mulligan.engine.state import STATE
from mulligan.players.roster import PLAYERS, STAND_IN, now_called

from . import bots, processes
from .log import log_rarely
from .processes import Processes

SLOW = ("search",)
QUICK = tuple(set(PLAYERS).difference(SLOW))  # they decide in microseconds, less than a request to a worker takes
MOST = 2  # processes
PATIENCE = 60.0  # seconds for one move
TRIES = 3
COMMAND = (sys.executable, "-m", "mulligan.server.bot_processes")


class Question(msgspec.Struct):
    player: str
    rules: bytes
    match: bytes
    state: bytes
    dice: int


class Answer(msgspec.Struct):
    move: int
    dice: int


write = msgspec.json.Encoder().encode
read_question = msgspec.json.Decoder(Question).decode
read_answer = msgspec.json.Decoder(Answer).decode


class BotProcesses:
    """A pool of worker processes for slow computer players."""

    def __init__(self, most: int = MOST, quick: Collection[str] = QUICK, command: Sequence[str] = COMMAND) -> None:
        self.quick = quick
        self.processes = Processes(command, most, PATIENCE)

    async def think(self, player: str, rules: Any, match: Any, state: Any, dice: np.ndarray) -> int:
        """Returns a computer player's move. `state` must be the caller's own copy; `dice` is updated."""
        player = now_called(player)
        if player in self.quick:
            if not bots.are_nets_read(player, rules, state):
                await asyncio.to_thread(bots.read_nets, player, rules, state)
            return bots.think(player, rules, match, state, dice)
        question = Question(player, rules.tobytes(), match.tobytes(), state.tobytes(), int(dice[0]))
        try:
            answer = read_answer(await self.processes.ask(write(question), TRIES))
        except (OSError, TimeoutError):
            log_rarely("thinking_failed", player, "error")
            return bots.think(STAND_IN, rules, match, state, dice)
        dice[0] = answer.dice
        return answer.move

    async def close(self) -> None:
        await self.processes.close()


def answer_all(think: Callable[[str, Any, Any, Any, np.ndarray], int] = bots.think) -> None:
    """The main loop of a worker: reads one position per line and writes one move per line.

    It loads code when a position needs it: someone already waits for the first move, by one player in one game.
    """

    def answer(line: bytes) -> bytes:
        question = read_question(line)
        rules, match, state = (
            np.frombuffer(bytearray(content), kind)[0]
            for content, kind in ((question.rules, RULES), (question.match, MATCH), (question.state, STATE))
        )
        dice = np.array([question.dice])
        move = think(question.player, rules, match, state, dice)
        return write(Answer(move, int(dice[0])))

    processes.answer_all(answer)


if __name__ == "__main__":
    answer_all()
