"""The games as environments for research (docs/environments.md)."""
