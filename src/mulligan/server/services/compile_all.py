"""Compiles everything a server needs: `mulligan prepare`, and the first start of a server."""

import os
import queue
import threading
from collections.abc import Callable, Iterator
from functools import partial

from mulligan.game.variants import load, names
from mulligan.server import bots
from mulligan.server.first_start import THINK, stamp
from mulligan.server.processes import listen

from . import coach_worker


def compile_all() -> Iterator[str]:
    """Compiles everything and marks the cache as complete. Yields the progress before each step, such as "0/3"."""
    os.environ[THINK] = "0"  # `search` is compiled, and need not look ahead for that
    steps: list[Callable[[], None]] = [partial(bots.play_a_hole, load(name)) for name in names()]
    steps.append(coach_worker.warm_up)
    for done, warm_up in enumerate(steps):
        yield f"{done}/{len(steps)}"
        warm_up()
    if mark := stamp():
        mark.touch()
    yield f"{len(steps)}/{len(steps)}"


if __name__ == "__main__":
    threading.Thread(target=listen, args=[queue.SimpleQueue()], daemon=True).start()  # ends with the server
    if hasattr(os, "nice"):
        os.nice(5)  # the server is already running meanwhile
    for progress in compile_all():
        print(progress, flush=True)
