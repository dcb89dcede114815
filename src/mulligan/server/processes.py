"""A pool of worker processes that answer requests of one line each, so that long work does not block the server."""

import asyncio
import os
import queue
import signal
import sys
import threading
from asyncio.subprocess import DEVNULL, PIPE, Process
from collections.abc import Callable, Sequence
from contextlib import suppress

LONGEST = 4_000_000  # bytes in a response


class Processes:
    """Starts workers when they are needed, and replaces those that end."""

    def __init__(self, command: Sequence[str], most: int, patience: float) -> None:
        self.command = command
        self.patience = patience
        self.places = asyncio.Semaphore(most)
        self.idle: list[Process] = []
        self.started: list[Process] = []

    async def ask(self, question: bytes, tries: int = 1, patience: float = 0.0) -> bytes:
        """Returns a worker's response. `patience` is the timeout in seconds, 0 for the pool's own.

        Replaces a worker that fails and retries, up to `tries` requests in all. Raises the last failure: OSError if
        the worker ended, TimeoutError if it took too long.
        """
        async with self.places:
            for left in reversed(range(tries)):
                try:
                    return await self.ask_one(question, patience or self.patience)
                except (OSError, TimeoutError):
                    if not left:
                        raise
        raise AssertionError("someone was asked")

    async def ask_one(self, question: bytes, patience: float) -> bytes:
        """Sends a request to one worker, and ends the worker if its response is incomplete. Raises ConnectionError."""
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
    """The main loop of a worker; it ends when its input closes, even after a crash of the server."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C is for the server
    if hasattr(os, "nice"):
        os.nice(5)
    answers = os.fdopen(os.dup(1), "wb", buffering=0)
    os.dup2(2, 1)  # other output must not mix with responses
    questions: queue.SimpleQueue[bytes] = queue.SimpleQueue()
    threading.Thread(target=listen, args=[questions], daemon=True).start()
    get_ready()
    while True:
        answers.write(answer(questions.get()) + b"\n")


def listen(questions: "queue.SimpleQueue[bytes]") -> None:
    for line in sys.stdin.buffer:
        questions.put(line)
    os._exit(0)
