"""The whole state of a table as plain values, to compare two tables."""

import enum
from collections.abc import Mapping
from typing import Any

import msgspec
import numpy as np


def state_of(thing: Any) -> Any:
    if isinstance(thing, np.ndarray | np.generic):
        return state_of(thing.tolist())  # their bytes would include padding
    if thing is None or isinstance(thing, str | bytes | int | float | enum.Enum | msgspec.Struct):
        return thing
    if isinstance(thing, Mapping):
        return sorted(((state_of(key), state_of(value)) for key, value in thing.items()), key=repr)
    if isinstance(thing, set | frozenset):
        return sorted(map(state_of, thing))
    if isinstance(thing, list | tuple) or hasattr(thing, "maxlen"):
        return [state_of(one) for one in thing]
    names = [*getattr(thing, "__slots__", ()), *getattr(thing, "__dict__", ())]
    return type(thing).__name__, {name: state_of(getattr(thing, name)) for name in names}
