"""Prints advice and analyses, at the width of the terminal, or makes data for JSON of them."""

from collections.abc import Iterable, Sequence
from typing import Any

from rich.cells import cell_len

from mulligan.coach.coach_words import mistake_in_words, rated_in_words, reason_in_words
from mulligan.coach.findings import Analysis, Rated, as_data
from mulligan.engine.state import Phase
from mulligan.game.safe_text import printable
from mulligan.game.variants import Variant
from mulligan.game.words import Words, minus

from .common import say, say_indented

INDENT = 7  # the width of a loss, and two spaces
MOST_MISTAKES = 20  # so many are listed for a match, the costliest first


def print_advice(rows: Iterable[tuple[str, str]]) -> None:
    """Prints each move with its loss, and the reason below it."""
    for move, reason in rows:
        say(move)
        say_indented(reason, INDENT)


def advice_as_data(
    words: Words, variant: Variant, state: Any, ranked: Sequence[Rated], names: Sequence[str]
) -> dict[str, Any]:
    """Returns the advice as data for JSON, with sentences in a language."""
    return {
        "game": variant.name,
        "phase": Phase(int(state.phase)).name.lower(),
        "turn": int(state.turn),
        "moves": [
            as_data(rated)
            | {
                "text": rated_in_words(words, variant, state, rated),
                "sentence": reason_in_words(words, variant, rated.why, names),
            }
            for rated in ranked
        ],
    }


def print_analysis(words: Words, variant: Variant, analysis: Analysis, title: str) -> None:
    """Prints the score card split into luck and mistakes, and the costliest mistakes."""
    say(title)
    heads = [words(f"coach_{key}") for key in ("points", "expected", "luck", "mistakes")]
    rows = [["", *heads, words("terminal_turns"), words("terminal_per_turn")]]
    for total in analysis.totals:
        luck = words.decimal(total.luck)
        rows.append([
            printable(total.name), minus(total.points), words.decimal(total.at_deal),
            luck if luck.startswith("−") else f"+{luck}", words.decimal(total.mistakes), str(total.turns),
            words.decimal(total.error_rate, 2),
        ])  # fmt: skip
    for line in in_columns(rows):
        say(line)
    listed = analysis.mistakes[:MOST_MISTAKES]
    say(words("coach_list" if listed else "coach_list_none"))
    for mistake in listed:
        lost, played, better = mistake_in_words(words, variant, mistake, analysis.players)
        say_indented(lost, 0)
        say_indented(played, 2)
        say_indented(better, 2)


def analysis_as_data(words: Words, variant: Variant, analysis: Analysis) -> dict[str, Any]:
    """Returns the analysis as data for JSON, with the costliest mistakes in sentences."""
    mistakes = [
        as_data(mistake) | {"sentence": words.sentences(*mistake_in_words(words, variant, mistake, analysis.players))}
        for mistake in analysis.mistakes[:MOST_MISTAKES]
    ]
    return as_data(analysis) | {"mistakes": mistakes}


def in_columns(rows: Sequence[Sequence[str]]) -> list[str]:
    """Returns the rows as lines: the first column flush left, the others flush right."""
    widths = [max(map(cell_len, column)) for column in zip(*rows, strict=True)]
    return [
        "  ".join([first + " " * (widths[0] - cell_len(first)), *map(fit_right, others, widths[1:])])
        for first, *others in rows
    ]


def fit_right(text: str, width: int) -> str:
    return " " * (width - cell_len(text)) + text
