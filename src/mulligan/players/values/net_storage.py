"""How a net lies in a file: in a quarter of its memory, and hardly less exact.

The first number of each row is in strokes and is added directly, so it is kept in half precision. What a row adds to
the hidden units is rounded to whole numbers from -127 to 127, times a scale for each unit and sort of rows.
"""

from collections.abc import Collection, Iterator, Mapping
from typing import Any

import numpy as np

from .net import Net

MOST = 127  # the largest whole number of an int8
TABLES = ("members", "swapped", "facts", "begins")  # of whole numbers, stored as they are
ROWS = ("direct", "hidden", "scales")  # what the rows become


def packed(net: Net) -> dict[str, np.ndarray]:
    """The arrays of a net for a file: `direct` [view, row], `hidden` [view, row, unit], `scales` [view, sort, unit]."""
    values, hidden = net.rows[:, :, 1:], np.zeros_like(net.rows[:, :, 1:], np.int8)
    scales = np.zeros((len(values), len(net.begins), values.shape[2]), np.float32)
    for sort, rows in rows_by_sort(net.begins, values.shape[1]):
        scales[:, sort] = abs(values[:, rows]).max(axis=1) / MOST
        steps = np.where(scales[:, sort], scales[:, sort], 1)
        hidden[:, rows] = np.rint(values[:, rows] / steps[:, None])
    tables = {name: getattr(net, name) for name in TABLES}
    return tables | {"direct": net.rows[:, :, 0].astype(np.float16), "hidden": hidden, "scales": scales}


def hold_net(names: Collection[str]) -> bool:
    """Whether arrays with these names are those of a net, also of one that an older version wrote."""
    return {*TABLES, *ROWS} <= {*names} or {*Net._fields} <= {*names}


def unpacked(arrays: Mapping[str, Any]) -> Net:
    """The net from the arrays of a file, also of one that an older version wrote. Raises KeyError if one is missing."""
    tables = {name: np.ascontiguousarray(arrays[name], np.int64) for name in TABLES}
    if "rows" in arrays:
        return Net(**tables, rows=np.ascontiguousarray(arrays["rows"], np.float32))
    direct, hidden, scales = (arrays[name] for name in ROWS)
    rows = np.empty((*direct.shape, 1 + hidden.shape[2]), np.float32)
    rows[:, :, 0] = direct
    for sort, of_sort in rows_by_sort(tables["begins"], direct.shape[1]):
        np.multiply(hidden[:, of_sort], scales[:, sort, None], out=rows[:, of_sort, 1:])
    return Net(**tables, rows=rows)


def rows_by_sort(begins: np.ndarray, count: int) -> Iterator[tuple[int, slice]]:
    """Each sort that has rows, and where they lie."""
    for sort, (begin, end) in enumerate(zip(begins, [*begins[1:], count], strict=True)):
        if begin < end:
            yield sort, slice(begin, end)
