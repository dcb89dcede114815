"""Defines the commands for players: play, replay, score, card and rules."""

import logging
import sys
from collections.abc import Callable
from datetime import date
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from mulligan.game.typed_text import one_of, parts, plain
from mulligan.terminal.saved_games import players_of_last
from mulligan.whole_files import replacing

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
    say,
    say_indented,
    sentences,
    usage,
)
from .spoken import SpokenCommand

if TYPE_CHECKING:
    from mulligan.game.variants import Variant
    from mulligan.game.words import Words

USUAL_PLAYERS = "you,regular,regular,regular"
NAMED_PLAYERS = "you,weekend,regular,club"  # of the hole of the day, as in the browser


@app.command(cls=SpokenCommand)
def play(
    game: GameName = FIRST_GAME,
    option: HouseRules = None,
    players: Annotated[str, typer.Option()] = USUAL_PLAYERS,
    seed: Annotated[int | None, typer.Option(min=0)] = None,
    holes: Annotated[int | None, typer.Option(min=1, max=99)] = None,
    resume: Annotated[bool, typer.Option("--resume")] = False,
    day: Annotated[bool, typer.Option("--day")] = False,
    word: Annotated[str, typer.Option()] = "",
    language: Language = None,
) -> None:
    """Play a match in the terminal; nine holes unless you say otherwise."""
    words = load_words(language)
    given: dict[str, object] = {"--holes": holes, "--seed": seed is not None, "--day": day, "--word": word}
    given |= {"--game": game != FIRST_GAME, "--option": option, "--players": players != USUAL_PLAYERS}
    for decides, is_given, settled in (
        ("--resume", resume, list(given)),
        ("--word", word, ["--holes", "--seed", "--day"]),
        ("--day", day, ["--holes", "--seed"]),
    ):
        if is_given and (others := [other for other in settled if given[other]]):
            usage(words("terminal_leave_out", option=decides, others=words.listed(others)))
    if (day or word) and players == USUAL_PLAYERS:
        players = NAMED_PLAYERS
    kinds = players_of_last() if resume else parts(players)
    if is_compiled := any(one_of(kind, ["search"]) for kind in kinds):  # which is too slow uncompiled
        say_soon(words)
    else:
        play_plain()
    from mulligan.game.named_holes import MOST_BYTES, as_word, match_of
    from mulligan.game.variants import for_match
    from mulligan.terminal import play as terminal
    from mulligan.terminal.seats import read_seats

    with sentences(words):
        if resume:
            if is_compiled:
                compile_search()
            terminal.resume(words)
            return
        if len(as_word(word).encode()) > MOST_BYTES:
            usage(words("here_word_long"))
        named = match_of(as_word(word) or date.today().isoformat()) if day or word else ""
        try:
            variant = load_variant(game, words, option)
            if named:
                variant = for_match(variant, {"holes": 1, "level": "share"})
            elif holes:
                variant = for_match(variant, {"holes": holes})
            if is_compiled:
                read_seats(words, variant, kinds)  # what is wrong with them is said before anyone waits
                compile_search()
            terminal.play(words, variant, kinds, seed, named)
        except terminal.SeatError as error:
            usage(str(error))


def say_soon(words: "Words") -> None:
    """Says on a terminal that it takes a while until the game begins, which clears the screen."""
    if sys.stdout.isatty():
        say(words("terminal_soon"))


def compile_search() -> None:
    """Lets `search` play elsewhere first: compiling in the middle of a hole would stop the game for minutes."""
    from mulligan.engine import compiled
    from mulligan.server import bots

    logging.getLogger(compiled.__name__).disabled = True  # the player knows that it takes a while
    bots.warm_up(["search"])


@app.command(cls=SpokenCommand)
def replay(
    file: Annotated[Path, typer.Argument()],
    game_number: Annotated[int, typer.Option("--game-number", "-n", min=1)] = 1,
    game: OwnVariant = None,
    language: Language = None,
) -> None:
    """Step through a recorded match, forwards and backwards."""
    play_plain()
    from mulligan.game.referee import Fault, read_records
    from mulligan.terminal.replay_viewer import step_through

    words = load_words(language)
    with sentences(words):
        variant = load_own_variant(game, words)
        try:
            with file.open("rb") as opened:
                records = list(read_records(opened))
            step_through(words, records, game_number, variant)
        except Fault as fault:
            fail(words("terminal_label", label=str(file), text=fault.in_words(words)))


@app.command(cls=SpokenCommand)
def score(
    layout: Annotated[str, typer.Argument()],
    game: GameName = FIRST_GAME,
    option: HouseRules = None,
    language: Language = None,
) -> None:
    """Count the points of a layout and show why."""
    play_plain()
    from mulligan.engine.state import HIDDEN
    from mulligan.game.notation import NotationError, read_layout

    words = load_words(language)
    with sentences(words):
        variant = load_variant(game, words, option)

        def read(text: str) -> Any:
            cards = read_layout(variant, text)
            if HIDDEN in cards[: len(variant.slots)]:
                raise NotationError("terminal_only_open")
            return cards

        if plain(layout) == "-":
            score_lines(words, variant, read)
        else:
            from mulligan.game.score_parts import explain
            from mulligan.game.score_words import bill_line, tell_parts

            try:
                cards = read(layout)
            except NotationError as error:
                usage(error.in_words(words))
            score = explain(variant, cards)
            for part, text in tell_parts(words, variant, cards, score):
                say(bill_line(part.points, text))
            say(bill_line(score.points, words("table_total")))


@app.command(cls=SpokenCommand)
def card(
    output: Annotated[Path, typer.Option("--output", "-o")],
    game: GameName = FIRST_GAME,
    option: HouseRules = None,
    players: Annotated[int | None, typer.Option("--players", "-p")] = None,
    names: Annotated[str, typer.Option()] = "",
    dealer: Annotated[int | None, typer.Option(min=1)] = None,
    language: Language = None,
    paper: Annotated[str, typer.Option()] = "a4",
    court: Annotated[str, typer.Option()] = "",
    record: Annotated[Path | None, typer.Option()] = None,
    number: Annotated[int, typer.Option(min=1)] = 1,
) -> None:
    """Print a score card as PDF, blank or filled in with a finished match."""
    play_plain()
    from mulligan.game.referee import Fault
    from mulligan.scorecard.order import OrderError, filled, order
    from mulligan.scorecard.typeset import TypstMissing, typeset

    words = load_words(language)
    with sentences(words):
        spoken, variant = words.language, load_variant(game, words, option)
        try:
            if record is None:
                listed = parts(names) if names else []
                first = None if dealer is None else dealer - 1
                wanted = order(variant, players, listed, spoken, paper, first, court)
            elif players is not None or names or dealer is not None:
                usage(words("terminal_record_alone", record="--record"))
            else:
                wanted = filled(record, number, variant, spoken, paper, court)
            with replacing(output) as new:
                new.write_bytes(typeset(wanted))
        except OrderError as error:
            usage(error.in_words(words))
        except Fault as fault:
            fail(words("terminal_label", label=str(record), text=fault.in_words(words)))
        except TypstMissing:
            usage(words("terminal_card_no_typst", command="pip install 'typst>=0.15'"))
    say(words("terminal_card_printed", file=str(output)))


@app.command(cls=SpokenCommand)
def rules(
    number: Annotated[str | None, typer.Argument()] = None,
    game: Annotated[str | None, typer.Option("--game", "-g")] = None,
    option: HouseRules = None,
    options: Annotated[bool, typer.Option("--options")] = False,
    save: Annotated[Path | None, typer.Option("--save")] = None,
    language: Language = None,
) -> None:
    """Read the rule book, or one rule of it; with house rules, the changed ones are marked."""
    from mulligan.game import house_book, house_rules, variants
    from mulligan.terminal.own_rules import nearest

    words = load_words(language)
    with sentences(words):
        variant = load_variant(game or FIRST_GAME, words, option)
        if options:
            print_options(words, variant)
            return
        if save:
            with replacing(save) as new:
                new.write_text(house_rules.in_file(variant), encoding="utf-8")
            say(words("terminal_rules_saved", file=str(save), option=f"--game {save}"))
            return
        named, differs = nearest(words, variant)
        known = named if game or option else None
        book = house_book.book_of(words, variant, variants.load(named).facts)
        if number is None:
            print_markdown("\n\n".join([*filter(None, [differs]), book.text(known)]))
            return
        number = plain(number).strip(" .")
        asked = [rule for rule in book.rules.values() if number in (rule.number, rule.number.partition(".")[0])]
        if not asked:
            usage(words("terminal_no_rule", number=number, first=min(book.rules), last=max(book.rules)))
        print_markdown("\n\n".join(rule.text(known) for rule in asked))


def print_options(words: "Words", variant: "Variant") -> None:
    """Prints the options of a game, each with its values; the game's own comes first."""
    from mulligan.game import house_rules
    from mulligan.game.house_options import OPTIONS

    for option, (_, values) in house_rules.choices(variant.unpatched or variant.facts).items():
        name = house_rules.name_of(words, option)
        say(words("terminal_house_rule", option=option, name=name, rules=OPTIONS[option].rule))
        for value in values:
            say(f"  {option}={value}")
            say_indented(house_rules.value_sentence(words, variant, option, value), 6)


def score_lines(words: "Words", variant: "Variant", read: Callable[[str], Any]) -> None:
    """Scores one layout per line of standard input. Names each wrong line; then raises Exit. Raises NotText."""
    from mulligan.engine.scoring import cost
    from mulligan.game.notation import NotationError
    from mulligan.game.text_files import lines_of

    wrong = False
    for number, line in lines_of(sys.stdin.buffer):
        try:
            if text := line.strip():
                typer.echo(f"{cost(variant.rules, read(text), 0)}\t{text}")
        except NotationError as error:
            wrong = True
            say(error.at("terminal_at_line", line=number).in_words(words), error=True)
    if wrong:
        raise typer.Exit(FAULT_FOUND)


def print_markdown(text: str) -> None:
    """Prints Markdown: rendered on a terminal, unchanged through a pipe."""
    if not sys.stdout.isatty():
        typer.echo(text)
        return
    from rich.markdown import Markdown

    from mulligan.terminal.output import Output

    console = Output()
    console.print(Markdown(text), width=min(console.width, 88))
