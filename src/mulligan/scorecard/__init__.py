"""Prints score cards as PDF, blank or filled in, with the scoring rules in pictures."""
