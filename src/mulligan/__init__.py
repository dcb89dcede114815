"""Mulligan: the golf card games, for people and programs."""

__version__ = "0.1.0"
