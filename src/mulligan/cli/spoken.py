"""Prints the help of the players' commands, and wrong usage, in the reader's language."""

import difflib
import enum
import inspect
import os
import re
import sys
from collections.abc import Sequence
from typing import TYPE_CHECKING, Annotated, Any, get_args, get_origin, get_type_hints

from typer.core import TyperCommand, TyperGroup

from mulligan.game.safe_text import printable
from mulligan.game.typed_text import plain

from .added_commands import CannotLoad, added, load

if TYPE_CHECKING:
    from mulligan.game.words import Words

MOST_COLUMNS = 100
OPTION = re.compile(r"([^\x00-,.-\x7fＡ-Ｚａ-ｚ]+)([A-Za-zＡ-Ｚａ-ｚ].*)", re.DOTALL)  # with dashes of a word processor
NUMERAL = re.compile(r"-?[0-9]+(\.[0-9]+)?")
NEGATIVE = re.compile(r"-[0-9]")
EXTRA = re.compile(r"unexpected extra argument.*\((.*)\)", re.DOTALL)  # in Typer's own sentence


class Misused(Exception):
    """A command line that cannot be carried out; the message is a sentence."""


class SpokenCommand(TyperCommand):
    """A command whose help is in the messages `help_NAME` and `help_NAME_OPTION`, or `help_OPTION`."""

    def parse_args(self, ctx: Any, args: list[str]) -> list[str]:
        """Reads the words after the command; a card with a minus, as in a layout, is no option."""
        values = {name for param in self.params if not getattr(param, "is_flag", False) for name in param.opts}
        before = ["", *args]
        cards = [NEGATIVE.match(one) and last not in values for last, one in zip(before, args, strict=False)]
        words = [f"−{one[1:]}" if is_card else one for is_card, one in zip(cards, args, strict=True)]
        return super().parse_args(ctx, words)

    def format_help(self, ctx: Any, formatter: Any) -> None:
        words = spoken()
        arguments = [param for param in self.params if param.param_type_name == "argument"]
        options = [param for param in self.get_params(ctx) if param.param_type_name == "option"]
        optional = words("help_options")
        usage = " ".join([ctx.command_path, f"[{optional}]", *map(name_of, arguments)])
        page = Page(formatter, words)
        page.line(words("terminal_label", label=words("help_usage"), text=usage))
        page.text(words(f"help_{self.name}"))
        page.section("help_arguments", [(name_of(param), help_of(words, self.name, param)) for param in arguments])
        if self.name == "play":
            levels = [key.removeprefix("player_how_") for key in words.messages if key.startswith("player_how_")]
            page.section("help_levels", [(level, words(f"player_how_{level}")) for level in levels])
        page.section("help_options_title", [(name_of(param), help_of(words, self.name, param)) for param in options])


class Group(TyperGroup):
    """A command with commands of its own."""

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

    def format_help(self, ctx: Any, formatter: Any) -> None:
        words = spoken()
        page = Page(formatter, words)
        optional, which = words("help_options"), words("help_command")
        usage = f"{ctx.command_path} [{optional}] {which} …"
        page.line(words("terminal_label", label=words("help_usage"), text=usage))
        page.text(words("help_mulligan"))
        options = [param for param in self.get_params(ctx) if param.param_type_name == "option"]
        page.section("help_options_title", [(name_of(param), help_of(words, "mulligan", param)) for param in options])
        sections: dict[str, list[tuple[str, str]]] = {"help_commands": [], "help_host_commands": []}
        for name, command in self.commands.items():
            if isinstance(command, SpokenCommand):
                sections["help_commands"].append((name, words(f"help_{name}")))
            else:
                sections["help_host_commands"].append((name, command.get_short_help_str(200)))
        sections["help_research_commands"] = [
            (name, in_short(name)) for name in self.list_commands(ctx) if name not in self.commands
        ]
        for title, rows in sections.items():
            page.section(title, rows)


def in_short(name: str) -> str:
    """What an added command does, or why nobody can use it."""
    try:
        return str(load(name).get_short_help_str(200))
    except CannotLoad as error:
        return str(error)


class Page:
    """A page of help, at the width of the terminal."""

    def __init__(self, formatter: Any, words: "Words") -> None:
        from rich.console import Console

        self.write, self.words = formatter.write, words
        self.width = min(Console().width, MOST_COLUMNS)

    def line(self, text: str) -> None:
        self.write(f"{text}\n")

    def text(self, text: str) -> None:
        self.write("\n")
        self.rows([("", text)])

    def section(self, title: str, rows: Sequence[tuple[str, str]]) -> None:
        """Writes a title and rows of a name and its description."""
        if rows:
            self.write(f"\n{self.words(title)}\n")
            self.rows(rows)

    def rows(self, rows: Sequence[tuple[str, str]]) -> None:
        from mulligan.terminal.wrapping import wrap

        margin = max(len(name) for name, _ in rows)
        margin = margin + 4 if margin else 0
        for name, text in rows:
            start = f"  {name}" if name else ""
            for line in wrap(text, max(20, self.width - margin)):
                self.write(f"{start:{margin}}{line}\n")
                start = ""


def name_of(param: Any) -> str:
    """Returns an option's names, with an ellipsis if it takes a value, or an argument's name."""
    if param.param_type_name == "argument":
        return str(param.name).upper() if param.required else f"[{str(param.name).upper()}]"
    names = sorted(param.opts, key=len)
    return ", ".join(names) if param.is_flag or param.name == "help" else f"{', '.join(names)} …"


def help_of(words: "Words", command: str | None, param: Any) -> str:
    """Returns the description of an option, with its default value."""
    from mulligan.game.shipped import names

    examples = {
        "layout": "7 ? 1 ? / ? ? ? 5",
        "names": "Ann,Ben",
        "named": "you:Ann",
        "option": "jokers=-5",
        "game": "--game",
    }
    text = words(key_of(words, command, param), games=words.series(names()), **examples)
    default = param.default
    if (
        param.param_type_name == "option"
        and isinstance(default, str | int)
        and not isinstance(default, bool)
        and default
    ):
        return words("terminal_brackets", text=text.rstrip(".。"), more=words("help_default", value=default))
    return text


def key_of(words: "Words", command: str | None, param: Any) -> str:
    """Returns the key of an option's description: the command's own, or that for all commands."""
    own = f"help_{command}_{param.name}"
    if own in words.messages:
        return own
    return "help_own_game" if param.name == "game" and param.default is None else f"help_{param.name}"


def spoken() -> "Words":
    """Returns the words of the language typed, before the command line is read, else of the system's."""
    from mulligan.game.words import Words, language_of, system_language

    named, line = "", typed(sys.argv[1:])
    for word, following in zip(line, [*line[1:], ""], strict=True):
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
    """Returns what is wrong in a command line."""
    words = spoken()
    kind, param, option = type(error).__name__, getattr(error, "param", None), getattr(error, "option_name", "")
    if kind == "NoSuchOption":
        unknown = words("help_no_option", option=printable(option))
        return with_guesses(words, unknown, sorted(error.possibilities or ()))
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


def bare_name(param: Any) -> str:
    return name_of(param).removesuffix(" …")


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
