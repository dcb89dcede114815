"""The games as environments for research (docs/environments.md).

Importing this package registers every game with those libraries of ADAPTERS that are installed.
"""

from importlib import import_module
from importlib.util import find_spec

ADAPTERS = {"pettingzoo": "aec"}  # the module for each library; its function `register` registers every game

for library, adapter in ADAPTERS.items():
    if find_spec(library):
        import_module(f".{adapter}", __name__).register()
