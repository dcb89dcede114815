"""Prints the help of the players' commands, and wrong usage, in the reader's language."""

import os
import sys
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from typer.core import TyperCommand, TyperGroup

if TYPE_CHECKING:
    from mulligan.game.words import Words

MOST_COLUMNS = 100


class SpokenCommand(TyperCommand):
    """A command whose help is in the messages `help_NAME` and `help_NAME_OPTION`, or `help_OPTION`."""

    def format_help(self, ctx: Any, formatter: Any) -> None:
        words = spoken(sys.argv[1:])
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


class SpokenGroup(TyperGroup):
    """The command `mulligan`, which lists its commands; those for researchers and hosts are described in English."""

    def format_help(self, ctx: Any, formatter: Any) -> None:
        words = spoken(sys.argv[1:])
        page = Page(formatter, words)
        optional, which = words("help_options"), words("help_command")
        usage = f"{ctx.command_path} [{optional}] {which} …"
        page.line(words("terminal_label", label=words("help_usage"), text=usage))
        page.text(words("help_mulligan"))
        options = [param for param in self.get_params(ctx) if param.param_type_name == "option"]
        page.section("help_options_title", [(name_of(param), help_of(words, "mulligan", param)) for param in options])
        players: list[tuple[str, str]] = []
        others: list[tuple[str, str]] = []
        for name in self.list_commands(ctx):
            command = self.get_command(ctx, name)
            if isinstance(command, SpokenCommand):
                players.append((name, words(f"help_{name}")))
            elif command:
                others.append((name, command.get_short_help_str(200)))
        page.section("help_commands", players)
        page.section("help_other_commands", others)


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


def spoken(typed: Sequence[str]) -> "Words":
    """Returns the words of the language typed, before the command line is read, else of the system's."""
    from mulligan.game.rulebook import LANGUAGES
    from mulligan.game.words import Words, system_language

    named = ""
    for word, following in zip(typed, [*typed[1:], ""], strict=True):
        if word in ("--language", "-l"):
            named = following
        elif word.startswith("--language="):
            named = word.partition("=")[2]
    return Words(named if named in LANGUAGES else system_language(os.environ))


def usage_in_words(error: Any) -> str:
    """Returns what is wrong in a command line; in English, in the words of Typer."""
    words = spoken(sys.argv[1:])
    kind, param = type(error).__name__, getattr(error, "param", None)
    if words.language == "en":
        return str(error.format_message())
    if kind == "NoSuchOption":
        return words("help_no_option", option=error.option_name)
    if kind == "BadOptionUsage":
        return words("help_no_value", option=error.option_name)
    if kind == "MissingParameter" and param is not None:
        return words("help_missing", name=name_of(param))
    if kind == "BadParameter" and param is not None:
        return words("help_bad_value", name=name_of(param).removesuffix(" …"))
    return words("help_not_understood", help="mulligan --help")
