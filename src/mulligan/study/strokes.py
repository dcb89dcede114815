"""Strokes against the field."""

import numpy as np


def against_the_field(points: list[int]) -> np.ndarray:
    """The points of each seat minus the mean of the others: a float64 array by seat."""
    own = np.array(points, float)
    return own - (own.sum() - own) / (len(own) - 1)
