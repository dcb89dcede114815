"""Provides what the commands share: the Typer app, options, error messages and progress bars."""

import os
import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from enum import Enum
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, NoReturn

import typer

from mulligan.game.safe_text import printable
from mulligan.game.shipped import games
from mulligan.game.typed_text import one_of
from mulligan.program import Stopped

from .spoken import SpokenGroup

if TYPE_CHECKING:
    from mulligan.game.variants import Variant
    from mulligan.game.words import Words

app = typer.Typer(
    cls=SpokenGroup,
    no_args_is_help=True,
    add_completion=False,
    pretty_exceptions_enable=False,
    rich_markup_mode=None,
    context_settings={"help_option_names": ["-h", "--help"]},
)

FAULT_FOUND, WRONG_USAGE = 1, 2
LogForm = Enum("LogForm", {"json": "json", "text": "text"})
GameName = Annotated[
    str, typer.Option("--game", "-g", help=f"{', '.join(games())}, or the path of your own variant's .toml file.")
]
FIRST_GAME = games()[0]
Language = Annotated[str | None, typer.Option("--language", "-l")]
OwnVariant = Annotated[Path | None, typer.Option("--game", "-g")]
HouseRules = Annotated[
    list[str] | None, typer.Option("--option", help="A house rule, such as jokers=-5; may be given several times.")
]


def play_plain() -> None:
    """Selects the uncompiled engine, which starts at once and is fast enough for one game."""
    os.environ.setdefault("MULLIGAN_PLAIN", "1")


def load_variant(name: str, words: "Words | None" = None, options: Sequence[str] | None = None) -> "Variant":
    """Returns the variant with house rules. Errors in the keys of a variant file are in English."""
    from mulligan.game import house_rules, variants
    from mulligan.game.error_sentences import Problem

    try:
        variant = variants.load(one_of(name, games()) or name)
        return house_rules.with_options(variant, options) if options else variant
    except (Problem, variants.VariantError) as error:
        usage(error_in_words(words, error))


def load_own_variant(file: Path | None, words: "Words") -> "Variant | None":
    """Returns the variant of the option `--game`, or None."""
    return load_variant(str(file), words) if file else None


def load_words(language: str | None) -> "Words":
    from mulligan.game import words

    try:
        return words.speak(language)
    except words.LanguageError as error:
        usage(str(error))


@contextmanager
def progress(total: int, what: str) -> Iterator[Callable[..., None]]:
    """Shows a progress bar on a terminal, and nothing elsewhere.

    Yields the function that advances the bar and may set the total.
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
def progress_of_share(what: str) -> Iterator[Callable[[float], None]]:
    """Shows a progress bar for work whose length is not known. Yields the function that is told which share is done."""
    shown = 0
    with progress(1000, what) as advance:

        def hear(done: float) -> None:
            nonlocal shown
            advance(int(1000 * done) - shown)
            shown = int(1000 * done)

        yield hear


@contextmanager
def sentences(words: "Words | None" = None) -> Iterator[None]:
    """Turns the errors a user can cause into one sentence, in English without `words`, and raises Exit."""
    try:
        yield
    except BrokenPipeError:
        drop_output()
        raise typer.Exit from None
    except KeyboardInterrupt as stopped:
        if words:
            say(str(stopped) if isinstance(stopped, Stopped) else words("terminal_stopped"), error=True)
        raise
    except OSError as error:
        try:
            sys.stdout.flush()
        except OSError:
            drop_output()
        fail(refused(words, error) if error.errno else str(error))
    except MemoryError:
        fail(words("terminal_no_memory") if words else "Not enough memory. Try a smaller number.")
    except ValueError as error:
        fail(error_in_words(words, error))


def refused(words: "Words | None", error: OSError) -> str:
    """Returns which file the system refused, and why."""
    from mulligan.game.error_sentences import reason
    from mulligan.game.words import Words

    words = words or Words("en")
    label = str(error.filename or words("terminal_output"))
    return words("terminal_label", label=label, text=words.sentences(reason(words, error)))


def drop_output() -> None:
    """Discards what is still to be printed, so that Python does not fail at its end because of it."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


def error_in_words(words: "Words | None", error: ValueError) -> str:
    from mulligan.game.error_sentences import Problem

    return error.in_words(words) if words and isinstance(error, Problem) else str(error)


def say(text: str, error: bool = False) -> None:
    typer.echo(printable(text, longest=2000), err=error)


def say_indented(text: str, indent: int) -> None:
    """Prints a text with an indent; on a terminal also its other lines, which are wrapped at its width."""
    text, space = printable(text, longest=2000), " " * indent
    if not sys.stdout.isatty():
        typer.echo(space + text)
        return
    from rich.console import Console

    from mulligan.terminal.wrapping import wrap

    for line in wrap(text, max(20, Console().width - indent)):
        typer.echo(space + line)


def fail(sentence: str) -> NoReturn:
    """Raises Exit: the files or the machine are at fault, as the sentence says."""
    say(sentence, error=True)
    raise typer.Exit(FAULT_FOUND)


def usage(sentence: str) -> NoReturn:
    """Raises Exit: the command was given something wrong, as the sentence says."""
    say(sentence, error=True)
    raise typer.Exit(WRONG_USAGE)
