"""Prints advice and analyses, at the width of the terminal."""

from collections.abc import Iterable, Sequence
from typing import Any

from rich.cells import cell_len

from mulligan.coach import mistake_words
from mulligan.game.safe_text import printable
from mulligan.game.variants import Variant
from mulligan.game.words import Words, minus

from .common import say, say_indented

INDENT = 7  # the width of a loss, and two spaces


def print_advice(rows: Iterable[tuple[str, str]]) -> None:
    """Prints each move with its loss, and the reason below it."""
    for move, reason in rows:
        say(move)
        say_indented(reason, INDENT)


def print_analysis(words: Words, variant: Variant, analysis: dict[str, Any], title: str) -> None:
    """Prints the score card split into luck and mistakes, and the costliest mistakes."""
    say(title)
    heads = [words(f"coach_{key}") for key in ("points", "expected", "luck", "mistakes")]
    rows = [["", *heads, words("terminal_turns"), words("terminal_per_turn")]]
    for total in analysis["totals"]:
        luck = words.decimal(total["luck"])
        rows.append([
            printable(total["name"]), minus(total["points"]), words.decimal(total["at_deal"]),
            luck if luck.startswith("−") else f"+{luck}", words.decimal(total["mistakes"]), str(total["turns"]),
            words.decimal(total["error_rate"], 2),
        ])  # fmt: skip
    for line in in_columns(rows):
        say(line)
    say(words("coach_list" if analysis["mistakes"] else "coach_list_none"))
    for entry in analysis["mistakes"]:
        lost, played, better = mistake_words.tell(words, variant, analysis, entry)
        say_indented(lost, 0)
        say_indented(played, 2)
        say_indented(better, 2)


def in_columns(rows: Sequence[Sequence[str]]) -> list[str]:
    """Returns the rows as lines: the first column flush left, the others flush right."""
    widths = [max(map(cell_len, column)) for column in zip(*rows, strict=True)]
    return [
        "  ".join([first + " " * (widths[0] - cell_len(first)), *map(fit_right, others, widths[1:])])
        for first, *others in rows
    ]


def fit_right(text: str, width: int) -> str:
    return " " * (width - cell_len(text)) + text
