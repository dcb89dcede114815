"""The command `mulligan`. Nothing heavy is imported before the command that needs it runs."""

import io
import os
import sys
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from enum import Enum
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, NoReturn

import typer

from . import __version__
from .inert import inert

if TYPE_CHECKING:
    from .variants import Variant

app = typer.Typer(
    help="Mulligan, the home of the golf card games: play them, referee and replay records, simulate, read the rules.",
    no_args_is_help=True,
    add_completion=False,
    pretty_exceptions_enable=False,
    rich_markup_mode=None,
    context_settings={"help_option_names": ["-h", "--help"]},
)

FAULT_FOUND, WRONG_USAGE = 1, 2
MOST_GAMES = 100_000_000  # a run whose results still fit into memory
MOST_THREADS = 256
LogForm = Enum("LogForm", {"json": "json", "text": "text"})
GameName = Annotated[
    str, typer.Option("--game", "-g", help="play_nine, nine_card, or the path of your own variant's .toml file.")
]
OwnVariant = Annotated[
    Path | None, typer.Option("--game", "-g", help="The .toml file of the variant, for records of one of your own.")
]


def main() -> None:
    """Runs the command line; whatever goes wrong ends in one sentence."""
    open_streams()
    try:
        with sentences():
            sys.exit(app(standalone_mode=False))
    except typer.Exit as end:
        sys.exit(end.exit_code)
    except typer.Abort:  # Ctrl-C while a command was still being loaded
        sys.exit(FAULT_FOUND)
    except Exception as error:
        if not hasattr(error, "format_message"):  # what Typer raises for wrong usage can say what it means
            raise
        typer.echo(error.format_message(), err=True)
        sys.exit(WRONG_USAGE)


def open_streams() -> None:
    """A stream the caller has closed is empty, and what the terminal has no letter for is a question mark."""
    for name, mode in (("stdin", "r"), ("stdout", "w"), ("stderr", "w")):
        if getattr(sys, name) is None:
            setattr(sys, name, open(os.devnull, mode, encoding="utf-8"))  # noqa: SIM115
    if isinstance(sys.stdout, io.TextIOWrapper):
        sys.stdout.reconfigure(errors="replace")


def show_version(wanted: bool) -> None:
    if wanted:
        typer.echo(f"mulligan {__version__}")
        raise typer.Exit


@app.callback()
def root(
    version: Annotated[
        bool, typer.Option("--version", callback=show_version, is_eager=True, help="Show the version and end.")
    ] = False,
) -> None:
    pass


@app.command()
def serve(
    host: Annotated[
        str, typer.Option(help="Where to listen; 0.0.0.0 lets other devices in your network in.")
    ] = "127.0.0.1",
    port: Annotated[int, typer.Option(min=0, max=65535, help="The port; 0 takes any that is free.")] = 8000,
    data: Annotated[Path | None, typer.Option(help="The folder for the games, instead of the usual one.")] = None,
    open_browser: Annotated[bool, typer.Option("--open", help="Open the game in the browser.")] = False,
    host_name: Annotated[
        list[str] | None,
        typer.Option(help="A name of this server, such as golf.example.org; may be given several times."),
    ] = None,
    behind_proxy: Annotated[
        list[str] | None,
        typer.Option(help="The address or network of a proxy in front, which is believed when it says who asks."),
    ] = None,
    people: Annotated[int, typer.Option(min=2, help="How many may be at tables at once.")] = 20_000,
    per_address: Annotated[int, typer.Option(min=2, help="How many of them from one address.")] = 500,
    log: Annotated[
        LogForm | None, typer.Option(help="How the log looks: text on a terminal, JSON lines for a program.")
    ] = None,
) -> None:
    """Play in the browser: serve the game to this machine, or to all in your network."""
    try:
        from .server.limits import Limits
        from .server.run import serve as run
    except ModuleNotFoundError as error:
        usage(f"The server needs {error.name}; pip install 'mulligan[serve]' installs all it needs.")
    with sentences():
        run(
            host,
            port,
            data,
            open_browser,
            host_name or (),
            behind_proxy or (),
            Limits.of(people, per_address),
            None if log is None else log.value,
        )


@app.command()
def backup(
    file: Annotated[Path | None, typer.Argument(help="The file for the copy; otherwise one named by the date.")] = None,
    data: Annotated[Path | None, typer.Option(help="The folder of the games, instead of the usual one.")] = None,
    overwrite: Annotated[bool, typer.Option("--overwrite", help="Replace the file if it is there already.")] = False,
) -> None:
    """Copy all games into one file, even while the server runs."""
    from datetime import date

    from .folders import data_folder
    from .server.store import back_up

    with sentences():
        file = file or Path(f"mulligan-{date.today()}.sqlite")
        done = back_up(data or data_folder(), file, overwrite)
        tables = f"{done.tables:,} {'table' if done.tables == 1 else 'tables'}"
        say(f"{file}: {tables}, {done.size / 1000:,.0f} kB, whole and checked.")


@app.command()
def verify(
    files: Annotated[list[Path], typer.Argument(help="Files of records, one game a line.")],
    game: OwnVariant = None,
) -> None:
    """Shuffle the packs of recorded games again, and compare every card."""
    play_plain()
    with sentences():
        variant = load_variant(str(game)) if game else None
        found = False
        for file in files:
            found |= not is_right(file, lambda file: verify_file(file, variant))
    if found:
        raise typer.Exit(FAULT_FOUND)


@app.command()
def play(
    game: GameName = "play_nine",
    players: Annotated[
        str, typer.Option(help="Who sits down, in the order of the seats: you, you:NAME, or a computer player's level.")
    ] = "you,regular,regular,regular",
    seed: Annotated[int | None, typer.Option(min=0, help="Shuffle the same way again.")] = None,
    resume: Annotated[bool, typer.Option("--resume", help="Go on with the game you left.")] = False,
) -> None:
    """Play a nine-hole game in the terminal.

    The levels of computer players, from the weakest: beginner (takes almost anything), weekend (always in a hurry),
    regular (waits for a card worth having), club (plans ahead), pro (counts the cards and watches the others),
    search (thinks for a moment; the strongest).
    """
    if not {"pro", "search"}.intersection(split_names(players)):  # they are too slow where nothing is compiled
        play_plain()
    from .terminal import play as terminal

    with sentences():
        if resume:
            terminal.resume()
            return
        try:
            terminal.play(load_variant(game), split_names(players), seed)
        except terminal.SeatError as error:
            usage(str(error))


@app.command()
def simulate(
    players: Annotated[
        str, typer.Option(help="Computer players, dealt out to the seats in turn: greedy, or greedy,random.")
    ] = "greedy",
    game: GameName = "play_nine",
    seats: Annotated[int, typer.Option(help="How many sit at the table.")] = 4,
    games: Annotated[int, typer.Option(min=0, max=MOST_GAMES, help="How many whole games to play.")] = 0,
    holes: Annotated[int, typer.Option(min=0, max=MOST_GAMES, help="Or how many single holes.")] = 0,
    seed: Annotated[int, typer.Option(min=0, help="The same seed gives the same results.")] = 1,
    record: Annotated[Path | None, typer.Option(help="Write each whole game's record to this file.")] = None,
    as_json: Annotated[bool, typer.Option("--json", help="Print one JSON object instead of a table.")] = False,
    threads: Annotated[int, typer.Option(min=0, max=MOST_THREADS, help="Threads to use; 0 is one for each core.")] = 0,
) -> None:
    """Let computer players play many games, and count."""
    names = split_names(players)
    if (games > 0) == (holes > 0):
        usage("Say either how many --games or how many --holes to play.")
    if record and not games:
        usage("--record needs --games: a record is a whole game.")
    with sentences():
        variant = load_variant(game)
        if seats not in variant.seats:
            usage(f"{variant.title} is for {variant.seats[0]} to {variant.seats[-1]} players (1.1), not {seats}.")
        if len(names) > seats:
            usage(f"{len(names)} players are named for {seats} seats.")
        from . import simulate as simulation

        try:
            simulation.chairs_of(names, seats)
        except ValueError as error:
            usage(str(error))
        if record:
            record.open("a").close()  # a file that cannot be written is named before the games are played
        with progress(games or holes, "Playing") as advance:
            results = simulation.simulate(variant, seats, names, seed, games, holes, threads, advance)
        if record:
            with progress(games, "Writing") as advance:
                write_records(record, simulation.records(variant, seats, names, seed, games), advance)
        if as_json:
            import json

            typer.echo(json.dumps(results.summary()))
        else:
            print_results(results.summary())


@app.command()
def solve(
    game: GameName = "play_nine",
    seats: Annotated[int, typer.Option(help="How many sit at the table.")] = 2,
    output: Annotated[Path | None, typer.Option(help="The folder for the books, instead of the usual one.")] = None,
    seed: Annotated[int, typer.Option(min=0, help="The same seed gives the same books.")] = 1,
    threads: Annotated[int, typer.Option(min=0, max=MOST_THREADS, help="Threads to use; 0 is one for each core.")] = 0,
    whole: Annotated[
        bool, typer.Option("--whole", help="Write the whole table, hundreds of megabytes, not what it is condensed to.")
    ] = False,
) -> None:
    """Work out from nothing what every layout is worth: the books that plain_book and book play by."""
    import time

    from .folders import book_folder
    from .solve.numbering import count_layouts
    from .solve.press import ALL_STAGES, press

    with sentences():
        variant = load_variant(game)
        if seats not in variant.seats:
            usage(f"{variant.title} is for {variant.seats[0]} to {variant.seats[-1]} players (1.1), not {seats}.")
        folder = output or book_folder()
        if folder is None:
            usage("There is no home to keep books in; name a folder with --output.")
        started = time.perf_counter()
        with progress(ALL_STAGES, "Solving") as advance:
            written = press(variant, seats, folder, seed, threads, whole, advance)
        say(f"{count_layouts(variant.rules):,} layouts in {time.perf_counter() - started:,.0f} s.")
        for file, off in written.items():
            near = f", {off:.2f} strokes off the whole table" if off else ""
            say(f"{file}: {file.stat().st_size / 1000:,.0f} kB{near}.")


@app.command()
def referee(
    files: Annotated[list[Path], typer.Argument(help="Files of records, one game a line.")],
    game: OwnVariant = None,
) -> None:
    """Replay every move of recorded games, and name the first that breaks a rule."""
    with sentences():
        variant = load_variant(str(game)) if game else None
        found = False
        for file in files:
            found |= not is_right(file, lambda file: [f"{check_file(file, variant)}, all by the rules."])
    if found:
        raise typer.Exit(FAULT_FOUND)


@app.command()
def analyse(
    files: Annotated[list[Path], typer.Argument(help="Files of records, one game a line.")],
    game: OwnVariant = None,
    as_json: Annotated[bool, typer.Option("--json", help="Print one JSON object a game, with every move.")] = False,
    deep: Annotated[
        bool,
        typer.Option("--deep", help="Play out each move that cost something a thousand times; takes minutes."),
    ] = False,
) -> None:
    """Split each hole of recorded games into luck and skill, and name the dearest mistakes."""
    from . import analysis
    from .referee import Fault

    with sentences():
        variant = load_variant(str(game)) if game else None

        def analyse_record(record: dict[str, Any]) -> dict[str, Any]:
            with progress(0, "Analysing") as advance:
                return analysis.analyse(record, variant, deep, advance)

        found = False
        for file in files:
            try:
                for number, told in enumerate(each_game(file, analyse_record), 1):
                    print_analysis(told, f"{file}, game {number}", as_json)
            except Fault as fault:
                found = True
                say(f"{file}: {fault}", error=True)
    if found:
        raise typer.Exit(FAULT_FOUND)


@app.command()
def advise(
    layout: Annotated[
        list[str] | None, typer.Option(help='Each player\'s cards in the order of play, as "7 ? 1 ? / ? ? ? 5".')
    ] = None,
    discard: Annotated[str | None, typer.Option(help="The top card of the discard pile.")] = None,
    game: GameName = "play_nine",
    turn: Annotated[int, typer.Option(min=1, help="Whose turn it is: 1 for the first layout.")] = 1,
    held: Annotated[str | None, typer.Option(help="The card just drawn from the stock, still in hand.")] = None,
    taken: Annotated[bool, typer.Option("--taken", help="The top discard was just taken, and is in hand.")] = False,
    thrown_away: Annotated[
        bool, typer.Option("--thrown-away", help="The top discard was just drawn and thrown away.")
    ] = False,
    closer: Annotated[int | None, typer.Option(min=1, help="Who closed, if several have every card open.")] = None,
    gone: Annotated[str, typer.Option(help='Cards known to lie further down in the discard pile, as "4 12 12".')] = "",
    record: Annotated[
        Path | None, typer.Option(help="Or a game written down, finished or not: its last position.")
    ] = None,
    hole: Annotated[int | None, typer.Option(help="With --record: the end of that hole so far.")] = None,
    move: Annotated[int | None, typer.Option(help="With --record: just before that move of the hole.")] = None,
    as_json: Annotated[bool, typer.Option("--json", help="Print one JSON object.")] = False,
) -> None:
    """Rank the moves of any position, in strokes, each with a reason."""
    from . import advice, shelf

    with sentences():
        if record:
            if layout or discard or held or taken or thrown_away or closer or gone:
                usage("--record tells how the table lies; leave the options out that say it once more.")
            variant, state, names = table_of(record, game, hole, move)
        elif hole or move:
            usage("--hole and --move go with --record.")
        elif not layout or discard is None:
            usage("Say how the table lies, with a --layout for each player and --discard; or name a --record.")
        else:
            variant = load_variant(game)
            first = None if closer is None else closer - 1
            try:
                state = advice.set_table(
                    variant, layout, discard, turn - 1, held, taken, thrown_away, first, gone.split()
                )
            except advice.TableError as error:
                usage(str(error))
            names = ["you" if seat == turn - 1 else f"player {seat + 1}" for seat in range(len(layout))]
        ranked = advice.advise(variant, state, shelf.books(variant.rules, int(state.seats)))
        if as_json:
            import json

            typer.echo(json.dumps(advice.as_dict(variant, state, ranked, names)))
            return
        for line in advice.in_words(variant, ranked, names):
            say(line)


def table_of(file: Path, game: str, hole: int | None, move: int | None) -> tuple["Variant", Any, list[str]]:
    """The table of the one game written down in a file, and who sits there; the names are safe to print."""
    from .referee import Fault, read_records
    from .written import position_in

    try:
        with file.open("rb") as opened:
            records = [record for _, record in read_records(opened)]
        if len(records) != 1:
            raise Fault(f"holds {len(records)} games; advice is about one of them, alone in its file.")
        found, played = position_in(records[0], load_variant(game) if game.endswith(".toml") else None, hole, move)
    except Fault as fault:
        fail(f"{file}: {fault}")
    return found.variant, played.state, [inert(found.players[player]) for player in found.at_table]


@app.command()
def replay(
    file: Annotated[Path, typer.Argument(help="A file of records.")],
    game_number: Annotated[int, typer.Option("--game-number", "-n", min=1, help="Which of its games.")] = 1,
    game: OwnVariant = None,
) -> None:
    """Step through a recorded game, forwards and back."""
    play_plain()
    from .referee import Fault, read_records
    from .terminal.replay import step_through

    with sentences():
        variant = load_variant(str(game)) if game else None
        try:
            with file.open("rb") as opened:
                records = list(read_records(opened))
            if game_number > len(records):
                fail(f"{file} holds {len(records)} games; there is no game {game_number}.")
            step_through(records, game_number, variant)
        except Fault as fault:
            fail(f"{file}: {fault}")


@app.command()
def score(
    layout: Annotated[str, typer.Argument(help='A layout, as "7 3 1 2 / 7 6 8 5"; or - to read one a line.')],
    game: GameName = "play_nine",
) -> None:
    """Count what a layout costs, and say why."""
    play_plain()
    from .engine.state import HIDDEN
    from .notation import NotationError, read_layout

    with sentences():
        variant = load_variant(game)

        def read(text: str) -> Any:
            cards = read_layout(variant, text)
            if HIDDEN in cards[: len(variant.slots)]:
                raise NotationError("Only a layout that lies open can be counted; this one has a card face down (4.3).")
            return cards

        if layout == "-":
            score_lines(variant, read)
        else:
            from .explain import explain

            try:
                for line in explain(variant, read(layout)).lines:
                    say(line)
            except NotationError as error:
                usage(str(error))


@app.command()
def card(
    output: Annotated[Path, typer.Option("--output", "-o", help="The PDF file to write.")],
    game: GameName = "play_nine",
    players: Annotated[int | None, typer.Option("--players", "-p", help="How many play; otherwise four.")] = None,
    names: Annotated[str, typer.Option(help="Their names in the order of the seats, as “Ann,Ben”.")] = "",
    dealer: Annotated[
        int | None, typer.Option(min=1, help="Who deals the first hole: 1 for the first line; otherwise left open.")
    ] = None,
    language: Annotated[str, typer.Option("--language", "-l", help="en, fr, de or ja.")] = "en",
    paper: Annotated[str, typer.Option(help="a4 or letter.")] = "a4",
    record: Annotated[Path | None, typer.Option(help="Fill in a finished game from this file of records.")] = None,
    number: Annotated[int, typer.Option(min=1, help="Which game of that file.")] = 1,
) -> None:
    """Print a score card as PDF: to write on, or filled in with a finished game."""
    play_plain()
    from .referee import Fault
    from .scorecard.order import OrderError, filled, order
    from .scorecard.press import NoPressError, press

    with sentences():
        variant = load_variant(game)
        try:
            if record is None:
                listed = split_names(names) if names else []
                wanted = order(variant, players, listed, language, paper, None if dealer is None else dealer - 1)
            elif players is not None or names or dealer is not None:
                usage("A record says itself who played and dealt; leave out --players, --names and --dealer.")
            else:
                wanted = filled(record, number, variant, language, paper)
            output.write_bytes(press(wanted))
        except OrderError as error:
            usage(str(error))
        except Fault as fault:
            fail(f"{record}: {fault}")
        except NoPressError as error:
            usage(str(error))
    say(f"{output}: one sheet to print.")


@app.command()
def rules(
    number: Annotated[str | None, typer.Argument(help="A rule's number, such as 3.3, or a chapter's.")] = None,
    game: Annotated[str | None, typer.Option("--game", "-g", help="Only what concerns that game.")] = None,
    language: Annotated[str, typer.Option("--language", "-l", help="en, fr, de or ja.")] = "en",
) -> None:
    """Read the rule book, whole or one rule of it."""
    from . import rulebook

    with sentences():
        name = load_variant(game).name if game else None
        known = name if name in rulebook.GAMES.values() else None
        try:
            book = rulebook.book(language)
        except rulebook.RuleBookError as error:
            usage(str(error))
        if number is None:
            print_markdown(book.text(known))
            return
        asked = [rule for rule in book.rules.values() if number in (rule.number, rule.number.partition(".")[0])]
        if not asked:
            usage(f"There is no rule {number}; the rules go from {min(book.rules)} to {max(book.rules)}.")
        print_markdown("\n\n".join(rule.text(known) for rule in asked))


def play_plain() -> None:
    """One game needs no compiling: the plain engine is on screen at once."""
    os.environ.setdefault("MULLIGAN_PLAIN", "1")


def load_variant(name: str) -> "Variant":
    from . import variants

    try:
        return variants.load(name)
    except variants.VariantError as error:
        usage(str(error))


def split_names(players: str) -> list[str]:
    return [name.strip() for name in players.split(",")]


def is_right(file: Path, check: Callable[[Path], Iterable[str]]) -> bool:
    """Says what the check finds in a file, line by line, or the fault it ends with."""
    from .referee import Fault

    try:
        for line in check(file):
            say(f"{file}: {line}")
    except Fault as fault:
        say(f"{file}: {fault}", error=True)
    except OSError as error:
        if isinstance(error, BrokenPipeError):
            raise
        say(f"{file}: cannot be read ({error.strerror}).", error=True)
    else:
        return True
    return False


def check_file(file: Path, variant: "Variant | None") -> str:
    """Referees each game of a file, and says how many there are. Raises Fault."""
    from .referee import replay as replay_record

    games = sum(1 for _ in each_game(file, lambda record: replay_record(record, variant)))
    return f"{games} {'game' if games == 1 else 'games'}"


def verify_file(file: Path, variant: "Variant | None") -> Iterator[str]:
    """Checks the shuffles of each game of a file, and says what was found. Raises Fault."""
    from .verify import verify as verify_record

    return each_game(file, lambda record: str(verify_record(record, variant)))


def each_game(file: Path, check: Callable[[dict[str, Any]], Any]) -> Iterator[Any]:
    """What the check of each game of a file gives. Raises Fault, which says in which game."""
    from .referee import Fault, read_records

    games = 0
    with file.open("rb") as opened:
        for line, record in read_records(opened):
            games += 1
            try:
                yield check(record)
            except Fault as fault:
                raise Fault(f"game {games} (line {line}), {fault}") from None
    if not games:
        raise Fault("holds no game.")


def print_analysis(told: dict[str, Any], title: str, as_json: bool) -> None:
    if as_json:
        import json

        typer.echo(json.dumps(told))
        return
    from .analysis import in_words

    say(f"{title}:")
    for line in in_words(told):
        say(line)


def score_lines(variant: "Variant", read: Callable[[str], Any]) -> None:
    """Counts one layout a line from standard input. A wrong line is named, and the rest is counted all the same."""
    from .engine.scoring import cost
    from .notation import NotationError

    wrong = False
    for number, line in enumerate(sys.stdin.buffer, 1):
        text = line.decode("utf-8", "replace").strip()
        try:
            if text:
                typer.echo(f"{cost(variant.rules, read(text), 0)}\t{text}")
        except NotationError as error:
            wrong = True
            say(f"line {number}: {error}", error=True)
    if wrong:
        raise typer.Exit(FAULT_FOUND)


def write_records(file: Path, records: Iterator[dict[str, Any]], advance: Callable[[int], None]) -> None:
    import json

    with file.open("w", encoding="utf-8") as opened:
        for record in records:
            opened.write(json.dumps(record, ensure_ascii=False) + "\n")
            advance(1)


def print_results(summary: dict[str, Any]) -> None:
    from rich.console import Console
    from rich.table import Table

    whole = summary["games"] > 0
    table = Table(title=f"{summary['game']}, {summary['seats']} seats")
    for heading in ("player", "points a hole", "±", "holes won", *(["games won"] if whole else [])):
        table.add_column(heading, justify="left" if heading == "player" else "right")
    for player, name in enumerate(summary["players"]):
        row = [name, f"{summary['points_per_hole'][player]:.3f}", f"{summary['stderr'][player]:.3f}"]
        row.append(f"{summary['hole_wins'][player] / summary['holes']:.1%}")
        if whole:
            row.append(f"{summary['game_wins'][player] / summary['games']:.1%}")
        table.add_row(*row)
    console = Console()
    console.print(table)
    played = f"{summary['games']:,} games, " if whole else ""
    console.print(
        f"{played}{summary['holes']:,} holes, {summary['moves']:,} moves in {summary['seconds']:.2f} s "
        f"({summary['moves_per_second']:,.0f} a second).",
        highlight=False,
    )
    if summary["playoff_holes"]:
        console.print(f"Play-off holes: {summary['playoff_holes']:,}.", highlight=False)
    if summary["turn_limit_hit"]:
        console.print(
            f"Abandoned, because nobody closed within {summary['turn_limit']:,} turns a seat: "
            f"{summary['turn_limit_hit']:,} holes. They count as they lay; their games are not recorded.",
            highlight=False,
        )


def print_markdown(text: str) -> None:
    """On a terminal drawn, through a pipe as it is."""
    if not sys.stdout.isatty():
        typer.echo(text)
        return
    from rich.console import Console
    from rich.markdown import Markdown

    console = Console()
    console.print(Markdown(text), width=min(console.width, 88))


@contextmanager
def progress(total: int, what: str) -> Iterator[Callable[..., None]]:
    """A progress bar on a terminal, nothing elsewhere.

    Gives the function that moves it on by so much, and may say what the total is.
    """
    if not sys.stderr.isatty():
        yield lambda done, total=None: None
        return
    from rich.console import Console
    from rich.progress import Progress

    with Progress(console=Console(stderr=True), transient=True) as bar:
        task = bar.add_task("Getting ready (the first time takes a little longer)", total=total)
        yield lambda done, total=None: bar.update(task, description=what, advance=done, total=total)


@contextmanager
def sentences() -> Iterator[None]:
    """What can go wrong for a user ends in one sentence, not in a traceback."""
    try:
        yield
    except BrokenPipeError:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        raise typer.Exit from None
    except KeyboardInterrupt:
        fail("Stopped.")
    except OSError as error:
        fail(f"{error.filename or 'Output'}: {error.strerror}." if error.strerror else str(error))
    except MemoryError:
        fail("That is more than the memory of this machine holds; ask for less at once.")
    except ValueError as error:
        fail(str(error))


def say(text: str, error: bool = False) -> None:
    typer.echo(inert(text, longest=2000), err=error)


def fail(sentence: str) -> NoReturn:
    say(sentence, error=True)
    raise typer.Exit(FAULT_FOUND)


def usage(sentence: str) -> NoReturn:
    say(sentence, error=True)
    raise typer.Exit(WRONG_USAGE)
