"""Provides what the commands for researchers share: options, and checks of what they need."""

from typing import TYPE_CHECKING, Annotated

import typer

from mulligan.cli.common import usage

if TYPE_CHECKING:
    from mulligan.game.variants import Variant

MOST_THREADS = 256
Threads = Annotated[int, typer.Option(min=0, max=MOST_THREADS, help="Threads to use; 0: one per core.")]
LearnsOn = Annotated[
    str, typer.Option("--device", help="Where to train: cpu, gpu, or auto for a GPU where JAX finds one.")
]


def check_seats(variant: "Variant", seats: int) -> None:
    """Stops the command if the game is not for so many players."""
    if seats not in variant.seats:
        usage(f"{variant.title} is for {variant.seats[0]} to {variant.seats[-1]} players (1.1), not {seats}.")


def need(*libraries: str) -> None:
    """Stops the command if a library of the extra `study` is not installed."""
    from importlib.util import find_spec

    for library in libraries:
        if not find_spec(library):
            usage(f"This needs {library}; pip install '.[study]' in a clone of Mulligan installs all it needs.")
