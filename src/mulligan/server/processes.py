"""A few processes that answer questions, a line each, so that the server itself never has to think for long."""

import asyncio
import os
import queue
import signal
import sys
import threading
from asyncio.subprocess import DEVNULL, PIPE, Process
from collections.abc import Callable, Sequence
from contextlib import suppress

LONGEST = 4_000_000  # bytes of an answer


class Processes:
    """They are started when they are first needed, and replaced where they die."""

    def __init__(self, command: Sequence[str], most: int, patience: float) -> None:
        self.command = command
        self.patience = patience
        self.places = asyncio.Semaphore(most)
        self.idle: list[Process] = []
        self.started: list[Process] = []

    async def ask(self, question: bytes, tries: int = 1, patience: float = 0.0) -> bytes:
        """The answer of one of them, waited for as long as usual or as `patience` says.

        Whoever dies over it is replaced, and the next one asked, `tries` times in all. Raises what befell the
        last of them: OSError where it died, TimeoutError where it took too long.
        """
        async with self.places:
            for left in reversed(range(tries)):
                try:
                    return await self.ask_one(question, patience or self.patience)
                except (OSError, TimeoutError):
                    if not left:
                        raise
        raise AssertionError("somebody was asked")

    async def ask_one(self, question: bytes, patience: float) -> bytes:
        """Whoever is not waited for to the end is not asked again."""
        one = self.idle.pop() if self.idle else await self.start()
        assert one.stdin is not None
        assert one.stdout is not None
        try:
            one.stdin.write(question + b"\n")
            answer = await asyncio.wait_for(one.stdout.readline(), patience)
            if not answer.endswith(b"\n"):
                raise ConnectionError("the process ended in the middle of its answer")
        except BaseException:
            end(one)
            raise
        self.idle.append(one)
        return answer

    async def start(self) -> Process:
        one = await asyncio.create_subprocess_exec(
            *self.command, stdin=PIPE, stdout=PIPE, stderr=DEVNULL, limit=LONGEST
        )
        self.started = [other for other in self.started if other.returncode is None] + [one]
        return one

    async def close(self) -> None:
        for one in self.started:
            end(one)
        for one in self.started:
            await one.wait()


def end(one: Process) -> None:
    with suppress(ProcessLookupError):
        one.kill()


def answer_all(answer: Callable[[bytes], bytes], get_ready: Callable[[], None] = lambda: None) -> None:
    """The work of such a process, until there is nobody left to ask, however the server ended."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C is meant for the server
    if hasattr(os, "nice"):
        os.nice(5)
    answers = os.fdopen(os.dup(1), "wb", buffering=0)
    os.dup2(2, 1)  # whatever else is printed is no answer
    questions: queue.SimpleQueue[bytes] = queue.SimpleQueue()
    threading.Thread(target=listen, args=[questions], daemon=True).start()
    get_ready()
    while True:
        answers.write(answer(questions.get()) + b"\n")


def listen(questions: "queue.SimpleQueue[bytes]") -> None:
    for line in sys.stdin.buffer:
        questions.put(line)
    os._exit(0)
