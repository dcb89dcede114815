"""The first start: the server plays uncompiled at once, and restarts when another process has compiled everything.

Uncompiled, a move takes milliseconds instead of microseconds, which a few tables do not notice. Only `search` would
need seconds or minutes, so it does not look ahead until the restart.
"""

import asyncio
import os
import socket
import sys
from asyncio.subprocess import DEVNULL, PIPE
from collections.abc import AsyncIterator
from pathlib import Path

from mulligan.engine import compiled
from mulligan.machine_code import COMPLETE, cache_folder

COMPILE = (sys.executable, "-m", "mulligan.server.services.compile_all")
LISTENING = "MULLIGAN_LISTENING"  # the number of the listening socket that a restarted server takes over
THINK = "MULLIGAN_THINK"  # the seconds for which `search` looks ahead

restarts_compiled = False  # True in a server that plays uncompiled only until everything is compiled
progress = ""  # of the compilation meanwhile, such as "4/12"; empty otherwise
thinking = os.environ.get(THINK)  # as set by the user


def play_uncompiled() -> None:
    """Lets this server play uncompiled if its code is not compiled yet. Call it before importing anything compiled."""
    global restarts_compiled
    if not compiled.PLAIN and not is_compiled():
        restarts_compiled = stamp() is not None and sys.platform != "win32"  # which cannot replace a process
        compiled.stay_plain()
        os.environ[THINK] = "0"


def is_compiled() -> bool:
    """True if nothing is left to compile."""
    mark = stamp()
    return mark is not None and mark.exists()


def stamp() -> Path | None:
    """Returns the file that marks a complete cache, or None if there is no cache folder."""
    folder = cache_folder()
    return folder / COMPLETE if folder else None


async def compile_elsewhere() -> AsyncIterator[str]:
    """Compiles everything in another process, which ends with this one. Yields and keeps its `progress`."""
    global progress
    environment = {name: value for name, value in os.environ.items() if name != "MULLIGAN_PLAIN"}
    process = await asyncio.create_subprocess_exec(*COMPILE, stdin=PIPE, stdout=PIPE, stderr=DEVNULL, env=environment)
    assert process.stdout is not None
    try:
        async for line in process.stdout:
            progress = line.decode().strip()
            yield progress
    finally:
        progress = ""
        if process.returncode is None:
            process.kill()
        await process.wait()


def restart(listening: socket.socket) -> None:
    """Replaces this process by a server that uses the compiled code. Who connects meanwhile waits for it."""
    listening.set_inheritable(True)
    os.environ[LISTENING] = str(listening.fileno())
    del os.environ["MULLIGAN_PLAIN"], os.environ[THINK]
    if thinking is not None:
        os.environ[THINK] = thinking
    os.execv(sys.executable, [sys.executable, *sys.orig_argv[1:]])


def socket_taken_over() -> socket.socket | None:
    """Returns the listening socket of the server that this one replaces, or None."""
    number = os.environ.pop(LISTENING, "")
    return socket.socket(fileno=int(number)) if number else None
