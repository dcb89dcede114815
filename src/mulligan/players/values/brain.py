"""What the players get besides the table: the net of a game, and how far `search` may look."""

from typing import NamedTuple

import numpy as np

from .net import NO_NET, Net


class Brain(NamedTuple):
    net: Net  # NO_NET if there is none for these rules
    budget: np.ndarray  # one number: how many turns `search` may look through for a move


UNTRAINED = Brain(net=NO_NET, budget=np.full(1, 1500))
