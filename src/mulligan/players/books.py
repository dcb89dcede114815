"""What has been worked out beforehand about a game, for the players who look it up."""

from typing import NamedTuple

import numpy as np

from .net import NO_NET, Net
from .pages import Pages, blank_pages


class Books(NamedTuple):
    """A field for each kind of book, arrays or tuples of arrays; one that has not been written is empty."""

    plain: Pages
    book: Pages
    linear: Net
    net: Net
    budget: np.ndarray  # one number: how many turns `search` may look through for a move


UNWRITTEN = Books(plain=blank_pages(), book=blank_pages(), linear=NO_NET, net=NO_NET, budget=np.full(1, 1500))
