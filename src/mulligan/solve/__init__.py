"""Builds the books: what every layout is worth, worked out backwards from the end of the hole."""
