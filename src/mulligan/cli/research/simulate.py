"""Defines the command that lets computer players play many games."""

from collections.abc import Callable, Iterator
from contextlib import ExitStack
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from mulligan.cli.common import FIRST_GAME, GameName, HouseRules, load_variant, progress, say, sentences, usage
from mulligan.game.typed_text import one_of, parts
from mulligan.whole_files import replacing

from .research_options import Threads, check_seats, need

if TYPE_CHECKING:
    from mulligan.game.variants import Variant


MOST_GAMES = 100_000_000  # the results of a run fit into memory


def simulate(
    players: Annotated[
        str, typer.Option(help="Computer players, assigned to the seats in turn: greedy, or greedy,random.")
    ] = "greedy",
    game: GameName = FIRST_GAME,
    option: HouseRules = None,
    seats: Annotated[int, typer.Option(help="Number of seats.")] = 4,
    games: Annotated[int, typer.Option(min=0, max=MOST_GAMES, help="Number of whole matches to play.")] = 0,
    holes: Annotated[int, typer.Option(min=0, max=MOST_GAMES, help="Or number of single holes.")] = 0,
    seed: Annotated[int, typer.Option(min=0, help="The same seed gives the same results.")] = 1,
    record: Annotated[
        Path | None,
        typer.Option(help="Write each match's record to this file; if it ends in .parquet, a row per decision."),
    ] = None,
    as_json: Annotated[bool, typer.Option("--json", help="Print one JSON object instead of a table.")] = False,
    threads: Threads = 0,
    on: Annotated[
        str, typer.Option(help="Where to play: local, gpu, ray, or ray://HOST:PORT for a Ray cluster.")
    ] = "local",
    journal: Annotated[
        Path | None,
        typer.Option(help="Save finished pieces in this file, to continue from there after an interruption."),
    ] = None,
) -> None:
    """Let computer players play many matches or holes and count the results."""
    from mulligan.players.roster import PLAYERS

    names = [one_of(name, PLAYERS) or name for name in parts(players)]
    if (games > 0) == (holes > 0):
        usage("Say either how many --games or how many --holes to play.")
    if record and not games:
        usage("--record needs --games: a record is a whole match.")
    if on == "gpu" and journal:
        usage("--journal is for pieces of work; a GPU plays everything at once.")
    with sentences(), ExitStack() as files:
        variant = load_variant(game, options=option)
        check_seats(variant, seats)
        if len(names) > seats:
            usage(f"{len(names)} players are named for {seats} seats.")
        from mulligan import simulation
        from mulligan.compute.pieces import check_place
        from mulligan.game.variants import for_seats

        try:
            check_place(on, "gpu")
            if on == "gpu":
                from mulligan.gpu.device import check_device, numbers_of

                numbers_of(names)
                check_device()
            else:
                simulation.seat_players(names, for_seats(variant, seats).rules, seats)
        except ValueError as error:
            usage(str(error))
        if record and record.suffix == ".parquet":
            need("pyarrow")
        written = files.enter_context(replacing(record)) if record else None
        with progress(games or holes, "Playing") as advance:
            if on == "gpu":
                from mulligan.gpu.device_games import simulate_on_gpu

                results = simulate_on_gpu(variant, seats, names, seed, games, holes, advance)
            elif on == "local" and not journal:
                results = simulation.simulate(variant, seats, names, seed, games, holes, threads, advance)
            else:
                from mulligan.study.many_games import simulate_on

                results = simulate_on(on, variant, seats, names, seed, games, holes, threads, advance, journal)
        if written:
            records = simulation.records(variant, seats, names, seed, games)
            with progress(games, "Writing") as advance:
                if written.suffix == ".parquet":
                    rows = write_decisions(written, variant, seats, names, seed, records, threads, advance)
                    say(f"{record}: {rows:,} decisions.", error=True)
                else:
                    write_records(written, records, advance)
        if as_json:
            import json

            typer.echo(json.dumps(results.summary()))
        else:
            print_results(results.summary())


def write_records(file: Path, records: Iterator[dict[str, Any]], advance: Callable[[int], None]) -> None:
    import json

    with file.open("w", encoding="utf-8") as opened:
        for record in records:
            opened.write(json.dumps(record, ensure_ascii=False) + "\n")
            advance(1)


def write_decisions(
    file: Path,
    variant: "Variant",
    seats: int,
    names: list[str],
    seed: int,
    records: Iterator[dict[str, Any]],
    threads: int,
    advance: Callable[[int], None],
) -> int:
    from mulligan.study import decisions

    facts = {"players": names, "seats": seats, "seed": seed}
    return decisions.write_decisions(file, variant, records, facts, threads, advance)


def counted(number: int, one: str, many: str) -> str:
    return f"{number:,} {one if number == 1 else many}"


def print_results(summary: dict[str, Any]) -> None:
    from rich.table import Table

    from mulligan.game.words import minus
    from mulligan.terminal.output import Output

    whole = summary["games"] > 0
    table = Table(title=f"{summary['game']}, {summary['seats']} seats")
    for heading in ("player", "points per hole", "±", "holes won", *(["matches won"] if whole else [])):
        table.add_column(heading, justify="left" if heading == "player" else "right")
    for player, name in enumerate(summary["players"]):
        row = [name, minus(f"{summary['points_per_hole'][player]:.3f}"), f"{summary['stderr'][player]:.3f}"]
        row.append(f"{summary['hole_wins'][player] / summary['holes']:.1%}")
        if whole:
            row.append(f"{summary['game_wins'][player] / summary['games']:.1%}")
        table.add_row(*row)
    console = Output()
    console.print(table)
    played = f"{counted(summary['games'], 'match', 'matches')}, " if whole else ""
    played += counted(summary["holes"], "hole", "holes")
    console.print(
        f"{played}, {summary['moves']:,} moves in {summary['seconds']:.2f} s "
        f"({summary['moves_per_second']:,.0f} per second).",
        highlight=False,
    )
    if summary["playoff_holes"]:
        console.print(f"Play-off holes: {summary['playoff_holes']:,}.", highlight=False)
    if summary["turn_limit_hit"]:
        console.print(
            f"Abandoned, because nobody closed within {summary['turn_limit']:,} turns per seat: "
            f"{summary['turn_limit_hit']:,} holes. They count as they lay; their matches are not recorded.",
            highlight=False,
        )
