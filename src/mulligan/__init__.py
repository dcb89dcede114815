"""Mulligan: the golf card games, for people and programs.

The names in `PUBLIC`, those of `mulligan.envs` and `DeviceTables` of `mulligan.gpu` are the public ones
(docs/library.md): they change only with a note in the change log. Each is imported when it is first used, because
`import mulligan` must not take long.
"""

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from .coach.advice import advise as advise
    from .coach.analysis import analyse as analyse
    from .coach.findings import Analysis as Analysis
    from .game.hole import Game as Game
    from .game.hole import Hole as Hole
    from .game.hole import new_dice as new_dice
    from .game.notation import write_face as write_face
    from .game.notation import write_layout as write_layout
    from .game.notation import write_moves as write_moves
    from .game.referee import read_records as read_records
    from .game.referee import replay as replay
    from .game.variants import Variant as Variant
    from .game.variants import games as games
    from .game.variants import load_game as load_game
    from .simulation import Results as Results
    from .simulation import simulate as simulate
    from .study.exact_response import exact_value as exact_value
    from .study.tournament import tournament as tournament

__version__ = "0.1.0"

PUBLIC = {  # each name and its module
    "games": "game.variants",
    "load_game": "game.variants",
    "Variant": "game.variants",
    "Hole": "game.hole",
    "Game": "game.hole",
    "new_dice": "game.hole",
    "write_face": "game.notation",
    "write_layout": "game.notation",
    "write_moves": "game.notation",
    "read_records": "game.referee",
    "replay": "game.referee",
    "simulate": "simulation",
    "Results": "simulation",
    "advise": "coach.advice",
    "analyse": "coach.analysis",
    "Analysis": "coach.findings",
    "tournament": "study.tournament",
    "exact_value": "study.exact_response",
}
__all__ = [*PUBLIC]


def __getattr__(name: str) -> Any:
    """Imports a public name. Raises AttributeError for any other."""
    if name not in PUBLIC:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    found = globals()[name] = getattr(import_module(f".{PUBLIC[name]}", __name__), name)
    return found
