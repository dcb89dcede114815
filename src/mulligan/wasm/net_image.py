"""A net as the browser puts it into the engine's memory: all its arrays in one piece, which says where each begins."""

import numpy as np

from mulligan.players.values.net import Net

ALIGNED = 8  # bytes, on whose multiples arrays begin


def image_of(net: Net) -> bytes:
    """Numbers of 32 bits first: how many arrays; of each, where it begins, in how many dimensions it lies, its lengths.

    Then the arrays, as they lie in memory.
    """
    begin = padded(4 * (1 + sum(2 + array.ndim for array in net)))
    words, parts = [len(net)], []
    for array in net:
        words += [begin, array.ndim, *array.shape]
        parts.append(array.tobytes().ljust(padded(array.nbytes), b"\0"))
        begin += len(parts[-1])
    head = np.array(words, "<i4").tobytes()
    return head.ljust(padded(len(head)), b"\0") + b"".join(parts)


def padded(size: int) -> int:
    return -(-size // ALIGNED) * ALIGNED
