"""The games as environments for research (docs/environments.md).

Importing this package registers every game with those libraries of ADAPTERS that are installed. What it imports from
elsewhere is public.
"""

from importlib import import_module
from importlib.util import find_spec
from typing import TYPE_CHECKING, Any

from mulligan.engine.state import DISCARD as DISCARD
from mulligan.engine.state import DISCARD_DRAWN as DISCARD_DRAWN
from mulligan.engine.state import MOVES as MOVES
from mulligan.engine.state import PASS as PASS
from mulligan.engine.state import STOCK as STOCK

from .learning_table import Table as Table
from .setup import Setup as Setup

if TYPE_CHECKING:
    from .stable_baselines import GolfVecEnv as GolfVecEnv

# The module for each library; its function `register` registers every game.
ADAPTERS = {"gymnasium": "single", "pettingzoo": "aec", "pyspiel": "openspiel"}

for library, adapter in ADAPTERS.items():
    if find_spec(library):
        import_module(f".{adapter}", __name__).register()


def __getattr__(name: str) -> Any:
    """Imports `GolfVecEnv`, and with it PyTorch, when it is first used. Raises AttributeError for any other name."""
    if name != "GolfVecEnv":
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    from .stable_baselines import GolfVecEnv

    return GolfVecEnv
