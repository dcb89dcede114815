"""Defines the command that measures a player by the protocol of docs/benchmark.md."""

from contextlib import ExitStack
from pathlib import Path
from typing import Annotated, Any

import typer

from mulligan.cli.common import progress, sentences, usage
from mulligan.whole_files import replacing

from .arena import MOST_DEALS
from .research_options import Threads, need


def benchmark(
    player: Annotated[str, typer.Argument(help="One of our players, module:function, or program:COMMAND.")],
    name: Annotated[str, typer.Option(help="The name in the table of results.")],
    about: Annotated[str, typer.Option(help="What the player is, and where to find it.")],
    compute: Annotated[str, typer.Option(help="What learning took, and what a move takes: hardware, hours, games.")],
    deals: Annotated[
        int | None, typer.Option(min=2, max=MOST_DEALS, help="Deals against each opponent; else as many as to publish.")
    ] = None,
    game: Annotated[list[str] | None, typer.Option(help="Only this game of the benchmark; may be repeated.")] = None,
    timeout: Annotated[float, typer.Option(min=0.01, help="Seconds that a program has for a move.")] = 10.0,
    out: Annotated[Path | None, typer.Option(help="Write the entry into this file.")] = None,
    threads: Threads = 0,
) -> None:
    """Measure a player by the benchmark: fixed games, opponents and unseen cards."""
    import json

    need("openskill")
    from mulligan.study import benchmark as benchmarks
    from mulligan.study.contestants import NoPlayer

    games = tuple(one for one in benchmarks.GAMES if one in (game or benchmarks.GAMES))
    for one in game or []:
        if one not in benchmarks.GAMES:
            usage(f"{one} is not in the benchmark; its games are {', '.join(benchmarks.GAMES)}.")
    with sentences(), ExitStack() as files:
        file = files.enter_context(replacing(out)) if out else None
        with progress(0, "Playing") as advance:
            try:
                found = benchmarks.benchmark(player, deals or benchmarks.DEALS, games, timeout, threads, advance)
            except NoPlayer as error:
                usage(str(error))
        entry = {"name": name, "player": player, "about": about, "compute": compute} | rounded(found)
        text = json.dumps(entry, indent=1, ensure_ascii=False) + "\n"
        if file:
            file.write_text(text, encoding="utf-8")
        else:
            typer.echo(text, nl=False)


def rounded(found: Any) -> Any:
    """The figures with four decimals, which are the same on every processor."""
    if isinstance(found, dict):
        return {key: rounded(value) for key, value in found.items()}
    if isinstance(found, list):
        return [rounded(value) for value in found]
    return round(found, 4) if isinstance(found, float) else found
