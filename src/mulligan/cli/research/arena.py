"""Defines the command that lets players of any kind play a tournament."""

from contextlib import ExitStack
from pathlib import Path
from typing import Annotated, Any

import typer

from mulligan.cli.common import FIRST_GAME, GameName, HouseRules, load_variant, progress, say, sentences, usage
from mulligan.whole_files import replacing

from .research_options import Threads, check_seats, need

MOST_DEALS = 1_000_000


def arena(
    players: Annotated[
        list[str],
        typer.Argument(help="At least two of: one of our players, module:function, program:COMMAND; NAME=… names it."),
    ],
    game: GameName = FIRST_GAME,
    option: HouseRules = None,
    seats: Annotated[int, typer.Option(help="Number of seats; every group of that many players is a table.")] = 2,
    deals: Annotated[
        int, typer.Option(min=2, max=MOST_DEALS, help="Number of deals, each played in all seatings.")
    ] = 100,
    seed: Annotated[int, typer.Option(min=0, help="The same seed gives the same cards.")] = 1,
    timeout: Annotated[float, typer.Option(min=0.01, help="Seconds that a program has for a move.")] = 10.0,
    chart: Annotated[Path | None, typer.Option(help="Draw the results into this file, .svg or .png.")] = None,
    as_json: Annotated[bool, typer.Option("--json", help="Print one JSON object instead of a table.")] = False,
    threads: Threads = 0,
) -> None:
    """Let players of any kind play a tournament with duplicate deals."""
    need("openskill", *(["matplotlib"] if chart else []))
    with sentences(), ExitStack() as files:
        variant = load_variant(game, options=option)
        check_seats(variant, seats)
        if chart and chart.suffix.lower() not in (".svg", ".png"):
            usage(f"{chart}: a chart ends in .svg or .png.")
        from mulligan.study.contestants import NoPlayer
        from mulligan.study.tournament import tournament

        drawing = files.enter_context(replacing(chart)) if chart else None
        with progress(0, "Playing") as advance:
            try:
                results = tournament(variant, seats, players, seed, deals, timeout, threads, advance)
            except NoPlayer as error:
                usage(str(error))
        if drawing:
            from mulligan.study.chart import draw

            draw(results, f"{variant.title}, {seats} seats, {deals:,} deals", drawing)
        if as_json:
            import json

            typer.echo(json.dumps(results))
        else:
            print_standings(results)


def print_standings(results: dict[str, Any]) -> None:
    from rich.table import Table

    from mulligan.game.words import minus
    from mulligan.terminal.output import Output

    failed = [player for player in results["players"] if player["failures"]]
    table = Table(title=f"{results['game']}, {results['seats']} seats, {results['deals']:,} deals")
    table.add_column("player")
    for heading in ("points", "strokes", "luck-adjusted", "rating", *(["failures"] if failed else [])):
        table.add_column(heading, justify="right", no_wrap=True)
    for player in results["players"]:
        table.add_row(
            player["player"],
            f"{player['points']:.2f}",
            minus(f"{player['strokes']:+.2f} ± {player['strokes_interval']:.2f}"),
            minus(f"{player['adjusted']:+.2f} ± {player['adjusted_interval']:.2f}"),
            f"{player['rating']['mu']:.1f} ± {player['rating']['sigma']:.1f}",
            *([str(player["failures"])] if failed else []),
        )
    console = Output()
    console.print(table)
    console.print(
        f"Per hole, strokes against the field, with 95 % intervals; {results['holes']:,} holes.", highlight=False
    )
    narrower = results["narrower"]
    if all(narrower.values()):
        console.print(
            f"Intervals: {compared(narrower['by_duplicate_deals'])} by duplicate deals, "
            f"then {compared(narrower['by_luck_adjustment'])} by the luck adjustment.",
            highlight=False,
        )
    for player in failed:
        first = player["failure"]
        times = "once" if player["failures"] == 1 else f"{player['failures']} times"
        say(f"{player['player']} failed {times}, first in deal {first['deal']}: it {first['what']}.", error=True)


def compared(narrower: float) -> str:
    return f"{narrower:.1f} times narrower" if narrower >= 1 else f"{1 / narrower:.1f} times wider"
