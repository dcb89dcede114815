"""The console that commands print to."""

from rich.console import Console


class Output(Console):
    """Treats a closed pipe as all other printing does: the command ends there, and that is no fault."""

    def on_broken_pipe(self) -> None:
        """Raises BrokenPipeError."""
        raise BrokenPipeError
