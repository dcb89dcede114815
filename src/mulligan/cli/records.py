"""Defines the commands that read recorded matches: referee, verify, analyse, advise."""

import json
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from mulligan.game.safe_text import printable
from mulligan.game.typed_text import plain

from .common import (
    FAULT_FOUND,
    FIRST_GAME,
    GameName,
    HouseRules,
    Language,
    OwnVariant,
    app,
    fail,
    load_own_variant,
    load_variant,
    load_words,
    play_plain,
    progress,
    say,
    sentences,
    usage,
)
from .spoken import SpokenCommand

if TYPE_CHECKING:
    from mulligan.coach.findings import Analysis
    from mulligan.game.variants import Variant
    from mulligan.game.words import Words


@app.command(cls=SpokenCommand)
def verify(
    files: Annotated[list[Path], typer.Argument()],
    game: OwnVariant = None,
    language: Language = None,
) -> None:
    """Repeat the shuffles of recorded matches and compare every card."""
    play_plain()
    words = load_words(language)
    with sentences(words):
        variant = load_own_variant(game, words)
        check_files(words, files, lambda file: verify_file(words, file, variant))


@app.command(cls=SpokenCommand)
def referee(
    files: Annotated[list[Path], typer.Argument()],
    game: OwnVariant = None,
    language: Language = None,
) -> None:
    """Check every move of recorded matches and name the first that breaks a rule."""
    words = load_words(language)
    with sentences(words):
        variant = load_own_variant(game, words)
        check_files(words, files, lambda file: [words("terminal_refereed", count=count_games(file, variant))])


@app.command(cls=SpokenCommand)
def analyse(
    files: Annotated[list[Path], typer.Argument()],
    game: OwnVariant = None,
    as_json: Annotated[bool, typer.Option("--json")] = False,
    deep: Annotated[
        bool,
        typer.Option("--deep"),
    ] = False,
    on: Annotated[str, typer.Option()] = "local",
    journal: Annotated[Path | None, typer.Option()] = None,
    language: Language = None,
) -> None:
    """Split each hole of recorded matches into luck and skill, and list the costliest mistakes."""
    from mulligan.coach import analysis
    from mulligan.compute.pieces import connected
    from mulligan.game.referee import Fault, variant_of

    from .coach_views import analysis_as_data, print_analysis

    words = load_words(language)
    with sentences(words), connected(on):
        own = load_own_variant(game, words)
        if journal and (games := sum(1 for file in files for _ in each_game(file, dict))) > 1:
            usage(words("terminal_fault_many_games", count=games))
        in_depth = deep or on != "local" or journal is not None

        def analyse_record(record: dict[str, Any]) -> tuple["Variant", "Analysis"]:
            with progress(0, "Analysing") as advance:
                return variant_of(record, own), analysis.analyse(record, own, in_depth, advance, on, journal)

        found = False
        for file in files:
            try:
                for number, (variant, analysed) in enumerate(each_game(file, analyse_record), 1):
                    if as_json:
                        typer.echo(json.dumps(analysis_as_data(words, variant, analysed)))
                    else:
                        heading = words("terminal_file_game", file=str(file), number=number)
                        print_analysis(words, variant, analysed, heading)
            except Fault as fault:
                found = True
                say(words("terminal_label", label=str(file), text=fault.in_words(words)), error=True)
    if found:
        raise typer.Exit(FAULT_FOUND)


@app.command(cls=SpokenCommand)
def advise(
    layout: Annotated[list[str] | None, typer.Option()] = None,
    discard: Annotated[str | None, typer.Option()] = None,
    game: GameName = FIRST_GAME,
    option: HouseRules = None,
    turn: Annotated[int, typer.Option(min=1)] = 1,
    held: Annotated[str | None, typer.Option()] = None,
    taken: Annotated[bool, typer.Option("--taken")] = False,
    discarded: Annotated[bool, typer.Option("--discarded")] = False,
    closer: Annotated[int | None, typer.Option(min=1)] = None,
    gone: Annotated[str, typer.Option()] = "",
    record: Annotated[Path | None, typer.Option()] = None,
    hole: Annotated[int | None, typer.Option()] = None,
    move: Annotated[int | None, typer.Option()] = None,
    as_json: Annotated[bool, typer.Option("--json")] = False,
    language: Language = None,
) -> None:
    """Rank the moves of any position, in strokes, each with a reason."""
    from mulligan.coach import advice
    from mulligan.coach.coach_words import advice_in_words
    from mulligan.game.hole import Hole
    from mulligan.game.position import TableError, set_table
    from mulligan.game.variants import for_seats

    from .coach_views import advice_as_data, print_advice

    words = load_words(language)
    with sentences(words):
        if record:
            if layout or discard or held or taken or discarded or closer or gone:
                usage(words("terminal_record_alone", record="--record"))
            variant, state, names = table_of(words, record, game, hole, move)
        elif hole or move:
            usage(words("terminal_needs_record", options=words.listed(["--hole", "--move"]), record="--record"))
        elif not layout or discard is None:
            named = {option: f"--{option}" for option in ("layout", "discard", "record")}
            usage(words("terminal_advise_how", **named))
        else:
            variant = for_seats(load_variant(game, words, option), len(layout))
            first = None if closer is None else closer - 1
            below = plain(gone).replace(",", " ").split()
            try:
                state = set_table(variant, layout, discard, turn - 1, held, taken, discarded, first, below)
            except TableError as error:
                usage(error.in_words(words))
            names = [words("start_player", seat=seat + 1) for seat in range(len(layout))]
        ranked = advice.advise(Hole.at(variant, state))
        if as_json:
            typer.echo(json.dumps(advice_as_data(words, variant, state, ranked, names)))
        else:
            print_advice(advice_in_words(words, variant, state, ranked, names))


def table_of(
    words: "Words", file: Path, game: str, hole: int | None, move: int | None
) -> tuple["Variant", Any, list[str]]:
    """Returns the position in a file with one game, and the names of its players, safe to print."""
    from mulligan.game.draft import position_in
    from mulligan.game.referee import Fault, read_records

    try:
        with file.open("rb") as opened:
            records = [record for _, record in read_records(opened)]
        if len(records) != 1:
            raise Fault("many_games", count=len(records))
        own = load_variant(game, words) if game.endswith(".toml") else None
        found, played = position_in(records[0], own, hole, move)
    except Fault as fault:
        fail(words("terminal_label", label=str(file), text=fault.in_words(words)))
    return found.variant, played.state, [printable(found.players[player]) for player in found.at_table]


def check_files(words: "Words", files: Iterable[Path], check: Callable[[Path], Iterable[str]]) -> None:
    """Prints what the check finds in each file, or its fault; after a fault, raises Exit at the end."""
    from mulligan.game.error_sentences import reason
    from mulligan.game.referee import Fault

    found = False
    for file in files:
        try:
            for line in check(file):
                say(words("terminal_label", label=str(file), text=line))
        except Fault as fault:
            found = True
            say(words("terminal_label", label=str(file), text=fault.in_words(words)), error=True)
        except OSError as error:
            if error.filename is None:  # it is the output that fails
                raise
            found = True
            say(words("terminal_unreadable", file=str(file), why=reason(words, error)), error=True)
    if found:
        raise typer.Exit(FAULT_FOUND)


def count_games(file: Path, variant: "Variant | None") -> int:
    """Replays each game of a file by the rules, and returns their number. Raises Fault."""
    from mulligan.game.referee import replay as replay_record

    return sum(1 for _ in each_game(file, lambda record: replay_record(record, variant)))


def verify_file(words: "Words", file: Path, variant: "Variant | None") -> Iterator[str]:
    """Checks the shuffles of each game of a file, and yields the results. Raises Fault."""
    from mulligan.game.verify_shuffles import verify as verify_record

    return each_game(file, lambda record: verify_record(record, variant).in_words(words))


def each_game(file: Path, check: Callable[[dict[str, Any]], Any]) -> Iterator[Any]:
    """Yields the result of the check of each game. Raises Fault, which names the game."""
    from mulligan.game.referee import Fault, read_records

    games = 0
    with file.open("rb") as opened:
        for line, record in read_records(opened):
            games += 1
            try:
                yield check(record)
            except Fault as fault:
                raise fault.at("terminal_at_game", number=games, line=line) from None
    if not games:
        raise Fault("no_game")
