"""Prints the help of every command in one form: usage, arguments and options, at the width of the terminal."""

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from typer.core import TyperCommand

if TYPE_CHECKING:
    from mulligan.game.words import Words

MOST_COLUMNS = 100


class InCode:
    """Help that is what the code says, in English, as for hosts and researchers."""

    help: str | None

    def words(self) -> "Words":
        from mulligan.game.words import Words

        return Words("en")

    def about(self, words: "Words") -> str:
        return self.help or ""

    def meaning(self, words: "Words", param: Any) -> str:
        """Returns what an argument or option is for; of `--help` in our words, not in Typer's."""
        return words("help_help") if param.name == "help" else param.help or ""


class Command(InCode, TyperCommand):
    """A command with a page of help."""

    def kinds(self, words: "Words") -> list[tuple[str, str]]:
        """Returns the kinds of computer players that the command takes, and how each plays."""
        return []

    def format_help(self, ctx: Any, formatter: Any) -> None:
        words = self.words()
        arguments = [param for param in self.params if param.param_type_name == "argument"]
        page = Page(formatter, words)
        page.usage(ctx, " ".join(map(name_of, arguments)))
        page.text(self.about(words))
        page.section("help_arguments", [(name_of(param), self.meaning(words, param)) for param in arguments])
        page.section("help_levels", self.kinds(words))
        page.section("help_options_title", option_rows(self, ctx, words))


class Page:
    """A page of help, at the width of the terminal."""

    def __init__(self, formatter: Any, words: "Words") -> None:
        from rich.console import Console

        self.write, self.words = formatter.write, words
        self.width = min(Console().width, MOST_COLUMNS)

    def usage(self, ctx: Any, rest: str) -> None:
        words = self.words
        optional = words("help_options")
        text = f"{ctx.command_path} [{optional}] {rest}".rstrip()
        self.write(words("terminal_label", label=words("help_usage"), text=text) + "\n")

    def text(self, text: str) -> None:
        for paragraph in text.split("\n\n"):
            self.write("\n")
            self.rows([("", " ".join(paragraph.split("\n")))])

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


def option_rows(command: Any, ctx: Any, words: "Words") -> list[tuple[str, str]]:
    """Returns the options that are no secret, and what each is for."""
    options = [param for param in command.get_params(ctx) if param.param_type_name == "option" and not param.hidden]
    return [(name_of(param), with_default(words, command.meaning(words, param), param)) for param in options]


def in_one_line(command: Any) -> str:
    return str(command.get_short_help_str(200))


def bare_name(param: Any) -> str:
    """Returns an option's names, or an argument's name."""
    if param.param_type_name == "argument":
        return param.metavar or str(param.name).upper()
    return ", ".join(sorted(param.opts, key=len))


def name_of(param: Any) -> str:
    """Returns the name with what follows an option: its value, or an ellipsis. An optional argument has brackets."""
    name = bare_name(param)
    if param.param_type_name == "argument":
        return name if param.required else f"[{name}]"
    return name if param.is_flag or param.name == "help" else f"{name} {param.metavar or '…'}"


def with_default(words: "Words", text: str, param: Any) -> str:
    """Adds an option's default value, and the variable of the environment that may give it, to its description."""
    more, default = [], None if param.is_flag else param.default
    if isinstance(default, str | int | float) and default:
        more.append(words("help_default", value=f"{default:g}" if isinstance(default, float) else default))
    if param.envvar:
        more.append(f"or {param.envvar} in the environment")
    return words("terminal_brackets", text=text.rstrip(".。"), more="; ".join(more)) if more else text
