"""Builds the books: the value of every layout, computed backwards from the end of the hole."""
