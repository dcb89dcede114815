"""The games at a terminal: `play` plays them, `replay` steps through recorded ones."""
