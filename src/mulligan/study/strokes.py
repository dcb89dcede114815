"""Strokes against the field."""

import numpy as np

from mulligan.engine import scoring


def against_the_field(points: list[int]) -> np.ndarray:
    """The points of each seat minus the mean of the others: a float64 array by seat."""
    strokes = np.array(points, float)
    scoring.against_the_field(strokes)
    return strokes
