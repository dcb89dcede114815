"""Defines the command `mulligan`; each command imports its heavy modules only when it runs."""

import io
import os
import sys
from typing import Annotated

import typer

from mulligan import __version__
from mulligan.game.safe_text import NEAREST_ASCII

from . import admin, arena, dataset, exploit, learn, play, records, server, study  # noqa: F401, importing them registers their commands
from .common import FAULT_FOUND, WRONG_USAGE, app, sentences
from .spoken import usage_in_words


def main() -> None:
    """Runs the command line; every error ends in one sentence."""
    open_streams()
    try:
        with sentences():
            sys.exit(app(standalone_mode=False))
    except typer.Exit as end:
        sys.exit(end.exit_code)
    except typer.Abort:  # Ctrl-C while a command was loading
        sys.exit(FAULT_FOUND)
    except Exception as error:
        if not hasattr(error, "format_message"):  # Typer's usage errors have a message
            raise
        typer.echo(usage_in_words(error), err=True)
        sys.exit(WRONG_USAGE)


def open_streams() -> None:
    """Replaces closed streams by empty ones, and makes unencodable characters print as question marks."""
    for name, mode in (("stdin", "r"), ("stdout", "w"), ("stderr", "w")):
        if getattr(sys, name) is None:
            setattr(sys, name, open(os.devnull, mode, encoding="utf-8"))  # noqa: SIM115
    if isinstance(sys.stdout, io.TextIOWrapper):
        sys.stdout.reconfigure(errors=NEAREST_ASCII)


def show_version(wanted: bool) -> None:
    if wanted:
        typer.echo(f"mulligan {__version__}")
        raise typer.Exit


@app.callback()
def root(
    version: Annotated[bool, typer.Option("--version", callback=show_version, is_eager=True)] = False,
) -> None:
    pass
