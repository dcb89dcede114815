"""What somebody asks to have printed, checked; whatever cannot be is said in one sentence."""

from collections.abc import Sequence
from itertools import islice
from pathlib import Path
from typing import get_args

from ..inert import inert
from ..referee import Fault, read_records, replay
from ..variants import Variant
from .card import LONGEST_NAME, Card, Paper, blank, of_game
from .words import LANGUAGES

PAPERS: tuple[Paper, ...] = get_args(Paper)
USUAL_PLAYERS = 4


class OrderError(ValueError):
    """Why there is no such card, in one sentence."""


def order(
    variant: Variant,
    players: int | None,
    names: Sequence[str],
    language: str,
    paper: str,
    dealer: int | None = None,
) -> Card:
    """A card to write on, for so many players; without a number for as many as are named. Raises OrderError."""
    least, most = variant.seats[0], variant.seats[-1]
    count = players if players is not None else len(names) or max(least, min(USUAL_PLAYERS, most))
    if count not in variant.seats:
        raise OrderError(f"{variant.title} is for {least} to {most} players (1.1), not {count}.")
    if len(names) > count:
        raise OrderError(f"{len(names)} names are given for {count} players.")
    for name in names:
        if len(name) > LONGEST_NAME:
            raise OrderError(f"The name “{inert(name)}” has {len(name)} letters; {LONGEST_NAME} are the most.")
    if dealer is not None and dealer >= count:
        raise OrderError(f"Player {dealer + 1} is to deal, but only {count} play.")
    return blank(variant, count, names, language_of(language), paper_of(paper), dealer)


def filled(file: Path, number: int, variant: Variant | None, language: str, paper: str) -> Card:
    """The card of one game of a file of records. Raises OrderError, Fault for a record that breaks a rule, OSError."""
    tongue, sheet = language_of(language), paper_of(paper)
    with file.open("rb") as opened:
        found = next(islice(read_records(opened), number - 1, None), None)
    if found is None:
        raise OrderError(f"{file} has no game {number}.")
    line, record = found
    try:
        return of_game(replay(record, variant), tongue, sheet)
    except Fault as fault:
        raise Fault(f"game {number} (line {line}), {fault}") from None


def language_of(language: str) -> str:
    if language not in LANGUAGES:
        raise OrderError(f"There is no card in “{inert(language)}”; the languages are {', '.join(LANGUAGES)}.")
    return language


def paper_of(paper: str) -> Paper:
    for known in PAPERS:
        if paper.lower() == known:
            return known
    raise OrderError(f"There is no paper “{inert(paper)}”; print on {' or '.join(PAPERS)}.")
