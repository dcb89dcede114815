"""Defines the command that trains a net."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from mulligan.cli.common import FIRST_GAME, GameName, load_variant, progress_of_share, say, sentences, usage

from .research_options import LearnsOn, Threads, check_seats

if TYPE_CHECKING:
    from mulligan.game.variants import Variant
    from mulligan.players.values.net import Net

HIDDEN_UNITS = 128
MOST_HIDDEN = 512


def train_net(
    game: GameName = FIRST_GAME,
    seats: Annotated[
        int, typer.Option(help="Number of seats; a net for 4 also serves 3 and more with the same pack.")
    ] = 2,
    minutes: Annotated[float, typer.Option(min=0.01, max=100_000, help="How long to train.")] = 30.0,
    rounds: Annotated[
        int, typer.Option(min=0, help="Train for this many rounds of 20,000 positions instead of --minutes.")
    ] = 0,
    hidden: Annotated[
        int | None, typer.Option(min=1, max=MOST_HIDDEN, help="Hidden units; 128, or as many as the net of --start.")
    ] = None,
    start: Annotated[Path | None, typer.Option(help="Continue training this net.")] = None,
    rate: Annotated[
        float, typer.Option(min=0, max=1, help="Learning rate at the start; it falls to a twentieth.")
    ] = 1e-3,
    passes: Annotated[int, typer.Option(min=1, help="Epochs: the average number of times each position is used.")] = 3,
    loose: Annotated[
        float,
        typer.Option(
            min=0, max=1, help="Exploration: share of holes begun by weak players, and of seats that often err."
        ),
    ] = 0.5,
    share: Annotated[float, typer.Option(min=0, max=1, help="Share of holes against greedy.")] = 0.0,
    seed: Annotated[int, typer.Option(min=0, help="The same seed and --rounds give the same net, on a CPU.")] = 1,
    output: Annotated[Path | None, typer.Option(help="Folder for the net, instead of the default.")] = None,
    threads: Threads = 0,
    on: Annotated[str, typer.Option(help="Where to play: local, ray, or ray://HOST:PORT for a Ray cluster.")] = "local",
    device: LearnsOn = "auto",
    journal: Annotated[
        Path | None, typer.Option(help="Save progress in this file, to continue from there after an interruption.")
    ] = None,
) -> None:
    """Train the net that judges tables for net, search and the coach, by self-play."""
    from dataclasses import asdict

    from mulligan.compute.digests import program
    from mulligan.game.variants import for_seats
    from mulligan.players import net_files
    from mulligan.players.values.net import NO_NET
    from mulligan.training.course import Course
    from mulligan.training.parameters import blank_numbers, net_of, numbers_of, plan
    from mulligan.training.rival import rival_named
    from mulligan.training.training_loop import Where, device_named, train

    with sentences():
        variant = load_variant(game)
        check_seats(variant, seats)
        device = device_named(device)
        folder = folder_for_nets(output)
        folder.mkdir(parents=True, exist_ok=True)  # an unwritable folder fails before anything is learned
        rules, first = for_seats(variant, seats).rules, read_net(start) if start else NO_NET
        lay = plan(rules, seats, hidden or (first.rows.shape[2] - 1 if start else HIDDEN_UNITS))
        numbers = numbers_of(rules, lay, first, seed) if start else blank_numbers(rules, lay, seed)
        course = Course(minutes=minutes, rounds=rounds, rate=rate, passes=passes, loose=loose, share=share, seed=seed)
        with progress_of_share("Learning") as hear:
            rival, where = rival_named("greedy", rules, seats), Where(on, threads, journal, device)
            numbers = train(rules, lay, numbers, rival, course, hear, where)
        file = folder / net_files.file_name(variant.name, fewest_served(variant, seats))
        made = asdict(course) | {"game": variant.name, "seats": seats, "start": start and start.name, "by": program()}
        net_files.save(file, net_of(rules, lay, numbers), net_files.edition(rules), made | {"device": device})
        say(f"{file}: {file.stat().st_size / 1000:,.0f} kB.")


def folder_for_nets(output: Path | None) -> Path:
    """Returns the folder for nets. Stops the command if none is given and there is no home folder."""
    from mulligan.folders import trained_folder

    folder = output or trained_folder()
    if folder is None:
        usage("There is no home folder for nets; give one with --output.")
    return folder


def fewest_served(variant: "Variant", seats: int) -> int:
    """The fewest seats that a net for so many serves: two alone, or all from three up that play with the same pack."""
    from mulligan.game.variants import packs_for

    packs = packs_for(variant.facts, seats)
    return next(few for few in variant.seats if (few == seats or few > 2) and packs_for(variant.facts, few) == packs)


def read_net(file: Path) -> "Net":
    """Returns the net in a file. Raises OSError; stops the command if it is something else."""
    from zipfile import BadZipFile

    from mulligan.players import net_files

    try:
        return net_files.load(file)
    except (ValueError, KeyError, BadZipFile):
        usage(f"{file} is not a net; mulligan train writes them.")
