"""Digests of what decides the results of a run, for its journal."""

import hashlib
from collections.abc import Iterator
from typing import Any

import numpy as np

from mulligan import __version__
from mulligan.machine_code import sources_digest


def program() -> str:
    """Returns the version of Mulligan and the digest of its compiled files."""
    return f"{__version__} ({sources_digest()})"


def digest_of(*arrays: Any) -> str:
    digest = hashlib.sha256()
    for array in arrays:
        for field in fields_of(np.asarray(array)):
            digest.update(np.ascontiguousarray(field).tobytes())
    return digest.hexdigest()[:16]


def fields_of(array: np.ndarray) -> Iterator[np.ndarray]:
    """Yields the fields of records, without the bytes between them, which differ from run to run; else the array."""
    if not array.dtype.names:
        yield array
    for name in array.dtype.names or ():
        yield from fields_of(array[name])


def leaves(nested: Any) -> list[np.ndarray]:
    """Returns the arrays in nested named tuples, in their order."""
    if nested is None:
        return []
    return [nested] if isinstance(nested, np.ndarray) else [leaf for part in nested for leaf in leaves(part)]
