"""The commands for researchers. No other file imports them: pyproject.toml names each as an entry point."""
