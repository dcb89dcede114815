"""Runs work in pieces, on this machine or on a Ray cluster; the results are the same bytes in the same order."""
