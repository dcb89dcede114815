"""Checks an order for a score card; each error is one sentence."""

from collections.abc import Sequence
from itertools import islice
from pathlib import Path
from typing import get_args

from mulligan.game.characters import fault_in
from mulligan.game.referee import Fault, read_records, replay
from mulligan.game.safe_text import printable
from mulligan.game.typed_text import word
from mulligan.game.variants import Variant

from .card import LONGEST_NAME, Card, Paper, blank, of_game
from .court import COURTS, Court
from .words import LANGUAGES

PAPERS: tuple[Paper, ...] = get_args(Paper)
USUAL_PLAYERS = 4


class OrderError(ValueError):
    """An invalid order; the message is one sentence."""


def order(
    variant: Variant,
    players: int | None,
    names: Sequence[str],
    language: str,
    paper: str,
    dealer: int | None = None,
    court: str = "",
) -> Card:
    """Returns a blank card for that number of players; without a number, for the names. Raises OrderError."""
    least, most = variant.seats[0], variant.seats[-1]
    count = players if players is not None else len(names) or max(least, min(USUAL_PLAYERS, most))
    if count not in variant.seats:
        raise OrderError(f"{variant.title} is for {least} to {most} players (1.1), not {count}.")
    if len(names) > count:
        raise OrderError(f"{len(names)} names are given for {count} players.")
    for name in names:
        if fault := fault_in(name, LONGEST_NAME):
            raise OrderError(f"The name “{printable(name)}” {fault}.")
    if dealer is not None and dealer >= count:
        raise OrderError(f"Player {dealer + 1} is to deal, but only {count} play.")
    return blank(variant, count, names, language_of(language), paper_of(paper), dealer, court_of(court))


def filled(file: Path, number: int, variant: Variant | None, language: str, paper: str, court: str = "") -> Card:
    """Returns the card of one game of a file of records. Raises OrderError, Fault for an invalid record, OSError."""
    tongue, sheet, letters = language_of(language), paper_of(paper), court_of(court)
    with file.open("rb") as opened:
        found = next(islice(read_records(opened), number - 1, None), None)
    if found is None:
        raise OrderError(f"{file} has no game {number}.")
    line, record = found
    try:
        return of_game(replay(record, variant), tongue, sheet, letters)
    except Fault as fault:
        raise fault.at("terminal_at_game", number=number, line=line) from None


def language_of(language: str) -> str:
    """Returns the language of an order. Raises OrderError."""
    if language not in LANGUAGES:
        raise OrderError(f"There is no card in “{printable(language)}”; the languages are {', '.join(LANGUAGES)}.")
    return language


def paper_of(paper: str) -> Paper:
    """Returns the paper size of an order. Raises OrderError."""
    for known in PAPERS:
        if word(paper) == known:
            return known
    raise OrderError(f"There is no paper “{printable(paper)}”; print on {' or '.join(PAPERS)}.")


def court_of(letters: str) -> Court | None:
    """Returns the court-card letters of an order. Raises OrderError."""
    for known in COURTS:
        if word(letters).upper() == known:
            return known
    if letters:
        raise OrderError(f"There is no deck with the letters “{printable(letters)}”; there are {', '.join(COURTS)}.")
    return None
