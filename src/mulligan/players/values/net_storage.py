"""How a net lies in a file: in a quarter of its memory, and hardly less exact.

The first number of each row is in strokes and is added directly, so it is kept in half precision. What a row adds to
the hidden units is rounded to whole numbers from -127 to 127, times a scale for each unit and feature.
"""

from collections.abc import Collection, Iterator, Mapping
from itertools import pairwise
from typing import Any

import numpy as np

from .features import FEATURES
from .net import Net

MOST = 127  # the largest whole number of an int8
TABLES = ("members", "swapped", "facts", "begins")  # of whole numbers, stored as they are; of `begins` not the end
ROWS = ("direct", "hidden", "scales")  # what the rows become


def packed(net: Net) -> dict[str, np.ndarray]:
    """The arrays of a net for a file: `direct` [view, row], `hidden` [view, row, unit], `scales` [view, feature, unit].

    A feature is its number in FEATURES.
    """
    values, hidden = net.rows[:, :, 1:], np.zeros_like(net.rows[:, :, 1:], np.int8)
    scales = np.zeros((len(values), len(FEATURES), values.shape[2]), np.float32)
    for feature, rows in rows_by_feature(net.begins):
        scales[:, feature] = abs(values[:, rows]).max(axis=1) / MOST
        steps = np.where(scales[:, feature], scales[:, feature], 1)
        hidden[:, rows] = np.rint(values[:, rows] / steps[:, None])
    tables = {name: getattr(net, name) for name in TABLES} | {"begins": net.begins[:-1]}
    return tables | {"direct": net.rows[:, :, 0].astype(np.float16), "hidden": hidden, "scales": scales}


def hold_net(names: Collection[str]) -> bool:
    """Whether arrays with these names are those of a net, also of one that an older version wrote."""
    return {*TABLES, *ROWS} <= {*names} or {*Net._fields} <= {*names}


def unpacked(arrays: Mapping[str, Any]) -> Net:
    """The net from the arrays of a file, also of one that an older version wrote. Raises KeyError if one is missing."""
    tables = {name: np.ascontiguousarray(arrays[name], np.int64) for name in TABLES}
    if "rows" in arrays:
        rows = np.ascontiguousarray(arrays["rows"], np.float32)
    else:
        direct, hidden, scales = (arrays[name] for name in ROWS)
        rows = np.empty((*direct.shape, 1 + hidden.shape[2]), np.float32)
        rows[:, :, 0] = direct
        for feature, of_it in rows_by_feature(ended(tables["begins"], direct.shape[1])):
            np.multiply(hidden[:, of_it], scales[:, feature, None], out=rows[:, of_it, 1:])
    return Net(**tables | {"begins": ended(tables["begins"], rows.shape[1])}, rows=rows)


def ended(begins: np.ndarray, rows: int) -> np.ndarray:
    """Where the rows of each feature begin, and where all end. A net of an older version has none of the last ones."""
    return np.append(begins, np.full(len(FEATURES) + 1 - len(begins), rows))


def rows_by_feature(begins: np.ndarray) -> Iterator[tuple[int, slice]]:
    """Each feature that has rows, and where they lie."""
    for feature, (begin, end) in enumerate(pairwise(begins)):
        if begin < end:
            yield feature, slice(begin, end)
