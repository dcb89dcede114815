"""Learning to judge a table by playing: `python -m mulligan.learn`."""
