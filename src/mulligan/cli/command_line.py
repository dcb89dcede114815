"""Collects the commands, each of which imports its heavy modules only when it runs. Others: `added_commands.py`."""

import io
import os
import sys
from importlib import import_module
from typing import Annotated

import typer

from mulligan import __version__
from mulligan.game.safe_text import NEAREST_ASCII

from .common import FAULT_FOUND, WRONG_USAGE, app, sentences
from .spoken import Misused, typed, usage_in_words

for name in ("admin", "play", "records", "server"):
    import_module(f"mulligan.cli.{name}")  # registers its commands


def run() -> int:
    """Runs the command line and returns its exit status; every error ends in one sentence. Raises KeyboardInterrupt."""
    open_streams()
    try:
        with sentences():
            status = app(typed(sys.argv[1:]), standalone_mode=False)
            sys.stdout.flush()
            return int(status or 0)
    except typer.Exit as end:
        return end.exit_code
    except SystemExit as end:
        return int(end.code or 0)
    except typer.Abort as end:
        if isinstance(end.__context__, KeyboardInterrupt):
            raise KeyboardInterrupt from None
        return FAULT_FOUND  # the end of the input, where a question was asked
    except Misused as error:
        typer.echo(str(error), err=True)
        return WRONG_USAGE
    except Exception as error:
        if not hasattr(error, "format_message"):  # Typer's usage errors have a message
            raise
        typer.echo(usage_in_words(error), err=True)
        return WRONG_USAGE


def open_streams() -> None:
    """Replaces closed streams by empty ones, and makes unencodable characters print as question marks."""
    for name, mode in (("stdin", "r"), ("stdout", "w"), ("stderr", "w")):
        if getattr(sys, name) is None:
            setattr(sys, name, open(os.devnull, mode, encoding="utf-8"))  # noqa: SIM115
    if isinstance(sys.stdout, io.TextIOWrapper):
        sys.stdout.reconfigure(errors=NEAREST_ASCII)


def show_version(wanted: bool) -> None:
    """Prints the version and raises Exit, if it is wanted."""
    if wanted:
        typer.echo(f"mulligan {__version__}")
        raise typer.Exit


@app.callback()
def root(
    version: Annotated[bool, typer.Option("--version", callback=show_version, is_eager=True)] = False,
) -> None:
    pass
