"""Digests of what decides the results of a run, for its journal."""

import hashlib
from typing import Any

import numpy as np


def digest_of(*arrays: Any) -> str:
    digest = hashlib.sha256()
    for array in arrays:
        digest.update(np.ascontiguousarray(array).tobytes())
    return digest.hexdigest()[:16]


def leaves(books: Any) -> list[np.ndarray]:
    """Returns the arrays of books, in their order."""
    if books is None:
        return []
    return [books] if isinstance(books, np.ndarray) else [leaf for part in books for leaf in leaves(part)]
