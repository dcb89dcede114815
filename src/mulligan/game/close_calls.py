"""When moves count as equally good."""

CLOSE_CALL = 0.05  # strokes; moves this near to the best count as equal, whatever their interval
