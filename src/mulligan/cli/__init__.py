"""The command `mulligan`. Loading it takes a moment in which Ctrl-C may come, so little is imported here."""

from mulligan import program


def main() -> None:
    """Runs the command line and ends the process."""
    program.run(command_line)


def command_line() -> int:
    from .command_line import run

    return run()
