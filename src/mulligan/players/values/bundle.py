"""The books and nets of a game in one structure."""

from typing import NamedTuple

import numpy as np

from .layout_table import Pages, blank_pages
from .net import NO_NET, Net


class Books(NamedTuple):
    """One field for each kind of book, an array or a tuple of arrays; empty if there is no such book."""

    plain: Pages
    book: Pages
    linear: Net  # without hidden units; no player of the package needs one
    net: Net
    budget: np.ndarray  # one number: how many turns `search` may look through for a move


UNWRITTEN = Books(plain=blank_pages(), book=blank_pages(), linear=NO_NET, net=NO_NET, budget=np.full(1, 1500))
