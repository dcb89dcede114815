"""Trains a net by self-play: `python -m mulligan.training.net`."""
