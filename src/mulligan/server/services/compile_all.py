"""Compiles what a server and simulations need: `mulligan prepare`, and the first start of a server."""

import logging
import os
import sys
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager, nullcontext
from functools import partial
from subprocess import DEVNULL, PIPE, Popen

from mulligan.engine import compiled
from mulligan.game.variants import games, load
from mulligan.players.roster import PLAYERS
from mulligan.server import bots
from mulligan.server.first_start import COMPILE, THINK, stamp
from mulligan.server.wire.game_facts import facts
from mulligan.simulation import simulate

from . import coach_worker
from .lessons import tutorial_of

BACKWARDS = "backwards"


def compile_all() -> Iterator[tuple[int, int]]:
    """Compiles everything and marks the cache as complete. Yields how many steps are done, and of how many.

    With two cores or more, two processes take the same steps in opposite order. Each finds what the other has compiled,
    so they meet in the middle.
    """
    logging.getLogger(compiled.__name__).disabled = True  # who called knows that it compiles
    os.environ[THINK] = "0"  # also for the other process: `search` is compiled, and need not look ahead for that
    todo = steps()
    with compiling_backwards() if (os.cpu_count() or 1) > 1 else nullcontext():
        for done, step in enumerate(todo):
            yield done, len(todo)
            step()
    if mark := stamp():
        mark.touch()
    yield len(todo), len(todo)


def steps() -> list[Callable[[], None]]:
    players = [partial(play_every_game, player) for player in PLAYERS]
    return [*players, simulate_holes, coach_worker.warm_up, make_pages]


def play_every_game(player: str) -> None:
    for name in games():
        bots.play_a_hole(load(name), [player])


def simulate_holes() -> None:
    """Plays holes in compiled code: between those who need no net, and with those who need one."""
    variant = load(games()[0])
    for players in ([name for name, player in PLAYERS.items() if not player.needs_net], [*PLAYERS]):
        simulate(variant, 2, players, seed=1, holes=1, threads=1)


def make_pages() -> None:
    """Asks the engine what the start page and the lessons ask it, which nobody who plays does."""
    bots.load_numba()
    facts("")
    for name in games():
        tutorial_of(name)


@contextmanager
def compiling_backwards() -> Iterator[Popen[bytes]]:
    """Has another process compile everything from the end. It ends with this one."""
    with Popen([*COMPILE, BACKWARDS], stdin=PIPE, stderr=DEVNULL) as other:
        try:
            yield other
        finally:
            other.kill()


def compile_backwards() -> None:
    for step in reversed(steps()):
        step()


def end_with_the_starter() -> None:
    os.read(0, 1)  # nothing is ever written: this returns when the input closes
    os._exit(1)


if __name__ == "__main__":
    threading.Thread(target=end_with_the_starter, daemon=True).start()
    if hasattr(os, "nice"):
        os.nice(5)  # the server is already running meanwhile
    if BACKWARDS in sys.argv:
        compile_backwards()
    else:
        for done, steps_in_all in compile_all():
            print(f"{done}/{steps_in_all}", flush=True)
