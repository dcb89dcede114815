"""Mulligan, the home of the golf card games."""

__version__ = "0.1.0"
