"""What has been worked out beforehand about a game, for the players who look it up."""

from typing import NamedTuple

import numpy as np


class Books(NamedTuple):
    """A field for each kind of book, arrays or tuples of arrays; one that has not been written is empty."""

    linear: np.ndarray


UNWRITTEN = Books(linear=np.zeros(0, np.float32))
