"""Finds the commands that are entry points of `mulligan.commands`: ours for researchers, and those of other packages.

Reading what is installed takes a moment, so nobody asks before a command that is not registered here is wanted.
"""

from functools import cache
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from importlib.metadata import EntryPoint

GROUP = "mulligan.commands"


class CannotLoad(ValueError):
    """A command whose module fails; the message is a sentence."""


@cache
def added() -> "dict[str, EntryPoint]":
    """Returns the entry point of each added command, by the command's name."""
    from importlib.metadata import entry_points

    return {one.name: one for one in entry_points(group=GROUP)}


def load(name: str) -> Any:
    """Makes a command of the function that an entry point names, as `app.command()` does. Raises CannotLoad."""
    import typer
    from typer.main import get_command

    from .help_pages import Command

    alone = typer.Typer(add_completion=False, rich_markup_mode=None)
    try:
        alone.command(name, cls=Command)(added()[name].load())
    except Exception as error:  # another package may fail in any way
        raise CannotLoad(f"mulligan {name} can’t be loaded: {type(error).__name__}: {error}.") from error
    return get_command(alone)
