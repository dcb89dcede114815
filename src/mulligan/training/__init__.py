"""Trains nets by self-play (`mulligan learn`)."""
