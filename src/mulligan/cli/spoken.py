"""Prints the help of the players' commands, and wrong usage, in the reader's language."""

import difflib
import enum
import inspect
import os
import re
import sys
from collections.abc import Sequence
from itertools import pairwise
from typing import TYPE_CHECKING, Annotated, Any, get_args, get_origin, get_type_hints

from typer.core import TyperGroup

from mulligan.game.safe_text import printable
from mulligan.game.typed_text import plain

from .added_commands import CannotLoad, added, load
from .help_pages import Command, InCode, Page, bare_name, in_one_line, option_rows

if TYPE_CHECKING:
    from mulligan.game.words import Words

OPTION = re.compile(r"([^\x00-,.-\x7fＡ-Ｚａ-ｚ]+)([A-Za-zＡ-Ｚａ-ｚ].*)", re.DOTALL)  # with dashes of a word processor
NUMERAL = re.compile(r"-?[0-9]+(\.[0-9]+)?")
NEGATIVE = re.compile(r"-[0-9]")
EXTRA = re.compile(r"unexpected extra argument.*\((.*)\)", re.DOTALL)  # in Typer's own sentence


class Misused(Exception):
    """A command line that cannot be carried out; the message is a sentence."""


class SpokenCommand(Command):
    """A command whose help is in the messages `help_NAME` and `help_NAME_OPTION`, or `help_OPTION`."""

    def parse_args(self, ctx: Any, args: list[str]) -> list[str]:
        """Reads the words after the command; a card with a minus, as in a layout, is no option."""
        values = {name for param in self.params if not getattr(param, "is_flag", False) for name in param.opts}
        before = ["", *args]
        cards = [NEGATIVE.match(one) and last not in values for last, one in zip(before, args, strict=False)]
        words = [f"−{one[1:]}" if is_card else one for is_card, one in zip(cards, args, strict=True)]
        return super().parse_args(ctx, words)

    def words(self) -> "Words":
        return spoken()

    def about(self, words: "Words") -> str:
        return words(f"help_{self.name}")

    def meaning(self, words: "Words", param: Any) -> str:
        return help_of(words, self.name, param)

    def kinds(self, words: "Words") -> list[tuple[str, str]]:
        start = "player_how_"
        levels = [key.removeprefix(start) for key in words.messages if key.startswith(start)]
        return [(level, words(f"{start}{level}")) for level in levels] if self.name == "play" else []


class Group(InCode, TyperGroup):
    """A command with commands of its own."""

    def sections(self, words: "Words") -> dict[str, list[tuple[str, str]]]:
        """Returns the commands and what each does, by the key of their title."""
        return {"help_commands": [(name, in_one_line(command)) for name, command in self.commands.items()]}

    def format_help(self, ctx: Any, formatter: Any) -> None:
        words = self.words()
        page = Page(formatter, words)
        page.usage(ctx, words("help_command") + " …")
        page.text(self.about(words))
        page.section("help_options_title", option_rows(self, ctx, words))
        for title, rows in self.sections(words).items():
            page.section(title, rows)

    def resolve_command(self, ctx: Any, args: list[str]) -> Any:
        """Finds the command that the first word names. Raises Misused, which names similar commands."""
        if self.get_command(ctx, args[0]) is None and args[0][:1] != "-":
            words = spoken()
            similar = difflib.get_close_matches(args[0].lower(), self.list_commands(ctx))
            unknown = words("help_no_command", command=printable(args[0]), help=f"{ctx.command_path} --help")
            raise Misused(with_guesses(words, unknown, similar))
        return super().resolve_command(ctx, args)


class SpokenGroup(Group):
    """The command `mulligan`, which lists its commands; those for hosts and researchers are described in English."""

    def list_commands(self, ctx: Any) -> list[str]:
        return [*self.commands, *(name for name in added() if name not in self.commands)]

    def get_command(self, ctx: Any, name: str) -> Any:
        """Returns the command of that name, or None. Raises CannotLoad for an added one that fails."""
        return self.commands.get(name) or (load(name) if name in added() else None)

    def words(self) -> "Words":
        return spoken()

    def about(self, words: "Words") -> str:
        return words("help_mulligan")

    def meaning(self, words: "Words", param: Any) -> str:
        return help_of(words, "mulligan", param)

    def sections(self, words: "Words") -> dict[str, list[tuple[str, str]]]:
        spoken_here = {name: command for name, command in self.commands.items() if isinstance(command, SpokenCommand)}
        return {
            "help_commands": [(name, words(f"help_{name}")) for name in spoken_here],
            "help_host_commands": [
                (name, in_one_line(command)) for name, command in self.commands.items() if name not in spoken_here
            ],
            "help_research_commands": [(name, in_short(name)) for name in added() if name not in self.commands],
        }


def in_short(name: str) -> str:
    """What an added command does, or why nobody can use it."""
    try:
        return in_one_line(load(name))
    except CannotLoad as error:
        return str(error)


def help_of(words: "Words", command: str | None, param: Any) -> str:
    """Returns the description of an option or argument."""
    from mulligan.game.shipped import games

    examples = {
        "layout": "7 ? 1 ? / ? ? ? 5".replace(" ", "\u00a0"),  # in one line; no-break spaces are read as spaces
        "names": "Ann,Ben",
        "named": "you:Ann",
        "option": "jokers=-5",
        "game": "--game",
    }
    return words(key_of(words, command, param), games=words.series(games()), **examples)


def key_of(words: "Words", command: str | None, param: Any) -> str:
    """Returns the key of an option's description: the command's own, or that for all commands."""
    own = f"help_{command}_{param.name}"
    if own in words.messages:
        return own
    return "help_own_game" if param.name == "game" and param.default is None else f"help_{param.name}"


def spoken() -> "Words":
    """Returns the words of the language typed, before the command line is read, else of the system's."""
    from mulligan.game.words import Words, language_of, system_language

    named = ""
    for word, following in pairwise([*typed(sys.argv[1:]), ""]):
        if word in ("--language", "-l"):
            named = following
        elif word.startswith(("--language=", "-l")):
            named = word.removeprefix("--language=").removeprefix("-l")
    return Words(language_of(named) or system_language(os.environ))


def typed(words: Sequence[str]) -> list[str]:
    """Returns the words of the command line, with plain options and numbers: `—seats` of a word processor, `３`."""
    return [plain_option(plain(word) if NUMERAL.fullmatch(plain(word)) else word) for word in words]


def plain_option(word: str) -> str:
    found = OPTION.fullmatch(word)
    if not found or found[1].isascii() or set(plain(found[1])) != {"-"}:
        return word
    name, equals, value = found[2].partition("=")
    return f"{'--' if len(name) > 1 else '-'}{plain(name)}{equals}{value}"


def usage_in_words(error: Any) -> str:
    """Returns what is wrong in a command line, or the help where only a command is missing."""
    words = spoken()
    kind, param, option = type(error).__name__, getattr(error, "param", None), getattr(error, "option_name", "")
    if kind == "NoArgsIsHelpError":
        return str(error.ctx.get_help())
    if kind == "NoSuchOption":
        unknown = words("help_no_option", option=printable(option))
        return with_guesses(words, unknown, error.possibilities or ())
    if kind == "BadOptionUsage":
        takes_none = "not take" in error.format_message()
        return words("help_takes_no_value" if takes_none else "help_no_value", option=option)
    if kind == "MissingParameter" and param is not None:
        return words("help_missing", name=bare_name(param))
    if kind == "BadParameter" and param is not None:
        return wrong_value(words, error.ctx, param)
    if extra := EXTRA.search(error.format_message()):
        return words("help_too_many", typed=printable(extra[1]), help=f"{error.ctx.command_path} --help")
    return words("help_not_understood", help="mulligan --help")


def with_guesses(words: "Words", sentence: str, guesses: Sequence[str]) -> str:
    return words.sentences(sentence, *([words("help_guess", names=words.series(guesses))] if guesses else []))


def wrong_value(words: "Words", ctx: Any, param: Any) -> str:
    """Returns which values an option or argument may have, by the types of the command's function."""
    hint = get_type_hints(inspect.unwrap(ctx.command.callback), include_extras=True).get(param.name)
    kind, *more = get_args(hint) if get_origin(hint) is Annotated else (hint,)
    kinds = [*get_args(kind), kind]
    limits = {"least": getattr(more[0], "min", None), "most": getattr(more[0], "max", None)} if more else {}
    for one in kinds:
        if isinstance(one, enum.EnumType):
            every: list[enum.Enum] = list(one)
            choices = words.series([str(choice.value) for choice in every])
            return words("help_bad_choice", name=bare_name(param), choices=choices)
    if int not in kinds and float not in kinds:
        return words("help_bad_value", name=bare_name(param))
    given = [name for name, limit in limits.items() if limit is not None]
    shown = {name: str(limits[name]) for name in given}
    kind = "whole" if int in kinds else "any"
    return words(f"help_number{''.join(f'_{name}' for name in given)}", name=bare_name(param), kind=kind, **shown)
