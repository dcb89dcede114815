"""Defines the command that makes a data set of judged positions."""

from pathlib import Path
from typing import Annotated

import typer

from mulligan.cli.common import FIRST_GAME, GameName, HouseRules, load_variant, progress, say, sentences, usage

from .research_options import Threads, check_seats, need

MOST_POSITIONS = 1_000_000_000
MOST_WORK = 1_000_000


def dataset(
    file: Annotated[Path, typer.Argument(help="Where to write, such as positions.parquet; the data card ends in .md.")],
    game: GameName = FIRST_GAME,
    option: HouseRules = None,
    seats: Annotated[int, typer.Option(help="Number of seats.")] = 2,
    count: Annotated[
        int, typer.Option("--positions", min=1, max=MOST_POSITIONS, help="Number of positions.")
    ] = 1_000_000,
    seed: Annotated[int, typer.Option(min=0, help="The same seed gives the same file.")] = 1,
    think: Annotated[int, typer.Option(min=0, max=MOST_WORK, help="Turns that search looks through for a move.")] = 60,
    rollouts: Annotated[int, typer.Option(min=2, max=MOST_WORK, help="Rollouts for a value.")] = 8,
    threads: Threads = 0,
) -> None:
    """Write positions with the strongest player's evaluation, and a data card."""
    need("pyarrow")
    with sentences():
        variant = load_variant(game, options=option)
        check_seats(variant, seats)
        if file.suffix != ".parquet":
            usage(f"{file}: the file has to end in .parquet.")
        from mulligan.study.dataset import PIECE, write_dataset

        with progress(-(-count // PIECE), "Judging") as advance:
            card = write_dataset(file, variant, seats, count, seed, think, rollouts, threads, advance)
        say(f"{file}: {count:,} positions; {card} describes them.")
