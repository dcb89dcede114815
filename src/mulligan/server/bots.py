"""Computer players at a table: how they think, and how long people watch them think."""

import platform
import sys
from importlib.metadata import version
from pathlib import Path
from typing import Any

import numpy as np

from .. import shelf
from ..engine.chance import bag, draw, many_dice
from ..engine.compiled import PLAIN, cache_folder
from ..engine.match import compare_draw
from ..explain import explain_hole
from ..game import Game
from ..notation import as_array
from ..players import NAMES, STAND_IN, choose
from ..variants import load, names
from .messages import Pace

PACE: dict[Pace, float] = {"slow": 1.8, "normal": 1.0, "fast": 0.4, "instant": 0.0}
STEP_SECONDS = {"tee_off": 0.8, "take": 1.1, "place": 1.1, "flip": 0.9}
DRAW_SECONDS = 5.0  # people look at the cards drawn for the deal, however fast the players are
ROUND_SECONDS = 2.0  # and longer at a draw that was level
RECKONING_SECONDS = 8.0  # where nobody is there to go on


def think(player: str, rules: Any, match: Any, state: Any, dice: np.ndarray) -> int:
    """The move of a computer player; `state` is a copy nobody else looks at, and the dice his own."""
    books = shelf.books_for([player], rules, int(state.seats))
    return int(choose(NAMES.index(player), rules, match, state, dice, books))


def warm_up() -> None:
    """A hole of every game, so that nobody waits for the compiler later.

    Whoever of them plays, all players that look nothing up are compiled together, and so are all who do.
    """
    for name in names():
        variant = load(name)
        dice = many_dice(1, 1)[0]
        game = Game(variant, ["", ""], 0)
        hole = game.deal()
        while not hole.is_over:
            if hole.awaits_card:
                hole.turn_up(int(draw(variant.rules, bag(hole.state), dice)))
            else:
                hole.legal_moves()
                player = ("greedy", STAND_IN)[hole.turn]
                hole.play(think(player, variant.rules, game.match.copy(), hole.state.copy(), dice))
        again = game.deal()
        again.take(as_array(hole.steps))
        explain_hole(variant, again.state, 0)
        game.finish_hole()
        compare_draw(variant.rules, game.match)


def stamp() -> Path | None:
    """The file that says: here, and by this Numba, everything has been compiled. None where nothing can be kept."""
    folder = cache_folder()
    maker = f"{version('numba')}-{sys.implementation.cache_tag}-{platform.machine()}-{platform.node()}"
    return folder / f"warm-{maker}" if folder else None


def is_compiled() -> bool:
    """Whether there is nothing left to compile, so that the start need not wait for another process."""
    mark = stamp()
    return PLAIN or (mark is not None and mark.exists())


if __name__ == "__main__":
    warm_up()
    if mark := stamp():
        mark.touch()
