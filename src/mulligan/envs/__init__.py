"""The games as environments for research (docs/environments.md).

Importing this package registers every game with those libraries of ADAPTERS that are installed.
"""

from importlib import import_module
from importlib.util import find_spec

# The module for each library; its function `register` registers every game.
ADAPTERS = {"gymnasium": "single", "pettingzoo": "aec", "pyspiel": "openspiel"}

for library, adapter in ADAPTERS.items():
    if find_spec(library):
        import_module(f".{adapter}", __name__).register()
