"""Processes in which those computer players think that take their time, so that nobody has to wait for them."""

import asyncio
import os
import queue
import signal
import sys
import threading
from asyncio.subprocess import DEVNULL, PIPE, Process
from collections.abc import Callable, Collection, Sequence
from contextlib import suppress
from typing import Any

import msgspec
import numpy as np

from ..engine.match import MATCH
from ..engine.rules import RULES
from ..engine.state import STATE
from ..players import NAMES, STAND_IN
from . import bots
from .log import seldom

SLOW = ("search",)
QUICK = tuple(set(NAMES).difference(SLOW))  # they decide in microseconds; the way to another process takes longer
MOST = 2  # processes
PATIENCE = 60.0  # seconds for one move
TRIES = 3
COMMAND = (sys.executable, "-m", "mulligan.server.thinkers")


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


class Thinkers:
    """A few such processes. They are started when they are first needed, and replaced where they die."""

    def __init__(self, most: int = MOST, quick: Collection[str] = QUICK, command: Sequence[str] = COMMAND) -> None:
        self.quick = quick
        self.command = command
        self.places = asyncio.Semaphore(most)
        self.idle: list[Process] = []
        self.started: list[Process] = []

    async def think(self, player: str, rules: Any, match: Any, state: Any, dice: np.ndarray) -> int:
        """The move of a computer player; `state` is a copy nobody else looks at, and the dice his own."""
        if player in self.quick:
            return bots.think(player, rules, match, state, dice)
        question = Question(player, rules.tobytes(), match.tobytes(), state.tobytes(), int(dice[0]))
        async with self.places:
            for _ in range(TRIES):
                with suppress(OSError, TimeoutError, msgspec.DecodeError):
                    answer = await self.ask(question)
                    dice[0] = answer.dice
                    return answer.move
        seldom("thinking_failed", player, "error")
        return bots.think(STAND_IN, rules, match, state, dice)

    async def ask(self, question: Question) -> Answer:
        """Asks one process. Whoever dies over it, or is not waited for to the end, is not asked again."""
        thinker = self.idle.pop() if self.idle else await self.start()
        assert thinker.stdin is not None
        assert thinker.stdout is not None
        try:
            thinker.stdin.write(write(question) + b"\n")
            answer = read_answer(await asyncio.wait_for(thinker.stdout.readline(), PATIENCE))
        except BaseException:
            end(thinker)
            raise
        self.idle.append(thinker)
        return answer

    async def start(self) -> Process:
        thinker = await asyncio.create_subprocess_exec(*self.command, stdin=PIPE, stdout=PIPE, stderr=DEVNULL)
        self.started = [other for other in self.started if other.returncode is None] + [thinker]
        return thinker

    async def close(self) -> None:
        for thinker in self.started:
            end(thinker)
        for thinker in self.started:
            await thinker.wait()


def end(thinker: Process) -> None:
    with suppress(ProcessLookupError):
        thinker.kill()


def answer_all(think: Callable[[str, Any, Any, Any, np.ndarray], int] = bots.think) -> None:
    """The work of such a process: a question a line, and an answer a line."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C is meant for the server
    if hasattr(os, "nice"):
        os.nice(5)
    answers = os.fdopen(os.dup(1), "wb", buffering=0)
    os.dup2(2, 1)  # whatever else is printed is no answer
    questions: queue.SimpleQueue[bytes] = queue.SimpleQueue()
    threading.Thread(target=listen, args=[questions], daemon=True).start()
    bots.warm_up()
    while True:
        question = read_question(questions.get())
        rules, match, state = (
            np.frombuffer(bytearray(content), kind)[0]
            for content, kind in (
                (question.rules, RULES),
                (question.match, MATCH),
                (question.state, STATE),
            )
        )
        dice = np.array([question.dice])
        move = think(question.player, rules, match, state, dice)
        answers.write(write(Answer(move, int(dice[0]))) + b"\n")


def listen(questions: "queue.SimpleQueue[bytes]") -> None:
    """Once there is nobody left to ask, the process ends, however the server did."""
    for line in sys.stdin.buffer:
        questions.put(line)
    os._exit(0)


if __name__ == "__main__":
    answer_all()
